"""Recognised words become lines of even type: pieces side by side are joined, sizes sorted into steps, specks left out. Pure."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ingest.pdf.units import joined_texts
from ingest.pdf.values import Fragment, RawPage, Run

_STEP = 1.18  # ratio between the type sizes that lines are sorted into
_NOISE = 0.45  # times the page's size: smaller marks are specks, frames, parts of drawings
_GAP = 1.2  # type sizes between pieces of one line; columns stand further apart
_SHARED = 0.5  # share of the lower piece's height that pieces of one line have in common
_WIDE = "\u3040-\u30ff\u3400-\u9fff\uff01-\uff5e\u3001-\u3011"
# Tesseract takes the space around Chinese characters for spaces between words.
_APART = re.compile(rf"(?<=[{_WIDE}])\s+(?=[{_WIDE}])")
_CHARACTER = re.compile(f"[{_WIDE}]")


def evened(raw: RawPage) -> RawPage:
    """The page with a line for each row of a column, all in a few sizes: recognised words are as high as their letters happen to be."""
    fragments = [_measured(fragment) for fragment in raw.fragments]
    usual = _middle([(f.style.size, len(f.text)) for f in fragments]) or 10.0
    kept = [f for f in fragments if f.style.size >= _NOISE * usual and any(c.isalnum() for c in f.text)]
    return replace(raw, fragments=tuple(_line(pieces, usual) for pieces in _side_by_side(kept)))


def _measured(fragment: Fragment) -> Fragment:
    """The piece with its size: Chinese characters are as wide as they are large, while heights that Tesseract gives them vary by half."""
    text = _APART.sub("", fragment.text)
    wide = len(_CHARACTER.findall(text))
    if 2 * wide < len(text):
        return fragment
    size = (fragment.x1 - fragment.x0) / (wide + 0.5 * (len(text) - wide))
    return fragment._replace(style=replace(fragment.style, size=size), text=text)


def _middle(sizes: Sequence[tuple[float, int]]) -> float:
    """The size of the character in the middle of all, by size; 0 for none. `sizes` are (size, number of characters)."""
    half_way = sum(count for _, count in sizes) / 2
    seen = 0
    for size, count in sorted(sizes):
        seen += count
        if seen >= half_way:
            return size
    return 0.0


def _side_by_side(fragments: Sequence[Fragment]) -> Iterator[list[Fragment]]:
    """Neighbours in Tesseract's order that stand on one line."""
    pieces: list[Fragment] = []
    for fragment in fragments:
        if pieces and not _goes_on(pieces[-1], fragment):
            yield pieces
            pieces = []
        pieces.append(fragment)
    if pieces:
        yield pieces


def _goes_on(before: Fragment, after: Fragment) -> bool:
    shared = min(before.y1, after.y1) - max(before.y0, after.y0)
    gap = after.x0 - before.x1
    size = max(before.style.size, after.style.size)
    return shared >= _SHARED * min(before.y1 - before.y0, after.y1 - after.y0) and -1.5 * size <= gap < _GAP * size


def _line(pieces: Sequence[Fragment], usual: float) -> Fragment:
    size = _middle([(piece.style.size, len(piece.text)) for piece in pieces])
    steps = round(math.log(size / usual, _STEP) / 2) * 2
    style = replace(pieces[0].style, size=round(usual * _STEP**steps, 1), family="", bold=False, italic=False, mono=False)
    text = ""
    for piece in pieces:
        text = joined_texts(text, _APART.sub("", piece.text))
    x0, x1 = pieces[0].x0, pieces[-1].x1
    top, bottom = min(piece.y0 for piece in pieces), max(piece.y1 for piece in pieces)
    run = Run(text, style, False, x0, x1)
    return Fragment(x0, top, x1, bottom, _middle([(piece.baseline, len(piece.text)) for piece in pieces]), text, style, (run,), "")
