"""Where drawn rules make a table: grids of lines or shaded cells, and rows between horizontal rules alone. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ingest.pdf.values import Fragment, Rule

_THIN = 2.5  # points: a rectangle so low or narrow is a line
_TOUCH = 3.0  # points within which lines meet
_ALIGNED = 8.0  # points by which the sides of grids that stand on each other differ
_MOST_ROW = 30.0  # points: the height of a row of two or three lines
_KEY_ROWS, _KEYED = 3, 0.7  # fewest rows with an entry at the left, and the share that has one
_MAX_RULES = 3000  # more are a drawing, not a table
_MAX_OPEN_CELL = 25  # characters in the mean piece of text above which rules above and below enclose running text
_MAX_CELL_TEXT = 400  # characters in the mean cell above which a grid frames prose


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The box of a table, the x positions of its column borders (may be empty), and the y positions of its row borders."""

    x0: float
    y0: float
    x1: float
    y1: float
    columns: tuple[float, ...] = ()
    rows: tuple[float, ...] = ()

    def holds(self, fragment: Fragment) -> bool:
        """Whether the middle of a fragment lies inside."""
        x, y = (fragment.x0 + fragment.x1) / 2, (fragment.y0 + fragment.y1) / 2
        return self.x0 - _TOUCH <= x <= self.x1 + _TOUCH and self.y0 - _TOUCH <= y <= self.y1 + _TOUCH


def find_grids(rules: Sequence[Rule], fragments: Sequence[Fragment], width: float, height: float) -> list[Grid]:
    """The boxes that rules suggest, largest first; what is in them decides whether they are tables (see tables.py)."""
    if not 2 <= len(rules) <= _MAX_RULES:
        return []
    flat, upright = _lines(rules, width, height)
    grids = [grid for group in _connected(flat, upright) if (grid := _grid(*group)) is not None]
    loose = [line for line in flat if not any(g.y0 - 1 <= line.y0 <= g.y1 + 1 and g.x0 - 1 <= line.x0 <= g.x1 for g in grids)]
    grids = _stacked([*grids, *_open_grids(_collinear(loose), fragments)], fragments)
    return sorted(grids, key=lambda g: -(g.x1 - g.x0) * (g.y1 - g.y0))


def _lines(rules: Sequence[Rule], width: float, height: float) -> tuple[list[Rule], list[Rule]]:
    """Horizontal and vertical lines; the edges of boxes and shaded cells count as lines."""
    flat: list[Rule] = []
    upright: list[Rule] = []
    for rule in rules:
        wide, high = rule.x1 - rule.x0, rule.y1 - rule.y0
        if high <= _THIN and wide >= 12:
            flat.append(rule)
        elif wide <= _THIN and high >= 5:
            upright.append(rule)
        elif wide >= 12 and 5 <= high < 0.9 * height and wide < 0.98 * width and rule.color < 0xFFFFFF:
            flat.extend((rule._replace(y1=rule.y0), rule._replace(y0=rule.y1)))
            upright.extend((rule._replace(x1=rule.x0), rule._replace(x0=rule.x1)))
    return flat, upright


def _connected(flat: Sequence[Rule], upright: Sequence[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Lines that touch each other, in groups."""
    lines = [*flat, *upright]
    parent = list(range(len(lines)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    order = sorted(range(len(lines)), key=lambda i: lines[i].y0)
    active: list[int] = []
    for i in order:
        one = lines[i]
        active = [j for j in active if lines[j].y1 >= one.y0 - _TOUCH]
        for j in active:
            if lines[j].x0 - _TOUCH <= one.x1 and one.x0 <= lines[j].x1 + _TOUCH:
                parent[root(i)] = root(j)
        active.append(i)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for i, line in enumerate(lines):
        groups.setdefault(root(i), ([], []))[i >= len(flat)].append(line)
    return list(groups.values())


def _grid(flat: Sequence[Rule], upright: Sequence[Rule]) -> Grid | None:
    """A group with inner borders both ways (or rows of it) is a grid; a mere frame is not."""
    if not flat or not upright:
        return None
    x0, x1 = min(line.x0 for line in (*flat, *upright)), max(line.x1 for line in (*flat, *upright))
    y0, y1 = min(line.y0 for line in (*flat, *upright)), max(line.y1 for line in (*flat, *upright))
    columns = _positions([(line.x0, line.y1 - line.y0) for line in upright], 0.4 * (y1 - y0))
    rows = _positions([(line.y0, line.x1 - line.x0) for line in flat], 0.4 * (x1 - x0))
    inner = [x for x in columns if x0 + 8 < x < x1 - 8]
    if len(rows) < 2 or not inner or y1 - y0 < 15 or x1 - x0 < 40:
        return None
    return Grid(x0=x0, y0=y0, x1=x1, y1=y1, columns=tuple(inner), rows=tuple(rows))


def _collinear(flat: Sequence[Rule]) -> list[Rule]:
    """Horizontal lines with those that go on in each other made one: Word draws the border of each cell."""
    found: list[Rule] = []
    for line in sorted(flat, key=lambda line: (round(line.y0), line.x0)):
        before = found[-1] if found else None
        if before is not None and abs(before.y0 - line.y0) <= 1 and before.x0 <= line.x0 <= before.x1 + _TOUCH:
            found[-1] = before._replace(x1=max(before.x1, line.x1))
        else:
            found.append(line)
    return found


def _stacked(grids: Sequence[Grid], fragments: Sequence[Fragment]) -> list[Grid]:
    """Grids with those of one width that stand on each other made one: the shaded cells of a header, and the rules between the rows."""
    found: list[Grid] = []
    for grid in sorted(grids, key=lambda grid: grid.y0):
        above = next((other for other in found if _stands_on(other, grid, fragments)), None)
        if above is None:
            found.append(grid)
            continue
        found.remove(above)
        columns = tuple(sorted({*above.columns, *grid.columns}))
        rows = _positions([(y, 1.0) for y in (above.y0, *above.rows, above.y1, *grid.rows, grid.y1)], 0.0)
        found.append(Grid(x0=min(above.x0, grid.x0), y0=above.y0, x1=max(above.x1, grid.x1), y1=grid.y1, columns=columns, rows=tuple(rows)))
    return found


def _stands_on(above: Grid, below: Grid, fragments: Sequence[Fragment]) -> bool:
    """Whether the one ends where the other begins, or one printed line above it; open grids are parted where prose is, and stay so."""
    if not above.columns or abs(above.x0 - below.x0) > _ALIGNED or abs(above.x1 - below.x1) > _ALIGNED:
        return False
    gap = below.y0 - above.y1
    between = [f for f in fragments if above.y1 < (f.y0 + f.y1) / 2 < below.y0 and above.x0 <= f.x0 and f.x1 <= above.x1 + _TOUCH]
    one_row = not between or max(f.y1 for f in between) - min(f.y0 for f in between) < _MOST_ROW
    return -_TOUCH <= gap < _MOST_ROW + 2 * _TOUCH and one_row


def _positions(values: Sequence[tuple[float, float]], least: float) -> list[float]:
    """Positions at which lines of together at least `least` points stand."""
    found: list[list[float]] = []
    for position, length in sorted(values):
        if found and position - found[-1][0] <= _TOUCH:
            found[-1][1] += length
        else:
            found.append([position, length])
    return [position for position, length in found if length >= least]


def _open_grids(flat: Sequence[Rule], fragments: Sequence[Fragment]) -> list[Grid]:
    """Rows between horizontal rules of one width without vertical ones, as books set tables."""
    groups: list[list[Rule]] = []
    for line in sorted(flat, key=lambda line: line.y0):
        for group in groups:
            if abs(group[0].x0 - line.x0) <= 4 and abs(group[0].x1 - line.x1) <= 4:
                group.append(line)
                break
        else:
            groups.append([line])
    found = []
    for group in groups:
        if group[0].x1 - group[0].x0 < 60:
            continue
        for ys in _without_prose(_positions([(line.y0, line.x1 - line.x0) for line in group], 0.0), group[0], fragments):
            grid = Grid(x0=group[0].x0, y0=ys[0], x1=group[0].x1, y1=ys[-1], rows=tuple(ys))
            texts = [f.text for f in fragments if grid.holds(f)]
            short = sum(map(len, texts)) < _MAX_OPEN_CELL * len(texts)
            few = len(ys) > 2 and len(texts) < 30
            if ys[-1] - ys[0] > 20 and len(texts) >= 4 and (short or few or _has_key_column(ys, grid, fragments)):
                found.append(grid)
    return found


def _has_key_column(ys: Sequence[float], grid: Grid, fragments: Sequence[Fragment]) -> bool:
    """Whether most rows between rules begin with a short entry at the left and go on at one place to the right of it."""
    members = [f for f in fragments if grid.holds(f)]
    starts: list[float] = []
    for top, bottom in pairwise(ys):
        row = sorted((f for f in members if top < (f.y0 + f.y1) / 2 < bottom), key=lambda f: f.x0)
        after = next((f.x0 for f in row if f.x0 > row[0].x1 + row[0].style.size), None)
        if after is not None:
            starts.append(after)
    usual = sorted(starts)[len(starts) // 2] if starts else 0.0
    return len(ys) > _KEY_ROWS and sum(abs(x - usual) < _TOUCH for x in starts) >= _KEYED * (len(ys) - 1)


def _without_prose(ys: Sequence[float], rule: Rule, fragments: Sequence[Fragment]) -> list[list[float]]:
    """The rules' heights, divided where lines of prose run from side to side between two of them."""
    runs: list[list[float]] = [[]]
    wide = 0.75 * (rule.x1 - rule.x0)
    prose = [
        (f.y0 + f.y1) / 2
        for f in fragments
        if f.x1 - f.x0 > wide and len(f.text) > 40 and rule.x0 - 6 <= f.x0 < rule.x0 + 0.1 * wide and f.x1 <= rule.x1 + 6
    ]
    for i, y in enumerate(ys):
        if i and any(ys[i - 1] < middle < y for middle in prose):
            runs.append([])
        runs[-1].append(y)
    return [run for run in runs if len(run) >= 2]


def frames_prose(texts: Sequence[str], *, boxed: bool = False) -> bool:
    """Whether cells hold paragraphs, or lines of paragraphs that go on below each other, so that the grid only lays out a page.

    In cells that are `boxed` each by rules of its own no line goes on in the next one.
    """
    filled = [text for text in texts if text]
    if not filled:
        return True
    mean = sum(map(len, filled)) / len(filled)
    running = sum(text[:1].islower() for text in filled)
    return mean > _MAX_CELL_TEXT or (not boxed and mean > _MAX_OPEN_CELL and running > 0.35 * len(filled))
