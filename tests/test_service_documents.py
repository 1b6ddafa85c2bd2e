"""Documents over HTTP on the real store: upload to shelf, outlines, text in its place, deleting, and whose eyes they are for."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from flask.testing import FlaskClient
from plain_store import open_plain_store
from staged_service import Script, owner_client, staged_app, staged_services

from es_mappings.settings import Settings
from ingest.pipeline import Store, ingest
from service.models.bounds import READING_PASSAGES
from service.models.schemas import published_schemas
from service.worker import Worker

HANDBOOK = """# Handbook

Before any chapter.

## 1 Leave

Thirty days a year.

### 1.1 Sick leave

Tell your lead by nine.

## 2 Pay

On the last working day.
"""
GROUPS = "X-Groups"


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    with open_plain_store(settings) as opened:
        yield opened


@pytest.fixture
def client(settings: Settings, store: Store) -> FlaskClient:
    return owner_client(staged_app(settings, Script(), store.index))


def member_client(settings: Settings, store: Store) -> FlaskClient:
    """A client behind a trusted proxy that names groups."""
    made = settings.model_copy(update={"groups_header": GROUPS, "writer_groups": "editors"})
    return owner_client(staged_app(made, Script(), store.index))


def send(client: FlaskClient, text: str = HANDBOOK, name: str = "handbook.md", *, as_groups: str = "", **fields: str) -> Any:
    headers = {GROUPS: as_groups} if as_groups else {}
    return client.post("/api/documents", data={"file": (io.BytesIO(text.encode()), name), **fields}, headers=headers)


def work(settings: Settings, store: Store) -> None:
    """Work every waiting job off."""
    staged = staged_services(settings, Script(), store.index)
    worker = Worker(staged.jobs, staged.spool, lambda order, report: ingest(order, store, report), settings)
    while worker.work_one():
        pass


def stored(client: FlaskClient, settings: Settings, store: Store, **sent: Any) -> str:
    """Upload and ingest; returns the document's id."""
    job = send(client, **sent).json["job"]
    work(settings, store)
    return str(client.get(f"/api/jobs/{job}").json["doc_id"])


def check(name: str, reply: Any) -> Any:
    jsonschema.Draft202012Validator(published_schemas()[name]).validate(reply.json)
    return reply.json


def test_an_upload_becomes_a_job_and_then_a_document(client: FlaskClient, settings: Settings, store: Store) -> None:
    taken = send(client, collection="hr")
    assert taken.status_code == 202
    job = check("upload", taken)["job"]
    assert check("job", client.get(f"/api/jobs/{job}"))["state"] == "queued"
    assert client.get("/api/documents").json == {"documents": []}
    work(settings, store)
    done = check("job", client.get(f"/api/jobs/{job}"))
    assert (done["state"], done["error"], done["name"], done["result"]["status"]) == ("done", None, "handbook.md", "created")
    (document,) = check("documents", client.get("/api/documents"))["documents"]
    assert (document["doc_id"], document["title"], document["collection"], document["sections"]) == (done["doc_id"], "Handbook", "hr", 4)
    assert document["structure_confidence"] == 1.0
    assert check("document", client.get(f"/api/documents/{done['doc_id']}")) == document
    assert client.get("/api/documents?collection=other").json == {"documents": []}
    assert list((settings.home / "spool").iterdir()) == []


def test_the_same_file_again_is_unchanged_and_another_replaces_it(client: FlaskClient, settings: Settings, store: Store) -> None:
    first = stored(client, settings, store)
    again = send(client).json["job"]
    changed = send(client, HANDBOOK.replace("Thirty", "Forty")).json["job"]
    work(settings, store)
    assert client.get(f"/api/jobs/{again}").json["result"]["status"] == "unchanged"
    assert client.get(f"/api/jobs/{changed}").json["result"]["status"] == "updated"
    assert [document["doc_id"] for document in client.get("/api/documents").json["documents"]] == [first]


def test_a_file_that_cannot_be_read_fails_its_job_in_words(client: FlaskClient, settings: Settings, store: Store) -> None:
    job = send(client, "   \n", "Notes of Monday.md").json["job"]
    work(settings, store)
    failed = check("job", client.get(f"/api/jobs/{job}"))
    assert (failed["state"], failed["error"]["code"]) == ("failed", "empty")
    assert failed["error"]["message"].startswith("Notes of Monday.md")
    assert client.get("/api/documents").json == {"documents": []}


def test_the_outline_and_the_text_in_its_place(client: FlaskClient, settings: Settings, store: Store) -> None:
    doc = stored(client, settings, store)
    outline = check("outline", client.get(f"/api/documents/{doc}/outline"))
    keys = {row["title"]: row["key"] for row in outline["sections"]}
    assert list(keys) == ["Handbook", "1 Leave", "1.1 Sick leave", "2 Pay"]
    leave = check("section", client.get(f"/api/documents/{doc}/sections/{keys['1 Leave']}"))
    assert [(part["title"], [p["content"] for p in part["passages"]]) for part in leave["sections"]] == [
        ("1 Leave", ["Thirty days a year."]),
        ("1.1 Sick leave", ["Tell your lead by nine."]),
    ]
    assert (leave["previous"], leave["next"], leave["more"]) == (keys["Handbook"], keys["2 Pay"], None)
    whole = check("section", client.get(f"/api/documents/{doc}/sections/{doc}"))
    assert [part["title"] for part in whole["sections"]] == ["Handbook", "Handbook", "1 Leave", "1.1 Sick leave", "2 Pay"]
    assert (whole["previous"], whole["next"]) == (None, None)


def test_a_long_section_is_read_page_by_page_without_loss(client: FlaskClient, settings: Settings, store: Store) -> None:
    count = READING_PASSAGES + 12
    text = "# Book\n\n" + "".join(f"## Part {n}\n\nSentence number {n}.\n\n" for n in range(count)) + "## Last, without text\n"
    doc = stored(client, settings, store, text=text, name="book.md")
    first = client.get(f"/api/documents/{doc}/sections/{doc}").json
    second = client.get(f"/api/documents/{doc}/sections/{doc}?after={first['more']}").json
    read = [passage["content"] for page in (first, second) for part in page["sections"] for passage in part["passages"]]
    assert read == [f"Sentence number {n}." for n in range(count)]
    assert second["more"] is None
    assert second["sections"][-1]["title"] == "Last, without text"


@pytest.mark.parametrize("address", ["", "/outline", "/sections/{doc}/00009", "/sections/other/00001"])
def test_what_is_not_there_is_not_found(client: FlaskClient, settings: Settings, store: Store, address: str) -> None:
    doc = stored(client, settings, store) if "{doc}" in address or "other" in address else "0" * 32
    reply = client.get(f"/api/documents/{doc}{address.format(doc=doc)}")
    assert (reply.status_code, reply.json["error"]["code"]) == (404, "not_found")


def test_a_deleted_document_is_gone_at_once(client: FlaskClient, settings: Settings, store: Store) -> None:
    doc = stored(client, settings, store)
    assert check("delete", client.delete(f"/api/documents/{doc}")) == {"deleted": [doc], "missing": []}
    assert client.get("/api/documents").json == {"documents": []}
    assert client.get(f"/api/documents/{doc}/sections/{doc}").status_code == 404
    assert client.delete(f"/api/documents/{doc}").status_code == 404


def test_a_closed_document_is_like_none_to_those_outside_its_groups(settings: Settings, store: Store) -> None:
    client = member_client(settings, store)
    job = send(client, as_groups="hr,editors", access="hr").json["job"]
    work(settings, store)
    doc = client.get(f"/api/jobs/{job}", headers={GROUPS: "hr,editors"}).json["doc_id"]
    inside, outside = {GROUPS: "hr"}, {GROUPS: "sales"}
    assert [d["doc_id"] for d in client.get("/api/documents", headers=inside).json["documents"]] == [doc]
    assert client.get("/api/documents", headers=outside).json == {"documents": []}
    for address in (f"/api/documents/{doc}", f"/api/documents/{doc}/outline", f"/api/documents/{doc}/sections/{doc}"):
        assert client.get(address, headers=inside).status_code == 200
        hidden, absent = client.get(address, headers=outside), client.get(address.replace(doc, "f" * 32), headers=outside)
        assert (hidden.status_code, hidden.json) == (absent.status_code, absent.json) == (404, absent.json)


def test_a_writer_cannot_replace_or_delete_what_they_may_not_read(settings: Settings, store: Store) -> None:
    client = member_client(settings, store)
    job = send(client, as_groups="hr,editors", access="hr").json["job"]
    work(settings, store)
    doc = client.get(f"/api/jobs/{job}", headers={GROUPS: "hr,editors"}).json["doc_id"]
    taken = send(client, "# Other", as_groups="editors")
    assert (taken.status_code, taken.json["error"]["code"]) == (403, "forbidden")
    assert client.delete(f"/api/documents/{doc}", headers={GROUPS: "editors"}).status_code == 404
    assert client.delete(f"/api/documents/{doc}", headers={GROUPS: "hr"}).status_code == 403
    assert client.get(f"/api/documents/{doc}", headers={GROUPS: "hr"}).json["sections"] == 4


def test_a_job_is_seen_and_cancelled_only_by_whose_it_is(settings: Settings, store: Store, client: FlaskClient) -> None:
    members = member_client(settings, store)
    job = send(members, as_groups="editors").json["job"]
    for groups in ("editors,hr", "hr", ""):
        headers = {GROUPS: groups} if groups else {}
        assert members.get(f"/api/jobs/{job}", headers=headers).status_code == 404
        assert members.delete(f"/api/jobs/{job}", headers=headers).status_code == 404
        assert members.get("/api/jobs", headers=headers).json == {"jobs": []}
    assert client.get(f"/api/jobs/{job}").json["state"] == "queued"
    mine = {GROUPS: "editors"}
    assert [j["job"] for j in check("jobs", members.get("/api/jobs", headers=mine))["jobs"]] == [job]
    assert check("job", members.delete(f"/api/jobs/{job}", headers=mine))["state"] == "cancelled"


def test_a_failing_store_leaves_no_file_behind(settings: Settings, tmp_path: Path) -> None:
    client = owner_client(staged_app(settings.model_copy(update={"home": tmp_path, "es_timeout_seconds": 1}), Script()))
    reply = send(client)
    assert (reply.status_code, reply.json["error"]["code"]) == (503, "index_unavailable")
    assert list(tmp_path.rglob("*.md")) == []


def test_names_from_outside_stay_text(client: FlaskClient, settings: Settings, store: Store) -> None:
    job = send(client, name="../../<img src=x onerror=alert(1)>.md").json["job"]
    work(settings, store)
    done = client.get(f"/api/jobs/{job}").json
    assert (done["state"], done["name"]) == ("done", "<img src=x onerror=alert(1)>.md")
