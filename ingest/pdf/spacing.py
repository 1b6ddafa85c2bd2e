"""Letterspaced lines ("C H A P T E R  O N E") put together again by the distances of their characters."""

import itertools
from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

import pymupdf

from ingest.pdf.values import Fragment

_FEWEST = 5  # pieces a letterspaced line has
_LONGEST = 2.2  # mean length of its pieces


class _Character(NamedTuple):
    x0: float
    x1: float
    y: float
    text: str


def is_letterspaced(text: str) -> bool:
    """Whether a line falls into pieces of one or two letters each."""
    pieces = text.split()
    letters = [piece for piece in pieces if piece.isalpha() and piece.isascii()]
    return len(pieces) >= _FEWEST and len(letters) >= 0.8 * len(pieces) and sum(map(len, letters)) <= _LONGEST * len(letters)


def respaced(page: Any, fragments: Sequence[Fragment]) -> list[Fragment]:
    """The fragments of a page, letterspaced ones with the spaces that a reader sees; the page is read by character for them alone."""
    spaced = [fragment for fragment in fragments if is_letterspaced(fragment.text)]
    if not spaced:
        return list(fragments)
    characters = _characters(page)
    return [_respaced(fragment, characters) if fragment in spaced else fragment for fragment in fragments]


def _characters(page: Any) -> list[_Character]:
    content = page.get_text("rawdict", flags=pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP)
    return [
        _Character(char["bbox"][0], char["bbox"][2], char["origin"][1], char["c"])
        for block in content["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        for char in span["chars"]
        if not char["c"].isspace()
    ]


def _respaced(fragment: Fragment, characters: Sequence[_Character]) -> Fragment:
    size = fragment.style.size
    own = sorted(
        (c for c in characters if abs(c.y - fragment.baseline) < 0.3 * size and fragment.x0 - 1 <= c.x0 and c.x1 <= fragment.x1 + 1),
        key=lambda c: c.x0,
    )
    if "".join(c.text for c in own) != "".join(fragment.text.split()):
        return fragment
    gaps = [after.x0 - before.x1 for before, after in itertools.pairwise(own)]
    usual = median(gaps)
    text = own[0].text
    for gap, character in zip(gaps, own[1:], strict=True):
        text += (" " if gap > usual + 0.15 * size else "") + character.text
    run = fragment.runs[0]._replace(text=text, x1=fragment.runs[-1].x1)
    return fragment._replace(text=text, runs=(run,))
