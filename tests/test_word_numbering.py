"""Automatic numbers, computed from numbering.xml as Word shows them."""

from pathlib import Path

import pytest
from word_documents import SENTENCE, abstract, bold, headings, level, num, number, only, outline, p, read_docx, style, texts, write_docx

ONLY_LEVEL = '<w:numPr><w:ilvl w:val="0"/></w:numPr>'
LEGAL = abstract(0, level(0, "%1."), level(1, "%1.%2."), level(2, "%1.%2.%3."))


def numbers(folder: Path, items: list[tuple[int | str, int]], numbering: str, styles: str = "") -> list[str]:
    """The markers of list items (number id, level), in their order."""
    body = "".join(p("x", properties=number(*item)) for item in items)
    block = only(read_docx(write_docx(folder, body, numbering=numbering, styles=styles)), "list")
    return [line.strip().removesuffix("x").strip() for line in block.text.split("\n")]


def test_a_multilevel_list_counts_and_restarts_below_each_level(tmp_path: Path) -> None:
    items = [(1, 0), (1, 1), (1, 1), (1, 2), (1, 0), (1, 1), (1, 2), (1, 2)]

    assert numbers(tmp_path, items, LEGAL + num(1, 0)) == ["1.", "1.1.", "1.2.", "1.2.1.", "2.", "2.1.", "2.1.1.", "2.1.2."]


def test_a_skipped_level_counts_as_used(tmp_path: Path) -> None:
    assert numbers(tmp_path, [(1, 0), (1, 2), (1, 1)], LEGAL + num(1, 0)) == ["1.", "1.1.1.", "1.2."]


CAPTIONS = abstract(
    0,
    level(0, "Chapter %1"),
    level(1, "%1.%2"),
    level(2, "Figure %1-%3", more='<w:lvlRestart w:val="1"/>'),
    level(3, "Table %1-%4", more='<w:lvlRestart w:val="1"/>'),
)


def captions(folder: Path, *levels: int) -> list[str]:
    body = "".join(p("x", properties=number(1, index)) for index in levels)
    reading = read_docx(write_docx(folder, body, numbering=CAPTIONS + num(1, 0)))
    return [line.removesuffix("x").strip() for text in texts(reading) for line in text.split("\n")]


def test_captions_go_on_through_the_sections_of_a_chapter(tmp_path: Path) -> None:
    assert captions(tmp_path, 0, 1, 2, 1, 2, 0, 2) == ["Chapter 1", "1.1", "Figure 1-1", "1.2", "Figure 1-2", "Chapter 2", "Figure 2-1"]


def test_a_skipped_level_of_captions_counts_until_a_section_comes(tmp_path: Path) -> None:
    assert captions(tmp_path, 0, 3, 2) == ["Chapter 1", "Table 1-1", "Figure 1-2"]
    assert captions(tmp_path, 0, 1, 3, 1, 2, 3) == ["Chapter 1", "1.1", "Table 1-1", "1.2", "Figure 1-1", "Table 1-2"]


def test_a_level_that_never_restarts_goes_on(tmp_path: Path) -> None:
    numbering = abstract(0, level(0, "%1"), level(1, "(%2)", more='<w:lvlRestart w:val="0"/>')) + num(1, 0)

    assert numbers(tmp_path, [(1, 0), (1, 1), (1, 0), (1, 1)], numbering) == ["1", "(1)", "2", "(2)"]


def test_a_level_restarts_only_after_the_level_it_names(tmp_path: Path) -> None:
    numbering = abstract(0, level(0, "%1"), level(1, "%1.%2"), level(2, "[%3]", more='<w:lvlRestart w:val="1"/>')) + num(1, 0)

    assert numbers(tmp_path, [(1, 0), (1, 1), (1, 2), (1, 1), (1, 2), (1, 0), (1, 2)], numbering) == [
        "1", "1.1", "[1]", "1.2", "[2]", "2", "[1]",
    ]  # fmt: skip


def test_lists_of_one_definition_go_on_counting(tmp_path: Path) -> None:
    assert numbers(tmp_path, [(1, 0), (1, 0), (2, 0)], LEGAL + num(1, 0) + num(2, 0)) == ["1.", "2.", "3."]


def test_a_start_override_takes_effect_once(tmp_path: Path) -> None:
    override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'

    assert numbers(tmp_path, [(1, 0), (2, 0), (2, 0), (1, 0)], LEGAL + num(1, 0) + num(2, 0, override)) == ["1.", "5.", "6.", "7."]


def test_an_overridden_level_has_its_own_format(tmp_path: Path) -> None:
    override = f'<w:lvlOverride w:ilvl="0">{level(0, "%1)", "lowerLetter")}</w:lvlOverride>'

    assert numbers(tmp_path, [(2, 0), (2, 0)], LEGAL + num(2, 0, override)) == ["a)", "b)"]


def test_a_level_starts_where_it_says(tmp_path: Path) -> None:
    numbering = abstract(0, level(0, "%1.", start=4), level(1, "%1.%2", start=0)) + num(1, 0)

    assert numbers(tmp_path, [(1, 0), (1, 1), (1, 1), (1, 0), (1, 1)], numbering) == ["4.", "4.0", "4.1", "5.", "5.0"]


def test_legal_numbering_shows_all_levels_in_digits(tmp_path: Path) -> None:
    numbering = abstract(0, level(0, "Article %1", "upperRoman"), level(1, "%1.%2", more="<w:isLgl/>")) + num(1, 0)

    assert numbers(tmp_path, [(1, 0), (1, 1)], numbering) == ["Article I", "1.1"]


def test_a_list_may_borrow_its_levels_from_a_numbering_style(tmp_path: Path) -> None:
    numbering = (
        abstract(0, level(0, "%1)"), more='<w:styleLink w:val="Mine"/>')
        + abstract(1, more='<w:numStyleLink w:val="Mine"/>')
        + num(1, 0)
        + num(2, 1)
    )
    styles = style("Mine", "Mine", kind="numbering", paragraph=number(1, None))

    assert numbers(tmp_path, [(2, 0), (2, 0), (1, 0)], numbering, styles) == ["1)", "2)", "1)"]


def test_a_list_that_begins_on_a_deeper_level_goes_on_above(tmp_path: Path) -> None:
    override = "".join(f'<w:lvlOverride w:ilvl="{index}"><w:startOverride w:val="1"/></w:lvlOverride>' for index in (0, 1))
    items = [(1, 0), (1, 1), (2, 1), (2, 0), (2, 0)]

    assert numbers(tmp_path, items, LEGAL + num(1, 0) + num(2, 0, override)) == ["1.", "1.1.", "1.1.", "2.", "3."]


def test_a_style_between_two_others_says_only_its_level(tmp_path: Path) -> None:
    styles = (
        style("Deep", "Deep", paragraph=number(1, 1))
        + style("Mid", "Mid", base="Deep")
        + style("Top", "Top", base="Mid", paragraph=ONLY_LEVEL)
    )
    body = p("a", style="Top") + p("b", style="Mid") + p("c", style="Top")

    assert texts(read_docx(write_docx(tmp_path, body, styles=styles, numbering=LEGAL + num(1, 0)))) == ["1. a\n  1.1. b\n2. c"]


def test_heading_styles_carry_their_numbers(tmp_path: Path) -> None:
    numbering = abstract(
        0,
        level(0, "第%1章", "chineseCountingThousand", more='<w:pStyle w:val="A"/>'),
        level(1, "%1.%2", more='<w:pStyle w:val="B"/><w:isLgl/>'),
    ) + num(1, 0)
    styles = style("A", "heading 1", paragraph=number(1, None)) + style("B", "heading 2", paragraph=number(1, None))
    body = "".join(
        p(text, style=name) + p(SENTENCE) for name, text in (("A", "绪论"), ("B", "背景"), ("B", "意义"), ("A", "方法"), ("B", "数据"))
    )

    assert outline(read_docx(write_docx(tmp_path, body, styles=styles, numbering=numbering))) == [
        (1, "第一章", "绪论"),
        (2, "1.1", "背景"),
        (2, "1.2", "意义"),
        (1, "第二章", "方法"),
        (2, "2.1", "数据"),
    ]


def test_a_style_inherits_the_numbers_of_its_base(tmp_path: Path) -> None:
    numbering = abstract(0, level(0, "%1", more='<w:pStyle w:val="A"/>'), level(1, "%1.%2", more='<w:pStyle w:val="B"/>')) + num(1, 0)
    styles = (
        style("A", "heading 1", paragraph=number(1, None))
        + style("B", "heading 2", paragraph=number(1, None))
        + style("C", "My clause", base="B")
    )
    body = p("One", style="A") + p("Two", style="C") + p("Three", style="C") + p(SENTENCE)

    assert outline(read_docx(write_docx(tmp_path, body, styles=styles, numbering=numbering))) == [
        (1, "1", "One"),
        (2, "1.1", "Two"),
        (2, "1.2", "Three"),
    ]


def test_number_id_zero_takes_the_number_away_and_does_not_count(tmp_path: Path) -> None:
    styles = style("A", "heading 1", paragraph=number(1, 0))
    numbering = LEGAL + num(1, 0)
    body = p("One", style="A") + p("Preface", style="A", properties=number("0")) + p("Two", style="A") + p(SENTENCE)

    assert outline(read_docx(write_docx(tmp_path, body, styles=styles, numbering=numbering))) == [
        (1, "1", "One"),
        (1, None, "Preface"),
        (1, "2", "Two"),
    ]


@pytest.mark.parametrize(
    ("template", "fmt", "expected"),
    [
        ("Chapter %1.", "decimal", "Chapter 1"),
        ("Appendix %1:", "upperLetter", "Appendix A"),
        ("%1)", "lowerLetter", "a"),
        ("(%1)", "decimal", "(1)"),
        ("（%1）", "chineseCounting", "（一）"),
        ("%1、", "chineseCounting", "一"),
        ("§ %1.", "decimal", "§ 1"),
        ("第%1条", "chineseCountingThousand", "第一条"),
        ("%1", "decimalEnclosedCircle", "①"),
        ("Article %1 –", "upperRoman", "Article I"),
        ("%1", "none", None),
        ("•", "bullet", None),
        ("", "decimal", None),
    ],
)
def test_the_number_of_a_heading_has_no_punctuation_after_it(tmp_path: Path, template: str, fmt: str, expected: str | None) -> None:
    styles = style("A", "heading 1", paragraph=number(1, 0))
    path = write_docx(
        tmp_path, p("Words", style="A") + p(SENTENCE), styles=styles, numbering=abstract(0, level(0, template, fmt)) + num(1, 0)
    )

    assert outline(read_docx(path)) == [(1, expected, "Words")]


def test_a_bullet_of_a_symbol_font_becomes_a_dot(tmp_path: Path) -> None:
    numbering = abstract(0, level(0, "\uf0b7", "bullet"), level(1, "o", "bullet"), level(2, "–", "bullet")) + num(1, 0)

    assert numbers(tmp_path, [(1, 0), (1, 1), (1, 2)], numbering) == ["•", "◦", "–"]


def test_list_items_are_one_block_with_markers_and_indentation(tmp_path: Path) -> None:
    body = p("Before:") + p("one", properties=number(1)) + p("two", properties=number(1, 1)) + p("After.")
    reading = read_docx(write_docx(tmp_path, body, numbering=LEGAL + num(1, 0)))

    assert [(block.kind, block.text) for block in reading.blocks] == [
        ("paragraph", "Before:"),
        ("list", "1. one\n  1.1. two"),
        ("paragraph", "After."),
    ]


def test_lists_in_tables_count_in_their_place(tmp_path: Path) -> None:
    item = p("x", properties=number(1))
    cell = f"<w:tc>{item}</w:tc><w:tc>{p('y')}</w:tc>"
    reading = read_docx(write_docx(tmp_path, f"{item}<w:tbl><w:tr>{cell}</w:tr></w:tbl>{item}", numbering=LEGAL + num(1, 0)))

    assert texts(reading) == ["1. x", "| 2. x | y |", "3. x"]


def test_a_custom_format_stands_in_an_alternative(tmp_path: Path) -> None:
    choice = '<mc:Choice Requires="w14"><w:numFmt w:val="custom" w:format="001, 002"/></mc:Choice>'
    fallback = '<mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback>'
    alternative = f"<mc:AlternateContent>{choice}{fallback}</mc:AlternateContent>"
    lvl = f'<w:lvl w:ilvl="0"><w:start w:val="7"/>{alternative}<w:lvlText w:val="[%1]"/></w:lvl>'

    assert numbers(tmp_path, [(1, 0)], abstract(0, lvl) + num(1, 0)) == ["[007]"]


def test_a_list_that_is_not_defined_gives_no_number(tmp_path: Path) -> None:
    assert texts(read_docx(write_docx(tmp_path, p("x", properties=number(99))))) == ["x"]


def test_without_numbering_no_number_is_given(tmp_path: Path) -> None:
    styles = style("A", "heading 1", paragraph=number(1, 0))
    body = p("One", style="A") + p("x", properties=number(1)) + p("2. Two", style="A", properties=number(0))
    reading = read_docx(write_docx(tmp_path, body, styles=styles, numbering=LEGAL + num(1, 0)), "numbering")

    assert outline(reading) == [(1, None, "One"), (1, None, "2. Two")]


def test_an_automatic_number_makes_bold_paragraphs_headings_of_its_levels(tmp_path: Path) -> None:
    rows = [("Scope", 0), ("Words", 1), ("Rules", 1), ("Fees", 0)]
    body = "".join(bold(text, properties=number(1, index)) + p(SENTENCE) for text, index in rows)

    assert outline(read_docx(write_docx(tmp_path, body, numbering=LEGAL + num(1, 0)))) == [
        (1, "1", "Scope"),
        (2, "1.1", "Words"),
        (2, "1.2", "Rules"),
        (1, "2", "Fees"),
    ]


def test_heading_styles_of_the_sheet_are_not_needed_for_a_linked_level(tmp_path: Path) -> None:
    numbering = abstract(0, level(0, "%1", more='<w:pStyle w:val="Heading1"/>')) + num(1, 0)
    body = p("One", style="Heading1", properties=number(1)) + p(SENTENCE) + p("Two", style="Heading1", properties=number(1))

    assert outline(read_docx(write_docx(tmp_path, body, styles=headings(), numbering=numbering))) == [(1, "1", "One"), (1, "2", "Two")]
