"""Many sections through Elasticsearch: what telling, making, storing and reading back takes, and whether that grows faster than they do."""

import resource
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from stub_llm import StubModel, StubReply
from summary_books import prose

from es_mappings.access import OWNER
from es_mappings.settings import read_settings
from ingest.opening import open_store, workshop_of
from ingest.pipeline import Order, ingest
from ingest.sources import Source
from ingest.summaries.documents import DocumentSummaries
from ingest.summaries.opening import open_patient_chat
from service.summarising import Summaries

SECTIONS = (1_000, 10_000)
A_CHAPTER = 50
SECTION_TOKENS = 40
_T = TypeVar("_T")


def scale() -> list[list[object]]:
    """Rows: sections, tokens, seconds to tell the calls, to make and store, milliseconds a section, seconds of a second run, of
    reading the document's summary back and of putting one together while there is none, most memory of the process so far in MB."""
    return [_measured(sections) for sections in SECTIONS]


def _measured(sections: int) -> list[object]:
    with StubModel() as stub, tempfile.TemporaryDirectory() as folder:
        stub.default = StubReply(text="The chapter tells of the river and its boats.")
        settings = read_settings(
            index_prefix=f"bench-{uuid.uuid4().hex[:8]}", llm_base_url=stub.url, llm_model="scripted", summary_policy="by-hand"
        )
        path = Path(folder) / "book.md"
        path.write_text(_book(sections), "utf-8")
        with open_store(settings) as store:
            try:
                row = ingest(Order(source=Source(path=path, name="book.md")), store)
                assert row.error is None, row.error
                makers = DocumentSummaries(workshop_of(store))
                reading = Summaries(index=store.index, access=store.access, settings=settings, chat=open_patient_chat(settings))
                manifest = reading.find(OWNER, row.doc_id)
                pending, by_parts = _timed(lambda: reading.read(OWNER, manifest))
                assert pending.state == "pending"
                outlook, telling = _timed(lambda: makers.outlook(row.doc_id))
                outcome, making = _timed(lambda: makers.make(row.doc_id))
                assert outcome.state == "fresh", outcome
                assert stub.calls == outlook.calls, (stub.calls, outlook.calls)
                _, again = _timed(lambda: makers.make(row.doc_id))
                read, back = _timed(lambda: reading.read(OWNER, manifest))
                assert read.share == 1.0
            finally:
                store.index.drop()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return [row.sections, outlook.tokens, telling, making, making / row.sections * 1000, again, back, by_parts, memory]


def _book(sections: int) -> str:
    """Chapters of 50 short sections each."""
    parts = ["# The Book\n"]
    for number in range(1, sections + 1):
        if number % A_CHAPTER == 1:
            parts.append(f"\n## Chapter {number // A_CHAPTER + 1}\n")
        parts.append(f"\n### Section {number}\n\n{prose(SECTION_TOKENS, number % 97)}\n")
    return "".join(parts)


def _timed(act: Callable[[], _T]) -> tuple[_T, float]:
    began = time.perf_counter()
    result = act()
    return result, time.perf_counter() - began
