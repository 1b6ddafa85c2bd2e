"""What every system returns to a question, and how it is scored: alike for the product and its peers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from _answer_sets import AnswerSet, Asked
from _answer_spans import Span, covered, length, located, merged

from es_mappings.tokens import count_tokens
from service.words import words

# A hit of fewer common characters with the gold touches it by accident.
LEAST_OVERLAP = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text that a system returned, and the name of the source it came from."""

    source: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """`hit`: share of questions with gold among the first k; `share` and `iou` of what is packed: means over questions."""

    questions: int
    hit: Mapping[int, float]
    share: float | None = None
    iou: float | None = None


def score(tested: AnswerSet, asked: Sequence[Asked], returned: Sequence[Sequence[Passage]]) -> Scores:
    """The scores of a system's answers to `asked`, best first."""
    texts = {source.name: source.text for source in tested.sources}
    if tested.hits:
        ranks = [_first_rank(one, passages, texts) for one, passages in zip(asked, returned, strict=True)]
        hit = {k: sum(rank is not None and rank < k for rank in ranks) / len(ranks) for k in tested.hits}
        return Scores(questions=len(ranks), hit=hit)
    pairs = [_shares(one, passages, texts) for one, passages in zip(asked, returned, strict=True)]
    known = [pair for pair in pairs if pair is not None]
    count = len(known)
    return Scores(questions=count, hit={}, share=sum(share for share, _ in known) / count, iou=sum(iou for _, iou in known) / count)


def within(passages: Sequence[Passage], budget: int) -> list[Passage]:
    """The passages in order, each that still fits the budget of tokens (o200k): how a peer's hits are packed."""
    kept, used = [], 0
    for passage in passages:
        tokens = count_tokens(passage.text)
        if used + tokens <= budget:
            kept.append(passage)
            used += tokens
    return kept


def _first_rank(asked: Asked, passages: Sequence[Passage], texts: Mapping[str, str]) -> int | None:
    sources = {span.source for span in asked.gold}
    for rank, passage in enumerate(passages):
        if passage.source in sources and _overlap(asked.gold, passage, texts) >= LEAST_OVERLAP:
            return rank
    return None


def _overlap(gold: Sequence[Span], passage: Passage, texts: Mapping[str, str]) -> int:
    whole = {span.source: len(texts[span.source]) for span in gold}
    if any(span.source == passage.source and span.end - span.start >= whole[span.source] for span in gold):
        return LEAST_OVERLAP  # the whole source is gold
    return covered(gold, located(passage.source, texts[passage.source], passage.text))


def _shares(asked: Asked, passages: Sequence[Passage], texts: Mapping[str, str]) -> tuple[float, float] | None:
    """The share of the gold that is in the passages and its intersection over union; None when nothing is known of the gold."""
    if asked.gold:
        spans = merged(span for passage in passages for span in located(passage.source, texts.get(passage.source, ""), passage.text))
        both = covered(asked.gold, spans)
        return both / length(asked.gold), both / (length(asked.gold) + length(spans) - both)
    wanted = frozenset(words(asked.answer))
    if not wanted:
        return None
    having = frozenset(word for passage in passages for word in words(passage.text))
    return len(wanted & having) / len(wanted), 0.0
