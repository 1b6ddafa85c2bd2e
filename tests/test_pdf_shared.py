"""Real PDFs of ../shared/data: what was reached is held. Bookmarks are true but incomplete gold, so against them only recall counts."""

import json
import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from ingest.outline import build_outline
from tests.read_documents import SHARED, read

PDF, GOLD, LABELS = SHARED / "pdf", SHARED / "gold-outline", Path(__file__).parent / "labels" / "pdf"
Row = tuple[int, str, int]

pytestmark = pytest.mark.skipif(not PDF.is_dir(), reason="the real documents are not here")


def _key(title: str) -> str:
    bare = re.sub(
        r"^\s*(?:第\S{1,4}[章节]|附录\s*\S|\d+(?:\.\d+)*[.):、]?\s|\(?[\dIVXivxA-Za-z]{1,5}(?:\.\d+)*[.):、])\s*",
        "",
        unicodedata.normalize("NFKC", title),
    )
    return re.sub(r"[\W_]+", "", bare if len(re.sub(r"\W", "", bare)) > 1 else title).casefold()


@cache
def _rows(name: str, without: str) -> tuple[list[Row], tuple[str, ...]]:
    reading = read(PDF / f"{name}.pdf", without)
    outline = build_outline(reading, name)
    return [(s.level, s.title, s.page or 0) for s in outline.sections[1:]], reading.warnings


def _matches(gold: Sequence[Row], found: Sequence[Row]) -> int:
    free = [(_key(title), page) for _, title, page in found]
    hits = 0
    for _, title, page in gold:
        wanted = _key(title)
        for row in free:
            same = row[0] == wanted or (min(len(row[0]), len(wanted)) > 5 and (row[0].startswith(wanted) or wanted.startswith(row[0])))
            if same and abs(row[1] - page) <= 1:
                free.remove(row)
                hits += 1
                break
    return hits


@pytest.mark.parametrize(
    ("name", "without", "least"),
    [
        ("en-sec-regbi-proposed-408p", "", 0.98),
        ("en-sec-regbi-proposed-408p", "bookmarks,styles", 0.95),
        ("en-fed-annual-report-2023-222p", "bookmarks,styles", 0.98),
        ("en-fedreg-regbi-interpretive-28p-3col", "bookmarks,styles", 0.98),
        ("zh-lnotes2-227p", "", 0.98),
        ("zh-lnotes2-227p", "bookmarks,styles", 0.95),
        ("de-geotopo-117p", "bookmarks,styles", 0.98),
        ("en-pdflatex-outline", "bookmarks,styles", 0.98),
    ],
)
def test_the_gold_outline_is_found_again(name: str, without: str, least: float) -> None:
    gold = [(level, title, page) for level, title, page in _gold(GOLD / f"{name}.json")]
    found, _ = _rows(name, without)
    assert _matches(gold, found) >= least * len(gold)


def _gold(path: Path) -> list[Row]:
    data = json.loads(path.read_text())
    rows = data if isinstance(data, list) else data.get("outline", data.get("headings"))
    return [(row["level"], row["title"], row["page"]) if isinstance(row, dict) else (row[0], row[1], row[2]) for row in rows]


@pytest.mark.parametrize("name", sorted(path.stem for path in LABELS.glob("*.json")))
def test_what_is_called_a_heading_on_the_labelled_pages_mostly_is_one(name: str) -> None:
    labels = json.loads((LABELS / f"{name}.json").read_text())
    optional = {(_key(row["title"]), row["page"]) for row in labels.get("optional", ())}
    found, _ = _rows(name, "bookmarks,styles")
    kept = [row for row in found if row[2] in labels["pages"] and (_key(row[1]), row[2]) not in optional]
    true = [(row["level"], row["title"], row["page"]) for row in labels["headings"]]
    assert _matches(true, kept) >= 0.9 * len(kept)


def test_two_columns_with_run_in_heads_give_the_hand_made_outline() -> None:
    found, _ = _rows("en-ALCE-2col-23p", "")
    gold = _gold(GOLD / "en-ALCE-2col-23p.handmade.json")
    hits = _matches(gold, found)
    assert 2 * hits / (len(gold) + len(found)) >= 0.95


def test_the_outline_that_lies_is_found_out() -> None:
    found, warnings = _rows("en-mistitled_outlines", "")
    assert any("bookmarks do not match" in warning for warning in warnings)
    assert {title.split()[-1] for _, title, _ in found} <= {"Foo", "Bar", "Baz", "Contents"}


def test_footnotes_of_a_long_rule_are_kept_out_of_its_running_text() -> None:
    blocks = read(PDF / "en-sec-regbi-proposed-408p.pdf").blocks
    notes = [block for block in blocks if block.kind == "footnote"]
    assert len(notes) > 600
    assert all(note.detached for note in notes)
