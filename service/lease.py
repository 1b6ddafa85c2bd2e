"""A claimed job while it is worked on: progress is written now and then, the lease is renewed, a cancellation is noticed."""

import threading
import time
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from es_mappings.errors import BackendError, NotFound
from es_mappings.records import Job
from service import jobs
from service.job_store import JobStore

WRITE_SECONDS = 0.4  # at most this often, so that progress costs little beside the work itself


class Lease:
    """Holds a job for a `with` block; `report` is the progress function of the ingest."""

    def __init__(self, store: JobStore, job: Job, worker: str, lease_seconds: float) -> None:
        self._store = store
        self._job = job
        self._worker = worker
        self._seconds = lease_seconds
        self._step: tuple[str, int, int] | None = None
        self._written_at = float("-inf")
        self._stop: jobs.WorkStopped | None = None
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="lease", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._done.set()
        self._thread.join()

    def report(self, stage: str, done: int, total: int) -> None:
        """Note how far the work is. Raises WorkStopped when the job was cancelled or given to another worker."""
        new_stage = self._step is None or self._step[0] != stage
        self._step = (stage, done, total)
        if new_stage or time.monotonic() - self._written_at > WRITE_SECONDS:
            self._write()
        if self._stop is not None:
            raise self._stop

    def _renew(self) -> None:
        while not self._done.wait(self._seconds / 3):
            self._write()

    def _write(self) -> None:
        with self._lock:
            self._written_at = time.monotonic()
            step = self._step
            try:
                self._store.change(self._job.job, lambda job: jobs.advanced(job, self._worker, datetime.now(UTC), self._seconds, step))
            except jobs.WorkStopped as stop:
                self._stop = stop
            except NotFound:
                self._stop = jobs.WorkStopped("the job was deleted")
            except BackendError:  # the ingest itself meets this trouble and reports it; a lost lease shows at the next write
                return
