"""The evidence for an answer, by what is asked: stored summaries for an overview, each side for a comparison, ranked hits for the rest."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from es_mappings.access import AccessRegistry, Reader
from es_mappings.index import Index
from es_mappings.settings import Settings
from service.abstention import THRESHOLD, Calibration, unanswerable_logits
from service.cross_references import points
from service.overviews import Overview, Overviews
from service.packing import SUMMARY_KINDS, Packed, pack
from service.planning import Plan, SearchRequest, Side
from service.results import CoveredSection, Hit, IntentView, Reason, SearchResult, SectionView, SummaryUse
from service.scope import Scope
from service.searching import Searcher
from service.side_packing import SideHits, pack_sides
from service.surroundings import StoredSurroundings

# Hits that compete for the budget; a caller's `size` asks for fewer or more.
CANDIDATE_HITS = 24
# A question about references lists all of them.
REFERENCE_HITS = 100
EMPTY = Packed(passages=(), left_out=(), used=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What an answer may stand on, or the reason why there is nothing.

    `sides` are the passage numbers of each side of a comparison. `overview` is set when texts were read by id instead of being
    searched for; `scope` is where the evidence comes from.
    """

    plan: Plan
    intent: IntentView
    scope: Scope
    reason: Reason | None = None
    nearest: tuple[SectionView, ...] = ()
    degraded: tuple[str, ...] = ()
    hits: tuple[Hit, ...] = ()
    packed: Packed = EMPTY
    sides: tuple[tuple[int, ...], ...] = ()
    overview: Overview | None = None
    logits: float | None = None

    @property
    def summaries(self) -> tuple[SummaryUse, ...]:
        """The summaries among the passages, and the texts that stand in for some."""
        stand_ins = {text.hit.id for text in self.overview.texts if not text.is_stored} if self.overview else set()
        used = [one for one in self.packed.passages if one.hit.kind in SUMMARY_KINDS or not stand_ins.isdisjoint(one.ids)]
        states = {text.hit.id: text.state for text in self.overview.texts} if self.overview else {}
        return tuple(
            SummaryUse(
                n=one.n,
                id=one.hit.id,
                doc_id=one.hit.doc_id,
                section_key=one.hit.section_key,
                title=one.hit.title,
                state=states.get(one.hit.id, "fresh" if one.hit.state == "current" else one.hit.state),
            )
            for one in used
        )

    @property
    def quoted(self) -> frozenset[str]:
        """The ids of those texts of an overview that are the document's own words."""
        return frozenset(text.hit.id for text in self.overview.texts if not text.is_written) if self.overview else frozenset()

    @property
    def coverage(self) -> tuple[CoveredSection, ...]:
        """Every section that an overview speaks about, or should."""
        return self.overview.coverage if self.overview else ()


class Gatherer:
    """Gathers evidence from one index; safe to use from several threads."""

    def __init__(self, *, index: Index, access: AccessRegistry, searcher: Searcher, settings: Settings) -> None:
        self._index = index
        self._searcher = searcher
        self._overviews = Overviews(index=index, access=access, settings=settings)

    def gather(self, plan: Plan, request: SearchRequest, reader: Reader, budget: int, calibration: Calibration) -> Gathered:
        """The evidence within `budget` tokens. Raises IndexUnavailable, IndexRefused."""
        if plan.unknown is None and plan.sides:
            return self._compared(plan, request, reader, budget)
        if plan.unknown is None and plan.view.kind == "overview" and not plan.question.text:
            return self._overview(plan, reader, budget)
        is_reference = plan.view.kind == "reference"
        least = REFERENCE_HITS if is_reference else CANDIDATE_HITS
        found = self._searcher.find(plan, replace(request, size=max(least, request.size)), reader)
        text, is_scoped = found.intent.text, bool(plan.scope.documents or plan.scope.places is not None)
        logits = unanswerable_logits(text, found.hits, calibration, is_scoped=is_scoped) if text else None
        gathered = _of(found, plan, logits)
        if gathered.reason:
            return gathered
        if is_reference:
            pointing = [hit for hit in found.hits if points(hit, plan)]
            return replace(gathered, packed=pack(pointing, budget, None))
        return replace(gathered, packed=pack(found.hits, budget, self._around(plan.scope), text))

    def _overview(self, plan: Plan, reader: Reader, budget: int) -> Gathered:
        overview = self._overviews.read(plan, plan.scope, reader, budget)
        hits = tuple(text.hit for text in overview.texts)
        gathered = Gathered(plan=plan, intent=plan.view, scope=plan.scope, hits=hits, overview=overview)
        if not hits:
            return replace(gathered, reason="no_match" if plan.scope.places is None else "empty_section")
        return replace(gathered, packed=pack(hits, budget, None))

    def _compared(self, plan: Plan, request: SearchRequest, reader: Reader, budget: int) -> Gathered:
        found = [self._side(plan, side, request, reader, budget // len(plan.sides)) for side in plan.sides]
        hits = tuple(hit for one in found for hit in one.hits)
        degraded = tuple(dict.fromkeys(part for one in found for part in one.degraded))
        gathered = Gathered(
            plan=plan, intent=plan.view, scope=plan.scope, hits=hits, degraded=degraded, overview=_both([o.overview for o in found])
        )
        if not hits:
            return replace(gathered, reason=next((one.reason for one in found if one.reason), "no_match"))
        packed = pack_sides(
            [
                SideHits(hits=one.hits, surroundings=None if one.overview else self._around(side.scope))
                for one, side in zip(found, plan.sides, strict=True)
            ],
            budget,
        )
        return replace(gathered, packed=packed.packed, sides=packed.numbers)

    def _side(self, plan: Plan, side: Side, request: SearchRequest, reader: Reader, budget: int) -> Gathered:
        """One side: what the question finds in it, or, when the question names nothing but the sides, what it says as a whole."""
        if not plan.question.text:
            overview = self._overviews.read(plan, side.scope, reader, budget)
            hits = tuple(text.hit for text in overview.texts)
            return Gathered(
                plan=plan, intent=plan.view, scope=side.scope, hits=hits, overview=overview, reason=None if hits else "no_match"
            )
        view = replace(plan.view, sections=side.sections or plan.view.sections)
        own = replace(plan, scope=side.scope, sides=(), view=view)
        return _of(self._searcher.find(own, replace(request, size=max(CANDIDATE_HITS, request.size)), reader), own, None)

    def _around(self, scope: Scope) -> StoredSurroundings:
        """What may be read around the hits: never outside the sections that were asked for, nor inside those left out."""
        return StoredSurroundings(self._index, replace(scope, documents=(), kinds=("chunk",)))


def _of(found: SearchResult, plan: Plan, logits: float | None) -> Gathered:
    """Overviews, comparisons and references are judged by their place, not by their words."""
    weak = logits is not None and logits > THRESHOLD and found.intent.kind not in ("overview", "comparison", "reference")
    reason: Reason | None = found.reason or ("below_threshold" if weak else None)
    return Gathered(
        plan=plan,
        intent=found.intent,
        scope=plan.scope,
        reason=reason,
        nearest=found.nearest,
        degraded=found.degraded,
        hits=found.hits,
        logits=logits,
    )


def _both(overviews: Sequence[Overview | None]) -> Overview | None:
    """The overviews of all sides as one; None when the sides were searched."""
    read = [one for one in overviews if one is not None]
    if not read:
        return None
    return Overview(
        texts=tuple(text for one in read for text in one.texts),
        coverage=tuple(row for one in read for row in one.coverage),
        is_sample=all(one.is_sample for one in read),
    )
