"""A search with a reranker: its order where it judges, the fused one elsewhere and when it fails, and nothing seen that may not be."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bookshelf import Shelf, filled_shelf, open_shelf
from rerank_replies import saying, settings_for, upside_down
from stub_llm import StubModel, StubReply

from es_mappings.access import OWNER, Reader
from es_mappings.settings import Settings, read_settings
from service.checks.models import examine
from service.reranking.ordering import Reranking, open_reranking
from service.results import SearchResult
from service.searching import Searcher, SearchRequest


@pytest.fixture(scope="module")
def shelf(node_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    with filled_shelf(node_url, tmp_path_factory.mktemp("shelf")) as shelf:
        yield shelf


@pytest.fixture
def stub() -> Iterator[StubModel]:
    with StubModel(models=("a-reranker",)) as stub:
        yield stub


def search(shelf: Shelf, reranking: Reranking | None, reader: Reader = OWNER, **options: Any) -> SearchResult:
    searcher = Searcher(index=shelf.store.index, access=shelf.store.access, embedder=shelf.store.embedder, reranking=reranking)
    return searcher.search(SearchRequest(query="cooling and firing the kiln", **options), reader)


def test_the_best_hits_come_in_the_reranker_s_order_with_scores_that_fall(shelf: Shelf, stub: StubModel) -> None:
    plain = search(shelf, None, size=8)
    stub.rerank = upside_down
    turned = search(shelf, open_reranking(settings_for(stub, reranker_depth=5)), size=8, explain=True)
    assert [hit.id for hit in turned.hits] == [hit.id for hit in (*plain.hits[4::-1], *plain.hits[5:])]
    assert [hit.score for hit in turned.hits] == pytest.approx([hit.score for hit in plain.hits])
    told = [hit.as_json()["signals"].get("reranker") for hit in turned.hits]
    assert told == [{"rank": rank, "score": round((5 - rank) / 5, 4)} for rank in range(1, 6)] + [None] * (len(plain.hits) - 5)
    assert turned.degraded == ()
    assert turned.took.rerank > 0


def test_more_hits_are_reranked_than_asked_for_so_that_better_ones_come_up(shelf: Shelf, stub: StubModel) -> None:
    plain = search(shelf, None, size=6)
    stub.rerank = upside_down
    assert [hit.id for hit in search(shelf, open_reranking(settings_for(stub, reranker_depth=6)), size=2).hits] == [
        plain.hits[5].id,
        plain.hits[4].id,
    ]
    documents = stub.seen[-1][1]["documents"]
    assert len(documents) == 6
    assert all(document.startswith(plain.hits[i].doc_title) for i, document in enumerate(documents)), "headings are judged with the text"


def test_unjudged_hits_follow_in_the_fused_order(shelf: Shelf, stub: StubModel) -> None:
    plain = [hit.id for hit in search(shelf, None, size=6).hits]
    stub.rerank = saying({"results": [{"index": 4, "relevance_score": 0.1}]})
    found = search(shelf, open_reranking(settings_for(stub)), size=6)
    assert [hit.id for hit in found.hits] == [plain[4], *plain[:4], plain[5]]


@pytest.mark.parametrize(
    "reply",
    [
        StubReply(status=500),
        StubReply(raw=b"[]", delay=1.5),
        StubReply(raw=b"no json"),
        StubReply(raw=b'[{"index": 99, "score": 1}]'),
    ],
)
def test_when_the_reranker_fails_the_fused_order_stays_and_the_reply_says_so(shelf: Shelf, stub: StubModel, reply: StubReply) -> None:
    stub.rerank = lambda body: reply
    found = search(shelf, open_reranking(settings_for(stub, reranker_seconds=0.5)))
    assert found.hits == search(shelf, None).hits
    assert found.as_json()["degraded"] == ["reranker"]


def test_a_place_alone_is_not_reranked(shelf: Shelf, stub: StubModel) -> None:
    searcher = Searcher(
        index=shelf.store.index, access=shelf.store.access, embedder=shelf.store.embedder, reranking=open_reranking(settings_for(stub))
    )
    found = searcher.search(SearchRequest(query="chapter 3"), OWNER)
    assert found.hits
    assert stub.seen == []


def test_no_text_that_the_reader_may_not_see_leaves_the_house(settings: Settings, tmp_path: Path, stub: StubModel) -> None:
    stub.rerank = upside_down
    with open_shelf(settings, tmp_path) as shelf:
        shelf.put("open.md", "# Open\n\n## 1 Kiln\n\nFiring the kiln in the open.\n\n## 2 Yard\n\nCooling in the yard.\n")
        shelf.put("closed.md", "# Closed\n\n## 1 Kiln\n\nThe secret of cooling and firing the kiln.\n", groups=("staff",))
        search(shelf, open_reranking(settings_for(stub)), Reader(groups=frozenset()))
        sent = [document for path, body in stub.seen if path.endswith("/rerank") for document in body["documents"]]
        assert len(sent) == 2
        assert not any("secret" in document for document in sent)


def test_the_doctor_tries_the_reranker(stub: StubModel) -> None:
    def check(settings: Settings) -> tuple[str, str]:
        return next((check.state, check.message) for check in examine(settings) if check.name == "reranker")

    assert check(read_settings())[0] == "ok"
    stub.rerank = upside_down
    assert check(settings_for(stub)) == ("ok", "endpoint:a-reranker answers")
    stub.rerank = saying({"results": [{"index": 0, "relevance_score": 1}]})
    assert check(settings_for(stub))[0] == "warn"
    stub.rerank = saying({"results": 7})
    assert check(settings_for(stub))[0] == "fail"
