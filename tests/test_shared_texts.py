"""Real books, pages and papers from the shared data come out with the headings that a person counts in them."""

import itertools
import json
import re

import pytest
from read_documents import headings, read, shared

from ingest.blocks import Block, Reading
from ingest.cleaning import clean_reading
from ingest.outline import build_outline, repaired_levels

CHAPTER = re.compile(r"Chapter \d+$")


def by_file(reading: Reading) -> dict[str, list[Block]]:
    """The headings of each chapter file of a book, by its name."""
    files: dict[str, list[Block]] = {}
    name = ""
    for block in reading.blocks:
        if block.kind == "heading":
            name = next((anchor for anchor in block.anchors if anchor.endswith(".md")), name)
            files.setdefault(name, []).append(block)
    return files


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_rust_book_is_one_document_of_all_its_files(language: str) -> None:
    root = shared(f"md/rust-book-{language}")
    files = by_file(read(root))
    summary = (root / "src" / "SUMMARY.md").read_text()
    assert set(re.findall(r"\(([\w-]+\.md)\)", summary)) <= set(files)
    chapters = [block for blocks in files.values() for block in blocks if block.level and any(a.endswith(".md") for a in block.anchors)]
    assert len(chapters) == 111
    top = [block for block in chapters if re.match(r"ch\d\d-00", block.anchors[0]) and "ch00" not in block.anchors[0]]
    assert [block.number for block in top] == [str(number) for number in range(1, 22)]
    assert len({block.level for block in top}) == 1


def test_the_rust_books_have_one_heading_for_each_mark_in_their_files() -> None:
    for language in ("en", "zh"):
        root = shared(f"md/rust-book-{language}")
        for name, blocks in by_file(read(root)).items():
            if name:
                marks, fenced = 0, False
                for line in re.sub(r"<!--.*?-->", "", (root / "src" / name).read_text(), flags=re.DOTALL).splitlines():
                    fenced ^= line.strip().startswith("```")
                    marks += not fenced and bool(re.match(r"#{1,6} ", line))
                parts = sum(not block.anchors for block in blocks)
                assert len(blocks) - parts == marks, name


def test_twin_files_with_the_same_marks_have_the_same_tree_in_both_languages() -> None:
    english, chinese = (by_file(read(shared(f"md/rust-book-{language}"))) for language in ("en", "zh"))
    same = 0
    for name in english:
        rows = []
        for blocks in (english[name], chinese[name]):
            levels = repaired_levels([block.level for block in blocks if block.anchors])
            rows.append([level - levels[0] for level in levels])
        same += rows[0] == rows[1]
    assert same >= 99


def test_links_of_the_rust_book_lead_to_its_headings() -> None:
    reading = read(shared("md/rust-book-en"))
    anchors = {anchor for block in reading.blocks for anchor in block.anchors}
    targets = [link.target for block in reading.blocks for link in block.links if re.match(r"[\w-]+\.md", link.target)]
    assert len(targets) > 150
    assert sum(target in anchors for target in targets) / len(targets) == 1


@pytest.mark.parametrize("name", ["html/pride-and-prejudice_1342.htm", "txt/pride-and-prejudice_1342.txt"])
def test_pride_and_prejudice_has_its_61_chapters_once(name: str) -> None:
    reading = read(shared(name))
    chapters = [text for _, text in headings(reading) if CHAPTER.match(text)]
    assert chapters == [f"Chapter {number}" for number in range(1, 62)]
    assert len({level for level, text in headings(reading) if CHAPTER.match(text)}) == 1


@pytest.mark.parametrize(("name", "title"), [("pep-0008", "Style Guide for Python Code"), ("pep-0484", "Type Hints")])
def test_a_pep_has_a_heading_for_each_underline(name: str, title: str) -> None:
    path = shared(f"txt/{name}.rst")
    lines = path.read_text().splitlines()
    underlined = [line for line, rule in itertools.pairwise(lines) if re.fullmatch(r"([=\-'~])\1{3,}", rule) and line.strip()]
    reading = read(path)
    assert [text for _, text in headings(reading)] == [re.sub(r"``?", "", line) for line in underlined]
    assert reading.title == title


def test_a_10_k_without_tags_gets_parts_items_and_notes() -> None:
    found = read(shared("html/example-10k.html"))
    outline = build_outline(found, "10-K")
    parts = [section for section in outline.sections if re.match(r"PART [IV]+$", section.title)]
    assert [section.title for section in parts] == ["PART I", "PART II", "PART III", "PART IV"]
    items = [section for section in outline.sections if section.title.startswith("ITEM ")]
    numbers = ["1", "1A", "1B", "2", "3", "4", "5", "7", "7A", "8", "9", "9A", "9B", "10", "11", "12", "13", "14", "15"]
    assert [section.number for section in items] == [f"ITEM {number}" for number in numbers]
    assert all(section.parent is not None and outline.sections[section.parent] in parts for section in items)
    notes = [section for section in outline.sections if re.match(r"NOTE \d", section.title)]
    assert [section.number for section in notes] == [f"NOTE {number}" for number in range(1, 15)]
    assert {section.headings[:2] for section in notes} == {("PART II", items[9].title)}
    assert sum(block.kind == "table" for block in found.blocks) > 30


def test_an_epub_has_its_chapters_from_the_navigation() -> None:
    reading = read(shared("txt/winter-sports.epub"))
    chapters = [block.number for block in reading.blocks if block.number and block.number.startswith("CHAPTER")]
    assert chapters == [f"CHAPTER {number}" for number in ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")]
    assert reading.title == "Winter Sports in Switzerland"


def test_chinese_textbook_labels_are_anchors_and_not_text() -> None:
    folder = shared("md/d2l-zh")
    for path in folder.rglob("*.md"):
        reading = read(path)
        assert not any("label:" in text for _, text in headings(reading))
        assert any(anchor.startswith(("sec_", "chap_")) for block in reading.blocks for anchor in block.anchors)


def test_every_real_text_passes_through_cleaning_and_outline() -> None:
    for name in (
        "md/rust-book-zh",
        "html/example-10k.html",
        "txt/winter-sports.epub",
        "txt/pep-0484.rst",
        "txt/pride-and-prejudice_1342.txt",
    ):
        reading = clean_reading(read(shared(name)))
        outline = build_outline(reading, "x")
        assert sum(len(section.blocks) for section in outline.sections) + len(outline.sections) - 1 == len(reading.blocks)
        assert json.dumps(reading.metadata)
