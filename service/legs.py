"""A question's signals as clauses to send, and what came back as legs to fuse. Pure."""

from collections.abc import Iterator, Mapping, Sequence

from service.current import Candidate
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


def leg_of(signal: Signal, weights: Mapping[str, float], hits: Sequence[Candidate], depth: int) -> Leg:
    """One signal's hits, best first; `depth` is the number that was asked for."""
    return Leg(
        name=signal.NAME,
        scale=signal.SCALE,
        weight=weights.get(signal.NAME, signal.WEIGHT),
        hits=tuple(LegHit(id=hit.id, score=hit.leg_score, doc_id=hit.doc_id, ordinal=hit.ordinal, language=hit.language) for hit in hits),
        is_full=len(hits) >= depth,
    )
