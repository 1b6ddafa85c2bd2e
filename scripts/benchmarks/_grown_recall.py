"""What the nearest-neighbour leg finds in a grown index beside exact search, and how long it takes, by the candidates it looks at."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from _grown_index import CHUNKS_PER_CHAPTER, COLLECTION, PER_DOCUMENT, Pool, chunk_ids, doc_id, vectors_of
from _measuring import percentile

from es_mappings.index import Index
from ingest.embedding import Vectors
from service.scope import Scope, search_body
from service.signals import Nearest, Question, vector

NEAREST = 10
DEPTH = 100
FILTERED_DOCUMENTS = 20
# As many candidates for each hit as the product asks for, fewer and more.
CANDIDATES_PER_HIT = (1, vector.CANDIDATES_PER_HIT, 4, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """Mean share of the exact first 10 that are among the first 10 found, everywhere and in one chapter of some documents; median ms."""

    candidates: int
    everywhere: float
    filtered: float
    milliseconds: float


def recalls(index: Index, questions: Vectors, pool: Pool, size: int) -> list[Recall]:
    """One for each number of candidates."""
    chosen = sorted(random.Random(4).sample(range(size // PER_DOCUMENT), FILTERED_DOCUMENTS))
    third = slice(2 * CHUNKS_PER_CHAPTER, 3 * CHUNKS_PER_CHAPTER)
    gold_everywhere = _exact(pool, questions, range(size // PER_DOCUMENT), slice(None))
    gold_within = _exact(pool, questions, chosen, third)
    everywhere = Scope(access=None, collection=COLLECTION)
    within = replace(everywhere, documents=tuple(map(doc_id, chosen)), places=(), labels=("chapter 3",))
    made = []
    for per_hit in CANDIDATES_PER_HIT:
        found, spent = _found(index, questions, everywhere, per_hit)
        filtered, _ = _found(index, questions, within, per_hit)
        made.append(
            Recall(
                candidates=per_hit * DEPTH,
                everywhere=_share(found, gold_everywhere),
                filtered=_share(filtered, gold_within),
                milliseconds=percentile(spent, 0.5),
            )
        )
    return made


def _exact(pool: Pool, questions: Vectors, numbers: Sequence[int], rows: slice) -> list[set[str]]:
    """The ids of the nearest chunks of these documents for each question, by comparing all; a hundred documents at a time."""
    best: list[list[tuple[float, str]]] = [[] for _ in questions]
    for start in range(0, len(numbers), 100):
        block = numbers[start : start + 100]
        vectors = np.concatenate([vectors_of(pool, number)[rows] for number in block])
        ids = [id_ for number in block for id_ in chunk_ids(number)[rows]]
        for found, scores in zip(best, questions @ vectors.T, strict=True):
            nearest = np.argpartition(-scores, min(NEAREST, len(scores) - 1))[:NEAREST]
            found.extend((float(scores[place]), ids[place]) for place in nearest)
            found.sort(reverse=True)
            del found[NEAREST:]
    return [{id_ for _, id_ in found} for found in best]


def _found(index: Index, questions: Vectors, scope: Scope, per_hit: int) -> tuple[list[set[str]], list[float]]:
    """The first hits of the vector leg for each question, asked as a search asks, and the milliseconds each took."""
    found, spent = [], []
    for question in questions:
        clause = vector.clause(Question(text="", kind="plain", vector=tuple(question.tolist()), depth=DEPTH))
        assert isinstance(clause, Nearest)
        body = search_body(scope, replace(clause, candidates=per_hit * DEPTH), DEPTH)
        began = time.perf_counter()
        hits = index.msearch([body])[0]["hits"]["hits"]
        spent.append((time.perf_counter() - began) * 1000)
        found.append({hit["_id"] for hit in hits[:NEAREST]})
    return found, spent


def _share(found: Sequence[set[str]], gold: Sequence[set[str]]) -> float:
    return sum(len(one & wanted) / len(wanted) for one, wanted in zip(found, gold, strict=True)) / len(gold)
