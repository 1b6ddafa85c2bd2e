"""The app around the services: one error shape, headers, limits, the OpenAPI document, streams, health. No Elasticsearch here."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from staged_service import ANSWER, HIT, PASSAGE, Script, owner_client, parse_events, staged_app

from es_mappings.access import OWNER
from es_mappings.errors import DeadlineExceeded, IndexUnavailable, NotFound, Overloaded
from es_mappings.settings import Settings, read_settings
from service.models.search import AnswerReply, SearchReply

EVENTS = {"Accept": "text/event-stream"}


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def made(tmp_path: Path) -> Settings:
    return read_settings(home=tmp_path, upload_max_bytes=200_000, es_timeout_seconds=1)


@pytest.fixture
def client(made: Settings, script: Script) -> FlaskClient:
    return owner_client(staged_app(made, script))


def is_error(reply: Any, status: int, code: str) -> bool:
    assert reply.status_code == status, reply.text
    assert set(reply.json) == {"error"}
    assert set(reply.json["error"]) == {"code", "message"}
    assert reply.json["error"]["message"]
    return bool(reply.json["error"]["code"] == code)


def test_search_hands_over_what_was_asked_and_who_asks(client: FlaskClient, script: Script) -> None:
    reply = client.post("/api/search", json={"query": "leave", "section": "chapter 3", "document": ["d1"], "size": 5})
    assert reply.status_code == 200
    assert reply.json["hits"] == [HIT]
    SearchReply.model_validate(reply.json)
    body, reader = script.asked[0]
    assert (body.query, body.sections, body.documents, body.size, reader) == ("leave", ("chapter 3",), ("d1",), 5, OWNER)


def test_an_answer_as_json_is_what_done_carries(client: FlaskClient) -> None:
    reply = client.post("/api/answers", json={"query": "how much leave?"})
    assert reply.json == ANSWER
    AnswerReply.model_validate(reply.json)


def test_an_answer_streams_as_passages_deltas_and_the_whole(client: FlaskClient) -> None:
    reply = client.post("/api/answers", json={"query": "how much leave?"}, headers=EVENTS)
    assert reply.mimetype == "text/event-stream"
    events = parse_events(reply.data)
    assert [name for name, _ in events] == ["passages", "delta", "delta", "done"]
    assert json.loads(events[0][1])["passages"] == [PASSAGE]
    assert "".join(data for name, data in events if name == "delta") == ANSWER["answer"]
    assert json.loads(events[-1][1]) == ANSWER


def test_a_stream_that_fails_ends_in_an_error_event(client: FlaskClient, script: Script) -> None:
    script.failure = DeadlineExceeded("the model took too long: ask again")
    events = parse_events(client.post("/api/answers", json={"query": "x"}, headers=EVENTS).data)
    assert [name for name, _ in events] == ["passages", "error"]
    assert json.loads(events[-1][1]) == {"error": {"code": "deadline_exceeded", "message": "the model took too long: ask again"}}


def test_a_fault_of_ours_never_shows_its_words(client: FlaskClient, script: Script) -> None:
    script.failure = RuntimeError("secret-canary in a traceback")
    reply = client.post("/api/search", json={"query": "x"})
    assert is_error(reply, 500, "internal")
    stream = client.post("/api/answers", json={"query": "x"}, headers=EVENTS)
    assert parse_events(stream.data)[-1][0] == "error"
    assert b"canary" not in reply.data + stream.data


@pytest.mark.parametrize(
    ("failure", "status"), [(IndexUnavailable("down: start it"), 503), (Overloaded("busy: later"), 429), (NotFound("not here"), 404)]
)
def test_an_error_has_the_status_of_its_class(client: FlaskClient, script: Script, failure: Exception, status: int) -> None:
    script.failure = failure
    reply = client.post("/api/search", json={"query": "x"})
    assert is_error(reply, status, failure.code)  # type: ignore[attr-defined]
    assert ("Retry-After" in reply.headers) is (status in (429, 503))


@pytest.mark.parametrize(
    ("method", "address", "sent", "status", "code"),
    [
        ("POST", "/api/search", {"json": {}}, 400, "bad_request"),
        ("POST", "/api/search", {"json": []}, 400, "bad_request"),
        ("POST", "/api/search", {"data": "{", "content_type": "application/json"}, 400, "bad_request"),
        ("POST", "/api/search", {"data": b"\xff\xfe", "content_type": "application/json"}, 400, "bad_request"),
        ("POST", "/api/search", {"data": "query=x"}, 400, "bad_request"),
        ("POST", "/api/search", {"data": '{"query": "\\ud800"}', "content_type": "application/json"}, 400, "bad_request"),
        ("POST", "/api/search", {"json": {"query": "x", "groups": "hr"}}, 400, "bad_request"),
        ("POST", "/api/answers", {"json": {"query": "x", "budget": 1}}, 400, "bad_request"),
        ("POST", "/api/search", {"data": b" " * 1_000_001, "content_type": "application/json"}, 413, "too_large"),
        ("GET", "/api/search", {}, 405, "method_not_allowed"),
        ("GET", "/api/nothing", {}, 404, "not_found"),
        ("GET", "/web/../app.py", {}, 404, "not_found"),
        ("GET", "/web/%2e%2e/app.py", {}, 404, "not_found"),
        ("GET", "/web/nothing.js", {}, 404, "not_found"),
        ("GET", "/api/documents?collection=", {}, 400, "bad_request"),
        ("GET", "/api/documents?other=1", {}, 400, "bad_request"),
        ("POST", "/api/documents", {}, 400, "bad_request"),
        ("POST", "/api/documents", {"data": {"file": "text, not a file"}}, 400, "bad_request"),
        ("POST", "/api/documents", {"data": {"file": (io.BytesIO(b"x"), "")}}, 400, "bad_request"),
        ("POST", "/api/documents", {"data": {"file": (io.BytesIO(b"x"), "a.md"), "groups": "hr"}}, 400, "bad_request"),
        ("POST", "/api/documents", {"data": {"file": (io.BytesIO(b"x" * 300_000), "a.md")}}, 413, "too_large"),
        ("POST", "/api/documents", {"data": {f"f{n}": "x" for n in range(50)}, "content_type": "multipart/form-data"}, 413, "too_large"),
    ],
)
def test_bad_requests_get_the_one_error_shape(
    client: FlaskClient, method: str, address: str, sent: dict[str, Any], status: int, code: str
) -> None:
    assert is_error(client.open(address, method=method, **sent), status, code)


def test_a_body_over_the_limit_is_refused_before_it_is_read(client: FlaskClient) -> None:
    class Unread(io.BytesIO):
        def read(self, *_: object) -> bytes:
            raise AssertionError("the body was read")

    for address, kind in (("/api/search", "application/json"), ("/api/documents", "multipart/form-data; boundary=x")):
        reply = client.post(address, input_stream=Unread(), content_type=kind, environ_overrides={"CONTENT_LENGTH": "10000000"})
        assert is_error(reply, 413, "too_large")


@pytest.mark.parametrize("address", ["/", "/api/status", "/healthz", "/api/nothing", "/web/main.js", "/openapi.json"])
def test_every_response_carries_the_security_headers(client: FlaskClient, address: str) -> None:
    headers = client.get(address).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert "Access-Control-Allow-Origin" not in headers
    assert headers["Cache-Control"] == ("no-cache" if address in ("/", "/web/main.js") else "no-store")


def test_a_foreign_host_gets_nothing_anywhere(client: FlaskClient) -> None:
    for address in ("/", "/web/main.js", "/api/status", "/api/documents"):
        assert is_error(client.get(address, headers={"Host": "evil.example"}), 400, "bad_request")


def test_a_foreign_page_cannot_search_upload_or_delete(client: FlaskClient) -> None:
    headers = {"Origin": "http://evil.example"}
    assert is_error(client.post("/api/search", json={"query": "x"}, headers=headers), 400, "bad_request")
    assert is_error(client.delete("/api/documents/d1", headers=headers), 400, "bad_request")


def test_nobody_may_write_beyond_loopback(tmp_path: Path, script: Script) -> None:
    client = staged_app(read_settings(home=tmp_path, host="0.0.0.0"), script).test_client()
    file = {"file": (io.BytesIO(b"# Title"), "a.md")}
    assert is_error(client.post("/api/documents", data=file), 401, "unauthenticated")
    assert is_error(client.delete("/api/documents/d1"), 401, "unauthenticated")
    assert client.get("/api/jobs").json == {"jobs": []}
    assert client.get("/api/status").json["may_write"] is False
    assert not (tmp_path / "spool").exists()


def test_health_is_about_the_process_and_readiness_about_elasticsearch(client: FlaskClient, script: Script) -> None:
    assert client.get("/readyz").json == {"ready": True, "reason": None}
    script.failure = IndexUnavailable("Elasticsearch does not answer: start it")
    assert client.get("/healthz").json == {"status": "alive"}
    down = client.get("/readyz")
    assert (down.status_code, down.json) == (503, {"ready": False, "reason": "Elasticsearch does not answer: start it"})
    status = client.get("/api/status").json
    assert (status["ready"], status["elasticsearch"], status["embedder"]) == (False, None, "staged")


def test_the_openapi_document_describes_every_route(made: Settings, script: Script) -> None:
    app = staged_app(made, script)
    described = owner_client(app).get("/openapi.json").json
    routes = {
        (rule.rule.replace("<path:", "<").replace("<", "{").replace(">", "}"), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith(("/api", "/healthz", "/readyz"))
    }
    assert {(path, method) for path, item in described["paths"].items() for method in item} == routes
    assert len(routes) >= 13
    for path, item in described["paths"].items():
        for method, operation in item.items():
            assert operation["summary"], (path, method)
            for status, answer in operation["responses"].items():
                schema = answer["content"]["application/json"]["schema"]
                assert (schema["$ref"].endswith("/ErrorReply")) is (int(status) >= 400 and (path, status) != ("/readyz", "503")), (
                    path,
                    method,
                    status,
                )


def test_the_page_comes_with_its_parts_and_says_when_nothing_changed(client: FlaskClient) -> None:
    page = client.get("/")
    assert page.mimetype == "text/html"
    assert client.get("/web/base.css").mimetype == "text/css"
    assert client.get("/web/main.js").mimetype == "text/javascript"
    assert client.get("/", headers={"If-None-Match": page.headers["ETag"]}).status_code == 304
