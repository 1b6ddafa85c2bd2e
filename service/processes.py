"""Child processes that live and die together with the one that started them."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

POLL_SECONDS = 0.2
RESTART_SECONDS = 2.0
PR_SET_PDEATHSIG = 1  # linux/prctl.h


@dataclass(slots=True, kw_only=True)
class Child:
    """One process. `must_stay`: when it ends, all end; otherwise it is started again."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    must_stay: bool
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    restart_at: float = field(default=0.0, init=False)

    def start(self) -> None:
        """Start it, in a session of its own, so that a Ctrl-C reaches only us and the order of stopping is ours."""
        self.process = subprocess.Popen(  # noqa: S603  # our own interpreter with our own modules
            self.command,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,
        )

    def ended(self) -> int | None:
        """Its exit code, or None while it runs."""
        return None if self.process is None else self.process.poll()


def supervise(children: Sequence[Child], ready: Callable[[], bool], on_ready: Callable[[], None]) -> int:
    """Run the children until one that must stay ends, or KeyboardInterrupt; returns that child's exit code, at least 1.

    `on_ready` is called once, when `ready` first says so.
    """
    for child in children:
        child.start()
    told = False
    while True:
        for child in children:
            code = child.ended()
            if code is None:
                continue
            if child.must_stay:
                return code or 1
            if child.restart_at == 0.0:
                child.restart_at = time.monotonic() + RESTART_SECONDS
            elif time.monotonic() >= child.restart_at:
                child.restart_at = 0.0
                child.start()
        if not told and ready():
            told = True
            on_ready()
        time.sleep(POLL_SECONDS)


def stop(children: Sequence[Child], grace_seconds: float) -> None:
    """Ask all to end, and after the grace period make them."""
    running = [child.process for child in children if child.process is not None and child.process.poll() is None]
    for process in running:
        process.send_signal(signal.SIGTERM)
    until = time.monotonic() + grace_seconds
    for process in running:
        try:
            process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _die_with_parent() -> None:
    """In the child, before it runs: end when the parent is gone, even by kill -9 (Linux)."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
