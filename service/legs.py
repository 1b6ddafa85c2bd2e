"""A question's signals as clauses to send, and what came back as legs to fuse. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.fusion import Leg, LegHit
from service.signals import Clause, Question, Signal, signals


def clauses_of(question: Question, weights: Mapping[str, float]) -> Iterator[tuple[Signal, Clause]]:
    """The signals that have something to say; weight 0 by setting switches one off."""
    for signal in signals():
        if weights.get(signal.NAME, 1.0) == 0:
            continue
        clause = signal.clause(question)
        if clause is not None:
            yield signal, clause


def leg_of(signal: Signal, weights: Mapping[str, float], hits: Sequence[Mapping[str, Any]], depth: int) -> Leg:
    """One signal's raw hits (with the fields of service.scope.HIT_FIELDS), best first; `depth` is the number that was asked for."""
    return Leg(
        name=signal.NAME,
        scale=signal.SCALE,
        weight=weights.get(signal.NAME, signal.WEIGHT),
        hits=tuple(map(_leg_hit, hits)),
        is_full=len(hits) >= depth,
    )


def _leg_hit(hit: Mapping[str, Any]) -> LegHit:
    fields = hit["fields"]
    language = fields.get("language")
    return LegHit(
        id=hit["_id"],
        score=hit["_score"] or 0.0,
        doc_id=fields["doc_id"][0],
        ordinal=fields["ordinal"][0],
        language=language[0] if language else None,
    )
