"""A document on disk is read and taken apart: reading, outline, chunks, labels, references."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from es_mappings.errors import EmptyDocument
from es_mappings.settings import Settings
from ingest.blocks import Reading
from ingest.chunking import chunk_outline
from ingest.formats import ReadOptions
from ingest.labelling import label_outline
from ingest.nodes import Parts
from ingest.outline import build_outline
from ingest.references import find_references
from ingest.restrictions import read_restrictions

ReadFile = Callable[[Path, ReadOptions], Reading]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDocument:
    """A document taken apart, with the reading's own metadata and aliases, and the groups of its restricted sections by name."""

    parts: Parts
    restrictions: Mapping[str, Sequence[str]]
    metadata: dict[str, str]
    aliases: tuple[str, ...]


def take_apart(path: Path, read: ReadFile, options: ReadOptions, settings: Settings, title: str = "") -> ReadDocument:
    """Read a document and take it apart. `title` stands in for a document without one (default: the file's name).

    Raises the UnreadableDocument family; EmptyDocument when there is neither heading nor text.
    """
    reading = read(path, options)
    if not reading.blocks:
        raise EmptyDocument(f"{path.name} holds no text: there is nothing to store")
    outline = build_outline(reading, title or path.stem)
    chunks = chunk_outline(outline, settings.chunk_tokens, settings.chunk_overlap_tokens)
    labels = label_outline(outline)
    references = find_references(outline, chunks, labels)
    parts = Parts(outline=outline, chunks=chunks, labels=labels, references=references)
    return ReadDocument(parts=parts, restrictions=read_restrictions(path), metadata=reading.metadata, aliases=reading.aliases)
