"""Hits in the order of a reranker. What it did not judge keeps its place behind what it did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from es_mappings.errors import BackendError
from es_mappings.settings import Settings
from service.packing import heading_of
from service.reranking import Reranker, open_reranker
from service.results import Hit


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranking:
    """A reranker with the number of hits that it is shown."""

    reranker: Reranker
    depth: int


def open_reranking(settings: Settings) -> Reranking | None:
    """What the settings say about reranking, None when it is off. Raises SettingsError."""
    reranker = open_reranker(settings)
    return None if reranker is None else Reranking(reranker=reranker, depth=settings.reranker_depth)


def reranked(reranking: Reranking, question: str, hits: Sequence[Hit]) -> tuple[tuple[Hit, ...], tuple[str, ...]]:
    """The hits (best first) in the reranker's order; as they were, with ("reranker",), when it is down or too slow.

    The fused scores are dealt out again in the new order, so that scores still fall from hit to hit on the scale that everything
    after this was calibrated on. Equal scores keep the fused order.
    """
    shown = hits[: reranking.depth]
    if len(shown) < 2 or not question:
        return tuple(hits), ()
    try:
        scores = reranking.reranker.scores(question, [f"{heading_of(hit)}\n{hit.content}" for hit in shown])
    except BackendError:
        return tuple(hits), ("reranker",)
    judged = sorted((i for i, score in enumerate(scores) if score is not None), key=lambda i: -(scores[i] or 0.0))
    order = [*judged, *(i for i, score in enumerate(scores) if score is None)]
    fused = sorted((hit.score for hit in shown), reverse=True)
    moved = [replace(shown[i], score=fused[place], signals=_told(shown[i].signals, place + 1, scores[i])) for place, i in enumerate(order)]
    return (*moved, *hits[len(shown) :]), ()


def _told(signals: Mapping[str, Mapping[str, float]] | None, rank: int, score: float | None) -> Mapping[str, Mapping[str, float]] | None:
    """The explanation with the reranker's own rank and score, where one is wanted and it judged the hit."""
    return signals if signals is None or score is None else {**signals, "reranker": {"rank": rank, "score": score}}
