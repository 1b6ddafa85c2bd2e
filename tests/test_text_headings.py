"""Plain text: headings by underlines, numbers, words and place; contents lists, lists and sentences are none."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from read_documents import bodies, headings, read_text

from ingest.blocks import Reading
from ingest.plaintext.document import read_plaintext

WRAPPED = (
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod\ntempor incididunt ut labore et dolore magna "
    "aliqua. Ut enim ad minim\nveniam, quis nostrud exercitation ullamco.\n\n"
)
JOINED = " ".join(WRAPPED.split())
CHINESE = "这是一段正文，用来说明本节的内容。我们在这里写得足够长，使它看起来像真正的段落，而不是标题。\n"


def txt(folder: Path, text: str, without: str = "") -> Reading:
    return read_text(folder, "a.txt", text, without)


def spread(*lines: str) -> str:
    """Each line alone between blank lines, running text under it."""
    return "".join(f"{line}\n\n{WRAPPED}" for line in lines)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            spread("Abstract", "1. Introduction", "2. Methods", "2.1 Data", "2.2 Model", "3. Results", "References"),
            [
                (1, "Abstract"),
                (1, "1. Introduction"),
                (1, "2. Methods"),
                (2, "2.1 Data"),
                (2, "2.2 Model"),
                (1, "3. Results"),
                (1, "References"),
            ],
        ),
        (
            spread("PART ONE", "Chapter 1", "Chapter 2", "PART TWO", "Chapter 3", "Epilogue"),
            [(1, "PART ONE"), (2, "Chapter 1"), (2, "Chapter 2"), (1, "PART TWO"), (2, "Chapter 3"), (2, "Epilogue")],
        ),
        (
            "".join(f"CHAPTER {n}.\n\n{title}\n\n{WRAPPED}{WRAPPED}" for n, title in (("I", "Down"), ("II", "Up"), ("III", "Away"))),
            [(1, "CHAPTER I. Down"), (1, "CHAPTER II. Up"), (1, "CHAPTER III. Away")],
        ),
        (
            f"Manual\n======\n\n{WRAPPED}First\n-----\n\n{WRAPPED}Deep\n~~~~\n\n{WRAPPED}Second\n------\n\n1. Buy\n2. Sell\n",
            [(1, "Manual"), (2, "First"), (3, "Deep"), (2, "Second")],
        ),
        (f"= Top =\n\n{WRAPPED}== Under ==\n\n{WRAPPED}", [(1, "Top"), (2, "Under")]),
        (spread("OUR YEAR", "OUR PEOPLE", "FINANCES"), [(1, "OUR YEAR"), (1, "OUR PEOPLE"), (1, "FINANCES")]),
        (spread("Getting started", "Your desk", "Taking breaks"), [(1, "Getting started"), (1, "Your desk"), (1, "Taking breaks")]),
        (spread("I", "II", "III"), [(1, "I"), (1, "II"), (1, "III")]),
        (
            f"摘 要\n{CHINESE}第一章 绪论\n{CHINESE}1.1 背景\n{CHINESE}1.2 意义\n{CHINESE}第二章 方法\n{CHINESE}参考文献\n{CHINESE}",
            [(1, "摘 要"), (1, "第一章 绪论"), (2, "1.1 背景"), (2, "1.2 意义"), (1, "第二章 方法"), (1, "参考文献")],
        ),
        (
            f"一、指导思想\n{CHINESE}（一）总体要求\n{CHINESE}（二）基本原则\n{CHINESE}二、主要任务\n{CHINESE}三、保障措施\n{CHINESE}",
            [(1, "一、指导思想"), (2, "（一）总体要求"), (2, "（二）基本原则"), (1, "二、主要任务"), (1, "三、保障措施")],
        ),
        (
            f"第一回　甄士隐　贾雨村\n\n　　{CHINESE}\n　　{CHINESE}\n第二回　贾夫人　冷子兴\n\n　　{CHINESE}\n",
            [(1, "第一回 甄士隐 贾雨村"), (1, "第二回 贾夫人 冷子兴")],
        ),
    ],
)
def test_headings_by_numbers_words_underlines_and_place(tmp_path: Path, text: str, expected: list[tuple[int, str]]) -> None:
    assert headings(txt(tmp_path, text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "1. Buy milk\n2. Buy bread\n3. Go home\n",
        f"{WRAPPED}1. Buy milk\n\n2. Buy bread\n\n3. Go home\n\n{WRAPPED}",
        f"（1）第一点说明\n（2）第二点说明\n（3）第三点说明\n{CHINESE}",
        f"{WRAPPED}Chapter 3 describes the method in detail and gives examples.\n\n{WRAPPED}",
        f"{WRAPPED}2021 was a good year.\n\n{WRAPPED}",
        f"第三章介绍了三种方法。\n{CHINESE}",
        WRAPPED,
        f"Dear all,\n\n{WRAPPED}Best wishes,\nJane\n",
    ],
)
def test_lists_and_sentences_are_no_headings(tmp_path: Path, text: str) -> None:
    assert headings(txt(tmp_path, text)) == []


@pytest.mark.parametrize(
    "contents",
    [
        "Contents\n\nChapter 1\n\nChapter 2\n\nChapter 3\n\n",
        "CONTENTS\n\nChapter 1 ......... 1\nChapter 2 ......... 5\nChapter 3 ......... 9\n\n",
        "Contents\n\nChapter 1\nChapter 2\nChapter 3\n\n",
    ],
)
def test_a_printed_contents_list_is_not_headings(tmp_path: Path, contents: str) -> None:
    reading = txt(tmp_path, contents + spread("Chapter 1", "Chapter 2", "Chapter 3"))
    assert headings(reading) == [(1, "Chapter 1"), (1, "Chapter 2"), (1, "Chapter 3")]
    assert [text for _, text in bodies(reading)][-3:] == [JOINED] * 3


def test_articles_of_a_law_part_their_number_from_their_text(tmp_path: Path) -> None:
    first = "第一章　总则\n\n第一条　为了规范管理，制定本办法，依据有关法律。\n第二条　本办法适用于全国。\n\n"
    text = f"{first}第二章　职责\n\n第三条　单位应当履行职责。\n"
    reading = txt(tmp_path, text)
    assert headings(reading) == [(1, "第一章 总则"), (2, "第一条"), (2, "第二条"), (1, "第二章 职责"), (2, "第三条")]
    assert bodies(reading)[1] == ("paragraph", "本办法适用于全国。")


def test_running_heads_of_a_paged_text_are_left_out_and_pages_counted(tmp_path: Path) -> None:
    def page(n: int, content: str) -> str:
        return f"RFC 9999       A Title      May 2020\n\n{content}\n\nAuthor     Standards Track     [Page {n}]\n"

    contents = "Table of Contents\n\n   1.  Introduction . . . . . . 2\n   2.  Operation  . . . . . . 3\n"
    pages = [contents, spread("1.  Introduction"), spread("1.1.  Terms"), spread("2.  Operation"), spread("Appendix A.  More")]
    reading = txt(tmp_path, "\f".join(page(n, content) for n, content in enumerate(pages, 1)))
    assert headings(reading) == [(1, "1. Introduction"), (2, "1.1. Terms"), (1, "2. Operation"), (1, "Appendix A. More")]
    assert reading.pages == 5
    assert [block.page for block in reading.blocks if block.level] == [2, 3, 4, 5]
    assert not any("RFC 9999" in block.text or "[Page" in block.text for block in reading.blocks)


def test_wrapped_lines_are_joined_and_broken_ones_kept(tmp_path: Path) -> None:
    verse = "Shall I compare thee\nto a summer's day?\nThou art more lovely\n"
    items = "* first item that is long enough to be wrapped by its author on to\n  the next line of the text\n* second\n"
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    reading = txt(tmp_path, f"{WRAPPED}{WRAPPED}{verse}\n{items}\n{table}")
    assert bodies(reading) == [
        ("paragraph", JOINED),
        ("paragraph", JOINED),
        ("paragraph", verse.strip()),
        ("list", "* first item that is long enough to be wrapped by its author on to the next line of the text\n* second"),
        ("table", table.strip()),
    ]


def test_what_a_heading_rests_on_is_told_and_can_be_ignored(tmp_path: Path) -> None:
    text = spread("Abstract", "1. Introduction", "2. Methods")
    found = {block.source: block.confidence for block in txt(tmp_path, text).blocks if block.level}
    assert found == {"keyword": 0.8, "numbering": 0.9}
    assert headings(txt(tmp_path, text, without="numbering,keywords,fonts")) == []
    under = f"Manual\n======\n\n{WRAPPED}Part\n====\n\n{WRAPPED}"
    assert {block.source for block in txt(tmp_path, under).blocks if block.level} == {"style"}
    assert headings(txt(tmp_path, under, without="styles,font")) == []


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (f"Title: The Book\nAuthor: Me\n\n{WRAPPED}", "The Book"),
        (f"The Great Book\n\n{spread('Chapter 1', 'Chapter 2')}", "The Great Book"),
        (f"红楼梦\n\n第一回　甄\n\n{CHINESE}\n第二回　贾\n\n{CHINESE}", "红楼梦"),
        (WRAPPED, ""),
    ],
)
def test_the_title_is_stated_or_stands_first(tmp_path: Path, text: str, title: str) -> None:
    assert txt(tmp_path, text).title == title


def test_lone_lines_join_keywords_where_nothing_is_numbered(tmp_path: Path) -> None:
    long = JOINED * 2
    names = ["Introduction", "Model Architecture", "Baseline Systems", "Main Findings", "Conclusion"]
    text = "\n".join(f"{name}\n{long}\n{long}" for name in names)
    assert headings(txt(tmp_path, text)) == [(1, name) for name in names]


def test_marks_of_other_markups_are_levels_wherever_they_come_first(tmp_path: Path) -> None:
    assert headings(txt(tmp_path, f"## B\n\n{WRAPPED}# A\n\n{WRAPPED}## C\n\n{WRAPPED}")) == [(1, "B"), (1, "A"), (2, "C")]


LINES = """

Chapter 1
CHAPTER II
1. One
2. Two
第一章 绪论
第一条 本办法适用于全国各地的单位和个人。
Abstract
=====
---
- item
* more
| a | b |
A line of words that is long enough to be text and no heading at all.
Some Words
ALL CAPITALS
Contents
Chapter 1 ...... 4
  indented
Title: T
## Mark
== Wiki ==
（一）范围
三、三
x
I
II"""


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(LINES.split("\n")), min_size=1, max_size=30))
def test_no_letter_or_digit_of_a_text_is_lost_or_moved(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = "".join(block.text for block in read_plaintext(text).blocks)
    assert [c for c in found if c.isalnum()] == [c for c in text if c.isalnum()]


def test_a_word_of_the_books_own_that_counts_through_is_a_family_of_headings(tmp_path: Path) -> None:
    text = spread("ADVENTURE I. A SCANDAL", "ADVENTURE II. THE LEAGUE", "ADVENTURE III. A CASE")

    assert headings(txt(tmp_path, text)) == [(1, "ADVENTURE I. A SCANDAL"), (1, "ADVENTURE II. THE LEAGUE"), (1, "ADVENTURE III. A CASE")]
    assert headings(txt(tmp_path, spread("Figure 1: A", "Figure 2: B", "Figure 3: C"))) == []


def test_only_what_stands_between_the_marks_of_project_gutenberg_is_the_book(tmp_path: Path) -> None:
    license_ = spread("Section 1. Terms", "Section 2. Mission", "Section 3. Donations") + "*** START: FULL LICENSE ***\n\n"
    begin, end = (f"*** {word} OF THIS PROJECT GUTENBERG EBOOK A ***\n\n" for word in ("START", "END"))
    text = f"{begin}{spread('I. ONE', 'II. TWO', 'III. THREE')}THE END\n\n{end}{license_}"

    assert headings(txt(tmp_path, text)) == [(1, "I. ONE"), (1, "II. TWO"), (1, "III. THREE")]


def test_capitals_before_the_first_chapter_stand_beside_it_and_title_lines_are_none(tmp_path: Path) -> None:
    text = "THE WHITE WHALE\n\nby A. Writer\n\n" + spread(
        "ETYMOLOGY.", "EXTRACTS.", "CHAPTER 1. Loomings.", "CHAPTER 2. The Bag.", "EPILOGUE"
    )

    assert headings(txt(tmp_path, text)) == [
        (1, "ETYMOLOGY."), (1, "EXTRACTS."), (1, "CHAPTER 1. Loomings."), (1, "CHAPTER 2. The Bag."), (1, "EPILOGUE"),
    ]  # fmt: skip


def test_capitals_over_several_lines_or_again_and_again_are_no_headings(tmp_path: Path) -> None:
    shouted = "NO WARRANTY IS GIVEN\n\nOF ANY KIND WHATEVER\n\nBY ANYONE AT ALL\n\n"
    text = spread("FIRST", "SECOND", "CHORUS", "THIRD", "CHORUS") + shouted

    assert [title for _, title in headings(txt(tmp_path, text))] == ["FIRST", "SECOND", "THIRD"]


def test_a_signature_is_no_letter_of_a_count(tmp_path: Path) -> None:
    text = "".join(f"Letter {n}\n\n{WRAPPED}R. Walton\n\n" for n in (1, 2, 3))

    assert headings(txt(tmp_path, text)) == [(1, "Letter 1"), (1, "Letter 2"), (1, "Letter 3")]


def test_the_heading_of_a_printed_contents_list_teaches_no_levels(tmp_path: Path) -> None:
    listed = "TABLE OF CONTENTS\n-----------------\n\nOverview, Use\n\n"
    text = f"{listed}Overview\n========\n\nParts\n-----\n\n{WRAPPED}Use\n===\n\n{WRAPPED}"

    assert headings(txt(tmp_path, text)) == [(1, "Overview"), (2, "Parts"), (1, "Use")]
