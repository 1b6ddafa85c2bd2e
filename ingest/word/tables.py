"""Tables as Markdown rows: merged cells, nested tables, header rows; a table that only lays out a page gives its blocks instead."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from ingest.word.names import VAL, Element, W, child_value, is_on, whole_number
from ingest.word.pieces import Paragraph, Piece, Table

# Word itself allows 63 columns.
_MOST_COLUMNS = 128
# A merged cell is repeated in each row that it spans, so that every row makes sense alone; long texts are not.
_REPEATED_CHARACTERS = 100
# A cell with this much running text is part of a page layout, not of a table.
_LAYOUT_PARAGRAPHS = 3
_FIRST_ROW_BIT = 0x0020

ReadCell = Callable[[Element], Iterable[Piece]]


@dataclass(slots=True, kw_only=True)
class _Cell:
    pieces: list[Piece] = field(default_factory=list)
    text: str = ""
    columns: int = 1
    goes_on: bool = False


@dataclass(slots=True, kw_only=True)
class _Row:
    cells: list[_Cell]
    before: int = 0
    is_header: bool = False


def read_table(element: Element, read_cell: ReadCell, *, detached: bool, marks_first_row: bool) -> Iterator[Piece]:
    """The table as one piece, or the pieces inside when it is only a frame for them.

    `marks_first_row`: the style of the table sets the first row apart where the table asks for it.
    """
    rows = list(_rows(element, read_cell))
    if _is_layout(rows):
        for piece in (piece for row in rows for cell in row.cells for piece in cell.pieces):
            out = replace(piece, detached=True) if detached else piece
            yield replace(out, framed=True) if isinstance(out, Paragraph) else out
        return
    paragraphs = [piece for row in rows for cell in row.cells for piece in cell.pieces]
    grid = _grid(rows)
    header = _header_rows(rows, styled=marks_first_row and _asks_for_first_row(element))
    lines = [_line(row) for row in grid]
    if header:
        lines.insert(header, _line(["---"] * len(grid[0])))
    if any(text for row in grid for text in row):
        yield Table(
            rows=tuple(lines),
            header_rows=header + 1 if header else 0,
            detached=detached,
            links=tuple(link for piece in paragraphs for link in piece.links),
            anchors=tuple(anchor for piece in paragraphs for anchor in piece.anchors),
            notes=tuple(note for piece in paragraphs for note in piece.notes),
        )


def _rows(element: Element, read_cell: ReadCell) -> Iterator[_Row]:
    for row in _children(element, W + "tr"):
        properties = row.find(W + "trPr")
        if properties is not None and properties.find(W + "del") is not None:
            continue
        header = None if properties is None else properties.find(W + "tblHeader")
        before = 0 if properties is None else whole_number(child_value(properties, "gridBefore"), 0) or 0
        cells = [_cell(cell, read_cell) for cell in _children(row, W + "tc")]
        if cells:
            yield _Row(cells=cells, before=min(before, _MOST_COLUMNS), is_header=header is not None and is_on(header))


def _children(element: Element, tag: str) -> Iterator[Element]:
    """Rows or cells, also those inside content controls and tracked insertions."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag == W + "sdt":
            content = child.find(W + "sdtContent")
            if content is not None:
                yield from _children(content, tag)
        elif child.tag in (W + "ins", W + "customXml", W + "smartTag", W + "moveTo"):
            yield from _children(child, tag)


def _cell(element: Element, read_cell: ReadCell) -> _Cell:
    properties = element.find(W + "tcPr")
    merge = None if properties is None else properties.find(W + "vMerge")
    span = 1 if properties is None else whole_number(child_value(properties, "gridSpan"), 1) or 1
    pieces = list(read_cell(element))
    return _Cell(
        pieces=pieces,
        text=_cell_text(pieces),
        columns=min(max(span, 1), _MOST_COLUMNS),
        goes_on=merge is not None and merge.get(VAL, "continue") == "continue",
    )


def _cell_text(pieces: list[Piece]) -> str:
    texts = []
    for piece in pieces:
        if isinstance(piece, Paragraph):
            sign = f"{piece.marker.text} " if piece.marker and piece.marker.text and piece.text.strip() else ""
            texts.append(" ".join((sign + piece.text).split()))
        else:
            inner = (row.strip("|").strip() for place, row in enumerate(piece.rows) if place != piece.header_rows - 1)
            texts.append("; ".join(row.replace("\\|", "|").replace(" | ", ", ") for row in inner))
    return " ".join(text for text in texts if text).replace("|", "\\|")


def _grid(rows: list[_Row]) -> list[list[str]]:
    """Texts by row and column, all rows equally long."""
    above: dict[int, str] = {}
    grid = []
    for row in rows:
        texts = [""] * row.before
        for cell in row.cells:
            place = len(texts)
            text = above.get(place, "") if cell.goes_on else cell.text
            above[place] = text if len(text) <= _REPEATED_CHARACTERS else ""
            texts += [text, *[""] * (cell.columns - 1)]
        grid.append(texts[:_MOST_COLUMNS])
    width = max((len(texts) for texts in grid), default=0)
    return [texts + [""] * (width - len(texts)) for texts in grid]


def _line(texts: list[str]) -> str:
    return f"| {' | '.join(texts)} |"


def table_style(element: Element) -> str:
    """The id of a table's style, "" without."""
    style = element.find(f"{W}tblPr/{W}tblStyle")
    return "" if style is None else style.get(VAL, "")


def _asks_for_first_row(element: Element) -> bool:
    look = element.find(f"{W}tblPr/{W}tblLook")
    if look is None:
        return False
    stated = look.get(W + "firstRow")
    if stated is not None:
        return stated not in ("0", "false", "off")
    try:
        return bool(int(look.get(VAL, "0"), 16) & _FIRST_ROW_BIT)
    except ValueError:
        return False


def _header_rows(rows: list[_Row], *, styled: bool) -> int:
    """How many rows at the top are headers: those that Word repeats on each page, else a first row that looks different."""
    marked = next((place for place, row in enumerate(rows) if not row.is_header), len(rows))
    if marked:
        return marked if marked < len(rows) else 0
    if len(rows) < 2 or len(rows[0].cells) < 2 or any(not cell.text for cell in rows[0].cells):
        return 0
    first, rest = _emphasis(rows[0]), [_emphasis(row) for row in rows[1:]]
    if styled or (first and not any(rest)):
        return 1
    return int(_heads_figures(rows))


def _heads_figures(rows: list[_Row]) -> bool:
    """Whether words stand above a column of figures; two rows of two cells say too little for that."""
    texts = [cell.text for cell in rows[0].cells]
    if len(set(texts)) < len(texts) or any(_has_digit(text) for text in texts) or len(texts) + len(rows) < 5:
        return False
    columns = range(1, len(texts))
    return any(all(len(row.cells) > column and _has_digit(row.cells[column].text) for row in rows[1:]) for column in columns)


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _emphasis(row: _Row) -> bool:
    """Whether all the texts of a row stand out."""
    paragraphs = [piece for cell in row.cells for piece in cell.pieces if isinstance(piece, Paragraph) and piece.text.strip()]
    return bool(paragraphs) and all(paragraph.look.bold or paragraph.look.caps for paragraph in paragraphs)


def _is_layout(rows: list[_Row]) -> bool:
    """A frame, not a table: one column or one cell, or cells that hold headings with running text of several paragraphs."""
    if all(len(row.cells) == 1 for row in rows):
        return True
    for row in rows:
        for cell in row.cells:
            paragraphs = [piece for piece in cell.pieces if isinstance(piece, Paragraph) and piece.text.strip()]
            if any(paragraph.level for paragraph in paragraphs) and len(paragraphs) > _LAYOUT_PARAGRAPHS:
                return True
    return False
