"""Sections get the labels by which people call them, and no others."""

import pytest

from ingest.blocks import Block, Reading
from ingest.labelling import label_outline
from ingest.outline import build_outline


def labels_of(*headings: tuple[int, str | None, str]) -> list[tuple[str, ...]]:
    """Own labels of headings given as (level, number, title)."""
    blocks = tuple(Block(kind="heading", level=level, number=number, text=title) for level, number, title in headings)
    outline = build_outline(Reading(title="Doc", format="test", blocks=blocks), "doc")
    return [labels.own for labels in label_outline(outline)[1:]]


def test_a_bare_number_is_a_chapter_at_the_top_and_qualified_below():
    assert labels_of((1, "3", "Safety"), (2, "2", "Scope"), (3, "1", "Aim"), (1, "4", "4 Work"), (2, "4.1", "4.1 Tools")) == [
        ("chapter 3", "section 3"),
        ("section 3.2",),
        ("section 3.2.1",),
        ("chapter 4", "section 4"),
        ("section 4.1",),
    ]


def test_the_third_subsection_of_chapter_five_is_never_chapter_three():
    headings = [(1, str(c), f"C{c}") for c in (1, 2)]
    tree = [heading for top in headings for heading in (top, (2, "1", "A"), (2, "2", "B"), (2, "3", "C"))]
    assert [own for own in labels_of(*tree) if "chapter 3" in own] == []


@pytest.mark.parametrize(
    ("number", "title", "own"),
    [
        ("第三章", "第三章 实验", ("chapter 3",)),
        (None, "第三章 实验", ("chapter 3",)),
        ("Chapter III", "Chapter III: Safety", ("chapter 3",)),
        (None, "CHAPTER XII.", ("chapter 12",)),
        (None, "Part Two", ("part 2",)),
        (None, "附录A：关键字", ("appendix a", "appendix")),
        (None, "Appendix B: Operators", ("appendix b", "appendix")),
        (None, "Appendix", ("appendix",)),
        (None, "§ 4.2 Retention", ("section 4.2",)),
        ("Art. 12", "Art. 12 Scope", ("article 12",)),
        (None, "第二十一条 为了规范", ("article 21",)),
        (None, "Lecture 5 – Graphs", ("lecture 5",)),
        (None, "Book the First", ("book 1",)),
        (None, "Item 1A. Risk Factors", ("item 1a",)),
        ("III", "III. RESULTS", ("chapter 3", "section 3")),
        ("三", "三、实验", ("chapter 3", "section 3")),
        (None, "3.2 Data", ("section 3.2",)),
        (None, "10 things to know", ()),
        (None, "Unit tests for part of the code", ()),
        (None, "Chapter 13 trustees and their duties", ()),
        (None, "Understanding ownership", ()),
        (None, "2023 results", ()),
    ],
)
def test_a_heading_gets_the_labels_that_it_gives_itself(number, title, own):
    assert labels_of((1, number, title)) == [own]


def test_chinese_divisions_nest():
    assert labels_of((1, None, "第三章 实验"), (2, None, "第二节 数据"), (3, "一", "一、来源"), (4, "（二）", "（二）细节")) == [
        ("chapter 3",),
        ("section 2", "section 3.2"),
        ("section 3.2.1",),
        ("section 3.2.1.2",),
    ]


def test_parts_qualify_and_do_not_number():
    assert labels_of((1, None, "Part I"), (2, "1", "A"), (3, "1.1", "B"), (1, None, "Part II"), (2, "1", "C")) == [
        ("part 1",),
        ("chapter 1", "section 1", "part 1 chapter 1", "part 1 section 1"),
        ("section 1.1", "part 1 section 1.1"),
        ("part 2",),
        ("chapter 1", "section 1", "part 2 chapter 1", "part 2 section 1"),
    ]


def test_numbers_that_begin_anew_under_unnumbered_headings_are_no_chapters():
    tree = [(1, None, "Retry"), (2, "1", "1 Scope"), (2, "2", "2 Terms"), (1, None, "Backup"), (2, "1", "1 Scope")]
    assert labels_of(*tree) == [(), ("section 1",), ("section 2",), (), ("section 1",)]


def test_bare_numbers_are_no_chapters_where_chapters_are_named():
    assert labels_of((1, None, "Chapter 1"), (2, "2", "2 A"), (1, "5", "5 Notes")) == [("chapter 1",), ("section 1.2",), ("section 5",)]


def test_legal_levels_keep_their_letters():
    tree = [(1, "II", "II. D"), (2, "A", "A. E"), (3, "1", "1. F"), (4, "a", "a. G"), (5, "ii", "ii. H")]
    assert labels_of(*tree)[1:4] == [("section 2.a",), ("section 2.a.1",), ("section 2.a.1.a",)]
    assert "section 2.a.1.a.ii" in labels_of(*tree)[4]


def test_the_ninth_letter_is_no_roman_one():
    assert labels_of(*((1, letter, f"{letter}. X") for letter in "ABCDEFGHI"))[-1] == ("section i",)


def test_letters_after_numbers_are_the_appendices_of_a_paper():
    assert labels_of((1, "1", "1 Intro"), (1, "A", "A Proofs"), (2, "A.1", "A.1 Lemma")) == [
        ("chapter 1", "section 1"),
        ("appendix a", "appendix", "section a"),
        ("appendix a.1", "section a.1"),
    ]


def test_an_appendix_numbers_what_is_below_it():
    tree = [(1, None, "Appendix B: Ops"), (2, "B.2", "B.2 X"), (2, "3", "3 Y")]
    assert labels_of(*tree)[1:] == [("appendix b.2", "section b.2"), ("appendix b.3", "section b.3")]


def test_the_appendices_of_a_book_that_numbers_them_are_found_both_ways():
    tree = [(1, "22", "Appendix"), (2, "22.1", "A - Keywords"), (2, "22.2", "Appendix B: Operators")]
    assert labels_of(*tree) == [
        ("appendix", "chapter 22", "section 22"),
        ("appendix a", "appendix", "section 22.1"),
        ("appendix b", "appendix", "section 22.2"),
    ]


def test_sections_inherit_the_labels_above_them_and_unnumbered_ones_have_none_of_their_own():
    blocks = (
        Block(kind="heading", level=1, number="4", text="Ownership"),
        Block(kind="heading", level=2, number="4.1", text="What is it"),
        Block(kind="heading", level=3, text="Rules"),
    )
    labels = label_outline(build_outline(Reading(title="D", format="t", blocks=blocks), "d"))
    assert labels[0].inherited == ()
    assert labels[3].own == ()
    assert labels[3].inherited == ("chapter 4", "section 4", "section 4.1")
