"""Kinds of documents whose headings other rules missed: standards, statutes, contracts; one small document each."""

from pathlib import Path

from tests.pdf_pages import PYMUPDF, Writer, html_pdf, new_document, write_pdf
from tests.read_documents import headings, read

CLAUSE = "水泵应当按照制造商的说明进行安装和检验并且由有资格的人员进行定期维护和保养以保证安全。"


def _chinese(writer: Writer, text: str) -> None:
    for start in range(0, len(text), 40):
        writer.line(text[start : start + 40], 10.5, "china-s")


def test_a_standard_in_one_type_has_its_clauses_as_text_below_its_headings(tmp_path: Path) -> None:
    document, writer = new_document()
    for chapter, title in ((4, "要求"), (5, "试验方法"), (6, "检验规则")):
        writer.line(f"{chapter} {title}", 10.5, "china-s", above=6)
        for section, name in ((1, "一般要求"), (2, "材料")):
            writer.line(f"{chapter}.{section} {name}", 10.5, "china-s")
            for clause in (1, 2):
                _chinese(writer, f"{chapter}.{section}.{clause} {CLAUSE}{CLAUSE}")
    found = headings(read(write_pdf(tmp_path / "a.pdf", document)))
    assert found[:3] == [(1, "4 要求"), (2, "4.1 一般要求"), (2, "4.2 材料")]
    assert len(found) == 9


def test_a_number_on_a_line_of_its_own_heads_the_term_below_it(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.line("3 Terms and Definitions", 13, "hebo").text(3)
    for number, term in (("3.1", "centrifugal pump"), ("3.2", "rated flow"), ("3.3", "head")):
        writer.line(number, font="hebo", above=8).line(term, font="hebo").text(2)
    found = [text for _, text in headings(read(write_pdf(tmp_path / "a.pdf", document)))]
    assert found == ["3 Terms and Definitions", "3.1 centrifugal pump", "3.2 rated flow", "3.3 head"]


def test_the_title_of_the_whole_is_no_section_above_the_others(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.line("Terms of Service", 20, "hebo", center=True).text(4)
    for title in ("Accounts", "Payment", "Warranties", "Termination", "Disputes"):
        writer.line(title, 13, "hebo", above=12).text(5)
    reading = read(write_pdf(tmp_path / "a.pdf", document))
    assert headings(reading) == [(1, title) for title in ("Accounts", "Payment", "Warranties", "Termination", "Disputes")]
    assert reading.title == "Terms of Service"


def test_small_capitals_made_from_two_sizes_set_headings_off(tmp_path: Path) -> None:
    document, writer = new_document()
    for title in ("Membership", "Borrowing", "Conduct"):
        y = writer.line("", above=16).y if writer.page else writer.new_page().y
        first = PYMUPDF.get_text_length(title[0], fontname="helv", fontsize=13)
        writer.page.insert_text((240, y), title[0], fontsize=13)
        writer.page.insert_text((240 + first, y), title[1:], fontsize=9)
        writer.y += 8
        writer.text(5)
    assert [text for _, text in headings(read(write_pdf(tmp_path / "a.pdf", document)))] == ["Membership", "Borrowing", "Conduct"]


def test_arabic_words_written_one_by_one_from_the_left_are_read_from_the_right(tmp_path: Path) -> None:
    words = ["هذا", "كتاب", "عن", "تاريخ", "مدينة", "قديمة"]
    spans = "".join(f"<span style='color:#{i}00000'>{word}</span> " for i, word in enumerate(words))
    found = " ".join(block.text for block in read(html_pdf(tmp_path / "a.pdf", f'<p dir="rtl">{spans}</p>')).blocks)
    assert found.split() == words


def test_a_boxed_table_of_sentences_is_a_table(tmp_path: Path) -> None:
    rows = [
        ("Word", "Meaning"),
        ("hall", "one of the three cold rooms that the store has"),
        ("band", "the temperature range that a product must stay in"),
        ("hold", "a pallet that must not be moved until the desk decides"),
    ]
    cells = "".join(f"<tr><td>{word}</td><td>{meaning}</td></tr>" for word, meaning in rows)
    css = "td { border: 0.5pt solid #777; padding: 2pt 6pt; }"
    tables = [block.text for block in read(html_pdf(tmp_path / "a.pdf", f"<table>{cells}</table>", css)).blocks if block.kind == "table"]
    assert [line for line in tables[0].splitlines() if "---" not in line] == [f"| {word} | {meaning} |" for word, meaning in rows]


def test_rules_between_rows_make_one_table_with_the_shaded_header_above_them(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.text(3)
    top = writer.y + 10
    for column in range(4):
        writer.page.draw_rect(PYMUPDF.Rect(80 + 90 * column, top, 170 + 90 * column, top + 20), color=None, fill=(0.9, 0.9, 0.9))
    rows = [
        ("Bank", "2022", "2023", "Change"),
        *((city, str(70 + i), str(80 + i), "10") for i, city in enumerate(("Boston", "Dallas", "Atlanta"))),
    ]
    for i, row in enumerate(rows):
        for column, cell in enumerate(row):
            writer.page.insert_text((84 + 90 * column, top + 14 + 20 * i), cell, fontsize=9)
        writer.page.draw_line((80, top + 20 + 20 * i), (440, top + 20 + 20 * i), width=0.5)
    tables = [block.text for block in read(write_pdf(tmp_path / "a.pdf", document)).blocks if block.kind == "table"]
    assert len(tables) == 1
    assert [line for line in tables[0].splitlines() if "---" not in line] == ["| " + " | ".join(row) + " |" for row in rows]


def test_the_wide_spaces_of_a_justified_line_are_no_columns(tmp_path: Path) -> None:
    document, writer = new_document()
    for row in range(9):
        words = (
            [("harbour", 72), ("pilots", 150), ("waited", 220), ("quietly", 296)]
            if row % 2
            else [("while", 72), ("others", 156), ("slept", 246)]
        )
        y = writer.line("", above=1).y if writer.page else writer.new_page().y
        for word, x in words:
            writer.page.insert_text((x, y), word + " ", fontsize=11)
    kinds = {block.kind for block in read(write_pdf(tmp_path / "a.pdf", document)).blocks}
    assert "table" not in kinds


def test_the_number_of_a_note_is_no_part_of_the_word_before_it(tmp_path: Path) -> None:
    html = "<p>The accounts were read by all members<sup>12</sup> and the costs.<sup>3</sup> Nothing was new in 10<sup>6</sup> of them.</p>"
    text = " ".join(block.text for block in read(html_pdf(tmp_path / "a.pdf", html)).blocks)
    assert "members 12 and the costs. 3 Nothing" in text
    assert "106 of them" in text
