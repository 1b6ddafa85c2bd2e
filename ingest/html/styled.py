"""Headings of a page without heading tags: by the look of short lines, their numbers, and a linked table of contents. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from ingest.blocks import Block, StructureSource
from ingest.headings import headed_by_words, split_heading
from ingest.html.contents import Contents, find_contents
from ingest.html.furniture import page_furniture
from ingest.html.runs import TextLook
from ingest.html.walk import Piece
from ingest.numbering import printed_number
from ingest.plaintext.candidates import Candidate, candidate_of
from ingest.plaintext.families import squeezed
from ingest.plaintext.keywords import is_contents
from ingest.plaintext.levels import LOOK, SIZE_STEP, levels_of

_LONGEST = 180
_MOST_WORDS = 25
_MOST = 0.9
_SENTENCE = re.compile(r"[.;,:]$")
_UNLIKELY = re.compile(r"^(?:/[sS]/|[☐☑☒✓_(\[*]|[Bb][Yy]:|\d+$|[a-z])|[,;]$")
_RUN_IN_END = re.compile(r"[.:。：—–]$")
_FEWEST_RUN_IN = 3
_POINTED = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    candidate: Candidate
    confidence: float


def styled_headings(pieces: Sequence[Piece], without: Collection[StructureSource] = ()) -> tuple[Block, ...]:
    """All pieces as blocks, those that look like headings as headings; page numbers and running heads are left out."""
    furniture = page_furniture(pieces)
    pieces = [piece for index, piece in enumerate(pieces) if index not in furniture]
    found = _candidates(pieces, without)
    if len(found) < 2:
        return headed_by_words([block for piece in pieces for block in _blocks(piece, None, 0)], without)
    candidates = [item.candidate for item in found]
    weights = {c.family: _family_weight(pieces[c.index], c) for c in reversed(candidates)}
    levels = levels_of(candidates, [squeezed(pieces[c.index].text) for c in candidates], weights)
    headings = {item.candidate.index: (item, level) for item, level in zip(found, levels, strict=True)}
    blocks: list[Block] = []
    for index, piece in enumerate(pieces):
        item, level = headings.get(index, (None, 0))
        blocks += _blocks(piece, item, level)
    return tuple(blocks)


def _candidates(pieces: Sequence[Piece], without: Collection[StructureSource]) -> list[_Found]:
    contents = find_contents(pieces)
    body = _body_size(pieces)
    found: list[_Found] = []
    for index, piece in enumerate(pieces):
        item = _candidate(index, piece, body, contents) if piece.kind in ("paragraph", "heading") else None
        if item and item.candidate.source not in without:
            found.append(item)
    return _without_single_run_ins(_without_running_heads(found, pieces))


def _candidate(index: int, piece: Piece, body: float, contents: Contents) -> _Found | None:
    """What one piece could be. Before the end of a table of contents stand title pages: nothing there is a heading."""
    text, look = " ".join(piece.text.split()), piece.look
    if piece.level:
        return _Found(candidate=Candidate(index=index, family=f"{LOOK}tag {piece.level}", source="tag"), confidence=1.0)
    if index < contents.end or is_contents(text):
        return None
    pointed = any(anchor in contents.anchors for anchor in piece.anchors)
    short = len(text) <= _LONGEST and text.count(" ") < _MOST_WORDS
    if look.bold_start and _RUN_IN_END.search(text[: look.bold_start]) and look.bold_start <= 100 and not text[0].islower():
        return _run_in(index, text, look.bold_start)
    if not short or _UNLIKELY.search(text) or not any(c.isalpha() for c in text):
        return None
    marked = _weight(look) > 0 or look.size > body * (1 + SIZE_STEP)
    number = printed_number(text)
    if number and (number.certain or candidate_of(index, text)) and (marked or pointed):
        candidate = Candidate(index=index, family=number.family, source="numbering", number=number.number, values=number.values)
        return _Found(candidate=candidate, confidence=0.95 if pointed else 0.9)
    if pointed or (marked and not (_SENTENCE.search(text) and text.count(" ") > 11)):
        family = f"{LOOK}{look.size} {_weight(look)} {look.centred}"
        return _Found(candidate=Candidate(index=index, family=family, source="font"), confidence=_POINTED if pointed else 0.7)
    return None


def _run_in(index: int, text: str, end: int) -> _Found:
    """Marked words that open a paragraph; their number, if they have one, tells which belong together."""
    number = printed_number(text[:end])
    if number and number.certain:
        family, values = f"{number.family} run-in", number.values
        candidate = Candidate(index=index, family=family, source="numbering", number=number.number, values=values, run_in=end)
    else:
        candidate = Candidate(index=index, family=f"{LOOK}run-in", source="font", run_in=end)
    return _Found(candidate=candidate, confidence=0.6)


def _weight(look: TextLook) -> float:
    """How much a line stands out at its size; bold capitals most, italics least (order of use in style guides and filings)."""
    return (
        2.0 * (look.bold >= _MOST)
        + 1.5 * look.capitals
        + 1.0 * (look.underlined >= _MOST)
        + 0.5 * (look.italic >= _MOST and look.bold < _MOST)
    )


def _family_weight(piece: Piece, candidate: Candidate) -> tuple[float, ...]:
    if piece.level:
        return (1_000.0 * (20 - piece.level), 0.0)
    if candidate.run_in:
        return (piece.look.size, -1.0)
    return (piece.look.size, _weight(piece.look), float(piece.look.centred))


def _body_size(pieces: Sequence[Piece]) -> float:
    sizes = Counter[float]()
    for piece in pieces:
        if piece.kind == "paragraph":
            sizes[piece.look.size] += len(piece.text)
    return sizes.most_common(1)[0][0] if sizes else 12.0


def _without_running_heads(found: list[_Found], pieces: Sequence[Piece]) -> list[_Found]:
    """Lines that come three times and stand next to another heading most times name the document, not a section.

    So does a second line of the look of the heading right above it that a table of contents points to ("YEARS ENDED ...").
    """
    places = {item.candidate.index: item for item in found}
    keys = {index: squeezed(pieces[index].text) for index in places}
    times = Counter(keys.values())
    beside = Counter(key for index, key in keys.items() if index + 1 in places or index - 1 in places)
    kept = []
    for item in found:
        index, above = item.candidate.index, places.get(item.candidate.index - 1)
        returning = times[keys[index]] >= 3 and beside[keys[index]] * 2 > times[keys[index]]
        second = (
            above is not None
            and above.confidence >= _POINTED
            and item.confidence < _POINTED
            and above.candidate.family == item.candidate.family
        )
        if item.candidate.run_in or not (returning or second):
            kept.append(item)
    return kept


def _without_single_run_ins(found: list[_Found]) -> list[_Found]:
    """Two paragraphs that begin in bold are emphasis; more are a way of writing headings."""
    if sum(bool(item.candidate.run_in) for item in found) >= _FEWEST_RUN_IN:
        return found
    return [item for item in found if not item.candidate.run_in]


def _blocks(piece: Piece, item: _Found | None, level: int) -> Iterator[Block]:
    block = Block(kind=piece.kind, text=piece.text, header_rows=piece.header_rows, links=piece.links, anchors=piece.anchors)
    if item is None:
        yield block
        return
    candidate = item.candidate
    shape = replace(block, number=candidate.number, source=candidate.source, confidence=item.confidence)
    yield from split_heading(shape, level=level, run_in=candidate.run_in)
