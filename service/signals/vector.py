"""Meaning: the nearest embeddings. The weight says how many units of BM25 the whole spread of the leg is worth.

Measured on CMRC, PolicyQA, Chroma and the two Rust books with USE, on some with e5 (docs/decisions/0008-fusion.md and 0018): with 9
the fused ranking is above its best leg on nearly all of them. 3 to 12 differ by a few questions, not the same way everywhere.
"""

from service.signals import Clause, Nearest, Question, Scale

NAME = "vector"
SCALE: Scale = "range"
WEIGHT = 9.0
# HNSW has to look at more than it returns; `scripts/bench latency` shows what more or fewer find.
CANDIDATES_PER_HIT = 2


def clause(question: Question) -> Clause | None:
    """The nearest nodes to the question's vector, if it has one."""
    if question.vector is None:
        return None
    return Nearest(vector=question.vector, k=question.depth, candidates=CANDIDATES_PER_HIT * question.depth)
