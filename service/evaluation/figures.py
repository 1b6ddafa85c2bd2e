"""The figures of an evaluation: their names, and what one question adds to each. Pure.

A figure is a ratio of two sums over questions (service/evaluation/intervals.py). docs/reference/evaluation.md defines them for readers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from service.evaluation.gold import Found, Gold, Ranks, holds, ranks_of
from service.evaluation.grounding import CitedSentence, citation_precision, groundedness
from service.evaluation.intervals import Part, mean_part
from service.evaluation.overlap import overlap
from service.evaluation.refusals import abstention_precision, abstention_recall, false_refusals
from service.evaluation.retrieval import hit_at, recall_at, recall_at_tokens, reciprocal_rank_at
from service.evaluation.wording import says, word_f1, word_recall

DEPTHS = (1, 3, 5, 10, 20, 50, 100)
BUDGETS = (250, 500, 1_000, 2_000, 4_000, 8_000, 16_000)
SMALLER_IS_BETTER = frozenset({"false_refusals"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied:
    """What the system did with a question: its hits, the passages it gave to the answer, and the answer."""

    hits: tuple[Found, ...] = ()
    passages: Mapping[int, Found] = field(default_factory=dict)
    answer: str = ""
    sentences: tuple[CitedSentence, ...] = ()
    abstained: bool = False

    @property
    def cited(self) -> tuple[int, ...]:
        """The numbers of the passages that the answer cites, in order, each once."""
        numbers = [n for _, cited in self.sentences for n in cited if n in self.passages]
        return tuple(dict.fromkeys(numbers))


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What is known about a question: gold for retrieval, quotes and answers as given; all empty when it is unanswerable."""

    golds: tuple[Gold, ...]
    quotes: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    unanswerable: bool = False


def depths_within(size: int) -> tuple[int, ...]:
    """The ranks at which a list of `size` hits is judged, its end among them."""
    return tuple(sorted({k for k in DEPTHS if k < size} | {size}))


def budgets_within(budget: int) -> tuple[int, ...]:
    """The budgets (tokens) at which a ranking is judged, `budget` itself among them."""
    return tuple(sorted({b for b in BUDGETS if b < budget} | {budget}))


def parts_of(key: Key, replied: Replied, *, size: int, budget: int) -> dict[str, Part]:
    """What a question adds to each figure that it concerns, by name."""
    parts = _refusals(key, replied)
    if key.unanswerable:
        return parts
    ranks = ranks_of(key.golds, replied.hits)
    parts |= _ranking(ranks, size)
    parts |= {f"recall@{b}t": (recall_at_tokens(key.golds, replied.hits, b), 1.0) for b in budgets_within(budget)}
    passages = list(replied.passages.values())
    parts["packed_recall"] = (sum(packed_of(key.golds, passages)) / len(key.golds), 1.0)
    if key.quotes:
        tokens = overlap(key.quotes, [passage.text for passage in passages])
        parts |= {"token_recall": (tokens.recall, 1.0), "token_precision": (tokens.precision, 1.0), "token_iou": (tokens.iou, 1.0)}
    if key.answers:
        told = any(says(replied.answer, answer) for answer in key.answers)
        parts["answer_found"] = (float(told), 1.0)
        parts["answer_f1"] = (0.0 if replied.abstained else word_f1(_bare(replied), key.answers), 1.0)
        parts["evidence_words"] = (word_recall([passage.text for passage in passages], key.answers), 1.0)
    return parts | _citing(key, replied)


def packed_of(golds: Sequence[Gold], passages: Sequence[Found]) -> tuple[bool, ...]:
    """For each piece of gold whether one of the passages holds it."""
    return tuple(any(holds(passage, gold) for passage in passages) for gold in golds)


def _ranking(ranks: Ranks, size: int) -> dict[str, Part]:
    deepest = min(10, size)
    parts = {f"hit@{k}": (hit_at(ranks, k), 1.0) for k in depths_within(size)}
    parts |= {f"recall@{k}": (recall_at(ranks, k), 1.0) for k in depths_within(size)}
    return parts | {f"mrr@{deepest}": (reciprocal_rank_at(ranks, deepest), 1.0)}


def _refusals(key: Key, replied: Replied) -> dict[str, Part]:
    case = {"abstained": replied.abstained, "unanswerable": key.unanswerable}
    named = {"abstention_precision": abstention_precision, "abstention_recall": abstention_recall, "false_refusals": false_refusals}
    return {name: part for name, measure in named.items() if (part := measure(**case))[1]}


def _citing(key: Key, replied: Replied) -> dict[str, Part]:
    """Of an answer: groundedness, and how many of its citations hold gold. A refusal has neither."""
    if replied.abstained:
        return {}
    texts = {n: passage.text for n, passage in replied.passages.items()}
    found = {
        "citation_precision": mean_part(citation_precision(set(replied.cited), replied.passages, key.golds)),
        "groundedness": mean_part(groundedness(replied.sentences, texts)),
    }
    return {name: part for name, part in found.items() if part[1]}


def _bare(replied: Replied) -> str:
    return " ".join(sentence for sentence, _ in replied.sentences)
