"""Tables labelled by hand (tests/labels/tables), and how the tables of a reading are judged by them."""

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from _outlines import LABELS

from ingest.blocks import Block

_DASHES = re.compile("[\u2010-\u2015\u2212]")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledTable:
    """A table on a 1-based page; `cells` are some of its rows, each of cells from left to right (the beginnings of long ones)."""

    page: int
    rows: int
    columns: int
    cells: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLabels:
    """What was seen on drawn pages; on `doubtful` ones stand lists in columns and listings that may be taken for tables."""

    pages: frozenset[int]
    doubtful: frozenset[int]
    tables: tuple[LabelledTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableScore:
    """`found` of the labelled tables have their labelled rows in one table, `shaped` of them the right number of columns, too.

    `false` tables stand on `bare` pages that have none.
    """

    labelled: int
    found: int
    shaped: int
    bare: int
    false: int


def table_labels(name: str) -> TableLabels | None:
    """The labels of a PDF by its name without suffix."""
    path = LABELS / "tables" / f"{name}.json"
    if not path.exists():
        return None
    kept = json.loads(path.read_text(encoding="utf-8"))
    tables = tuple(
        LabelledTable(page=row["page"], rows=row["rows"], columns=row["columns"], cells=tuple(map(tuple, row["cells"])))
        for row in kept["tables"]
    )
    return TableLabels(pages=frozenset(kept["draw"]), doubtful=frozenset(kept["doubtful"]), tables=tables)


def judged(labels: TableLabels, blocks: Sequence[Block]) -> TableScore:
    """The tables among the blocks against the labels; each block counts for one labelled table."""
    left = [(block.page, _cells(block.text)) for block in blocks if block.kind == "table" and block.page in labels.pages]
    with_tables = {table.page for table in labels.tables}
    bare = labels.pages - labels.doubtful - with_tables
    false = sum(page in bare for page, _ in left)
    found = shaped = 0
    for table in labels.tables:
        match = next((row for row in left if row[0] == table.page and _holds(row[1], table)), None)
        if match is not None:
            left.remove(match)
            found += 1
            shaped += len(match[1][0]) == table.columns
    return TableScore(labelled=len(labels.tables), found=found, shaped=shaped, bare=len(bare), false=false)


def _cells(text: str) -> list[list[str]]:
    rows = [re.split(r"(?<!\\)\|", line.strip().strip("|")) for line in text.splitlines()]
    return [[_plain(cell) for cell in row] for row in rows if any(re.search(r"[^\s:|-]", cell) for cell in row)]


def _holds(rows: Sequence[Sequence[str]], table: LabelledTable) -> bool:
    return all(any(_in_order([_plain(cell) for cell in wanted], row) for row in rows) for wanted in table.cells)


def _in_order(wanted: Sequence[str], row: Sequence[str]) -> bool:
    """Whether the wanted cells stand in this order in cells of their own that begin with them."""
    place = 0
    for cell in wanted:
        while place < len(row) and not row[place].startswith(cell):
            place += 1
        if place == len(row):
            return False
        place += 1
    return True


def _plain(cell: str) -> str:
    return re.sub(r"\s+", "", _DASHES.sub("-", unicodedata.normalize("NFKC", cell))).casefold()
