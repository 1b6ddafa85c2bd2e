"""Jobs on the real store: one worker a job, leases, cancelling, giving back, and what a caller may see of them."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from es_mappings.errors import NotFound
from es_mappings.index import Index, connect
from es_mappings.records import Job
from es_mappings.settings import Settings
from service import jobs
from service.job_store import JobStore
from service.lease import Lease

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def job(name: str = "j1", **changes: Any) -> Job:
    values = {
        "job": name,
        "owner": "owner",
        "collection": "default",
        "parameters": {"file": f"{name:0>32}", "name": "a.md", "source": "a.md"},
    }
    at = jobs.stamp(datetime.now(UTC))
    return Job(**{**values, "created_at": at, "updated_at": at, **changes})


@pytest.fixture
def index(settings: Settings) -> Iterator[Index]:
    opened = Index(connect(settings, settings.es_url), settings.index_prefix)
    opened.create(model="none", dims=2)
    yield opened
    opened.close()


@pytest.fixture
def store(index: Index) -> JobStore:
    return JobStore(index)


def test_a_job_can_be_claimed_when_it_waits_or_its_worker_went_silent() -> None:
    silent = job(state="running", lease_until=jobs.stamp(NOW - timedelta(seconds=1)))
    held = job(state="running", lease_until=jobs.stamp(NOW + timedelta(seconds=1)))
    assert [jobs.claimable(j, NOW) for j in (job(), silent, held, job(state="done"), job(state="cancelled"))] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_a_step_renews_the_lease_only_for_the_worker_that_holds_it() -> None:
    held = jobs.claimed(job(), "w1", NOW, 60)
    later = jobs.advanced(held, "w1", NOW + timedelta(seconds=50), 60, ("embedding", 3, 9))
    assert (later.stage, later.done, later.total, later.lease_until) == ("embedding", 3, 9, jobs.stamp(NOW + timedelta(seconds=110)))
    with pytest.raises(jobs.WorkStopped):
        jobs.advanced(held, "w2", NOW, 60, None)
    with pytest.raises(jobs.WorkStopped, match="cancelled"):
        jobs.advanced(jobs.cancelled(held, NOW), "w1", NOW, 60, None)


def test_cancelling_ends_a_waiting_job_tells_a_running_one_and_leaves_a_finished_one() -> None:
    assert jobs.cancelled(job(), NOW).state == "cancelled"
    running = jobs.cancelled(jobs.claimed(job(), "w1", NOW, 60), NOW)
    assert (running.state, running.cancel) == ("running", True)
    done = jobs.finished(jobs.claimed(job(), "w1", NOW, 60), "w1", NOW, {"doc_id": "d", "error": None})
    assert jobs.cancelled(done, NOW) == done


def test_giving_a_job_back_does_not_count_as_an_attempt() -> None:
    given_back = jobs.returned(jobs.claimed(job(), "w1", NOW, 60), "w1", NOW)
    assert (given_back.state, given_back.attempt, given_back.worker, given_back.lease_until) == ("queued", 0, "", None)


def test_a_row_with_an_error_fails_the_job() -> None:
    failed = jobs.finished(jobs.claimed(job(), "w1", NOW, 60), "w1", NOW, {"doc_id": "d", "error": {"code": "empty", "message": "m"}})
    assert (failed.state, failed.error) == ("failed", {"code": "empty", "message": "m"})


def test_the_shown_job_tells_nothing_about_workers_or_files() -> None:
    shown = jobs.job_view(jobs.claimed(job(), "w1", NOW, 60))
    assert {"job", "state", "done", "total", "doc_id", "error"} <= set(shown)
    assert not {"worker", "lease_until", "parameters", "owner"} & set(shown)


def test_many_workers_claim_each_job_once(store: JobStore) -> None:
    names = {f"j{n}" for n in range(12)}
    for name in names:
        store.add(job(name))
    claimed: list[str] = []

    def work(worker: str) -> None:
        while got := store.claim_next(worker, 60):
            claimed.append(got.job)

    threads = [threading.Thread(target=work, args=(f"w{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(claimed) == sorted(names)
    assert {store.get(name).attempt for name in names} == {1}


def test_jobs_are_claimed_in_the_order_they_came(store: JobStore) -> None:
    for seconds, name in enumerate(("first", "second", "third")):
        store.add(job(name, created_at=jobs.stamp(NOW + timedelta(seconds=seconds))))
    taken = [store.claim_next("w", 60) for _ in range(3)]
    assert [t.job for t in taken if t] == ["first", "second", "third"]


def test_an_expired_lease_is_claimed_again_and_the_old_worker_finds_out(store: JobStore) -> None:
    store.add(job())
    old = store.claim_next("w1", -1)
    assert old is not None
    new = store.claim_next("w2", 60)
    assert new is not None
    assert (new.job, new.attempt, new.worker) == (old.job, 2, "w2")
    with Lease(store, old, "w1", 60) as lease, pytest.raises(jobs.WorkStopped):
        lease.report("embedding", 1, 2)
    assert store.get("j1").worker == "w2"


def test_progress_and_cancelling_do_not_overwrite_each_other(store: JobStore) -> None:
    store.add(job())
    held = store.claim_next("w1", 60)
    assert held is not None

    def cancel() -> None:
        store.cancel("j1")

    thread = threading.Thread(target=cancel)
    stopped = False
    with Lease(store, held, "w1", 60) as lease:
        lease.report("reading", 0, 1)
        thread.start()
        try:
            for n in range(500):
                lease.report(f"stage {n}", n, 500)  # a new stage is always written
        except jobs.WorkStopped as stop:
            stopped = stop.args == (jobs.CANCELLED,)
    thread.join()
    assert stopped
    assert store.get("j1").cancel


def test_a_lease_is_renewed_while_the_work_says_nothing(store: JobStore) -> None:
    store.add(job())
    held = store.claim_next("w1", 0.6)
    assert held is not None
    with Lease(store, held, "w1", 0.6):
        threading.Event().wait(1.2)
        assert store.claim_next("w2", 60) is None
    assert store.get("j1").worker == "w1"


def test_lists_show_the_newest_first_and_only_the_owners(store: JobStore) -> None:
    store.add(job("old", created_at=jobs.stamp(NOW)))
    store.add(job("new", created_at=jobs.stamp(NOW + timedelta(seconds=5))))
    store.add(job("other", owner="groups:hr"))
    assert [j.job for j in store.recent("owner", 10)] == ["new", "old"]
    assert {j.job for j in store.recent(None, 10)} == {"new", "old", "other"}


def test_pruning_takes_only_jobs_that_ended_long_ago(store: JobStore) -> None:
    long_ago = jobs.stamp(datetime.now(UTC) - timedelta(days=8))
    store.add(job("ended", state="done", updated_at=long_ago))
    store.add(job("waiting", updated_at=long_ago))
    store.add(job("recent", state="failed"))
    assert store.prune() == 1
    with pytest.raises(NotFound):
        store.get("ended")
    assert store.active_files() == {f"{'waiting':0>32}"}
