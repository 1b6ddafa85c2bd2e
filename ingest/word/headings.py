"""Which pieces are headings, and of what level: what Word says first, the look only where it says nothing (docs/decisions/0003). Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ingest.blocks import StructureSource
from ingest.numbering import printed_number
from ingest.word.body_look import BodyText, body_text, is_running_text, reads_like_sentence, stands_out
from ingest.word.candidates import candidate_of
from ingest.word.classes import HeadingClass, heading_classes
from ingest.word.gaps import forgotten_levels
from ingest.word.pieces import Paragraph, Piece, Table
from ingest.word.ranks import levels_of

# Fewer headings than this over so many paragraphs of text say little: they are a title or a slip, and the look tells the rest.
_ENOUGH = 3
_SHORT_DOCUMENT_PARAGRAPHS = 20
# "8.1. Requirements of quality." may end in a full stop.
_NUMBERED_CHARACTERS = 100
_NAMED, _OUTLINE, _FORGOTTEN = 1.0, 0.95, 0.85
_LOOK_BASE, _LOOK_STEP, _LOOK_MOST = 0.45, 0.07, 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading found: its level from 1, and the evidence with its confidence in 0..1."""

    level: int
    source: StructureSource
    confidence: float


def find_headings(pieces: Sequence[Piece], excluded: Collection[int], *, with_styles: bool, with_numbers: bool) -> dict[int, Heading]:
    """The headings by the places of their pieces. `excluded` are lines of a table of contents.

    Without styles, style names and outline levels count for nothing, as in a document that uses none.
    """
    stated = _stated(pieces, excluded, with_numbers=with_numbers) if with_styles else {}
    ruling = _ruling(stated, pieces)
    texts = sum(isinstance(piece, Paragraph) and is_running_text(piece) for piece in pieces)
    if len(ruling) >= _ENOUGH or (stated and texts < _SHORT_DOCUMENT_PARAGRAPHS):
        return stated
    if ruling:
        ruling = _without_slips(ruling, pieces, _seen(pieces, excluded, with_styles=with_styles, with_numbers=with_numbers))
    seen = _seen(pieces, {*excluded, *ruling}, with_styles=with_styles, with_numbers=with_numbers)
    if len(seen) < _ENOUGH:
        return stated or seen
    above = max((heading.level for heading in ruling.values()), default=0)
    lowered = {place: replace(heading, level=heading.level + above) for place, heading in seen.items()}
    return dict(sorted((ruling | lowered).items()))


def _ruling(stated: Mapping[int, Heading], pieces: Sequence[Piece]) -> dict[int, Heading]:
    """Of the headings that Word states those with content below them: the lines of a cover that someone set large have none."""
    found = {}
    for place, following in pairwise([*sorted(stated), len(pieces)]):
        between = pieces[place + 1 : following]
        if any(isinstance(piece, Table) or piece.text.strip() for piece in between):
            found[place] = stated[place]
    return found


def _without_slips(ruling: dict[int, Heading], pieces: Sequence[Piece], seen: Mapping[int, Heading]) -> dict[int, Heading]:
    """Without those that look like several headings that nobody marked: one of many was marked by chance and is on their level."""

    def are_alike(place: int, other: int) -> bool:
        one, two = pieces[place], pieces[other]
        return seen[place] == seen[other] and isinstance(one, Paragraph) and isinstance(two, Paragraph) and one.look == two.look

    chance = {p for p in ruling if p in seen and sum(are_alike(p, other) for other in seen if other not in ruling) >= _ENOUGH}
    return {place: heading for place, heading in ruling.items() if place not in chance}


def _stated(pieces: Sequence[Piece], excluded: Collection[int], *, with_numbers: bool) -> dict[int, Heading]:
    """Headings by style or outline level. A title style that comes again below headings divides the document above them all."""
    found: dict[int, Heading] = {}
    body = body_text([piece for piece in pieces if isinstance(piece, Paragraph) and not piece.detached])
    divisions = []
    for place, piece in enumerate(pieces):
        if not isinstance(piece, Paragraph) or place in excluded:
            continue
        if _states_heading(piece, body):
            source: StructureSource = "style" if piece.by_name else "outline_level"
            found[place] = Heading(level=piece.level or 1, source=source, confidence=_NAMED if piece.by_name else _OUTLINE)
        elif found and piece.style.is_title and piece.words and not piece.detached:
            divisions.append(place)
    if with_numbers:
        forgotten = forgotten_levels({place: heading.level for place, heading in found.items()}, pieces, excluded, body)
        found |= {place: Heading(level=level, source="numbering", confidence=_FORGOTTEN) for place, level in forgotten.items()}
    if divisions:
        found = {place: replace(heading, level=heading.level + 1) for place, heading in found.items()}
        found |= {place: Heading(level=1, source="style", confidence=_OUTLINE) for place in divisions}
    return dict(sorted(found.items()))


def _states_heading(paragraph: Paragraph, body: BodyText) -> bool:
    """Whether a style or an outline level makes it a heading; a level set on a plain sentence of text alone is a slip of the mouse."""
    if not paragraph.level or paragraph.detached or not paragraph.text.strip():
        return False
    if paragraph.style.level is not None:
        return True
    printed = printed_number(paragraph.words)
    if printed is not None and printed.certain and len(paragraph.words) <= _NUMBERED_CHARACTERS:
        return True
    is_text = is_running_text(paragraph) or reads_like_sentence(paragraph.words)
    return not is_text or stands_out(paragraph.look, body.look)


def _seen(pieces: Sequence[Piece], excluded: Collection[int], *, with_styles: bool, with_numbers: bool) -> dict[int, Heading]:
    """Headings by look and number."""
    paragraphs = [piece for piece in pieces if isinstance(piece, Paragraph) and not piece.detached]
    body = body_text(paragraphs)
    unlikely = {*excluded, *_boxed(pieces)}
    candidates = [
        candidate
        for place, piece in enumerate(pieces)
        if isinstance(piece, Paragraph) and place not in unlikely and not piece.style.is_title
        if (candidate := candidate_of(place, piece, body, with_numbers=with_numbers)) is not None
    ]
    body_styles = {paragraph.style.id for paragraph in paragraphs if is_running_text(paragraph)}
    classes = heading_classes(candidates, pieces, with_styles=with_styles, body_styles=body_styles)
    found = {}
    for heading_class, level in zip(classes, levels_of(classes), strict=True):
        for member in heading_class.members:
            found[member.place] = Heading(level=level, source=_source(heading_class), confidence=_confidence(heading_class))
    return dict(sorted(found.items()))


def _boxed(pieces: Sequence[Piece]) -> set[int]:
    """Paragraphs in a frame of several: a box beside the text, whose heading is not one of the document."""
    framed = [place for place, piece in enumerate(pieces) if isinstance(piece, Paragraph) and piece.look.bordered and piece.text.strip()]
    inside = set(framed)
    return {place for place in framed if place - 1 in inside or place + 1 in inside}


def _source(heading_class: HeadingClass) -> StructureSource:
    return "numbering" if heading_class.family else "keyword" if heading_class.keyword_share > 0.5 else "font"


def _confidence(heading_class: HeadingClass) -> float:
    """More for what stands out further and for what several headings show alike."""
    several = 0.05 if len(heading_class.members) > 2 else 0.0
    return round(min(_LOOK_MOST, _LOOK_BASE + _LOOK_STEP * heading_class.score + several), 2)
