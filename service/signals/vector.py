"""Meaning: the nearest embeddings. The weight says how many units of BM25 the whole spread of the leg is worth.

Measured on CMRC, PolicyQA and the two Rust books with USE, on some with e5 (docs/decisions/0008-fusion.md): with 9 the fused
ranking is at most 0.003 below its best leg on these sets of questions, and above it on most; on keywords and on one half of the
Chroma set it is 0.01 below.
"""

from service.signals import Clause, Nearest, Question, Scale

NAME = "vector"
SCALE: Scale = "range"
WEIGHT = 9.0
# HNSW has to look at more than it returns; how much more large indices need is not measured yet.
CANDIDATES_PER_HIT = 2


def clause(question: Question) -> Clause | None:
    """The nearest nodes to the question's vector, if it has one."""
    if question.vector is None:
        return None
    return Nearest(vector=question.vector, k=question.depth, candidates=CANDIDATES_PER_HIT * question.depth)
