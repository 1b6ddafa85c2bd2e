"""A stored document as sections to summarise: its nodes of one revision, read back in reading order."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from es_mappings.index import Index
from es_mappings.records import Manifest
from es_mappings.sections import joined_hash
from ingest.summaries.tree import SectionSource

_FIELDS = [
    "kind",
    "ordinal",
    "level",
    "section_key",
    "section_path",
    "section_titles",
    "title",
    "content",
    "token_count",
    "access",
    "embedding",
    "source_hash",
    "coverage",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredNode:
    """What summaries need of a node. `place` is a hash of the heading path, by which a section is known from one revision to the next."""

    id: str
    index: str
    key: str
    path: str
    title: str
    level: int
    place: str
    access: str
    content: str
    tokens: int
    vector: tuple[float, ...] | None
    source_hash: str
    coverage: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDocument:
    """A document's headings (itself first), and the chunks under each, as indexes of `sections`."""

    manifest: Manifest
    sections: tuple[StoredNode, ...]
    chunks: tuple[StoredNode, ...]
    chunks_of: tuple[tuple[int, ...], ...]

    @property
    def has_headings(self) -> bool:
        """Whether there is a heading at all."""
        return len(self.sections) > 1


def read_document(index: Index, manifest: Manifest) -> StoredDocument:
    """The document's current revision. Nodes that were committed are visible to searches, so a scan finds them all."""
    query = {"bool": {"filter": [{"term": {"doc_id": manifest.doc_id}}, {"term": {"revision": manifest.revision}}]}}
    hits = sorted(index.scan(index.nodes, query, _FIELDS), key=lambda hit: hit["_source"]["ordinal"])
    sections = [_node(hit) for hit in hits if hit["_source"]["kind"] in ("document", "section")]
    sections.sort(key=lambda node: node.key != manifest.doc_id)  # the document itself first, the others as they are
    chunks = [_node(hit) for hit in hits if hit["_source"]["kind"] == "chunk"]
    place = {node.key: i for i, node in enumerate(sections)}
    under: list[list[int]] = [[] for _ in sections]
    for position, chunk in enumerate(chunks):
        under[place[chunk.key]].append(position)
    return StoredDocument(
        manifest=manifest, sections=tuple(sections), chunks=tuple(chunks), chunks_of=tuple(tuple(positions) for positions in under)
    )


def section_sources(document: StoredDocument) -> tuple[SectionSource, ...]:
    """The sections of a document with their own texts, parents before children."""
    place = {node.key: i for i, node in enumerate(document.sections)}
    sources = []
    for index, node in enumerate(document.sections):
        above = node.key.rpartition("/")[0]
        parent = None if index == 0 else place.get(above, 0)
        text = "\n\n".join(document.chunks[i].content for i in document.chunks_of[index])
        sources.append(SectionSource(key=node.key, title=node.title, parent=parent, text=text, access=node.access))
    return tuple(sources)


def chunk_sources(document: StoredDocument) -> tuple[SectionSource, ...]:
    """The chunks of a document without headings, as leaves below it."""
    return tuple(
        SectionSource(key=chunk.id, title="", parent=0, text=chunk.content, access=chunk.access, kind="leaf") for chunk in document.chunks
    )


def mean_vector(nodes: Sequence[StoredNode]) -> tuple[float, ...] | None:
    """The mean of the nodes' vectors, weighted by tokens, at unit length; None when there is none or they cancel out."""
    having = [(node.vector, node.tokens) for node in nodes if node.vector and node.tokens]
    if not having:
        return None
    total = np.array([tokens for _, tokens in having]) @ np.array([vector for vector, _ in having])
    length = float(np.linalg.norm(total))
    return tuple((total / length).tolist()) if length else None


def _node(hit: dict[str, Any]) -> StoredNode:
    source = hit["_source"]
    return StoredNode(
        id=hit["_id"],
        index=hit["_index"],
        key=source["section_key"],
        path=source.get("section_path", ""),
        level=int(source.get("level", 0)),
        title=source.get("title", ""),
        place=joined_hash(source.get("section_titles", ""), source["kind"])[:24],
        access=source.get("access", "public"),
        content=source.get("content", "") if source["kind"] == "chunk" else "",
        tokens=int(source.get("token_count", 0)),
        vector=tuple(source["embedding"]) if "embedding" in source else None,
        source_hash=source.get("source_hash", ""),
        coverage=source.get("coverage", {}),
    )
