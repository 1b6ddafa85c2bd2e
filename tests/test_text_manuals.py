"""Plain text as manuals and specifications have it: terminal marks, framed headings, tables, histories, page numbers."""

from pathlib import Path

import pytest
from document_writers import outlined
from read_documents import headings, read, read_text

from ingest.cleaning import clean_reading

TEXT = (
    "The library reads what the caller gives it and writes what it made of\nthat into a buffer, which the caller owns "
    "and must free when it has\nno more need of it, at the latest when the program ends.\n\n"
)


def spread(*lines: str) -> str:
    return "".join(f"{line}\n\n{TEXT}" for line in lines)


def found(folder: Path, text: str) -> list[tuple[int, str]]:
    return headings(read_text(folder, "manual.txt", text))


def test_colours_and_letters_struck_twice_leave_the_words(tmp_path):
    text = spread("1.  \x1b[1mIntroduction\x1b[0m", "2.  U\bUs\bse\be")
    assert found(tmp_path, text) == [(1, "1. Introduction"), (1, "2. Use")]


def test_lines_framed_by_stars_are_headings(tmp_path):
    assert found(tmp_path, spread("*** System features ***", "*** Memory ***", "*** Files ***")) == [
        (1, "System features"), (1, "Memory"), (1, "Files"),
    ]  # fmt: skip


def test_a_few_framed_notices_do_not_hide_the_chapters(tmp_path):
    text = f"*** START OF THE BOOK ***\n\n{spread(*(f'Chapter {n}' for n in range(1, 9)))}*** END OF THE BOOK ***\n\n{TEXT}"
    assert found(tmp_path, text) == [(1, f"Chapter {n}") for n in range(1, 9)]


@pytest.mark.parametrize(
    "line", ["1.0.3 2009-06-05 Fixes", "1) They must be valid opcodes.", "2) It now has a good name:", "Y = 0.2126 * R", "WITH_EVERYTHING"]
)
def test_histories_items_and_code_are_no_headings(tmp_path, line):
    text = spread("1. Preface", "2. Rules", line, "3. Index")
    assert found(tmp_path, text) == [(1, "1. Preface"), (1, "2. Rules"), (1, "3. Index")]


def test_names_without_capitals_are_headings_where_the_numbers_say_so(tmp_path):
    assert found(tmp_path, spread("2. Tools", "2.1. distutils", "2.2. setuptools")) == [
        (1, "2. Tools"), (2, "2.1. distutils"), (2, "2.2. setuptools"),
    ]  # fmt: skip


def test_digits_alone_are_pages_where_chapters_have_titles_and_chapters_where_nothing_else_is(tmp_path):
    page = "                                       {}"
    titled = spread("1. Start", page.format(10), "2. Middle", page.format(11), "3. End")
    assert found(tmp_path, titled) == [(1, "1. Start"), (1, "2. Middle"), (1, "3. End")]
    assert found(tmp_path, spread("1", "2", "3")) == [(1, "1"), (1, "2"), (1, "3")]


def test_a_rule_that_stands_elsewhere_underlines_nothing(tmp_path):
    text = spread("1. Start", "it is essential that\n        ____________________", "2. End")
    assert found(tmp_path, text) == [(1, "1. Start"), (1, "2. End")]


def test_a_table_in_columns_stays_together_and_gives_no_headings(tmp_path):
    line = TEXT.replace("\n", " ").strip()
    table = "Name      Value   Unit\nchapter   3       kg\n4.2       lamp    m"
    path = tmp_path / "table.txt"
    path.write_text(f"1. Start\n\n{line}\n\n{table}\n\n2. End\n\n{line}\n", encoding="utf-8")
    reading = read(path)
    assert headings(reading) == [(1, "1. Start"), (1, "2. End")]
    assert [block.text for block in reading.blocks if block.kind == "code"] == [table]


@pytest.mark.parametrize(
    ("name", "text"), [("a.txt", "1. Start¶\n\n{0}2. End ¶\n\n{0}"), ("a.md", "# 1. Start ¶\n\n{0}\n\n# 2. End🔗\n\n{0}")]
)
def test_the_marks_of_permanent_links_are_no_part_of_a_heading(tmp_path, name, text):
    assert headings(clean_reading(read_text(tmp_path, name, text.format(TEXT)))) == [(1, "1. Start"), (1, "2. End")]


def test_thirty_levels_of_decimals_keep_their_order_and_depth(tmp_path):
    deepest = 30
    text = "".join(f"{'.'.join(['1'] * n)} Level {n}\n\n{TEXT}" for n in range(1, deepest + 1))
    path = tmp_path / "deep.txt"
    path.write_text(text, encoding="utf-8")
    assert [section.level for section in outlined(path).sections[1:]] == list(range(1, deepest + 1))


def test_even_lines_that_end_sentences_are_paragraphs_and_titles_stand_between_them(tmp_path: Path) -> None:
    line = "　　这是一段正文，用来说明本节的内容。我们在这里写得足够长，使它看起来像真正的段落，而不是标题。\n"
    text = "书名：某书\n作者：某人\n\n" + "".join(f"第{n}章 标题{n}\n{line * 4}" for n in range(1, 6))
    reading = read_text(tmp_path, "a.txt", text)

    assert headings(reading) == [(1, f"第{n}章 标题{n}") for n in range(1, 6)]
    assert reading.title == "某书"


def test_capitals_above_text_that_is_set_in_are_headings(tmp_path: Path) -> None:
    inset = " " * 7
    words = (
        f"{inset}Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do\n{inset}tempor incididunt ut labore et dolore magna.\n\n"
    )
    opening = f"LS(1)\n\nNAME\n{inset}ls - list what a folder holds, by name\n\nSYNOPSIS\n{inset}ls [OPTION]... [FILE]...\n\n"
    text = f"{opening}DESCRIPTION\n{words}SEE ALSO\n{words}"

    assert [title for _, title in headings(read_text(tmp_path, "a.txt", text))] == ["NAME", "SYNOPSIS", "DESCRIPTION", "SEE ALSO"]


def test_questions_that_count_through_are_headings_and_initials_are_none(tmp_path: Path) -> None:
    words = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.\n\n"

    questions = "".join(f"Q{n}. What is it?\n\n{words}" for n in (1, 2, 3))
    assert [title for _, title in headings(read_text(tmp_path, "a.txt", questions))] == [f"Q{n}. What is it?" for n in (1, 2, 3)]
    paper = f"1. Scope\n\n{words}2. Use\n\n{words}Author's Address\n\nA. B.\n\n{words}"
    assert [title for _, title in headings(read_text(tmp_path, "b.txt", paper))] == ["1. Scope", "2. Use", "Author's Address"]
