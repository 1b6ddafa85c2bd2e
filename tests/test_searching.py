"""Searching written books on the real node: the right place, only that place, and only what the reader may see."""

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from bookshelf import HANDBOOK, Shelf, filled_shelf, open_shelf

from es_mappings.access import OWNER, Reader
from es_mappings.errors import EmbedderUnavailable
from es_mappings.settings import Settings
from service.results import SearchResult
from service.searching import Searcher, SearchRequest


@pytest.fixture(scope="module")
def shelf(node_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    with filled_shelf(node_url, tmp_path_factory.mktemp("books")) as opened:
        yield opened


@pytest.fixture
def own_shelf(settings: Settings, tmp_path: Path) -> Iterator[Shelf]:
    with open_shelf(settings, tmp_path) as opened:
        opened.put("handbook.md", HANDBOOK)
        yield opened


def titles(result: SearchResult) -> list[str]:
    return [hit.title for hit in result.hits]


def test_a_question_finds_its_section_first(shelf: Shelf) -> None:
    result = shelf.search("How far must it cool down before it may be opened?")
    assert titles(result)[0].endswith("Cooling")
    assert result.reason is None
    assert result.hits[0].section_path == "kiln-handbook/Kiln Handbook/3 Firing/3.2 Cooling"
    assert "120 degrees" in result.hits[0].content
    assert shelf.search("茶叶应该怎么储存？").hits[0].doc_title == "茶园手册"


def test_a_question_in_the_other_language_finds_the_place(shelf: Shelf) -> None:
    assert "储存" in titles(shelf.search("How should the tea be stored so that it stays dry?", size=3, documents=("茶园手册",)))[0]


def test_an_identifier_finds_the_text_that_has_it(shelf: Shelf) -> None:
    assert shelf.search("KX-4471").hits[0].title.endswith("Suppliers")


def test_what_stands_word_for_word_comes_before_the_same_words_apart(own_shelf: Shelf) -> None:
    apart = "Blue glaze is mixed on Monday. On Monday, blue pots are packed, and glaze is ordered. Monday is for blue. Glaze dries. " * 3
    own_shelf.put("weeks.md", f"# Weeks\n\n## One\n\n{apart}\n\n## Two\n\nThe kiln rests. The potters meet on blue Monday glaze or not.")
    own_shelf.put(
        "wochen.md", "# 周记\n\n## 一\n\n王明月底到上海，李小明天去北京，明月照天。\n\n## 二\n\n去年冬天，李明到过一次天津，没有久留。"
    )
    assert own_shelf.search("blue Monday glaze").hits[0].title == "Two"
    assert own_shelf.search("李明到").hits[0].title == "二"


@pytest.mark.parametrize("name", ["3", "chapter 3", "Chapter III", "section 3", "kiln-handbook/Kiln Handbook/3 Firing"])
def test_a_section_is_found_by_any_of_its_names(shelf: Shelf, name: str) -> None:
    result = shelf.search("degrees", sections=(name,), documents=("Kiln Handbook",))
    assert {hit.title.split()[-1] for hit in result.hits} == {"Firing", "up", "Cooling"}
    assert result.intent.sections[0].title.endswith("Firing")
    by_key = shelf.search("degrees", sections=(result.intent.sections[0].section_key,))
    assert {hit.id for hit in by_key.hits} == {hit.id for hit in result.hits}


def test_a_section_called_by_a_letter_is_found_even_a(own_shelf: Shelf) -> None:
    own_shelf.put("letters.md", "# Letters\n\n## Section A Clay\n\nClay is grey.\n\n## Section B Sand\n\nSand is yellow.\n")
    result = own_shelf.search("In Section A of the Letters, what colour is it?", documents=("Letters",))
    assert [hit.title for hit in result.hits] == ["Section A Clay"]


def test_a_section_filter_never_returns_a_neighbour(shelf: Shelf) -> None:
    for number in (1, 3, 30, 33):
        result = shelf.search("the unit used for measuring", sections=(str(number),), documents=("Counting Book",), size=50)
        assert [hit.number for hit in result.hits] == [str(number)]


def test_a_place_named_in_the_question_filters_in_both_languages(shelf: Shelf) -> None:
    english = shelf.search("What does chapter 2 of the Kiln Handbook say about space around pots?")
    assert titles(english) == ["2 Loading"]
    chinese = shelf.search("《茶园手册》第三章对湿度有什么要求？")
    assert titles(chinese) == ["第三章 储存"]
    assert chinese.intent.sections[0].asked == "chapter 3"


def test_a_name_of_several_sections_searches_them_all_and_lists_them(shelf: Shelf) -> None:
    result = shelf.search("temperature", sections=("chapter 3",))
    assert {section.doc_id for section in result.intent.sections} >= {hit.doc_id for hit in result.hits}
    assert len(result.intent.sections) == 3


def test_an_excluded_section_does_not_come_back(shelf: Shelf) -> None:
    result = shelf.search("degrees", excluded_sections=("3.2",))
    assert not any(title.endswith("Cooling") for title in titles(result))
    assert any(title.endswith("Warming up") for title in titles(result))
    assert not any("Firing" in path for path in (hit.section_path for hit in shelf.search("degrees except chapter 3").hits))


def test_an_unknown_section_gives_no_hits_and_the_nearest(shelf: Shelf) -> None:
    result = shelf.search("cooling", sections=("chapter 9",), documents=("Kiln Handbook",))
    assert (result.hits, result.reason) == ((), "no_such_section")
    assert result.nearest[0].labels
    near = shelf.search("cooling", sections=("3.7",), documents=("Kiln Handbook",)).nearest
    assert near[0].number in ("3.2", "3.1")
    assert shelf.search("cooling", sections=("Coolin",)).nearest[0].title.endswith("Cooling")


def test_a_section_without_text_is_said_to_be_empty(shelf: Shelf) -> None:
    result = shelf.search("anything", sections=("4",), documents=("Kiln Handbook",))
    assert (result.hits, result.reason) == ((), "empty_section")


def test_nothing_in_scope_is_no_match(shelf: Shelf) -> None:
    assert shelf.search("kiln", collection="elsewhere").reason == "no_match"


def test_a_question_that_only_names_a_place_gets_it_from_its_beginning(shelf: Shelf) -> None:
    result = shelf.search("第一章的内容", documents=("茶园手册",))
    assert [hit.title for hit in result.hits] == ["第一章 采摘"]
    result = shelf.search("section 3 of the Kiln Handbook")
    assert [hit.ordinal for hit in result.hits] == sorted(hit.ordinal for hit in result.hits)
    assert result.hits[0].title.endswith("Firing")


def test_what_refers_to_a_section_is_found_by_its_references(shelf: Shelf) -> None:
    result = shelf.search("What refers to section 3.2?", documents=("Kiln Handbook",))
    assert result.intent.kind == "reference"
    assert result.hits[0].title.endswith("Fire")


def test_explain_shows_every_leg(shelf: Shelf) -> None:
    plain, explained = shelf.search("cooling the kiln"), shelf.search("cooling the kiln", explain=True)
    assert plain.hits[0].signals is None
    signals = explained.hits[0].signals
    assert signals is not None
    assert signals["lexical"]["rank"] == 1
    assert explained.hits[0].score == pytest.approx(sum(evidence["evidence"] for evidence in signals.values()))


def test_a_signal_is_switched_off_by_weight_zero(shelf: Shelf) -> None:
    signals = shelf.search("cooling the kiln", explain=True, weights={"vector": 0}).hits[0].signals
    assert signals is not None
    assert "vector" not in signals


def test_a_reader_finds_only_what_the_groups_may_see_even_next_to_the_vector(own_shelf: Shelf) -> None:
    own_shelf.put("secret.md", "# Secret\n\n## 1 Plan\n\nOpen the kiln below 120 degrees, says the secret plan.", groups=("board",))
    question = "Keep the kiln closed until it is below 120 degrees"
    for reader, sees in ((OWNER, True), (Reader(groups=frozenset({"board"})), True), (Reader(groups=frozenset({"staff"})), False)):
        result = own_shelf.search(question, reader, size=50)
        assert ("Secret" in {hit.doc_title for hit in result.hits}) is sees
    stranger = Reader(groups=frozenset({"staff"}))
    assert own_shelf.search("plan", stranger, sections=("Plan",)).reason == "no_such_section"
    assert own_shelf.search("plan", stranger, sections=("Plan",)).nearest == ()
    assert own_shelf.search("What does the Secret say?", stranger).intent.documents == ()


def test_a_taken_back_right_binds_at_once(own_shelf: Shelf) -> None:
    row = own_shelf.put("open.md", "# Open\n\n## 1 Glaze\n\nThe celadon glaze is for everyone.")
    staff = Reader(groups=frozenset({"staff"}))
    assert own_shelf.search("celadon", staff).hits
    key = own_shelf.store.access.register(frozenset({frozenset({"board"})}))
    own_shelf.store.revisions.update(row.doc_id, access=key)  # the nodes still carry the old key
    assert "Open" not in {hit.doc_title for hit in own_shelf.search("celadon", staff).hits}
    assert "Open" in {hit.doc_title for hit in own_shelf.search("celadon").hits}


def test_searches_during_a_reingest_see_the_old_text_or_the_new_one(own_shelf: Shelf) -> None:
    texts = ["# Log\n\n## 1 Entry\n\nThe marker is alpha here.\n", "# Log\n\n## 1 Entry\n\nThe marker is omega here.\n"]
    own_shelf.put("log.md", texts[0])
    seen: list[str] = []
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            seen.append(" ".join(sorted(hit.content for hit in own_shelf.search("what is the marker", documents=("Log",)).hits)))

    watcher = threading.Thread(target=look)
    watcher.start()
    for turn in range(1, 7):
        own_shelf.put("log.md", texts[turn % 2])
    stop.set()
    watcher.join(20)
    assert len(seen) > 5
    assert set(seen) <= {"The marker is alpha here.", "The marker is omega here."}


def test_without_an_embedder_the_words_still_find_and_the_reply_says_so(shelf: Shelf) -> None:
    class Down:
        name, dims, max_tokens = "down", 512, None

        def embed_passages(self, texts: object) -> np.ndarray:
            raise EmbedderUnavailable("down")

        def embed_query(self, text: str) -> np.ndarray:
            raise EmbedderUnavailable("down")

    searcher = Searcher(index=shelf.store.index, access=shelf.store.access, embedder=Down())
    result = searcher.search(SearchRequest(query="celadon cooling the kiln"), OWNER)
    assert result.degraded == ("embedder",)
    assert result.hits[0].title.endswith("Cooling")


def test_the_longest_question_is_still_one_that_elasticsearch_takes(shelf: Shelf) -> None:
    assert shelf.search("茶叶的储存温度" * 285).hits
    assert shelf.search(" ".join(f"word{n}" for n in range(280)) + " kiln").hits


def test_an_empty_store_answers_that_nothing_matches(settings: Settings, tmp_path: Path) -> None:
    with open_shelf(replace_prefix(settings), tmp_path) as empty:
        assert empty.search("anything").reason == "no_match"


def replace_prefix(settings: Settings) -> Settings:
    return settings.model_copy(update={"index_prefix": f"{settings.index_prefix}-empty"})


def test_the_reply_has_every_field_of_the_contract(shelf: Shelf) -> None:
    reply = shelf.search("cooling", explain=True).as_json()
    assert {"intent", "reason", "nearest", "took_ms", "hits"} <= set(reply)
    assert {"kind", "documents", "sections", "excluded"} <= set(reply["intent"])
    assert set(reply["took_ms"]) == {"embed", "search", "fetch", "rerank", "total"}
    wanted = (
        "id doc_id doc_title kind section_path section_key number title content page_start page_end is_fallback "
        "structure_source structure_confidence state score signals"
    )
    assert set(wanted.split()) <= set(reply["hits"][0])


def test_a_signal_switched_off_in_the_settings_has_no_say(shelf: Shelf) -> None:
    searcher = Searcher(index=shelf.store.index, access=shelf.store.access, embedder=shelf.store.embedder, weights={"vector": 0.0})
    hits = searcher.search(SearchRequest(query="cooling the kiln", explain=True), OWNER).hits
    assert hits
    assert all("vector" not in (hit.signals or {}) for hit in hits)
