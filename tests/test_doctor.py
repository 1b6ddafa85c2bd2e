"""`sectionary doctor` finds what does not work, tells no secrets, and leaves nothing on the cluster."""

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import elastic_transport
import pytest
from click.testing import CliRunner
from recorded_calls import Recorder, documented
from stub_llm import StubModel

from es_mappings.index import connect, mapping
from es_mappings.settings import Settings, read_settings
from service.checks import cluster, machine, models, probes
from service.cli.doctor import command


def test_every_step_works_on_the_local_node_and_leaves_nothing_behind(settings: Settings) -> None:
    checks = list(cluster.examine(settings))
    assert {check.name: check.message for check in checks} == dict.fromkeys(cluster.STEPS, "works")
    client = connect(settings, settings.es_url)
    assert client.indices.get(index=f"{settings.index_prefix}-doctor-*").body == {}
    client.close()


def test_every_call_and_query_type_that_is_documented_is_tried(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder, perform = Recorder(), elastic_transport.Transport.perform_request

    def performing(transport: elastic_transport.Transport, method: str, target: str, **options: Any) -> Any:
        recorder.record(method, target, options.get("body"))
        return perform(transport, method, target, **options)

    monkeypatch.setattr(elastic_transport.Transport, "perform_request", performing)
    assert all(check.state == "ok" for check in cluster.examine(settings))
    assert documented() - recorder.seen == set()


def test_every_analyzer_of_the_mappings_is_tried() -> None:
    analyzers = set(mapping("nodes")["settings"]["analysis"]["analyzer"])
    assert {name for name in analyzers if not name.endswith("_search")} == set(probes.ANALYZERS)


@pytest.mark.parametrize(("told", "state"), [(None, "ok"), (32_768, "ok"), (131_072, "ok"), (8_192, "fail")])
def test_the_window_of_the_settings_is_held_against_what_the_endpoint_tells(told: int | None, state: str) -> None:
    with StubModel(window=told) as stub:
        checks = {check.name: check for check in models.examine(read_settings(llm_base_url=stub.url))}
    assert checks["language model"].state == "ok"
    assert checks["context window"].state == state
    assert told is None or f"{told:,}" in checks["context window"].message


@pytest.fixture
def refusing_cluster() -> Iterator[str]:
    """A server that answers as Elasticsearch to a key without any privilege."""

    class Refuse(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(403)
            self.send_header("X-Elastic-Product", "Elasticsearch")
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps({"error": {"type": "security_exception"}, "status": 403}).encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refuse) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_missing_privilege_is_told_as_the_step_that_needs_it(refusing_cluster: str) -> None:
    (check,) = cluster.examine(read_settings(es_url=refusing_cluster, es_api_key="key"))
    assert (check.name, check.state) == ("elasticsearch", "fail")
    assert "privilege" in check.message


def test_a_variable_that_is_no_setting_is_named_with_the_one_that_was_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECTIONARY_NOD_PORT", "1")
    (check,) = (check for check in machine.examine(read_settings()) if check.name == "settings")
    assert check.state == "warn"
    assert "SECTIONARY_NOD_PORT (meant: SECTIONARY_NODE_PORT?)" in check.message


def test_the_report_lists_all_settings_masks_secrets_and_fails_while_the_node_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "k3y-that-must-not-be-shown"
    for name in ("ES_API_KEY", "ES_PASSWORD", "LLM_API_KEY", "EMBEDDER_API_KEY", "RERANKER_API_KEY"):
        monkeypatch.setenv(f"SECTIONARY_{name}", secret)
    monkeypatch.setenv("SECTIONARY_EMBEDDER_BASE_URL", f"http://me:{secret}@127.0.0.1/v1")
    monkeypatch.setenv("SECTIONARY_HOME", str(tmp_path))
    ran = CliRunner().invoke(command, ["--json"], standalone_mode=False)
    assert secret not in ran.output
    report = json.loads(ran.stdout)
    assert {entry["name"] for entry in report["settings"]} == {f"SECTIONARY_{name.upper()}" for name in Settings.model_fields}
    states = {check["name"]: check for check in report["checks"]}
    assert states["elasticsearch"]["state"] == "fail"
    assert "sectionary node start" in states["elasticsearch"]["message"]
    assert ran.return_value == 1
    assert json.loads(ran.stderr.splitlines()[-1])["error"]["code"] == "unhealthy"
