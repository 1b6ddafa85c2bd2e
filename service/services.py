"""What a request needs, as one frozen value: routes get it passed in and open nothing themselves."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from es_mappings.access import AccessRegistry, Reader
from es_mappings.index import Index
from es_mappings.records import Manifest
from service.job_store import JobStore
from service.models.requests import AnswerBody, SearchBody
from service.models.summaries import SummaryQuery
from service.spool import Spool

Event = tuple[str, Any]
"""("passages", {...}), ("delta", text), ("done", the whole reply); "done" always comes last."""


class Search(Protocol):
    """Rank nodes for a request, as the reader may see them; returns the reply of the contract."""

    def __call__(self, body: SearchBody, reader: Reader) -> dict[str, Any]: ...


class ReadSummary(Protocol):
    """The summary of a document or a section, as the reader may see it. Raises NotFound, InvalidRequest, and as the endpoint fails."""

    def __call__(self, doc_id: str, query: SummaryQuery, reader: Reader) -> dict[str, Any]: ...


class Answer(Protocol):
    """Answer a question, as the reader may see the documents; yields events."""

    def __call__(self, body: AnswerBody, reader: Reader) -> Iterator[Event]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What the service runs with. `embedder` is that of the index, which a reindex may change.

    `model` is None when answers are extractive; `formats` are suffixes with their dot.
    """

    version: str
    embedder: Callable[[], str]
    model: str | None
    formats: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The open parts behind the routes.

    `overview` gives the summary of a collection, `summary_status` tells when summaries are made and how many documents wait.
    `may_read` tells whether a reader may see a document; `prepare` creates missing indices before the first write; `probe`
    returns the server's version, or raises a SectionaryError that says why requests cannot be served.
    """

    index: Index
    access: AccessRegistry
    jobs: JobStore
    spool: Spool
    search: Search
    answer: Answer
    summary: ReadSummary
    overview: Callable[[str, Reader], dict[str, Any]]
    summary_status: Callable[[Reader], dict[str, Any]]
    may_read: Callable[[Reader, Manifest], bool]
    prepare: Callable[[], None]
    probe: Callable[[], str]
    about: About
