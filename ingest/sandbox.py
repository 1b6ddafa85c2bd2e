"""A document is read in a child process under limits: the outcome is a Reading or one typed error, never a hang.

The child starts fresh (no fork of this process), with an almost empty environment, its own temporary folder, limits on memory,
CPU, descriptors and file size, and, where the kernel grants it, without network (`ingest.confinement`). It may read several
documents, one after the other, and is killed with all it started after any failure.
"""

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, get_args

from es_mappings.errors import (
    LimitExceeded,
    ReaderCrashed,
    ReaderTimedOut,
    RequestError,
    SettingsError,
    UnreadableDocument,
    UnsupportedFormat,
    unreadable_by_code,
)
from es_mappings.settings import Settings
from ingest.blocks import Reading
from ingest.formats import ReadOptions, SlowStage
from ingest.pdf.evidence import needs_torch
from ingest.reading_child import EXIT_MEMORY, EXIT_TIME
from ingest.reading_codec import decode_reading, encode_options, to_bytes

_ROOT = Path(__file__).resolve().parents[1]
_PIECE = 1 << 20
# Settings that readers' own libraries need; nothing else of the environment reaches a child, above all no key.
_PASSED_ON = ("TESSDATA_PREFIX", "OMP_NUM_THREADS")
_TORCH_MB = 6_144  # address space: torch maps 3.6 GB before it does anything
_STAGES = frozenset(get_args(SlowStage))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What reading one document may cost: wall and CPU seconds, MB of memory, bytes of the file, of files written, of the outcome."""

    seconds: float = 120
    cpu_seconds: float = 100
    memory_mb: int = 1536
    max_bytes: int = 200_000_000
    written_bytes: int = 256_000_000
    outcome_bytes: int = 256_000_000
    open_files: int = 128

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The limits that the settings ask for; CPU time gets five sixths of the wall time per core used, at least one second.

        Raises SettingsError for evidence that does not exist.
        """
        return cls(
            seconds=settings.reader_seconds,
            cpu_seconds=max(1.0, settings.reader_seconds * 5 / 6),
            memory_mb=settings.reader_memory_mb + (_TORCH_MB if needs_torch(settings.pdf_evidence) else 0),
            max_bytes=settings.file_max_bytes,
        )


def read_document(path: Path, options: ReadOptions, limits: Limits) -> Reading:
    """Read one document (a file, or a folder that is a book) in a child of its own. Raises UnreadableDocument kinds, UnsupportedFormat."""
    with ReaderPool(limits) as pool:
        return pool.read(path, options)


class ReaderPool:
    """Children that wait for documents; `read` may be called from several threads, each call has a child to itself."""

    def __init__(self, limits: Limits, program: Sequence[str] = ("-m", "ingest.reading_child")) -> None:
        """`program` are the interpreter's arguments that start the child; tests put a hostile one there."""
        self._limits = limits
        self._program = tuple(program)
        self._idle: list[_Child] = []
        self._lock = threading.Lock()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read one document. Raises the UnreadableDocument family, UnsupportedFormat, SettingsError; RuntimeError after `close`."""
        child = self._take()
        try:
            reading = child.read(path, options)
        except BaseException:
            child.kill()
            raise
        with self._lock:
            if not self._closed:
                self._idle.append(child)
                return reading
        child.kill()
        return reading

    def close(self) -> None:
        """End the waiting children; one that is reading ends with its document."""
        with self._lock:
            self._closed = True
            children, self._idle = self._idle, []
        for child in children:
            child.kill()

    def _take(self) -> "_Child":
        with self._lock:
            if self._closed:
                raise RuntimeError("this pool of readers is closed")
            while self._idle:
                child = self._idle.pop()
                if child.alive():
                    return child
                child.kill()
        return _Child(self._limits, self._program)


class _Child:
    """One process of `ingest.reading_child` with its folder."""

    def __init__(self, limits: Limits, program: Sequence[str]) -> None:
        self._limits = limits
        self._folder = Path(tempfile.mkdtemp(prefix="sectionary-reader-"))
        place = str(self._folder)
        environment = {"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": place, "TMPDIR": place, "PYTHONPATH": str(_ROOT), "PYTHONUTF8": "1"}
        environment |= {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        bounds = (limits.memory_mb << 20, limits.open_files, limits.written_bytes)
        try:
            self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and module, no shell
                [sys.executable, "-s", "-P", *program, place, *(str(bound) for bound in bounds)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=place,
                env=environment,
                start_new_session=True,
                bufsize=0,
            )
        except OSError:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def alive(self) -> bool:
        return self._process.poll() is None

    def read(self, path: Path, options: ReadOptions) -> Reading:
        request = {
            "path": str(path.absolute()),
            "options": encode_options(options),
            "max_bytes": self._limits.max_bytes,
            "cpu_seconds": self._limits.cpu_seconds,
        }
        outcome = self._exchange(to_bytes(request), path.name, options)
        try:
            if "error" in outcome:
                code, message = outcome["error"]
                raise _reported(str(code), str(message))
            reading = decode_reading(outcome["reading"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise _crashed(path.name) from None
        self._empty_folder()
        return reading

    def kill(self) -> None:
        """End the child with everything in its session, and remove its folder."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _exchange(self, request: bytes, name: str, options: ReadOptions) -> dict[str, Any]:
        """The outcome. Announced work lengthens the time, within what the options allow whatever the child claims."""
        began = time.monotonic()
        announced: dict[str, int] = {}
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(len(request).to_bytes(8, "big") + request)
        except BrokenPipeError:
            raise self._ended(name, self._limits.cpu_seconds) from None
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            while True:
                slow = options.slow_seconds(sum(announced.values()))
                clock = _Clock(began + self._limits.seconds + slow, self._limits.seconds + slow, self._limits.cpu_seconds + slow)
                length = int.from_bytes(self._receive(selector, stdout, 8, name, clock), "big")
                if length > self._limits.outcome_bytes:
                    raise LimitExceeded(f"{name} gives more text than may be passed on: split it")
                message = self._receive(selector, stdout, length, name, clock)
                try:
                    outcome: dict[str, Any] = json.loads(message)
                    progress = _progress(outcome)
                except (ValueError, KeyError, TypeError, RecursionError):
                    raise _crashed(name) from None
                if progress is None:
                    return outcome
                announced[progress[0]] = progress[2]
                options.announce(*progress)

    def _receive(self, selector: selectors.BaseSelector, stream: Any, length: int, name: str, clock: "_Clock") -> bytes:
        received = bytearray()
        while len(received) < length:
            left = clock.deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                raise _timed_out(name, clock.seconds)
            piece = stream.read(min(_PIECE, length - len(received)))
            if not piece:
                raise self._ended(name, clock.cpu_seconds)
            received += piece
        return bytes(received)

    def _ended(self, name: str, cpu_seconds: float) -> UnreadableDocument:
        """Why the child closed its pipe before it answered."""
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return _crashed(name)
        if code == EXIT_TIME:
            return _timed_out(name, cpu_seconds)
        if code == EXIT_MEMORY:
            return LimitExceeded(
                f"{name} needs more than {self._limits.memory_mb:,} MB to be read: split it or raise SECTIONARY_READER_MEMORY_MB"
            )
        return _crashed(name)

    def _empty_folder(self) -> None:
        for left in self._folder.iterdir():
            if left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink(missing_ok=True)


class _Clock(NamedTuple):
    """When the time is over, and of how many seconds of wall and processor time."""

    deadline: float
    seconds: float
    cpu_seconds: float


def _progress(message: dict[str, Any]) -> tuple[SlowStage, int, int] | None:
    """What a message announces; None when it is the outcome. ValueError or TypeError for anything else."""
    if "progress" not in message:
        return None
    stage, done, total = message["progress"]
    if stage not in _STAGES or not (type(done) is type(total) is int and 0 <= done <= total):
        raise ValueError("progress is out of shape")
    return stage, done, total


def _reported(code: str, message: str) -> RequestError | SettingsError:
    """The error that a child reported."""
    others: dict[str, type[RequestError | SettingsError]] = {kind.code: kind for kind in (UnsupportedFormat, SettingsError)}
    return others[code](message) if code in others else unreadable_by_code(code, message)


def _timed_out(name: str, seconds: float) -> ReaderTimedOut:
    return ReaderTimedOut(f"reading {name} took more than {seconds:g} s: split it or raise SECTIONARY_READER_SECONDS")


def _crashed(name: str) -> ReaderCrashed:
    return ReaderCrashed(f"the reader for {name} crashed: the file is probably damaged; save it again from its program and try once more")
