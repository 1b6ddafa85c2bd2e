"""`sectionary serve` as a process: it tells where it is, serves and ingests, and takes everything down with it."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import psutil
import pytest

from es_mappings.settings import Settings
from service.processes import Child, stop, supervise

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
BOUNDARY = "sectionary-test"


def ask(url: str, data: bytes | None = None, kind: str = "application/json") -> Any:
    request = urllib.request.Request(url, data, {"Content-Type": kind} if data else {})
    with OPENER.open(request, timeout=20) as reply:
        return json.load(reply)


def wait_until(what: Callable[[], bool], seconds: float = 90) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.1)


@pytest.fixture
def served(settings: Settings) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command with its address, once it answers."""
    environment = {
        **os.environ,
        "SECTIONARY_ES_URL": settings.es_url,
        "SECTIONARY_INDEX_PREFIX": settings.index_prefix,
        "SECTIONARY_HOME": str(settings.home),
        "WEB_CONCURRENCY": "1",
    }
    command = [sys.executable, "-c", "from service.cli import main; main()", "serve", "--port", "0", "--json"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, json.loads(process.stdout.readline())["url"]
        finally:
            process.kill()


def test_it_serves_ingests_and_stops_whole(served: tuple[subprocess.Popen[str], str]) -> None:
    process, url = served
    assert ask(f"{url}/healthz") == {"status": "alive"}
    wait_until(lambda: bool(ask(f"{url}/readyz")["ready"]))
    head = 'Content-Disposition: form-data; name="file"; filename="doors.md"'
    part = f"--{BOUNDARY}\r\n{head}\r\n\r\n# Doors\n\nShut them.\r\n--{BOUNDARY}--\r\n"
    job = ask(f"{url}/api/documents", part.encode(), f"multipart/form-data; boundary={BOUNDARY}")["job"]
    wait_until(lambda: ask(f"{url}/api/jobs/{job}")["state"] == "done")
    found = ask(f"{url}/api/search", json.dumps({"query": "shut doors"}).encode())
    assert [hit["content"] for hit in found["hits"]] == ["Shut them."]
    family = psutil.Process(process.pid).children(recursive=True)
    assert len(family) >= 3
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    assert psutil.wait_procs(family, timeout=5)[1] == []


@pytest.mark.skipif(sys.platform != "linux", reason="children are told of their parent's death on Linux only")
def test_nothing_outlives_a_serve_that_is_killed(served: tuple[subprocess.Popen[str], str]) -> None:
    process, _ = served
    family = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait(10)
    assert psutil.wait_procs(family, timeout=40)[1] == []


def child(code: str, *, must_stay: bool) -> Child:
    return Child(name="child", command=[sys.executable, "-c", code], environment={}, must_stay=must_stay)


def test_when_the_server_ends_all_end() -> None:
    server, worker = child("raise SystemExit(3)", must_stay=True), child("import time; time.sleep(60)", must_stay=False)
    try:
        assert supervise([server, worker], lambda: False, lambda: None) == 3
    finally:
        stop([server, worker], 5)
    assert worker.ended() is not None


def test_a_worker_that_ends_is_started_again(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.processes.RESTART_SECONDS", 0.1)
    mark = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')"
    worker, server = child(mark, must_stay=False), child("import time; time.sleep(60)", must_stay=True)

    class Enough(Exception):
        pass

    def ready() -> bool:
        if (tmp_path / "starts").exists() and len((tmp_path / "starts").read_text()) >= 3:
            raise Enough
        return False

    with pytest.raises(Enough):
        supervise([server, worker], ready, lambda: None)
    stop([server, worker], 5)


def test_a_child_that_does_not_listen_is_ended_after_the_grace_period() -> None:
    deaf = child(
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('x', flush=True); time.sleep(60)", must_stay=True
    )
    deaf.start()
    time.sleep(1.0)
    began = time.monotonic()
    stop([deaf], 0.5)
    assert time.monotonic() - began < 5
    assert deaf.ended() == -signal.SIGKILL
