"""HTML tables: data as Markdown rows; tables that only place things or draw bullets are told apart. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lxml.html import HtmlElement

from ingest.html.inline import InlineReader, heading_level, tag_of, words_of
from ingest.html.runs import Runs
from ingest.html.styles import Look

_MARKER = re.compile(r"[•·▪■◦●○–—*☐☒✓-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,5})[.)]|[①-⑳]|\[\d+\]|\(\d+\)")
_FIGURE_SIGNS = re.compile(r"[\s$€£¥%(),.\d—–-]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_OPENING = frozenset({"$", "€", "£", "¥", "(", "$(", "US$"})
_CLOSING = re.compile(r"[%)]+|\)%")
_LONG_CELL = 1_200
_WIDEST = 200
_MOST_CELLS = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table as text: Markdown rows of which the first `header_rows` are its head, or the lines of a list."""

    rows: tuple[str, ...]
    header_rows: int
    caption: str
    runs: Runs


def own_rows(table: HtmlElement) -> Iterator[HtmlElement]:
    """The rows of a table without those of tables inside it."""
    for child in table:
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in child if row.tag == "tr")


def table_use(table: HtmlElement) -> Literal["data", "list", "layout"]:
    """What a table is for: data, bullets beside text, or placing blocks."""
    if table.get("role") in ("presentation", "none"):
        return "layout"
    rows = [[words_of(cell) for cell in row if tag_of(cell) in ("td", "th")] for row in own_rows(table)]
    filled = [[text for text in row if text] for row in rows]
    filled = [row for row in filled if row]
    has_head = next(table.iter("th"), None) is not None
    if filled and not has_head and all(len(row) == 2 and _MARKER.fullmatch(row[0]) for row in filled):
        return "list"
    if any(inner is not table and (inner.tag == "table" or heading_level(inner)) for inner in table.iter()):
        return "layout"
    if has_head and filled:
        return "data"
    if len(filled) < 2 or max(len(row) for row in filled) < 2 or any(len(text) > _LONG_CELL for row in filled for text in row):
        return "layout"
    return "data"


def grid_of(table: HtmlElement, inline: InlineReader, look: Look, as_list: bool) -> Grid:
    """The rows of a data table, or the lines of a list drawn as a table."""
    runs = Runs()
    caption = ""
    for child in table.iterchildren("caption"):
        caption = words_of(child)
    heads: list[bool] = []
    cells: dict[tuple[int, int], str] = {}
    width = 0
    for place, row in enumerate(own_rows(table)):
        heads.append(tag_of(row.getparent()) == "thead" if row.getparent() is not None else False)
        column, only_heads = 0, True
        for cell in row:
            if tag_of(cell) not in ("td", "th"):
                continue
            while (place, column) in cells:
                column += 1
            text = _cell_text(cell, inline, look, runs)
            only_heads = only_heads and (cell.tag == "th" or not text)
            across, down = _span(cell.get("colspan")), _span(cell.get("rowspan"))
            if len(cells) < _MOST_CELLS:
                cells |= {(place + below, column + beside): "" for below in range(down) for beside in range(across)}
                cells[place, column] = text
            column += across
        heads[-1] = heads[-1] or (only_heads and column > 0 and any(cells.get((place, i)) for i in range(column)))
        width = max(width, column)
    rows = [[cells.get((place, column), "") for column in range(min(width, _WIDEST))] for place in range(len(heads))]
    if as_list:
        lines = [" ".join(text for text in row if text) for row in rows]
        return Grid(rows=tuple(line for line in lines if line), header_rows=0, caption=caption, runs=runs)
    return _written(rows, heads, caption, runs)


def _written(rows: list[list[str]], heads: list[bool], caption: str, runs: Runs) -> Grid:
    pairs = [(row, head) for row, head in zip((_joined_signs(row) for row in rows), heads, strict=True) if any(row)]
    used = [column for column in range(max((len(row) for row, _ in pairs), default=0)) if any(row[column] for row, _ in pairs)]
    body = _without_sign_columns([[row[column] for column in used] for row, _ in pairs])
    used = used[: len(body[0])] if body else []
    head_rows = next((place for place, (_, head) in enumerate(pairs) if not head), len(pairs))
    if head_rows == 0 and _reads_like_head(body):
        head_rows = 1
    written = [f"| {' | '.join(text.replace('|', chr(92) + '|') for text in row)} |" for row in body]
    if head_rows and used:
        written.insert(head_rows, f"|{' --- |' * len(used)}")
    return Grid(rows=tuple(written), header_rows=head_rows + 1 if head_rows and used else 0, caption=caption, runs=runs)


def _without_sign_columns(body: list[list[str]]) -> list[list[str]]:
    """Two columns that no row fills both are one: filing agents give signs a column under half of the figures' head."""
    column = 1
    while body and column + 1 < len(body[0]):
        if any(row[column] and row[column + 1] for row in body):
            column += 1
        else:
            body = [[*row[:column], row[column] or row[column + 1], *row[column + 2 :]] for row in body]
    return body


def _reads_like_head(body: list[list[str]]) -> bool:
    """Whether the first row names the columns: words or years above figures."""
    if len(body) < 2:
        return False
    named = [text for text in body[0] if text]
    figures = [text for row in body[1:] for text in row[1:] if text]
    if not named or any(_is_figure(text) and not _YEAR.fullmatch(text.strip()) for text in named):
        return False
    return sum(_is_figure(text) for text in figures) * 2 > len(figures)


def _is_figure(text: str) -> bool:
    return bool(_FIGURE_SIGNS.fullmatch(text)) and any(character.isdigit() for character in text)


def _joined_signs(row: list[str]) -> list[str]:
    """Signs in cells of their own go to their figure: "$" before, "%" and ")" after it."""
    joined = list(row)
    last = -1
    for column, text in enumerate(joined):
        if not text:
            continue
        if last >= 0 and (joined[last] in _OPENING or (_CLOSING.fullmatch(text) and _is_figure(joined[last]))):
            joined[column if joined[last] in _OPENING else last] = joined[last] + text
            joined[last if joined[last] in _OPENING else column] = ""
            last = column if joined[column] else last
        else:
            last = column
    return joined


def _cell_text(cell: HtmlElement, inline: InlineReader, look: Look, runs: Runs) -> str:
    own = Runs()
    inline.element(cell, look, own)
    runs.links += own.links
    runs.anchors += own.anchors
    return " ".join(own.text.split())


def _span(text: str | None) -> int:
    digits = (text or "1").strip()
    return min(max(int(digits), 1), _WIDEST) if digits.isascii() and digits.isdigit() and len(digits) < 6 else 1
