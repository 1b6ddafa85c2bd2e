"""Tables as Markdown rows, from ruled grids before the columns are cut, and from aligned rows after. Pure.

PyMuPDF's own table finder reads 6-7 pages/s (measured), so tables are built here from the fragments that the page already gave.
"""

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingest.pdf.grids import Grid, find_grids, frames_prose
from ingest.pdf.numbering import parse_numbering
from ingest.pdf.values import Fragment, Line, RawPage, Run, Style

TAG = "table:"
_RULED_ROWS = 0.35  # drawn rows a printed line, below which rules only divide groups of rows
_LONG_TABLE = 24  # pieces of text
_STRAY = 0.035  # share of a long table's pieces that are no column of their own
_NUMBERS = re.compile(r"\S*\d\S*(?: \S*\d\S*)+")
_PLACE = Style("", 1.0, False, False, False, 0)
_RUN = Run("\ufffc", _PLACE, False, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Markdown rows ("| a | b |"); the first `header_rows` of them, the separator included, are the header (0 when there is none)."""

    page: int
    text: str
    header_rows: int


def take_tables(page: RawPage, fragments: Sequence[Fragment], first: int) -> tuple[list[Fragment], list[Table]]:
    """The fragments with each ruled table replaced by one that stands for it (its tag is "table:N"), and the tables N = first ..."""
    tables: list[Table] = []
    left = list(fragments)
    for grid in find_grids(page.rules, fragments, page.width, page.height):
        members = [f for f in left if grid.holds(f) and not f.tag.startswith(TAG)]
        for text, header, used in _tables(grid, members):
            gone = set(map(id, used))
            box = (min(f.x0 for f in used), min(f.y0 for f in used), max(f.x1 for f in used), max(f.y1 for f in used))
            left = [f for f in left if id(f) not in gone]
            left.append(Fragment(*box, box[3], "\ufffc", _PLACE, (_RUN,), f"{TAG}{first + len(tables)}"))
            tables.append(Table(page=page.number, text=text, header_rows=header))
    return left, tables


def _tables(grid: Grid, members: Sequence[Fragment]) -> Iterator[tuple[str, int, list[Fragment]]]:
    """The tables in a grid as (text, header rows, fragments); titles above, notes below and headings between stay outside."""
    listing = 2 * sum(f.style.mono for f in members) > len(members)
    borders = _borders(grid, members) if len(members) >= 4 and not listing else ()
    if not borders:
        return
    rows = _rows(members, ())
    boxed = bool(grid.columns) and len(grid.rows) > 3 and len(grid.rows) - 1 >= _RULED_ROWS * len(rows)
    if boxed:
        rows = _rows(members, grid.rows[1:-1])
    size = sorted(f.style.size for f in members)[len(members) // 2]
    usual = Counter(f.style.family for f in members).most_common(1)[0][0]
    cells = [_cells(row, borders) for row in rows]
    parts: list[list[int]] = [[]]
    for i, row in enumerate(rows):
        if sum(map(bool, cells[i])) == 1 and _heads(row, size, usual):
            parts.append([])
        else:
            parts[-1].append(i)
    for part in parts:
        while part and sum(map(bool, cells[part[0]])) < 2:
            part.pop(0)
        while part and sum(map(bool, cells[part[-1]])) < 2 and len(" ".join(cells[part[-1]])) > 40:
            part.pop()
        chosen = [cells[i] for i in part]
        if len(chosen) < 2 or not _is_tabular(chosen) or frames_prose([cell for row in chosen for cell in row], boxed=boxed):
            continue
        header = _header_count([rows[i] for i in part], grid)
        if not grid.columns:
            chosen, header = _continued(chosen, header)
        yield *_markdown(chosen, header), [f for i in part for f in rows[i]]


def _heads(row: Sequence[Fragment], size: float, family: str) -> bool:
    """Whether a row of one cell is a heading that the grid runs around: larger than the cells, or numbered and set like a section's."""
    numbering, style = parse_numbering(row[0].text), row[0].style
    numbered = numbering is not None and numbering.strength > 1 and bool(numbering.rest)
    return style.size > 1.15 * size or (numbered and (style.size > 1.02 * size or style.bold or style.family != family))


def _borders(grid: Grid, members: Sequence[Fragment]) -> tuple[float, ...]:
    """Drawn column borders and, where nothing is drawn, the gaps; borders with nothing between them count once."""
    middles = sorted(f.x0 + min(f.x1 - f.x0, 2 * f.style.size) / 2 for f in members)
    found: list[float] = []
    # In a long table one piece of text alone is a wide header over a column, not a column.
    fewest = 1 if len(members) < _LONG_TABLE else 1 + round(_STRAY * len(members))
    for x in sorted((*grid.columns, *_column_borders(members))):
        if sum((found[-1] if found else float("-inf")) < middle < x for middle in middles) >= fewest:
            found.append(x)
    return tuple(x for x in found if x < middles[-1])


def _column_borders(members: Sequence[Fragment]) -> tuple[float, ...]:
    """The middles of the vertical gaps that hardly any fragment crosses."""
    edges = sorted({round(f.x1, 1) for f in members})
    starts = sorted(f.x0 for f in members)
    ends = sorted(f.x1 for f in members)
    size = max(1.0, sorted(f.style.size for f in members)[len(members) // 2])
    allowed = 0.08 * len(members)
    borders: list[float] = []
    for edge in edges:
        place = bisect_right(starts, edge)
        after = starts[place] if place < len(starts) else None
        if after is None or after - edge < 0.4 * size:
            continue
        x = (edge + after) / 2
        before, after_it = bisect_right(ends, x), len(starts) - bisect_left(starts, x)
        crossing = len(members) - before - after_it
        if crossing <= allowed and before >= 2 and after_it >= 2:
            if borders and not any(borders[-1] < (f.x0 + f.x1) / 2 < x for f in members):
                continue
            borders.append(x)
    return tuple(borders)


def _rows(members: Sequence[Fragment], rules: Sequence[float]) -> list[list[Fragment]]:
    """Fragments by row: between row borders where they are drawn, else side by side."""
    rows: list[list[Fragment]] = []
    bounds: list[int] = []
    for fragment in sorted(members, key=lambda f: f.y0 + f.y1):
        middle = (fragment.y0 + fragment.y1) / 2
        bound = sum(rule < middle for rule in rules)
        same = rows and (bound == bounds[-1] if rules else _overlap(rows[-1][0], fragment) > 0.5)
        if same:
            rows[-1].append(fragment)
        else:
            rows.append([fragment])
            bounds.append(bound)
    return rows


def _overlap(one: Fragment, other: Fragment) -> float:
    return (min(one.y1, other.y1) - max(one.y0, other.y0)) / max(0.1, min(one.y1 - one.y0, other.y1 - other.y0))


def _cells(row: Sequence[Fragment], borders: Sequence[float]) -> list[str]:
    cells: list[list[Fragment]] = [[] for _ in range(len(borders) + 1)]
    for fragment in itertools.chain.from_iterable(_pieces(fragment, borders) for fragment in row):
        middle = fragment.x0 + min(fragment.x1 - fragment.x0, 2 * fragment.style.size) / 2
        cells[sum(border < middle for border in borders)].append(fragment)
    return [" ".join(f.text for f in sorted(cell, key=lambda f: (round(f.baseline), f.x0))) for cell in cells]


def _pieces(fragment: Fragment, borders: Sequence[float]) -> Iterator[Fragment]:
    """Numbers of neighbouring columns that stand so near to each other that MuPDF gives them as one piece, apart again."""
    if not any(fragment.x0 < border < fragment.x1 for border in borders) or not _NUMBERS.fullmatch(fragment.text):
        yield fragment
        return
    width = (fragment.x1 - fragment.x0) / len(fragment.text)
    for match in re.finditer(r"\S+", fragment.text):
        yield fragment._replace(x0=fragment.x0 + width * match.start(), x1=fragment.x0 + width * match.end(), text=match[0])


def _is_tabular(cells: Sequence[Sequence[str]]) -> bool:
    several = sum(sum(map(bool, row)) >= 2 for row in cells)
    columns = sum(sum(bool(row[i]) for row in cells) >= max(2, 0.25 * len(cells)) for i in range(len(cells[0])))
    return several >= max(2, 0.4 * len(cells)) and columns >= 2


def _header_count(rows: Sequence[Sequence[Fragment]], grid: Grid) -> int:
    """How many rows are the header: those above the first inner rule of an open table, or bold ones over others that are not."""
    bold = [all(f.style.bold for f in row) for row in rows]
    leading = next((i for i, value in enumerate(bold) if not value), len(rows))
    if 0 < leading <= 3 and leading < len(rows):
        return leading
    if not grid.columns and len(grid.rows) >= 3:
        above = sum(max(f.y1 for f in row) <= grid.rows[1] + 2 for row in rows)
        return above if above <= 4 and above < len(rows) else 0
    return 1 if grid.columns and len(rows) > 1 else 0


def _continued(cells: Sequence[list[str]], header: int) -> tuple[list[list[str]], int]:
    """Rows that only go on with the row above (nothing in the first column, few cells) joined to it; header lines become one row."""
    found: list[list[str]] = []
    kept = 0
    for i, row in enumerate(cells):
        goes_on = found and not row[0] and sum(map(bool, row)) <= max(1, len(row) // 2 - 1)
        if found and ((i < header and kept) or (goes_on and i > header)):
            found[-1] = [f"{above} {here}".strip() for above, here in zip(found[-1], row, strict=True)]
        else:
            found.append(list(row))
            kept += i < header
    return found, kept


def _markdown(cells: Sequence[Sequence[str]], header: int) -> tuple[str, int]:
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in cells]
    if header:
        lines.insert(header, "|" + " --- |" * len(cells[0]))
    return "\n".join(lines), header + 1 if header else 0


def aligned_tables(lines: Sequence[Line], first: int) -> tuple[list[Line], list[Table]]:
    """Lines with runs of aligned rows (three or more of several cells each) replaced by one line that stands for the table."""
    found: list[Line] = []
    tables: list[Table] = []
    i = 0
    while i < len(lines):
        end = _aligned_end(lines, i)
        table = _table_of_lines(lines[i:end]) if end - i >= 3 else None
        if table is None:
            found.append(lines[i])
            i += 1
            continue
        found.append(_stand_in(lines[i:end], f"{TAG}{first + len(tables)}"))
        tables.append(table)
        i = end
    return found, tables


def _aligned_end(lines: Sequence[Line], start: int) -> int:
    """Where the run of rows with wide gaps that begins here ends; lines of one cell inside it belong to cells of several lines."""
    end = i = start
    while i < len(lines) and lines[i].column == lines[start].column and not lines[i].tag.startswith(TAG):
        if i > start and not 0 < lines[i].baseline - lines[i - 1].baseline < 3 * lines[i].style.size:
            break
        if _wide_gaps(lines[i]):
            end = i + 1
        elif i - end >= 1 or i == start:
            break
        i += 1
    return end


def _wide_gaps(line: Line) -> int:
    return sum(abs(b.x0 - a.x1) > 1.2 * line.style.size for a, b in itertools.pairwise(line.cells))


def _table_of_lines(lines: Sequence[Line]) -> Table | None:
    members = [cell for line in lines for cell in line.cells]
    borders = _column_borders(members)
    if len(borders) < 1 or (sum(_wide_gaps(line) >= 2 for line in lines) < 2 and len(borders) < 2):
        return None
    rows = _rows(members, ())
    cells = [_cells(row, borders) for row in rows]
    several = [row for row in cells if sum(map(bool, row)) >= 2]
    if len(several) < 3 or not _is_tabular(cells) or any(len(cell) > 120 for row in cells for cell in row):
        return None
    grid = Grid(x0=0, y0=0, x1=0, y1=0)
    text, header = _markdown(*_continued(cells, _header_count(rows, grid)))
    return Table(page=lines[0].page, text=text, header_rows=header)


def _stand_in(lines: Sequence[Line], tag: str) -> Line:
    first, last = lines[0], lines[-1]
    return Line(
        page=first.page, column=first.column, left=first.left, right=first.right, x0=min(line.x0 for line in lines), y0=first.y0,
        x1=max(line.x1 for line in lines), y1=last.y1, baseline=last.baseline, text="\ufffc", style=_PLACE, runs=(_RUN,), cells=(), tag=tag,
    )  # fmt: skip
