"""Stored summaries as members of something across documents: one of each document, or those of all sections."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from es_mappings.derived import is_derived
from es_mappings.index import Index
from es_mappings.records import Manifest
from ingest.summaries.writing import BRANCH_LAYER

_FIELDS = ["kind", "section_key", "title", "section_titles", "content", "token_count", "access", "embedding", "metadata", "doc_id"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A stored summary that something across documents is made from. `place` tells chapters apart."""

    id: str
    doc_id: str
    key: str
    title: str
    place: str
    text: str
    access: str
    document_access: str
    vector: tuple[float, ...] | None


def documents_of(index: Index, collection: str) -> list[Member]:
    """The current documents' summaries, by id."""
    found = {}
    for member, source in _current(index, collection, ("document", "cluster")):
        is_whole = source["kind"] == "document" or source.get("metadata", {}).get("layer") == BRANCH_LAYER
        if is_whole and member.key == member.doc_id:
            found[member.doc_id] = member
    return [found[doc_id] for doc_id in sorted(found)]


def sections_of(index: Index, collection: str) -> list[Member]:
    """The summaries of sections without subsections, and of the lowest clusters of documents without headings."""
    candidates = [
        member
        for member, source in _current(index, collection, ("section", "cluster"))
        if member.vector and (source["kind"] == "section" or source.get("metadata", {}).get("layer") == "tree")
    ]
    above = {member.key.rpartition("/")[0] for member in candidates}
    return sorted((m for m in candidates if m.key not in above or "/" not in m.key), key=lambda m: (m.doc_id, m.key, m.id))


def _current(index: Index, collection: str, kinds: Sequence[str]) -> list[tuple[Member, dict[str, Any]]]:
    query = {"bool": {"filter": [{"term": {"collection": collection}}, {"exists": {"field": "revision"}}]}}
    manifests = {hit["_id"]: Manifest.from_source(hit["_source"]) for hit in index.scan(index.documents, query)}
    shown = {doc_id: m for doc_id, m in manifests.items() if not is_derived(m.format)}
    nodes = [{"term": {"collection": collection}}, {"terms": {"kind": list(kinds)}}, {"range": {"token_count": {"gt": 0}}}]
    index.refresh(index.nodes)
    found = []
    for hit in index.scan(index.nodes, {"bool": {"filter": nodes}}, [*_FIELDS, "revision"]):
        source = hit["_source"]
        manifest = shown.get(source["doc_id"])
        if manifest is not None and manifest.revision == source["revision"]:
            found.append((_member(hit["_id"], source, manifest), source))
    return found


def runs_across(members: Sequence[Member], rows: Sequence[int]) -> bool:
    """Whether members lie in several documents, in several chapters of one, or anywhere in one without headings."""
    if len(rows) < 2:
        return False
    chosen = [members[row] for row in rows]
    if len({member.doc_id for member in chosen}) > 1:
        return True
    tops = {member.key.split("/")[1] for member in members if member.doc_id == chosen[0].doc_id and "/" in member.key}
    depth = 3 if len(tops) == 1 else 2  # one heading over all the others is the book's title, not a chapter
    return len({"/".join(member.key.split("/")[:depth]) for member in chosen}) > 1 or not tops


def _member(id_: str, source: dict[str, Any], manifest: Manifest) -> Member:
    headings = source.get("section_titles", "")
    return Member(
        id=id_,
        doc_id=source["doc_id"],
        key=source["section_key"],
        title=manifest.title,
        place=f"{manifest.title}: {headings}" if headings else manifest.title,
        text=source.get("content", ""),
        access=source["access"],
        document_access=manifest.access,
        vector=tuple(source["embedding"]) if "embedding" in source else None,
    )
