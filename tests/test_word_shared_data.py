"""The Word reader on real documents: complete labels by hand (levels, numbers, titles), and what the documents say about themselves.

The labels were checked against the tables of contents that Word itself stored in the files, and against the Markdown twins.
"""

import json
import re
import time
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest
from lxml import etree
from word_documents import outline, read_docx, texts, titles

DATA = Path(__file__).parents[1].parent / "shared" / "data"
LABELS = sorted((Path(__file__).parent / "labels" / "docx").glob("*.json"))
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
HANDBOOK = DATA / "docx" / "doj-ch13-handbook-872p.docx"
TWINS = {"chapter04": "ch04", "chapter10": "ch10", "chapter15": "ch15", "chapter20": "ch20"}

pytestmark = pytest.mark.skipif(not (DATA / "docx").is_dir(), reason="the shared documents are not on this machine")


@pytest.mark.parametrize("labels", LABELS, ids=lambda path: path.name)
def test_every_heading_has_its_labelled_level_number_and_title(labels: Path) -> None:
    expected = [(row["level"], row["number"], row["title"]) for row in json.loads(labels.read_text("utf-8"))]

    assert outline(read_docx(DATA / "docx" / labels.stem)) == expected


def test_the_handbook_has_exactly_its_headings_and_not_its_typed_contents() -> None:
    gold = json.loads((DATA / "gold-outline" / f"{HANDBOOK.name}.json").read_text("utf-8"))
    rows = gold.get("outline", gold.get("headings"))
    reading = read_docx(HANDBOOK)

    assert titles(reading) == [(row["level"], " ".join(row["title"].split())) for row in rows]
    assert [number for _, number, _ in outline(reading)] == [_typed_number(row["title"]) for row in rows]
    assert any("typed table of contents" in warning for warning in reading.warnings)


def _typed_number(title: str) -> str:
    found = re.match(r"CHAPTER \d+|[A-Z](?=\.)|\d+(?=\.)", title.strip())
    assert found, title
    return found[0]


@pytest.mark.parametrize(("chapter", "twin"), TWINS.items())
def test_a_word_chapter_of_the_book_equals_its_markdown_twin(chapter: str, twin: str) -> None:
    assert titles(read_docx(DATA / "docx" / f"rustbook-nostarch-{chapter}.docx")) == _markdown_headings(twin)


def _markdown_headings(prefix: str) -> list[tuple[int, str]]:
    found, in_code = [], False
    for path in sorted((DATA / "md/rust-book-en/src").glob(f"{prefix}*.md")):
        for line in path.read_text("utf-8").splitlines():
            in_code ^= line.startswith("```")
            match = re.match(r"(#+)\s+(.*)", line)
            if match and not in_code:
                found.append((len(match[1]), match[2].replace("`", "").strip()))
    return found


@pytest.mark.parametrize("name", ["zh-seu-thesis-template", "zh-thesis-proposal-template", "zh-thesis-literature-review-template"])
def test_numbers_are_those_that_word_printed_in_its_own_contents(name: str) -> None:
    path = DATA / "docx" / f"{name}.docx"
    printed = {_squeezed(re.sub(r"\t[^\t]*$", "", entry)) for entry in _contents_entries(path)}
    reading = read_docx(path)
    ours = [_squeezed(f"{number or ''}{title}") for _, number, title in outline(reading)]
    captions = [_squeezed(text) for text in texts(reading, "caption") if re.match(r"[图表]\d+-", text)]

    assert ours
    assert set(ours) <= printed
    assert set(captions) <= printed


def _contents_entries(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        styles = etree.fromstring(archive.read("word/styles.xml"))
        document = etree.fromstring(archive.read("word/document.xml"))
    names = {style.get(W + "styleId"): name.get(W + "val") for style in styles.iter(W + "style") for name in style.iter(W + "name")}
    entries = []
    for paragraph in document.iter(W + "p"):
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        if style is not None and str(names.get(style.get(W + "val"))).startswith("toc "):
            pieces = (item for item in paragraph.iter(W + "t", W + "tab") if item.getparent().tag == W + "r")
            entries.append("".join(item.text or "" if item.tag == W + "t" else "\t" for item in pieces))
    return entries


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_listings_and_figures_of_the_book_count_as_its_text_counts_them() -> None:
    reading = read_docx(DATA / "docx" / "rustbook-nostarch-chapter04.docx")
    found = [re.match(r"(Listing|Figure) 4-(\d+) ", text) for text in texts(reading, "caption")]

    for kind in ("Listing", "Figure"):
        counted = [int(match[2]) for match in found if match and match[1] == kind]
        assert counted[0] == 1
        assert all(b == a + 1 for a, b in pairwise(counted))


@pytest.mark.parametrize("path", sorted((DATA / "docx").glob("rustbook*.docx")), ids=lambda path: path.name)
def test_publisher_styles_come_out_the_same_when_their_names_are_ignored(path: Path) -> None:
    assert titles(read_docx(path, "styles")) == titles(read_docx(path))


def test_the_handbook_is_read_in_a_few_seconds_of_one_core() -> None:
    began = time.process_time()
    reading = read_docx(HANDBOOK)

    assert len(reading.blocks) > 4_000
    assert time.process_time() - began < 20, "ten times the usual 1.2 s: something became quadratic"
