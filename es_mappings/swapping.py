"""How writers and the swap of the node indices keep out of each other's way, without a lock that anybody could die with.

The swap first says in a record that it pauses the writers, and then looks for claims; a writer first claims, and then looks for
the pause. So of a claim and a swap at the same time at least one sees the other: the swap revokes the claims that it finds, and a
writer that finds the pause waits until it is over and then checks which generation counts. A pause is a promise of less than
two seconds; a writer that has waited longer takes the swap's permission away (see es_mappings.generations) and goes on.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeVar

from es_mappings.errors import ClaimRevoked, IndexUnavailable, Overloaded, RevisionConflict, WriteRejected
from es_mappings.generations import Generation
from es_mappings.index import Index, Stored
from es_mappings.records import Record

RECORD_ID = "reindex"
# The swap gives up after 1.5 s (ingest.reindexing), so that writers go on within 2 s even where a request takes long.
LONGEST_PAUSE_SECONDS = 1.7
POLL_SECONDS = 0.02
TRIES = 20
SWAPS_OUTLASTED = 5

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReindexState(Record):
    """What `PREFIX-reindex` remembers: who builds a generation, until when that is to be believed, and which old ones are still there.

    `pause` names the pause that writers have to wait for, "" for none. `retired` are generations to be dropped, as "NUMBER TIME"
    with the time (ISO 8601, UTC) from which nobody can be searching them; `kept` are numbers of those that somebody wants kept.
    """

    run: str = ""
    lease_until: str | None = None
    pause: str = ""
    retired: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


class Swaps:
    """The writers' side of a swap, and the record that both sides share. Raises IndexUnavailable, IndexRefused."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def settled(self) -> Generation:
        """The generation that counts now, read after any pause is over: at most LONGEST_PAUSE_SECONDS later."""
        seen, since = "", 0.0
        while stored := self._paused():
            pause = str(stored.source["pause"])
            if pause != seen:
                seen, since = pause, time.monotonic()
            elif time.monotonic() - since > LONGEST_PAUSE_SECONDS:
                self._break(stored)
            time.sleep(POLL_SECONDS)
        generation = self._index.generations.current(fresh=True)
        if generation is None:
            raise IndexUnavailable("the node index is gone: ingest again, or restore it from a snapshot")
        return generation

    def amend(self, act: Callable[[], T]) -> T:
        """Do what changes nodes in place and then the manifest's `updated_at`; again when the indices were swapped meanwhile.

        A change that ended before the pause is copied by the reindex, because it sees the manifest; one that did not, sees the pause.
        """
        for _ in range(SWAPS_OUTLASTED):
            before = self.settled()
            try:
                done = act()
            except (WriteRejected, RevisionConflict):
                if self.settled() == before:
                    raise
                continue
            if self.settled() == before:
                return done
        raise Overloaded("the node indices were swapped again and again meanwhile: try again when the reindex is done")

    def outlast(self, act: Callable[[Generation], T]) -> T:
        """Do what claims and commits, for the generation that counts; again when a swap took the claim away meanwhile."""
        for _ in range(SWAPS_OUTLASTED):
            generation = self.settled()
            try:
                return act(generation)
            except ClaimRevoked:
                continue
            except WriteRejected:
                if self.settled() == generation:
                    raise
        raise Overloaded("the node indices were swapped again and again meanwhile: try again when the reindex is done")

    def state(self) -> ReindexState:
        """The record as it is now."""
        stored = self._index.get(self._index.reindex, RECORD_ID)
        return ReindexState.from_source(stored.source) if stored else ReindexState()

    def change(self, step: Callable[[ReindexState], ReindexState]) -> ReindexState:
        """Apply a step to the newest state, again when another process was first. Raises Overloaded, and what `step` raises."""
        for _ in range(TRIES):
            stored = self._index.get(self._index.reindex, RECORD_ID)
            before = ReindexState.from_source(stored.source) if stored else ReindexState()
            after = step(before)
            if after == before:
                return after
            try:
                self._index.put(self._index.reindex, RECORD_ID, after.to_source(), expect=stored)
            except RevisionConflict:
                continue
            return after
        raise Overloaded("the record of the reindex is being changed by too many at once: try again in a moment")

    def drop_retired(self) -> int:
        """Delete the generations that nobody can be searching any more; returns how many."""
        now = datetime.now(UTC)
        due = [entry for entry in self.state().retired if datetime.fromisoformat(entry.split(" ")[1]) <= now]
        if not due:
            return 0
        current, numbers = self.settled(), {int(entry.split(" ")[0]) for entry in due}
        for generation in self._index.generations.stored():
            if generation.number in numbers and generation != current:
                self._index.generations.drop(generation)
        self.change(lambda state: replace(state, retired=tuple(entry for entry in state.retired if entry not in due)))
        return len(due)

    def _paused(self) -> Stored | None:
        stored = self._index.get(self._index.reindex, RECORD_ID)
        return stored if stored and stored.source.get("pause") else None

    def _break(self, stored: Stored) -> None:
        """End a pause whose process died or hangs. First its swap is made impossible: it may wake up at any moment."""
        self._index.generations.withdraw()
        pause = stored.source["pause"]
        self.change(lambda state: replace(state, pause="") if state.pause == pause else state)
