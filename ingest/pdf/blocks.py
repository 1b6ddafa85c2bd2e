"""Units and headings become blocks: paragraphs joined over columns and pages, lists, code, notes and captions apart. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ingest.blocks import Block, Doubt, Link
from ingest.pdf.headings import Heading
from ingest.pdf.numbering import parse_numbering
from ingest.pdf.tables import Table
from ingest.pdf.typography import Typography
from ingest.pdf.units import BULLET, Unit, joined_texts
from ingest.pdf.values import Line

_OPEN_END = re.compile(r"[^.!?。！？;；:：\"”’)\]」』】]$")
_ITEM_FAMILIES = frozenset(
    {"1", "1、", "1)", "(1)", "一、", "（一）", "①", "(i)", "(a)", "i.", "a)", "aa)", "a.", "(A)", "(I)", "α)", "[1]"}
)


def blocks_of(
    units: Sequence[Unit],
    headings: Sequence[Heading],
    notes: Collection[int],
    captions: Collection[int],
    listed: Collection[int],
    typography: Typography,
    tables: Mapping[int, Table] | None = None,
    links: Mapping[int, tuple[Link, ...]] | None = None,
    sideways: Mapping[int, str] | None = None,
    doubts: Mapping[int, Doubt] | None = None,
) -> tuple[Block, ...]:
    """Blocks in reading order. `listed` are units of the printed contents; `tables`, `links`
    and `doubts` go by unit, `sideways` by page."""
    maker = _Maker(typography, links or {}, doubts or {})
    starts: dict[int, list[Heading]] = {}
    covered: dict[int, Heading] = {}
    for heading in headings:
        starts.setdefault(heading.start, []).append(heading)
        covered.update(dict.fromkeys(range(heading.start, heading.end), heading))
    asides = sorted((sideways or {}).items())
    for unit in units:
        while asides and asides[0][0] < unit.page:
            maker.sideways(*asides.pop(0))
        for heading in starts.get(unit.index, ()):
            maker.heading(heading, units)
        if unit.index in covered:
            heading = covered[unit.index]
            if heading.run_in is not None and unit.index == heading.start:
                maker.text(unit, unit.text[heading.run_in :].strip())
        elif tables is not None and unit.index in tables:
            maker.table(tables[unit.index])
        elif unit.index in notes:
            maker.aside(unit, "footnote")
        elif unit.index in captions:
            maker.aside(unit, "caption")
        elif unit.index in listed:
            maker.contents_entry(unit)
        else:
            maker.unit(unit)
    for page, text in asides:
        maker.sideways(page, text)
    for heading in starts.get(len(units), ()):
        maker.heading(heading, units)
    return tuple(maker.finish())


class _Maker:
    """Collects blocks; keeps the last paragraph open so that it can go on in the next column or on the next page."""

    def __init__(self, typography: Typography, links: Mapping[int, tuple[Link, ...]], doubts: Mapping[int, Doubt]) -> None:
        self._blocks: list[Block] = []
        self._open: Block | None = None
        self._last: Line | None = None
        self._asides: list[Block] = []
        self._typography = typography
        self._links = links
        self._doubts = doubts

    def heading(self, heading: Heading, units: Sequence[Unit]) -> None:
        self._close()
        numbering = heading.numbering
        links = tuple(link for i in range(heading.start, heading.end) for link in self._links.get(i, ()))
        last = units[heading.end - 1].last.page if heading.end > heading.start else heading.page
        self._blocks.append(
            Block(
                kind="heading",
                text=heading.text,
                level=heading.level,
                number=numbering.label if numbering is not None else None,
                page=heading.page,
                page_end=last,
                source=heading.source,
                confidence=heading.confidence,
                links=links,
                doubts=self._doubt(heading.start) if heading.run_in is None else (),
            )
        )

    def table(self, table: Table) -> None:
        self._close()
        self._blocks.append(Block(kind="table", text=table.text, page=table.page, page_end=table.page, header_rows=table.header_rows))

    def aside(self, unit: Unit, kind: str) -> None:
        block = Block(
            kind="footnote" if kind == "footnote" else "caption", text=unit.text, page=unit.page, page_end=unit.last.page,
            detached=kind == "footnote", links=self._links.get(unit.index, ()),
        )  # fmt: skip
        # A note or figure between two halves of a paragraph must not divide it.
        self._asides.append(block)
        if self._open is None:
            self._close()

    def sideways(self, page: int, text: str) -> None:
        """Text across the reading direction, whose place is a guess."""
        self._asides.append(Block(kind="paragraph", text=text, page=page, page_end=page, detached=True))

    def contents_entry(self, unit: Unit) -> None:
        text = "\n".join(line.text for line in unit.lines)
        if self._open is not None and self._open.kind == "list" and self._last is not None:
            self._extend(unit, f"{self._open.text}\n{text}")
        else:
            self._begin(unit, Block(kind="list", text=text, page=unit.page, page_end=unit.page))

    def unit(self, unit: Unit) -> None:
        if unit.look.mono and not self._typography.body.mono:
            self._code(unit)
        elif _is_item(unit):
            self._item(unit)
        else:
            self.text(unit, unit.text)

    def text(self, unit: Unit, text: str) -> None:
        if not text:
            return
        if self._open is not None and self._open.kind in ("paragraph", "list") and self._goes_on(unit, text):
            self._extend(unit, joined_texts(self._open.text, text))
        else:
            self._begin(
                unit, Block(kind="paragraph", text=text, page=unit.page, page_end=unit.last.page, links=self._links.get(unit.index, ()))
            )

    def finish(self) -> Iterator[Block]:
        self._close()
        return iter(self._blocks)

    def _goes_on(self, unit: Unit, text: str) -> bool:
        """Whether the open paragraph was cut by the end of a column or page (or by a line that only looks different)."""
        last, opened = self._last, self._open
        assert last is not None
        assert opened is not None
        if not _OPEN_END.search(opened.text):
            return False
        first = unit.first
        moved = first.page != last.page or first.column != last.column
        if moved:
            return abs(first.style.size - last.style.size) <= 0.6 and (
                text[:1].islower() or not text[:1].isupper() or last.text.endswith("-")
            )
        return text[:1].islower() and opened.kind == "paragraph" and unit.above < 1.3

    def _code(self, unit: Unit) -> None:
        left = min(line.x0 for line in unit.lines)
        text = "\n".join(" " * round((line.x0 - left) / (0.6 * line.style.size)) + line.text for line in unit.lines)
        if self._open is not None and self._open.kind == "code" and self._last is not None and self._last.page == unit.page:
            self._extend(unit, f"{self._open.text}\n{text}")
        else:
            self._begin(unit, Block(kind="code", text=text, page=unit.page, page_end=unit.last.page))

    def _item(self, unit: Unit) -> None:
        indent = " " * max(0, round((unit.first.x0 - unit.first.left) / (2 * unit.look.size))) * 2
        text = indent + BULLET.sub("• ", unit.text, count=1) if BULLET.match(unit.text) else indent + unit.text
        if self._open is not None and self._open.kind == "list" and not self._asides:
            doubts = (*self._open.doubts, *self._doubt(unit.index, self._open.text.count("\n") + 1))
            self._extend(unit, f"{self._open.text}\n{text}")
            self._open = replace(self._open, doubts=doubts)
        else:
            self._begin(unit, Block(kind="list", text=text, page=unit.page, page_end=unit.last.page, links=self._links.get(unit.index, ())))

    def _doubt(self, index: int, line: int = 0) -> tuple[Doubt, ...]:
        return (replace(self._doubts[index], line=line),) if index in self._doubts else ()

    def _begin(self, unit: Unit, block: Block) -> None:
        self._close()
        doubts = self._doubt(unit.index) if block.kind in ("paragraph", "list") and "\n" not in block.text else ()
        self._open, self._last = replace(block, doubts=doubts) if doubts else block, unit.last

    def _extend(self, unit: Unit, text: str) -> None:
        assert self._open is not None
        links = self._open.links + self._links.get(unit.index, ())
        # A line that runs on is no heading.
        doubts = tuple(doubt for doubt in self._open.doubts if doubt.line < self._open.text.count("\n"))
        self._open, self._last = replace(self._open, text=text, page_end=unit.last.page, links=links, doubts=doubts), unit.last

    def _close(self) -> None:
        if self._open is not None:
            self._blocks.append(self._open)
        self._blocks.extend(self._asides)
        self._open, self._last, self._asides = None, None, []


def _is_item(unit: Unit) -> bool:
    if BULLET.match(unit.text):
        return True
    numbering = parse_numbering(unit.text)
    return numbering is not None and numbering.family in _ITEM_FAMILIES and bool(numbering.rest)
