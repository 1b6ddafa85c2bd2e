"""The checks of statements: figures, names, denials and exceptions are found, and a summary is held to its source by them."""

import json
from pathlib import Path

import pytest
from planted_facts import Planted, planted_book, summary_text

from ingest.claims.evidence import Evidence
from ingest.claims.figures import figures
from ingest.claims.names import names
from ingest.claims.polarity import clauses, denies, excepted_part, excepts
from ingest.claims.statements import key_points, statements
from ingest.claims.support import missing, unsupported
from ingest.claims.wording import content_terms, stem

DATA = Path(__file__).parents[1].parent / "shared" / "data"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 %, three percent and 百分之三", [("3", "%")] * 3),
        ("It cost $4.5 million, or 4,500,000 dollars.", [("4500000", "USD")] * 2),
        ("twenty-one days, 21 days, 二十一天", [("21", "day")] * 3),
        ("two hundred and five men against a dozen", [("205", ""), ("12", "")]),
        ("at 14:30 on 2019-03-12 with version 1.2.3", [("14:30", ""), ("2019-03-12", ""), ("1.2.3", "")]),
        ("约两万三千人，10.5万吨，2,500元", [("23000", ""), ("105000", "t"), ("2500", "CNY")]),
        ("二十五个百分点", [("25", "pp")]),
        ("three months ago two eight-foot doors", [("3", "month"), ("2", ""), ("8", "foot")]),
    ],
)
def test_figures_are_read_with_their_units(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(figure.value, figure.unit) for figure in figures(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "See section 3.2 and Figure 4 [12].",
        "1. First\n2) Second",
        "见第三章第2节和图 5",
        "one of them, 一些人",
        "https://x.org/a/17/b3.html",
    ],
)
def test_numbers_that_only_point_somewhere_are_no_figures(text: str) -> None:
    assert figures(text) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The plan was signed by Marguerite Duvall of the Ministry of Health.", {"Marguerite Duvall", "Ministry of Health"}),
        ("Temperature rises in March. Nothing else happens on Sundays.", set()),
        ("The X-200 and the iPhone came from NASA.", {"X-200", "iPhone", "NASA"}),
        ("送到灯塔的油桶一律由冯建平签收，见《红楼梦》。", {"冯建平", "红楼梦"}),
        ("清晨安静，阳光透过窗户，高度合适，方法简单。", set()),
        ("As Chapter 3 says, Bob’s house stands in Leeds.", {"Bob", "Leeds"}),
    ],
)
def test_names_are_told_from_other_words(text: str, expected: set[str]) -> None:
    assert set(names(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The pump does not run.", True),
        ("It is not impossible.", False),
        ("Not only Ada came.", False),
        ("No valve may be opened.", True),
        ("不得单独搬运。", True),
        ("这是不同的方法。", False),
        ("不仅便宜，而且好用。", False),
        ("无法重复使用。", True),
        ("The pump runs.", False),
    ],
)
def test_denials_are_told_from_what_looks_like_one(text: str, expected: bool) -> None:
    assert denies(text) is expected


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("All staff must badge in, except contractors from Orbis.", "contractors from Orbis."),
        ("Nobody enters unless the keeper is present.", "the keeper is present."),
        ("除周一外每天开放。", "周一"), ("每天开放，周一除外。", "周一"), ("除非主任同意，不得进入。", "主任同意"), ("It opens daily.", ""),
    ],
)  # fmt: skip
def test_exceptions_are_found_with_what_they_take_out(text: str, part: str) -> None:
    assert (excepts(text), excepted_part(text)) == (bool(part), part)


def test_words_are_alike_in_their_inflections_and_free_of_polarity() -> None:
    assert stem("approve") == stem("approved") == stem("approval")
    assert content_terms("The pump does not run") == content_terms("the pumps run")
    assert content_terms("不保存日志") == content_terms("保存日志")
    assert clauses("It runs, but it does not stop") == ["It runs", "but it does not stop"]


def judged(book: list[Planted], language: str) -> dict[str, tuple[int, int, int]]:
    """(found and right, found and wrong, not found) of both checks."""
    source = Evidence(statements([planted.text for planted in book]))
    summary = statements([summary_text(book, language)])
    lost = {i for i, planted in enumerate(book) if planted.state in ("deleted", "distorted")}
    reported = {gap.section for gap in missing(summary, source)}
    wrong = {planted.said for planted in book if planted.state == "distorted"}
    doubted = {fault.sentence for fault in unsupported(summary, source)}
    return {
        "missing": (len(lost & reported), len(reported - lost), len(lost - reported)),
        "unsupported": (len(wrong & doubted), len(doubted - wrong), len(wrong - doubted)),
    }


@pytest.mark.parametrize("language", ["en", "zh"])
def test_both_checks_reach_095_on_planted_facts(language: str) -> None:
    totals = {"missing": [0, 0, 0], "unsupported": [0, 0, 0]}
    for seed in range(8):
        for check, counts in judged(planted_book(language, seed), language).items():
            totals[check] = [a + b for a, b in zip(totals[check], counts, strict=True)]
    for right, wrong, unseen in totals.values():
        assert right / (right + wrong) >= 0.95
        assert right / (right + unseen) >= 0.95


def test_a_number_that_belongs_to_another_section_is_not_supported() -> None:
    source = Evidence(statements(["The lamp at Ashby burns for 17 days.", "The lamp at Corley burns for 42 days."]))
    summary = statements(["The lamp at Ashby burns for 42 days. The lamp at Corley burns for 42 days."])
    assert [(fault.reason, fault.value) for fault in unsupported(summary, source)] == [("number", "42 days")]
    assert [gap.section for gap in missing(summary, source)] == [0]


def test_a_sentence_that_joins_two_sections_is_supported() -> None:
    source = Evidence(statements(["The lamp at Ashby burns for 17 days.", "The kiln at Corley was built by Ines Ferreira."]))
    summary = statements(["Ashby has a lamp that burns 17 days, and Corley a kiln built by Ines Ferreira."])
    assert unsupported(summary, source) == ()
    assert missing(summary, source) == ()


def test_a_pronoun_may_stand_for_the_name_before_it() -> None:
    source = Evidence(statements(["Ada Lovelace came to Ockham in 1842. There she wrote notes on the engine of a friend."]))
    assert unsupported(statements(["Ada Lovelace wrote notes on the engine of a friend."]), source) == ()
    assert unsupported(statements(["Mary Somerville wrote notes on the engine of a friend."]), source)[0].reason == "name"


def test_a_sentence_about_something_else_is_not_supported() -> None:
    source = Evidence(statements(["The lamp at Ashby burns for days. Its keeper lives below it."]))
    assert unsupported(statements(["Penguins migrate across frozen oceans."]), source)[0].reason == "content"


def test_points_that_a_reader_would_miss_most_weigh_most() -> None:
    points = key_points(statements(["The fee is 30 euros. The fee is not large. Two doors stand open."]))
    weights = {point.value: point.weight for point in points}
    assert weights["30 euros"] > weights["The fee is not large."]
    assert weights["30 euros"] > weights["Two"]


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not on this machine")
def test_sentences_copied_from_real_texts_are_never_doubted() -> None:
    texts = [(DATA / f"md/rust-book-{language}/src/ch04-01-what-is-ownership.md").read_text("utf-8") for language in ("en", "zh")]
    line = (DATA / "qa/squality-v1-3-dev.jsonl").read_text("utf-8").splitlines()[0]
    for text in (*texts, json.loads(line)["document"]):
        found = statements([text])
        assert unsupported(found[::5], Evidence(found)) == ()
