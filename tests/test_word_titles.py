"""The title and the properties of a Word file."""

from pathlib import Path

import pytest
from word_documents import SENTENCE, bold, headings, p, part, r, read_docx, style, texts, titles, write_docx

TITLE = style("Title", "Title") + headings()


def test_the_title_style_gives_the_title_and_no_heading(tmp_path: Path) -> None:
    reading = read_docx(write_docx(tmp_path, p("A Book", style="Title") + p("One", style="Heading1") + p(SENTENCE), styles=TITLE))

    assert reading.title == "A Book"
    assert titles(reading) == [(1, "One")]


def test_a_title_over_two_paragraphs_is_one(tmp_path: Path) -> None:
    reading = read_docx(write_docx(tmp_path, p("A Book", style="Title") + p("of Ducks", style="Title") + p(SENTENCE), styles=TITLE))

    assert reading.title == "A Book of Ducks"


def test_a_title_style_that_comes_again_divides_the_document(tmp_path: Path) -> None:
    def piece(name: str) -> str:
        return p(name, style="Title") + p(f"In {name}", style="Heading1") + p(SENTENCE)

    reading = read_docx(
        write_docx(tmp_path, p("Works", style="Title") + p("One", style="Heading1") + piece("Book A") + piece("Book B"), styles=TITLE)
    )

    assert reading.title == "Works"
    assert titles(reading) == [(2, "One"), (1, "Book A"), (2, "In Book A"), (1, "Book B"), (2, "In Book B")]


def test_a_title_in_a_text_box_counts(tmp_path: Path) -> None:
    box = f"<w:r><w:pict><w:txbxContent>{p('Boxed Book', style='Title')}</w:txbxContent></w:pict></w:r>"
    reading = read_docx(write_docx(tmp_path, f"<w:p>{box}</w:p>" + p("One", style="Heading1") + p(SENTENCE), styles=TITLE))

    assert reading.title == "Boxed Book"


@pytest.mark.parametrize("useless", ["Microsoft Word - draft.doc", "Document1", "untitled", "report.docx", "无标题文档"])
def test_a_property_that_names_a_program_or_file_is_no_title(tmp_path: Path, useless: str) -> None:
    assert read_docx(write_docx(tmp_path, p(SENTENCE), core=f"<dc:title>{useless}</dc:title>")).title == ""


def test_the_title_property_is_the_title_where_no_style_says_one(tmp_path: Path) -> None:
    reading = read_docx(write_docx(tmp_path, p(SENTENCE), core="<dc:title>On Ducks</dc:title><dc:creator>Ada</dc:creator>"))

    assert reading.title == "On Ducks"
    assert reading.metadata == {"author": "Ada"}


def test_the_property_is_another_name_of_a_document_with_a_title(tmp_path: Path) -> None:
    reading = read_docx(write_docx(tmp_path, p("Ducks", style="Title") + p(SENTENCE), styles=TITLE, core="<dc:title>On Ducks</dc:title>"))

    assert (reading.title, reading.aliases) == ("Ducks", ("On Ducks",))


def test_the_one_heading_above_all_others_names_the_document_and_stays(tmp_path: Path) -> None:
    body = p("Ducks", style="Heading1") + p("Wings", style="Heading2") + p(SENTENCE) + p("Feet", style="Heading2") + p(SENTENCE)
    reading = read_docx(write_docx(tmp_path, body, styles=TITLE))

    assert reading.title == "Ducks"
    assert titles(reading) == [(1, "Ducks"), (2, "Wings"), (2, "Feet")]


def test_a_towering_first_line_without_text_of_its_own_is_the_title_and_no_section(tmp_path: Path) -> None:
    body = bold("On Ducks", 24) + "".join(bold(f"Part {n}", 14) + p(SENTENCE) for n in "abc")
    reading = read_docx(write_docx(tmp_path, body))

    assert reading.title == "On Ducks"
    assert [title for _, title in titles(reading)] == ["Part a", "Part b", "Part c"]
    assert "On Ducks" not in texts(reading)


def test_an_unknown_title_is_empty(tmp_path: Path) -> None:
    body = "".join(p(name, style="Heading1") + p(SENTENCE) for name in ("One", "Two"))

    assert read_docx(write_docx(tmp_path, body, styles=TITLE)).title == ""


def test_the_contents_is_no_title(tmp_path: Path) -> None:
    body = p("Contents", style="Title") + "".join(p(name, style="Heading1") + p(SENTENCE) for name in ("One", "Two"))

    assert read_docx(write_docx(tmp_path, body, styles=TITLE)).title == ""


def test_a_huge_property_does_not_hurt(tmp_path: Path) -> None:
    reading = read_docx(
        write_docx(tmp_path, p(SENTENCE), core=f"<dc:title>{'x' * 40_000}</dc:title><dc:subject>{'y' * 40_000}</dc:subject>")
    )

    assert reading.title == ""
    assert texts(reading) == [SENTENCE]


def test_the_title_stays_out_of_the_text(tmp_path: Path) -> None:
    reading = read_docx(write_docx(tmp_path, p("Ducks", style="Title") + bold("x", 11) + p(SENTENCE), styles=TITLE))

    assert "Ducks" not in texts(reading)


def test_a_file_without_properties_is_read(tmp_path: Path) -> None:
    parts = {"docProps/core.xml": part("coreProperties", r("x"))}

    assert read_docx(write_docx(tmp_path, p(SENTENCE), parts=parts)).metadata == {}
