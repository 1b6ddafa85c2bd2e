"""Headings of PDFs that begin a paragraph, and what only looks like one."""

from pathlib import Path

import pytest

from tests.pdf_pages import FILLER, html_pdf
from tests.read_documents import bodies, headings, read

TEXT = FILLER * 2


def _runs(tmp_path: Path, leads: list[str], before: str = "") -> list[tuple[int, str]]:
    html = before + "".join(f"<p>{lead} {TEXT}</p>" for lead in leads)
    return headings(read(html_pdf(tmp_path / "a.pdf", html)))


def test_bold_words_that_begin_paragraphs_head_them_where_headings_have_no_numbers(tmp_path: Path) -> None:
    leads = ["<b>Inflation.</b>", "<b>The labour market.</b>", "<b>Housing.</b>", "<b>Bank lending.</b>"]
    found = _runs(tmp_path, leads, f"<h2>Summary</h2><p>{TEXT}</p><h2>The Year</h2><p>{TEXT}</p>")
    assert found[1:] == [(1, "The Year"), (2, "Inflation."), (2, "The labour market."), (2, "Housing."), (2, "Bank lending.")]


def test_bold_words_are_stress_where_headings_are_numbered(tmp_path: Path) -> None:
    leads = ["<b>Corpus.</b>", "<b>Training.</b>", "<b>Baselines.</b>", "<b>Costs.</b>"]
    before = "".join(f"<h2>{number} {title}</h2><p>{TEXT}</p>" for number, title in enumerate(("Introduction", "Models", "Data"), 1))
    assert [text for _, text in _runs(tmp_path, leads, before)] == ["1 Introduction", "2 Models", "3 Data"]


def test_the_fields_of_a_notice_are_headings_in_plain_capitals(tmp_path: Path) -> None:
    leads = ["AGENCY:", "SUMMARY:", "DATES:", "FOR FURTHER INFORMATION CONTACT:"]
    assert [text for _, text in _runs(tmp_path, leads)] == leads


@pytest.mark.parametrize("tag", ["b", "u", "i"])
def test_numbered_titles_run_into_their_paragraphs_keep_their_numbers_and_their_text(tmp_path: Path, tag: str) -> None:
    titles = ["Acceptance", "Fees and Payment", "Your Content", "Governing Law"]
    html = "".join(f"<p>{number}. <{tag}>{title}.</{tag}> {TEXT}</p>" for number, title in enumerate(titles, 1))
    reading = read(html_pdf(tmp_path / "a.pdf", html))
    assert [(block.number, block.text) for block in reading.blocks if block.kind == "heading"] == [
        (str(number), f"{number}. {title}.") for number, title in enumerate(titles, 1)
    ]
    assert [" ".join(text.split()) for _, text in bodies(reading)] == [" ".join(TEXT.split())] * 4


def test_words_that_come_again_and_again_label_a_part_of_each_section(tmp_path: Path) -> None:
    assert _runs(tmp_path, ["<b>Voting for this action:</b>"] * 6) == []


def test_bold_items_of_a_short_list_are_no_headings(tmp_path: Path) -> None:
    items = "".join(f"<p><b>{word}:</b> a thing of the sea, often seen.</p>" for word in ("Buoy", "Mole", "Quay", "Tide", "Weir"))
    assert headings(read(html_pdf(tmp_path / "a.pdf", f"<h2>Words</h2><p>{TEXT}</p>{items}<p>{TEXT}</p>"))) == [(1, "Words")]


def test_hints_to_the_reader_are_no_headings(tmp_path: Path) -> None:
    hint = f"<h3>WARNING</h3><p>{TEXT}</p>"
    html = f"<h2>Filling the Tank</h2><p>{TEXT}</p>{hint}<h2>Cleaning the Filter</h2><p>{TEXT}</p>{hint}"
    assert [text for _, text in headings(read(html_pdf(tmp_path / "a.pdf", html)))] == ["Filling the Tank", "Cleaning the Filter"]
