"""When summaries are made and how many documents wait for theirs, as the status and `sectionary doctor` show it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from es_mappings.access import AccessRegistry, Reader
from es_mappings.derived import NOT_DERIVED
from es_mappings.index import Index
from es_mappings.settings import Settings
from ingest.summaries.rounds import SUMMARIES, THEMES, next_round

_STATES = ("fresh", "partial", "stale", "pending")


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryStatus:
    """`states` counts documents by the state of their summaries; one whose text is none counts as fresh. Times are None when nothing
    goes by the clock, or before the first round."""

    policy: str
    next_run: datetime | None
    states: dict[str, int]
    themes: str
    themes_next_run: datetime | None

    @property
    def waiting(self) -> int:
        """Documents whose summaries are not all made from what they say now."""
        return sum(count for state, count in self.states.items() if state != "fresh")

    def as_json(self) -> dict[str, Any]:
        """As in the status."""
        return {
            "policy": self.policy,
            "next_run": _stamp(self.next_run),
            "documents": dict(self.states),
            "themes": self.themes,
            "themes_next_run": _stamp(self.themes_next_run),
        }


def summary_status(index: Index, access: AccessRegistry, settings: Settings, reader: Reader) -> SummaryStatus:
    """The status as far as the reader may see documents. Raises IndexUnavailable, IndexRefused."""
    states = dict.fromkeys(_STATES, 0)
    if index.exists(index.documents):
        filters: list[dict[str, Any]] = [{"exists": {"field": "revision"}}, NOT_DERIVED]
        keys = access.keys_for(reader)
        if keys is not None:
            filters.append({"terms": {"access": list(keys)}})
        bodies = [_counting({"bool": {"filter": [*filters, {"terms": {"summary_state": _stored(state)}}]}}) for state in _STATES]
        responses = index.msearch(bodies, index.documents)
        states = {state: int(found["hits"]["total"]["value"]) for state, found in zip(_STATES, responses, strict=True)}
    return SummaryStatus(
        policy=settings.summary_policy,
        next_run=next_round(index, SUMMARIES, settings.summary_policy),
        states=states,
        themes=settings.summary_themes,
        themes_next_run=next_round(index, THEMES, settings.summary_themes),
    )


def _stored(state: str) -> list[str]:
    return [state, "none"] if state == "fresh" else [state]


def _counting(query: dict[str, Any]) -> dict[str, Any]:
    return {"query": query, "size": 0, "track_total_hits": True}


def _stamp(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None
