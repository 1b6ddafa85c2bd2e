"""Markdown by CommonMark, one small document a rule."""

from pathlib import Path

import pytest
from read_documents import bodies, headings, read_text

from ingest.blocks import Block, Link, Reading


def md(folder: Path, text: str, without: str = "") -> Reading:
    return read_text(folder, "a.md", text, without)


def only(reading: Reading) -> Block:
    assert len(reading.blocks) == 1
    return reading.blocks[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One\n\n## Two ##\n\n### Three", [(1, "One"), (2, "Two"), (3, "Three")]),
        ("Title\n=====\n\nPart\n----\n", [(1, "Title"), (2, "Part")]),
        ("# A\n\n```sh\n# not a heading\n```\n\n~~~\n## nor this\n~~~\n", [(1, "A")]),
        ("# A\n\n    # indented code\n", [(1, "A")]),
        ("# A\n\n<!--\n# in a comment\n-->\n", [(1, "A")]),
        ("# A\n\n> # quoted\n\n- # in a list\n", [(1, "A")]),
        ("# A\n\n#### Four\n", [(1, "A"), (4, "Four")]),
        ("# The `match` *flow* of [links](x) & more\n", [(1, "The match flow of links & more")]),
        ("# A {#custom .cls}\n\n## B {: #kramdown }\n", [(1, "A"), (2, "B")]),
        ("# 线性回归\n:label:`sec_linear`\n\ntext", [(1, "线性回归")]),
        ("# A :label:`x`\n", [(1, "A")]),
        ("#not a heading\n\n####### seven\n", []),
        ('<h1 align="center">Raw</h1>\n\n## B\n', [(1, "Raw"), (2, "B")]),
        ("---\ntitle: T\n---\n# A\n", [(1, "A")]),
        ("a\n\n$$\nx\n= y\n---\n- z\n$$\n\nb\n", []),
    ],
)
def test_headings_are_what_commonmark_says(tmp_path: Path, text: str, expected: list[tuple[int, str]]) -> None:
    assert headings(md(tmp_path, text)) == expected


def test_headings_are_certain_and_carry_the_anchors_that_links_use(tmp_path: Path) -> None:
    reading = md(tmp_path, '<a id="old"></a>\n\n## What Is `Box<T>`, Really? {#own}\n\n## Same\n\n## Same\n\n## 中文 标题\n')
    assert [block.anchors for block in reading.blocks] == [("old", "own", "what-is-boxt-really"), ("same",), ("same-1",), ("中文-标题",)]
    assert {(block.source, block.confidence) for block in reading.blocks} == {("style", 1.0)}


def test_paragraphs_are_readable_and_their_links_stand_beside(tmp_path: Path) -> None:
    text = "See [the `Box`\ntype](ch15.md#box), [ref], <https://x.org> and **bold** `code`.<!-- c -->\n\n[ref]: other.md 'T'\n"
    block = only(md(tmp_path, text))
    assert block.text == "See the `Box` type, ref, https://x.org and **bold** `code`."
    assert [link.target for link in block.links] == ["ch15.md#box", "other.md", "https://x.org"]


def test_wrapped_lines_are_joined_without_a_blank_in_chinese(tmp_path: Path) -> None:
    assert only(md(tmp_path, "第一行，\n第二行。\nEnglish\nwords  \nbroken")).text == "第一行，第二行。 English words\nbroken"


def test_lists_keep_markers_and_indentation_one_item_a_line(tmp_path: Path) -> None:
    text = "- one\n  goes on\n  - inner\n    1. deep\n- two\n\n3. three\n4. four\n"
    assert bodies(md(tmp_path, text)) == [("list", "- one goes on\n  - inner\n    1. deep\n- two"), ("list", "3. three\n4. four")]


def test_tables_become_rows_with_their_header_counted(tmp_path: Path) -> None:
    block = only(md(tmp_path, "a | b\n--|:-:\n1 | x \\| y\n[l](#k) |\n"))
    assert (block.kind, block.header_rows) == ("table", 2)
    assert block.text == "| a | b |\n| --- | --- |\n| 1 | x \\| y |\n| l |  |"
    assert block.links == (Link(text="l", target="#k"),)


def test_code_keeps_leading_blanks(tmp_path: Path) -> None:
    assert bodies(md(tmp_path, "```py\n  if x:\n      y\n```\n")) == [("code", "  if x:\n      y")]


def test_math_is_one_block_and_takes_its_label(tmp_path: Path) -> None:
    reading = md(tmp_path, "text\n\n$$a\n= b$$\n:eqlabel:`eq_a`\n\n如 :eqref:`eq_a` 所示\n")
    assert bodies(reading) == [("paragraph", "text"), ("paragraph", "$$a\n= b$$"), ("paragraph", "如 `eq_a` 所示")]
    assert reading.blocks[1].anchors == ("eq_a",)
    assert reading.blocks[2].links == (Link(text="eq_a", target="#eq_a"),)


def test_a_footnote_that_commonmark_takes_for_a_link_definition_is_not_lost(tmp_path: Path) -> None:
    assert bodies(md(tmp_path, "a[^1]\n\n[^1]: https://x.org\n")) == [("paragraph", "a[^1]"), ("footnote", "[^1]: https://x.org")]


def test_pictures_leave_their_description(tmp_path: Path) -> None:
    assert bodies(md(tmp_path, "![A map](m.png)\n:width:`400px`\n\n![](n.png)\n")) == [("caption", "A map")]


def test_tags_of_a_books_own_tools_leave_only_their_caption(tmp_path: Path) -> None:
    text = '<Listing number="4-1" file-name="src/main.rs" caption="A `x` in scope">\n\n```rust\nlet x;\n```\n\n</Listing>\n\nVec<T> stays\n'
    assert bodies(md(tmp_path, text)) == [
        ("caption", "src/main.rs. Listing 4-1: A `x` in scope"),
        ("code", "let x;"),
        ("paragraph", "Vec<T> stays"),
    ]


def test_raw_html_tables_are_tables(tmp_path: Path) -> None:
    block = only(md(tmp_path, "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>\n"))
    assert (block.kind, block.text, block.header_rows) == ("table", "| a | b |\n| --- | --- |\n| 1 | 2 |", 2)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('---\ntitle: "Given: here"\nauthor: Me\n---\n# A\n\n# B\n', "Given: here"),
        ("+++\ntitle = 'Toml'\n+++\ntext\n", "Toml"),
        ("# Only\n\n## B\n", "Only"),
        ("# One\n\n# Two\n", ""),
        ("intro\n\n# One\n", ""),
        ("---\n\ntext\n\n---\n", ""),
    ],
)
def test_the_title_comes_from_front_matter_or_the_one_opening_heading(tmp_path: Path, text: str, title: str) -> None:
    assert md(tmp_path, text).title == title


def test_front_matter_is_metadata_and_not_content(tmp_path: Path) -> None:
    reading = md(tmp_path, "---\nauthor: Me\ndate: 2020-01-01\ntags:\n  - a\nlist: [a]\n---\ntext\n")
    assert reading.metadata == {"author": "Me", "date": "2020-01-01"}
    assert bodies(reading) == [("paragraph", "text")]


def test_numbers_are_read_from_the_headings(tmp_path: Path) -> None:
    text = "# 第三章 实验\n\n## 3.1 数据\n\n## 10 Things\n\n# Appendix B: Proofs\n\n## 1. One\n\n## 2. Two\n"
    assert [block.number for block in md(tmp_path, text).blocks] == ["第三章", "3.1", None, "Appendix B", "1", "2"]


def test_without_styles_only_words_and_numbers_tell_headings(tmp_path: Path) -> None:
    body = "This is running text, long enough to be nothing else than running text under its heading."
    text = f"# 1. First\n\n{body}\n\n# 2. Second\n\n{body}\n\n# Plain words\n\n{body}\n"
    reading = md(tmp_path, text, without="styles")
    assert headings(reading) == [(1, "1. First"), (1, "2. Second")]
    assert {block.source for block in reading.blocks if block.level} == {"numbering"}


def test_marks_without_a_blank_count_only_where_there_are_no_others(tmp_path: Path) -> None:
    text = "#标题\n\n正文。\n\n##第一节\n\n正文。\n\n#　全角\n\n```sh\n#!/bin/sh\n```\n"

    assert headings(md(tmp_path, text)) == [(1, "标题"), (2, "第一节"), (1, "全角")]
    assert headings(md(tmp_path, f"# 真标题\n\n{text}")) == [(1, "真标题")]


def test_bold_lines_are_headings_where_there_are_no_marks(tmp_path: Path) -> None:
    words = "Words that go on for a while, as text does.\n\n"
    plain = md(tmp_path, f"**Our aim**\n\n{words}**Introduction:**\n\n{words}__What we did__\n\n{words}Some **bold** words.\n")
    numbered = md(tmp_path, f"**1. Aim**\n\n{words}**1.1 Scope**\n\n{words}**2. Means**\n\n{words}")

    assert headings(plain) == [(1, "Our aim"), (1, "Introduction"), (1, "What we did")]
    assert {(block.source, block.confidence) for block in plain.blocks if block.kind == "heading"} == {("font", 0.7)}
    assert headings(numbered) == [(1, "1. Aim"), (2, "1.1 Scope"), (1, "2. Means")]
    assert headings(md(tmp_path, f"# Top\n\n**Note**\n\n{words}**Note**\n\n{words}")) == [(1, "Top")]
