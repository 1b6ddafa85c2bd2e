"""Search time as the index grows: `./scripts/bench latency [--sizes 10000,100000,300000] [--queries 500]`.

At each size: warm queries searched whole and their very requests sent again by the same client, taking turns (see _raw_calls); what
the nearest-neighbour leg finds beside exact search, everywhere and within a filter. What is real in the index and what is made up:
_grown_index. A run that was stopped goes on where it was: the index and the rows measured so far are kept in .cache until --fresh.
Nothing else should run meanwhile.
"""

import json
import random
import sys
from collections.abc import Iterator, Sequence

import numpy as np
from _grown_index import CHAPTERS, CHUNKS_PER_CHAPTER, COLLECTION, PER_DOCUMENT, Pool, chunk_ids, doc_id, grow, read_pool, vectors_of
from _kept_tables import keep
from _kept_vectors import KEPT, KeptVectors
from _measuring import arguments, machine, markdown, percentile
from _raw_calls import RecordingIndex, Times, interleaved

from es_mappings.access import AccessRegistry
from es_mappings.index import Index
from es_mappings.settings import read_settings
from ingest.embedding import Vectors
from ingest.opening import open_index
from service.scope import Scope, search_body
from service.searching import Searcher, SearchRequest
from service.signals import Question, vector

PORT = 9378
ROWS = KEPT / "latency.json"
# Vectors of 300,000 chunks take 0.6 GB beside the heap; the heap itself only has to hold what a bulk request brings.
HEAP_MB = 2048
WARM_UP = 50
RECALL_QUERIES = 100
NEAREST = 10
FILTERED_DOCUMENTS = 20


def main() -> None:
    """Grow, measure, print, keep."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--sizes", default="10000,100000,300000", help="chunks")
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--fresh", action="store_true", help="delete the index and the rows of an earlier run first")
    parser.add_argument("--drop", action="store_true", help="delete them at the end")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    settings = read_settings(
        home=KEPT / "home-latency", node_port=PORT, node_heap_mb=HEAP_MB, index_prefix="latency", es_timeout_seconds=120
    )
    embedder = KeptVectors("use")
    pool = read_pool(options.data, embedder)
    with open_index(settings) as index:
        if options.fresh:
            _forget(index)
        index.create(model=embedder.name, dims=embedder.dims)
        rows = [_measured(index, embedder, pool, size, options.queries) for size in sizes]
        if options.drop:
            _forget(index)
    text = _table(rows, options.queries)
    print(text)
    keep("latency", f"{machine()}\n\n{text}")


def _measured(index: Index, embedder: KeptVectors, pool: Pool, size: int, queries: int) -> list[object]:
    """The row of a size, kept from an earlier run or measured now. Raises SystemExit when the index is larger already."""
    kept: dict[str, list[object]] = json.loads(ROWS.read_text()) if ROWS.exists() else {}
    if str(size) not in kept:
        seconds = grow(index, pool, size)
        times = _times(index, embedder, pool, queries)
        kept[str(size)] = _row(size, seconds, times, _recalls(index, embedder, pool, size))
        ROWS.write_text(json.dumps(kept))
        print(kept[str(size)], file=sys.stderr, flush=True)
    return kept[str(size)]


def _forget(index: Index) -> None:
    index.drop()
    ROWS.unlink(missing_ok=True)


def _row(size: int, seconds: float, times: Times, recall: Sequence[float]) -> list[object]:
    halves = [(percentile(times.whole, share), percentile(times.raw, share), percentile(times.ours, share)) for share in (0.5, 0.95)]
    (whole, raw, ours), (whole95, raw95, ours95) = halves
    return [f"{size:,}", f"{seconds:.0f}", whole, whole95, raw, raw95, whole / raw, ours, ours95, *(f"{value:.3f}" for value in recall)]


def _table(rows: Sequence[Sequence[object]], queries: int) -> str:
    header = [
        "chunks", "built in s", "whole less embedding p50 ms", "p95", "raw p50 ms", "p95", "ratio p50", "our share p50 ms", "p95",
        "recall@10", "recall@10 filtered",
    ]  # fmt: skip
    goal = ["to reach", "900 in all", "", "", "", "", 1.3, 3, 8, "", ""]
    told = (
        f"{queries} warm queries of 10 hits, each searched whole and its requests sent again alone, by turns. 10,000 chunks are real; the"
        f" rest are recombined texts with vectors turned to a cosine of about 0.9. Recall is of the vector leg (its first 10) against"
        f" exact search, over {RECALL_QUERIES} questions; filtered: chapter 3 of {FILTERED_DOCUMENTS} documents."
    )
    return f"{told}\n\n{markdown(header, [*rows, goal])}"


def _questions(pool: Pool, count: int, seed: int) -> list[str]:
    """The first words of pieces, drawn with a seed."""
    texts = random.Random(seed).sample(pool.texts, count)
    return [" ".join(text.split()[:9])[:60] for text in texts]


def _times(index: Index, embedder: KeptVectors, pool: Pool, queries: int) -> Times:
    recording = RecordingIndex(index)
    searcher = Searcher(index=recording, access=AccessRegistry(index), embedder=embedder)
    requests = [SearchRequest(query=query, collection=COLLECTION) for query in _questions(pool, queries + WARM_UP, 2)]
    return interleaved(searcher, recording, requests, WARM_UP)


def _recalls(index: Index, embedder: KeptVectors, pool: Pool, size: int) -> list[float]:
    """Everywhere, and in chapter 3 of some documents."""
    questions = embedder.embed_queries(_questions(pool, RECALL_QUERIES, 3))
    chosen = sorted(random.Random(4).sample(range(size // PER_DOCUMENT), FILTERED_DOCUMENTS))
    everywhere = _exact(pool, questions, range(size // PER_DOCUMENT), slice(None))
    chapter = slice(2 * CHUNKS_PER_CHAPTER, 3 * CHUNKS_PER_CHAPTER)
    within = _exact(pool, questions, chosen, chapter)
    base = Scope(access=None, collection=COLLECTION)
    filtered = Scope(access=None, collection=COLLECTION, documents=tuple(map(doc_id, chosen)), places=(), labels=("chapter 3",))
    assert CHAPTERS >= 3
    return [_recall(index, questions, base, everywhere), _recall(index, questions, filtered, within)]


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


def _recall(index: Index, questions: Vectors, scope: Scope, gold: Sequence[set[str]]) -> float:
    shares = [len(found & wanted) / len(wanted) for found, wanted in zip(_found(index, questions, scope), gold, strict=True)]
    return sum(shares) / len(shares)


def _found(index: Index, questions: Vectors, scope: Scope) -> Iterator[set[str]]:
    """The first hits of the vector leg, asked as a search asks."""
    for question in questions:
        clause = vector.clause(Question(text="x", kind="plain", vector=tuple(question.tolist()), depth=100))
        assert clause is not None
        hits = index.msearch([search_body(scope, clause, 100)])[0]["hits"]["hits"]
        yield {hit["_id"] for hit in hits[:NEAREST]}


if __name__ == "__main__":
    main()
