"""One small document a rule, written in docx, PDF, HTML and the formats of text, each with the outline that it must give."""

from pathlib import Path

import pytest
from document_writers import WRITERS, Part, as_docx_numbered, expected, letters, outcome, outlined

from es_mappings.sections import heading_text
from ingest.chunking import chunk_outline
from ingest.labelling import label_outline
from ingest.outline_record import structure_confidence

ENGLISH = "The keeper walks along the quiet river every evening and writes down what the water carries past the old stone bridge."
CHINESE = "守灯人每天傍晚沿着安静的河流行走，并且写下河水从古老的石桥旁边带走的一切东西，日复一日，从不间断，直到冬天来临。"
LONG = " ".join([ENGLISH] * 12)


def part(level: int, number: str, title: str, *paragraphs: str, **more: tuple[object, ...]) -> Part:
    return Part(level=level, number=number, title=title, paragraphs=paragraphs or (ENGLISH,), **more)  # type: ignore[arg-type]


# Every rule is a document whose headings say by their words alone what they are, so that all formats can carry it.
RULES: dict[str, tuple[Part, ...]] = {
    "decimals say the level": (
        part(1, "1", "Purpose"), part(2, "1.1", "Scope"), part(3, "1.1.1", "Sites"), part(3, "1.1.2", "Ships"), part(2, "1.2", "Terms"),
        part(1, "2", "Duties"), part(2, "2.1", "Watch"), part(2, "2.2", "Log"),
    ),
    "chapters hold sections": (
        part(1, "Chapter 1", "The Lamp"), part(2, "Section 1", "Oil"), part(2, "Section 2", "Wick"),
        part(1, "Chapter 2", "The Bridge"), part(2, "Section 1", "Stone"), part(2, "Section 2", "Rope"),
    ),
    "parts hold chapters that number on": (
        part(1, "Part I", "Land"), part(2, "Chapter 1", "Roads"), part(2, "Chapter 2", "Gates"),
        part(1, "Part II", "Water"), part(2, "Chapter 3", "Rivers"), part(2, "Chapter 4", "Harbours"),
    ),
    "Chinese chapters hold Chinese sections": (
        part(1, "第一章", "总则", CHINESE), part(2, "第一节", "目的", CHINESE), part(2, "第二节", "范围", CHINESE),
        part(1, "第二章", "职责", CHINESE), part(2, "第一节", "守望", CHINESE), part(2, "第二节", "记录", CHINESE),
    ),
    "Chinese counters hold bracketed ones": (
        part(1, "一、", "背景", CHINESE), part(2, "（一）", "来源", CHINESE), part(2, "（二）", "现状", CHINESE),
        part(1, "二、", "方案", CHINESE), part(2, "（一）", "步骤", CHINESE), part(2, "（二）", "费用", CHINESE),
    ),
    "Roman, letters and digits go down": (
        part(1, "I.", "Facts"), part(2, "A.", "Weather"), part(3, "1.", "Rain"), part(3, "2.", "Snow"), part(2, "B.", "Tides"),
        part(1, "II.", "Law"), part(2, "A.", "Custom"), part(2, "B.", "Statute"),
    ),
    "appendices stand beside chapters": (
        part(1, "Chapter 1", "Keeping"), part(1, "Chapter 2", "Leaving"), part(1, "Appendix A", "Forms"), part(1, "Appendix B", "Tables"),
    ),
    "lists and tables are no headings": (
        part(1, "1", "Stores", items=("Oil of the first pressing", "Wicks of cotton", "A spare lens")),
        part(1, "2", "Crew", table=(("Name", "Watch"), ("Ada", "First"), ("Grace", "Second"))),
        part(1, "3", "Routes", ENGLISH, CHINESE),
    ),
    "two sections of one name stay two": (
        part(1, "1", "North"), part(2, "1.1", "Summary", ENGLISH), part(1, "2", "South"), part(2, "2.1", "Summary", CHINESE),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("rule", RULES)
def test_each_rule_holds_in_each_format(rule: str, name: str, tmp_path: Path) -> None:
    assert outcome(WRITERS[name](tmp_path, RULES[rule])) == expected(RULES[rule])


AUTOMATIC = {
    "decimals say the level": [("decimal", "%1"), ("decimal", "%1.%2"), ("decimal", "%1.%2.%3")],
    "chapters hold sections": [("decimal", "Chapter %1"), ("decimal", "Section %2")],
    "Chinese chapters hold Chinese sections": [("chineseCountingThousand", "第%1章"), ("japaneseCounting", "第%2节")],
    "Roman, letters and digits go down": [("upperRoman", "%1."), ("upperLetter", "%2."), ("decimal", "%3.")],
}


@pytest.mark.parametrize("rule", AUTOMATIC)
def test_word_numbers_itself_as_others_type(rule: str, tmp_path: Path) -> None:
    assert outcome(as_docx_numbered(tmp_path, RULES[rule], AUTOMATIC[rule])) == expected(RULES[rule])


# A number, the one before it, and the label that the first one gives its section.
LABELS = [
    ("Lecture 5", "Lecture 4", "lecture 5"),
    ("§ 4.2", "§ 4.1", "section 4.2"),
    ("Art. 12", "Art. 11", "article 12"),
    ("附录A", "第一章", "appendix a"),
    ("第三章", "第二章", "chapter 3"),
    ("Chapter III", "Chapter II", "chapter 3"),
    ("Part Two", "Part One", "part 2"),
    ("Appendix B", "Appendix A", "appendix b"),
    ("3.", "2.", "chapter 3"),
]


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize(("number", "before", "label"), LABELS, ids=[number for number, _, _ in LABELS])
def test_the_label_of_a_heading_is_the_same_in_every_format(number: str, before: str, label: str, name: str, tmp_path: Path) -> None:
    outline = outlined(WRITERS[name](tmp_path, (part(1, before, "Keeping"), part(1, number, "Lamps and Oil"))))
    assert label in label_outline(outline)[2].own


@pytest.mark.parametrize("name", WRITERS)
def test_every_letter_is_in_one_chunk_of_its_own_section_with_the_path_before_it(name: str, tmp_path: Path) -> None:
    parts = (part(1, "1", "Keeping", LONG, CHINESE), part(2, "1.1", "Oil", LONG), part(1, "2", "Leaving", ENGLISH))
    outline = outlined(WRITERS[name](tmp_path, parts))
    chunks = chunk_outline(outline, limit=128)
    for index, given in enumerate(parts, 1):
        own = [chunk for chunk in chunks if chunk.section == index]
        assert letters("".join(chunk.content for chunk in own)) == letters("".join(given.paragraphs))
        assert all(chunk.heading_path.endswith(given.heading) and not chunk.is_fallback for chunk in own)
    assert len([chunk for chunk in chunks if chunk.section == 2]) > 1


@pytest.mark.parametrize("name", [name for name in WRITERS if name != "epub"])
def test_text_without_headings_is_cut_to_length_and_says_that_it_has_no_structure(name: str, tmp_path: Path) -> None:
    outline = outlined(WRITERS[name](tmp_path, (part(0, "", "", LONG, LONG),)))
    chunks = chunk_outline(outline, limit=128)
    assert outline.structure_source == "none"
    assert structure_confidence(outline) == 0
    assert len(chunks) > 3
    assert all(chunk.is_fallback and chunk.token_count <= 128 for chunk in chunks)
    assert letters("".join(chunk.content for chunk in chunks)) == letters(LONG + LONG)


@pytest.mark.parametrize("name", WRITERS)
def test_what_was_found_says_by_what_and_how_surely(name: str, tmp_path: Path) -> None:
    outline = outlined(WRITERS[name](tmp_path, RULES["decimals say the level"]))
    sources = {section.source for section in outline.sections[1:]}
    stated = {"markdown": "style", "rst": "style", "docx": "style", "html": "tag", "epub": "tag", "pdf": "bookmark"}
    assert sources == {stated[name]} if name in stated else sources <= {"numbering", "font"}
    # What the file states is believed at least as much as what its words or looks tell.
    assert structure_confidence(outline) >= (0.95 if name in stated else 0.5)
    assert all(0 < section.confidence <= 1 for section in outline.sections[1:])


@pytest.mark.parametrize(
    ("number", "title", "heading"),
    [
        ("3", "3. Rules", "3. Rules"),
        ("3", "30 rules", "3 30 rules"),
        ("C", "Copper", "C Copper"),
        ("§ 4.2", "§ 4.2 Lamps", "§ 4.2 Lamps"),
        ("4.2", "§ 4.2 Lamps", "§ 4.2 Lamps"),
        ("第三章", "第三章总则", "第三章总则"),
        ("第三章", "总则", "第三章 总则"),
        (None, "Rules", "Rules"),
    ],
)
def test_a_number_stands_once_before_its_title(number: str | None, title: str, heading: str) -> None:
    assert heading_text(number, title) == heading
