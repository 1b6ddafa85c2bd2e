"""Summaries over HTTP on the real store: the same JSON as the command, made by the worker on demand, within the caller's rights."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from flask.testing import FlaskClient
from staged_service import owner_client
from stub_llm import StubModel, StubReply
from summary_store import book_file, chapters, put

from es_mappings.access import OWNER, Reader, rule_for
from es_mappings.settings import Settings
from ingest.opening import open_store, workshop_of
from ingest.pipeline import Store
from ingest.summaries.rounds import SUMMARIES, Rounds
from service.app import create_app
from service.checks.summaries import examine
from service.models.schemas import published_schemas
from service.opening import open_services
from service.summary_orders import carry_out
from service.summary_status import summary_status
from service.worker import Worker

STAFF = {"X-Groups": "staff"}


@pytest.fixture
def client(store: Store) -> Iterator[FlaskClient]:
    settings = store.settings.model_copy(update={"groups_header": "X-Groups", "owner_key": "k" * 40})
    services = open_services(settings)
    yield owner_client(create_app(settings, services))
    services.index.close()


KEY = {"Authorization": f"Bearer {'k' * 40}"}


def shown(client: FlaskClient, address: str, headers: dict[str, str] = KEY) -> dict[str, Any]:
    reply = client.get(address, headers=headers)
    assert reply.status_code == 200, reply.text
    jsonschema.validate(reply.json, published_schemas()["summary"], cls=jsonschema.Draft202012Validator)
    found: dict[str, Any] = reply.json
    return found


def work_off(store: Store) -> None:
    services = open_services(store.settings)
    worker = Worker(
        services.jobs,
        services.spool,
        lambda order, report: pytest.fail("nothing was uploaded"),
        store.settings,
        lambda job, report: carry_out(workshop_of(store), job, report),
    )
    while worker.work_one():
        pass
    services.index.close()


def test_a_summary_is_read_with_its_coverage_and_a_style_costs_one_call(
    client: FlaskClient, store: Store, stub: StubModel, tmp_path: Path
) -> None:
    row = put(store, book_file(tmp_path, chapters(3)))
    address = f"/api/documents/{row.doc_id}/summary"
    made = stub.calls
    whole = shown(client, address)
    assert (whole["state"], whole["mode"], whole["llm_calls"], whole["coverage"]["share"]) == ("fresh", "llm", 0, 1.0)
    assert [section["title"] for section in whole["coverage"]["sections"]][2:] == ["Chapter 1", "Chapter 2", "Chapter 3"]
    assert sum(section["tokens"] for section in whole["coverage"]["sections"]) >= 3 * 600
    assert whole["made_at"]
    part = shown(client, f"{address}?section=chapter+2")
    assert part["section_key"] == f"{row.doc_id}/00001/00002"
    assert stub.calls == made
    styled = shown(client, f"{address}?style=for+a+child&length=80&language=zh")
    assert (styled["llm_calls"], stub.calls) == (1, made + 1)
    assert shown(client, f"{address}?style=for+a+child&length=80&language=zh")["llm_calls"] == 0


@pytest.mark.parametrize("query", ["length=5", "length=x", "style=" + "x" * 501, "nonsense=1", "section=", "language=" + "x" * 41])
def test_what_cannot_be_asked_for_is_refused(client: FlaskClient, query: str) -> None:
    reply = client.get(f"/api/documents/d/summary?{query}", headers=KEY)
    assert (reply.status_code, reply.json["error"]["code"]) == (400, "bad_request")  # type: ignore[index]


def test_what_is_not_there_or_not_theirs_is_not_found(client: FlaskClient, store: Store, tmp_path: Path) -> None:
    row = put(store, book_file(tmp_path, chapters(2)), access=rule_for(["board"]))
    addresses = ["/api/documents/nothing/summary", f"/api/documents/{row.doc_id}/summary", "/api/collections/default/overview"]
    for address in addresses:
        assert client.get(address, headers=STAFF).status_code == 404
    assert client.get(f"/api/documents/{row.doc_id}/summary?section=chapter+9", headers=KEY).status_code == 404
    assert client.post(f"/api/documents/{row.doc_id}/summary", headers=STAFF).status_code == 403


def test_by_hand_the_worker_makes_what_is_ordered(client: FlaskClient, store: Store, stub: StubModel, tmp_path: Path) -> None:
    with open_store(store.settings.model_copy(update={"summary_policy": "by-hand"})) as later:
        row = put(later, book_file(tmp_path, chapters(3)))
    address = f"/api/documents/{row.doc_id}/summary"
    before = shown(client, address)
    assert (before["state"], stub.calls) == ("pending", 0)
    assert before["summary"]  # extracts stand in
    job = client.post(address, headers=KEY).json["job"]  # type: ignore[index]
    overview = client.post("/api/collections/default/overview", headers=KEY).json["job"]  # type: ignore[index]
    work_off(store)
    for one in (job, overview):
        reply = client.get(f"/api/jobs/{one}", headers=KEY).json
        assert (reply["state"], reply["error"]) == ("done", None)  # type: ignore[index]
    assert shown(client, address)["state"] == "fresh"
    assert stub.calls == 4  # the overview of a single document is its summary
    assert shown(client, "/api/collections/default/overview")["state"] == "fresh"


def test_an_order_that_the_endpoint_cannot_fill_fails_and_says_why(
    client: FlaskClient, store: Store, stub: StubModel, tmp_path: Path
) -> None:
    with open_store(store.settings.model_copy(update={"summary_policy": "by-hand"})) as later:
        row = put(later, book_file(tmp_path, chapters(2)))
    stub.default = StubReply(status=401)
    job = client.post(f"/api/documents/{row.doc_id}/summary", headers=KEY).json["job"]  # type: ignore[index]
    work_off(store)
    reply = client.get(f"/api/jobs/{job}", headers=KEY).json
    assert (reply["state"], reply["error"]["code"]) == ("failed", "model_unavailable")  # type: ignore[index]
    assert "refuses the key" in reply["error"]["message"]  # type: ignore[index]


def test_a_slow_or_silent_model_costs_a_styled_request_its_deadline_and_an_error(store: Store, stub: StubModel, tmp_path: Path) -> None:
    row = put(store, book_file(tmp_path, chapters(2)))
    settings = store.settings.model_copy(update={"request_deadline_seconds": 1.0})
    services = open_services(settings)
    client = owner_client(create_app(settings, services))
    cases = ((StubReply(text="late", delay=3), 504), (StubReply(text=" "), 503), (StubReply(raw=b"<html>no JSON"), 503))
    for number, (reply, status) in enumerate(cases):
        stub.default = reply
        answered = client.get(f"/api/documents/{row.doc_id}/summary?style=case+{number}")
        assert answered.status_code == status, answered.text
        assert len(answered.json["error"]["message"]) > 20  # type: ignore[index]
    services.index.close()


def test_the_status_and_the_doctor_tell_the_policy_the_next_run_and_what_waits(store: Store, tmp_path: Path) -> None:
    put(store, book_file(tmp_path, chapters(2), "open.md"))
    settings: Settings = store.settings.model_copy(update={"summary_policy": "every:30"})
    with open_store(settings) as later:
        put(later, book_file(tmp_path, chapters(2), "closed.md"), access=rule_for(["board"]))
    Rounds(name=SUMMARIES, policy="every:30", index=store.index, act=lambda: None)()
    status = summary_status(store.index, store.access, settings, OWNER)
    assert (status.states["fresh"], status.states["pending"], status.waiting) == (1, 1, 1)
    assert status.next_run is not None
    assert summary_status(store.index, store.access, settings, Reader()).states["pending"] == 0
    services = open_services(settings)
    told = owner_client(create_app(settings, services)).get("/api/status").json["summaries"]  # type: ignore[index]
    services.index.close()
    assert (told["policy"], told["documents"]["pending"]) == ("every:30", 1)
    (check,) = examine(settings)
    assert check.state == "ok"
    assert "1 of 2 documents" in check.message
    assert status.next_run.strftime("%H:%M") in check.message
    (waiting,) = examine(settings.model_copy(update={"summary_policy": "by-hand"}))
    assert waiting.state == "warn"
    assert "sectionary summary" in waiting.message
