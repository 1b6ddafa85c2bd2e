"""Writes a sample as a PDF with bookmarks, running heads and page numbers."""

import html
import io
from pathlib import Path

import pymupdf
from source import Heading, NumberedList, Paragraph, Sample, Table

PAGE = pymupdf.paper_rect("a4")
BODY = pymupdf.Rect(64, 72, PAGE.x1 - 64, PAGE.y1 - 72)
STYLE = """
* { font-family: sans-serif; font-size: 10pt; line-height: 1.35; }
h1 { font-size: 20pt; } h2 { font-size: 15pt; margin-top: 16pt; } h3 { font-size: 11.5pt; margin-top: 9pt; }
td, th { padding: 2pt 6pt; border: 0.5pt solid #777; text-align: left; } table { margin: 6pt 0; }
"""


def write_pdf(sample: Sample, target: Path) -> None:
    story = pymupdf.Story(_html(sample), user_css=STYLE)
    buffer, bookmarks, page = io.BytesIO(), [], 0

    def record(position: object) -> None:
        if position.heading and position.open_close & 1:
            bookmarks.append(
                [max(1, position.heading - 1), position.text, page, {"kind": pymupdf.LINK_GOTO, "to": pymupdf.Point(position.rect[:2])}]
            )

    writer, more = pymupdf.DocumentWriter(buffer), True
    while more:
        page += 1
        device = writer.begin_page(PAGE)
        more, _ = story.place(BODY)
        story.element_positions(record)
        story.draw(device)
        writer.end_page()
    writer.close()
    with pymupdf.open("pdf", buffer.getvalue()) as document:
        document.set_toc([entry[:3] for entry in bookmarks[1:]])
        document.set_metadata({"title": sample.title})
        for number, sheet in enumerate(document, 1):
            if number > 1:
                sheet.insert_htmlbox(pymupdf.Rect(64, 36, 531, 56), f'<p style="font-size: 8pt">{html.escape(sample.title)}</p>')
            sheet.insert_htmlbox(pymupdf.Rect(64, 790, 531, 810), f'<p style="font-size: 8pt; text-align: center">{number}</p>')
        document.subset_fonts()
        document.save(target, garbage=3, deflate=True)


def _html(sample: Sample) -> str:
    parts = [f"<h1>{html.escape(sample.title)}</h1>"]
    for block in sample.blocks:
        match block:
            case Heading():
                parts.append(f"<h{block.level + 1}>{html.escape(f'{block.number} {block.title}'.strip())}</h{block.level + 1}>")
            case Paragraph():
                parts.append(f"<p>{html.escape(block.text)}</p>")
            case NumberedList():
                parts.append(f"<ol>{''.join(f'<li>{html.escape(item)}</li>' for item in block.items)}</ol>")
            case Table():
                head, *rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in block.rows]
                parts.append(f"<table><tr>{head.replace('td>', 'th>')}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")
    return "".join(parts)
