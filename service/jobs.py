"""What may happen to a job, as pure functions from one record to the next.

queued -> running -> done, failed or cancelled. A running job whose lease has expired may be claimed by another worker, as
often as the settings allow; a cancelled running job stops at its next step.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from es_mappings.records import Job

FINISHED = frozenset({"done", "failed", "cancelled"})
ACTIVE = ("queued", "running")
CANCELLED = "cancelled"


class WorkStopped(Exception):
    """The worker must drop this job: somebody cancelled it, or its lease went to another worker."""


def stamp(moment: datetime) -> str:
    """A moment as it is stored: ISO 8601 in UTC with milliseconds."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def claimable(job: Job, now: datetime) -> bool:
    """Whether a worker may take this job: it waits, or whoever had it went silent."""
    return job.state == "queued" or (job.state == "running" and (job.lease_until is None or job.lease_until < stamp(now)))


def claimed(job: Job, worker: str, now: datetime, lease_seconds: float) -> Job:
    """The job in the hands of a worker, for one more attempt."""
    return replace(
        job,
        state="running",
        worker=worker,
        attempt=job.attempt + 1,
        stage="starting",
        done=0,
        total=0,
        lease_until=stamp(now + timedelta(seconds=lease_seconds)),
        updated_at=stamp(now),
    )


def advanced(job: Job, worker: str, now: datetime, lease_seconds: float, step: tuple[str, int, int] | None) -> Job:
    """The job one step further (stage, done, total), or as it was for None, with a new lease. Raises WorkStopped."""
    _check_held(job, worker)
    if job.cancel:
        raise WorkStopped(CANCELLED)
    stage, done, total = step or (job.stage, job.done, job.total)
    lease = stamp(now + timedelta(seconds=lease_seconds))
    return replace(job, stage=stage, done=done, total=total, lease_until=lease, updated_at=stamp(now))


def finished(job: Job, worker: str, now: datetime, row: Mapping[str, Any]) -> Job:
    """The job with the row that its ingest gave; a row with an error makes it failed. Raises WorkStopped."""
    _check_held(job, worker)
    error = row.get("error") or {}
    return replace(
        job,
        state="failed" if error else "done",
        stage="",
        done=job.total,
        doc_id=str(row.get("doc_id") or job.doc_id),
        result=dict(row),
        error=dict(error),
        lease_until=None,
        updated_at=stamp(now),
    )


def failed(job: Job, now: datetime, code: str, message: str) -> Job:
    """The job given up for a reason."""
    return replace(job, state="failed", stage="", lease_until=None, error={"code": code, "message": message}, updated_at=stamp(now))


def cancelled(job: Job, now: datetime) -> Job:
    """The job after somebody asked to cancel: a waiting one ends at once, a running one is told, a finished one stays."""
    if job.state in FINISHED:
        return job
    if job.state == "queued":
        return dropped(job, now)
    return replace(job, cancel=True, updated_at=stamp(now))


def dropped(job: Job, now: datetime) -> Job:
    """The job ended by a cancellation."""
    return replace(job, state="cancelled", stage="", cancel=True, lease_until=None, updated_at=stamp(now))


def returned(job: Job, worker: str, now: datetime) -> Job:
    """The job back in the queue, because its worker is shutting down; the attempt does not count. Raises WorkStopped."""
    _check_held(job, worker)
    attempt = max(job.attempt - 1, 0)
    return replace(job, state="queued", worker="", attempt=attempt, stage="", done=0, total=0, lease_until=None, updated_at=stamp(now))


def _check_held(job: Job, worker: str) -> None:
    if job.state != "running" or job.worker != worker:
        raise WorkStopped("lease lost")


def job_view(job: Job) -> dict[str, Any]:
    """The job as the service shows it; nothing about workers, leases or files."""
    return {
        "job": job.job,
        "state": job.state,
        "done": job.done,
        "total": job.total,
        "stage": job.stage,
        "doc_id": job.doc_id or None,
        "name": job.parameters.get("name", ""),
        "collection": job.collection,
        "attempt": job.attempt,
        "result": job.result or None,
        "error": job.error or None,
        "created_at": job.created_at,
        "updated_at": job.updated_at,
    }
