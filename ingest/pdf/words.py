"""The words of units with their places, as models of page layout want them. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from ingest.pdf.units import Unit
from ingest.pdf.values import Run


class Word(NamedTuple):
    """A word of a unit (by its index); the box in thousandths of the page's width and height, each in 0..1000."""

    text: str
    box: tuple[int, int, int, int]
    unit: int


def page_words(units: Sequence[Unit], width: float, height: float) -> list[Word]:
    """The words of these units of one page of that size in points, in reading order."""
    return [
        Word(text, _box(x0, line.y0, x1, line.y1, width, height), unit.index)
        for unit in units
        for line in unit.lines
        for run in line.runs
        for text, x0, x1 in _split(run)
    ]


def _split(run: Run) -> list[tuple[str, float, float]]:
    """The run's words with their edges, as if all characters were equally wide: runs are short and boxes are coarse."""
    step = (run.x1 - run.x0) / max(1, len(run.text))
    found = []
    position = 0
    for text in run.text.split():
        start = run.text.index(text, position)
        position = start + len(text)
        found.append((text, run.x0 + step * start, run.x0 + step * position))
    return found


def _box(x0: float, y0: float, x1: float, y1: float, width: float, height: float) -> tuple[int, int, int, int]:
    left, right = sorted((_thousandth(x0, width), _thousandth(x1, width)))
    top, bottom = sorted((_thousandth(y0, height), _thousandth(y1, height)))
    return left, top, right, bottom


def _thousandth(value: float, extent: float) -> int:
    return max(0, min(1000, round(1000 * value / extent))) if extent > 0 else 0
