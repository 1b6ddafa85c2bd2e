"""The document's own title: a title style, the property, a line that towers over its cover, or the one heading above all. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ingest.plaintext.keywords import is_contents
from ingest.word.body_look import is_running_text
from ingest.word.pieces import Paragraph, Piece, Table
from ingest.word.wording import WordedHeading

_LONGEST = 300
_MOST_LINES = 4
# Set so much larger than every other line of the cover and than the text, a line is the title beyond doubt.
_TOWERING, _OVER_TEXT = 1.5, 1.8
_COVER_PIECES = 60
_ENOUGH_HEADINGS = 3
_USELESS = re.compile(
    r"(?:microsoft word\b.*|microsoft office word\b.*|document\s*\d*|doc\s*\d+|untitled.*|title|normal|template|blank|word document"
    r"|no title|文档\s*\d*|无标题.*|新建.*文档.*|标题|.*\.(?:docx?|dotx?|docm|rtf|odt|pdf|txt))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """The title ("" when unknown), and the places of the pieces that are nothing else than it."""

    text: str = ""
    places: frozenset[int] = frozenset()


def find_title(
    pieces: Sequence[Piece],
    headings: Mapping[int, WordedHeading],
    excluded: Collection[int],
    properties: Mapping[str, str],
    body_size: float,
    *,
    with_styles: bool,
) -> Title:
    """The title of a document."""
    styled = _styled(pieces, headings) if with_styles else Title()
    if styled.text:
        return styled
    crown = crowning_place(pieces, headings)
    if crown is not None:
        return Title(text=headings[crown].text, places=frozenset({crown, *headings[crown].consumed}))
    stated = properties.get("title", "")
    if is_telling(stated):
        return Title(text=stated)
    return Title(text=_lone_heading(pieces, headings) or _towering(pieces, headings, excluded, body_size))


def crowning_place(pieces: Sequence[Piece], headings: Mapping[int, WordedHeading]) -> int | None:
    """The place of a first heading that is no section but the title: seen by its look, above all others, and with no text of its own.

    A chapter's title has text below it, or a number.
    """
    places = sorted(headings)
    if len(places) < _ENOUGH_HEADINGS:
        return None
    first, *others = [headings[place] for place in places]
    if first.heading.source != "font" or first.number is not None or any(o.heading.level <= first.heading.level for o in others):
        return None
    if any(isinstance(piece, Table) or is_running_text(piece) for piece in pieces[: places[1]]):
        return None
    return places[0]


def is_telling(title: str) -> bool:
    """Whether a title property says something about this document, and is not a program's or a file's name."""
    return 2 < len(title) <= _LONGEST and not _USELESS.fullmatch(title.strip())


def _styled(pieces: Sequence[Piece], headings: Mapping[int, WordedHeading]) -> Title:
    """The first paragraphs in the title style, one after the other."""
    first = next((i for i, piece in enumerate(pieces) if isinstance(piece, Paragraph) and piece.style.is_title and piece.words), None)
    if first is None or first in headings:
        return Title()
    places, texts = [], []
    for place in range(first, min(first + _MOST_LINES, len(pieces))):
        piece = pieces[place]
        if not isinstance(piece, Paragraph) or not piece.style.is_title or place in headings:
            break
        places.append(place)
        texts.append(" ".join(piece.words.split()))
    text = " ".join(filter(None, texts))
    return Title() if len(text) > _LONGEST or is_contents(text) else Title(text=text, places=frozenset(places))


def _lone_heading(pieces: Sequence[Piece], headings: Mapping[int, WordedHeading]) -> str:
    """The first heading when all others stand below it; without others, when the document begins with it."""
    if not headings:
        return ""
    places = sorted(headings)
    first, *others = [headings[place] for place in places]
    if others:
        alone = all(other.heading.level > first.heading.level for other in others)
    else:
        alone = not any(isinstance(piece, Table) or piece.words for piece in pieces[: places[0]])
    return first.text if alone and len(first.text) <= _LONGEST else ""


def _towering(pieces: Sequence[Piece], headings: Mapping[int, WordedHeading], excluded: Collection[int], body_size: float) -> str:
    end = min([_COVER_PIECES, *headings, *excluded], default=_COVER_PIECES)
    lines = [piece for piece in pieces[:end] if isinstance(piece, Paragraph) and piece.words and not piece.detached and not piece.framed]
    if not lines:
        return ""
    sizes = sorted({line.look.size for line in lines}, reverse=True)
    second = sizes[1] if len(sizes) > 1 else body_size
    tops = [place for place, line in enumerate(lines) if line.look.size == sizes[0]]
    together = tops == list(range(tops[0], tops[0] + len(tops)))
    if sizes[0] < _TOWERING * second or sizes[0] < _OVER_TEXT * body_size or not together or len(tops) > _MOST_LINES:
        return ""
    text = " ".join(" ".join(lines[place].words.split()) for place in tops)
    return text if len(text) <= _LONGEST else ""
