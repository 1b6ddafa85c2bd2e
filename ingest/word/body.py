"""The walk through a document's body: paragraphs and tables in reading order, with their automatic numbers counted."""

from collections.abc import Iterator
from dataclasses import replace

from ingest.word.formatting import ParagraphFormat, paragraph_format
from ingest.word.inline import Inline, InlineReader, bookmark_names
from ingest.word.looks import lead_length, look_of
from ingest.word.names import MC, VAL, Element, W, child_value, chosen_alternative
from ingest.word.numbering import Counter, Marker, Numbering
from ingest.word.pieces import Findings, Paragraph, Piece
from ingest.word.styles import BODY_OUTLINE, ParagraphStyle, StyleSheet
from ingest.word.tables import read_table, table_style

_CONTAINERS = frozenset(W + name for name in ("ins", "moveTo", "smartTag", "customXml", "sdtContent"))
_MOST_DEPTH = 40


class BodyReader:
    """Reads containers of blocks (body, cell, box, note). One reader a document: numbers, fields and page breaks go on."""

    def __init__(self, styles: StyleSheet, numbering: Numbering, inline: InlineReader, findings: Findings) -> None:
        self._styles = styles
        self._numbering = numbering
        self._counter = Counter(numbering)
        self._inline = inline
        self._findings = findings
        self._joined: list[Element] = []
        self._anchors: list[str] = []
        self._page_begins = True

    def pieces(self, container: Element, *, detached: bool = False, shaded: bool = False, depth: int = 0) -> Iterator[Piece]:
        """The pieces of a container. `shaded`: its ground may be dark, so white letters are seen."""
        for element in container:
            tag = element.tag
            if tag == W + "p":
                yield from self._paragraph(element, detached, shaded, depth)
            elif depth > _MOST_DEPTH:
                self._findings.too_deep += 1
            elif tag == W + "tbl":
                yield from self._table(element, detached, depth)
            elif tag in _CONTAINERS:
                yield from self.pieces(element, detached=detached, shaded=shaded, depth=depth + 1)
            elif tag == W + "sdt":
                yield from self._content_control(element, detached, shaded, depth)
            elif tag == MC + "AlternateContent":
                branch = chosen_alternative(element)
                if branch is not None:
                    yield from self.pieces(branch, detached=detached, shaded=shaded, depth=depth + 1)
            elif tag == W + "bookmarkStart":
                self._anchors.extend(bookmark_names(element))
            elif tag == W + "altChunk":
                self._findings.embedded_parts += 1

    def _table(self, element: Element, detached: bool, depth: int) -> Iterator[Piece]:
        def read_cell(cell: Element) -> Iterator[Piece]:
            return self.pieces(cell, shaded=True, depth=depth + 1)

        return read_table(element, read_cell, detached=detached, marks_first_row=self._styles.marks_first_row(table_style(element)))

    def _content_control(self, element: Element, detached: bool, shaded: bool, depth: int) -> Iterator[Piece]:
        content = element.find(W + "sdtContent")
        if content is None:
            return
        gallery = element.find(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
        is_contents = gallery is not None and gallery.get(VAL, "") in ("Table of Contents", "Bibliography TOC")
        for piece in self.pieces(content, detached=detached, shaded=shaded, depth=depth + 1):
            yield replace(piece, is_contents=True) if is_contents and isinstance(piece, Paragraph) else piece

    def _paragraph(self, element: Element, detached: bool, shaded: bool, depth: int) -> Iterator[Piece]:
        properties = element.find(W + "pPr")
        direct = paragraph_format(properties)
        self._joined.append(element)
        if direct.drop_cap or _mark_is_deleted(properties):
            # The letter of a drop cap, or text whose paragraph mark was deleted, belongs to the next paragraph.
            return
        elements, self._joined = self._joined, []
        style_element = None if properties is None else properties.find(W + "pStyle")
        style = self._styles.paragraph_style(None if style_element is None else style_element.get(VAL))
        fmt = direct.over(style.paragraph)
        marker = self._marker(fmt, direct, style)
        read = self._inline.read(elements, style, on_shade=shaded or detached or bool(fmt.shaded))
        yield self._built(read, fmt, style, marker, detached)
        if _ends_section(properties):
            self._page_begins = True
        for box in read.boxes:
            if depth <= _MOST_DEPTH:
                yield from self.pieces(box, detached=True, shaded=True, depth=depth + 1)

    def _marker(self, fmt: ParagraphFormat, direct: ParagraphFormat, style: ParagraphStyle) -> Marker | None:
        if not fmt.number_id or fmt.number_id == "0":
            return None
        level = direct.number_level
        if level is None and direct.number_id is None:
            level = self._level_of(fmt.number_id, style)
        return self._counter.advance(fmt.number_id, fmt.number_level or 0 if level is None else level)

    def _level_of(self, number_id: str, style: ParagraphStyle) -> int | None:
        """The list level of a style: that which the list keeps for it, else its own word, else those of its bases."""
        for style_id, stated in style.number_chain:
            linked = self._numbering.level_of_style(number_id, style_id)
            if linked is not None or stated is not None:
                return stated if linked is None else linked
        return None

    def _built(self, read: Inline, fmt: ParagraphFormat, style: ParagraphStyle, marker: Marker | None, detached: bool) -> Paragraph:
        level, by_name = style.level, style.by_name
        if fmt.outline is not None and not style.is_contents:
            level, by_name = (None if fmt.outline >= BODY_OUTLINE else fmt.outline + 1), by_name and style.level == fmt.outline + 1
        text = read.text
        anchors, self._anchors = (*self._anchors, *read.anchors), []
        begins = self._page_begins or read.break_before or bool(fmt.page_break)
        if text.strip():
            self._page_begins = read.break_after
        else:
            self._page_begins = begins
        return Paragraph(
            text=text,
            look=look_of(text, read.tally, fmt, style.run),
            style=style,
            level=level,
            by_name=by_name,
            marker=marker,
            lead=lead_length(read.spans),
            after_break=begins,
            has_leader=bool(fmt.dot_leader) and "\t" in text,
            is_contents=style.is_contents or (read.in_contents and not text.strip()),
            is_caption=style.is_caption or read.has_sequence,
            detached=detached,
            links=tuple(read.links),
            anchors=tuple(dict.fromkeys(anchors)),
            notes=tuple(read.notes),
        )


def _ends_section(properties: Element | None) -> bool:
    """Whether a section with pages of its own ends with this paragraph."""
    section = None if properties is None else properties.find(W + "sectPr")
    return section is not None and child_value(section, "type") != "continuous"


def _mark_is_deleted(properties: Element | None) -> bool:
    if properties is None:
        return False
    mark = properties.find(W + "rPr")
    return mark is not None and (mark.find(W + "del") is not None or mark.find(W + "moveFrom") is not None)
