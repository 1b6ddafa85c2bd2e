"""The printed table of contents: where it stands, and its entries with levels and printed page numbers. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ingest.pdf.chains import letters_resolved
from ingest.pdf.numbering import parse_numbering, roman_value
from ingest.pdf.typography import half
from ingest.pdf.units import Unit, joined_texts
from ingest.pdf.values import Line, PageLines

_ENTRY = re.compile(
    r"^(?P<title>.*?\S)(?P<leader>(?:\s*[.．·•…‥_⋯](?:\s?[.．·•…‥_⋯]){2,}\s*)|\s+|(?<=[^\d\s])(?=\d))(?P<page>\d{1,4}|[ivxlcdm]{1,8})$"
)
_LEADER = re.compile(r"\s*[.．·…‥_⋯](?:\s?[.．·…‥_⋯]){2,}.*$")
CONTENTS_TITLE = re.compile(
    r"^(?:(?:brief |short |summary |table of |list of )?contents?(?: page)?|inhalt(?:sverzeichnis|sübersicht)?|table des matières|sommaire|"
    r"índice(?: general)?|"
    r"indice(?: generale)?|sumário|inhoud(?:sopgave)?|содержание|оглавление|目\s*[录錄次]|contenido|contents at a glance)$",
    re.IGNORECASE,
)
_OTHER_LIST = re.compile(
    r"(?:figures|tables|boxes|charts|abbildungs|tabellen|illustrations|listings|algorithms|图|圖|表|例|插图|表格).{0,3}(?:verzeichnis|目[录錄])?$",
    re.IGNORECASE,
)
_MIN_ENTRIES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the contents. `label` is the printed page number (Roman ones negative, None when not printed), `level` from 1."""

    title: str
    label: int | None
    level: int
    page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """The printed contents: the entries, and the units they (and lists of figures and tables) occupy."""

    entries: tuple[Entry, ...] = ()
    units: frozenset[int] = frozenset()


def find_contents(pages: Sequence[PageLines], units: Sequence[Unit]) -> Contents:
    """The contents of a document; empty where none is printed."""
    listing: dict[int, list[Line]] = {}
    for page in pages:
        entries = _entry_lines(page.lines)
        # Far from the front only a page that says so, or goes on from one that does, lists the contents.
        early = page.number <= max(30, 0.2 * len(pages))
        if entries and (early or page.number - 1 in listing or any(CONTENTS_TITLE.match(line.text) for line in page.lines)):
            listing[page.number] = entries
    if not listing:
        return _without_pages(units)
    occupied: set[int] = set()
    rows: list[tuple[Line, str, int | None]] = []
    other_list = False
    spans = {number: (min(line.y0 for line in lines), max(line.y1 for line in lines)) for number, lines in listing.items()}
    for unit in units:
        span = spans.get(unit.page)
        if span is None:
            continue
        is_title = bool(CONTENTS_TITLE.match(unit.text.strip()))
        if unit.first.y0 >= span[0] - 1 and unit.last.y1 <= span[1] + 2 * unit.look.size and not is_title:
            occupied.add(unit.index)
            if not other_list:
                rows.extend(_rows(unit))
        elif unit.last.y1 < span[0] and (is_title or _OTHER_LIST.search(unit.text.strip())) and len(unit.text) < 60:
            other_list = not is_title
    return Contents(entries=tuple(_leveled(list(_entries(rows)))), units=frozenset(occupied))


def _without_pages(units: Sequence[Unit]) -> Contents:
    """A contents list that prints no page numbers: below its title, lines that all come again later as units of their own."""
    last_place: dict[str, int] = {}
    for unit in units:
        if len(unit.text) < 300:
            last_place[_squeezed(unit.text)] = unit.index
    for title in units:
        if title.page > max(10, 0.1 * units[-1].page) or not CONTENTS_TITLE.match(title.text.strip()):
            continue
        listed: list[Unit] = []
        for unit in units[title.index + 1 :]:
            text = _squeezed(unit.text)
            if (listed and text == _squeezed(listed[0].text)) or last_place.get(text, -1) <= unit.index:
                break
            listed.append(unit)
        if len(listed) >= _MIN_ENTRIES:
            rows = [(unit.first, unit.text, None) for unit in listed]
            return Contents(entries=tuple(_leveled(rows)), units=frozenset(unit.index for unit in listed))
    return Contents()


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def lists_contents(lines: Sequence[Line]) -> bool:
    """Whether the lines of a page look like entries with page numbers."""
    return bool(_entry_lines(lines))


def _entry_lines(lines: Sequence[Line]) -> list[Line]:
    """The lines of a page that end in a page number at the right, when enough of the page's lines do and the numbers go up."""
    found: list[tuple[Line, int]] = []
    for line in lines:
        match = _ENTRY.match(line.text)
        if match is None or not any(c.isalpha() for c in match["title"]):
            continue
        has_leader = bool(match["leader"].strip())
        apart = len(line.cells) > 1 and line.cells[-1].x0 - line.cells[-2].x1 > line.style.size
        if has_leader or apart or not match["leader"]:
            found.append((line, _label(match["page"])))
    if len(found) < _MIN_ENTRIES:
        return []
    edge = sorted(line.x1 for line, _ in found)[len(found) // 2]
    aligned = [(line, label) for line, label in found if abs(line.x1 - edge) < 0.8 * line.style.size]
    inside = [line for line in lines if aligned and aligned[0][0].y0 <= line.y0 <= aligned[-1][0].y1]
    if len(aligned) < _MIN_ENTRIES or len(aligned) < 0.35 * len(inside):
        return []
    orders = [_order(line.text) for line, _ in aligned]
    rising = sum(a <= b for a, b in pairwise(orders))
    return [line for line, _ in aligned] if rising >= 0.8 * (len(orders) - 1) else []


def _order(text: str) -> tuple[str, int]:
    """What printed page numbers are sorted by; "3-12" counts within chapter 3."""
    match = _ENTRY.match(text)
    page = match["page"] if match else ""
    chapter, _, number = page.rpartition("-")
    return chapter.rjust(2, "0") if chapter else "", abs(_label(number))


def _label(text: str) -> int:
    """The printed number, negative for Roman ones, 0 for one that starts again with each chapter."""
    if text.isdigit():
        return int(text)
    return -(roman_value(text) or 0) if text.isalpha() else 0


def _rows(unit: Unit) -> Iterator[tuple[Line, str, int | None]]:
    for line in unit.lines:
        match = _ENTRY.match(line.text)
        if match and (match["leader"].strip() or len(line.cells) > 1 or not match["leader"]):
            yield line, _LEADER.sub("", match["title"]).strip(), _label(match["page"])
        else:
            yield line, _LEADER.sub("", line.text).strip(), None


def _entries(rows: Sequence[tuple[Line, str, int | None]]) -> Iterator[tuple[Line, str, int | None]]:
    """Entries over several lines joined: a line without a number goes on in the next one, or ends the one before."""
    pending: tuple[Line, str, int | None] | None = None
    for line, text, label in rows:
        if not text:
            continue
        if pending is not None:
            before = pending[0]
            if _continues(before, line, pending[2]):
                pending = (before, joined_texts(pending[1], text), label if label is not None else pending[2])
                continue
            yield pending
        pending = (line, text, label)
    if pending is not None:
        yield pending


def _continues(before: Line, line: Line, label: int | None) -> bool:
    if parse_numbering(line.text) is not None or line.page != before.page or line.y0 - before.y0 > 5 * line.style.size:
        return False
    size = line.style.size
    if label is not None:
        # The number stood on the first line; only a hanging line without one belongs to it.
        return _ENTRY.match(line.text) is None and line.x0 > before.x0 + 0.5 * size and not line.style.bold
    hanging = line.x0 > before.x0 + 0.5 * size
    return half(line.style.size) == half(before.style.size) and (hanging or line.text[:1].islower() or before.x1 > before.right - 6 * size)


def _leveled(rows: Sequence[tuple[Line, str, int | None]]) -> Iterator[Entry]:
    """Levels by indentation and look, by the depth of decimal numbers where there are some."""
    # Left and right pages have different margins; the page numbers' right edge tells how far they are shifted.
    edges: dict[int, float] = {}
    for line, _, label in rows:
        if label is not None:
            edges[line.page] = max(edges.get(line.page, 0.0), line.x1)
    numberings = letters_resolved([(parse_numbering(title), round(line.x0 / line.style.size)) for line, title, _ in rows])
    stack: list[_Place] = []
    for (line, title, label), numbering in zip(rows, numberings, strict=True):
        weight = line.style.size + (1.0 if line.style.bold else 0.0) + (0.6 if title.isupper() else 0.0)
        family, values = (numbering.family, numbering.values) if numbering is not None else ("", ())
        place = _Place(line.x0 - edges.get(line.page, line.right), weight, "1.1" if family == "1" else family, values)
        while stack and not _is_below(stack[-1], place):
            stack.pop()
        stack.append(place)
        yield Entry(title=title, label=label, level=len(stack), page=line.page)


class _Place(NamedTuple):
    x: float
    weight: float
    family: str
    values: tuple[int, ...]


def _is_below(above: _Place, entry: _Place) -> bool:
    if above.family and above.family == entry.family:
        return len(entry.values) > len(above.values)
    indent = entry.x - above.x
    if abs(indent) > 0.45 * min(entry.weight, above.weight):
        return indent > 0
    return above.weight - entry.weight >= 0.8
