"""Pieces and headings become blocks: lists and program text in one block each, notes at the end of the section that mentions them. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ingest.blocks import Block, BlockKind
from ingest.word.body_look import is_monospaced
from ingest.word.candidates import is_caption_text
from ingest.word.pieces import Paragraph, Piece, Table, note_mark
from ingest.word.wording import WordedHeading

_CAPTION_CHARACTERS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What becomes of each piece by its place: headings, pieces left out, lines of a typed table of contents that stay as text, articles.

    `articles` are numbered paragraphs that are no items of a list.
    """

    headings: Mapping[int, WordedHeading]
    dropped: Collection[int]
    listed: Collection[int]
    articles: Collection[int]
    with_numbers: bool


def assemble(
    pieces: Sequence[Piece], plan: Plan, notes: Mapping[str, Sequence[Piece]], note_numbers: Mapping[str, int]
) -> tuple[Block, ...]:
    """The blocks of a document in reading order."""
    return tuple(_Assembly(plan, notes, note_numbers).blocks(pieces))


@dataclass(slots=True)
class _Open:
    """A list, or lines of program text, that may go on in the next piece."""

    kind: BlockKind
    lines: list[str] = field(default_factory=list)
    pieces: list[Paragraph] = field(default_factory=list)


class _Assembly:
    def __init__(self, plan: Plan, notes: Mapping[str, Sequence[Piece]], note_numbers: Mapping[str, int]) -> None:
        self._plan = plan
        self._notes = notes
        self._note_numbers = note_numbers
        self._open: _Open | None = None
        self._anchors: list[str] = []
        self._due: dict[str, None] = {}

    def blocks(self, pieces: Sequence[Piece]) -> Iterator[Block]:
        consumed = {place for heading in self._plan.headings.values() for place in heading.consumed}
        for place, piece in enumerate(pieces):
            heading = self._plan.headings.get(place)
            if heading is not None and isinstance(piece, Paragraph):
                yield from self._closed()
                yield from self._due_notes()
                yield from self._heading(heading, piece, pieces)
            elif place in consumed or place in self._plan.dropped:
                self._anchors.extend(() if place in consumed else piece.anchors)
            elif isinstance(piece, Table):
                yield from self._closed()
                yield self._table(piece)
            else:
                yield from self._paragraph(piece, self._kind(place, piece))
        yield from self._closed()
        yield from self._due_notes()

    def _heading(self, worded: WordedHeading, paragraph: Paragraph, pieces: Sequence[Piece]) -> Iterator[Block]:
        others = [pieces[place] for place in sorted(worded.consumed)]
        anchors = [*self._take_anchors(), *paragraph.anchors, *(anchor for other in others for anchor in other.anchors)]
        self._mention(paragraph)
        yield Block(
            kind="heading",
            text=worded.text,
            level=worded.heading.level,
            number=worded.number,
            source=worded.heading.source,
            confidence=worded.heading.confidence,
            links=paragraph.links,
            anchors=tuple(dict.fromkeys(anchors)),
        )
        if worded.rest:
            yield Block(kind="paragraph", text=worded.rest)

    def _table(self, table: Table) -> Block:
        self._mention(table)
        return Block(
            kind="table",
            text="\n".join(table.rows),
            header_rows=table.header_rows,
            detached=table.detached,
            links=table.links,
            anchors=(*self._take_anchors(), *table.anchors),
        )

    def _kind(self, place: int, paragraph: Paragraph) -> BlockKind:
        if place in self._plan.listed:
            return "list"
        return "paragraph" if place in self._plan.articles else _kind(paragraph)

    def _paragraph(self, paragraph: Paragraph, kind: BlockKind) -> Iterator[Block]:
        if not paragraph.text.strip():
            self._anchors.extend(paragraph.anchors)
            if self._open is not None and self._open.kind == "code":
                self._open.lines.append("")
            return
        self._mention(paragraph)
        if kind in ("list", "code"):
            if self._open is None or self._open.kind != kind or self._open.pieces[0].detached != paragraph.detached:
                yield from self._closed()
                self._open = _Open(kind=kind)
            self._open.lines.append(self._line(paragraph, kind))
            self._open.pieces.append(replace(paragraph, anchors=(*self._take_anchors(), *paragraph.anchors)))
            return
        yield from self._closed()
        yield Block(
            kind=kind,
            text=_tidied(f"{self._marker(paragraph)}{paragraph.text.strip()}"),
            detached=paragraph.detached,
            links=paragraph.links,
            anchors=(*self._take_anchors(), *paragraph.anchors),
        )

    def _line(self, paragraph: Paragraph, kind: BlockKind) -> str:
        if kind == "code":
            return paragraph.text.rstrip()
        indent = "  " * (paragraph.marker.level if paragraph.marker else 0)
        text = _tidied(paragraph.text.strip()).replace("\n", f"\n{indent}  ")
        return f"{indent}{self._marker(paragraph)}{text}"

    def _marker(self, paragraph: Paragraph) -> str:
        marker = paragraph.marker
        if marker is None or not marker.text.strip() or (not self._plan.with_numbers and not marker.is_bullet):
            return ""
        return f"{marker.text.strip()} "

    def _closed(self) -> Iterator[Block]:
        """The open list or program text as a block."""
        entry, self._open = self._open, None
        if entry is None:
            return
        yield Block(
            kind=entry.kind,
            text="\n".join(entry.lines).strip("\n"),
            detached=entry.pieces[0].detached,
            links=tuple(link for piece in entry.pieces for link in piece.links),
            anchors=tuple(anchor for piece in entry.pieces for anchor in piece.anchors),
        )

    def _mention(self, piece: Piece) -> None:
        self._due.update(dict.fromkeys(piece.notes))

    def _due_notes(self) -> Iterator[Block]:
        due, self._due = self._due, {}
        for key in due:
            texts = [piece.text.strip() if isinstance(piece, Paragraph) else "\n".join(piece.rows) for piece in self._notes.get(key, ())]
            text = "\n".join(filter(None, texts))
            if text:
                links = tuple(link for piece in self._notes[key] for link in piece.links)
                mark = note_mark(self._note_numbers[key])
                yield Block(kind="footnote", text=f"{mark}: {text}", detached=True, links=links)

    def _take_anchors(self) -> list[str]:
        anchors, self._anchors = self._anchors, []
        return anchors


def _kind(paragraph: Paragraph) -> BlockKind:
    if paragraph.style.is_code or is_monospaced(paragraph.look):
        return "code"
    marked = f"{paragraph.marker.text} " if paragraph.marker else ""
    if len(paragraph.text) <= _CAPTION_CHARACTERS and (paragraph.is_caption or (marked and is_caption_text(marked))):
        return "caption"
    if paragraph.marker is not None and paragraph.marker.text.strip():
        return "list"
    return "quote" if paragraph.style.is_quote else "paragraph"


def _tidied(text: str) -> str:
    """Lines without blanks at their ends."""
    return "\n".join(line.rstrip() for line in text.split("\n")) if "\n" in text else text
