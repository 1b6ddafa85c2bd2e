"""Shared fixtures. A test that asks for `node_url` (or what is made from it) gets a real Elasticsearch, started once a run."""

import os
import shutil
import socket
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import elastic_transport
import filelock
import psutil
import pytest
from recorded_calls import Recorder, documented
from summary_store import store, stub  # noqa: F401 - fixtures of every module that does not have its own

from es_mappings import node
from es_mappings.index import Index, connect
from es_mappings.node.lifecycle import node_folder
from es_mappings.node.program import NODE_ARCHIVE, program_name
from es_mappings.settings import Settings, read_settings

HOMES = Path(__file__).parents[1] / ".cache/test-home"


@pytest.fixture(scope="session", autouse=True)
def _no_settings_from_outside() -> None:
    """What a developer has set must not reach the tests."""
    for name in [name for name in os.environ if name.startswith("SECTIONARY_")]:
        del os.environ[name]


@pytest.fixture(scope="session", autouse=True)
def _only_documented_calls() -> Iterator[None]:
    """What the run sends to Elasticsearch is recorded; at its end nothing of it may be missing in docs/reference/elasticsearch.md."""
    recorder = Recorder()
    perform = elastic_transport.Transport.perform_request

    def performing(transport: elastic_transport.Transport, method: str, target: str, **options: Any) -> Any:
        recorder.record(method, target, options.get("body"))
        return perform(transport, method, target, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elastic_transport.Transport, "perform_request", performing)
        yield
    assert recorder.seen - documented() == set(), "calls that docs/reference/elasticsearch.md does not list"


@pytest.fixture(scope="session")
def assembled_node() -> Path:
    """The node's program, assembled and run once for all runs in this checkout, so that it has its class archive."""
    shared = read_settings(home=HOMES / "shared", node_port=free_port())
    program = node_folder(shared) / program_name()
    shared.home.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(shared.home / "lock"):
        if not (program / NODE_ARCHIVE).exists():
            node.start(shared, print)
            node.stop(shared)
    return program


@pytest.fixture(scope="session")
def make_node_home(assembled_node: Path) -> Callable[[Path], Path]:
    """Gives a folder the assembled program (by hard links), so that a node started there is up in seconds."""

    def make(home: Path) -> Path:
        shutil.copytree(assembled_node, home / "node" / assembled_node.name, copy_function=_link_or_copy)
        return home

    return make


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)


@pytest.fixture(scope="session")
def node_settings(make_node_home: Callable[[Path], Path]) -> Iterator[Settings]:
    """Settings of this run's own node; it runs, and stops at the end of the run."""
    _sweep_homes_of_dead_runs()
    home = make_node_home(HOMES / f"run-{os.getpid()}-{uuid.uuid4().hex[:8]}")
    settings = read_settings(home=home, node_port=free_port())
    try:
        node.start(settings)
        yield settings
    finally:
        node.stop(settings)
        shutil.rmtree(home)


@pytest.fixture(scope="session")
def node_url(node_settings: Settings) -> str:
    """The URL of a running local Elasticsearch."""
    return node.url(node_settings)


@pytest.fixture
def index_prefix(node_url: str) -> Iterator[str]:
    """A prefix that no other test uses; its indices are deleted after the test."""
    prefix = f"test-{uuid.uuid4().hex[:12]}"
    yield prefix
    index = Index(connect(read_settings(), node_url), prefix)
    index.drop()
    index.close()


@pytest.fixture
def settings(node_url: str, index_prefix: str, tmp_path: Path) -> Settings:
    """Settings for this test alone: the run's node as an Elasticsearch that is already there, an own prefix and home."""
    return read_settings(es_url=node_url, index_prefix=index_prefix, home=tmp_path / "home")


@pytest.fixture
def index(settings: Settings) -> Iterator[Index]:
    """An empty index for vectors of 3 dimensions made by a model called "test"."""
    opened = Index(connect(settings, settings.es_url), settings.index_prefix)
    opened.create(model="test", dims=3)
    yield opened
    opened.close()


def free_port() -> int:
    """A port that nothing listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _sweep_homes_of_dead_runs() -> None:
    """A run that was killed could not stop its node."""
    for home in HOMES.glob("run-*"):
        if not psutil.pid_exists(int(home.name.split("-")[1])):
            node.stop(read_settings(home=home))
            shutil.rmtree(home, ignore_errors=True)
