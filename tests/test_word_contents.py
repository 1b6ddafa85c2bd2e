"""Tables of contents: made by Word, typed by hand, or lost in a conversion. Their lines are never headings."""

from pathlib import Path

from word_documents import SENTENCE, bold, field, headings, p, r, read_docx, style, texts, titles, write_docx

CHAPTERS = ("Introduction", "Ownership", "Smart pointers", "Advanced features", "Closing words")
STYLES = headings() + "".join(style(f"TOC{n}", f"toc {n}") for n in (1, 2))
BODY = "".join(p(name, style="Heading1") + p(SENTENCE) for name in CHAPTERS)


def test_entries_in_styles_of_the_contents_are_left_out(tmp_path: Path) -> None:
    entries = "".join(p(f"{name}\t{page}", style="TOC1") for page, name in enumerate(CHAPTERS, 1))
    reading = read_docx(write_docx(tmp_path, entries + BODY, styles=STYLES))

    assert titles(reading) == [(1, name) for name in CHAPTERS]
    assert texts(reading, "paragraph") == [SENTENCE] * len(CHAPTERS)


def test_the_result_of_a_contents_field_is_left_out(tmp_path: Path) -> None:
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    first = f"<w:p>{mark.format('begin')}<w:r><w:instrText>TOC \\o</w:instrText></w:r>{mark.format('separate')}{r('Introduction 1')}</w:p>"
    last = f"<w:p>{r('Closing words 9')}{mark.format('end')}</w:p>"
    reading = read_docx(write_docx(tmp_path, first + p("Ownership 3") + last + BODY, styles=STYLES))

    assert texts(reading) == [text for name in CHAPTERS for text in (name, SENTENCE)]


def test_a_contents_field_inside_one_paragraph_is_left_out(tmp_path: Path) -> None:
    reading = read_docx(write_docx(tmp_path, f"<w:p>{r('Before ')}{field('TOC', 'Introduction 1')}{r('after')}</w:p>"))

    assert texts(reading) == ["Before after"]


def test_the_content_control_of_the_contents_is_left_out(tmp_path: Path) -> None:
    properties = '<w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
    entries = "".join(p(f"{name} {page}") for page, name in enumerate(CHAPTERS, 1))
    control = f"<w:sdt>{properties}<w:sdtContent>{p('Contents', style='Heading1')}{entries}</w:sdtContent></w:sdt>"

    assert titles(read_docx(write_docx(tmp_path, control + BODY, styles=STYLES))) == [(1, name) for name in CHAPTERS]


def test_a_typed_table_of_contents_is_left_out_and_reported(tmp_path: Path) -> None:
    entries = bold("Contents", 16) + "".join(bold(f"{name} ........ {page}") for page, name in enumerate(CHAPTERS, 1))
    body = "".join(bold(name, 16) + p(SENTENCE) for name in CHAPTERS)
    reading = read_docx(write_docx(tmp_path, entries + body))

    assert titles(reading) == [(1, name) for name in CHAPTERS]
    assert texts(reading, "paragraph") == [SENTENCE] * len(CHAPTERS)
    assert reading.warnings == ("a typed table of contents (6 lines) was left out, because the headings say the same",)


def test_page_numbers_that_a_conversion_glued_to_the_titles_are_seen(tmp_path: Path) -> None:
    entries = p("Table of Contents") + "".join(p(f"{'ABCDE'[n]}. {name.upper()}{n + 1}-{n + 3}") for n, name in enumerate(CHAPTERS))
    body = "".join(p(f"{'ABCDE'[n]}. {name.upper()}", style="Heading1") + p(SENTENCE) for n, name in enumerate(CHAPTERS))
    reading = read_docx(write_docx(tmp_path, entries + body, styles=STYLES))

    assert len(titles(reading)) == len(CHAPTERS)
    assert texts(reading, "paragraph") == [SENTENCE] * len(CHAPTERS)


def test_a_typed_table_of_contents_in_heading_styles_makes_no_headings(tmp_path: Path) -> None:
    entries = p("Contents", style="Heading1") + "".join(p(f"{name}\t{page}", style="Heading2") for page, name in enumerate(CHAPTERS, 1))

    assert titles(read_docx(write_docx(tmp_path, entries + BODY, styles=STYLES))) == [(1, name) for name in CHAPTERS]


def test_a_list_of_contents_of_something_else_stays_as_text(tmp_path: Path) -> None:
    entries = bold("Contents", 16) + "".join(p(f"Story of {name} ..... {page}") for page, name in enumerate(CHAPTERS, 1))
    reading = read_docx(write_docx(tmp_path, entries + p(SENTENCE) * 3))

    assert titles(reading) == []
    assert texts(reading, "list") == ["Contents\n" + "\n".join(f"Story of {name} ..... {page}" for page, name in enumerate(CHAPTERS, 1))]


def test_lines_with_figures_are_no_table_of_contents(tmp_path: Path) -> None:
    rows = "".join(p(f"List item {n}") for n in range(1, 9))
    reading = read_docx(write_docx(tmp_path, bold("Rows", 16) + rows + bold("More", 16) + rows))

    assert texts(reading, "paragraph") == [f"List item {n}" for n in range(1, 9)] * 2


def test_chinese_entries_with_leaders_are_seen(tmp_path: Path) -> None:
    names = ("绪论", "研究方法", "实验结果", "总结与展望", "参考文献")
    entries = p("目  录") + "".join(p(f"{name}…………{page}") for page, name in enumerate(names, 1))
    reading = read_docx(
        write_docx(tmp_path, entries + "".join(p(name, style="Heading1") + p("正文内容。") for name in names), styles=STYLES)
    )

    assert titles(reading) == [(1, name) for name in names]
    assert texts(reading, "paragraph") == ["正文内容。"] * len(names)
