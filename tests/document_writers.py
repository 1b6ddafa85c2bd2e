"""One description of a document, written as docx, PDF, HTML, Markdown, RST, text and EPUB, and what must be read from each."""

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import docx
import pymupdf
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from epub_books import ncx, write_epub
from read_documents import read

from ingest.cleaning import clean_reading
from ingest.outline import Outline, build_outline
from ingest.plaintext.layout import width

PYMUPDF: Any = pymupdf


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A heading and what stands under it before the next one; `number` is printed before the title ("3.2", "第三章", "" for none).

    Level 0 is text without a heading.
    """

    level: int
    title: str
    number: str = ""
    paragraphs: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()

    @property
    def heading(self) -> str:
        """Number and title as they are printed."""
        return f"{self.number} {self.title}" if self.number else self.title


Row = tuple[int, str | None, str, str]


def expected(parts: Sequence[Part]) -> list[Row]:
    """(level, number, title, letters of the content) of every section, and of what stands before the first heading."""
    return [(part.level, _bare(part.number) or None, part.title, letters(_content(part))) for part in parts]


def outcome(path: Path, without: str = "") -> list[Row]:
    """The same rows as a reader and the outline make them of a file."""
    outline = outlined(path, without)
    rows = [
        (s.level, s.number, _without_number(s.number, s.title) if i else "", letters(_text_of(outline, i)))
        for i, s in enumerate(outline.sections)
    ]
    return rows if rows[0][-1] else rows[1:]


def outlined(path: Path, without: str = "") -> Outline:
    """Read, clean and outline a file."""
    return build_outline(clean_reading(read(path, without)), path.stem)


def letters(text: str) -> str:
    """The letters and digits of a text alone: what no format may lose, add or move."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text))


def _content(part: Part) -> str:
    return "\n".join([*part.paragraphs, *part.items, *(cell for row in part.table for cell in row)])


def _text_of(outline: Outline, index: int) -> str:
    return "\n".join(block.text for block in outline.sections[index].blocks)


def _bare(number: str) -> str:
    return number.rstrip(".、:：")


def _without_number(number: str | None, title: str) -> str:
    """A title without the number typed before it; "C" is not typed before "Copper"."""
    rest = title.removeprefix(number or "")
    typed = rest != title and not (rest[:1].isascii() and rest[:1].isalnum())
    return rest.lstrip(".、:： \u3000") if typed else title


def as_markdown(folder: Path, parts: Sequence[Part]) -> Path:
    """ATX headings, pipe tables."""

    def one(part: Part) -> str:
        rows = [f"| {' | '.join(row)} |" for row in part.table]
        table = "\n".join([rows[0], "|" + " --- |" * len(part.table[0]), *rows[1:]]) if rows else ""
        items = "\n".join(f"- {item}" for item in part.items)
        heading = f"{'#' * part.level} {part.heading}" if part.level else ""
        return "\n\n".join(piece for piece in (heading, *part.paragraphs, items, table) if piece)

    return _write(folder / "document.md", "\n\n".join(map(one, parts)))


def as_rst(folder: Path, parts: Sequence[Part]) -> Path:
    """Underlined headings, simple tables."""

    def one(part: Part) -> str:
        items = "\n".join(f"- {item}" for item in part.items)
        heading = f"{part.heading}\n{'=-~^'[part.level - 1] * width(part.heading)}" if part.level else ""
        return "\n\n".join(piece for piece in (heading, *part.paragraphs, items, _simple_table(part.table)) if piece)

    return _write(folder / "document.rst", "\n\n".join(map(one, parts)))


def as_text(folder: Path, parts: Sequence[Part]) -> Path:
    """Numbered headings alone on their lines, the others underlined, as are those of a text with too few to tell; tables as columns."""
    told = len(parts) > 2 and any(count > 1 for count in Counter(part.level for part in parts).values())

    def one(part: Part) -> str:
        items = "\n".join(f"- {item}" for item in part.items)
        line = "" if part.number and told else "\n" + "=-~^"[part.level - 1] * width(part.heading)
        heading = part.heading + line if part.level else ""
        return "\n\n".join(piece for piece in (heading, *part.paragraphs, items, _simple_table(part.table)) if piece)

    return _write(folder / "document.txt", "\n\n\n".join(map(one, parts)))


def as_html(folder: Path, parts: Sequence[Part]) -> Path:
    """h1 to h6 in a page with navigation around it."""
    body = "".join(map(_html, parts))
    page = (
        f"<!doctype html><html><head><title>Document</title></head><body><nav><a href='/'>Home</a></nav><main>{body}</main></body></html>"
    )
    return _write(folder / "document.html", page)


def as_epub(folder: Path, parts: Sequence[Part]) -> Path:
    """One page for each heading of the top level, listed in the navigation."""
    tops = [index for index, part in enumerate(parts) if part.level == 1]
    pages = {
        f"{start}.xhtml": "".join(map(_html, parts[start:end])) for start, end in zip([0, *tops[1:]], [*tops[1:], len(parts)], strict=True)
    }
    points = [(parts[start].heading, f"{start}.xhtml") for start in tops]
    return write_epub(folder / "document.epub", pages, toc=ncx(points))


def as_docx(folder: Path, parts: Sequence[Part]) -> Path:
    """Word's heading styles, numbers typed into the headings."""
    return _docx(folder / "typed.docx", parts, lambda document, part: document.add_heading(part.heading, part.level))


def as_docx_by_look(folder: Path, parts: Sequence[Part]) -> Path:
    """No styles at all: headings are bold and larger the higher they stand."""

    def heading(document: Any, part: Part) -> None:
        paragraph = document.add_paragraph()
        paragraph.paragraph_format.space_before = docx.shared.Pt(12)
        paragraph.paragraph_format.keep_with_next = True
        run = paragraph.add_run(part.heading)
        run.bold = True
        run.font.size = docx.shared.Pt(22 - 3 * part.level)

    return _docx(folder / "look.docx", parts, heading)


def as_docx_numbered(folder: Path, parts: Sequence[Part], formats: Sequence[tuple[str, str]]) -> Path:
    """Word's heading styles that number themselves; `formats` are (number format, level text) from the top level down."""
    path = _docx(folder / "automatic.docx", parts, lambda document, part: document.add_heading(part.title, part.level))
    document = docx.Document(str(path))
    numbering = document.part.numbering_part.element
    level = '<w:lvl w:ilvl="{0}"><w:start w:val="1"/><w:numFmt w:val="{2}"/><w:pStyle w:val="Heading{1}"/><w:lvlText w:val="{3}"/></w:lvl>'
    levels = "".join(level.format(n, n + 1, form, text) for n, (form, text) in enumerate(formats))
    numbering.insert(0, parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="90">{levels}</w:abstractNum>'))
    numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'))
    for n in range(len(formats)):
        properties = document.styles[f"Heading {n + 1}"].element.get_or_add_pPr()
        properties.insert(0, parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{n}"/><w:numId w:val="90"/></w:numPr>'))
    document.save(str(path))
    return path


def _docx(path: Path, parts: Sequence[Part], add_heading: Callable[[Any, Part], object]) -> Path:
    document = docx.Document()
    for part in parts:
        if part.level:
            add_heading(document, part)
        for text in part.paragraphs:
            document.add_paragraph(text)
        for item in part.items:
            document.add_paragraph(item, style="List Bullet")
        if part.table:
            table = document.add_table(rows=len(part.table), cols=len(part.table[0]))
            for row, cells in zip(table.rows, part.table, strict=True):
                for cell, text in zip(row.cells, cells, strict=True):
                    cell.text = text
    document.save(str(path))
    return path


# Sizes and weights as a word processor gives them; body text of 11 points.
CSS = """body {font-size: 11pt} p, li, td, th {font-size: 11pt} h1 {font-size: 20pt} h2 {font-size: 16pt} h3 {font-size: 13.5pt}
h4 {font-size: 11pt} table {border: 1px solid black} td, th {border: 1px solid black; padding: 3px}"""


def as_pdf(folder: Path, parts: Sequence[Part], *, bookmarks: bool = True, running: bool = True) -> Path:
    """Laid out in pages with a running head and page numbers; bookmarks for every heading when asked for."""
    path = folder / ("bookmarks.pdf" if bookmarks else "plain.pdf")
    whole = letters("".join(f"{part.heading}{_content(part)}" for part in parts))
    # MuPDF's layout drops what follows a list that ends right at a page's end; another height moves it.
    for bottom in (90, 101, 117, 140):
        pages, toc = _laid_out(parts, bottom)
        document = PYMUPDF.open("pdf", pages)
        if len(letters("".join(sheet.get_text() for sheet in document))) >= len(whole):
            break
    # A line that stands on one page or two is no running head yet.
    for sheet in document if running and len(document) > 2 else ():
        sheet.insert_text((72, 50), "The Running Head", fontsize=9)
        sheet.insert_text((290, 800), str(sheet.number + 1), fontsize=9)
    if bookmarks:
        document.set_toc(toc)
    document.save(str(path))
    document.close()
    return path


def _laid_out(parts: Sequence[Part], bottom: float) -> tuple[bytes, list[list[object]]]:
    """The pages as a PDF, and the headings as bookmarks."""
    stream, toc = io.BytesIO(), []
    story = PYMUPDF.Story(html="".join(map(_html, parts)), user_css=CSS)
    writer, box = PYMUPDF.DocumentWriter(stream), PYMUPDF.paper_rect("a4")
    more, page = 1, 0
    while more:
        page += 1
        device = writer.begin_page(box)
        more, _ = story.place(PYMUPDF.Rect(72, 90, box.x1 - 72, box.y1 - bottom))
        story.element_positions(lambda found: toc.append(found), {"page": page})  # it asks for a function's code
        story.draw(device)
        writer.end_page()
    writer.close()
    return stream.getvalue(), [[found.heading, found.text, found.page] for found in toc if found.heading and found.open_close & 1]


def as_bare_pdf(folder: Path, parts: Sequence[Part]) -> Path:
    """The same pages without bookmarks."""
    return as_pdf(folder, parts, bookmarks=False)


WRITERS: dict[str, Callable[[Path, Sequence[Part]], Path]] = {
    "markdown": as_markdown,
    "rst": as_rst,
    "text": as_text,
    "html": as_html,
    "epub": as_epub,
    "docx": as_docx,
    "docx by look": as_docx_by_look,
    "pdf": as_pdf,
    "pdf without bookmarks": as_bare_pdf,
}


def _html(part: Part) -> str:
    items = f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in part.items)}</ul>" if part.items else ""
    rows = [
        "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) for tag, row in zip("h" + "d" * len(part.table), part.table, strict=False)
    ]
    rows = [row.replace("<h>", "<th>").replace("</h>", "</th>").replace("<d>", "<td>").replace("</d>", "</td>") for row in rows]
    table = f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>" if rows else ""
    paragraphs = "".join(f"<p>{escape(text)}</p>" for text in part.paragraphs)
    heading = f"<h{part.level}>{escape(part.heading)}</h{part.level}>" if part.level else ""
    return f"{heading}{paragraphs}{items}{table}"


def _simple_table(table: Sequence[Sequence[str]]) -> str:
    if not table:
        return ""
    columns = [max(width(cell) for cell in column) for column in zip(*table, strict=True)]
    rule = "  ".join("=" * wide for wide in columns)
    rows = ["  ".join(cell + " " * (wide - width(cell)) for cell, wide in zip(row, columns, strict=True)).rstrip() for row in table]
    return "\n".join([rule, rows[0], rule, *rows[1:], rule])


def _write(path: Path, text: str) -> Path:
    path.write_text(text + "\n", encoding="utf-8")
    return path
