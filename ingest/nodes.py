"""An outline and its chunks become the nodes that are stored: one a document, one a heading, one a chunk. Pure."""

from dataclasses import dataclass, replace

from es_mappings.records import Node, NodeKind
from es_mappings.sections import joined_hash, section_key, section_path
from ingest.blocks import StructureSource
from ingest.chunking import Chunk, embedded_text
from ingest.labelling import SectionLabels
from ingest.outline import Outline
from ingest.references import References


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A document taken apart: its outline, chunks in order, labels one a section, references one a chunk."""

    outline: Outline
    chunks: tuple[Chunk, ...]
    labels: tuple[SectionLabels, ...]
    references: tuple[References, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What the nodes of one revision share. `access` has a key for each section; `metadata` are short properties of the file."""

    collection: str
    doc_id: str
    revision: str
    slug: str
    access: tuple[str, ...]
    language: str | None
    ingested_at: str
    metadata: dict[str, str]


def heights(outline: Outline) -> tuple[int, ...]:
    """The tree level of each section counted from the text: 1 without subsections, else one more than the highest below."""
    found = [1] * len(outline.sections)
    for index in range(len(outline.sections) - 1, 0, -1):
        parent = outline.sections[index].parent
        assert parent is not None
        found[parent] = max(found[parent], found[index] + 1)
    return tuple(found)


def build_nodes(parts: Parts, identity: Identity) -> tuple[Node, ...]:
    """The nodes of a revision in reading order, without vectors: the document, then each heading followed by its chunks.

    Heading nodes carry no text of their own until a summary is made, so they are never a hit before.
    """
    chunks_of: dict[int, list[int]] = {}
    for position, chunk in enumerate(parts.chunks):
        chunks_of.setdefault(chunk.section, []).append(position)
    levels = heights(parts.outline)
    nodes: list[Node] = []
    for index in range(len(parts.outline.sections)):
        heading = _section_node(parts, identity, index, "section" if index else "document", levels[index])
        nodes.append(replace(heading, ordinal=len(nodes)))
        for position in chunks_of.get(index, ()):
            nodes.append(_chunk_node(parts, heading, position, len(nodes)))
    return tuple(nodes)


def embedded_texts(parts: Parts) -> tuple[str, ...]:
    """What the embedder reads for each chunk, in order."""
    return tuple(embedded_text(chunk) for chunk in parts.chunks)


def _section_node(parts: Parts, identity: Identity, index: int, kind: NodeKind, level: int) -> Node:
    section = parts.outline.sections[index]
    source: StructureSource = section.source if index else parts.outline.structure_source
    return Node(
        collection=identity.collection,
        doc_id=identity.doc_id,
        revision=identity.revision,
        kind=kind,
        level=level,
        ordinal=0,
        title=section.title,
        number=section.number,
        section_path=section_path(identity.slug, section.headings),
        section_key=section_key(identity.doc_id, section.ordinals),
        section_titles=" / ".join(section.headings),
        section_labels=parts.labels[index].inherited,
        own_labels=parts.labels[index].own,
        page_start=section.page,
        structure_source=source,
        structure_confidence=round(section.confidence, 3),
        access=identity.access[index],
        ingested_at=identity.ingested_at,
        language=identity.language,
        metadata=identity.metadata if not index else {},
    )


def _chunk_node(parts: Parts, heading: Node, position: int, ordinal: int) -> Node:
    chunk = parts.chunks[position]
    references = parts.references[position]
    return replace(
        heading,
        kind="chunk",
        level=0,
        ordinal=ordinal,
        content=chunk.content,
        token_count=chunk.token_count,
        page_start=chunk.page_start,
        page_end=chunk.page_end,
        is_fallback=chunk.is_fallback,
        own_labels=(),
        reference_labels=references.labels,
        reference_keys=tuple(section_key(heading.doc_id, ordinals) for ordinals in references.targets),
        content_hash=joined_hash(embedded_text(chunk)),
        metadata={},
    )
