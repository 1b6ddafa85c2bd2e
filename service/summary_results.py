"""What a summary is handed out as; `as_json` gives the fields of the contract, none left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from service.models.summaries import SummaryState

SummaryMode = Literal["llm", "extractive", "verbatim", "mixed"]
# From the best to the worst; what is put together from several is as good as the worst of them.
STATES: tuple[SummaryState, ...] = ("fresh", "partial", "stale", "pending")


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionRow:
    """A section that a summary speaks about, or should: `included` is False when its own text did not go in, for `error`."""

    key: str
    title: str
    tokens: int
    included: bool
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryResult:
    """A summary with what it covers. `made_at` is when its text was made (ISO 8601, UTC), the oldest of several.

    `share` is that of the source tokens that the reader may see and that went in, in 0..1. `faults` are sentences without
    support with reason and value, `missing` points of the source that no sentence supports. `from_parts`: put together from
    the summaries of parts, because one of the whole is not there or not for this reader. `llm_calls` were made for this reply.
    """

    doc_id: str
    title: str
    section_key: str
    summary: str
    mode: SummaryMode
    state: SummaryState
    share: float
    sections: tuple[SectionRow, ...]
    faults: tuple[dict[str, str], ...] = ()
    missing: tuple[dict[str, str], ...] = ()
    missing_total: int = 0
    from_parts: bool = False
    notes: tuple[str, ...] = ()
    llm_calls: int = 0
    made_at: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The JSON of the contract."""
        rows = [
            {"key": row.key, "title": row.title, "tokens": row.tokens, "included": row.included, "error": row.error}
            for row in self.sections
        ]
        return {
            "doc_id": self.doc_id,
            "title": self.title,
            "section_key": self.section_key,
            "summary": self.summary,
            "mode": self.mode,
            "state": self.state,
            "coverage": {"share": round(self.share, 6), "sections": rows},
            "unsupported": [fault["sentence"] for fault in self.faults],
            "faults": [dict(fault) for fault in self.faults],
            "missing": [dict(point) for point in self.missing],
            "missing_total": self.missing_total,
            "from_parts": self.from_parts,
            "made_at": self.made_at,
            "notes": list(self.notes),
            "llm_calls": self.llm_calls,
        }


def worst(states: Sequence[SummaryState]) -> SummaryState:
    """The worst of several states; pending for none."""
    return max(states, key=STATES.index, default="pending")
