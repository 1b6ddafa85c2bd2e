"""The answer to a question about references: each place that refers, what it refers to, and the sentence that does."""

from collections.abc import Iterator, Mapping, Sequence

from es_mappings.index import Index
from es_mappings.labels import find_labels, split_document_label
from ingest.sentences import sentence_spans
from service.planning import Plan
from service.results import Hit, Passage, Reference
from service.scope import Scope, headings_body

MOST_REFERENCES = 60
_FIELDS = ("doc_id", "section_key", "title", "own_labels")


def references(index: Index, scope: Scope, plan: Plan, hits: Sequence[Hit], passages: Sequence[Passage]) -> tuple[Reference, ...]:
    """The references among packed hits, in the order of the passages: those that leave the sections asked for, or those that lead there.

    A target that the reader may not see keeps its label and has no key. Raises IndexUnavailable, IndexRefused.
    """
    by_id = {hit.id: hit for hit in hits}
    packed = [(passage.n, by_id[id_]) for passage in passages for id_ in passage.ids if id_ in by_id]
    targets = _targets(index, scope, [hit for _, hit in packed])
    found = [one for n, hit in packed for one in _of(n, hit, targets, plan) if _is_asked_for(one, plan)]
    return tuple(dict.fromkeys(found))[:MOST_REFERENCES]


def points(hit: Hit, plan: Plan) -> bool:
    """Whether a chunk has a reference that is asked for; any chunk, when no section is named."""
    question = plan.question
    if not question.places:
        return True
    starts = any(_within(hit.section_key, place.key) for place in question.places)
    labels = question.foreign_labels if hit.doc_id not in {place.doc_id for place in question.places} else question.labels
    ends = not frozenset(labels).isdisjoint(hit.reference_labels) or any(
        _within(key, place.key) for key in hit.reference_keys for place in question.places
    )
    out = starts and bool(hit.reference_keys or hit.reference_labels)
    if question.direction == "both":
        return out or ends
    return out if question.direction == "outgoing" else ends and not starts


def listed(found: Sequence[Reference]) -> str:
    """The references as the lines of an answer, each with its citation."""
    return "\n".join(f"{one.from_title} → {one.title or one.label}: {one.quote} [{one.n}]" for one in found)


def _targets(index: Index, scope: Scope, hits: Sequence[Hit]) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    """For each section key that is referred to: its title and own labels, as far as the reader may see it."""
    keys = list(dict.fromkeys(key for hit in hits for key in hit.reference_keys))
    if not keys:
        return {}
    open_scope = Scope(access=scope.access, collection=scope.collection)
    (response,) = index.msearch([headings_body(open_scope, {"terms": {"section_key.raw": keys}}, len(keys), _FIELDS)])
    sources = [hit["_source"] for hit in response["hits"]["hits"]]
    return {source["section_key"]: (source["title"], tuple(source.get("own_labels", ()))) for source in sources}


def _of(n: int, hit: Hit, targets: Mapping[str, tuple[str, tuple[str, ...]]], plan: Plan) -> Iterator[Reference]:
    """The references of one chunk: resolved ones by their section, the others by their label.

    How other documents name the sections asked for is known to the plan, so these references have a section as well.
    """
    told: set[str] = set()
    for key in hit.reference_keys:
        title, own = targets.get(key, ("", ()))
        labels = [label for label in hit.reference_labels if label in own]
        told.update(labels)
        if title:
            yield _reference(n, hit, labels[0] if labels else "", key, title)
    known = frozenset(label for key in hit.reference_keys for label in targets.get(key, ("", ()))[1])
    for label in hit.reference_labels:
        if label in plan.question.foreign_labels:
            inner = split_document_label(label)[1]
            named = next((view for view in plan.view.sections if inner in view.labels), None)
            yield _reference(n, hit, label, named.section_key if named else None, named.title if named else "")
        elif label not in told and label not in known:
            yield _reference(n, hit, label, None, "")


def _reference(n: int, hit: Hit, label: str, key: str | None, title: str) -> Reference:
    document, inner = split_document_label(label)
    shown = f"{inner}, {document}" if document and inner else document or label
    doc_id = None if key is None else key.split("/")[0]
    quote = _quote(hit.content, inner, title)
    return Reference(
        n=n, from_key=hit.section_key, from_title=hit.title, label=shown, doc_id=doc_id, key=key, title=title, quote=quote
    )  # fmt: skip


def _quote(text: str, label: str, title: str) -> str:
    """The sentence that names the target by label or title; the first one that names any division; the text's first sentence."""
    # A row of a table or an item of a list is said apart from the others.
    sentences = [line for start, end in sentence_spans(text) for line in text[start:end].splitlines() if line.strip()] or [text]
    mentions = [(sentence, {name for mention in find_labels(sentence) for name in mention.labels}) for sentence in sentences]
    by_label = [sentence for sentence, labels in mentions if label and label in labels]
    by_title = [sentence for sentence in sentences if title and title.casefold() in sentence.casefold()]
    by_any = [sentence for sentence, labels in mentions if labels]
    return next(iter([*by_label, *by_title, *by_any, *sentences])).strip()


def _is_asked_for(one: Reference, plan: Plan) -> bool:
    """Whether a reference starts in the sections asked for, or ends in them, as the question wants."""
    keys = [place.key for place in plan.question.places]
    starts = any(_within(one.from_key, key) for key in keys)
    ends = any(one.key is not None and _within(one.key, key) for key in keys) or one.label in plan.question.labels
    if not keys:
        return True
    if plan.question.direction == "both":
        return starts or ends
    return starts if plan.question.direction == "outgoing" else ends and not starts


def _within(key: str, branch: str) -> bool:
    return key == branch or key.startswith(f"{branch}/")
