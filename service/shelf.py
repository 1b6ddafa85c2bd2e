"""The documents that a reader may know of: listed, found by id or source name, with their stored outline."""

from typing import Any

from es_mappings.access import AccessRegistry, Reader
from es_mappings.derived import NOT_DERIVED
from es_mappings.errors import NotFound
from es_mappings.index import Index
from es_mappings.records import Manifest
from es_mappings.revisions import outline_id

PRIVATE_FIELDS = ("claim", "claimed_at", "retired", "settings_hash", "origin")


def manifest_json(manifest: Manifest) -> dict[str, Any]:
    """A manifest as shown: every public field, None or empty where there is nothing."""
    values = {name: getattr(manifest, name) for name in Manifest.__dataclass_fields__ if name not in PRIVATE_FIELDS}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def list_documents(index: Index, access: AccessRegistry, reader: Reader, collection: str | None = None) -> list[dict[str, Any]]:
    """Every committed document that the reader may see, by collection and title."""
    if not index.exists(index.documents):
        return []
    filters: list[dict[str, Any]] = [{"exists": {"field": "revision"}}, NOT_DERIVED]
    keys = access.keys_for(reader)
    if keys is not None:
        filters.append({"terms": {"access": list(keys)}})
    if collection is not None:
        filters.append({"term": {"collection": collection}})
    found = [Manifest.from_source(hit["_source"]) for hit in index.scan(index.documents, {"bool": {"filter": filters}})]
    return [manifest_json(manifest) for manifest in sorted(found, key=lambda m: (m.collection, m.title.casefold(), m.doc_id))]


def find_document(index: Index, name: str, collection: str | None = None) -> str | None:
    """The id of the document with this id or, if exactly one has it, this source name; None when there is none."""
    if not index.exists(index.documents):
        return None
    if index.get(index.documents, name) is not None:
        return name
    filters: list[dict[str, Any]] = [{"term": {"source": name}}]
    if collection is not None:
        filters.append({"term": {"collection": collection}})
    hits = index.search(index.documents, {"query": {"bool": {"filter": filters}}, "size": 2, "_source": False})
    return str(hits[0]["_id"]) if len(hits) == 1 else None


def readable_manifest(index: Index, access: AccessRegistry, reader: Reader, doc_id: str) -> Manifest:
    """The manifest of a document. Raises NotFound also when the reader may not see it."""
    stored = index.get(index.documents, doc_id) if index.exists(index.documents) else None
    manifest = Manifest.from_source(stored.source) if stored else None
    if manifest is None or not manifest.revision or not access.allows(reader, manifest.access):
        raise NotFound("there is no such document: `sectionary documents` lists what is stored")
    return manifest


def stored_outline(index: Index, access: AccessRegistry, reader: Reader, manifest: Manifest) -> dict[str, Any]:
    """The outline of the current revision, as `sectionary outline` prints it, without the sections that the reader may not see."""
    stored = index.get(index.outlines, outline_id(manifest.doc_id, manifest.revision))
    if stored is None:
        raise NotFound("the outline of this document is gone: ingest the document again")
    outline = dict(stored.source["outline"])
    shown = [row for row in outline["sections"] if access.allows(reader, row["access"])]
    outline["sections"] = [{name: value for name, value in row.items() if name != "access"} for row in shown]
    return outline
