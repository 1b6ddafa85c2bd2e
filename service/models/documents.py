"""Replies about documents: manifests, outlines, chunks, rows of an ingest, and pieces read in their place."""

from typing import Literal

from pydantic import Field

from service.models.search import Reply


class Problem(Reply):
    """A stable code and a message for a person."""

    code: str
    message: str


class ErrorReply(Reply):
    """The body of every reply whose status is 400 or more, and the last line of stderr of a command that failed."""

    error: Problem


class DocumentView(Reply):
    """One stored document."""

    doc_id: str
    collection: str
    source: str
    title: str
    format: str
    state: str
    pages: int | None
    sections: int
    chunks: int
    structure_source: str
    warnings: list[str]


class DocumentsReply(Reply):
    """What is on the shelf, as far as the caller may read it."""

    documents: list[DocumentView]


class DeleteReply(Reply):
    """Which documents went, and which were not there (or are not the caller's to see)."""

    deleted: list[str]
    missing: list[str]


class OutlineSection(Reply):
    """One heading in reading order."""

    key: str
    level: int = Field(ge=1)
    number: str | None
    title: str
    page: int | None
    source: str
    confidence: float = Field(ge=0, le=1)


class OutlineReply(Reply):
    """The heading tree of a document and how it was found."""

    title: str
    format: str
    pages: int | None
    structure_source: str
    sections: list[OutlineSection]
    warnings: list[str]


class ChunkRow(Reply):
    """One line of `sectionary chunks FILE --json`."""

    section_path: str
    section_key: str
    title: str
    content: str
    token_count: int
    page_start: int | None
    page_end: int | None
    is_fallback: bool


class IngestRow(Reply):
    """One line of `sectionary ingest PATH --json`: what became of one document."""

    doc_id: str
    title: str
    path: str
    status: Literal["created", "updated", "unchanged", "failed"]
    sections: int
    chunks: int
    seconds: float
    warnings: list[str]
    error: Problem | None


class ReadPassage(Reply):
    """One piece of text in its place."""

    id: str
    content: str
    page_start: int | None
    page_end: int | None
    is_fallback: bool


class ReadSection(Reply):
    """A section with its own text."""

    key: str
    path: str
    level: int
    number: str | None
    title: str
    page: int | None
    source: str
    confidence: float
    passages: list[ReadPassage]


class SectionReply(Reply):
    """A section and what lies under it, in reading order."""

    doc_id: str
    doc_title: str
    sections: list[ReadSection]
    previous: str | None = Field(description="key of the section before")
    next: str | None = Field(description="key of the section after this branch")
    more: int | None = Field(description="send as `after` to get what follows here; null when the whole branch is here")
