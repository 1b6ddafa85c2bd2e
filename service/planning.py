"""A question read and its places resolved: what to look for, where, by which strategy, and what to tell the caller about it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from es_mappings.access import AccessRegistry, Reader
from es_mappings.index import Index
from es_mappings.labels import document_label
from es_mappings.titles import DocumentTitle, normalise_title
from service.intents import Intent, IntentKind, read_intent
from service.known_titles import KnownTitles
from service.resolution import Resolved, resolve
from service.results import IntentView, SectionView, SideView
from service.scope import Scope
from service.signals import Question, SectionPlace
from service.strategies import chosen_strategy

# Candidates asked of each leg; every measurement in docs/decisions/0008-fusion.md was made with this number.
DEPTH = 100
MOST_SIDES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """What to search for and where. `kind` None: the question decides. `weights` overrides signals' weights by name.

    `asked_as` is the question in its own words when `query` is a rewriting of it (a follow-up): the places that it names
    itself win over those that the rewriting took from the questions before.
    """

    query: str
    collection: str | None = None
    documents: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    excluded_sections: tuple[str, ...] = ()
    kind: str | None = None
    size: int = 10
    strategy: str = "auto"
    explain: bool = False
    weights: Mapping[str, float] = field(default_factory=dict)
    asked_as: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the things that a comparison sets beside each other: its name and where it is searched."""

    asked: str
    scope: Scope
    sections: tuple[SectionView, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to look for, where, and what to tell the caller. `unknown` is a section that was named and is not there.

    `sides` are those of a comparison, else (); their scopes lie within `scope`.
    """

    question: Question
    scope: Scope
    view: IntentView
    unknown: str | None = None
    sides: tuple[Side, ...] = ()


class Planner:
    """Reads questions against one index; safe to use from several threads."""

    def __init__(self, *, index: Index, access: AccessRegistry) -> None:
        self._index = index
        self._access = access
        self._titles = KnownTitles(index)

    def titles(self, collection: str | None, reader: Reader) -> tuple[DocumentTitle, ...]:
        """The names of the documents that the reader may know of."""
        return self._titles.of(Scope(access=self._access.keys_for(reader), collection=collection))

    def plan(self, request: SearchRequest, reader: Reader) -> Plan:
        """Read the question and resolve what it names; explicit parameters win over the question's words."""
        keys = self._access.keys_for(reader)
        base = Scope(access=keys, collection=request.collection)
        titles = self._titles.of(base)
        if request.documents and not _all_known(request.documents, titles):
            titles = self._titles.of(base, fresh=True)
        intent = _within_own(read_intent(request.query, titles), request.asked_as, titles)
        documents = _documents(request.documents, titles) or intent.documents
        scope = replace(base, documents=documents)
        asked = request.sections or intent.sections
        without = request.excluded_sections or intent.excluded
        found = resolve(self._index, scope, (*asked, *without))
        wanted, excluded = found[: len(asked)], found[len(asked) :]
        unknown = next((one.asked for one in wanted if not one.sections), None)
        kind = _kind(intent, asked, documents)
        is_filter = bool(asked) and (bool(request.sections) or kind != "reference")
        question = Question(
            text=_text(request, intent),
            kind=kind,
            vector=None,
            depth=max(DEPTH, request.size),
            direction=intent.direction,
            has_wish=intent.has_wish,
            labels=tuple(one.label for one in wanted if one.label),
            places=tuple(_places(wanted)),
            foreign_labels=tuple(_foreign_labels(wanted, titles)) if kind == "reference" else (),
        )
        if kind == "reference" and intent.direction == "incoming":
            scope = replace(scope, documents=_documents(request.documents, titles))  # other documents may refer to it, too
        scope = replace(
            scope,
            places=tuple(place for one in wanted for place in one.places) if is_filter else None,
            labels=tuple(one.label for one in wanted if one.label) if is_filter else (),
            without_places=tuple(place for one in excluded for place in one.places),
            without_labels=tuple(one.label for one in excluded if one.label),
            kinds=(request.kind,) if request.kind else ("chunk",),
        )
        sides = _sides(scope, wanted, documents, titles) if kind == "comparison" else ()
        view = IntentView(
            kind=kind,
            documents=documents,
            sections=_listed(wanted),
            excluded=_listed(excluded),
            text=question.text,
            explanation=intent.explanation,
            strategy=chosen_strategy(request.strategy, question),
            sides=tuple(SideView(asked=side.asked, sections=side.sections, documents=side.scope.documents) for side in sides),
        )
        return Plan(question=question, scope=scope, view=view, unknown=unknown, sides=sides)


def unplanned(query: str) -> IntentView:
    """What is understood of a question while there is nothing to resolve it against."""
    intent = read_intent(query)
    return IntentView(kind=intent.kind, text=intent.remaining, explanation=intent.explanation)


def _within_own(intent: Intent, asked_as: str, titles: tuple[DocumentTitle, ...]) -> Intent:
    """The intent of a rewritten question in the places that the question named itself, so that a rewriting never leads elsewhere."""
    if not asked_as:
        return intent
    own = read_intent(asked_as, titles)
    return replace(
        intent,
        documents=own.documents or intent.documents,
        sections=own.sections or intent.sections,
        excluded=tuple(dict.fromkeys((*own.excluded, *intent.excluded))),
    )


def _kind(intent: Intent, asked: Sequence[str], documents: Sequence[str]) -> IntentKind:
    """The kind with what the parameters name: "what differs?" with two sections given apart is a comparison."""
    return "comparison" if intent.compares and intent.kind != "reference" and max(len(asked), len(documents)) > 1 else intent.kind


def _sides(scope: Scope, wanted: Sequence[Resolved], documents: Sequence[str], titles: Sequence[DocumentTitle]) -> tuple[Side, ...]:
    """The sections that are compared, or, where at most one is named, the documents."""
    if len(wanted) > 1:
        return tuple(
            Side(
                asked=one.asked,
                scope=replace(scope, places=one.places, labels=(one.label,) if one.label else ()),
                sections=one.sections,
            )
            for one in wanted[:MOST_SIDES]
        )
    names = {title.doc_id: title.title for title in titles}
    return tuple(Side(asked=names.get(one, one), scope=replace(scope, documents=(one,))) for one in documents[:MOST_SIDES])


def _text(request: SearchRequest, intent: Intent) -> str:
    """What to search for: all words when the sections were given apart, else what the places leave; "" when they leave nothing."""
    whole = request.query.strip()
    if intent.is_bare:
        return ""
    if request.sections:
        return whole
    only_places = intent.remaining == whole and (intent.sections or intent.documents) and intent.kind != "reference"
    return "" if only_places else intent.remaining


def document_names(titles: Sequence[DocumentTitle]) -> dict[str, str]:
    """Every way to name a document in a request -> its id: title, alias, source name or slug without case, and the id itself."""
    names = {name.casefold(): title.doc_id for title in reversed(titles) for name in (title.title, *title.aliases) if name}
    return names | {title.doc_id: title.doc_id for title in titles}


def _all_known(asked: Sequence[str], titles: Sequence[DocumentTitle]) -> bool:
    names = document_names(titles)
    return all(one in names or one.casefold() in names for one in asked)


def _documents(asked: Sequence[str], titles: Sequence[DocumentTitle]) -> tuple[str, ...]:
    """The ids of the documents asked for; an unknown name stays as it is and finds nothing."""
    if not asked:
        return ()
    names = document_names(titles)
    return tuple(names.get(one) or names.get(one.casefold(), one) for one in asked)


def _places(found: Sequence[Resolved]) -> Iterator[SectionPlace]:
    for one in found:
        for section in one.sections:
            yield SectionPlace(doc_id=section.doc_id, key=section.section_key)


def _foreign_labels(found: Sequence[Resolved], titles: Sequence[DocumentTitle]) -> Iterator[str]:
    """How chunks of other documents name these sections: "doc:TITLE > LABEL"."""
    for one in found:
        ids = {section.doc_id for section in one.sections}
        for title in titles:
            for name in (title.title, *title.aliases) if title.doc_id in ids and one.label else ():
                yield document_label(normalise_title(name), one.label or "")


def _listed(found: Sequence[Resolved]) -> tuple[SectionView, ...]:
    return tuple(section for one in found for section in one.sections)
