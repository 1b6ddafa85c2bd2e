"""The worker on the real store: what becomes of a job whatever its ingest does, and that the spool is empty afterwards."""

import io
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from es_mappings.access import rule_for
from es_mappings.errors import EncryptedDocument, IndexUnavailable
from es_mappings.index import Index, connect
from es_mappings.records import Job
from es_mappings.settings import Settings
from ingest.pipeline import Order, Progress, Row
from service import jobs
from service.job_store import JobStore
from service.spool import Spool
from service.worker import Worker, run


def row(order: Order, **changes: Any) -> Row:
    return Row(
        **{"doc_id": "d1", "title": order.title, "path": str(order.source.path), "status": "created", "sections": 2, "chunks": 5, **changes}
    )


class Bench:
    """A store, a spool and a worker whose ingest the test writes."""

    def __init__(self, settings: Settings, index: Index) -> None:
        self.settings = settings
        self.store = JobStore(index)
        self.spool = Spool(settings.home / "spool")
        self.orders: list[Order] = []
        self.work: Callable[[Order, Progress], Row] = lambda order, _: row(order)

    def worker(self, **changes: object) -> Worker:
        def ingest(order: Order, report: Progress) -> Row:
            self.orders.append(order)
            return self.work(order, report)

        return Worker(self.store, self.spool, ingest, self.settings.model_copy(update=changes))

    def queue(self, name: str = "Leave policy.md", **changes: Any) -> str:
        own = self.spool.accept(io.BytesIO(b"# Leave"), name, 1_000)
        at = jobs.stamp(datetime.now(UTC))
        values = {"owner": "owner", "collection": "hr", "parameters": {"file": own, "name": name, "source": name}, **changes}
        self.store.add(Job(job=own[:32], created_at=at, updated_at=at, **values))
        return own[:32]

    def left(self) -> list[Path]:
        return list((self.settings.home / "spool").iterdir())


@pytest.fixture
def bench(settings: Settings) -> Iterator[Bench]:
    index = Index(connect(settings, settings.es_url), settings.index_prefix)
    index.create(model="none", dims=2)
    yield Bench(settings, index)
    index.close()


def test_a_job_is_done_with_its_row_and_the_file_goes(bench: Bench) -> None:
    job = bench.queue(access=("hr", "legal"))
    assert bench.worker().work_one()
    done = bench.store.get(job)
    assert (done.state, done.doc_id, done.error, done.lease_until) == ("done", "d1", {}, None)
    assert done.result["path"] == "Leave policy.md"
    assert bench.left() == []
    order = bench.orders[0]
    assert (order.collection, order.title, order.source.name) == ("hr", "Leave policy", "Leave policy.md")
    assert order.access == rule_for(["hr", "legal"])
    assert not bench.worker().work_one()


def test_a_failed_row_fails_the_job_under_the_uploaded_name(bench: Bench) -> None:
    def refuse(order: Order, _: Progress) -> Row:
        error = EncryptedDocument(f"{order.source.path.name} is encrypted: remove the password")
        return row(order, status="failed", error=(error.code, error.message))

    bench.work = refuse
    job = bench.queue("Contract.pdf")
    bench.worker().work_one()
    failed = bench.store.get(job)
    assert (failed.state, failed.error) == ("failed", {"code": "encrypted", "message": "Contract.pdf is encrypted: remove the password"})
    assert bench.left() == []


def test_a_fault_in_the_ingest_fails_its_job_and_the_next_is_done(bench: Bench) -> None:
    def stumble(order: Order, _: Progress) -> Row:
        if order.source.name == "bad.md":
            raise ZeroDivisionError("canary")
        return row(order)

    bench.work = stumble
    bad, good = bench.queue("bad.md"), bench.queue("good.md")
    worker = bench.worker()
    assert worker.work_one()
    assert worker.work_one()
    assert bench.store.get(good).state == "done"
    failed = bench.store.get(bad)
    assert (failed.state, failed.error["code"]) == ("failed", "internal")
    assert "canary" not in str(failed)


def test_a_cancelled_job_stops_at_its_next_step_and_its_file_goes(bench: Bench) -> None:
    def cancelled_meanwhile(order: Order, report: Progress) -> Row:
        report("reading", 0, 1)
        bench.store.cancel(job)
        report("embedding", 0, 9)
        raise AssertionError("it went on")

    bench.work = cancelled_meanwhile
    job = bench.queue()
    bench.worker().work_one()
    assert bench.store.get(job).state == "cancelled"
    assert bench.left() == []


def test_a_job_cancelled_while_it_waits_is_never_worked_on(bench: Bench) -> None:
    job = bench.queue()
    bench.store.cancel(job)
    assert not bench.worker().work_one()
    assert bench.orders == []
    assert bench.store.get(job).state == "cancelled"


def test_a_worker_that_is_told_to_stop_gives_its_job_back(bench: Bench) -> None:
    def interrupted(order: Order, report: Progress) -> Row:
        raise KeyboardInterrupt

    bench.work = interrupted
    job = bench.queue()
    with pytest.raises(KeyboardInterrupt):
        bench.worker().work_one()
    waiting = bench.store.get(job)
    assert (waiting.state, waiting.attempt) == ("queued", 0)
    assert len(bench.left()) == 1
    bench.work = lambda order, _: row(order)
    assert bench.worker().work_one()
    assert bench.store.get(job).state == "done"


def test_a_job_whose_worker_keeps_dying_is_given_up(bench: Bench) -> None:
    job = bench.queue()
    for _ in range(2):
        assert bench.store.claim_next("dead", -1)
    assert bench.worker(job_attempts=2).work_one()
    given_up = bench.store.get(job)
    assert (given_up.state, given_up.error["code"]) == ("failed", "backend")
    assert bench.orders == []
    assert bench.left() == []


def test_a_file_that_is_gone_is_told(bench: Bench) -> None:
    job = bench.queue()
    bench.left()[0].unlink()
    bench.worker().work_one()
    assert bench.store.get(job).error["code"] == "missing_file"


def test_progress_is_seen_while_the_work_goes_on(bench: Bench) -> None:
    seen = []

    def slow(order: Order, report: Progress) -> Row:
        report("embedding", 64, 128)
        seen.append(bench.store.get(job))
        return row(order)

    bench.work = slow
    job = bench.queue()
    bench.worker().work_one()
    assert (seen[0].state, seen[0].stage, seen[0].done, seen[0].total) == ("running", "embedding", 64, 128)


def test_a_worker_waits_out_trouble_with_elasticsearch(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.worker.TROUBLE_SECONDS", 0.01)
    stopping = threading.Event()
    calls = []

    class Flaky(Worker):
        def work_one(self) -> bool:
            calls.append(1)
            if len(calls) < 3:
                raise IndexUnavailable("down")
            stopping.set()
            return False

    run(Flaky(bench.store, bench.spool, lambda order, _: row(order), bench.settings), lambda: None, stopping)
    assert len(calls) == 3
