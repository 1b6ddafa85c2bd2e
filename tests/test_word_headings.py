"""Headings that Word states: by style, base style, outline level, and localised or custom names."""

import zipfile
from pathlib import Path

import pytest
from word_documents import SENTENCE, headings, outline, p, r, read_docx, style, texts, titles, write_docx

from ingest.outline import build_outline


def test_heading_styles_give_headings_with_their_levels(tmp_path: Path) -> None:
    body = p("One", style="Heading1") + p(SENTENCE) + p("Two", style="Heading2") + p(SENTENCE) + p("Three", style="Heading3")
    reading = read_docx(write_docx(tmp_path, body, styles=headings()))

    assert titles(reading) == [(1, "One"), (2, "Two"), (3, "Three")]
    assert {block.source for block in reading.blocks if block.kind == "heading"} == {"style"}
    assert texts(reading, "paragraph") == [SENTENCE, SENTENCE]


def test_a_style_based_on_a_heading_style_is_a_heading(tmp_path: Path) -> None:
    styles = headings() + style("Clause", "Clause", base="Heading2") + style("Deep", "Deep Clause", base="Clause")
    reading = read_docx(write_docx(tmp_path, p("A", style="Heading1") + p("B", style="Clause") + p("C", style="Deep"), styles=styles))

    assert titles(reading) == [(1, "A"), (2, "B"), (2, "C")]


def test_an_outline_level_on_a_style_makes_its_paragraphs_headings(tmp_path: Path) -> None:
    styles = style("X", "无编号标题", paragraph='<w:outlineLvl w:val="1"/>')
    reading = read_docx(write_docx(tmp_path, p("致谢", style="X") + p("感谢所有人。"), styles=styles))

    assert titles(reading) == [(2, "致谢")]
    assert reading.blocks[0].source == "outline_level"


def test_an_outline_level_on_a_paragraph_makes_it_a_heading(tmp_path: Path) -> None:
    body = p("Scope", properties='<w:outlineLvl w:val="0"/>') + p(SENTENCE)

    assert titles(read_docx(write_docx(tmp_path, body))) == [(1, "Scope")]


def test_outline_level_nine_on_a_paragraph_takes_a_heading_back(tmp_path: Path) -> None:
    body = p("One", style="Heading1") + p("Not one", style="Heading1", properties='<w:outlineLvl w:val="9"/>') + p("Two", style="Heading1")

    assert titles(read_docx(write_docx(tmp_path, body, styles=headings()))) == [(1, "One"), (1, "Two")]


def test_a_level_set_on_a_plain_sentence_by_mistake_makes_no_heading(tmp_path: Path) -> None:
    body = "".join(p(f"Part {n}", style="Heading1") + p(SENTENCE, properties='<w:outlineLvl w:val="0"/>') for n in (1, 2, 3))

    assert titles(read_docx(write_docx(tmp_path, body, styles=headings()))) == [(1, "Part 1"), (1, "Part 2"), (1, "Part 3")]


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("heading 1", 1),
        ("Überschrift 2", 2),
        ("标题 1", 1),
        ("見出し 3", 3),
        ("Titre 2", 2),
        ("Título 1", 1),
        ("Заголовок 4", 4),
        ("Kop 1", 1),
        ("제목 2", 2),
        ("Rubrik 1", 1),
        ("Heading1", 1),
    ],
)
def test_a_localised_name_of_a_heading_style_is_known(tmp_path: Path, name: str, level: int) -> None:
    reading = read_docx(write_docx(tmp_path, p("A heading", style="s1") + p(SENTENCE), styles=style("s1", name)))

    assert titles(reading) == [(level, "A heading")]


def test_the_id_of_a_style_says_nothing_when_its_name_says_more(tmp_path: Path) -> None:
    styles = style("1", "heading 2") + style("2", "heading 1")

    assert titles(read_docx(write_docx(tmp_path, p("B", style="1") + p("A", style="2"), styles=styles))) == [(2, "B"), (1, "A")]


def test_a_heading_style_that_the_sheet_lacks_is_known_by_its_id(tmp_path: Path) -> None:
    assert titles(read_docx(write_docx(tmp_path, p("One", style="Heading1") + p(SENTENCE)))) == [(1, "One")]


def test_a_style_written_twice_keeps_what_either_says(tmp_path: Path) -> None:
    styles = style("H", "Topic", paragraph='<w:outlineLvl w:val="0"/>') + style("H", "Topic", run="<w:b/>")

    assert titles(read_docx(write_docx(tmp_path, p("One", style="H") + p(SENTENCE), styles=styles))) == [(1, "One")]


def test_styles_in_a_circle_end(tmp_path: Path) -> None:
    styles = style("A", "A", base="B") + style("B", "B", base="A", paragraph='<w:outlineLvl w:val="0"/>')

    assert titles(read_docx(write_docx(tmp_path, p("One", style="A") + p(SENTENCE), styles=styles))) == [(1, "One")]


def test_the_heading_over_the_contents_is_no_heading(tmp_path: Path) -> None:
    styles = headings() + style("TOCHeading", "TOC Heading", base="Heading1", paragraph='<w:outlineLvl w:val="9"/>')
    body = p("Contents", style="TOCHeading") + p("One", style="Heading1") + p(SENTENCE)

    assert titles(read_docx(write_docx(tmp_path, body, styles=styles))) == [(1, "One")]


def test_an_empty_heading_is_left_out_and_its_anchor_goes_on(tmp_path: Path) -> None:
    empty = '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:bookmarkStart w:id="1" w:name="here"/></w:p>'
    reading = read_docx(write_docx(tmp_path, empty + p("One", style="Heading1") + p(SENTENCE), styles=headings()))

    assert titles(reading) == [(1, "One")]
    assert reading.blocks[0].anchors == ("here",)


def test_a_whole_clause_in_a_heading_style_keeps_its_text_below_a_short_heading(tmp_path: Path) -> None:
    clause = "The Supplier shall deliver the goods " + "and the other goods " * 20 + "in time."
    reading = read_docx(write_docx(tmp_path, p(clause, style="Heading2") + p("Next", style="Heading2"), styles=headings()))

    (heading, text, _) = reading.blocks
    assert heading.kind == "heading"
    assert len(heading.text) <= 81
    assert clause.startswith(heading.text.rstrip("…"))
    assert text.text == clause


def test_a_sentence_in_a_heading_style_can_be_found_in_the_text(tmp_path: Path) -> None:
    clause = "This memorandum has been prepared by the office and is laid before the assembly by command."
    reading = read_docx(write_docx(tmp_path, p("Scope", style="Heading1") + p(clause, style="Heading2"), styles=headings()))

    assert texts(reading, "heading")[1].startswith("This memorandum has been prepared")
    assert texts(reading, "paragraph") == [clause]


def test_the_bold_words_at_the_start_of_a_clause_are_its_heading(tmp_path: Path) -> None:
    rest = "The Supplier delivers the goods. " * 12
    clause = f'<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr>{r("Delivery of goods. ", "<w:b/>")}{r(rest)}</w:p>'
    reading = read_docx(write_docx(tmp_path, clause, styles=headings()))

    assert titles(reading) == [(2, "Delivery of goods")]
    assert texts(reading, "paragraph") == [rest.strip()]


def test_line_breaks_and_tabs_in_a_heading_become_one_space(tmp_path: Path) -> None:
    heading = '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>One</w:t><w:br/><w:t>line</w:t><w:tab/><w:t>only</w:t></w:r></w:p>'

    assert titles(read_docx(write_docx(tmp_path, heading + p(SENTENCE), styles=headings()))) == [(1, "One line only")]


def test_typed_numbers_stay_in_the_heading_and_are_known(tmp_path: Path) -> None:
    body = (
        p("1. Scope", style="Heading1")
        + p("1.1 Words", style="Heading2")
        + p("2. Rules", style="Heading1")
        + p("第三章 规则", style="Heading1")
    )

    assert outline(read_docx(write_docx(tmp_path, body, styles=headings()))) == [
        (1, "1", "1. Scope"),
        (2, "1.1", "1.1 Words"),
        (1, "2", "2. Rules"),
        (1, "第三章", "第三章 规则"),
    ]


def test_all_nine_levels_of_word_become_a_tree(tmp_path: Path) -> None:
    body = "".join(p(f"Level {n}", style=f"Heading{n}") + p(SENTENCE) for n in range(1, 10))
    tree = build_outline(read_docx(write_docx(tmp_path, body, styles=headings(9))), "x")

    assert [section.level for section in tree.sections] == list(range(10))


def test_a_strict_file_reads_as_a_transitional_one(tmp_path: Path) -> None:
    body = p("One", style="Heading1") + p(SENTENCE)
    path = write_docx(tmp_path, body, styles=headings())
    strict = write_docx(tmp_path, body, styles=headings(), name="strict.docx", parts=_strict_parts(path))

    assert read_docx(strict).blocks == read_docx(path).blocks


def _strict_parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {
            name: archive.read(name)
            .replace(b"http://schemas.openxmlformats.org/wordprocessingml/2006/main", b"http://purl.oclc.org/ooxml/wordprocessingml/main")
            .replace(b"http://schemas.openxmlformats.org/officeDocument/2006/", b"http://purl.oclc.org/ooxml/officeDocument/")
            for name in archive.namelist()
        }
