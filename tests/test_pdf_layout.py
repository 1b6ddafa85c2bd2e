"""The text of a PDF in the order in which people read it, without what stands around it."""

from pathlib import Path

import pytest

from ingest.blocks import Reading
from tests.pdf_pages import HEIGHT, PYMUPDF, WIDTH, html_pdf, new_document, write_pdf
from tests.read_documents import headings, read


def _text(reading: Reading, kind: str = "") -> str:
    return "\n".join(block.text for block in reading.blocks if not kind or block.kind == kind)


@pytest.mark.parametrize("columns", [2, 3])
def test_columns_are_read_one_after_the_other_below_a_title_over_all_of_them(tmp_path: Path, columns: int) -> None:
    document, writer = new_document()
    writer.new_page().line("News from the Coast", 20, "hebo", center=True)
    width = (WIDTH - 100 - 20 * (columns - 1)) / columns
    top = writer.y + 10
    for column in range(columns):
        writer.y = top
        writer.left = 50 + column * (width + 20)
        writer.line(f"Story {column}", 13, "hebo").text(8, width=width).text(
            6, width=width, text=f"The end of story {column} is told here. " * 5
        )
    reading = read(write_pdf(tmp_path / "a.pdf", document))
    assert [text for _, text in headings(reading)][-columns:] == [f"Story {column}" for column in range(columns)]
    text = _text(reading)
    ends = [text.rindex(f"end of story {column}") for column in range(columns)]
    starts = [text.index(f"Story {column}") for column in range(columns)]
    assert all(starts[i] < ends[i] for i in range(columns))
    assert all(ends[i] < starts[i + 1] for i in range(columns - 1))


def test_running_heads_and_page_numbers_are_left_out(tmp_path: Path) -> None:
    document, writer = new_document()
    for number in range(1, 9):
        writer.new_page()
        head = "The Book of Ponds" if number % 2 else "Second Part: Frogs"
        writer.page.insert_text((72, 50), head, fontsize=9)
        writer.page.insert_text((290, 810), str(number + 6), fontsize=9)
        writer.line(f"Pond Number {number * 10}", 16, "hebo").text(9)
    reading = read(write_pdf(tmp_path / "a.pdf", document))
    assert len(headings(reading)) == 8
    assert "The Book of Ponds" not in _text(reading)
    assert "Second Part: Frogs" not in _text(reading)
    assert not [block for block in reading.blocks if block.text.strip().isdigit()]


def test_a_title_at_the_top_of_every_page_is_no_running_head(tmp_path: Path) -> None:
    document, writer = new_document()
    titles = ["Birds of the Shore", "Birds of the Wood", "Birds of the Town", "Birds at Night", "Birds in Winter"]
    for title in titles:
        writer.new_page().line(title, 22, "hebo").text(6)
    assert [text for _, text in headings(read(write_pdf(tmp_path / "a.pdf", document)))] == titles


def test_words_divided_at_line_ends_are_joined_and_compounds_keep_their_hyphen(tmp_path: Path) -> None:
    document, writer = new_document()
    for line in (
        "The settlement of the valley was a slow under-",
        "taking that the inhabitants remembered as hard, and well-",
        "known stories of it were told by every grandmother in Bad-",
        "Homburg until the railway came.",
    ):
        writer.line(line)
    text = _text(read(write_pdf(tmp_path / "a.pdf", document)))
    assert "slow undertaking that" in text
    assert "well-known stories" in text
    assert "Bad-Homburg until" in text


def test_a_paragraph_goes_on_over_the_page_and_a_note_does_not_divide_it(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.new_page().text(12)
    writer.line("This sentence was begun on the first page of the document and it is only going to be")
    writer.page.draw_line((72, 772), (200, 772))
    writer.page.insert_text((72, 782), "1", fontsize=6)
    writer.page.insert_text((78, 786), "A note about the accounts, in smaller type than the text above it.", fontsize=8)
    writer.new_page().line("ended on the second one, where it comes to its full stop.").text(5)
    reading = read(write_pdf(tmp_path / "a.pdf", document))
    whole = next(block for block in reading.blocks if "begun on the first page" in block.text)
    assert "going to be ended on the second one" in whole.text
    assert (whole.page, whole.page_end) == (1, 2)
    notes = [block for block in reading.blocks if block.kind == "footnote"]
    assert ["A note about the accounts" in note.text and note.detached for note in notes] == [True]


@pytest.mark.parametrize(
    "caption", ["Figure 3: The harbour at low tide", "Table 2.1. Ships by year", "图 2-1 系统结构", "Abb. 4: Der Hafen"]
)
def test_captions_are_captions_and_no_headings(tmp_path: Path, caption: str) -> None:
    document, writer = new_document()
    writer.line("Harbours", 16, "hebo").text(5)
    writer.line(caption, font="china-s" if "图" in caption else "hebo", above=10)
    writer.y += 12
    writer.text(5)
    reading = read(write_pdf(tmp_path / "a.pdf", document))
    assert headings(reading) == [(1, "Harbours")]
    assert [block.text.replace(" ", "") for block in reading.blocks if block.kind == "caption"] == [caption.replace(" ", "")]


def test_a_ruled_table_becomes_markdown_rows_with_a_header(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.line("Ships", 16, "hebo").text(4)
    rows = [("Name", "Built", "Crew"), ("Aurora", "1901", "21"), ("Borealis", "1912", "34"), ("Cassiopeia", "1920", "18")]
    top = writer.y + 10
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            box = PYMUPDF.Rect(72 + 120 * j, top + 20 * i, 72 + 120 * (j + 1), top + 20 * (i + 1))
            writer.page.draw_rect(box)
            writer.page.insert_text((box.x0 + 4, box.y0 + 14), cell, fontsize=11, fontname="hebo" if i == 0 else "helv")
    writer.y = top + 110
    writer.text(4)
    table = next(block for block in read(write_pdf(tmp_path / "a.pdf", document)).blocks if block.kind == "table")
    assert table.text.splitlines() == [
        "| Name | Built | Crew |",
        "| --- | --- | --- |",
        "| Aurora | 1901 | 21 |",
        "| Borealis | 1912 | 34 |",
        "| Cassiopeia | 1920 | 18 |",
    ]
    assert table.header_rows == 2


def test_aligned_rows_without_rules_are_a_table_too(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.text(4)
    for cells in (("Year", "Wheat", "Barley"), ("1901", "211.5", "90.2"), ("1902", "198.0", "87.7"), ("1903", "240.1", "99.9")):
        y = writer.y + 14
        for cell, x in zip(cells, (80, 220, 360), strict=True):
            writer.page.insert_text((x, y), cell, fontsize=11)
        writer.y = y
    writer.y += 20
    writer.text(4)
    tables = [block.text for block in read(write_pdf(tmp_path / "a.pdf", document)).blocks if block.kind == "table"]
    assert len(tables) == 1
    assert "| 1902 | 198.0 | 87.7 |" in tables[0]


def test_bullets_become_a_list_of_one_item_a_line(tmp_path: Path) -> None:
    html = "<p>We took with us:</p><ul><li>a tent of strong canvas</li><li>two lamps</li><li>bread</li></ul><p>And we left early.</p>"
    items = [block.text for block in read(html_pdf(tmp_path / "a.pdf", html)).blocks if block.kind == "list"]
    assert [line.strip() for line in items[0].splitlines()] == ["• a tent of strong canvas", "• two lamps", "• bread"]


def test_chinese_lines_are_joined_without_spaces(tmp_path: Path) -> None:
    document, writer = new_document()
    text = "本章介绍研究的背景和方法，说明数据的来源，并讨论以往工作的不足之处。我们先回顾有关文献，然后提出自己的问题和假设。"
    for start in range(0, len(text), 30):
        writer.line(text[start : start + 30], 11, "china-s")
    assert _text(read(write_pdf(tmp_path / "a.pdf", document))).strip() == text


def test_arabic_words_are_read_from_right_to_left(tmp_path: Path) -> None:
    words = "هذا كتاب عن تاريخ مدينة قديمة"
    found = _text(read(html_pdf(tmp_path / "a.pdf", f'<p dir="rtl" style="text-align:right">{words}</p>')))
    assert found.split() == words.split()


def test_text_that_stands_sideways_is_kept_apart_from_the_running_text(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.text(8)
    writer.page.insert_text((30, HEIGHT - 200), "Draft of the ninth of March", fontsize=10, rotate=90)
    reading = read(write_pdf(tmp_path / "a.pdf", document))
    aside = [block for block in reading.blocks if "ninth of March" in block.text]
    assert [block.detached for block in aside] == [True]


def test_links_keep_their_words_and_targets(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.line("See the second page or the site of the society.").new_page().line("Second page", 16, "hebo").text(4)
    first = document[0]
    box = first.search_for("second page")[0]
    first.insert_link({"kind": PYMUPDF.LINK_GOTO, "page": 1, "from": box, "to": PYMUPDF.Point(0, 0)})
    first.insert_link({"kind": PYMUPDF.LINK_URI, "uri": "https://example.org/ponds", "from": first.search_for("society")[0]})
    links = [link for block in read(write_pdf(tmp_path / "a.pdf", document)).blocks for link in block.links]
    assert {(link.text, link.target) for link in links} == {("second page", "page:2"), ("society", "https://example.org/ponds")}
