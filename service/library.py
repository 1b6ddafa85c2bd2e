"""The documents that a reader may see: the shelf, outlines, text in its place, deleting. Everything goes by the manifest.

What is not the reader's to see is answered like what does not exist.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from es_mappings.access import AccessRegistry, Reader
from es_mappings.errors import NotFound
from es_mappings.index import Index
from es_mappings.records import Manifest
from es_mappings.revisions import Revisions, outline_id

READABLE = "ready"
_READ_FIELDS = ["content", "section_key", "section_path", "page_start", "page_end", "is_fallback", "ordinal"]


class Library:
    """Reading and removing documents in one index. Every method raises IndexUnavailable or IndexRefused."""

    def __init__(self, index: Index, access: AccessRegistry, revisions: Revisions) -> None:
        self._index = index
        self._access = access
        self._revisions = revisions

    def documents(self, reader: Reader, collection: str | None = None) -> list[dict[str, Any]]:
        """The manifests that the reader may see, by title."""
        filters: list[dict[str, Any]] = [{"exists": {"field": "revision"}}]
        if collection is not None:
            filters.append({"term": {"collection": collection}})
        keys = self._access.keys_for(reader)
        if keys is not None:
            filters.append({"terms": {"access": list(keys)}})
        if not self._index.exists(self._index.documents):
            return []
        found = self._index.scan(self._index.documents, {"bool": {"filter": filters}})
        manifests = [Manifest.from_source(hit["_source"]) for hit in found]
        return [
            manifest_view(manifest) for manifest in sorted(manifests, key=lambda m: (m.title.casefold(), m.doc_id)) if _stands(manifest)
        ]

    def manifest(self, reader: Reader, doc_id: str) -> Manifest:
        """One manifest as it is now. Raises NotFound."""
        manifest = self._revisions.manifest(doc_id)
        if manifest is None or not _stands(manifest) or not self._access.allows(reader, manifest.access):
            raise NotFound("there is no such document: `sectionary documents` lists those that there are")
        return manifest

    def outline(self, reader: Reader, doc_id: str) -> dict[str, Any]:
        """The outline of a document in the shape of the contract. Raises NotFound."""
        return self._outline(self.manifest(reader, doc_id))

    def _outline(self, manifest: Manifest) -> dict[str, Any]:
        stored = self._index.get(self._index.outlines, outline_id(manifest.doc_id, manifest.revision))
        if stored is None:
            raise NotFound("the document was replaced this very moment: ask again")
        outline: dict[str, Any] = stored.source["outline"]
        return outline

    def delete(self, reader: Reader, doc_ids: Iterable[str]) -> dict[str, list[str]]:
        """Delete documents; returns which were deleted and which were not there (for this reader)."""
        outcome: dict[str, list[str]] = {"deleted": [], "missing": []}
        for doc_id in doc_ids:
            try:
                self.manifest(reader, doc_id)
                gone = self._revisions.delete(doc_id)
            except NotFound:
                gone = False
            outcome["deleted" if gone else "missing"].append(doc_id)
        return outcome

    def read_section(self, reader: Reader, doc_id: str, key: str, *, after: int = -1, limit: int) -> dict[str, Any]:
        """The text of a section and of all below it in reading order, at most `limit` pieces with an ordinal beyond `after`.

        `more` is the ordinal to go on after, None when everything is here; `previous` and `next` are the neighbouring
        sections' keys. The key of the document itself is its doc_id. Raises NotFound.
        """
        manifest = self.manifest(reader, doc_id)
        outline = self._outline(manifest)
        rows = [_document_row(manifest, outline), *outline["sections"]]
        place = next((place for place, row in enumerate(rows) if row["key"] == key), None)
        if place is None:
            raise NotFound("the document has no such section: its outline lists those that there are")
        end = next((p for p in range(place + 1, len(rows)) if not _below(rows[p]["key"], key)), len(rows))
        found = self._pieces(reader, manifest, key, after, limit + 1)
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

    def _pieces(self, reader: Reader, manifest: Manifest, key: str, after: int, size: int) -> list[dict[str, Any]]:
        filters: list[dict[str, Any]] = [
            {"term": {"section_key": key}},
            {"term": {"revision": manifest.revision}},
            {"term": {"kind": "chunk"}},
            {"range": {"ordinal": {"gt": after}}},
        ]
        keys = self._access.keys_for(reader)
        if keys is not None:
            filters.append({"terms": {"access": list(keys)}})
        body = {"query": {"bool": {"filter": filters}}, "sort": [{"ordinal": "asc"}], "size": size, "_source": _READ_FIELDS}
        return self._index.search(self._index.nodes, body)


def manifest_view(manifest: Manifest) -> dict[str, Any]:
    """The manifest as commands print it and the service sends it; nothing about writers and their claims."""
    return {
        "doc_id": manifest.doc_id,
        "collection": manifest.collection,
        "source": manifest.source,
        "title": manifest.title,
        "slug": manifest.slug,
        "aliases": list(manifest.aliases),
        "format": manifest.format,
        "state": manifest.state,
        "revision": manifest.revision,
        "file_hash": manifest.file_hash,
        "access": manifest.access,
        "pages": manifest.pages,
        "sections": manifest.sections,
        "chunks": manifest.chunks,
        "tokens": manifest.tokens,
        "language": manifest.language,
        "structure_source": manifest.structure_source,
        "structure_confidence": manifest.structure_confidence,
        "summary_state": manifest.summary_state,
        "warnings": list(manifest.warnings),
        "error": manifest.error or None,
        "ingested_at": manifest.ingested_at,
        "updated_at": manifest.updated_at,
    }


def _stands(manifest: Manifest) -> bool:
    return manifest.state == READABLE and bool(manifest.revision)


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
