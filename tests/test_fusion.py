"""Fusion and scope, pure: evidence adds up, order is stable, and no filter can be forgotten."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.fusion import FOREIGN_SHARE, Leg, LegHit, fuse, script_of
from service.scope import ALL_KINDS, Scope, search_body
from service.signals import Match, Nearest, Question, SectionPlace, signals

NEAREST = Nearest(vector=(1.0, 0.0), k=5, candidates=10)
MATCH = Match(query={"match_all": {}})
scores = st.lists(st.floats(0.01, 100), max_size=30).map(lambda values: sorted(values, reverse=True))


def leg(name: str, scale: str, weight: float, values: list[float], *, full: bool = False, language: str | None = None) -> Leg:
    hits = tuple(LegHit(id=f"{i}", score=value, doc_id="d", ordinal=i, language=language) for i, value in enumerate(values))
    return Leg(name=name, scale=scale, weight=weight, hits=hits, is_full=full)  # type: ignore[arg-type]


@settings(deadline=None)
@given(scores, scores)
def test_a_score_is_the_sum_of_the_evidence_and_orders_the_hits(words: list[float], meaning: list[float]) -> None:
    ranked = fuse([leg("lexical", "score", 1, words), leg("vector", "range", 12, meaning)], "a question")
    assert {one.hit.id for one in ranked} == {str(i) for i in range(max(len(words), len(meaning)))}
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    for one in ranked:
        assert one.score == pytest.approx(sum(evidence.evidence for evidence in one.signals.values()))
        assert all(evidence.evidence >= 0 for evidence in one.signals.values())


@settings(deadline=None)
@given(scores)
def test_one_leg_alone_keeps_its_order(values: list[float]) -> None:
    for scale in ("score", "range", "top", "rank"):
        assert [one.hit.id for one in fuse([leg("a", scale, 2, values)], "q")] == [str(i) for i in range(len(values))]


@settings(deadline=None)
@given(scores, scores, st.integers(0, 40))
def test_the_first_few_are_the_first_of_all_with_all_that_the_legs_said(words: list[float], meaning: list[float], most: int) -> None:
    legs = [leg("lexical", "score", 1, words), leg("vector", "range", 12, meaning)]
    assert fuse(legs, "a question", most) == fuse(legs, "a question")[:most]


def test_ties_go_by_document_then_reading_order_then_id() -> None:
    hits = [LegHit(id=i, score=1, doc_id=d, ordinal=o) for i, d, o in (("x", "b", 0), ("z", "a", 1), ("y", "a", 1), ("w", "a", 0))]
    ranked = fuse([Leg(name="a", scale="score", weight=1, hits=tuple(hits))], "q")
    assert [one.hit.id for one in ranked] == ["w", "y", "z", "x"]


def test_a_clear_lead_in_words_is_not_overturned_by_vectors() -> None:
    words = Leg(name="lexical", scale="score", weight=1, hits=(LegHit(id="a", score=60), LegHit(id="b", score=30)))
    meaning = Leg(name="vector", scale="range", weight=12, hits=(LegHit(id="b", score=0.9), LegHit(id="a", score=0.7)))
    assert fuse([words, meaning], "q")[0].hit.id == "a"


def test_a_narrow_lead_in_words_is_overturned_by_a_clear_one_in_meaning() -> None:
    words = Leg(name="lexical", scale="score", weight=1, hits=(LegHit(id="a", score=12), LegHit(id="b", score=11)))
    many = tuple(LegHit(id=f"c{i}", score=0.5) for i in range(20))
    meaning = Leg(name="vector", scale="range", weight=12, hits=(LegHit(id="b", score=0.9), *many))
    assert fuse([words, meaning], "q")[0].hit.id == "b"
    exact = Leg(name="exact", scale="whole", weight=0, hits=(LegHit(id="a", score=1),))
    assert fuse([words, meaning, exact], "q")[0].hit.id == "a", "a keyword is decided by its words"


def test_shared_words_across_scripts_count_little() -> None:
    words = leg("lexical", "score", 1, [50, 40], language="zh")
    assert fuse([words], "how does ownership work")[0].score == pytest.approx(50 * FOREIGN_SHARE)
    assert fuse([words], "所有权如何工作")[0].score == 50
    assert fuse([leg("lexical", "score", 1, [50])], "how")[0].score == 50, "an unknown language is no foreign one"


def test_a_leg_that_was_cut_off_counts_from_its_floor() -> None:
    words = leg("lexical", "score", 1, [30, 21, 20], full=True)
    assert [one.score for one in fuse([words], "q")] == [10, 1, 0]


@pytest.mark.parametrize(("text", "script"), [("第三章 retries", "han"), ("what is cargo", "other"), ("12 + 4", None), ("", None)])
def test_the_script_of_a_question(text: str, script: str | None) -> None:
    assert script_of(text) == script


FULL = Scope(
    access=("public", "k1"),
    collection="shelf",
    documents=("d1",),
    places=(SectionPlace(doc_id="d1", key="d1/00003"),),
    labels=("chapter 4",),
    without_places=(SectionPlace(doc_id="d1", key="d1/00003/00002"),),
    without_labels=("appendix a",),
    pinned=(("d1", "r0"),),
)


def filters_of(body: dict[str, object]) -> object:
    if "knn" in body:
        return body["knn"]["filter"]  # type: ignore[index]
    query = body["query"]["bool"]  # type: ignore[index]
    return [item for item in query["filter"] if item != MATCH.query]


@pytest.mark.parametrize("scope", [FULL, Scope(access=None), Scope(access=("public",)), Scope(access=None, labels=("x",), places=())])
def test_both_legs_get_the_very_same_filters(scope: Scope) -> None:
    bodies = [search_body(scope, clause, 5) for clause in (NEAREST, MATCH, Match(query={"match_all": {}}, in_order=True))]
    assert filters_of(bodies[0]) == filters_of(bodies[1]) == filters_of(bodies[2])
    assert len(filters_of(bodies[0])) >= 2  # type: ignore[arg-type]


def test_every_part_of_a_scope_is_in_the_filter() -> None:
    text = str(filters_of(search_body(FULL, NEAREST, 5)))
    for part in ("'public', 'k1'", "shelf", "d1/00003'", "chapter 4", "d1/00003/00002", "appendix a", "r0", "token_count"):
        assert part in text


def test_the_owner_has_no_access_filter_and_a_stranger_an_empty_one() -> None:
    assert "access" not in str(search_body(Scope(access=None), MATCH, 5)["query"])
    assert {"terms": {"access": []}} in filters_of(search_body(Scope(access=()), MATCH, 5))  # type: ignore[operator]


def test_a_place_that_is_none_matches_nothing() -> None:
    assert {"match_none": {}} in filters_of(search_body(Scope(access=None, places=()), MATCH, 5))  # type: ignore[operator]


@settings(deadline=None)
@given(st.text(max_size=300), st.sampled_from(["plain", "section", "overview", "comparison", "reference"]))
def test_no_question_becomes_anything_but_a_value_in_an_allowed_query(text: str, kind: str) -> None:
    allowed = {"bool", "multi_match", "match_all", "match", "terms", "term", "constant_score", "dis_max"}
    place = SectionPlace(doc_id="d", key="d/00001")
    question = Question(text=text, kind=kind, vector=(1.0,), depth=10, labels=("chapter 1",), places=(place,))  # type: ignore[arg-type]
    for signal in signals():
        clause = signal.clause(question)
        if isinstance(clause, Match):
            assert set(clause.query) <= allowed
        elif clause is not None:
            assert clause.k <= clause.candidates


def test_kinds_in_scope_can_be_overridden_by_a_clause_only() -> None:
    body = search_body(Scope(access=None, kinds=("chunk",)), Match(query={"match_all": {}}, kinds=("document",)), 5)
    assert {"terms": {"kind": ["document"]}} in filters_of(body)  # type: ignore[operator]
    assert len(ALL_KINDS) == 4
