"""A page's content as pieces in reading order: one walk over the tree that knows blocks, text, lists and tables. Pure."""

from dataclasses import dataclass, field, replace

from lxml.html import HtmlElement

from ingest.blocks import BlockKind, Link
from ingest.html.boilerplate import titles_in
from ingest.html.inline import BLOCKS, InlineReader, heading_level, holds_blocks, tag_of, target_of, words_of
from ingest.html.lists import list_lines
from ingest.html.runs import BREAK, Runs, TextLook
from ingest.html.styles import BODY, Look
from ingest.html.tables import Grid, grid_of, own_rows, table_use

_KINDS: dict[str, BlockKind] = {"figcaption": "caption", "caption": "caption", "blockquote": "quote"}
_LISTS = frozenset({"ul", "ol", "menu", "dl"})
_SHORT_ROW = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One block as the page shows it. `level` is that of a heading tag, 0 else; `sections` counts the sectioning elements around it."""

    kind: BlockKind
    text: str
    look: TextLook
    level: int = 0
    sections: int = 0
    header_rows: int = 0
    links: tuple[Link, ...] = ()
    anchors: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Walk:
    """The walk over one page. `pieces` are complete, `runs` belong to the block that is being collected."""

    inline: InlineReader
    pieces: list[Piece] = field(default_factory=list)
    runs: Runs = field(default_factory=Runs)
    waiting: list[str] = field(default_factory=list)
    kind: BlockKind = "paragraph"
    sections: int = 0

    def visit(self, element: HtmlElement, outer: Look = BODY) -> None:
        """Add what the element shows; the text after it belongs to its parent."""
        tag = tag_of(element)
        if not tag:
            return
        if tag not in BLOCKS and heading_level(element) == 0 and not holds_blocks(element):
            self.inline.element(element, outer, self.runs)
            return
        look = self.inline.look(element, outer)
        if look.hidden or self.inline.boilerplate.holds(element):
            for title in titles_in(element) if tag == "header" else ():
                self._heading(title, 1, outer)
            return
        level = heading_level(element)
        if level:
            self._heading(element, level, look)
        elif tag == "pre":
            self._code(element)
        elif tag in _LISTS and not any(heading_level(inner) for inner in element.iter()):
            self._list(element, look)
        elif tag == "table":
            self._table(element, look)
        elif tag == "a":
            self._block_link(element, look)
        else:
            self._block(element, tag, look)

    def flush(self, kind: BlockKind | None = None, level: int = 0) -> None:
        """End the block that is being collected; two line breaks in a row part it."""
        runs, self.runs = self.runs, Runs()
        text = runs.text
        parts = [text] if kind else text.split("\n\n")
        look = runs.look()
        for part in parts:
            self._add(kind or self.kind, part.strip("\n "), runs, look, level=level)
            runs = Runs()
        self.waiting += runs.anchors

    def _add(self, kind: BlockKind, text: str, runs: Runs, look: TextLook, level: int = 0, header_rows: int = 0) -> None:
        self.waiting += runs.anchors
        if not text.strip():
            return
        anchors, self.waiting = tuple(dict.fromkeys(self.waiting)), []
        links = tuple(dict.fromkeys(runs.links))
        piece = Piece(
            kind=kind, text=text, look=look, level=level, sections=self.sections, header_rows=header_rows, links=links, anchors=anchors
        )
        self.pieces.append(piece)

    def _children(self, element: HtmlElement, look: Look) -> None:
        self.runs.add(element.text or "", look)
        for child in element:
            self.visit(child, look)
            self.runs.add(child.tail or "", look)

    def _block(self, element: HtmlElement, tag: str, look: Look) -> None:
        is_block = tag in BLOCKS
        if is_block:
            self.flush()
        self.inline.anchor(element, self.runs)
        kind, self.kind = self.kind, _KINDS.get(tag, self.kind)
        self.sections += tag in ("section", "article")
        self._children(element, look)
        if is_block:
            self.flush()
        self.sections -= tag in ("section", "article")
        self.kind = kind

    def _block_link(self, element: HtmlElement, look: Look) -> None:
        """A link around blocks belongs to the first of them."""
        before = len(self.pieces)
        self._block(element, "div", look)
        target, words = target_of(element), words_of(element)
        if target and words and len(self.pieces) > before:
            first = self.pieces[before]
            link = Link(text=first.text if len(words) > 200 else words, target=target)
            self.pieces[before] = replace(first, links=(*first.links, link))

    def _heading(self, element: HtmlElement, level: int, look: Look) -> None:
        self.flush()
        self.inline.anchor(element, self.runs)
        self.inline.children(element, look, self.runs)
        self.flush(kind="heading", level=level)

    def _code(self, element: HtmlElement) -> None:
        self.flush()
        runs = Runs()
        for inner in element.iter():
            self.inline.anchor(inner, runs)
            if inner.tag == "br":
                inner.tail = "\n" + (inner.tail or "")
        text = "".join(element.itertext()).strip("\n").rstrip()
        self._add("code", text, runs, TextLook())

    def _list(self, element: HtmlElement, look: Look) -> None:
        self.flush()
        runs = Runs()
        self.inline.anchor(element, runs)
        lines = list_lines(element, self.inline, look, runs)
        self._add("list", "\n".join(lines), runs, TextLook())

    def _table(self, element: HtmlElement, look: Look) -> None:
        self.flush()
        self.inline.anchor(element, self.runs)
        use = table_use(element)
        if use == "layout":
            self._unwrap(element, look)
            return
        grid: Grid = grid_of(element, self.inline, look, as_list=use == "list")
        if grid.caption:
            self._add("caption", grid.caption, Runs(), TextLook())
        if use == "list":
            self._add_items("\n".join(grid.rows), grid.runs)
        else:
            self._add("table", "\n".join(grid.rows), grid.runs, TextLook(), header_rows=grid.header_rows)

    def _add_items(self, text: str, runs: Runs) -> None:
        """Filing agents draw each bullet as a table of its own: one after the other they are one list."""
        last = self.pieces[-1] if self.pieces else None
        if last is None or last.kind != "list":
            self._add("list", text, runs, TextLook())
        elif text:
            self.waiting += runs.anchors
            self.pieces[-1] = replace(last, text=f"{last.text}\n{text}", links=(*last.links, *runs.links))

    def _unwrap(self, element: HtmlElement, look: Look) -> None:
        """A table that only places things: the cells one after the other, a short row as one line."""
        rows = list(own_rows(element))
        for row in rows:
            row_look = self.inline.look(row, look)
            if len(words_of(row)) > _SHORT_ROW or any(
                tag_of(inner) in _LISTS | {"table", "pre"} or heading_level(inner) for inner in row.iter()
            ):
                self._block(row, "tr", row_look)
                continue
            self.flush()
            for cell in row:
                self.inline.element(cell, row_look, self.runs)
            self.runs.runs = [run for run in self.runs.runs if run.text != BREAK]
            self.flush()
        if not rows:
            self._block(element, "div", look)
