"""Bookmarks are believed as far as the pages print them, and completed with what they lack."""

from pathlib import Path
from typing import Any

from tests.pdf_pages import new_document, write_pdf
from tests.read_documents import headings, read

TITLES = ["Harbours and Ports", "Tides and Currents", "Ships and Their Crews", "Storms of the Century"]


def _book(path: Path, toc: list[list[Any]], below: str = "") -> Path:
    """A page a title, in large type; `below` is a smaller heading on each page."""
    document, writer = new_document()
    for title in TITLES:
        writer.new_page().line(title, 18, "hebo").text(5)
        if below:
            writer.line(f"{below} {title}", 13, "hebo", above=14).text(5)
    return write_pdf(path, document, toc)


def test_confirmed_bookmarks_are_headings_with_the_levels_of_the_outline(tmp_path: Path) -> None:
    toc = [[1, TITLES[0], 1], [2, TITLES[1], 2], [2, TITLES[2], 3], [1, TITLES[3], 4]]
    reading = read(_book(tmp_path / "a.pdf", toc))
    assert headings(reading) == [(1, TITLES[0]), (2, TITLES[1]), (2, TITLES[2]), (1, TITLES[3])]
    assert {block.source for block in reading.blocks if block.kind == "heading"} == {"bookmark"}
    assert reading.warnings == ()


def test_bookmarks_may_be_shortened_recased_renumbered_and_a_page_off(tmp_path: Path) -> None:
    toc = [[1, "HARBOURS AND PORTS", 1], [1, "2. Tides and Currents", 3], [1, "Ships and Their", 3], [1, "Storms of the Century", 4]]
    reading = read(_book(tmp_path / "a.pdf", toc))
    assert headings(reading) == [(1, title) for title in TITLES]
    assert [block.page for block in reading.blocks if block.kind == "heading"] == [1, 2, 3, 4]


def test_an_outline_that_belongs_to_another_text_is_dropped_and_reported(tmp_path: Path) -> None:
    toc = [[1, "Bread", 1], [2, "Flour", 2], [2, "Yeast", 3], [1, "Cakes", 4]]
    reading = read(_book(tmp_path / "a.pdf", toc))
    assert headings(reading) == [(1, title) for title in TITLES]
    assert "bookmark" not in {block.source for block in reading.blocks}
    assert any("bookmarks do not match" in warning for warning in reading.warnings)


def test_single_bookmarks_that_lie_are_dropped_and_counted(tmp_path: Path) -> None:
    toc = [[1, TITLES[0], 1], [1, TITLES[1], 2], [1, "Bread", 3], [1, "Yeast", 4]]
    reading = read(_book(tmp_path / "a.pdf", toc))
    assert "Bread" not in {text for _, text in headings(reading)}
    assert any("2 of 4 bookmarks" in warning for warning in reading.warnings)


def test_headings_that_the_bookmarks_lack_are_added_below_them(tmp_path: Path) -> None:
    toc = [[1, title, page] for page, title in enumerate(TITLES, 1)]
    found = headings(read(_book(tmp_path / "a.pdf", toc, below="More about")))
    assert found == [row for title in TITLES for row in ((1, title), (2, f"More about {title}"))]


def test_without_bookmarks_the_pages_alone_decide(tmp_path: Path) -> None:
    toc = [[1, TITLES[0], 1], [2, TITLES[1], 2], [3, TITLES[2], 3], [1, TITLES[3], 4]]
    path = _book(tmp_path / "a.pdf", toc)
    assert headings(read(path, without="bookmarks")) == [(1, title) for title in TITLES]


def test_an_outline_in_a_circle_is_read_to_an_end(tmp_path: Path) -> None:
    path = _book(tmp_path / "a.pdf", [[1, title, page] for page, title in enumerate(TITLES, 1)])
    from tests.pdf_pages import PYMUPDF

    document = PYMUPDF.open(path)
    entries = [
        n
        for n in range(1, document.xref_length())
        if document.xref_get_key(n, "Title")[0] != "null" and document.xref_get_key(n, "Parent")[0] != "null"
    ]
    document.xref_set_key(entries[-1], "Next", f"{entries[0]} 0 R")
    document.save(tmp_path / "b.pdf")
    assert [text for _, text in headings(read(tmp_path / "b.pdf"))] == TITLES
