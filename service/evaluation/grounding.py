"""Whether what an answer says stands in the passages that it cites, and whether those hold the gold. Pure.

Groundedness follows the citation recall of Gao et al., ALCE (EMNLP 2023): a sentence counts when the passages that it cites
support it, so one that cites nothing does not. Their entailment model is replaced by our checks (ingest/claims/support.py): the
sentence's numbers, names, negations and exceptions must be those of the passages, and its words must be known there.
"""

from collections.abc import Mapping, Sequence, Set

from ingest.claims.evidence import Evidence
from ingest.claims.statements import statements
from ingest.claims.support import unsupported
from service.evaluation.gold import Found, Gold, holds

CitedSentence = tuple[str, tuple[int, ...]]
"""A sentence of an answer without its markers, and the numbers of the passages that it cites."""


def groundedness(answer: Sequence[CitedSentence], passages: Mapping[int, str]) -> float | None:
    """Supported sentences / sentences; None for an answer without any. Numbers that name no passage cite nothing."""
    told = [(sentence, [passages[n] for n in numbers if n in passages]) for sentence, numbers in answer]
    return sum(is_grounded(sentence, texts) for sentence, texts in told) / len(told) if told else None


def is_grounded(sentence: str, texts: Sequence[str]) -> bool:
    """Whether texts support a sentence; without texts nothing does."""
    return bool(texts) and not unsupported(statements([sentence]), Evidence(statements(texts)))


def citation_precision(cited: Set[int], passages: Mapping[int, Found], golds: Sequence[Gold]) -> float | None:
    """Of the different passages that an answer cites, the share that holds gold; None when it cites none."""
    known = [passages[n] for n in cited if n in passages]
    return sum(any(holds(passage, gold) for gold in golds) for passage in known) / len(known) if known else None
