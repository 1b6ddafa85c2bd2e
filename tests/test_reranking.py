"""Reranking over real HTTP, one vendor shape after the other; whatever the service does, a search answers."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rerank_replies import saying, settings_for
from stub_llm import StubModel, StubReply

from es_mappings.errors import BackendError, DeadlineExceeded, Overloaded, RerankerUnavailable, SettingsError
from es_mappings.settings import read_settings
from service.reranking import open_reranker
from service.reranking.ordering import open_reranking
from service.reranking.replies import scores_of
from service.reranking.shortening import GAP, shortened

QUESTION = "How hot is the glaze firing?"
PASSAGES = ("Wear gloves.", "The glaze firing goes to 1240 degrees.", "Clay comes from Stoke.")


@pytest.fixture
def stub() -> Iterator[StubModel]:
    with StubModel(models=("a-reranker",)) as stub:
        yield stub


def scored(stub: StubModel, kind: str = "endpoint", **more: Any) -> tuple[float | None, ...]:
    reranker = open_reranker(settings_for(stub, kind, **more))
    assert reranker is not None
    return reranker.scores(QUESTION, PASSAGES)


# What each vendor sends, as its reference documents it (docs/decisions/0016-reranking-and-evaluation.md).
VENDORS = {
    "vllm": {
        "id": "rerank-1",
        "model": "a-reranker",
        "usage": {"total_tokens": 56},
        "results": [
            {"index": 1, "document": {"text": PASSAGES[1], "multi_modal": None}, "relevance_score": 0.99},
            {"index": 2, "document": {"text": PASSAGES[2], "multi_modal": None}, "relevance_score": 0.02},
            {"index": 0, "document": {"text": PASSAGES[0], "multi_modal": None}, "relevance_score": 0.01},
        ],
    },
    "jina": {
        "model": "a-reranker",
        "object": "list",
        "usage": {"total_tokens": 56},
        "results": [{"index": i, "relevance_score": s, "document": PASSAGES[i]} for i, s in ((1, 0.99), (2, 0.02), (0, 0.01))],
    },
    "cohere": {
        "id": "07734bd2",
        "results": [{"index": i, "relevance_score": s} for i, s in ((1, 0.99), (2, 0.02), (0, 0.01))],
        "meta": {"api_version": {"version": "2"}, "billed_units": {"search_units": 1}},
    },
}


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_shared_shape_is_read_whoever_sends_it(stub: StubModel, vendor: str) -> None:
    stub.rerank = saying(VENDORS[vendor])
    assert scored(stub, reranker_api_key="k" * 8) == (0.01, 0.99, 0.02)
    path, body = stub.seen[-1]
    assert path == "/v1/rerank"
    assert body == {"model": "a-reranker", "query": QUESTION, "documents": list(PASSAGES), "top_n": 3}
    assert {name.lower(): value for name, value in stub.headers[-1].items()}["authorization"] == f"Bearer {'k' * 8}"


def test_tei_gets_texts_and_its_bare_list_is_read(stub: StubModel) -> None:
    stub.rerank = saying([{"index": 1, "score": 4.2}, {"index": 0, "score": -3}, {"index": 2, "score": -5.5}])
    assert scored(stub, "tei") == (-3, 4.2, -5.5)
    assert stub.seen == [("/rerank", {"query": QUESTION, "texts": list(PASSAGES), "raw_scores": True, "truncate": True})]


def test_tei_is_never_sent_more_texts_than_it_takes_and_the_scores_come_back_in_order(stub: StubModel) -> None:
    def lengths(body: dict[str, Any]) -> StubReply:
        return StubReply(raw=json.dumps([{"index": i, "score": len(text)} for i, text in enumerate(body["texts"])]).encode())

    stub.rerank = lengths
    reranker = open_reranker(settings_for(stub, "tei"))
    assert reranker is not None
    assert reranker.scores(QUESTION, ["x" * n for n in range(1, 71)]) == tuple(range(1, 71))
    assert [len(body["texts"]) for _, body in stub.seen] == [32, 32, 6]


def test_what_a_service_leaves_out_is_not_judged(stub: StubModel) -> None:
    stub.rerank = saying({"results": [{"index": 2, "relevance_score": 0.5}]})
    assert scored(stub) == (None, None, 0.5)


@pytest.mark.parametrize(
    "value",
    [
        {"results": [{"index": 3, "relevance_score": 0.5}]},
        {"results": [{"index": -1, "relevance_score": 0.5}]},
        {"results": [{"index": 0, "relevance_score": 0.5}, {"index": 0, "relevance_score": 0.4}]},
        {"results": [{"index": "0", "relevance_score": 0.5}]},
        {"results": [{"index": True, "relevance_score": 0.5}]},
        {"results": [{"index": 0, "relevance_score": "high"}]},
        {"results": [{"index": 0, "relevance_score": None}]},
        {"results": [{"index": 0}]},
        {"results": ["first"]},
        {"results": {"0": 0.5}},
        {"data": "none"},
        {},
        [],
        None,
        "ready",
    ],
)
def test_a_reply_of_another_shape_is_a_named_error_or_judges_nothing(stub: StubModel, value: object) -> None:
    stub.rerank = saying(value)
    if value == []:
        assert scored(stub) == (None, None, None)
        return
    with pytest.raises(RerankerUnavailable) as caught:
        scored(stub)
    assert not any(text in caught.value.message for text in (QUESTION, *PASSAGES))


fields = st.sampled_from(["results", "index", "score", "relevance_score"])
leaves = st.none() | st.booleans() | st.floats() | st.integers() | st.text()


@given(st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(fields, inner)))
def test_no_json_value_whatever_breaks_the_reading(value: object) -> None:
    try:
        scores = scores_of(value, 2)
    except RerankerUnavailable:
        return
    assert len(scores) == 2


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (StubReply(status=500), RerankerUnavailable),
        (StubReply(status=401), RerankerUnavailable),
        (StubReply(status=404), RerankerUnavailable),
        (StubReply(status=422), RerankerUnavailable),
        (StubReply(status=429, headers={"Retry-After": "60"}), Overloaded),
        (StubReply(raw=b"<html>busy</html>", content_type="text/html"), RerankerUnavailable),
        (StubReply(raw=b'{"results": [', content_type="application/json"), RerankerUnavailable),
        (StubReply(raw=b'{"results": []}', break_after=5), RerankerUnavailable),
        (StubReply(raw=b"[]", delay=1.5), DeadlineExceeded),
        (StubReply(raw=b'{"results": []}' + b" " * 30, piece_delay=0.1), DeadlineExceeded),
    ],
)
def test_each_way_to_fail_has_its_error(stub: StubModel, reply: StubReply, error: type[BackendError]) -> None:
    stub.rerank = lambda body: reply
    with pytest.raises(error):
        scored(stub, reranker_seconds=0.5, reranker_model="m")


def test_nobody_there_is_said_at_once() -> None:
    reranker = open_reranker(read_settings(reranker="endpoint", reranker_base_url="http://127.0.0.1:9/v1", reranker_model="m"))
    assert reranker is not None
    with pytest.raises(RerankerUnavailable, match="cannot be reached"):
        reranker.scores(QUESTION, PASSAGES)


@pytest.mark.parametrize("value", ["unknown", "endpoint", "tei", "transformers:", "transformers:/nowhere"])
def test_a_reranker_that_cannot_be_is_refused_with_what_to_do(value: str) -> None:
    with pytest.raises(SettingsError, match="SECTIONARY_RERANKER"):
        open_reranker(read_settings(reranker=value))


def test_without_a_setting_nothing_is_reranked() -> None:
    assert open_reranking(read_settings()) is None


@given(st.text("ab 一二.", max_size=300), st.integers(0, 80))
def test_a_long_passage_keeps_both_ends_within_the_limit(text: str, limit: int) -> None:
    short = shortened(text, limit, len)
    assert len(short) <= limit
    if len(text) <= limit:
        assert short == text
    elif short:
        head, _, tail = short.partition(GAP)
        assert text.startswith(head)
        assert text.endswith(tail)
        assert len(short) == limit


def test_a_passage_beyond_the_limit_is_shortened_before_it_is_sent(stub: StubModel) -> None:
    stub.rerank = saying({"results": []})
    reranker = open_reranker(settings_for(stub, reranker_passage_tokens=64))
    assert reranker is not None
    reranker.scores(QUESTION, ["First words. " + "middle " * 500 + "last words.", "short"])
    long, short = stub.seen[-1][1]["documents"]
    assert long.startswith("First words.")
    assert long.endswith("last words.")
    assert GAP in long
    assert short == "short"
