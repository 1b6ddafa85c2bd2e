"""Rows of the structure benchmark that only PDFs have: what each kind of evidence is worth, and how well tables are found."""

from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from _measuring import markdown
from _outlines import Outlined, Row, Scorer, read_labels
from _table_labels import judged, table_labels

from ingest.formats import ReadOptions
from ingest.pdf.extraction import raw_page
from ingest.pdf.grids import find_grids
from ingest.pdf.opening import open_pdf
from ingest.pdf.reading import read_pdf

# Without bookmarks the rest is asked; each further row leaves one more kind out.
LEFT_OUT = (
    "",
    "bookmarks",
    "bookmarks,contents",
    "bookmarks,numbering",
    "bookmarks,fonts",
    "bookmarks,spacing",
    "bookmarks,contents,fonts",
    "bookmarks,contents,numbering",
)


def evidence_row(left_out: str, scorer: Scorer, files: Sequence[tuple[Path, Sequence[Row], Outlined]]) -> list[object]:
    """Means over files of what is found without some kinds of evidence: recall and parents of the gold, both on labelled pages."""
    whole = [scorer.whole(gold, found.rows) for _, gold, found in files if gold]
    pages = [
        scorer.on_pages(labels, found.rows) for path, _, found in files if (labels := read_labels(path.stem)) is not None and labels.rows
    ]
    cells = (
        mean(score.recall for score in whole),
        mean(score.parents for score in whole),
        mean(score.precision for score in pages),
        mean(score.recall for score in pages),
    )
    return [left_out.replace(",", ", ") or "nothing", *cells]


def table_rows(paths: Sequence[Path]) -> str:
    """Tables found on the pages that were labelled by hand, and the share of pages on which rules made them be looked for."""
    rows: list[list[object]] = []
    for path in paths:
        labels = table_labels(path.stem)
        if labels is None:
            continue
        score = judged(labels, read_pdf(path, ReadOptions()).blocks)
        looked = _looked_at(path)
        rows.append([path.stem, len(labels.pages), score.labelled, score.found, score.shaped, score.bare, score.false, looked])
    if not rows:
        return ""
    sums = [sum(int(str(row[column])) for row in rows) for column in range(1, 7)]
    found = f"{sums[2]} ({sums[2] / max(1, sums[1]):.2f})"
    header = ["tables (labelled by hand)", "pages drawn", "tables", "found", "right columns", "pages without", "false there", "page share"]
    total = ["all", sums[0], sums[1], found, sums[3], sums[4], sums[5], mean(float(str(row[7])) for row in rows)]
    return markdown(header, [*rows, total, ["to reach", "", 20, "0.90", "", "", "", ""]])


def _looked_at(path: Path) -> float:
    """The share of pages with rules that suggest a table."""
    with open_pdf(path, ReadOptions()) as document:
        pages = [raw_page(page) for page in document]
    return mean(bool(find_grids(page.rules, page.fragments, page.width, page.height)) for page in pages)
