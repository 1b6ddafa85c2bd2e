"""A Word file as pieces in reading order, with its notes and what a person should know about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from es_mappings.errors import LimitExceeded, MalformedDocument
from ingest.word.body import BodyReader
from ingest.word.fields import FieldStack
from ingest.word.inline import InlineReader
from ingest.word.names import Element, W
from ingest.word.notes import note_texts
from ingest.word.numbering import Numbering
from ingest.word.package import Package, open_package
from ingest.word.pieces import Findings, Piece
from ingest.word.properties import core_properties
from ingest.word.styles import StyleSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class WordDocument:
    """All that was read of a file. `notes` are by the keys that paragraphs and tables carry."""

    pieces: tuple[Piece, ...]
    notes: Mapping[str, tuple[Piece, ...]]
    properties: Mapping[str, str]
    findings: Findings


def read_document(path: Path, *, most_pieces: int = 600_000) -> WordDocument:
    """Read a Word file. Raises the UnreadableDocument family; LimitExceeded above `most_pieces` paragraphs, empty ones counted."""
    with open_package(path) as package:
        root = package.xml(package.main)
        body = root.find(W + "body")
        if body is None:
            raise MalformedDocument(f"{path.name} has no document body: open and save it again in Word")
        styles = StyleSheet(_root(package, "styles"))
        numbering = Numbering(_root(package, "numbering"), styles)
        findings = Findings()
        inline = InlineReader(styles, package.links, FieldStack(balanced=_fields_are_balanced(body)), findings)
        reader = BodyReader(styles, numbering, inline, findings)
        pieces = tuple(islice(reader.pieces(body), most_pieces + 1))
        if len(pieces) > most_pieces:
            raise LimitExceeded(f"{path.name} has more than {most_pieces:,} paragraphs: split it")
        return WordDocument(
            pieces=pieces,
            notes=_notes(package, styles, numbering, findings),
            properties=core_properties(package),
            findings=findings,
        )


def _notes(package: Package, styles: StyleSheet, numbering: Numbering, findings: Findings) -> dict[str, tuple[Piece, ...]]:
    notes: dict[str, tuple[Piece, ...]] = {}
    for kind in ("footnote", "endnote"):
        part = package.related(f"{kind}s")
        if part is None:
            continue
        inline = InlineReader(styles, package.relationships(part), FieldStack(balanced=True), findings)
        reader = BodyReader(styles, numbering, inline, findings)
        notes.update(note_texts(package.xml(part), kind, reader.pieces))
    return notes


def _root(package: Package, kind: str) -> Element | None:
    part = package.related(kind)
    return None if part is None else package.xml(part)


def _fields_are_balanced(body: Element) -> bool:
    kinds = [mark.get(W + "fldCharType") for mark in body.iter(W + "fldChar")]
    return kinds.count("begin") == kinds.count("end")
