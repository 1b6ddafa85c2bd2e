"""From outcomes to figures, comparisons, and the page: pure, and the page needs nothing but itself."""

import json
import re
from html.parser import HTMLParser
from typing import Any

from service.evaluation.fates import FATES, counted, fate
from service.evaluation.figures import Key, Replied, budgets_within, depths_within, parts_of
from service.evaluation.gold import Found, GoldQuote, GoldSection
from service.evaluation.labels import FATE_WORDS, TYPE_WORDS, headlines, words_of
from service.evaluation.page import page
from service.evaluation.plots import Curve, Point, curves, whisker
from service.evaluation.report import compared, figures_of, reported
from service.models.evaluation import EvaluationReply, Outcome

NASTY = '<script>alert("x")</script> & more'


def outcome(line: int, **more: Any) -> Outcome:
    values: dict[str, Any] = {
        "id": str(line), "line": line, "type": "local", "question": f"question {line}", "unanswerable": False, "error": None,
        "abstained": False, "reason": None, "ranks": [1], "packed": [True], "used": 100, "answer": "An answer.", "cited": [1],
        "unsupported": [], "search_ms": 3.0, "answer_ms": 9.0, "degraded": [], "parts": {"hit@1": (1.0, 1.0)},
    }  # fmt: skip
    return Outcome(**(values | more))


def run(outcomes: list[Outcome], **more: Any) -> EvaluationReply:
    given: dict[str, Any] = {"file": "set.jsonl", "questions": len(outcomes), "settings": {"strategy": "auto", "size": 10}}
    return reported(outcomes, **(given | more))


def test_a_question_adds_exactly_to_the_figures_that_it_concerns() -> None:
    hit = Found(text="The oil lasts 900 hours.", tokens=7, section_keys=("d/1",))
    replied = Replied(hits=(hit,), passages={1: hit}, answer="It lasts 900 hours. [1]", sentences=(("The oil lasts 900 hours.", (1,)),))
    by_section = parts_of(Key(golds=(GoldSection(("d/1",)),)), replied, size=10, budget=500)
    assert {"hit@1", "hit@10", "recall@10", "mrr@10", "recall@250t", "recall@500t", "packed_recall", "false_refusals"} <= set(by_section)
    assert not {"token_iou", "answer_found", "abstention_recall", "abstention_precision"} & set(by_section)
    assert by_section["citation_precision"] == by_section["groundedness"] == (1.0, 1.0)
    with_quote = parts_of(Key(golds=(GoldQuote("oil lasts"),), quotes=("oil lasts",), answers=("900 hours",)), replied, size=5, budget=500)
    assert {"token_iou", "answer_found", "answer_f1", "evidence_words", "mrr@5"} <= set(with_quote)
    refused = parts_of(Key(golds=(GoldSection(("d/1",)),), answers=("900",)), Replied(abstained=True), size=10, budget=500)
    assert refused["abstention_precision"] == (0.0, 1.0)
    assert refused["false_refusals"] == (1.0, 1.0)
    assert refused["packed_recall"] == refused["answer_found"] == (0.0, 1.0)
    assert "groundedness" not in refused
    unanswerable = parts_of(Key(golds=(), unanswerable=True), Replied(abstained=True), size=10, budget=500)
    assert unanswerable == {"abstention_precision": (1.0, 1.0), "abstention_recall": (1.0, 1.0)}


def test_depths_and_budgets_end_at_what_was_asked_for() -> None:
    assert depths_within(10) == (1, 3, 5, 10)
    assert depths_within(7) == (1, 3, 5, 7)
    assert depths_within(1) == (1,)
    assert budgets_within(1300) == (250, 500, 1000, 1300)
    assert budgets_within(250) == (250,)


def test_figures_are_over_all_questions_and_over_each_type() -> None:
    mixed = [outcome(1), outcome(2, type="overview", parts={"hit@1": (0.0, 1.0)}), outcome(3, error="model_unavailable", parts={})]
    found = {(figure.name, figure.type): figure for figure in figures_of(mixed)}
    assert {key: (figure.value, figure.questions) for key, figure in found.items()} == {
        ("hit@1", "all"): (0.5, 2),
        ("hit@1", "local"): (1.0, 1),
        ("hit@1", "overview"): (0.0, 1),
    }
    assert {figure.type for figure in figures_of([outcome(1), outcome(2)])} == {"all"}


def test_a_run_compared_with_itself_differs_nowhere() -> None:
    once = run([outcome(n, parts={"hit@1": (n % 2, 1.0)}) for n in range(1, 9)])
    comparison = compared(once.outcomes, "same.json", once)
    assert [(change.value, change.low, change.high, change.is_clear) for change in comparison.changes] == [(0, 0, 0, False)]
    assert (comparison.only_here, comparison.only_there) == (0, 0)


def test_only_questions_of_both_runs_are_compared() -> None:
    before = run([outcome(n, parts={"hit@1": (0.0, 1.0)}) for n in range(1, 30)])
    changed = outcome(5, question="reworded")
    now = [outcome(n) for n in range(3, 33) if n != 5] + [changed, outcome(40, error="model_unavailable", parts={})]
    comparison = compared(now, "before.json", before)
    (change,) = comparison.changes
    assert (change.value, change.questions, change.is_clear) == (1.0, 26, True)
    assert (comparison.only_here, comparison.only_there) == (4, 3)


def test_a_report_survives_its_own_json() -> None:
    report = run([outcome(1, ranks=[None, 3], packed=[False, True])], other=("o.json", run([outcome(1)])))
    assert EvaluationReply.model_validate_json(json.dumps(report.model_dump(mode="json"))) == report


def test_every_question_has_one_fate_with_words() -> None:
    cases = [
        outcome(1), outcome(2, packed=[True, False]), outcome(3, packed=[False]), outcome(4, abstained=True, packed=[False]),
        outcome(5, unanswerable=True, abstained=True, packed=[]), outcome(6, unanswerable=True, packed=[]), outcome(7, error="x"),
    ]  # fmt: skip
    assert [fate(one) for one in cases] == ["found", "part", "missed", "refused", "rightly_refused", "not_refused", "failed"]
    assert set(FATES) == set(FATE_WORDS)
    assert counted([*cases, outcome(8)])[0] == ("found", 2)


def test_every_figure_has_words_in_both_languages_and_a_place() -> None:
    names = list(parts_of(Key(golds=(GoldQuote("a"),), quotes=("a",), answers=("a",)), Replied(), size=20, budget=9000))
    names += ["abstention_recall", "abstention_precision", "citation_precision", "groundedness"]
    for name in names:
        assert words_of(name).en != name
        assert re.search("[一-龥]", words_of(name).zh)
    shown = [name for _, group in headlines(names) for name in group]
    assert len(shown) == len(set(shown))
    series = {name for name in names if re.fullmatch(r"(hit|recall|mrr)@\d+t?", name)}
    assert set(shown) >= set(names) - series
    assert {"hit@1", "hit@20", "recall@20", "recall@9000t"} <= set(shown)


class _Page(HTMLParser):
    """Counts open tags and collects what a page would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.scripts = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "data")]
        self.scripts += tag == "script"
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def whole_report() -> EvaluationReply:
    names = ("hit@1", "hit@10", "recall@1", "recall@10", "mrr@10", "recall@250t", "recall@4000t", "packed_recall")
    nasty = outcome(1, parts=dict.fromkeys(names, (0.5, 1.0)), question=NASTY, answer=NASTY, unsupported=[NASTY], reason=NASTY)
    plain = outcome(2, parts=nasty.parts, type="overview")
    return run([nasty, plain], file=NASTY, settings={"strategy": NASTY}, questions=3, other=(NASTY, run([plain])))


def test_the_page_is_well_formed_loads_nothing_and_escapes_what_it_shows() -> None:
    text = page(whole_report())
    read = _Page(text)
    assert read.open == []
    assert read.loads == []
    assert read.scripts == 1, "the one that chooses the language"
    assert "alert(" not in re.sub(r"&lt;script&gt;alert\(", "", text)
    assert "url(" not in text
    assert "@import" not in text
    for words in (TYPE_WORDS["all"], TYPE_WORDS["local"], TYPE_WORDS["overview"], FATE_WORDS["found"]):
        assert words.en in text
        assert words.zh in text
    assert "Stopped after 2 of 3" in text


def test_a_run_of_nothing_still_gives_a_page() -> None:
    assert _Page(page(run([], questions=4))).open == []


def test_drawings_stay_inside_and_name_numbers_only() -> None:
    drawing = whisker(1.4, -0.5, 2, "all")
    assert '<line class="interval" x1="0.00%" x2="100.00%"' in drawing
    assert '<circle cx="100.00%"' in drawing
    assert 'x1="50.00%"' in whisker(0.1, -0.2, 0.2, "change", span=(-0.2, 0.2), zero=True)
    points = tuple(Point(at=at, value=at / 10, low=0, high=1) for at in (1, 3, 10))
    drawn = curves([Curve(kind="all", points=points, with_band=True)])
    assert all(0 <= float(found) <= 100 for found in re.findall(r'c[xy]="([\d.]+)%"', drawn))
    assert not re.search("[A-Za-z]{3,}", re.sub(r"<[^>]*>", "", drawn))
