"""What is done every so many minutes, once for all workers: when a round began is kept in Elasticsearch and shown in the status."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from es_mappings.errors import RevisionConflict
from es_mappings.index import Index, Stored
from ingest.summaries.policy import minutes_of

# No document has such an id, so nothing that goes with a document takes a round with it.
_OWNER = "(rounds)"
SUMMARIES, THEMES = "summaries", "themes"


class Rounds:
    """Something to be done every so many minutes by whoever is idle first; the first time at once, never for other policies."""

    def __init__(
        self, *, name: str, policy: str, index: Index, act: Callable[[], None], now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._name, self._index, self._act, self._now = name, index, act, now
        self._minutes = minutes_of(policy)
        self._look_at = now()

    def __call__(self) -> None:
        """Do it if it is due and no other worker does. What it raises gets out; the next round is then as far away as after a success."""
        now = self._now()
        if self._minutes is None or now < self._look_at:
            return
        stored = _stored(self._index, self._name)
        due = _due(stored, self._minutes)
        if due is not None and now < due:
            self._look_at = due
            return
        self._look_at = now + timedelta(minutes=self._minutes)
        try:
            self._index.put(self._index.summaries, _id(self._name), _record(self._name, now), expect=stored)
        except RevisionConflict:  # another worker was first
            return
        self._act()


def next_round(index: Index, name: str, policy: str) -> datetime | None:
    """When the next round is due; None for other policies, and when none was ever begun (it begins once a worker is idle)."""
    minutes = minutes_of(policy)
    return None if minutes is None or not index.exists(index.summaries) else _due(_stored(index, name), minutes)


def _due(stored: Stored | None, minutes: int) -> datetime | None:
    return datetime.fromisoformat(stored.source["created_at"]) + timedelta(minutes=minutes) if stored else None


def _stored(index: Index, name: str) -> Stored | None:
    return index.get(index.summaries, _id(name))


def _id(name: str) -> str:
    return f"{_OWNER}:{name}"


def _record(name: str, began: datetime) -> dict[str, object]:
    return {"doc_id": _OWNER, "place": name, "created_at": began.isoformat()}
