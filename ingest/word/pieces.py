"""What the walk through a Word document yields before it is known which paragraphs are headings. Pure values."""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from ingest.blocks import Link
from ingest.word.numbering import Marker
from ingest.word.styles import ParagraphStyle

_NOTE_MARK = re.compile(r"\[\^\d+\]")


def note_mark(number: int) -> str:
    """The sign in the text for the note with this number (from 1), as in Markdown: "[^3]"."""
    return f"[^{number}]"


def without_note_marks(text: str) -> str:
    """The text without the signs of notes."""
    return _NOTE_MARK.sub("", text) if "[^" in text else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a paragraph looks after all styles and direct formatting: sizes and spaces in points.

    A switch is on when it holds for at least nine tenths of the characters; `size`, `font` and `colour` are those of most characters
    (`colour` is "" for black and automatic).
    """

    size: float = 10.0
    bold: bool = False
    italic: bool = False
    caps: bool = False
    underline: bool = False
    colour: str = ""
    font: str = ""
    centred: bool = False
    before: float = 0.0
    after: float = 0.0
    indent: float = 0.0
    keep_next: bool = False
    bordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A paragraph with what may make it a heading.

    `level` (from 1) is what heading styles and outline levels say, None for text; `by_name` whether a heading style said it.
    `lead` is the number of characters that stand out (bold, italic or underlined) at the start of a paragraph of mixed look.
    `after_break` says that a page begins here; `notes` are keys into the notes of the document; `is_contents` marks
    entries of a table of contents that Word itself made, `framed` text in a table that is only a frame.
    """

    text: str
    look: Look
    style: ParagraphStyle
    level: int | None = None
    by_name: bool = False
    marker: Marker | None = None
    lead: int = 0
    after_break: bool = False
    has_leader: bool = False
    is_contents: bool = False
    is_caption: bool = False
    detached: bool = False
    framed: bool = False
    links: tuple[Link, ...] = ()
    anchors: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The text without signs of notes and blanks at its ends."""
        return without_note_marks(self.text).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table as Markdown rows; `header_rows` counts the separator row, too."""

    rows: tuple[str, ...]
    header_rows: int
    detached: bool = False
    links: tuple[Link, ...] = ()
    anchors: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


Piece: TypeAlias = Paragraph | Table


@dataclass(slots=True)
class Findings:
    """What the walk noticed: notes in the order of their first mention, and counts that a person should know."""

    notes: dict[str, int] = field(default_factory=dict)
    hidden_characters: int = 0
    invisible_characters: int = 0
    embedded_parts: int = 0
    pictures: int = 0
    too_deep: int = 0

    def note_number(self, key: str) -> int:
        """The number (from 1) of a note, by its first mention."""
        return self.notes.setdefault(key, len(self.notes) + 1)
