"""The flow of a search: intent, sections, vector, one `_msearch`, fusion, one real-time `_mget`, and again in the versions that count."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from es_mappings.access import AccessRegistry, Reader
from es_mappings.errors import EmbedderUnavailable
from es_mappings.index import Index
from es_mappings.titles import DocumentTitle
from ingest.embedding import Embedder
from ingest.embedding.current import query_vector
from service.current import SPARE, Candidate, Current, current_hits
from service.fusion import fuse
from service.legs import clauses_of, leg_of
from service.planning import Plan, Planner, SearchRequest, unplanned
from service.reranking.ordering import Reranking, reranked
from service.resolution import nearest
from service.results import Hit, Reason, SearchResult, Took
from service.scope import ALL_KINDS, search_body
from service.signals import Question
from service.traversal import narrowed

__all__ = ["SearchRequest", "Searcher"]


class _Clock:
    """Milliseconds by step."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._spent: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self._spent[name] = self._spent.get(name, 0.0) + (time.perf_counter() - began) * 1000

    def took(self) -> Took:
        return Took(**self._spent, total=(time.perf_counter() - self._began) * 1000)


class Searcher:
    """Searches of one index; safe to use from several threads."""

    def __init__(
        self,
        *,
        index: Index,
        access: AccessRegistry,
        embedder: Embedder,
        weights: Mapping[str, float] = MappingProxyType({}),
        reranking: Reranking | None = None,
    ) -> None:
        self._index = index
        self._access = access
        self._embedder = embedder
        self._weights = weights
        self._reranking = reranking
        self._planner = Planner(index=index, access=access)
        self._exists = False

    def search(self, request: SearchRequest, reader: Reader) -> SearchResult:
        """The ranked hits that the reader may see. Raises IndexUnavailable, IndexRefused."""
        if not self.is_there():
            return SearchResult(intent=unplanned(request.query), reason="no_match")
        clock = _Clock()
        with clock.step("search"):
            plan = self.plan(request, reader)
        return self.find(plan, request, reader, clock)

    def find(self, plan: Plan, request: SearchRequest, reader: Reader, clock: _Clock | None = None) -> SearchResult:
        """The ranked hits of a plan, as `search` gives them."""
        clock = clock or _Clock()
        request = replace(request, weights={**self._weights, **request.weights})
        if plan.unknown is not None:
            with clock.step("search"):
                near = nearest(self._index, replace(plan.scope, places=None, labels=()), plan.unknown)
            return SearchResult(intent=plan.view, reason="no_such_section", nearest=near, took=clock.took())
        plan, degraded = self._with_vector(plan, clock)
        hits, order_degraded = self._ranked(plan, request, reader, clock)
        reason: Reason | None = None
        if not hits:
            with clock.step("search"):
                reason = self._why_none(plan)
        return SearchResult(intent=plan.view, hits=hits, reason=reason, took=clock.took(), degraded=(*degraded, *order_degraded))

    def is_there(self) -> bool:
        """Whether anything was ever ingested; looked up until it was."""
        self._exists = self._exists or self._index.exists(self._index.nodes)
        return self._exists

    def titles(self, collection: str | None, reader: Reader) -> tuple[DocumentTitle, ...]:
        """The names of the documents that the reader may know of."""
        return self._planner.titles(collection, reader)

    def plan(self, request: SearchRequest, reader: Reader) -> Plan:
        """What the question wants and where; see service.planning."""
        return self._planner.plan(request, reader)

    def _with_vector(self, plan: Plan, clock: _Clock) -> tuple[Plan, tuple[str, ...]]:
        """The plan with the question's vector; without an embedder the search goes on by words, and says so."""
        if not plan.question.text:
            return plan, ()
        try:
            with clock.step("embed"):
                vector, nodes = query_vector(self._index, self._embedder, plan.question.text)
        except EmbedderUnavailable:
            return plan, ("embedder",)
        return replace(plan, question=replace(plan.question, vector=tuple(vector.tolist()), nodes=nodes)), ()

    def _is_outdated(self, question: Question) -> bool:
        """Whether the indices that the question's vector is good for were replaced: a new version lies in the new ones alone."""
        if question.nodes is None:
            return False
        generation = self._index.generations.current(fresh=True)
        return generation is not None and generation.names != question.nodes

    def _ranked(self, plan: Plan, request: SearchRequest, reader: Reader, clock: _Clock) -> tuple[tuple[Hit, ...], tuple[str, ...]]:
        """The hits, reranked when that is wanted (what the reader may not see is gone by then), and what was down."""
        current = self._attempt(plan, request, reader, clock)
        if current.pinned:
            # Nodes of another revision took places in the ranking: search again in the versions that count.
            scope = replace(plan.scope, pinned=current.pinned)
            if self._is_outdated(plan.question):
                plan, _ = self._with_vector(plan, clock)
            current = self._attempt(replace(plan, scope=scope), request, reader, clock)
        if self._reranking is None:
            return current.hits[: request.size], ()
        with clock.step("rerank"):
            hits, degraded = reranked(self._reranking, plan.question.text, current.hits)
        return hits[: request.size], degraded

    def _attempt(self, plan: Plan, request: SearchRequest, reader: Reader, clock: _Clock) -> Current:
        with clock.step("search"):
            if plan.view.strategy == "traversal":
                plan = replace(plan, scope=narrowed(self._index, plan.scope, plan.question, plan.view.sections, request.weights))
            size = max(request.size, self._reranking.depth if self._reranking else 0)
            ranked = self._fused(plan, request, size + SPARE)
        with clock.step("fetch"):
            pinned = dict(plan.scope.pinned)
            return current_hits(self._index, self._access, reader, ranked, size, explain=request.explain, pinned=pinned)

    def _fused(self, plan: Plan, request: SearchRequest, most: int) -> list[Candidate]:
        """The first `most` nodes of the fused order."""
        clauses = list(clauses_of(plan.question, request.weights))
        responses = self._index.msearch(
            [search_body(plan.scope, clause, plan.question.depth) for _, clause in clauses], plan.question.nodes
        )
        found: dict[str, dict[str, Any]] = {}
        legs = []
        for (signal, _), response in zip(clauses, responses, strict=True):
            hits = response["hits"]["hits"]
            found.update({hit["_id"]: hit for hit in hits})
            legs.append(leg_of(signal, request.weights, hits, plan.question.depth))
        return [Candidate.from_hit(found[one.hit.id], one) for one in fuse(legs, plan.question.text, most)]

    def _why_none(self, plan: Plan) -> Reason:
        """A filtered place without any text of its own is empty; else nothing matched."""
        if plan.scope.places is None:
            return "no_match"
        anything = Question(text="", kind="plain", vector=None, depth=1)
        bodies = [search_body(replace(plan.scope, kinds=ALL_KINDS), clause, 1) for _, clause in clauses_of(anything, {})]
        return "no_match" if any(response["hits"]["hits"] for response in self._index.msearch(bodies)) else "empty_section"
