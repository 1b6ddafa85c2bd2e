"""Measures of a ranking, from the ranks at which the gold stands (service.evaluation.gold.ranks_of). Pure; each is in 0..1.

Definitions as in Manning, Raghavan and Schuetze, Introduction to Information Retrieval (2008), ch. 8, cut off at rank k as in
TREC; the reciprocal rank is Voorhees, TREC-8 Question Answering Track (1999).
"""

from collections.abc import Sequence

from service.evaluation.gold import Found, Gold, Ranks, ranks_of


def hit_at(ranks: Ranks, k: int) -> float:
    """1 when any gold stands among the first k, else 0."""
    return float(any(rank is not None and rank <= k for rank in ranks))


def recall_at(ranks: Ranks, k: int) -> float:
    """|gold among the first k| / |gold|. Raises ValueError without gold."""
    if not ranks:
        raise ValueError("recall needs gold")
    return sum(rank is not None and rank <= k for rank in ranks) / len(ranks)


def reciprocal_rank_at(ranks: Ranks, k: int) -> float:
    """1 / (rank of the first gold), 0 when that is beyond k."""
    first = min((rank for rank in ranks if rank is not None), default=None)
    return 1 / first if first is not None and first <= k else 0.0


def recall_at_tokens(golds: Sequence[Gold], found: Sequence[Found], budget: int) -> float:
    """Recall of the first texts that together take at most `budget` tokens (o200k): |gold in them| / |gold|.

    The list is cut before the first text that does not fit, so that a larger budget never finds less.
    """
    used = kept = 0
    for one in found:
        used += one.tokens
        if used > budget:
            break
        kept += 1
    return recall_at(ranks_of(golds, found[:kept]), kept)
