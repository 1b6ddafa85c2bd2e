"""Reading order: a region is cut at gutters into columns, recursively; lines that cross a gutter divide what is above from below.

A gutter is a vertical gap that many neighbouring lines share. It separates columns, not table cells, when the content stream
writes one side before the other, or when the lines of both sides fill their sides like prose. Pure.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from ingest.pdf.spacing import RIGHT_TO_LEFT, is_note_mark
from ingest.pdf.values import Fragment, Line, Run

_MIN_LINES = 3  # a column has at least so many lines on each side
_MIN_SHARE = 0.12  # of the region's width; narrower sides are bullets, numbers, margins
_PROSE_FILL = 0.55  # median share of a column's width that its lines fill
_MOST_CROSSING = 1.5  # lines across a gutter for each line beside it, above which it is a chance gap in running text
_MAX_DEPTH = 4
_MAX_GUTTERS = 8  # gaps that are tried; tables have many of their own


class Region(NamedTuple):
    """Fragments of one column between two crossing lines, and the column's edges."""

    left: float
    right: float
    fragments: Sequence[Fragment]


def ordered_lines(page: int, fragments: Sequence[Fragment], blocked: Sequence[tuple[float, float, float, float]] = ()) -> list[Line]:
    """All fragments of a page as lines in reading order. `blocked` boxes (tables) are never cut by a gutter."""
    if not fragments:
        return []
    places = {id(fragment): i for i, fragment in enumerate(fragments)}
    lines: list[Line] = []
    for column, region in enumerate(_regions(fragments, places, blocked, 0)):
        lines.extend(_region_lines(page, column, region))
    return lines


def _regions(
    fragments: Sequence[Fragment], places: dict[int, int], blocked: Sequence[tuple[float, float, float, float]], depth: int
) -> list[Region]:
    left, right = min(f.x0 for f in fragments), max(f.x1 for f in fragments)
    gutter = _gutter(fragments, left, right, places, blocked) if depth < _MAX_DEPTH and len(fragments) >= 2 * _MIN_LINES else None
    if gutter is None:
        return [Region(left, right, fragments)]
    sides: tuple[list[Fragment], list[Fragment]] = ([], [])
    crossing = []
    for fragment in fragments:
        place = _side(fragment, gutter)
        if place is None:
            crossing.append(fragment)
        else:
            sides[place].append(fragment)
    found: list[Region] = []
    for band in _bands(crossing, sides):
        if isinstance(band, Fragment):
            _add_full_width(found, left, right, [band])
            continue
        if crossing and not (band[0] and band[1]) and _row_count(band[0] or band[1]) < _MIN_LINES:
            # A short line between full-width ones belongs to them, though it ends before the gutter.
            _add_full_width(found, left, right, band[0] or band[1])
            continue
        for side, members in zip(sides, band, strict=True):
            if members:
                edges = min(f.x0 for f in side), max(f.x1 for f in side)
                parts = _regions(members, places, blocked, depth + 1)
                found.extend([Region(*edges, parts[0].fragments)] if len(parts) == 1 else parts)
    return found


def _add_full_width(found: list[Region], left: float, right: float, fragments: Sequence[Fragment]) -> None:
    if found and found[-1].left == left and found[-1].right == right:
        found[-1] = Region(left, right, [*found[-1].fragments, *fragments])
    else:
        found.append(Region(left, right, fragments))


def _side(fragment: Fragment, gutter: tuple[float, float]) -> int | None:
    middle = (gutter[0] + gutter[1]) / 2
    if fragment.x1 <= middle + 1:
        return 0
    return 1 if fragment.x0 >= middle - 1 else None


def _bands(
    crossing: Sequence[Fragment], sides: tuple[list[Fragment], list[Fragment]]
) -> Iterable[Fragment | tuple[list[Fragment], list[Fragment]]]:
    """From top to bottom: what lies between crossing fragments, and these themselves."""
    remaining = [sorted(side, key=lambda f: f.y0) for side in sides]
    for line in sorted(crossing, key=lambda f: f.y0):
        middle = (line.y0 + line.y1) / 2
        above = [[f for f in side if (f.y0 + f.y1) / 2 < middle] for side in remaining]
        if above[0] or above[1]:
            yield above[0], above[1]
            remaining = [[f for f in side if (f.y0 + f.y1) / 2 >= middle] for side in remaining]
        yield line
    if remaining[0] or remaining[1]:
        yield remaining[0], remaining[1]


def _gutter(
    fragments: Sequence[Fragment],
    left: float,
    right: float,
    places: dict[int, int],
    blocked: Sequence[tuple[float, float, float, float]],
) -> tuple[float, float] | None:
    """The vertical gap that most neighbouring lines share, when it separates columns."""
    free = [
        f for f in fragments if not any(b[0] - 1 <= f.x0 and f.x1 <= b[2] + 1 and b[1] - 1 <= f.y0 and f.y1 <= b[3] + 1 for b in blocked)
    ]
    gaps = _row_gaps(free)
    if len(gaps) < _MIN_LINES:
        return None
    best: tuple[float, tuple[float, float]] | None = None
    for gutter in _shared_gaps(gaps):
        cost = _cost(free, gutter, left, right, places)
        if cost is not None and (best is None or cost < best[0]):
            best = cost, gutter
    return best[1] if best else None


def _row_gaps(fragments: Sequence[Fragment]) -> list[tuple[float, float]]:
    """The gap between each fragment and its nearest right neighbour at the same height."""
    gaps = []
    by_top = sorted(fragments, key=lambda f: f.y0)
    tallest = max((f.y1 - f.y0 for f in by_top), default=0.0)
    tops = [f.y0 for f in by_top]
    for one in by_top:
        height = one.y1 - one.y0
        nearest = None
        for other in by_top[bisect_left(tops, one.y0 - tallest) : bisect_right(tops, one.y1)]:
            if other.x0 <= one.x1 or (nearest is not None and other.x0 >= nearest):
                continue
            overlap = min(one.y1, other.y1) - max(one.y0, other.y0)
            if overlap > 0.3 * min(height, other.y1 - other.y0):
                nearest = other.x0
        if nearest is not None and nearest - one.x1 > 0.6 * one.style.size:
            gaps.append((one.x1, nearest))
    return gaps


def _shared_gaps(gaps: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The intervals that most gaps cover, best first."""
    events = sorted([(g[0], 1) for g in gaps] + [(g[1], -1) for g in gaps], key=lambda e: (e[0], -e[1]))
    best: list[tuple[int, float, float]] = []
    count = 0
    for (x, change), (after, _) in zip(events, [*events[1:], (events[-1][0], 0)], strict=True):
        count += change
        if count >= _MIN_LINES and after > x:
            best.append((count, x, after))
    best.sort(key=lambda b: (-b[0], -(b[2] - b[1])))
    found: list[tuple[float, float]] = []
    for _, x0, x1 in best:
        if all(x1 <= f[0] or x0 >= f[1] for f in found):
            found.append((x0, x1))
        if len(found) == _MAX_GUTTERS:
            break
    return found


def _cost(fragments: Sequence[Fragment], gutter: tuple[float, float], left: float, right: float, places: dict[int, int]) -> float | None:
    """How badly a gap separates columns: crossing lines and switches of sides in the stream, per line; None when it separates none."""
    ones, others = _parted(fragments, gutter)
    if min(len(ones), len(others)) < _MIN_LINES or min(_row_count(ones), _row_count(others)) < _MIN_LINES:
        return None
    widths = [max(f.x1 for f in side) - min(f.x0 for f in side) for side in (ones, others)]
    if min(widths) < _MIN_SHARE * (right - left):
        return None
    top, bottom = max(min(f.y0 for f in s) for s in (ones, others)), min(max(f.y1 for f in s) for s in (ones, others))
    if bottom - top < 2 * fragments[0].style.size:
        return None
    beside = [sorted(places[id(f)] for f in side if f.y1 > top and f.y0 < bottom) for side in (ones, others)]
    rows = max(1, min(map(len, beside)))
    crossing = sum(f.y1 > top and f.y0 < bottom for f in fragments) - len(beside[0]) - len(beside[1])
    if crossing > _MOST_CROSSING * rows:
        return None
    sides = [side for _, side in sorted([(place, 0) for place in beside[0]] + [(place, 1) for place in beside[1]])]
    switches = sum(a != b for a, b in pairwise(sides))
    width = min(0.2, 0.01 * (gutter[1] - gutter[0]))
    if all(_fills(side, width) for side, width in zip((ones, others), widths, strict=True)):
        return min(switches, 0.2 * rows) / rows + crossing / rows - width
    if switches <= max(1, 0.75 * rows) and all(_typical_length(side) >= 6 for side in (ones, others)):
        return (switches + crossing) / rows - width
    return None


def _parted(fragments: Sequence[Fragment], gutter: tuple[float, float]) -> tuple[list[Fragment], list[Fragment]]:
    """The fragments left and right of a gutter (`_side` for many: this runs for every gap of every page)."""
    ones, others = [], []
    ends, begins = (gutter[0] + gutter[1]) / 2 + 1, (gutter[0] + gutter[1]) / 2 - 1
    for fragment in fragments:
        if fragment.x1 <= ends:
            ones.append(fragment)
        elif fragment.x0 >= begins:
            others.append(fragment)
    return ones, others


def _typical_length(side: Sequence[Fragment]) -> float:
    """Characters in the fragment that a character of this side stands in, in the mean: numbers and bullets hardly count."""
    return sum(len(f.text) ** 2 for f in side) / max(1, sum(len(f.text) for f in side))


def _fills(side: Sequence[Fragment], width: float) -> bool:
    """Whether a side runs like prose: most of its characters stand in lines that reach across it."""
    characters = sum(len(f.text) for f in side)
    filling = sum(len(f.text) for f in side if f.x1 - f.x0 >= _PROSE_FILL * width and len(f.text) >= 15)
    return 2 * filling > characters >= 12 * _MIN_LINES


def _row_count(fragments: Sequence[Fragment]) -> int:
    count, bottom = 0, float("-inf")
    for fragment in sorted(fragments, key=lambda f: f.y0):
        if (fragment.y0 + fragment.y1) / 2 > bottom:
            count, bottom = count + 1, fragment.y1
    return count


def _region_lines(page: int, column: int, region: Region) -> list[Line]:
    rows: list[list[Fragment]] = []
    for fragment in sorted(region.fragments, key=lambda f: f.y0 + f.y1):
        if rows and fragment.runs[0].style.size > 1 and rows[-1][0].style.size > 1 and _same_row(rows[-1], fragment):
            rows[-1].append(fragment)
        else:
            rows.append([fragment])
    return [_line(page, column, region, row) for row in rows]


def _same_row(row: Sequence[Fragment], fragment: Fragment) -> bool:
    biggest = max(row, key=lambda f: f.style.size)
    overlap = min(biggest.y1, fragment.y1) - max(biggest.y0, fragment.y0)
    return overlap >= 0.55 * min(biggest.y1 - biggest.y0, fragment.y1 - fragment.y0)


def _line(page: int, column: int, region: Region, row: list[Fragment]) -> Line:
    row.sort(key=lambda f: f.x0)
    if _is_right_to_left(row):
        row.reverse()
    first = row[0]
    if len(row) == 1:
        text, runs, style, baseline = first.text, first.runs, first.style, first.baseline
    else:
        text, runs = _merged(row)
        main = max(row, key=lambda f: len(f.text))
        style, baseline = main.style, main.baseline
    return Line(
        page=page, column=column, left=region.left, right=region.right,
        x0=min(f.x0 for f in row), y0=min(f.y0 for f in row), x1=max(f.x1 for f in row), y1=max(f.y1 for f in row),
        baseline=baseline, text=text, style=style, runs=runs, cells=tuple(row), tag=first.tag,
    )  # fmt: skip


def _merged(row: Sequence[Fragment]) -> tuple[str, tuple[Run, ...]]:
    main = max(row, key=lambda f: len(f.text))
    text, runs = row[0].text, [run._replace(raised=True) for run in row[0].runs] if _is_raised(row[0], main) else list(row[0].runs)
    for before, after in pairwise(row):
        gap = max(after.x0 - before.x1, before.x0 - after.x1)
        marked = _is_raised(after, main) and is_note_mark(text, after.text)
        space = " " if gap > 0.12 * after.style.size or marked else ""
        text += space + after.text
        if space and not runs[-1].text.endswith(" "):
            runs[-1] = runs[-1]._replace(text=runs[-1].text + " ")
        runs.extend(after.runs if not _is_raised(after, main) else (run._replace(raised=True) for run in after.runs))
    return text, tuple(runs)


def _is_raised(fragment: Fragment, main: Fragment) -> bool:
    """Whether a fragment is a superscript beside the main one."""
    return fragment.style.size < 0.85 * main.style.size and fragment.baseline < main.baseline - 0.12 * main.style.size


def _is_right_to_left(row: Sequence[Fragment]) -> bool:
    if not any(RIGHT_TO_LEFT.search(f.text) for f in row):
        return False
    letters = [c for f in row for c in f.text if c.isalpha()]
    return sum(bool(RIGHT_TO_LEFT.match(c)) for c in letters) * 2 > len(letters)
