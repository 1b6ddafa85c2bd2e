"""The flow of a search: intent, sections, vector, one `_msearch`, fusion, one real-time `_mget`, and again in the versions that count."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from es_mappings.access import AccessRegistry, Reader
from es_mappings.errors import EmbedderUnavailable
from es_mappings.index import Index
from es_mappings.titles import DocumentTitle
from ingest.embedding import Embedder
from service.current import Candidate, Current, current_hits
from service.fusion import Leg, LegHit, fuse
from service.intents import Intent, read_intent
from service.known_titles import KnownTitles
from service.resolution import Resolved, nearest, resolve
from service.results import Hit, IntentView, Reason, SearchResult, SectionView, Took
from service.scope import ALL_KINDS, Scope, search_body
from service.signals import Clause, Question, SectionPlace, Signal, signals

# Candidates asked of each leg; every measurement in docs/decisions/0008-fusion.md was made with this number.
DEPTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """What to search for and where. `kind` None: the question decides. `weights` overrides signals' weights by name."""

    query: str
    collection: str | None = None
    documents: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    excluded_sections: tuple[str, ...] = ()
    kind: str | None = None
    size: int = 10
    strategy: str = "collapsed"
    explain: bool = False
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A question read and its places resolved: what to look for, where, and what to tell the caller about it."""

    question: Question
    scope: Scope
    view: IntentView
    unknown: str | None = None


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

    def __init__(self, *, index: Index, access: AccessRegistry, embedder: Embedder) -> None:
        self._index = index
        self._access = access
        self._embedder = embedder
        self._titles = KnownTitles(index)
        self._exists = False

    def search(self, request: SearchRequest, reader: Reader) -> SearchResult:
        """The ranked hits that the reader may see. Raises IndexUnavailable, IndexRefused."""
        clock = _Clock()
        if not self._is_there():
            intent = read_intent(request.query)
            return SearchResult(intent=_view(intent, (), (), (), intent.remaining), reason="no_match", took=clock.took())
        with clock.step("search"):
            plan = self.plan(request, reader)
        if plan.unknown is not None:
            with clock.step("search"):
                near = nearest(self._index, replace(plan.scope, places=None, labels=()), plan.unknown)
            return SearchResult(intent=plan.view, reason="no_such_section", nearest=near, took=clock.took())
        plan, degraded = self._with_vector(plan, clock)
        hits = self._ranked(plan, request, reader, clock)
        reason: Reason | None = None
        if not hits:
            with clock.step("search"):
                reason = self._why_none(plan)
        return SearchResult(intent=plan.view, hits=hits, reason=reason, took=clock.took(), degraded=degraded)

    def _is_there(self) -> bool:
        """Whether anything was ever ingested; looked up until it was."""
        self._exists = self._exists or self._index.exists(self._index.nodes)
        return self._exists

    def plan(self, request: SearchRequest, reader: Reader) -> Plan:
        """Read the question and resolve what it names; explicit parameters win over the question's words."""
        keys = self._access.keys_for(reader)
        base = Scope(access=keys, collection=request.collection)
        titles = self._titles.of(base)
        if request.documents and not _all_known(request.documents, titles):
            titles = self._titles.of(base, fresh=True)
        intent = read_intent(request.query, titles)
        documents = _documents(request.documents, titles) or intent.documents
        scope = replace(base, documents=documents)
        asked = request.sections or intent.sections
        without = request.excluded_sections or intent.excluded
        found = resolve(self._index, scope, (*asked, *without))
        wanted, excluded = found[: len(asked)], found[len(asked) :]
        unknown = next((one.asked for one in wanted if not one.sections), None)
        is_filter = bool(asked) and (bool(request.sections) or intent.kind != "reference")
        text = _text(request, intent)
        question = Question(
            text=text,
            kind=intent.kind,
            vector=None,
            depth=max(DEPTH, request.size),
            labels=tuple(one.label for one in wanted if one.label),
            places=tuple(_places(wanted)),
        )
        scope = replace(
            scope,
            places=tuple(place for one in wanted for place in one.places) if is_filter else None,
            labels=tuple(one.label for one in wanted if one.label) if is_filter else (),
            without_places=tuple(place for one in excluded for place in one.places),
            without_labels=tuple(one.label for one in excluded if one.label),
            kinds=(request.kind,) if request.kind else ("chunk",),
        )
        return Plan(question=question, scope=scope, view=_view(intent, documents, wanted, excluded, text), unknown=unknown)

    def _with_vector(self, plan: Plan, clock: _Clock) -> tuple[Plan, tuple[str, ...]]:
        """The plan with the question's vector; without an embedder the search goes on by words, and says so."""
        if not plan.question.text:
            return plan, ()
        try:
            with clock.step("embed"):
                vector = self._embedder.embed_query(plan.question.text)
        except EmbedderUnavailable:
            return plan, ("embedder",)
        return replace(plan, question=replace(plan.question, vector=tuple(vector.tolist()))), ()

    def _ranked(self, plan: Plan, request: SearchRequest, reader: Reader, clock: _Clock) -> tuple[Hit, ...]:
        current = self._attempt(plan, request, reader, clock)
        if current.pinned:
            # Nodes of another revision took places in the ranking: search again in the versions that count.
            scope = replace(plan.scope, pinned=current.pinned)
            current = self._attempt(replace(plan, scope=scope), request, reader, clock)
        return current.hits[: request.size]

    def _attempt(self, plan: Plan, request: SearchRequest, reader: Reader, clock: _Clock) -> Current:
        with clock.step("search"):
            ranked = self._fused(plan, request)
        with clock.step("fetch"):
            pinned = dict(plan.scope.pinned)
            return current_hits(self._index, self._access, reader, ranked, request.size, explain=request.explain, pinned=pinned)

    def _fused(self, plan: Plan, request: SearchRequest) -> list[Candidate]:
        clauses = [(signal, clause) for signal, clause in _clauses(plan.question, request.weights)]
        responses = self._index.msearch([search_body(plan.scope, clause, plan.question.depth) for _, clause in clauses])
        found: dict[str, Candidate] = {}
        legs = []
        for (signal, _), response in zip(clauses, responses, strict=True):
            hits = [Candidate.from_hit(hit) for hit in response["hits"]["hits"]]
            found.update({hit.id: hit for hit in hits if hit.id not in found})
            legs.append(_leg(signal, request.weights, hits, plan.question.depth))
        return [replace(found[one.hit.id], ranked=one) for one in fuse(legs, plan.question.text)]

    def _why_none(self, plan: Plan) -> Reason:
        """A filtered place without any text of its own is empty; else nothing matched."""
        if plan.scope.places is None:
            return "no_match"
        anything = Question(text="", kind="plain", vector=None, depth=1)
        bodies = [search_body(replace(plan.scope, kinds=ALL_KINDS), clause, 1) for _, clause in _clauses(anything, {})]
        return "no_match" if any(response["hits"]["hits"] for response in self._index.msearch(bodies)) else "empty_section"


def _clauses(question: Question, weights: Mapping[str, float]) -> Iterator[tuple[Signal, Clause]]:
    """The signals that have something to say; weight 0 by setting switches one off."""
    for signal in signals():
        if weights.get(signal.NAME, 1.0) == 0:
            continue
        clause = signal.clause(question)
        if clause is not None:
            yield signal, clause


def _leg(signal: Signal, weights: Mapping[str, float], hits: Sequence[Candidate], depth: int) -> Leg:
    return Leg(
        name=signal.NAME,
        scale=signal.SCALE,
        weight=weights.get(signal.NAME, signal.WEIGHT),
        hits=tuple(LegHit(id=hit.id, score=hit.leg_score, doc_id=hit.doc_id, ordinal=hit.ordinal, language=hit.language) for hit in hits),
        is_full=len(hits) >= depth,
    )


def _text(request: SearchRequest, intent: Intent) -> str:
    """What to search for: all words when the sections were given apart, else what the places leave; "" when they leave nothing."""
    whole = request.query.strip()
    if request.sections:
        return whole
    only_places = intent.remaining == whole and (intent.sections or intent.documents) and intent.kind != "reference"
    return "" if only_places else intent.remaining


def _names(titles: Sequence[DocumentTitle]) -> dict[str, str]:
    """Every way to name a document in a request -> its id: title, alias, source name or slug without case, and the id itself."""
    names = {name.casefold(): title.doc_id for title in reversed(titles) for name in (title.title, *title.aliases) if name}
    return names | {title.doc_id: title.doc_id for title in titles}


def _all_known(asked: Sequence[str], titles: Sequence[DocumentTitle]) -> bool:
    names = _names(titles)
    return all(one in names or one.casefold() in names for one in asked)


def _documents(asked: Sequence[str], titles: Sequence[DocumentTitle]) -> tuple[str, ...]:
    """The ids of the documents asked for; an unknown name stays as it is and finds nothing."""
    if not asked:
        return ()
    names = _names(titles)
    return tuple(names.get(one) or names.get(one.casefold(), one) for one in asked)


def _places(found: Sequence[Resolved]) -> Iterator[SectionPlace]:
    for one in found:
        for section in one.sections:
            yield SectionPlace(doc_id=section.doc_id, key=section.section_key)


def _view(intent: Intent, documents: tuple[str, ...], wanted: Sequence[Resolved], excluded: Sequence[Resolved], text: str) -> IntentView:
    def listed(found: Sequence[Resolved]) -> tuple[SectionView, ...]:
        return tuple(section for one in found for section in one.sections)

    return IntentView(
        kind=intent.kind, documents=documents, sections=listed(wanted), excluded=listed(excluded), text=text, explanation=intent.explanation
    )
