"""What a search costs beside the raw requests that it sends: `./scripts/bench searching`.

Each query is searched whole, and the very `_msearch` and `_mget` that this sent are sent again by the same client, parsing included;
the two take turns, after a warm-up. Whole less query embedding is compared with raw. A section filter is checked on the way.
"""

import random
import time
import uuid
from pathlib import Path
from typing import Any

from _measuring import arguments, machine, percentile, table

from es_mappings.access import OWNER
from es_mappings.index import Index
from es_mappings.sections import document_id
from es_mappings.settings import read_settings
from ingest.opening import open_store
from ingest.pipeline import Order, Store, ingest
from ingest.sources import Source
from service.searching import Searcher, SearchRequest

DOCUMENTS = ("pdf/en-sec-regbi-proposed-408p.pdf", "docx/doj-ch13-handbook-872p.docx", "md/rust-book-en", "md/rust-book-zh")
QUERIES = 500
WARM_UP = 50


class RecordingIndex(Index):
    """The same index, keeping what is sent through it."""

    def __init__(self, index: Index) -> None:
        super().__init__(index._client, index.prefix)  # noqa: SLF001  # the same client on purpose
        self.sent: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def msearch(self, *given: Any, **named: Any) -> list[dict[str, Any]]:
        self.sent.append(("msearch", given, named))
        return super().msearch(*given, **named)

    def mget(self, *given: Any, **named: Any) -> list[Any]:
        self.sent.append(("mget", given, named))
        return super().mget(*given, **named)


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
            whole, raw = _measure(searcher, recording, _queries(store, options.queries))
        finally:
            store.index.drop()
    rows: list[list[object]] = []
    for share in (0.5, 0.95):
        a, b = percentile(whole, share), percentile(raw, share)
        rows.append([f"p{share * 100:.0f}", a, b, a / b, a - b])
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


def _measure(searcher: Searcher, recording: RecordingIndex, queries: list[str]) -> tuple[list[float], list[float]]:
    whole, raw = [], []
    for place, query in enumerate(queries):
        recording.sent.clear()
        began = time.perf_counter()
        result = searcher.search(SearchRequest(query=query), OWNER)
        spent = (time.perf_counter() - began) * 1000 - result.took.embed
        sent = list(recording.sent)
        began = time.perf_counter()
        for name, given, named in sent:
            getattr(Index, name)(recording, *given, **named)
        again = (time.perf_counter() - began) * 1000
        if place >= WARM_UP:
            whole.append(spent)
            raw.append(again)
    return whole, raw


if __name__ == "__main__":
    main()
