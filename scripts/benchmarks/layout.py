"""What PyMuPDF's layout model is worth and costs: `./scripts/bench layout`.

Headings without bookmarks on the hand-labelled pages, by rules alone, with the model on pages in doubt, and on every page; running heads on
the same pages; tables on the first pages labelled for them. The model's regions are kept in .cache, with the seconds that each page took.
"""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pymupdf
from _kept_tables import keep
from _measuring import arguments, machine, markdown
from _outlines import Labels, Row, Scorer, load_scorer, read_labels
from _table_labels import table_labels

from ingest.blocks import StructureSource
from ingest.cleaning import clean_reading
from ingest.formats import ReadOptions
from ingest.outline import build_outline
from ingest.pdf.evidence import DOUBT
from ingest.pdf.extraction import raw_page
from ingest.pdf.furniture import split_furniture
from ingest.pdf.layout_model import Region, load_model, region_odds, regions_of
from ingest.pdf.reading import read_pdf
from ingest.pdf.typography import body_size
from ingest.pdf.units import Unit

KEPT = Path(__file__).parents[2] / ".cache" / "benchmarks" / "layout.json"
TABLE_PAGES = 8  # of a file: the model takes half a second for each
WITHOUT = ReadOptions(without=frozenset({"bookmarks"}))


class KeptModel:
    """The model's regions by file and page, asked for once; `seconds` of processor time for each page."""

    def __init__(self) -> None:
        self._kept: dict[str, Any] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
        self.seconds: dict[str, float] = {}

    def regions(self, path: Path, document: Any, page: int) -> list[Region]:
        """What the model sees on a page (from 1)."""
        key = f"{path.stem} {page}"
        if key not in self._kept:
            load_model()
            began = time.process_time()
            found = regions_of(document[page - 1])
            self._kept[key] = {"regions": found, "seconds": time.process_time() - began}
            KEPT.parent.mkdir(parents=True, exist_ok=True)
            KEPT.write_text(json.dumps(self._kept))
        self.seconds[key] = self._kept[key]["seconds"]
        return [Region(tuple(box), name) for box, name in self._kept[key]["regions"]]


class OnPages:
    """The model as evidence on some pages only: those that are labelled."""

    source: StructureSource = "layout_model"

    def __init__(self, model: KeptModel, path: Path, pages: frozenset[int], *, every: bool) -> None:
        self._model, self._path, self._pages, self._every = model, path, pages, every
        self.asked: set[int] = set()

    def log_odds(self, document: Any, units: Sequence[Unit], scores: Mapping[int, float]) -> Mapping[int, float]:
        """See `Evidence`."""
        chosen = [i for i, odds in scores.items() if units[i].page in self._pages and (self._every or abs(odds) <= DOUBT)]
        self.asked = {units[i].page for i in chosen}
        regions = {page: self._model.regions(self._path, document, page) for page in self.asked}
        return {i: region_odds(units[i], regions[units[i].page]) for i in chosen}


def headings(path: Path, evidence: Sequence[OnPages]) -> tuple[Row, ...]:
    """The headings found without bookmarks."""
    outline = build_outline(clean_reading(read_pdf(path, WITHOUT, evidence)), path.stem)
    return tuple((section.level, section.title, section.page) for section in outline.sections[1:])


def heading_rows(paths: Sequence[Path], scorer: Scorer, model: KeptModel) -> list[list[object]]:
    """F1 and right parents on the labelled pages by rules alone, with the model on pages in doubt, on all."""
    rows: list[list[object]] = []
    for path in paths:
        labels = read_labels(path.stem)
        assert labels is not None
        doubtful, every = (OnPages(model, path, labels.pages, every=flag) for flag in (False, True))
        scores = [scorer.on_pages(labels, headings(path, chosen)) for chosen in ((), (doubtful,), (every,))]
        row: list[object] = [path.stem, f"{len(doubtful.asked)} of {len(labels.pages)}"]
        for score in scores:
            row += [score.precision, score.recall, score.f1, score.parents]
        rows.append(row)
    means: list[object] = ["mean", ""]
    means += [sum(float(str(row[column])) for row in rows) / len(rows) for column in range(2, len(rows[0]))]
    return [*rows, means]


def running_head_row(path: Path, labels: Labels, model: KeptModel) -> list[object]:
    """Pieces of text that both, only the rules, and only the model take for running heads and page numbers on the labelled pages."""
    with pymupdf.open(path) as document:
        raw = [raw_page(page) for page in document]
        divided = split_furniture(raw, body_size(raw))
        both = ours = models = 0
        for number in sorted(labels.pages):
            regions = model.regions(path, document, number)
            edges = [box for box, name in regions if name in ("page-header", "page-footer")]
            furniture = set(map(id, divided[number - 1][1]))
            for piece in raw[number - 1].fragments:
                x, y = (piece.x0 + piece.x1) / 2, (piece.y0 + piece.y1) / 2
                seen = any(x0 - 2 <= x <= x1 + 2 and y0 - 2 <= y <= y1 + 2 for x0, y0, x1, y1 in edges)
                both += seen and id(piece) in furniture
                ours += id(piece) in furniture and not seen
                models += seen and id(piece) not in furniture
    return [path.stem, both, ours, models]


def table_row(path: Path, model: KeptModel) -> list[object]:
    """Labelled tables, and regions called tables on the same pages, on pages with and without one."""
    labels = table_labels(path.stem)
    assert labels is not None
    with pymupdf.open(path) as document:
        counts = dict.fromkeys(sorted(labels.pages - labels.doubtful)[:TABLE_PAGES], 0)
        for page in counts:
            counts[page] = sum(name == "table" for _, name in model.regions(path, document, page))
    there = {page: sum(table.page == page for table in labels.tables) for page in counts}
    found = sum(min(counts[page], there[page]) for page in counts)
    return [path.stem, sum(there.values()), found, sum(counts[page] for page in counts if not there[page])]


def main() -> None:
    """Print the tables and keep them in docs/benchmarks.md."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--only", default="", help="part of the file names")
    options = parser.parse_args()
    module = load_scorer(options.data)
    if module is None:
        print("left out: ../shared/measure/score_outline.py is not there")
        return
    files = [path for path in sorted((options.data / "pdf").glob("*.pdf")) if options.only in path.name]
    model = KeptModel()
    labelled = [(path, labels) for path in files if (labels := read_labels(path.stem)) is not None]
    found = heading_rows([path for path, _ in labelled], Scorer(module), model)
    asked = ["precision", "recall", "F1", "right parent"]
    header = ["headings without bookmarks, labelled pages", "pages in doubt", *(f"rules: {name}" for name in asked)]
    header += [*(f"doubtful pages: {name}" for name in asked), *(f"all pages: {name}" for name in asked)]
    edges = [running_head_row(path, labels, model) for path, labels in labelled]
    tables = [table_row(path, model) for path in files if table_labels(path.stem) is not None]
    speed = len(model.seconds) / sum(model.seconds.values())
    parts = [
        machine(),
        markdown(header, found),
        markdown(["running heads and page numbers (pieces of text)", "both", "rules only", "model only"], edges),
        markdown(["tables", "labelled", "regions of the model there", "regions on pages without a table"], tables),
        f"The model takes {1 / speed:.2f} s of processor time a page ({speed:.1f} pages/s on one core; {len(model.seconds)} pages).",
    ]
    text = "\n".join(parts)
    print(text)
    if not options.only:
        keep("layout", text)


if __name__ == "__main__":
    main()
