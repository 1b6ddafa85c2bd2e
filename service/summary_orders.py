"""Making summaries by the worker: somebody orders them as a job, and the worker carries it out."""

import secrets
from collections.abc import Callable
from datetime import UTC, datetime

from es_mappings.records import Job, Manifest
from ingest.pipeline import Progress
from ingest.summaries.documents import DocumentSummaries
from ingest.summaries.policy import told
from ingest.summaries.shelves import Shelves
from ingest.summaries.workshop import Workshop
from service.identity import Caller
from service.jobs import stamp
from service.services import Services

INGEST, DOCUMENT, OVERVIEW = "ingest", "summaries", "overview"  # kinds of jobs


def order_summaries(services: Services, who: Caller, manifest: Manifest) -> Job:
    """Queue the making of what is missing of a document's summaries."""
    return _ordered(services, who, DOCUMENT, manifest.collection, manifest.title, manifest.doc_id)


def order_overview(services: Services, who: Caller, collection: str) -> Job:
    """Queue the making of a collection's overview."""
    return _ordered(services, who, OVERVIEW, collection, collection)


def _ordered(services: Services, who: Caller, kind: str, collection: str, name: str, doc_id: str = "") -> Job:
    now = stamp(datetime.now(UTC))
    job = Job(
        job=secrets.token_hex(16),
        kind=kind,
        owner=who.name,
        doc_id=doc_id,
        collection=collection,
        parameters={"name": name, "file": ""},
        created_at=now,
        updated_at=now,
    )
    services.jobs.add(job)
    return job


def carry_out(workshop: Workshop, job: Job, report: Progress) -> dict[str, object]:
    """Make what a job orders; returns the row that becomes its result. Raises what the making raises."""

    def progress(done: int, total: int) -> None:
        report("summarising", done, total)

    return MAKERS[job.kind](workshop, job, progress)


def _document(workshop: Workshop, job: Job, progress: Callable[[int, int], None]) -> dict[str, object]:
    outcome = DocumentSummaries(workshop).make(job.doc_id, progress)
    note = told(outcome)
    error = {"code": "model_unavailable", "message": note} if note and outcome.state in ("pending", "stale") else None
    row = {"doc_id": job.doc_id, "title": job.parameters["name"], "status": "summarised", "requests": outcome.requests}
    return row | {"warnings": [note] if note else [], "error": error}


def _overview(workshop: Workshop, job: Job, progress: Callable[[int, int], None]) -> dict[str, object]:
    outcome = Shelves(workshop).overview(job.collection, progress)
    row = {"doc_id": outcome.doc_id, "title": job.parameters["name"], "status": "summarised", "requests": outcome.requests}
    return row | {"warnings": [], "error": None}


MAKERS: dict[str, Callable[[Workshop, Job, Callable[[int, int], None]], dict[str, object]]] = {DOCUMENT: _document, OVERVIEW: _overview}
