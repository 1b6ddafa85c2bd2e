"""Replies about jobs, health and what the service runs with."""

from typing import Any, Literal

from pydantic import Field

from service.models.documents import Problem
from service.models.search import Reply
from service.models.summaries import SummaryPlan

JobState = Literal["queued", "running", "done", "failed", "cancelled"]


class JobView(Reply):
    """One upload on its way into the index. `done` and `total` count what `stage` counts (pages, chunks ...); 0 of 0 is unknown."""

    job: str
    state: JobState
    done: int = Field(ge=0)
    total: int = Field(ge=0)
    stage: str
    doc_id: str | None
    name: str = Field(description="the uploaded name, as text")
    collection: str
    attempt: int = Field(ge=0)
    result: dict[str, Any] | None = Field(description="the row that `sectionary ingest` would print, when done")
    error: Problem | None
    created_at: str
    updated_at: str


class JobsReply(Reply):
    """The caller's jobs, newest first."""

    jobs: list[JobView]


class UploadReply(Reply):
    """The upload was taken; ask for the job to see what becomes of it."""

    job: str


class Health(Reply):
    """The process answers."""

    status: Literal["alive"]


class Readiness(Reply):
    """Whether requests can be served, and if not, why."""

    ready: bool
    reason: str | None


class StatusReply(Reply):
    """What the service runs with, for people and for the page."""

    version: str
    ready: bool
    reason: str | None
    embedder: str
    model: str | None = Field(description="the language model; null: answers are extractive")
    elasticsearch: str | None = Field(description="version of the server; null when it does not answer")
    may_write: bool = Field(description="whether the caller may upload and delete")
    upload_max_bytes: int
    formats: list[str] = Field(description="suffixes that are read")
    summaries: SummaryPlan | None = Field(description="when summaries are made; null when Elasticsearch does not tell")
