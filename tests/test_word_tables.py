"""Tables of Word as Markdown rows."""

from pathlib import Path

from word_documents import SENTENCE, bold, headings, only, p, read_docx, texts, titles, write_docx


def tc(content: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"


def tr(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def tbl(*rows: str) -> str:
    return f"<w:tbl>{''.join(rows)}</w:tbl>"


def test_a_row_that_word_repeats_is_the_header(tmp_path: Path) -> None:
    table = tbl(tr(tc(p("Name")), tc(p("Age")), properties="<w:tblHeader/>"), tr(tc(p("Ada")), tc(p("36"))))
    block = only(read_docx(write_docx(tmp_path, table)), "table")

    assert block.text == "| Name | Age |\n| --- | --- |\n| Ada | 36 |"
    assert block.header_rows == 2


def test_a_bold_first_row_is_the_header(tmp_path: Path) -> None:
    block = only(read_docx(write_docx(tmp_path, tbl(tr(tc(bold("Key")), tc(bold("Word"))), tr(tc(p("a")), tc(p("b")))))), "table")

    assert block.header_rows == 2


def test_a_table_style_may_mark_the_header(tmp_path: Path) -> None:
    first = '<w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr>'
    styles = f'<w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/>{first}</w:style>'
    rows = tr(tc(p("Key")), tc(p("Word"))) + tr(tc(p("a")), tc(p("b")))

    def table(look: str) -> str:
        return f'<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/><w:tblLook {look}/></w:tblPr>{rows}</w:tbl>'

    for look, header_rows in (('w:firstRow="1"', 2), ('w:val="04A0"', 2), ('w:firstRow="0"', 0), ('w:val="0480"', 0), ("", 0)):
        assert only(read_docx(write_docx(tmp_path, table(look), styles=styles)), "table").header_rows == header_rows


def test_a_table_of_keys_and_values_has_no_header(tmp_path: Path) -> None:
    block = only(read_docx(write_docx(tmp_path, tbl(tr(tc(bold("Name")), tc(p("Ada"))), tr(tc(bold("Age")), tc(p("36")))))), "table")

    assert block.text == "| Name | Ada |\n| Age | 36 |"
    assert block.header_rows == 0


def test_merged_cells_keep_the_columns(tmp_path: Path) -> None:
    table = tbl(
        tr(tc(p("wide"), '<w:gridSpan w:val="2"/>'), tc(p("c"))),
        tr(tc(p("tall"), '<w:vMerge w:val="restart"/>'), tc(p("x")), tc(p("y"))),
        tr(tc(p(), "<w:vMerge/>"), tc(p("z")), tc(p("w"))),
    )

    assert only(read_docx(write_docx(tmp_path, table)), "table").text == "| wide |  | c |\n| tall | x | y |\n| tall | z | w |"


def test_columns_left_out_before_a_row_are_empty(tmp_path: Path) -> None:
    table = tbl(tr(tc(p("a")), tc(p("b"))), tr(tc(p("c")), properties='<w:gridBefore w:val="1"/>'))

    assert only(read_docx(write_docx(tmp_path, table)), "table").text == "| a | b |\n|  | c |"


def test_a_nested_table_is_told_in_its_cell(tmp_path: Path) -> None:
    inner = tbl(tr(tc(p("1")), tc(p("2"))), tr(tc(p("3")), tc(p("4"))))
    table = tbl(tr(tc(p("left")), tc(p("see") + inner + p())))

    assert only(read_docx(write_docx(tmp_path, table)), "table").text == "| left | see 1, 2; 3, 4 |"


def test_paragraphs_and_bars_in_a_cell_stay_in_one_row(tmp_path: Path) -> None:
    table = tbl(tr(tc(p("one") + p("two")), tc(p("a | b"))))

    assert only(read_docx(write_docx(tmp_path, table)), "table").text == "| one two | a \\| b |"


def test_deleted_rows_are_left_out_and_inserted_ones_kept(tmp_path: Path) -> None:
    table = tbl(tr(tc(p("a")), tc(p("b")), properties="<w:ins/>"), tr(tc(p("c")), tc(p("d")), properties="<w:del/>"))

    assert texts(read_docx(write_docx(tmp_path, table))) == ["| a | b |"]


def test_rows_and_cells_in_content_controls_are_read(tmp_path: Path) -> None:
    cell = f"<w:sdt><w:sdtContent>{tc(p('a'))}</w:sdtContent></w:sdt>"
    row = f"<w:sdt><w:sdtContent>{tr(cell, tc(p('b')))}</w:sdtContent></w:sdt>"

    assert texts(read_docx(write_docx(tmp_path, tbl(row)))) == ["| a | b |"]


def test_a_table_of_one_column_is_a_frame_for_its_blocks(tmp_path: Path) -> None:
    table = tbl(tr(tc(p("One", style="Heading1") + p(SENTENCE))), tr(tc(p("Two", style="Heading1") + p(SENTENCE))))
    reading = read_docx(write_docx(tmp_path, table, styles=headings()))

    assert titles(reading) == [(1, "One"), (1, "Two")]
    assert texts(reading, "paragraph") == [SENTENCE, SENTENCE]


def test_a_page_laid_out_in_columns_gives_its_headings(tmp_path: Path) -> None:
    left = p("One", style="Heading1") + p(SENTENCE) * 4
    right = p("Two", style="Heading1") + p(SENTENCE) * 4

    assert titles(read_docx(write_docx(tmp_path, tbl(tr(tc(left), tc(right))), styles=headings()))) == [(1, "One"), (1, "Two")]


def test_a_heading_style_in_a_real_table_makes_no_section(tmp_path: Path) -> None:
    table = tbl(tr(tc(p("Name", style="Heading1")), tc(p("Age", style="Heading1"))), tr(tc(p("Ada")), tc(p("36"))))
    reading = read_docx(write_docx(tmp_path, p("One", style="Heading1") + table, styles=headings()))

    assert titles(reading) == [(1, "One")]
    assert "| Name | Age |" in only(reading, "table").text


def test_an_empty_table_is_no_block(tmp_path: Path) -> None:
    assert texts(read_docx(write_docx(tmp_path, p("Text") + tbl(tr(tc(p()), tc(p())))))) == ["Text"]
