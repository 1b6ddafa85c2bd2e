"""Running heads, page numbers and line numbers: what repeats or counts at the edges of pages. Pure.

A row at the edge of a page is furniture when it counts with the pages, when the same words stand at the same height on pages
near each other, or when it stands in a slot (height and size) where most rows are furniture.
"""

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from ingest.pdf.values import Fragment, RawPage

_EDGE = 0.2  # the share of a page's height at each end where furniture stands
_DEPTH = 3  # rows at each end that are looked at
_SLOT = 3.0  # points by which one slot's height varies
_LARGEST = 1.15  # times the body size; larger rows are titles
_FEWEST_NUMBERED = 15  # lines that a page with line numbers has
_NUMBER = re.compile(r"\d+")
_ROMAN = re.compile(r"^[ivxlcdm]{1,7}$", re.IGNORECASE)
_ONLY_NUMBER = re.compile(
    r"^(?:page|seite|p\.|s\.|第)?\s*[-–—|·•\[(]*\s*(?:\d{1,4}|[ivxlcdm]{1,7})\s*[-–—|·•\])]*\s*(?:页|頁)?"
    r"(?:\s*(?:of|/|von|sur|de|共)\s*\d+\s*(?:页|頁)?)?$",
    re.IGNORECASE,
)


class Row(NamedTuple):
    """What stands side by side at one height near an end of a page.

    `gap` is the space to the next row inwards, `apart` says whether it is clearly wider than the page's lines stand apart.
    """

    page: int
    top: bool
    y: float
    size: float
    text: str
    key: str
    gap: float
    apart: bool
    members: tuple[Fragment, ...]


def split_furniture(pages: Sequence[RawPage], body_size: float) -> list[tuple[list[Fragment], list[Fragment]]]:
    """For each page (content, furniture), each in content order."""
    numbered = [_line_numbers(page) for page in pages]
    if 2 * sum(map(bool, numbered)) <= sum(len(page.fragments) > 2 * _FEWEST_NUMBERED for page in pages):
        numbered = [set() for _ in pages]
    removed = numbered
    for _ in range(_DEPTH):
        rows = [row for page, gone in zip(pages, removed, strict=True) for row in _outer_rows(page, gone)]
        offsets = _page_offsets(rows, len(pages))
        rows = [row._replace(key=_key(row, offsets)) for row in rows]
        found = _furniture_rows(rows, body_size, len(pages))
        if not found:
            break
        for row in found:
            removed[row.page].update(id(member) for member in row.members)
    return [
        ([f for f in page.fragments if id(f) not in gone], [f for f in page.fragments if id(f) in gone])
        for page, gone in zip(pages, removed, strict=True)
    ]


def _outer_rows(page: RawPage, gone: set[int]) -> list[Row]:
    """The outermost remaining row at the top and at the bottom, when they stand near the edge and leave content between."""
    left = [f for f in page.fragments if id(f) not in gone]
    if len(left) < 2:
        return [_row(page, left, left, top=False)] if left and _ONLY_NUMBER.match(left[0].text) else []
    rows = []
    first = min(left, key=lambda f: f.y0 + f.y1)
    last = max(left, key=lambda f: f.y0 + f.y1)
    if (first.y0 + first.y1) / 2 < _EDGE * page.height:
        rows.append(_row(page, left, [f for f in left if _beside(first, f)], top=True))
    if (last.y0 + last.y1) / 2 > (1 - _EDGE) * page.height and not _beside(first, last):
        rows.append(_row(page, left, [f for f in left if _beside(last, f)], top=False))
    return rows


def _beside(one: Fragment, other: Fragment) -> bool:
    middle = (other.y0 + other.y1) / 2
    return one.y0 < middle < one.y1


def _row(page: RawPage, left: Sequence[Fragment], members: list[Fragment], *, top: bool) -> Row:
    members = sorted(members, key=lambda f: f.x0)
    y0, y1 = min(f.y0 for f in members), max(f.y1 for f in members)
    inner = [f for f in left if f not in members]
    gap = (min(f.y0 for f in inner) - y1 if top else y0 - max(f.y1 for f in inner)) if inner else page.height
    text = "\t".join(f.text for f in members)
    size = max(f.style.size for f in members)
    tops = sorted(f.y0 for f in inner)
    steps = sorted(step for a, b in itertools.pairwise(tops) if (step := b - a) > 0.5 * size)
    pitch = steps[len(steps) // 2] if steps else 1.2 * size
    apart = gap + 1.2 * size > 1.5 * pitch and gap > 0.5 * size
    return Row(page.number - 1, top, members[0].baseline, size, text, text, gap, apart, tuple(members))


def _page_offsets(rows: Sequence[Row], pages: int) -> set[int]:
    """Printed page number less page index, where it holds for several pages (parts may count on their own)."""
    votes: Counter[int] = Counter()
    for row in rows:
        numbers = _NUMBER.findall(row.text)
        votes.update({int(number) - row.page for number in (*numbers[:1], *numbers[-1:]) if len(number) <= 4})
    return {offset for offset, count in votes.most_common(4) if count >= min(pages, max(3, 0.1 * pages))}


def _key(row: Row, offsets: set[int]) -> str:
    """The row's words with its page number as #."""

    def counted(match: re.Match[str]) -> str:
        return "#" if len(match[0]) <= 4 and int(match[0]) - row.page in offsets else match[0]

    key = _NUMBER.sub(counted, row.text)
    words = ["#" if _ROMAN.match(word) and "\t" in row.text else word for word in key.split()]
    return "#" if _ROMAN.match(row.text.strip()) else " ".join(words).casefold()


def _furniture_rows(rows: Sequence[Row], body_size: float, pages: int) -> list[Row]:
    slots: dict[tuple[bool, int], list[Row]] = defaultdict(list)
    for row in rows:
        slots[row.top, round(row.y / _SLOT)].append(row)
    near_pages = _repeated(rows, pages)
    found: list[Row] = []
    for (top, slot), members in slots.items():
        around = [*members, *slots.get((top, slot - 1), []), *slots.get((top, slot + 1), [])]
        sure = {id(row) for row in around if _is_sure(row, near_pages, around, body_size)}
        isolated = _is_head_slot(around, body_size, pages)
        for row in members:
            alike = [other for other in around if abs(other.size - row.size) < 0.6]
            most = len(alike) >= 3 and 2 * sum(id(other) in sure for other in alike) > len(alike)
            contagious = most and row.apart and row.size <= _LARGEST * body_size
            if id(row) in sure or contagious or (isolated and row.apart and row.size <= 1.05 * body_size):
                found.append(row)
    return found


def _is_sure(row: Row, repeated: set[tuple[str, int]], around: Sequence[Row], body_size: float) -> bool:
    if (row.key, row.page) in repeated and (row.apart or row.size < 0.95 * body_size):
        # "Chapter 3" in large type on page 3 only seems to count with the pages.
        return row.size <= _LARGEST * body_size or ("#" not in row.key and sum(other.text == row.text for other in around) >= 3)
    if row.size > 1.5 * body_size or "#" not in row.key:
        return False
    if _ONLY_NUMBER.match(row.text.strip()):
        return True
    words = row.key.split()
    marks = [member for member in (row.members[0], row.members[-1]) if _NUMBER.search(member.text) or _ROMAN.match(member.text)]
    raised = any(run.raised or run.style.size < 0.85 * row.size for member in marks for run in member.runs[:1])
    counted = sum("#" in other.key.split() for other in around)
    # MuPDF may give "84CHAPTER 3" as one word.
    edge = row.key.startswith("#") or row.key.endswith("#")
    return edge and not raised and counted >= 3 and len(words) <= 16 and row.size <= _LARGEST * body_size


def _repeated(rows: Sequence[Row], pages: int) -> set[tuple[str, int]]:
    """(key, page) of rows whose words stand at the same height on at least three pages (two in a short document) near each other."""
    places: dict[tuple[bool, str], list[Row]] = defaultdict(list)
    for row in rows:
        places[row.top, row.key].append(row)
    enough = 3 if pages > 5 else 2
    found: set[tuple[str, int]] = set()
    for (_, key), members in places.items():
        if len(members) < enough:
            continue
        for row in members:
            alike = [o for o in members if abs(o.y - row.y) < 2 * _SLOT and abs(o.page - row.page) <= 8]
            if len(alike) >= enough and any(0 < abs(o.page - row.page) <= 2 for o in alike):
                found.add((key, row.page))
    return found


def _is_head_slot(rows: Sequence[Row], body_size: float, pages: int) -> bool:
    """Whether a slot holds running heads whose words change: on many pages, no larger than the text, always set apart from it."""
    if len(rows) < max(4, 0.15 * pages):
        return False
    short = [row for row in rows if row.size <= 1.05 * body_size and row.apart and len(row.text) < 100]
    close_pages = sum(0 < b.page - a.page <= 2 for a, b in itertools.pairwise(rows))
    return len(short) >= 0.9 * len(rows) and close_pages >= 0.6 * (len(rows) - 1)


def _line_numbers(page: RawPage) -> set[int]:
    """Numbers that count the lines at the left margin (pleadings, drafts): a column of integers that goes up by one step."""
    numbers = [f for f in page.fragments if f.text.isdigit() and len(f.text) <= 4 and f.x1 < 0.25 * page.width]
    if len(numbers) < _FEWEST_NUMBERED or len(numbers) < 0.3 * len(page.fragments):
        return set()
    numbers.sort(key=lambda f: f.y0)
    steps = Counter(int(b.text) - int(a.text) for a, b in itertools.pairwise(numbers))
    step, count = steps.most_common(1)[0]
    return {id(f) for f in numbers} if step in (1, 5) and count >= 0.8 * (len(numbers) - 1) else set()
