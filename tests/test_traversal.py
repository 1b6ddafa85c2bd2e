"""Walking down the tree: the same places found, in the same scope, level by level; what the reader may not see is no way down."""

from collections.abc import Iterator

import pytest
from bookshelf import Shelf, filled_shelf

from es_mappings.access import OWNER, Reader
from service.searching import SearchRequest
from service.signals import Question
from service.strategies import AUTO, chosen_strategy


@pytest.fixture(scope="module")
def shelf(node_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    with filled_shelf(node_url, tmp_path_factory.mktemp("levels")) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "section"),
    [("How far must it cool down before it may be opened?", "Cooling"), ("茶叶应该怎么储存？", "储存"), ("KX-4471", "Suppliers")],
)
def test_the_walk_finds_what_ranking_all_together_finds(shelf: Shelf, question: str, section: str) -> None:
    result = shelf.search(question, strategy="traversal")
    assert result.intent.strategy == "traversal"
    assert result.hits[0].title.endswith(section)


def test_the_walk_keeps_to_a_few_branches(shelf: Shelf) -> None:
    everywhere = shelf.search("the unit used for measuring topics", size=50)
    walked = shelf.search("the unit used for measuring topics", size=50, strategy="traversal")
    assert {hit.id for hit in walked.hits} < {hit.id for hit in everywhere.hits}


def test_every_filter_holds_on_every_level(shelf: Shelf) -> None:
    for options in ({"sections": ("3",)}, {"excluded_sections": ("3.2",)}, {"documents": ("Kiln Handbook",)}):
        plain = shelf.search("degrees for cooling the kiln", size=50, documents=options.pop("documents", ("Kiln Handbook",)), **options)
        walked = shelf.search("degrees for cooling the kiln", size=50, strategy="traversal", documents=("Kiln Handbook",), **options)
        assert {hit.id for hit in walked.hits} <= {hit.id for hit in plain.hits}
        assert walked.hits


def test_what_a_reader_may_not_see_is_no_way_down(shelf: Shelf) -> None:
    row = shelf.put("vault.md", "# Vault\n\n## 1 Celadon recipe\n\nThe celadon recipe needs one part iron.\n", groups=("board",))
    walked = shelf.search("celadon recipe", Reader(groups=frozenset({"staff"})), strategy="traversal", size=50)
    assert row.doc_id not in {hit.doc_id for hit in walked.hits}
    assert shelf.search("celadon recipe", strategy="traversal").hits[0].doc_id == row.doc_id
    shelf.store.revisions.delete(row.doc_id)


def test_each_level_is_one_request(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = []
    index = shelf.store.index
    msearch = type(index).msearch
    monkeypatch.setattr(type(index), "msearch", lambda self, *given, **named: sent.append(len(given[0])) or msearch(self, *given, **named))
    shelf.searcher.search(SearchRequest(query="cooling the kiln", strategy="traversal", documents=("Kiln Handbook",)), OWNER)
    # Documents, the title heading, chapters, their sections, the end; then the passages. Titles and names are read besides.
    assert 4 <= len(sent) <= 8


def test_a_place_alone_is_not_walked_to(shelf: Shelf) -> None:
    assert shelf.search("section 3 of the Kiln Handbook", strategy="traversal").intent.strategy == "collapsed"


def test_the_choice_is_the_asked_one_or_by_the_question() -> None:
    question = Question(text="cooling", kind="plain", vector=None, depth=10)
    assert chosen_strategy("traversal", question) == "traversal"
    assert chosen_strategy("collapsed", question) == "collapsed"
    assert chosen_strategy(AUTO, question) == "collapsed"
