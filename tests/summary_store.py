"""A store whose summaries are made by a scripted endpoint, and small books to put into it; for the tests of stored summaries.

`stub` and `store` are fixtures; conftest.py hands them to every module that has none of its own.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stub_llm import StubModel, StubReply
from summary_books import prose, source_of

from es_mappings.sections import short_hash
from es_mappings.settings import Settings
from ingest.opening import open_store
from ingest.pipeline import Order, Row, Store, ingest
from ingest.sources import Source


def said(body: dict[str, Any]) -> StubReply:
    """A reply that differs with what was asked."""
    return StubReply(text=f"Summary {short_hash(source_of(body['messages'][1]['content']))}.")


@pytest.fixture
def stub() -> Iterator[StubModel]:
    """An endpoint that says something about what it is asked."""
    with StubModel() as server:
        server.default = said
        yield server


@pytest.fixture
def store(settings: Settings, stub: StubModel) -> Iterator[Store]:
    """An empty store with that endpoint."""
    with open_store(settings.model_copy(update={"llm_base_url": stub.url})) as opened:
        yield opened


def book_file(folder: Path, chapters: dict[str, str], name: str = "book.md") -> Path:
    """A book of chapters as a file."""
    path = folder / name
    text = "".join(f"\n## {heading}\n\n{content}\n" for heading, content in chapters.items())
    path.write_text(f"# The Book\n{text}", "utf-8")
    return path


def chapters(count: int, tokens: int = 600) -> dict[str, str]:
    """Chapters of plain words by heading."""
    return {f"Chapter {i}": prose(tokens, i) for i in range(1, count + 1)}


def put(store: Store, path: Path, **order: object) -> Row:
    """Ingest a file; it must succeed."""
    row = ingest(Order(source=Source(path=path, name=path.name), **order), store)  # type: ignore[arg-type]
    assert row.error is None
    return row
