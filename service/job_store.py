"""Jobs in Elasticsearch: every change is read, checked and written only if nobody else wrote meanwhile."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from es_mappings.errors import NotFound, Overloaded, RevisionConflict
from es_mappings.index import Index
from es_mappings.records import Job
from service import jobs

TRIES = 20
KEPT = timedelta(days=7)


class JobStore:
    """The `jobs` index as a queue. Every method raises IndexUnavailable or IndexRefused when Elasticsearch does not do its part."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def add(self, job: Job) -> None:
        """Store a new job; workers and lists see it at once."""
        self._index.put(self._index.jobs, job.job, job.to_source(), expect=None, refresh=True)

    def get(self, job_id: str) -> Job:
        """The newest state of a job. Raises NotFound."""
        stored = self._index.get(self._index.jobs, job_id)
        if stored is None:
            raise NotFound("there is no such job")
        return Job.from_source(stored.source)

    def change(self, job_id: str, step: Callable[[Job], Job], *, refresh: bool = False) -> Job:
        """Apply a transition to the newest state, again when another writer was first.

        Raises NotFound, Overloaded, and what `step` raises.
        """
        for _ in range(TRIES):
            stored = self._index.get(self._index.jobs, job_id)
            if stored is None:
                raise NotFound("there is no such job")
            before = Job.from_source(stored.source)
            after = step(before)
            if after == before:
                return before
            try:
                self._index.put(self._index.jobs, job_id, after.to_source(), expect=stored, refresh=refresh)
            except RevisionConflict:
                continue
            return after
        raise Overloaded("the job is being changed by too many at once: try again in a moment")

    def cancel(self, job_id: str) -> Job:
        """Ask a job to stop: a waiting one ends at once, a running one at its next step. Raises NotFound."""
        return self.change(job_id, lambda job: jobs.cancelled(job, datetime.now(UTC)), refresh=True)

    def claim_next(self, worker: str, lease_seconds: float) -> Job | None:
        """The oldest job that waits or whose worker went silent, now held by `worker`; None when there is none."""
        now = datetime.now(UTC)
        for hit in self._index.search(self._index.jobs, _waiting(jobs.stamp(now))):
            try:
                return self.change(hit["_id"], lambda job: _claim(job, worker, now, lease_seconds), refresh=True)
            except (jobs.WorkStopped, NotFound):
                continue
        return None

    def recent(self, owner: str | None, limit: int) -> tuple[Job, ...]:
        """The newest jobs, of one owner or (None) of all."""
        query: dict[str, Any] = {"match_all": {}} if owner is None else {"term": {"owner": owner}}
        body = {"query": query, "sort": [{"created_at": "desc"}], "size": limit}
        return tuple(Job.from_source(hit["_source"]) for hit in self._index.search(self._index.jobs, body))

    def active_files(self) -> frozenset[str]:
        """The spool files that unfinished jobs still need."""
        query = {"terms": {"state": list(jobs.ACTIVE)}}
        self._index.refresh(self._index.jobs)
        return frozenset(hit["_source"]["parameters"]["file"] for hit in self._index.scan(self._index.jobs, query))

    def prune(self) -> int:
        """Delete records of jobs that ended more than a week ago; returns how many."""
        long_ago = jobs.stamp(datetime.now(UTC) - KEPT)
        ended = {"bool": {"filter": [{"terms": {"state": sorted(jobs.FINISHED)}}, {"range": {"updated_at": {"lt": long_ago}}}]}}
        return self._index.delete_matching(self._index.jobs, ended)


def _claim(job: Job, worker: str, now: datetime, lease_seconds: float) -> Job:
    if not jobs.claimable(job, now):
        raise jobs.WorkStopped("taken by another worker")
    return jobs.claimed(job, worker, now, lease_seconds)


def _waiting(now: str) -> dict[str, Any]:
    expired = {"bool": {"filter": [{"term": {"state": "running"}}, {"range": {"lease_until": {"lt": now}}}]}}
    return {
        "query": {"bool": {"filter": [{"bool": {"should": [{"term": {"state": "queued"}}, expired], "minimum_should_match": 1}}]}},
        "sort": [{"created_at": "asc"}],
        "size": 10,
    }
