"""Search time as the index grows: `./scripts/bench latency [--sizes 10000,100000,300000] [--queries 500]`.

At each size: warm queries searched whole and their very requests sent again by the same client, taking turns (see _raw_calls); what
the nearest-neighbour leg finds beside exact search, everywhere and within a filter. What is real in the index and what is made up:
_grown_index. A run that was stopped goes on where it was: the index and the rows measured so far are kept in .cache until --fresh.
Nothing else should run meanwhile.
"""

import json
import random
import sys
from collections.abc import Sequence

from _grown_index import COLLECTION, Pool, grow, read_pool
from _grown_recall import FILTERED_DOCUMENTS, Recall, recalls
from _kept_tables import keep
from _kept_vectors import KEPT, KeptVectors
from _measuring import arguments, machine, markdown, percentile
from _raw_calls import RecordingIndex, Times, interleaved

from es_mappings.access import AccessRegistry
from es_mappings.index import Index
from es_mappings.settings import read_settings
from ingest.opening import open_index
from service.searching import Searcher, SearchRequest
from service.signals import vector

PORT = 9378
ROWS = KEPT / "latency.json"
# Vectors of 300,000 chunks take 0.6 GB beside the heap; the heap itself only has to hold what a bulk request brings.
HEAP_MB = 2048
WARM_UP = 50
RECALL_QUERIES = 100

Rows = list[list[object]]
"""Of one size: the times, then what the vector leg finds with each number of candidates."""


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
        measured = [_measured(index, embedder, pool, size, options.queries) for size in sizes]
        if options.drop:
            _forget(index)
    text = _told(measured, options.queries)
    print(text)
    keep("latency", f"{machine()}\n\n{text}")


def _measured(index: Index, embedder: KeptVectors, pool: Pool, size: int, queries: int) -> Rows:
    """The rows of a size, kept from an earlier run or measured now. Raises SystemExit when the index is larger already."""
    kept: dict[str, Rows] = json.loads(ROWS.read_text()) if ROWS.exists() else {}
    if str(size) not in kept:
        seconds = grow(index, pool, size)
        times = _times(index, embedder, pool, queries)
        found = recalls(index, embedder.embed_queries(_questions(pool, RECALL_QUERIES, 3)), pool, size)
        kept[str(size)] = [_row(size, seconds, times), *(_recall_row(size, one) for one in found)]
        ROWS.write_text(json.dumps(kept))
        print(kept[str(size)], file=sys.stderr, flush=True)
    return kept[str(size)]


def _forget(index: Index) -> None:
    index.drop()
    ROWS.unlink(missing_ok=True)


def _row(size: int, seconds: float, times: Times) -> list[object]:
    halves = [(percentile(times.whole, share), percentile(times.raw, share), percentile(times.ours, share)) for share in (0.5, 0.95)]
    (whole, raw, ours), (whole95, raw95, ours95) = halves
    return [f"{size:,}", f"{seconds:.0f}", whole, whole95, raw, raw95, whole / raw, ours, ours95]


def _recall_row(size: int, one: Recall) -> list[object]:
    return [f"{size:,}", one.candidates, f"{one.everywhere:.3f}", f"{one.filtered:.3f}", one.milliseconds]


def _told(measured: Sequence[Rows], queries: int) -> str:
    header = ["chunks", "built in s", "whole less embedding p50 ms", "p95", "raw p50 ms", "p95", "ratio p50", "our share p50 ms", "p95"]
    goal = ["to reach", "900 in all", "", "", "", "", 1.3, 3, 8]
    times = markdown(header, [*(rows[0] for rows in measured), goal])
    found = markdown(
        ["chunks", "candidates for 100 hits", "recall@10", "recall@10 filtered", "vector leg alone p50 ms"],
        [row for rows in measured for row in rows[1:]],
    )
    return (
        f"{queries} warm queries of 10 hits, each searched whole and its requests sent again alone, by turns. 10,000 chunks are real; the"
        f" rest are recombined texts with vectors turned to a cosine of about 0.9.\n\n{times}\nThe vector leg beside exact search,"
        f" {RECALL_QUERIES} questions; filtered: chapter 3 of {FILTERED_DOCUMENTS} documents. The product asks for"
        f" {vector.CANDIDATES_PER_HIT} candidates a hit.\n\n{found}"
    )


def _questions(pool: Pool, count: int, seed: int) -> list[str]:
    """The first words of pieces, drawn with a seed."""
    texts = random.Random(seed).sample(pool.texts, count)
    return [" ".join(text.split()[:9])[:60] for text in texts]


def _times(index: Index, embedder: KeptVectors, pool: Pool, queries: int) -> Times:
    recording = RecordingIndex(index)
    searcher = Searcher(index=recording, access=AccessRegistry(index), embedder=embedder)
    requests = [SearchRequest(query=query, collection=COLLECTION) for query in _questions(pool, queries + WARM_UP, 2)]
    return interleaved(searcher, recording, requests, WARM_UP)


if __name__ == "__main__":
    main()
