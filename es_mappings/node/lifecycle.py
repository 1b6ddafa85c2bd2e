"""start, stop, status and url of the local node; one node a data folder, whoever asks, however the last one ended."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import filelock

from es_mappings.errors import NodeError
from es_mappings.node import probe
from es_mappings.node.jars import elasticsearch_version
from es_mappings.node.process import NodeProcess, find, forget, last_words, launch, log_file
from es_mappings.node.program import assemble, keep_class_archive
from es_mappings.settings import Settings

ANSWER_SECONDS = 120
LOCK_SECONDS = 300
_POLL_SECONDS = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStatus:
    """What is known of the node. `local` is False when SECTIONARY_ES_URL points elsewhere; then only `url` is set.

    `health` is green, yellow or red, None when nothing answers; `memory_mb` is resident memory.
    """

    local: bool
    running: bool
    url: str | None
    health: str | None = None
    pid: int | None = None
    version: str | None = None
    memory_mb: int | None = None
    home: str | None = None
    log: str | None = None


def start(settings: Settings, report: Callable[[str], None] = lambda _: None) -> str:
    """The URL of a node that answers: the one of SECTIONARY_ES_URL, the running local one, or one that is started now.

    `report` is told, in a sentence, what takes long. Raises NodePortTaken, NodeMemoryShort, NodeDownloadFailed, NodeError.
    """
    if settings.es_url:
        return settings.es_url
    folder = node_folder(settings)
    with _locked(folder):
        process = find(folder)
        if process is None:
            probe.check_port(settings.node_port)
            probe.check_memory(settings.node_heap_mb)
            program = assemble(folder, report)
            process = launch(folder, program, settings.node_port, settings.node_heap_mb)
        _wait_until_it_answers(folder, process)
        return process.url


def stop(settings: Settings) -> bool:
    """End the local node, by force when it does not go by itself. False when none was running."""
    folder = node_folder(settings)
    if not folder.is_dir():
        return False
    with _locked(folder):
        process = find(folder)
        if process is None:
            return False
        process.end()
        forget(folder)
        keep_class_archive(folder)
        return True


def status(settings: Settings) -> NodeStatus:
    """Look, without starting or waiting for anything."""
    if settings.es_url:
        return NodeStatus(local=False, running=False, url=settings.es_url)
    folder = node_folder(settings)
    process = find(folder) if folder.is_dir() else None
    if process is None:
        return NodeStatus(local=True, running=False, url=None, version=elasticsearch_version(), home=str(folder))
    return NodeStatus(
        local=True,
        running=True,
        url=process.url,
        health=probe.health(process.port),
        pid=process.pid,
        version=elasticsearch_version(),
        memory_mb=process.memory_mb(),
        home=str(folder),
        log=str(log_file(folder)),
    )


def url(settings: Settings) -> str:
    """The URL of the Elasticsearch in use. Raises NodeError when the local node is not running."""
    known = status(settings).url
    if known is None:
        raise NodeError("the local Elasticsearch is not running: start it with `sectionary node start`")
    return known


def node_folder(settings: Settings) -> Path:
    """Where the node's program, data and logs are."""
    return settings.home.expanduser().absolute() / "node"


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(folder / "lock", timeout=LOCK_SECONDS):
            yield
    except filelock.Timeout:
        raise NodeError(
            f"another start or stop of the node in {folder} has been under way for {LOCK_SECONDS} s: end it, then try again"
        ) from None
    except PermissionError as error:
        raise NodeError(f"{error.filename} cannot be written: set SECTIONARY_HOME to a folder of your own") from None


def _wait_until_it_answers(folder: Path, process: NodeProcess) -> None:
    deadline = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < deadline:
        if probe.health(process.port) in {"green", "yellow"}:
            return
        if not process.alive():
            forget(folder)
            words = last_words(folder)
            if "Address already in use" in words or "BindHttpException" in words:
                raise probe.port_taken(process.port, "it was taken while the node started")
            raise NodeError(f"the local Elasticsearch ended while it started: {words} (the whole log: {log_file(folder)})")
        time.sleep(_POLL_SECONDS)
    raise NodeError(
        f"the local Elasticsearch (process {process.pid}) runs but does not get ready within {ANSWER_SECONDS} s: "
        f"look into {log_file(folder)}, then `sectionary node stop` and start again"
    )
