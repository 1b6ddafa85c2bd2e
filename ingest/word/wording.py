"""The words and number of each heading: labels on a line of their own, headings over two lines, and paragraphs styled as headings. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from ingest.numbering import printed_number
from ingest.word.body_look import reads_like_sentence
from ingest.word.headings import Heading
from ingest.word.pieces import Paragraph, Piece, without_note_marks

_TRAILING = re.compile(r"[\s.,:;、。：；．)）\]–—-]+$")
_PAIRS = {")": "(", "）": "（", "]": "[", "】": "【", "〕": "〔"}
_LABEL_CHARACTERS = 24
# What a heading may have at most; a longer paragraph in a heading style is a clause, whose first words name it.
_LONGEST, _LONGEST_EAST_ASIAN = 250, 100
_SENTENCE, _SENTENCE_EAST_ASIAN = 80, 30
_NAME_CHARACTERS, _NAME_EAST_ASIAN = 80, 30
_EAST_ASIAN = re.compile(r"[\u3040-\u9fff\uac00-\ud7a3]")
_CLAUSE_END = re.compile(r"[.;:。；：，,](?=\s|$)|[。；：，]")
_MOST_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedHeading:
    """A heading as it is stored. `text` has no automatic number; `rest` is text of the same paragraph that belongs below the heading.

    `consumed` are the places of other paragraphs that went into it: its label, its further lines.
    """

    heading: Heading
    text: str
    number: str | None
    rest: str = ""
    consumed: frozenset[int] = field(default_factory=frozenset)


def word_headings(pieces: Sequence[Piece], headings: Mapping[int, Heading], *, with_numbers: bool) -> dict[int, WordedHeading]:
    """The headings by place, worded; places that were consumed by another heading are left out."""
    worded: dict[int, WordedHeading] = {}
    used: set[int] = set()
    for place in sorted(headings):
        piece = pieces[place]
        if place in used or not isinstance(piece, Paragraph):
            continue
        lines = [place, *_further_lines(pieces, headings, place)]
        label_place, label = _label_above(pieces, headings, place) if with_numbers else (None, None)
        number = clean_number(piece.marker.text) if with_numbers and piece.marker and not piece.marker.is_bullet else None
        consumed = set(lines[1:])
        if number is None and label is not None and label_place is not None:
            number = label
            consumed.add(label_place)
            worded.pop(label_place, None)
        text, rest = _parted(piece) if len(lines) == 1 else (" ".join(_words(pieces, lines)), "")
        used |= consumed
        worded[place] = WordedHeading(heading=headings[place], text=text, number=number, rest=rest, consumed=frozenset(consumed))
    return worded


def clean_number(text: str) -> str | None:
    """A number without the punctuation after it ("1." is "1", "(a)" stays), or None when nothing is left.

    >>> clean_number("2.1."), clean_number("Article IV –"), clean_number("(a)"), clean_number("第一章 ")
    ('2.1', 'Article IV', '(a)', '第一章')
    """
    text = " ".join(text.split())
    while text:
        last = text[-1]
        if not _TRAILING.search(last) or (last in _PAIRS and _PAIRS[last] in text):
            break
        text = text[:-1].rstrip()
    return text or None


def _further_lines(pieces: Sequence[Piece], headings: Mapping[int, Heading], place: int) -> list[int]:
    """The next lines of a heading that was centred over several: same level and look, directly below, found by look."""
    first = pieces[place]
    heading = headings[place]
    if not isinstance(first, Paragraph) or heading.source == "style" or not first.look.centred or printed_number(first.words):
        return []
    lines: list[int] = []
    for following in range(place + 1, place + _MOST_LINES):
        piece = pieces[following] if following < len(pieces) else None
        other = headings.get(following)
        if not isinstance(piece, Paragraph) or other is None or other.level != heading.level or other.source != heading.source:
            break
        if piece.look.size != first.look.size or not piece.look.centred or piece.after_break:
            break
        lines.append(following)
    return lines


def _label_above(pieces: Sequence[Piece], headings: Mapping[int, Heading], place: int) -> tuple[int | None, str | None]:
    """The label that stands on a line of its own right above ("CHAPTER 1", "4", an empty numbered paragraph), and its place."""
    for above in range(place - 1, max(-1, place - 1 - _MOST_LINES), -1):
        piece = pieces[above]
        if not isinstance(piece, Paragraph) or piece.detached:
            break
        heading = headings.get(above)
        text = piece.words
        if not text and (piece.marker is None or piece.marker.is_bullet or not piece.marker.text):
            continue
        if heading is not None and (heading.source in ("style", "outline_level") or heading.level > headings[place].level):
            break
        if not text and piece.marker is not None:
            return above, clean_number(piece.marker.text)
        return (above, clean_number(text)) if _is_label(piece, heading is not None) else (None, None)
    return None, None


def _is_label(paragraph: Paragraph, is_heading: bool) -> bool:
    """Whether a line is a label and nothing else, and set like one."""
    text = paragraph.words
    if len(text) > _LABEL_CHARACTERS or not (is_heading or paragraph.look.bold or paragraph.look.centred):
        return False
    printed = printed_number(text)
    if printed is not None:
        return printed.end >= len(text.rstrip(" .:：、"))
    return len(text) <= 2 and text.isalnum()


def _parted(paragraph: Paragraph) -> tuple[str, str]:
    """The heading and the text after it: all and nothing, unless the paragraph is a sentence or as long as a text.

    What only a heading says is not found by searching the text, so a clause must stand below its heading as a whole.
    """
    text = " ".join(paragraph.words.split())
    is_east_asian = 3 * len(_EAST_ASIAN.findall(text)) > len(text)
    most, sentence = (_LONGEST_EAST_ASIAN, _SENTENCE_EAST_ASIAN) if is_east_asian else (_LONGEST, _SENTENCE)
    if len(text) <= most and not (len(text) > sentence and reads_like_sentence(text)):
        return text, ""
    lead = " ".join(without_note_marks(paragraph.text[: paragraph.lead]).split())
    most = _NAME_EAST_ASIAN if is_east_asian else _NAME_CHARACTERS
    if 2 < len(lead) <= 2 * most:
        return _TRAILING.sub("", lead) or lead, paragraph.text[paragraph.lead :].strip()
    return _first_words(text, most), paragraph.text.strip()


def _first_words(text: str, most: int) -> str:
    """The first clause, or as many words as fit, with a sign that more follow."""
    clause = _CLAUSE_END.search(text)
    if clause and 2 < clause.start() <= most:
        return text[: clause.start()]
    cut = text[: most + 1]
    return (cut.rpartition(" ")[0] if " " in cut else cut[:most]).rstrip(" ,;，；") + "…"


def _words(pieces: Sequence[Piece], places: Collection[int]) -> list[str]:
    return [" ".join(piece.words.split()) for place in places if isinstance(piece := pieces[place], Paragraph)]
