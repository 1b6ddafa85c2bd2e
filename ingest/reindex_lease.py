"""The right to reindex: one process at a time has it, and loses it ten seconds after it was last heard of."""

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Self

from es_mappings.errors import BackendError, RevisionConflict
from es_mappings.index import Index, mapping
from es_mappings.swapping import ReindexState, Swaps

LEASE_SECONDS = 10.0
RENEW_SECONDS = 3.0
POLL_SECONDS = 0.5


class ReindexLease:
    """Holds the right for a `with` block, renewed by a thread. A run that was killed is waited for until its lease ends.

    Entering raises RevisionConflict while another run is alive; so do `check` and `pause` when another run took the right over.
    """

    def __init__(self, index: Index, swaps: Swaps) -> None:
        self.run = secrets.token_hex(8)
        self._index, self._swaps = index, swaps
        self._lost = False
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="reindex lease", daemon=True)

    def __enter__(self) -> Self:
        self._index.generations.create(self._index.reindex, mapping("reindex"))
        first = self._swaps.state()
        while _is_alive(state := self._swaps.state()):
            if (state.run, state.lease_until) != (first.run, first.lease_until):
                raise RevisionConflict("another reindex of this index is running: wait until it is done, or stop it")
            time.sleep(POLL_SECONDS)
        self._swaps.change(self._taken)
        self._index.generations.withdraw()
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._done.set()
        self._thread.join()
        with suppress(BackendError, RevisionConflict):
            self._swaps.change(lambda state: replace(self._own(state), run="", lease_until=None, pause=""))

    def check(self) -> None:
        """Raises RevisionConflict when the right was lost: this process was silent for too long."""
        if self._lost:
            raise RevisionConflict("another reindex took over, because this one was silent for too long: let that one finish")

    def change(self, **facts: object) -> None:
        """Change the record while the right is held."""
        self._swaps.change(lambda state: replace(self._own(state), **facts))  # type: ignore[arg-type]  # names are checked by replace

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Make writers wait; es_mappings.swapping says for how long at most."""
        pause = secrets.token_hex(8)
        self.change(pause=pause)
        try:
            yield
        finally:
            self._swaps.change(lambda state: replace(state, pause="") if state.pause == pause else state)

    def _taken(self, state: ReindexState) -> ReindexState:
        if _is_alive(state):
            raise RevisionConflict("another reindex of this index has just begun: wait until it is done")
        return replace(state, run=self.run, lease_until=_in(LEASE_SECONDS), pause="")

    def _own(self, state: ReindexState) -> ReindexState:
        if state.run != self.run:
            self._lost = True
            self.check()
        return state

    def _renew(self) -> None:
        while not self._done.wait(RENEW_SECONDS):
            with suppress(BackendError):  # the copying meets the same trouble and reports it
                try:
                    self.change(lease_until=_in(LEASE_SECONDS))
                except RevisionConflict:
                    return


def _is_alive(state: ReindexState) -> bool:
    return bool(state.run) and state.lease_until is not None and datetime.fromisoformat(state.lease_until) > datetime.now(UTC)


def _in(seconds: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat()
