"""Where a returned text lies in its document: what the figures of `scripts/bench answers` are counted with."""

import json
from pathlib import Path

import pytest
from _answer_sets import LABELS, SETS, load_set
from _answer_spans import Span, covered, length, located, span_of
from _answer_systems import Passage, within

from es_mappings.tokens import count_tokens

SHARED = Path(__file__).parents[1].parent / "shared" / "data"
TEXT = "# One\n\nThe *first* line stands here, with `code`.\n\n# Two\n\nAnother line follows the first one, and ends."


def test_a_passage_is_found_whatever_became_of_its_marks() -> None:
    (span,) = located("d", TEXT, "The first line stands here, with code.")
    assert TEXT[span.start : span.end] == "The *first* line stands here, with `code"


def test_lines_are_found_apart_when_the_whole_is_not() -> None:
    found = located("d", TEXT, "The first line stands here, with code.\nNot in the text at all, never.\nAnother line follows the first one")
    assert [TEXT[span.start : span.start + 7] for span in found] == ["The *fi", "Another"]


def test_a_short_line_is_not_guessed() -> None:
    assert located("d", TEXT, "nowhere to be seen in this text\nOne") == []


def test_characters_are_counted_once() -> None:
    gold = [Span(source="d", start=0, end=10), Span(source="d", start=5, end=15), Span(source="e", start=0, end=4)]
    assert length(gold) == 19
    assert covered(gold, [Span(source="d", start=8, end=30), Span(source="d", start=8, end=12), Span(source="f", start=0, end=9)]) == 7


def test_a_quote_reaches_from_its_first_to_its_last_words() -> None:
    span = span_of("d", TEXT, "first line", "with code")
    assert TEXT[span.start : span.end] == "first* line stands here, with `code"
    with pytest.raises(ValueError, match="not found"):
        span_of("d", TEXT, "absent", "words")


def test_peers_never_get_more_than_the_budget() -> None:
    passages = [Passage(source="d", text=text) for text in ("one two three", "a much longer piece of text than the rest of it", "four")]
    kept = within(passages, count_tokens("one two three") + count_tokens("four"))
    assert [passage.text for passage in kept] == ["one two three", "four"]


def test_sixty_questions_are_labelled_each_once() -> None:
    labels = json.loads(LABELS.read_text("utf-8"))
    assert len({(label["story"], label["question"]) for label in labels}) == len(labels) == 60


@pytest.mark.parametrize("name", ["quality", "chroma", "policyqa"])
def test_gold_lies_in_its_source_and_halves_share_no_question(name: str) -> None:
    if not SHARED.exists():
        pytest.skip("the shared data is not here")
    tested = load_set(name, SHARED)
    texts = {source.name: source.text for source in tested.sources}
    assert name in SETS
    for one in (*tested.dev, *tested.report):
        assert one.gold
        assert all(0 <= span.start < span.end <= len(texts[span.source]) for span in one.gold)
    assert not {(one.text, one.group) for one in tested.dev} & {(one.text, one.group) for one in tested.report}
