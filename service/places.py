"""The text of a document in its place: a section with what lies below it, in reading order, as far as the reader may see it."""

from collections.abc import Sequence
from typing import Any

from es_mappings.access import AccessRegistry, Reader
from es_mappings.errors import NotFound
from es_mappings.index import Index
from es_mappings.records import Manifest
from service.scope import Scope, branch_body
from service.shelf import readable_manifest, stored_outline
from service.signals import SectionPlace

_FIELDS = ["content", "section_key", "page_start", "page_end", "is_fallback", "ordinal"]


def read_section(index: Index, access: AccessRegistry, reader: Reader, doc_id: str, key: str, *, after: int, limit: int) -> dict[str, Any]:
    """A section and all below it: at most `limit` pieces of text with an ordinal beyond `after` (-1: from the start).

    `more` is the ordinal to go on after, None when everything is here; `previous` and `next` are the neighbouring sections'
    keys. The key of the document itself is its doc_id. Raises NotFound.
    """
    manifest = readable_manifest(index, access, reader, doc_id)
    outline = stored_outline(index, access, reader, manifest)
    rows = [_document_row(manifest, outline), *outline["sections"]]
    place = next((place for place, row in enumerate(rows) if row["key"] == key), None)
    if place is None:
        raise NotFound("the document has no such section: its outline lists those that there are")
    end = next((p for p in range(place + 1, len(rows)) if not _below(rows[p]["key"], key)), len(rows))
    found = _pieces(index, Scope(access=access.keys_for(reader)), manifest, key, after, limit + 1)
    pieces = found[:limit]
    more = pieces[-1]["_source"]["ordinal"] if len(found) > limit else None
    return {
        "doc_id": doc_id,
        "doc_title": manifest.title,
        "sections": _with_text(rows[place:end], pieces, from_start=after < 0, to_end=more is None),
        "previous": rows[place - 1]["key"] if place else None,
        "next": rows[end]["key"] if end < len(rows) else None,
        "more": more,
    }


def _pieces(index: Index, scope: Scope, manifest: Manifest, key: str, after: int, size: int) -> list[dict[str, Any]]:
    place = SectionPlace(doc_id=manifest.doc_id, key=key)
    return index.search(index.nodes, branch_body(scope, place, manifest.revision, size, _FIELDS, after=after))


def _below(key: str, above: str) -> bool:
    return key.startswith(f"{above}/")


def _document_row(manifest: Manifest, outline: dict[str, Any]) -> dict[str, Any]:
    return {
        "key": manifest.doc_id,
        "path": manifest.slug,
        "level": 0,
        "number": None,
        "title": manifest.title,
        "page": None,
        "source": outline["structure_source"],
        "confidence": manifest.structure_confidence,
    }


def _with_text(rows: Sequence[dict[str, Any]], pieces: Sequence[dict[str, Any]], *, from_start: bool, to_end: bool) -> list[dict[str, Any]]:
    """The sections with their pieces, from the first piece's to the last piece's, or from the branch's start and to its end."""
    texts: dict[str, list[dict[str, Any]]] = {}
    for hit in pieces:
        source = hit["_source"]
        text = {name: source.get(name) for name in ("content", "page_start", "page_end")}
        texts.setdefault(source["section_key"], []).append({"id": hit["_id"], **text, "is_fallback": source.get("is_fallback", False)})
    placed = [place for place, row in enumerate(rows) if row["key"] in texts]
    first = 0 if from_start else min(placed, default=len(rows))
    last = len(rows) - 1 if to_end else max(placed, default=-1)
    return [{**row, "passages": texts.get(row["key"], [])} for row in rows[first : last + 1]]
