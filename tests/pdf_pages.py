"""Writes small PDFs for tests: lines of text at given places, sizes and fonts, on as many pages as are asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf

PYMUPDF: Any = pymupdf
FILLER = (
    "The committee met in the spring and went over the accounts of the year before. "
    "Nothing in them was new, and yet every member asked for time to read them again. "
    "A clerk wrote down who had spoken and at what length, as the rules demand. "
)
WIDTH, HEIGHT, LEFT, BODY = 595, 842, 72, 11


@dataclass
class Writer:
    """Writes lines from the top of a page down; `y` is the next baseline. Begins a new page when the page is full."""

    document: Any
    left: float = LEFT
    bottom: float = 770
    y: float = 90
    page: Any = None

    def new_page(self) -> "Writer":
        self.page = self.document.new_page(width=WIDTH, height=HEIGHT)
        self.y = 90
        return self

    def line(self, text: str, size: float = BODY, font: str = "helv", x: float | None = None, above: float = 0.0, **look: Any) -> "Writer":
        """One line; `above` is extra space, `underline` draws a rule below, `center` puts it in the middle."""
        if self.page is None or self.y + above > self.bottom:
            self.new_page()
        self.y += above
        length = PYMUPDF.get_text_length(text, fontname=font, fontsize=size)
        left = (WIDTH - length) / 2 if look.pop("center", False) else self.left if x is None else x
        underline = look.pop("underline", False)
        self.page.insert_text((left, self.y), text, fontsize=size, fontname=font, **look)
        if underline:
            self.page.draw_rect(PYMUPDF.Rect(left, self.y + 1.2, left + length, self.y + 1.8), color=None, fill=(0, 0, 0))
        self.y += 1.3 * size
        return self

    def text(
        self, sentences: int = 4, size: float = BODY, x: float | None = None, width: float = 450, text: str = "", font: str = "helv"
    ) -> "Writer":
        """A paragraph of so many sentences (or of `text`), wrapped to a width in points, with space above."""
        self.y += 0.6 * size
        parts = FILLER.split(". ")
        words = (text or ". ".join(parts[i % 3].rstrip(".") for i in range(sentences)) + ".").split()
        row: list[str] = []
        for word in words:
            if row and PYMUPDF.get_text_length(" ".join([*row, word]), fontname=font, fontsize=size) > width:
                self.line(" ".join(row), size, font, x)
                row = []
            row.append(word)
        return self.line(" ".join(row), size, font, x)


def write_pdf(path: Path, document: Any, toc: Sequence[list[Any]] = (), **options: Any) -> Path:
    """Save a document with its bookmarks."""
    if toc:
        document.set_toc([list(row) for row in toc])
    document.save(path, **options)
    document.close()
    return path


def new_document() -> tuple[Any, Writer]:
    """An empty document and its writer."""
    document = PYMUPDF.open()
    return document, Writer(document)


def html_pdf(path: Path, html: str, css: str = "", width: float = WIDTH, height: float = HEIGHT) -> Path:
    """A document laid out from HTML, page by page: for scripts and styles that a writer of lines does not know."""
    story = PYMUPDF.Story(html=html, user_css=css)
    box = PYMUPDF.Rect(0, 0, width, height)
    writer = PYMUPDF.DocumentWriter(path)
    more = 1
    while more:
        device = writer.begin_page(box)
        more, _ = story.place(PYMUPDF.Rect(72, 72, width - 72, height - 72))
        story.draw(device)
        writer.end_page()
    writer.close()
    return path
