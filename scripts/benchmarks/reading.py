"""How fast documents are read, outlined and chunked (one core), and ingested with embeddings: `./scripts/bench reading`."""

import os
import time
import uuid
from pathlib import Path

from _measuring import arguments, machine, table

from es_mappings.index import Index
from es_mappings.settings import Settings, read_settings
from ingest.formats import ReadOptions, choose_reader, take_sample
from ingest.opening import open_store
from ingest.parts import take_apart
from ingest.pipeline import Order, ingest
from ingest.sources import Source

DOCUMENTS = (
    "pdf/en-sec-regbi-proposed-408p.pdf",
    "docx/doj-ch13-handbook-872p.docx",
    "md/rust-book-en",
    "pdf/zh-lnotes2-227p.pdf",
    "html/example-10k.html",
)


def main() -> None:
    """Print the table."""
    options = arguments(__doc__ or "").parse_args()
    print(machine())
    rows = []
    for name in DOCUMENTS:
        path = options.data / name
        if not path.exists():
            print(f"left out: {name} is not there")
            continue
        rows.append([name, *reading_time(path), *ingest_time(path)])
    table(["document", "pages", "read + outline + chunk s", "pages/s", "ingest with embeddings s", "sections", "chunks"], rows)


def reading_time(path: Path) -> tuple[object, float, object]:
    """(pages, best seconds of three, pages a second) in this process on one core."""
    affinity = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(affinity)})
    try:
        seconds = []
        for _ in range(3):
            began = time.perf_counter()
            document = take_apart(path, _read_here, ReadOptions(), read_settings())
            seconds.append(time.perf_counter() - began)
    finally:
        os.sched_setaffinity(0, affinity)
    pages = document.parts.outline.pages
    return pages or "-", min(seconds), pages / min(seconds) if pages else "-"


def _read_here(path: Path, options: ReadOptions) -> object:
    return choose_reader(take_sample(path, 10**9)).read(path, options)


def ingest_time(path: Path) -> tuple[float, int, int]:
    """(seconds, sections, chunks) of one ingest into an empty index, through the child process and with embeddings."""
    settings = read_settings(index_prefix=f"bench-{uuid.uuid4().hex[:8]}")
    with open_store(settings) as store:
        store.embedder.embed_query("warm")
        row = ingest(Order(source=Source(path=path, name=path.name)), store)
        _drop(store.index, settings)
    if row.error:
        raise SystemExit(f"{path.name}: {row.error[1]}")
    return row.seconds, row.sections, row.chunks


def _drop(index: Index, settings: Settings) -> None:
    assert settings.index_prefix.startswith("bench-")
    index.drop()


if __name__ == "__main__":
    main()
