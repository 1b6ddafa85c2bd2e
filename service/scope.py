"""The only place that builds search bodies. Access, collection, documents, sections and kinds go into BOTH legs, words and vectors.

A filter inside `query` does not restrict `knn` hits and a `post_filter` starves them, so each clause gets the same list where
its own search applies it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from service.signals import Clause, Nearest, SectionPlace

SUMMARY_KINDS = ("section", "document", "cluster")
ALL_KINDS = ("chunk", *SUMMARY_KINDS)
# What a leg returns of a hit besides its id and score: enough to check its revision and access, and to break ties.
HIT_FIELDS = ("doc_id", "revision", "access", "kind", "ordinal", "language")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where a reader searches.

    `access`: the keys that the reader meets, None for the owner. `documents`: doc_ids, () for all. `places` and `labels` name
    the sections searched, a union, None for everywhere; `without_places` and `without_labels` are left out. `pinned`: pairs of
    doc_id and the one revision of it that counts ("": none does, the document is left out).
    """

    access: tuple[str, ...] | None
    collection: str | None = None
    documents: tuple[str, ...] = ()
    places: tuple[SectionPlace, ...] | None = None
    labels: tuple[str, ...] = ()
    without_places: tuple[SectionPlace, ...] = ()
    without_labels: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ("chunk",)
    pinned: tuple[tuple[str, str], ...] = ()


def search_body(scope: Scope, clause: Clause, size: int) -> dict[str, Any]:
    """One search over the nodes with a text of their own: ids, scores and HIT_FIELDS, best first, at most `size`."""
    shown = {"size": size, "_source": False, "docvalue_fields": list(HIT_FIELDS), "track_total_hits": False}
    if isinstance(clause, Nearest):
        filters = text_filters(scope, scope.kinds)
        nearest = {"field": "embedding", "query_vector": list(clause.vector), "k": clause.k, "num_candidates": clause.candidates}
        return {**shown, "knn": {**nearest, "filter": filters}}
    shown["size"] = min(size, clause.most or size)
    filters = text_filters(scope, clause.kinds or scope.kinds)
    if clause.in_order:
        query = {"bool": {"filter": [clause.query, *filters]}}
        return {**shown, "query": query, "sort": [{"doc_id": "asc"}, {"ordinal": "asc"}]}
    return {**shown, "query": {"bool": {"must": [clause.query], "filter": filters}}}


def tree_body(scope: Scope, clause: Clause, size: int) -> dict[str, Any]:
    """One search over headings, documents and clusters, with a text of their own or not: as `search_body`, and their section keys."""
    shown = {"size": size, "_source": False, "docvalue_fields": [*HIT_FIELDS, "section_key.raw"], "track_total_hits": False}
    filters = [*reader_filters(scope), *place_filters(scope), {"terms": {"kind": list(SUMMARY_KINDS)}}]
    if isinstance(clause, Nearest):
        nearest = {"field": "embedding", "query_vector": list(clause.vector), "k": clause.k, "num_candidates": clause.candidates}
        return {**shown, "knn": {**nearest, "filter": filters}}
    return {**shown, "query": {"bool": {"must": [clause.query], "filter": filters}}}


def own_text_body(scope: Scope, key: str, revision: str, ordinals: tuple[int, int] | None, source: Sequence[str]) -> dict[str, Any]:
    """The chunks of one section's own text, of one revision, in reading order: those in a closed range of ordinals, or the first one."""
    here: list[dict[str, Any]] = [{"term": {"section_key.raw": key}}, {"term": {"revision": revision}}]
    if ordinals is None:
        return _in_order(scope, here, 1, source)
    low, high = ordinals
    here.append({"range": {"ordinal": {"gte": low, "lte": high}}})
    return _in_order(scope, here, high - low + 1, source)


def last_piece_body(scope: Scope, place: SectionPlace, revision: str, source: Sequence[str]) -> dict[str, Any]:
    """The last chunk of a section and all below it."""
    body = branch_body(scope, place, revision, 1, source)
    return {**body, "sort": [{"ordinal": "desc"}]}


def branch_body(scope: Scope, place: SectionPlace, revision: str, size: int, source: Sequence[str], *, after: int = -1) -> dict[str, Any]:
    """The first `size` chunks of a section and all below it, of one revision, with an ordinal beyond `after`, in reading order."""
    here: list[dict[str, Any]] = [_inside(place), {"term": {"revision": revision}}, {"range": {"ordinal": {"gt": after}}}]
    return _in_order(scope, here, size, source)


def _in_order(scope: Scope, here: Sequence[dict[str, Any]], size: int, source: Sequence[str]) -> dict[str, Any]:
    filters = [*text_filters(scope, ("chunk",)), *here]
    query = {"bool": {"filter": filters}}
    return {"size": size, "_source": list(source), "query": query, "sort": [{"ordinal": "asc"}], "track_total_hits": False}


def headings_body(scope: Scope, query: dict[str, Any], size: int, source: Sequence[str]) -> dict[str, Any]:
    """The heading nodes (and documents) that `query` finds within the scope's access, collection and documents."""
    filters = [*reader_filters(scope), {"terms": {"kind": ["section", "document"]}}]
    return {
        "size": size,
        "_source": list(source),
        "query": {"bool": {"must": [query], "filter": filters}},
        "sort": ["_score", {"doc_id": "asc"}, {"ordinal": "asc"}],
        "track_total_hits": False,
    }


def reader_filters(scope: Scope) -> list[dict[str, Any]]:
    """What the reader may see, within the collection and the documents, of pinned documents the pinned revision alone."""
    filters: list[dict[str, Any]] = []
    if scope.access is not None:
        filters.append({"terms": {"access": list(scope.access)}})
    if scope.collection is not None:
        filters.append({"term": {"collection": scope.collection}})
    if scope.documents:
        filters.append({"terms": {"doc_id": list(scope.documents)}})
    if scope.pinned:
        filters.append({"bool": {"must_not": [_other_revisions(doc_id, revision) for doc_id, revision in scope.pinned]}})
    return filters


def text_filters(scope: Scope, kinds: Sequence[str]) -> list[dict[str, Any]]:
    """Every filter of a search for text: the reader's, the sections', the kinds', and that the node has text of its own."""
    return [*reader_filters(scope), {"terms": {"kind": list(kinds)}}, {"range": {"token_count": {"gt": 0}}}, *place_filters(scope)]


def place_filters(scope: Scope) -> list[dict[str, Any]]:
    """The sections searched, and those left out."""
    filters: list[dict[str, Any]] = []
    if scope.places is not None:
        inside = [*map(_inside, scope.places), *map(_labelled, scope.labels)]
        filters.append(_any_of(inside) if inside else {"match_none": {}})
    outside = [*map(_inside, scope.without_places), *map(_labelled, scope.without_labels)]
    if outside:
        filters.append({"bool": {"must_not": outside}})
    return filters


def _inside(place: SectionPlace) -> dict[str, Any]:
    """The branch of a section, or its own text alone; the document is named too, because keys are compared without case."""
    key: dict[str, Any] = {"term": {"section_key.raw": place.key}} if place.own_only else {"match": {"section_key": place.key}}
    return {"bool": {"filter": [{"term": {"doc_id": place.doc_id}}, key]}}


def _labelled(label: str) -> dict[str, Any]:
    return {"term": {"section_labels": label}}


def _any_of(clauses: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return clauses[0] if len(clauses) == 1 else {"bool": {"should": list(clauses), "minimum_should_match": 1}}


def _other_revisions(doc_id: str, revision: str) -> dict[str, Any]:
    return {"bool": {"filter": [{"term": {"doc_id": doc_id}}], "must_not": [{"term": {"revision": revision}}]}}
