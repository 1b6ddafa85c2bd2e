"""The node's operating system process: started apart from the terminal, found again, and ended."""

import json
import os
import re
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from es_mappings.errors import NodeError
from es_mappings.node.program import MAIN_CLASS, class_archive_options, java

HOST = "127.0.0.1"
TERMINATE_SECONDS = 30
# Nothing else is handed down: keys in SECTIONARY_* are none of the node's business, and JAVA_TOOL_OPTIONS would change it.
_INHERITED = ("HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TMPDIR", "TZ")
_LOG_PREFIX = re.compile(r"^(\[[^\]]*\])+")
_FAULT = re.compile(r"Exception|Error|error|hell")


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeProcess:
    """A node's process: `started` is its start time (seconds since the epoch), which tells it from a recycled `pid`."""

    pid: int
    started: float
    port: int

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def alive(self) -> bool:
        return self._process() is not None

    def memory_mb(self) -> int | None:
        """Resident memory, None when the process is gone."""
        process = self._process()
        return process.memory_info().rss // 2**20 if process else None

    def end(self) -> None:
        """SIGTERM, and SIGKILL when it does not go within 30 s."""
        process = self._process()
        if process is None:
            return
        process.terminate()
        try:
            process.wait(TERMINATE_SECONDS)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(TERMINATE_SECONDS)

    def _process(self) -> psutil.Process | None:
        try:
            process = psutil.Process(self.pid)
            same = process.create_time() == self.started and process.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return None
        return process if same else None


def launch(folder: Path, program: Path, port: int, heap_mb: int) -> NodeProcess:
    """Start the node of `folder` and note its process there. Raises NodeError when the Java cannot be run."""
    log = log_file(folder)
    log.parent.mkdir(exist_ok=True)
    if log.exists():
        log.replace(log.with_suffix(".previous.log"))
    # The shell is gone at once, so the node belongs to init: it outlives us and never becomes our zombie.
    outcome = subprocess.run(  # noqa: S603  # paths and numbers of our own settings
        [
            "/bin/sh",
            "-c",
            'log=$1; shift; "$@" >"$log" 2>&1 </dev/null & echo $!',
            "sh",
            str(log),
            *_command(folder, program, port, heap_mb),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={name: os.environ[name] for name in _INHERITED if name in os.environ},
        start_new_session=True,
    )
    try:
        pid = int(outcome.stdout)
        process = NodeProcess(pid=pid, started=psutil.Process(pid).create_time(), port=port)
    except (ValueError, psutil.NoSuchProcess):
        raise NodeError(f"Java could not be started: {outcome.stderr.strip() or last_words(folder)}") from None
    _write_state(folder, process)
    return process


def _command(folder: Path, program: Path, port: int, heap_mb: int) -> list[str]:
    settings = {
        "cluster.name": "sectionary-local",
        "node.name": "local",
        "path.data": folder / "data",
        "path.logs": folder / "logs",
        "discovery.type": "single-node",
        "network.host": HOST,
        "http.port": port,
        # Nobody connects to the transport of a single node: any free port will do.
        "transport.port": 0,
        # At 95 % Elasticsearch would make every index read-only, on a laptop's disk as on a build machine's; a disk that is really
        # full still refuses the write.
        "cluster.routing.allocation.disk.threshold_enabled": "false",
    }
    return [
        str(java()),
        f"-Xms{heap_mb}m",
        f"-Xmx{heap_mb}m",
        "-XX:+UseSerialGC",  # the smallest memory and the fewest threads
        "-XX:+ExitOnOutOfMemoryError",  # a node that limps on after it is worse than one that is gone
        "-XX:-UsePerfData",
        "-Xlog:disable",
        "-Xlog:all=error:stderr",  # an archive that does not fit is not used, and nobody need read that
        *class_archive_options(program),
        f"-Des.path.home={program}",
        "-Dlog4j2.disable.jmx=true",
        "--add-modules=jdk.net,jdk.management,java.sql",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        os.pathsep.join(map(str, sorted(program.glob("lib/*.jar")))),  # in a fixed order, which the class archive depends on
        MAIN_CLASS,
        str(program),
        *(f"{name}={value}" for name, value in settings.items()),
    ]


def find(folder: Path) -> NodeProcess | None:
    """The running node of this folder: the one that was noted, or one whose starter was killed before it could note it."""
    try:
        noted = NodeProcess(**json.loads(_state_file(folder).read_text()))
        if noted.alive():
            return noted
    except (OSError, ValueError, TypeError):
        pass  # never written, or damaged: the search below decides
    found = _search(folder)
    if found:
        _write_state(folder, found)
    else:
        _state_file(folder).unlink(missing_ok=True)
    return found


def _search(folder: Path) -> NodeProcess | None:
    mark = f"path.data={folder / 'data'}"
    for process in psutil.process_iter(["cmdline", "create_time", "status"]):
        command = process.info["cmdline"] or []
        if MAIN_CLASS in command and mark in command and process.info["status"] != psutil.STATUS_ZOMBIE:
            port = next(int(part.removeprefix("http.port=")) for part in command if part.startswith("http.port="))
            return NodeProcess(pid=process.pid, started=process.info["create_time"], port=port)
    return None


def forget(folder: Path) -> None:
    """Remove the note of a process that has ended."""
    _state_file(folder).unlink(missing_ok=True)


def log_file(folder: Path) -> Path:
    return folder / "logs/node.log"


def last_words(folder: Path) -> str:
    """Why it ended: the last lines of the log that name a fault, without stack traces, at most 600 characters."""
    try:
        lines = log_file(folder).read_text(errors="replace").splitlines()
    except OSError:
        return "no log was written"
    said = [_LOG_PREFIX.sub("", line).strip()[:200] for line in lines]
    said = [line for line in said if line and not line.startswith(("at ", "... "))]
    faults = [line for line in said if _FAULT.search(line)]
    return " | ".join((faults or said)[-3:])[-600:] or "the log is empty"


def _state_file(folder: Path) -> Path:
    return folder / "node.json"


def _write_state(folder: Path, process: NodeProcess) -> None:
    draft = folder / "node.json.draft"
    draft.write_text(json.dumps(asdict(process)))
    draft.replace(_state_file(folder))
