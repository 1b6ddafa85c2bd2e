"""What a search costs beside the raw requests that it sends: `./scripts/bench searching`.

Each query is searched whole and its requests are sent again alone (see _raw_calls), after a warm-up. Whole less query embedding is
compared with raw. A section filter is checked on the way. For larger indices see latency.py.
"""

import random
import uuid
from pathlib import Path

from _measuring import arguments, machine, percentile, table
from _raw_calls import RecordingIndex, interleaved

from es_mappings.access import OWNER
from es_mappings.sections import document_id
from es_mappings.settings import read_settings
from ingest.opening import open_store
from ingest.pipeline import Order, Store, ingest
from ingest.sources import Source
from service.searching import Searcher, SearchRequest

DOCUMENTS = ("pdf/en-sec-regbi-proposed-408p.pdf", "docx/doj-ch13-handbook-872p.docx", "md/rust-book-en", "md/rust-book-zh")
QUERIES = 500
WARM_UP = 50


def main() -> None:
    """Ingest, measure, print."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--queries", type=int, default=QUERIES)
    options = parser.parse_args()
    settings = read_settings(index_prefix=f"bench-{uuid.uuid4().hex[:8]}")
    print(machine())
    with open_store(settings) as store:
        try:
            _fill(store, options.data)
            recording = RecordingIndex(store.index)
            searcher = Searcher(index=recording, access=store.access, embedder=store.embedder)
            _check_filter(searcher)
            requests = [SearchRequest(query=query) for query in _queries(store, options.queries)]
            times = interleaved(searcher, recording, requests, WARM_UP)
        finally:
            store.index.drop()
    rows: list[list[object]] = []
    for share in (0.5, 0.95):
        whole, raw = percentile(times.whole, share), percentile(times.raw, share)
        rows.append([f"p{share * 100:.0f}", whole, raw, whole / raw, percentile(times.ours, share)])
    table(["", "whole less embedding ms", "raw ms", "ratio", "our share ms"], rows)


def _fill(store: Store, data: Path) -> None:
    for name in DOCUMENTS:
        row = ingest(Order(source=Source(path=data / name, name=name)), store)
        print(f"{name}: {row.status}, {row.sections} sections, {row.chunks} chunks, {row.seconds:.1f} s {row.error or ''}")


def _queries(store: Store, count: int) -> list[str]:
    """Headings of the documents and first words of their passages, drawn with a seed."""
    drawn = random.Random(1)
    found = [hit["_source"] for hit in store.index.scan(store.index.nodes, {"term": {"kind": "chunk"}}, ["title", "content"])]
    texts = [source["title"] for source in found] + [" ".join(source["content"].split()[:9])[:120] for source in found]
    return drawn.sample(texts, count + WARM_UP)


def _check_filter(searcher: Searcher) -> None:
    """The two Rust books number their chapters alike: a filter by chapter must never return another one."""
    for query, book in (("chapter 4: ownership rules", "md/rust-book-en"), ("第四章：所有权规则", "md/rust-book-zh")):
        doc_id = document_id("default", book)
        hits = searcher.search(SearchRequest(query=query, documents=(doc_id,), size=50), OWNER).hits
        outside = [hit.section_path for hit in hits if "/4 " not in hit.section_path]
        print(f"{query}: {len(hits)} hits, {len(outside)} outside chapter 4")


if __name__ == "__main__":
    main()
