"""Word files whose author was not consistent: headings forgotten, marked by chance, or set in other type than their like."""

from pathlib import Path

from word_documents import SENTENCE, abstract, bold, headings, level, num, number, outline, p, read_docx, style, write_docx

from ingest.outline import build_outline

STYLES = headings()


def chapter(text: str, name: str = "Heading1") -> str:
    return p(text, style=name) + p(SENTENCE)


def test_a_chapter_that_was_only_set_in_bold_stands_beside_the_marked_ones(tmp_path: Path) -> None:
    body = (
        chapter("第一章 总则")
        + bold("第二章 报价", 15)
        + p(SENTENCE)
        + bold("第三章 评审", 18)
        + p(SENTENCE)
        + chapter("第四章 合同")
        + chapter("附则")
    )

    assert outline(read_docx(write_docx(tmp_path, body, styles=STYLES))) == [
        (1, "第一章", "第一章 总则"), (1, "第二章", "第二章 报价"), (1, "第三章", "第三章 评审"),
        (1, "第四章", "第四章 合同"), (1, None, "附则"),
    ]  # fmt: skip


def test_what_is_forgotten_is_less_sure_than_what_is_marked(tmp_path: Path) -> None:
    body = chapter("Chapter 1 One") + bold("Chapter 2 Two") + p(SENTENCE) + chapter("Chapter 3 Three")
    blocks = read_docx(write_docx(tmp_path, body, styles=STYLES)).blocks

    assert [(b.source, b.confidence) for b in blocks if b.kind == "heading"] == [("style", 1.0), ("numbering", 0.85), ("style", 1.0)]


def test_forgotten_decimals_are_on_the_level_of_their_like(tmp_path: Path) -> None:
    body = chapter("1 Scope") + chapter("1.1 Aims", "Heading2") + bold("1.2 Terms") + p(SENTENCE) + chapter("2 Rules")

    assert [(rank, title) for rank, _, title in outline(read_docx(write_docx(tmp_path, body, styles=STYLES)))] == [
        (1, "1 Scope"), (2, "1.1 Aims"), (2, "1.2 Terms"), (1, "2 Rules"),
    ]  # fmt: skip


def test_a_list_of_chapters_a_label_and_a_number_out_of_turn_are_no_forgotten_headings(tmp_path: Path) -> None:
    listed = bold("Chapter 1 One") + bold("Chapter 2 Two") + bold("Chapter 3 Three")
    body = listed + chapter("Chapter 1 One") + bold("Chapter 2") + chapter("Chapter 2 Two") + bold("Chapter 7 Sins") + p(SENTENCE)
    body += chapter("Chapter 3 Three")

    assert [title for *_, title in outline(read_docx(write_docx(tmp_path, body, styles=STYLES)))] == [
        "Chapter 1 One", "Chapter 2 Two", "Chapter 3 Three",
    ]  # fmt: skip


def test_one_of_many_headings_that_was_marked_by_chance_is_on_their_level(tmp_path: Path) -> None:
    marks = {3: '<w:outlineLvl w:val="0"/>'}
    rows = [bold(f"Measure {n}", 11, properties=marks.get(n, "")) + p(SENTENCE) * 4 for n in range(1, 7)]
    body = bold("Part of the city", 16) + p(SENTENCE) + "".join(rows[:3]) + bold("Part of the land", 16) + p(SENTENCE) + "".join(rows[3:])

    assert [(rank, title) for rank, _, title in outline(read_docx(write_docx(tmp_path, body)))] == [
        (1, "Part of the city"), (2, "Measure 1"), (2, "Measure 2"), (2, "Measure 3"),
        (1, "Part of the land"), (2, "Measure 4"), (2, "Measure 5"), (2, "Measure 6"),
    ]  # fmt: skip


def test_what_one_list_counts_is_one_level_in_any_type(tmp_path: Path) -> None:
    numbering = abstract(1, level(0, "%1.", "upperRoman")) + num(1, 1)

    def roman(text: str, points: float) -> str:
        return bold(text, points, properties=number(1)) + p(SENTENCE)

    body = roman("Mandate", 14) + roman("Concepts", 14) + roman("CAUSES", 11) + bold("1.1 One", 11) + p(SENTENCE) + bold("1.2 Two", 11)
    body += p(SENTENCE) + roman("AIMS", 11) + roman("PROPOSALS", 11)

    assert [(rank, number) for rank, number, _ in outline(read_docx(write_docx(tmp_path, body, numbering=numbering)))] == [
        (1, "I"), (1, "II"), (1, "III"), (2, "1.1"), (2, "1.2"), (1, "IV"), (1, "V"),
    ]  # fmt: skip


def test_the_ninth_letter_of_a_list_is_no_roman_number(tmp_path: Path) -> None:
    numbering = abstract(1, level(0, "%1.", "upperLetter")) + num(1, 1)
    body = "".join(bold(f"Matter {n}", 12, properties=number(1)) + p(SENTENCE) for n in range(9))
    found = outline(read_docx(write_docx(tmp_path, body, numbering=numbering)))

    assert [(rank, letter) for rank, letter, _ in found] == [(1, letter) for letter in "ABCDEFGHI"]


def test_a_numbered_heading_with_a_level_may_end_in_a_full_stop(tmp_path: Path) -> None:
    mark = '<w:outlineLvl w:val="{}"/>'
    body = (
        p("8 Works", properties=mark.format(0)) + p("8.1. Requirements of the quality of works.", properties=mark.format(1)) + p(SENTENCE)
    )

    assert [title for *_, title in outline(read_docx(write_docx(tmp_path, body, styles=style("Other", "Other"))))] == [
        "8 Works", "8.1. Requirements of the quality of works.",
    ]  # fmt: skip


def test_abstract_and_references_stand_beside_the_chapters_below_a_title_too(tmp_path: Path) -> None:
    rows = [(22, "毕业论文"), (16, "摘 要"), (15, "一、引言"), (15, "二、方法"), (15, "三、结论"), (15, "参考文献")]
    body = "".join(bold(text, points) + (p(SENTENCE) if points < 20 else "") for points, text in rows)
    reading = read_docx(write_docx(tmp_path, body))

    assert reading.title == "毕业论文"
    assert {rank for rank, _, _ in outline(reading)} == {2}
    assert [section.level for section in build_outline(reading, "").sections[1:]] == [1] * 5
