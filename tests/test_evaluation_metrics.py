"""The metrics of an evaluation, pure: their bounds, what they must equal, and what may only make them larger."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from es_mappings.tokens import count_tokens
from service.evaluation.gold import Found, GoldAnswer, GoldQuote, GoldSection, Ranks, holds, ranks_of
from service.evaluation.grounding import citation_precision, groundedness
from service.evaluation.overlap import overlap
from service.evaluation.quotes import LEAST_PIECE, covered, folded, spans_of
from service.evaluation.refusals import abstention_precision, abstention_recall, false_refusals
from service.evaluation.retrieval import hit_at, recall_at, recall_at_tokens, reciprocal_rank_at
from service.evaluation.wording import word_f1, word_recall

TEXT = "The oil of the pump is changed every 900 hours. 水泵的机油每九百小时更换一次。Nobody opens the valve while the pump runs."
ranks = st.lists(st.none() | st.integers(1, 30), min_size=1, max_size=6).map(tuple)
depth = st.integers(1, 30)
words = st.text("abc 一二三", min_size=1, max_size=60).filter(lambda text: folded(text) != "")


def found(text: str, *keys: str) -> Found:
    return Found(text=text, tokens=count_tokens(text), section_keys=keys)


@given(ranks, depth, depth)
def test_more_of_a_ranking_never_lowers_a_measure(at: Ranks, k: int, more: int) -> None:
    for measure in (hit_at, recall_at, reciprocal_rank_at):
        assert 0 <= measure(at, k) <= measure(at, k + more) <= 1


@given(ranks, depth)
def test_the_measures_of_a_ranking_agree_with_each_other(at: Ranks, k: int) -> None:
    assert (recall_at(at, k) > 0) == (hit_at(at, k) == 1) == (reciprocal_rank_at(at, k) > 0)
    assert recall_at(at, k) <= hit_at(at, k)
    assert reciprocal_rank_at(at, k) <= hit_at(at, k)
    assert hit_at(at, 1) == reciprocal_rank_at(at, 1)


def test_the_measures_of_a_ranking_have_their_textbook_values() -> None:
    at = (3, None, 1, 12)
    assert [recall_at(at, k) for k in (1, 3, 10, 20)] == [0.25, 0.5, 0.5, 0.75]
    assert reciprocal_rank_at((4, 2), 10) == 0.5
    assert reciprocal_rank_at((4, 20), 3) == 0
    with pytest.raises(ValueError, match="gold"):
        recall_at((), 3)


@settings(deadline=None)
@given(st.lists(words, max_size=8), st.lists(words, min_size=1, max_size=3), st.integers(0, 200), st.integers(0, 200))
def test_a_larger_budget_never_finds_less(texts: list[str], golds: list[str], budget: int, more: int) -> None:
    given_texts = [found(text) for text in texts]
    wanted = [GoldQuote(gold) for gold in golds]
    assert recall_at_tokens(wanted, given_texts, budget) <= recall_at_tokens(wanted, given_texts, budget + more)
    whole = sum(text.tokens for text in given_texts)
    assert recall_at_tokens(wanted, given_texts, whole) == recall_at(ranks_of(wanted, given_texts), len(texts))


def test_a_budget_that_the_first_text_exceeds_finds_nothing() -> None:
    gold = [GoldQuote("every 900 hours")]
    assert recall_at_tokens(gold, [found(TEXT)], count_tokens(TEXT) - 1) == 0
    assert recall_at_tokens(gold, [found(TEXT)], count_tokens(TEXT)) == 1


def test_a_section_is_found_in_its_branch_and_nowhere_else() -> None:
    gold = GoldSection(("doc/00003", "other/00003"))
    for key, is_inside in (
        ("doc/00003", True),
        ("doc/00003/00001", True),
        ("other/00003/00002", True),
        ("doc/000030", False),
        ("doc", False),
    ):
        assert holds(found("text", key), gold) == is_inside
    assert not holds(found("text"), gold)


def test_a_summary_covers_the_sections_of_its_branch_and_no_other() -> None:
    summary = Found(text="About chapter 3.", tokens=4, section_keys=("doc/00003",), covers=("doc/00003",))
    assert holds(summary, GoldSection(("doc/00003/00002",)))
    assert not holds(summary, GoldSection(("doc/00004",)))
    assert not holds(found("About chapter 3.", "doc/00003"), GoldSection(("doc/00003/00002",)))


def test_an_answer_is_found_whatever_its_width_case_and_punctuation() -> None:
    assert holds(found(TEXT), GoldAnswer(("nine hundred", "９００  HOURS")))
    assert not holds(found(TEXT), GoldAnswer(("800 hours", "—")))


def test_a_short_answer_or_quote_is_not_found_inside_other_words() -> None:
    text = found("The network often has 900 nodes, 九百个。")
    for inside in ("two", "ten", "90", "net"):
        assert not holds(text, GoldAnswer((inside,)))
        assert not holds(text, GoldQuote(inside))
        assert overlap([inside], [text.text]).found == 0
    for word in ("900", "often", "九百"):
        assert holds(text, GoldAnswer((word,)))
        assert holds(text, GoldQuote(word))


@given(st.integers(0, len(TEXT)), st.integers(0, len(TEXT)), st.integers(0, len(TEXT)), st.integers(0, len(TEXT)))
def test_a_stretch_of_a_document_is_found_in_another_exactly_where_they_meet(a: int, b: int, c: int, d: int) -> None:
    """Two stretches of one text without repetitions share what lies between the later start and the earlier end."""
    plain = folded(TEXT)
    quote, text = plain[min(a, b) : max(a, b)], plain[min(c, d) : max(c, d)]
    start, end = max(plain.find(quote), plain.find(text)), min(plain.find(quote) + len(quote), plain.find(text) + len(text))
    shared = max(0, end - start)
    got = covered(spans_of(quote, text))
    if quote and quote in text:
        assert got == len(quote)
    elif quote and text and shared >= LEAST_PIECE:
        assert got >= shared
    for first, last in spans_of(quote, text):
        assert quote[first:last] in text


def test_what_a_text_was_cut_through_is_found_at_both_edges() -> None:
    quote = folded(TEXT)
    (ahead,) = spans_of(quote, folded("before that " + TEXT[:40]))
    (behind,) = spans_of(quote, folded(TEXT[60:] + " after that"))
    assert quote[slice(*ahead)] == folded(TEXT[:40])
    assert quote[slice(*behind)] == folded(TEXT[60:])


def test_a_quote_is_found_in_the_text_that_holds_most_of_it() -> None:
    parts = [found(TEXT[:40]), found(TEXT[40:])]
    assert [holds(part, GoldQuote(TEXT)) for part in parts] == [False, True]


@settings(deadline=None)
@given(words)
def test_the_overlap_of_a_text_with_itself_is_whole(text: str) -> None:
    whole = overlap([text], [text])
    assert (whole.iou, whole.recall, whole.precision) == (1, 1, 1)


@settings(deadline=None)
@given(st.lists(words, min_size=1, max_size=3), st.lists(words, max_size=5), words)
def test_more_text_never_lowers_token_recall_and_no_measure_leaves_its_bounds(quotes: list[str], texts: list[str], more: str) -> None:
    before, after = overlap(quotes, texts), overlap(quotes, [*texts, more])
    assert before.recall <= after.recall + 1e-12
    for one in (before, after):
        assert 0 <= one.iou <= min(one.recall, one.precision) <= max(one.recall, one.precision) <= 1


def test_overlap_counts_what_is_given_twice_as_given_but_found_once() -> None:
    once, twice = overlap([TEXT], [TEXT]), overlap([TEXT], [TEXT, TEXT])
    assert (twice.recall, twice.precision, twice.iou) == (1, 0.5, 0.5)
    assert twice.found == once.found
    assert overlap([TEXT], []).precision == 0


@settings(deadline=None)
@given(words)
def test_an_answer_equals_itself_and_shares_nothing_with_other_words(text: str) -> None:
    assert word_f1(text, ["zzz", text]) == 1
    assert word_recall([f"before {text} after"], [text]) == 1
    assert word_f1(text, ["zzz"]) == word_recall(["zzz"], [text]) == 0


def test_word_f1_is_that_of_squad_and_by_characters_for_chinese() -> None:
    assert word_f1("the oil of the pump", ["pump oil change"]) == pytest.approx(0.8)
    assert word_f1("九百小时", ["每九百小时"]) == pytest.approx(8 / 9)
    assert word_recall(["oil"], ["oil pump", "valve"]) == 0.5


def test_refusals_are_judged_as_the_class_of_unanswerable_questions() -> None:
    cases = [(True, True), (True, False), (False, True), (False, False), (True, True)]
    for measure, expected in ((abstention_precision, (2, 3)), (abstention_recall, (2, 3)), (false_refusals, (1, 2))):
        parts = [measure(abstained=abstained, unanswerable=unanswerable) for abstained, unanswerable in cases]
        assert (sum(part[0] for part in parts), sum(part[1] for part in parts)) == expected


def test_a_sentence_is_grounded_only_by_the_passages_that_it_cites() -> None:
    passages = {1: "The oil of the pump is changed every 900 hours.", 2: "Visitors wear the yellow coat in the cold halls."}
    right, wrong_number = "The pump's oil is changed every 900 hours.", "The oil of the pump is changed every 800 hours."
    assert groundedness([(right, (1,))], passages) == 1
    assert groundedness([(right, (2,)), (right, (1, 2)), (right, ()), (right, (7,))], passages) == 0.25
    assert groundedness([(wrong_number, (1,))], passages) == 0
    assert groundedness([], passages) is None
    assert groundedness([("机油每九百小时更换一次。", (1,))], {1: "水泵的机油每九百小时更换一次。"}) == 1


def test_citation_precision_is_the_share_of_cited_passages_with_gold() -> None:
    passages = {1: found("The oil lasts 900 hours."), 2: found("Wear gloves.", "doc/00001"), 3: found("Nothing.")}
    golds = [GoldAnswer(("900 hours",)), GoldSection(("doc",))]
    assert citation_precision({1, 2, 3}, passages, golds) == pytest.approx(2 / 3)
    assert citation_precision({1, 9}, passages, golds) == 1
    assert citation_precision(set(), passages, golds) is None


@settings(max_examples=30, deadline=None)
@given(st.lists(words, min_size=1, max_size=4))
def test_what_an_answer_copies_from_its_source_is_grounded(texts: list[str]) -> None:
    """Repeating the source word by word can never be unsupported."""
    passages = dict(enumerate(texts, 1))
    assert groundedness([(text, (n,)) for n, text in passages.items()], passages) == 1
