"""Scanned pages: `./scripts/bench scans`: seconds a page by Tesseract, and the headings found.

On the shared scans, and on hand-labelled pages of other files that are made into pictures (200 dpi) first, so that their labels hold.
"""

import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pymupdf
from _kept_tables import keep
from _measuring import arguments, machine, markdown
from _outlines import Labels, Row, Scorer, load_scorer, read_labels

from ingest.formats import ReadOptions
from ingest.outline import build_outline
from ingest.sandbox import Limits, read_document

PAGES = 6  # labelled pages of a file that are made into pictures: Tesseract takes seconds for each
PICTURED = ("en-pdflatex-outline", "en-fed-annual-report-2023-222p", "zh-lnotes2-227p")
# Seen on the pages; everything else there is text, a drawing or a caption.
SHARED: dict[str, tuple[Row, ...]] = {
    "scan-nemotron_multipage-4p": (),
    "scan-ocrmypdf-c02-22": ((1, "Chapter II", 1),),
    "scan-ocrmypdf-multipage-6p": ((1, "Chapter II", 1),),
}


def pictured(path: Path, pages: Sequence[int], folder: Path) -> Path:
    """These pages (from 1) of a PDF as pictures in a new one."""
    made = folder / path.name
    with pymupdf.open(path) as document, pymupdf.open() as scan:
        for number in pages:
            page = document[number - 1]
            copy = scan.new_page(width=page.rect.width, height=page.rect.height)
            copy.insert_image(copy.rect, pixmap=page.get_pixmap(dpi=200))
        scan.save(made)
    return made


def row(path: Path, labels: Labels, scorer: Scorer) -> list[object]:
    """Pages, seconds a page on all cores, headings labelled and found, and how they match."""
    began = time.perf_counter()
    reading = read_document(path, ReadOptions(without=frozenset({"bookmarks"})), Limits(seconds=600, cpu_seconds=600))
    seconds = time.perf_counter() - began
    outline = build_outline(reading, path.stem)
    found = tuple((section.level, section.title, section.page) for section in outline.sections[1:])
    score = scorer.on_pages(labels, found)
    pages = outline.pages or 1
    return [path.stem, pages, seconds / pages, len(labels.rows), len(found), score.precision, score.recall, score.f1]


def main() -> None:
    """Print the table and keep it in docs/benchmarks.md."""
    options = arguments(__doc__ or "").parse_args()
    module = load_scorer(options.data)
    if module is None:
        print("left out: ../shared/measure/score_outline.py is not there")
        return
    scorer = Scorer(module)
    rows: list[list[object]] = []
    for name, headings in SHARED.items():
        path = options.data / "pdf" / f"{name}.pdf"
        with pymupdf.open(path) as document:
            labels = Labels(pages=frozenset(range(1, len(document) + 1)), rows=headings, optional=())
        rows.append(row(path, labels, scorer))
    with tempfile.TemporaryDirectory() as folder:
        for name in PICTURED:
            kept = read_labels(name)
            assert kept is not None
            pages = sorted(kept.pages)[:PAGES]
            place = {page: number for number, page in enumerate(pages, 1)}
            moved = tuple(
                tuple((level, title, place[page]) for level, title, page in part if page in place) for part in (kept.rows, kept.optional)
            )
            labels = replace(kept, pages=frozenset(place.values()), rows=moved[0], optional=moved[1])
            rows.append(row(pictured(options.data / "pdf" / f"{name}.pdf", pages, Path(folder)), labels, scorer))
    header = [f"scans, {os.cpu_count()} cores", "pages", "s a page", "headings", "found", "precision", "recall", "F1"]
    text = machine() + "\n\n" + markdown(header, rows)
    print(text)
    keep("scans", text)


if __name__ == "__main__":
    main()
