"""The layout model that comes with PyMuPDF (`pymupdf_layout`, ONNX) as evidence: it names regions, rules decide the levels.

Measured in docs/decisions/0011: two pages/s on one core for next to nothing, so it is off unless asked for.
"""

import importlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from es_mappings.errors import SettingsError
from ingest.blocks import StructureSource
from ingest.formats import Announce, unannounced
from ingest.pdf.evidence import DOUBT
from ingest.pdf.units import Unit

_WEIGHTS = {
    "section-header": 2.5, "title": 1.5, "text": -1.5, "list-item": -2.0, "table": -2.5, "caption": -2.5, "footnote": -2.5,
    "formula": -2.5, "picture": -2.0, "page-header": -3.0, "page-footer": -3.0,
}  # fmt: skip
_COVERED = 0.6  # share of a unit's height that one region covers


class Region(NamedTuple):
    """What the model sees: a box (x0, y0, x1, y1 in points) and what it is called there ("text", "section-header", "table" ...)."""

    box: tuple[float, ...]
    name: str


class LayoutModel:
    """Asks the model about the pages with units in doubt, or about every page."""

    source: StructureSource = "layout_model"

    def __init__(self, *, every_page: bool = False, announce: Announce = unannounced) -> None:
        load_model()
        self._every_page, self._announce = every_page, announce

    def log_odds(self, document: Any, units: Sequence[Unit], scores: Mapping[int, float]) -> Mapping[int, float]:
        """See `Evidence`. Regions that the model calls headings speak for a unit, all others against it."""
        asked = {index for index, score in scores.items() if self._every_page or abs(score) <= DOUBT}
        found: dict[int, float] = {}
        numbers = sorted({units[index].page for index in asked})
        for done, number in enumerate(numbers):
            self._announce("looking", done, len(numbers))
            regions = regions_of(document[number - 1])
            found |= {index: region_odds(units[index], regions) for index in asked if units[index].page == number}
        return found


def load_model() -> None:
    """Let PyMuPDF use the model. Raises SettingsError when it is not installed."""
    try:
        if sys.modules.get("pymupdf.layout") is None:  # the name was taken, see ingest.pdf
            sys.modules.pop("pymupdf.layout", None)
        importlib.import_module("pymupdf.layout")
    except ImportError:
        raise SettingsError("the evidence layout_model needs the package pymupdf_layout: install it or leave the setting out") from None


def regions_of(page: Any) -> list[Region]:
    """What the model sees on a page, from the top down; its order is not a reading order."""
    page.get_layout()
    return [Region(tuple(map(float, row[:4])), str(row[4])) for row in page.layout_information]


def region_odds(unit: Unit, regions: Sequence[Region]) -> float:
    """The log odds that the region which covers most of the unit adds; 0 where none does."""
    return _WEIGHTS.get(_label(unit, regions), 0.0)


def _label(unit: Unit, regions: Sequence[Region]) -> str:
    """The name of the region that covers most of the unit, "" for none."""
    left, right = min(line.x0 for line in unit.lines), max(line.x1 for line in unit.lines)
    height = max(1.0, unit.last.y1 - unit.first.y0)
    best, label = _COVERED, ""
    for (x0, y0, x1, y1), name in regions:
        if x0 <= (left + right) / 2 <= x1:
            share = (min(y1, unit.last.y1) - max(y0, unit.first.y0)) / height
            if share > best:
                best, label = share, name
    return label
