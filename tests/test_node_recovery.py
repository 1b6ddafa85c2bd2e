"""The local node comes back from whatever ended it or its starter."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from conftest import free_port

from es_mappings import node
from es_mappings.errors import NodeError
from es_mappings.node import process
from es_mappings.node.lifecycle import node_folder
from es_mappings.settings import Settings, read_settings


@pytest.fixture
def own(tmp_path: Path, make_node_home: Callable[[Path], Path]) -> Iterator[Settings]:
    """Settings of a node of this test alone, not started yet; stopped after the test."""
    settings = read_settings(home=make_node_home(tmp_path / "home"), node_port=free_port(), node_heap_mb=256)
    yield settings
    node.stop(settings)


def call(settings: Settings, method: str, path: str, body: object = None) -> dict[str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", settings.node_port, timeout=30)
    try:
        connection.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
        return dict(json.loads(connection.getresponse().read()))
    finally:
        connection.close()


def test_what_was_stored_survives_a_killed_node_and_stop_start(own: Settings) -> None:
    node.start(own)
    call(own, "PUT", "/kept/_doc/1", {"word": "stays"})
    pid = node.status(own).pid
    assert pid
    os.kill(pid, signal.SIGKILL)
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.02)
    assert not node.status(own).running
    with pytest.raises(NodeError, match="sectionary node start"):
        node.url(own)
    node.start(own)
    assert call(own, "GET", "/kept/_doc/1")["_source"] == {"word": "stays"}
    assert node.stop(own)
    assert not node.stop(own)


def test_a_starter_killed_before_it_noted_the_node_leaves_one_that_the_next_start_takes_over(own: Settings) -> None:
    code = (
        "import os, signal\nfrom es_mappings import node\nfrom es_mappings.node import process\n"
        "from es_mappings.settings import read_settings\n"
        "process._write_state = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\nnode.start(read_settings())"
    )
    environment = {**os.environ, "SECTIONARY_HOME": str(own.home), "SECTIONARY_NODE_PORT": str(own.node_port)}
    killed = subprocess.run([sys.executable, "-c", code], env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not (node_folder(own) / "node.json").exists()
    orphan = process.find(node_folder(own))
    assert orphan
    assert node.start(own) == orphan.url
    assert node.status(own).pid == orphan.pid


def test_a_recycled_pid_is_not_taken_for_the_node(own: Settings) -> None:
    node_folder(own).joinpath("node.json").write_text(json.dumps({"pid": os.getpid(), "started": 1.0, "port": own.node_port}))
    assert not node.status(own).running
    assert not node.stop(own)
    assert psutil.pid_exists(os.getpid())


@pytest.mark.parametrize("state", ["", "{", "[]", '{"pid": 1}', '{"pid": "x", "started": 0, "port": 1}'])
def test_a_damaged_note_counts_as_none(own: Settings, state: str) -> None:
    node_folder(own).joinpath("node.json").write_text(state)
    assert not node.status(own).running


def test_starters_at_the_same_time_end_up_with_one_node(own: Settings) -> None:
    environment = {
        **os.environ,
        "SECTIONARY_HOME": str(own.home),
        "SECTIONARY_NODE_PORT": str(own.node_port),
        "SECTIONARY_NODE_HEAP_MB": "256",
    }
    command = [sys.executable, "-c", "from service.cli import main; main()", "node", "start", "--json"]
    starters = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) for _ in range(2)]
    printed = [json.loads(starter.communicate(timeout=120)[0]) for starter in starters]
    assert printed == [{"url": f"http://127.0.0.1:{own.node_port}"}] * 2
    mark = f"path.data={node_folder(own) / 'data'}"
    assert len([p for p in psutil.process_iter(["cmdline"]) if mark in (p.info["cmdline"] or [])]) == 1


def test_a_start_that_fails_says_why_and_the_next_one_works(own: Settings) -> None:
    data = node_folder(own) / "data"
    data.write_text("not a folder")
    with pytest.raises(NodeError, match=r"ended while it started: .*data"):
        node.start(own)
    data.unlink()
    assert node.start(own) == f"http://127.0.0.1:{own.node_port}"
