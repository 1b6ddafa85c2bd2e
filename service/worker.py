"""Works jobs off: claims one, ingests its file under a lease that is kept fresh, records what became of it, takes the next.

Run as `python -m service.worker`; SIGTERM and SIGINT give the job in hand back to the queue. Ingest is idempotent, so a job
that was cut anywhere is simply done again.
"""

import contextlib
import secrets
import signal
import socket
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import PurePath

import structlog

from es_mappings.access import rule_for
from es_mappings.derived import derived_id
from es_mappings.errors import BackendError, MissingDocument, NotFound, RequestError, RevisionConflict, SectionaryError
from es_mappings.records import Job
from es_mappings.settings import Settings, read_settings
from ingest.opening import open_store, workshop_of
from ingest.pipeline import Order, Progress, Row, Store, ingest
from ingest.sources import Source
from ingest.summaries.documents import DocumentSummaries, unheard
from ingest.summaries.mapreduce import Progress as SummaryProgress
from ingest.summaries.policy import collections_of, waiting_documents
from ingest.summaries.rounds import SUMMARIES, THEMES, Rounds
from ingest.summaries.shelves import ShelfOutcome, Shelves
from service import jobs
from service.failures import fault_of_ours
from service.job_store import JobStore
from service.lease import Lease
from service.logs import set_up_logs
from service.spool import Spool
from service.summary_orders import INGEST, carry_out

IDLE_SECONDS = 0.5
TROUBLE_SECONDS = 5.0
TIDY_SECONDS = 600.0

Ingest = Callable[[Order, Progress], Row]
CarryOut = Callable[[Job, Progress], dict[str, object]]
log = structlog.get_logger()


class Worker:
    """One worker over the queue; `ingest` makes nodes of a file and returns the row that tells what became of it.

    `summarise` carries out the jobs that order summaries; without it they fail.
    """

    def __init__(self, store: JobStore, spool: Spool, ingest: Ingest, settings: Settings, summarise: CarryOut | None = None) -> None:
        self._store = store
        self._spool = spool
        self._ingest, self._summarise = ingest, summarise
        self._settings = settings
        self.name = f"{socket.gethostname()}-{secrets.token_hex(6)}"

    def work_one(self) -> bool:
        """Claim and finish one job; False when none waits. Raises IndexUnavailable when Elasticsearch does not answer."""
        job = self._store.claim_next(self.name, self._settings.job_lease_seconds)
        if job is None:
            return False
        if job.attempt > self._settings.job_attempts:
            message = f"its worker stopped {job.attempt - 1} times on this document: the machine may be short of memory; try a smaller file"
            self._end(job, lambda now: lambda j: jobs.failed(j, now, BackendError.code, message))
            return True
        try:
            with Lease(self._store, job, self.name, self._settings.job_lease_seconds) as lease:
                row = self._row(job, lease.report) if job.kind == INGEST else self._made(job, lease.report)
        except jobs.WorkStopped as stop:
            log.info("job stopped", job=job.job, why=str(stop))
            if stop.args == (jobs.CANCELLED,):
                self._end(job, lambda now: lambda j: jobs.dropped(j, now))
        except KeyboardInterrupt:
            self._store.change(job.job, lambda j: jobs.returned(j, self.name, datetime.now(UTC)), refresh=True)
            raise
        else:
            self._end(job, lambda now: lambda j: jobs.finished(j, self.name, now, row))
        return True

    def _row(self, job: Job, report: Progress) -> dict[str, object]:
        name = job.parameters["name"]
        path = self._spool.path(job.parameters["file"])
        if not path.is_file():
            return _failed_row(job, MissingDocument(f"{name} is no longer in the spool: upload it again"))
        order = Order(
            source=Source(path=path, name=job.parameters["source"]),
            collection=job.collection,
            access=rule_for(job.access) if job.access else None,
            title=PurePath(name).stem,
        )
        try:
            row = self._ingest(order, report).as_json()
        except (SectionaryError, jobs.WorkStopped):
            raise
        except Exception as error:  # noqa: BLE001  # a fault of ours fails this job, and the next one gets its turn
            row = _failed_row(job, SectionaryError(fault_of_ours(error)["error"]["message"]))
        return _renamed(row, path.name, name)

    def _made(self, job: Job, report: Progress) -> dict[str, object]:
        """The row of a job that orders summaries."""
        if self._summarise is None:
            return _failed_row(job, SectionaryError("this worker makes no summaries: start one with `python -m service.worker`"))
        try:
            return self._summarise(job, report)
        except BackendError:
            raise
        except SectionaryError as error:
            return _failed_row(job, error)

    def _end(self, job: Job, step: Callable[[datetime], Callable[[Job], Job]]) -> None:
        try:
            after = self._store.change(job.job, step(datetime.now(UTC)), refresh=True)
        except (jobs.WorkStopped, RequestError):  # another worker has it now, or somebody deleted it
            return
        if job.parameters.get("file"):
            self._spool.remove(job.parameters["file"])
        log.info("job ended", job=job.job, state=after.state, code=after.error.get("code"))

    def tidy(self) -> None:
        """Delete what nobody needs: records of old jobs, files without a job."""
        self._store.prune()
        self._spool.sweep(self._store.active_files())


def run(worker: Worker, tidy: Callable[[], None], stopping: threading.Event, idle: Sequence[Callable[[], None]] = ()) -> None:
    """Work until told to stop; what is `idle` comes when no job waits. Trouble with the back ends is waited out."""
    tidied = float("-inf")
    while not stopping.is_set():
        try:
            if time.monotonic() - tidied > TIDY_SECONDS:
                tidy()
                tidied = time.monotonic()
            if not worker.work_one():
                for act in idle:
                    act()
                stopping.wait(IDLE_SECONDS)
        except BackendError as error:
            log.warning("waiting for the back end", code=error.code)
            stopping.wait(TROUBLE_SECONDS)


def summary_rounds(store: Store) -> tuple[Rounds, Rounds]:
    """What the settings say is to be done every so many minutes about summaries and about themes."""
    workshop = workshop_of(store)

    def documents() -> None:
        summaries = DocumentSummaries(workshop)
        for doc_id in waiting_documents(store.index):
            outcome = summaries.make(doc_id)
            log.info("summaries made", doc_id=doc_id, state=outcome.state, requests=outcome.requests, failed=len(outcome.failed))
        shelves = Shelves(workshop)
        for collection in collections_of(store.index):
            overview = store.revisions.manifest(derived_id(collection, "overview"))
            if overview is None or overview.summary_state != "fresh":
                _make(shelves.overview, collection)

    def themes() -> None:
        shelves = Shelves(workshop)
        for collection in collections_of(store.index):
            _make(shelves.themes, collection)

    return (
        Rounds(name=SUMMARIES, policy=store.settings.summary_policy, index=store.index, act=documents),
        Rounds(name=THEMES, policy=store.settings.summary_themes, index=store.index, act=themes),
    )


def _make(make: Callable[[str, SummaryProgress], ShelfOutcome], collection: str) -> None:
    with contextlib.suppress(NotFound, RevisionConflict):  # nothing to make it of yet, or a document changed meanwhile
        made = make(collection, unheard)
        log.info("made across documents", doc_id=made.doc_id, nodes=made.nodes, requests=made.requests)


def main() -> None:
    """The worker process."""
    set_up_logs()
    settings = read_settings()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with open_store(settings) as store:
            worker = Worker(
                JobStore(store.index),
                Spool(settings.home / "spool"),
                lambda order, report: ingest(order, store, report),
                settings,
                lambda job, report: carry_out(workshop_of(store), job, report),
            )
            log.info("worker ready", worker=worker.name)

            def tidy() -> None:
                worker.tidy()
                store.revisions.sweep()

            run(worker, tidy, threading.Event(), summary_rounds(store))
    except KeyboardInterrupt:
        log.info("worker stopped")


def _failed_row(job: Job, error: SectionaryError) -> dict[str, object]:
    row = Row(doc_id=job.doc_id, title=PurePath(job.parameters["name"]).stem, path="", status="failed", error=(error.code, error.message))
    return row.as_json()


def _renamed(row: dict[str, object], own_name: str, name: str) -> dict[str, object]:
    """The row with the uploaded name where the spool's own name stood."""
    error = row["error"]
    if isinstance(error, dict):
        error = {**error, "message": str(error["message"]).replace(own_name, name)}
    return {**row, "path": name, "error": error}


if __name__ == "__main__":
    main()
