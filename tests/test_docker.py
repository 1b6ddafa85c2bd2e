"""docker/ without an engine: the files are valid and agree with the project, and gunicorn runs as in the container."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import free_port

from es_mappings.index import RECORDS, mapping
from es_mappings.node.jars import elasticsearch_version
from es_mappings.settings import Settings

ROOT = Path(__file__).parents[1]
DOCKER = ROOT / "docker"
TOOLS = Path(sys.executable).parent


def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((DOCKER / "compose.yaml").read_text("utf-8")))


def test_compose_is_valid_by_the_compose_schema() -> None:
    checked = subprocess.run(
        [TOOLS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", DOCKER / "compose.yaml"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


def test_the_dockerfile_passes_hadolint() -> None:
    checked = subprocess.run([TOOLS / "hadolint", DOCKER / "Dockerfile"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(
    "script", ["scripts/demo", "scripts/test", "scripts/setup.sh", ".ci/run", "docker/setup/accounts.sh", "docker/setup/views.sh"]
)
def test_the_shell_scripts_pass_shellcheck(script: str) -> None:
    checked = subprocess.run(
        [TOOLS / "shellcheck", "--shell=bash", "--exclude=SC1091", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout


def test_compose_runs_the_elasticsearch_that_the_local_node_runs() -> None:
    tags = {service["image"].partition(":")[2] for service in compose()["services"].values() if "docker.elastic.co" in service["image"]}
    assert tags == {elasticsearch_version()}


def test_every_setting_in_the_docker_files_is_a_setting() -> None:
    known = {f"SECTIONARY_{name.upper()}" for name in Settings.model_fields}
    texts = [path.read_text("utf-8") for path in DOCKER.rglob("*") if path.is_file()]
    used = {name for text in texts for name in re.findall(r"\bSECTIONARY_[A-Z_]+", text)}
    assert used - known == set()


def test_every_secret_that_compose_asks_for_is_in_the_example() -> None:
    asked = set(re.findall(r"\$\{(\w+)", (DOCKER / "compose.yaml").read_text("utf-8")))
    offered = set(re.findall(r"^(\w+)=", (DOCKER / ".env.example").read_text("utf-8"), re.MULTILINE))
    assert asked == offered


def test_our_containers_have_no_more_rights_than_they_need() -> None:
    for name in ("service", "worker"):
        container = compose()["services"][name]
        assert container["read_only"] is True
        assert container["cap_drop"] == ["ALL"]
        assert container["user"] == "10001:10001"
    assert compose()["services"]["worker"]["networks"] == ["inside"]
    assert compose()["networks"]["inside"] == {"internal": True}
    published = [port for service in compose()["services"].values() for port in service.get("ports", [])]
    assert published
    assert all(port.startswith("127.0.0.1:") for port in published)


def test_the_dockerfile_copies_only_what_there_is_and_what_is_sent() -> None:
    lines = (DOCKER / "Dockerfile").read_text("utf-8").splitlines()
    copied = {name for line in lines if line.startswith("COPY ") and "--from" not in line for name in line.split()[1:-1]}
    sent = {line[1:] for line in (DOCKER / "Dockerfile.dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    assert copied == sent
    assert [name for name in copied if not (ROOT / name).exists()] == []


def test_kibana_is_given_fields_and_indices_that_exist() -> None:
    objects = [json.loads(line) for line in (DOCKER / "kibana.ndjson").read_text("utf-8").splitlines()]
    views = {item["id"]: item["attributes"] for item in objects if item["type"] == "index-pattern"}
    names = {"nodes", *RECORDS}
    properties = {id_: mapping(_one(names, view["title"]))["mappings"]["properties"] for id_, view in views.items()}
    assert all(view["timeFieldName"] in properties[id_] for id_, view in views.items())
    for item in objects:
        if item["type"] == "search":
            fields = properties[item["references"][0]["id"]]
            query = json.loads(item["attributes"]["kibanaSavedObjectMeta"]["searchSourceJSON"])["query"]["query"]
            used = {*item["attributes"]["columns"], *re.findall(r"(\w+)(?::| <)", query)}
            assert used - set(fields) == set(), item["id"]


def _one(names: set[str], title: str) -> str:
    (name,) = (name for name in names if title.startswith(f"sectionary-{name}"))
    return name


@pytest.fixture
def gunicorn_of_nobody(settings: Settings, tmp_path: Path) -> Iterator[str]:
    """The service as compose runs it: another user, no capabilities, a read-only root, and a writable home and /tmp only."""
    if os.getuid() != 0 or not all(map(shutil.which, ("setpriv", "unshare"))):
        pytest.skip("needs root and Debian's setpriv and unshare to become another user on a read-only root")
    port, home = free_port(), tmp_path / "home"
    home.mkdir()
    environment = {
        **os.environ,
        "HOME": "/nonexistent",
        "PYTHONDONTWRITEBYTECODE": "1",
        "SECTIONARY_HOME": str(home),
        "SECTIONARY_ES_URL": settings.es_url,
        "SECTIONARY_INDEX_PREFIX": settings.index_prefix,
        "SECTIONARY_HOST": "127.0.0.1",
        "SECTIONARY_PORT": str(port),
        "WEB_CONCURRENCY": "1",
    }
    user = "setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs"
    script = (
        f"mount -t tmpfs -o mode=1777 tmpfs {home} && mount -o remount,bind,ro / && mount -t tmpfs -o mode=1777 tmpfs /var/tmp && "
        f"exec {user} {sys.executable} -m gunicorn --config {DOCKER}/gunicorn.conf.py service.wsgi:app"
    )
    with subprocess.Popen(["unshare", "--mount", "sh", "-c", script], env=environment, cwd=ROOT, stderr=subprocess.PIPE) as process:
        try:
            yield _answering(process, port)
        finally:
            process.terminate()
            process.communicate(timeout=40)


def _answering(process: subprocess.Popen[bytes], port: int) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return f"http://127.0.0.1:{port}"
        time.sleep(0.2)
    process.kill()
    assert process.stderr
    raise AssertionError(process.stderr.read().decode())


def test_gunicorn_serves_as_another_user_on_a_read_only_root(gunicorn_of_nobody: str) -> None:
    with urllib.request.urlopen(f"{gunicorn_of_nobody}/healthz", timeout=60) as answer:
        assert json.load(answer) == {"status": "alive"}
