"""Headings that only their look, numbers and order tell; and everything that looks like one and is none."""

from pathlib import Path

from word_documents import (
    SENTENCE,
    abstract,
    bold,
    headings,
    level,
    num,
    number,
    outline,
    p,
    r,
    read_docx,
    style,
    texts,
    titles,
    write_docx,
)

PUBLISHER = (
    style("Opener", "Opener", paragraph='<w:spacing w:before="600"/><w:jc w:val="center"/>', run='<w:b/><w:sz w:val="32"/>')
    + style("Upper", "Upper", paragraph='<w:keepNext/><w:spacing w:before="420"/>', run='<w:b/><w:sz w:val="24"/>')
    + style("Middle", "Middle", paragraph='<w:keepNext/><w:spacing w:before="240"/>', run='<w:b/><w:i/><w:sz w:val="24"/>')
    + style("Lower", "Lower", paragraph='<w:keepNext/><w:spacing w:before="240"/>', run='<w:b/><w:sz w:val="20"/>')
    + style("Text", "Text", run='<w:sz w:val="20"/>')
    + style("Program", "Program", run='<w:rFonts w:ascii="Courier"/><w:sz w:val="15"/>')
    + style("File", "File", run='<w:i/><w:sz w:val="17"/>')
    + style("Aside", "Aside", paragraph='<w:keepNext/><w:pBdr><w:left w:val="single"/></w:pBdr>', run='<w:b/><w:sz w:val="18"/>')
    + style("AsideText", "AsideText", paragraph='<w:pBdr><w:left w:val="single"/></w:pBdr>', run='<w:sz w:val="17"/>')
    + style("Over", "Over", paragraph="<w:keepNext/>", run='<w:b/><w:sz w:val="20"/>')
)
TEXT = p(SENTENCE, style="Text")
CENTRED = '<w:jc w:val="center"/>'
TABLE = f"<w:tbl><w:tr><w:tc>{p('a')}</w:tc><w:tc>{p('b')}</w:tc></w:tr></w:tbl>"


def test_styles_of_a_publisher_are_levels_by_their_look_and_order(tmp_path: Path) -> None:
    order = [
        ("Opener", "Owners"), ("Upper", "Who owns"), ("Middle", "Rules"), ("Middle", "Scope"), ("Lower", "Moves"), ("Lower", "Copies"),
        ("Upper", "Borrowing"), ("Middle", "Changing"), ("Lower", "Twice"), ("Upper", "Summary"),
    ]  # fmt: skip
    body = "".join(p(text, style=name) + TEXT for name, text in order)
    levels = {"Opener": 1, "Upper": 2, "Middle": 3, "Lower": 4}

    assert titles(read_docx(write_docx(tmp_path, body, styles=PUBLISHER))) == [(levels[name], text) for name, text in order]


def test_file_names_asides_and_titles_of_tables_are_no_headings(tmp_path: Path) -> None:
    body = p("Owners", style="Opener") + TEXT
    for n in range(4):
        body += p(f"Part {'abcd'[n]}", style="Upper") + TEXT + p("src/main.rs", style="File") + p(f"let x = {n};", style="Program")
        body += p("Beside the point", style="Aside") + p(SENTENCE, style="AsideText") + p(f"Rows of {n}", style="Over") + TABLE + TEXT
    reading = read_docx(write_docx(tmp_path, body, styles=PUBLISHER))

    assert titles(reading) == [(1, "Owners"), *((2, f"Part {letter}") for letter in "abcd")]
    assert len(texts(reading, "code")) == 4


def test_bold_lines_of_two_sizes_are_two_levels(tmp_path: Path) -> None:
    rows = [(16, "Past"), (13, "Far past"), (13, "Near past"), (16, "Future"), (13, "Near future")]
    body = "".join(bold(text, size) + p(SENTENCE) for size, text in rows)

    assert titles(read_docx(write_docx(tmp_path, body))) == [(1 if size == 16 else 2, text) for size, text in rows]


def test_decimal_numbers_tell_the_levels_of_headings_that_look_alike(tmp_path: Path) -> None:
    rows = ["1 Scope", "1.1 Words", "1.1.1 Old words", "1.2 Signs", "2 Rules", "2.1 Fees"]
    body = "".join(bold(text) + p(SENTENCE) for text in rows)

    assert outline(read_docx(write_docx(tmp_path, body))) == [
        (1, "1", "1 Scope"),
        (2, "1.1", "1.1 Words"),
        (3, "1.1.1", "1.1.1 Old words"),
        (2, "1.2", "1.2 Signs"),
        (1, "2", "2 Rules"),
        (2, "2.1", "2.1 Fees"),
    ]


def test_one_sequence_of_numbers_is_one_level_however_it_is_set(tmp_path: Path) -> None:
    rows = [("A. INTRODUCTION", ""), ("B. Problem", "<w:i/>"), ("C. Objective", "<w:i/>"), ("D. RATIONALE", ""), ("E. Options", "<w:i/>")]
    body = "".join(p(text, run=f"<w:b/>{more}") + p(SENTENCE) for text, more in rows)

    assert titles(read_docx(write_docx(tmp_path, body))) == [(1, text) for text, _ in rows]


def test_numbers_that_begin_again_below_each_heading_are_a_level_below(tmp_path: Path) -> None:
    body = "".join(
        bold(f"{n}. Chapter {n}", 14) + p(SENTENCE) + "".join(p(f"{m}. Step {m}", run="<w:b/><w:i/>") + p(SENTENCE) for m in (1, 2, 3))
        for n in (1, 2, 3)
    )

    assert [level for level, _ in titles(read_docx(write_docx(tmp_path, body)))] == [1, 2, 2, 2] * 3


def test_chinese_divisions_nest_as_they_always_do(tmp_path: Path) -> None:
    text = p("本章讨论数据的来源、整理方法以及分析过程，并说明研究中所采用的主要假设条件。")
    rows = ["第一章 绪论", "第一节 背景", "第二节 意义", "第二章 方法", "第一节 数据"]
    body = "".join(bold(row, properties='<w:jc w:val="center"/>') + text for row in rows)

    assert outline(read_docx(write_docx(tmp_path, body))) == [
        (1, "第一章", "第一章 绪论"),
        (2, "第一节", "第一节 背景"),
        (2, "第二节", "第二节 意义"),
        (1, "第二章", "第二章 方法"),
        (2, "第一节", "第一节 数据"),
    ]


def test_another_east_asian_font_makes_a_heading_without_bold(tmp_path: Path) -> None:
    text = p("本章讨论数据的来源、整理方法以及分析过程，并说明研究中所采用的主要假设条件。", run='<w:rFonts w:eastAsia="宋体"/>')
    heavy = '<w:rFonts w:eastAsia="黑体"/><w:sz w:val="28"/>'
    body = "".join(
        p(row, run=heavy, properties='<w:spacing w:before="240"/>') + text for row in ("研究背景说明", "主要数据来源", "分析与检验")
    )

    assert titles(read_docx(write_docx(tmp_path, body))) == [(1, "研究背景说明"), (1, "主要数据来源"), (1, "分析与检验")]


def test_abstract_and_references_stand_beside_the_chapters(tmp_path: Path) -> None:
    centred = '<w:jc w:val="center"/>'
    body = bold("Abstract", 14, centred) + p(SENTENCE)
    body += "".join(
        bold(f"{n} Part {letter}", 14) + p(SENTENCE) + bold(f"{n}.1 Detail {letter}", 12) + p(SENTENCE)
        for n, letter in ((1, "a"), (2, "b"))
    )
    body += bold("References", 14, centred) + p(SENTENCE)

    assert titles(read_docx(write_docx(tmp_path, body))) == [
        (1, "Abstract"),
        (1, "1 Part a"),
        (2, "1.1 Detail a"),
        (1, "2 Part b"),
        (2, "2.1 Detail b"),
        (1, "References"),
    ]


def test_capitals_underlines_and_centring_count(tmp_path: Path) -> None:
    def row(text: str) -> str:
        return p(text, run="<w:u w:val='single'/>", properties='<w:jc w:val="center"/><w:keepNext/>') + p(SENTENCE)

    reading = read_docx(write_docx(tmp_path, row("THE FIRST PART") + row("THE SECOND PART") + row("THE THIRD PART")))

    assert titles(reading) == [(1, "THE FIRST PART"), (1, "THE SECOND PART"), (1, "THE THIRD PART")]


def test_direct_formatting_overrides_the_style(tmp_path: Path) -> None:
    styles = style("Loud", "Loud", run='<w:b/><w:sz w:val="32"/>')
    quiet = p("Not loud at all", style="Loud", run='<w:b w:val="0"/><w:sz w:val="22"/>')
    body = "".join(p(f"Loud {n}", style="Loud") + p(SENTENCE) + quiet + p(SENTENCE) for n in ("one", "two", "three"))

    assert titles(read_docx(write_docx(tmp_path, body, styles=styles), "styles")) == [(1, "Loud one"), (1, "Loud two"), (1, "Loud three")]


def test_bold_in_a_bold_style_is_plain(tmp_path: Path) -> None:
    styles = style("B", "B", run="<w:b/>") + style("Strong", "Strong", kind="character", run="<w:b/>")
    run = r("Plain again", '<w:rStyle w:val="Strong"/>')
    toggled = f'<w:p><w:pPr><w:pStyle w:val="B"/></w:pPr>{run}</w:p>'
    body = "".join(p(f"Heading {n}", style="B") + p(SENTENCE) + toggled + p(SENTENCE) for n in ("one", "two", "three"))

    assert titles(read_docx(write_docx(tmp_path, body, styles=styles), "styles")) == [
        (1, "Heading one"),
        (1, "Heading two"),
        (1, "Heading three"),
    ]


def test_labels_that_come_again_and_again_are_no_headings(tmp_path: Path) -> None:
    body = "".join(bold(f"Duty {n}", 14) + p(SENTENCE) + bold("Related Provisions:") + p(SENTENCE) for n in "abcdefgh")

    assert titles(read_docx(write_docx(tmp_path, body))) == [(1, f"Duty {n}") for n in "abcdefgh"]


def test_bold_items_of_a_list_are_items(tmp_path: Path) -> None:
    numbering = abstract(0, level(0, "•", "bullet")) + num(1, 0)
    body = (
        bold("Fruit", 14)
        + p(SENTENCE)
        + "".join(bold(f"Sort {n}", properties=number(1)) for n in "abcdef")
        + bold("Roots", 14)
        + p(SENTENCE)
    )

    assert titles(read_docx(write_docx(tmp_path, body, numbering=numbering))) == [(1, "Fruit"), (1, "Roots")]


def test_a_bold_sentence_is_text(tmp_path: Path) -> None:
    body = (
        bold("Start", 14)
        + p(SENTENCE)
        + bold("This must never be done, whatever anyone says.")
        + p(SENTENCE)
        + bold("End", 14)
        + p(SENTENCE)
    )

    assert titles(read_docx(write_docx(tmp_path, body))) == [(1, "Start"), (1, "End")]


def test_the_lines_of_a_cover_are_no_headings(tmp_path: Path) -> None:
    page = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    cover = bold("Annual Report", 36, '<w:jc w:val="center"/>') + "".join(bold(t, 18) for t in ("Acme Holdings", "Board Edition", "Autumn"))
    body = cover + page + "".join(bold(f"Part {n}", 14) + p(SENTENCE) for n in "abc")
    reading = read_docx(write_docx(tmp_path, body))

    assert titles(reading) == [(1, "Part a"), (1, "Part b"), (1, "Part c")]
    assert reading.title == "Annual Report"


def test_a_number_on_a_line_of_its_own_belongs_to_the_heading_below(tmp_path: Path) -> None:
    numbering = abstract(0, level(0, "%1", start=4)) + num(1, 0)
    styles = PUBLISHER + style("Figure", "Figure", paragraph=number(1, 0), run='<w:b/><w:sz w:val="240"/>')
    body = p(style="Figure") + p("Owners", style="Opener") + TEXT + "".join(p(f"Part {n}", style="Upper") + TEXT for n in "abc")

    assert outline(read_docx(write_docx(tmp_path, body, styles=styles, numbering=numbering)))[0] == (1, "4", "Owners")


def test_a_label_on_a_line_of_its_own_is_the_number_of_the_heading_below(tmp_path: Path) -> None:
    body = "".join(
        bold(f"CHAPTER {n}", 20, CENTRED) + bold(f"BUDGETS OF {name}", 20, CENTRED) + p(SENTENCE) * 3
        for n, name in ((1, "TOWNS"), (2, "LANDS"), (3, "SEAS"))
    )

    assert outline(read_docx(write_docx(tmp_path, body))) == [
        (1, "CHAPTER 1", "BUDGETS OF TOWNS"),
        (1, "CHAPTER 2", "BUDGETS OF LANDS"),
        (1, "CHAPTER 3", "BUDGETS OF SEAS"),
    ]


def test_a_heading_centred_over_two_lines_is_one(tmp_path: Path) -> None:
    rows = [("ADMINISTRATION OF", "TOWNS AND LANDS"), ("DUTIES OF THE", "GOOD TRUSTEE"), ("REPORTS, AUDITS", "AND COMPLIANCE")]
    body = "".join(bold(first, 20, CENTRED) + bold(second, 20, CENTRED) + p(SENTENCE) * 3 for first, second in rows)

    assert titles(read_docx(write_docx(tmp_path, body))) == [(1, f"{first} {second}") for first, second in rows]


def test_one_stated_heading_over_a_long_text_leaves_the_rest_to_the_look(tmp_path: Path) -> None:
    body = p("The whole", style="Heading1") + "".join(bold(f"Part {n}", 14) + p(SENTENCE) * 8 for n in "abc")

    assert titles(read_docx(write_docx(tmp_path, body, styles=headings()))) == [
        (1, "The whole"),
        (2, "Part a"),
        (2, "Part b"),
        (2, "Part c"),
    ]


def test_where_styles_are_used_the_look_adds_nothing(tmp_path: Path) -> None:
    body = "".join(p(f"Part {n}", style="Heading1") + p(SENTENCE) + bold(f"Loud {n}", 16) + p(SENTENCE) for n in "abcd")

    assert titles(read_docx(write_docx(tmp_path, body, styles=headings()))) == [(1, f"Part {n}") for n in "abcd"]


def test_without_styles_only_look_and_numbers_decide(tmp_path: Path) -> None:
    plain = p("Invisible", style="Heading1") + p(SENTENCE)
    body = plain + "".join(bold(f"Part {n}", 16) + p(SENTENCE) for n in "abc")
    path = write_docx(tmp_path, body, styles=headings())

    assert titles(read_docx(path, "styles")) == [(1, "Part a"), (1, "Part b"), (1, "Part c")]
    assert {block.source for block in read_docx(path, "styles").blocks if block.kind == "heading"} == {"font"}


def test_a_text_without_headings_has_none(tmp_path: Path) -> None:
    reading = read_docx(write_docx(tmp_path, p(SENTENCE) * 30))

    assert titles(reading) == []
    assert len(reading.blocks) == 30


def test_what_is_guessed_is_less_sure_than_what_is_stated(tmp_path: Path) -> None:
    seen = read_docx(write_docx(tmp_path, "".join(bold(f"Part {n}", 16) + p(SENTENCE) for n in "abc")))

    assert all(0.4 < block.confidence <= 0.9 for block in seen.blocks if block.kind == "heading")
