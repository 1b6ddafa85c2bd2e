"""What makes a line of a PDF a heading, and on which level: one small document a rule."""

from pathlib import Path

import pytest

from tests.pdf_pages import Writer, html_pdf, new_document, write_pdf
from tests.read_documents import headings, read


def _titles(path: Path, without: str = "") -> list[tuple[int, str]]:
    return headings(read(path, without))


@pytest.mark.parametrize(
    "look",
    [
        {"size": 16},
        {"font": "hebo"},
        {"font": "hebo", "size": 14},
        {"underline": True, "above": 8},
        {"font": "heit", "above": 14},
        {"font": "hebo", "center": True},
        {"color": (0.1, 0.2, 0.7), "font": "hebo"},
    ],
    ids=["larger", "bold", "large and bold", "underlined", "italic and apart", "bold and centred", "bold and coloured"],
)
def test_lines_that_look_different_from_the_text_are_headings(tmp_path: Path, look: dict[str, object]) -> None:
    document, writer = new_document()
    for title in ("Purpose of the Survey", "Method and Sources", "Findings of the Year"):
        writer.line(title, **{"above": 12, **look}).text(5)
    assert _titles(write_pdf(tmp_path / "a.pdf", document)) == [
        (1, "Purpose of the Survey"),
        (1, "Method and Sources"),
        (1, "Findings of the Year"),
    ]


def test_larger_headings_stand_above_smaller_ones(tmp_path: Path) -> None:
    document, writer = new_document()
    for part in ("Rivers", "Mountains"):
        writer.line(part, 20, "hebo", above=20).text(3)
        for section in ("Names", "Heights"):
            writer.line(f"{section} of {part}", 14, "hebo", above=14).text(4)
    assert _titles(write_pdf(tmp_path / "a.pdf", document)) == [
        (1, "Rivers"),
        (2, "Names of Rivers"),
        (2, "Heights of Rivers"),
        (1, "Mountains"),
        (2, "Names of Mountains"),
        (2, "Heights of Mountains"),
    ]


@pytest.mark.parametrize(
    "family",
    [
        ("1", "1.1", "1.2", "1.2.1", "2"),
        ("I.", "A.", "B.", "1.", "II."),
        ("Chapter 1", "Section 1.1", "Section 1.2", "Section 1.2.1", "Chapter 2"),
        ("Part I", "Chapter 1", "Chapter 2", "Article 1", "Part II"),
        ("A.", "I.", "II.", "1.", "B."),
        ("1", "1.1", "1.2", "a)", "2"),
    ],
    ids=lambda family: family[0] + " " + family[1],
)
def test_numbers_give_the_levels_when_all_headings_look_alike(tmp_path: Path, family: tuple[str, ...]) -> None:
    document, writer = new_document()
    for number, title in zip(family, ("Origins", "Early Years", "Growth", "New Towns", "Decline"), strict=True):
        writer.line(f"{number} {title}", 12, "hebo", above=12).text(5)
    levels = [level for level, _ in _titles(write_pdf(tmp_path / "a.pdf", document))]
    assert levels == [1, 2, 2, 3, 1]


def test_numbered_headings_in_body_type_are_found_by_their_chain(tmp_path: Path) -> None:
    document, writer = new_document()
    titles = ["1. Scope of This Rule", "2. Persons Concerned", "3. Duties of the Agent", "4. Entry into Force"]
    for title in titles:
        writer.line(title, above=10).text(6).text(5)
    reading = read(write_pdf(tmp_path / "a.pdf", document))
    assert [text for _, text in headings(reading)] == titles
    assert {block.source for block in reading.blocks if block.kind == "heading"} == {"numbering"}
    assert [block.number for block in reading.blocks if block.kind == "heading"] == ["1", "2", "3", "4"]


def test_numbered_items_of_a_list_are_no_headings(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.line("Preparing the Garden", 16, "hebo").text(4)
    for item in ("1. Dig the beds", "2. Spread the compost", "3. Sow the beans", "4. Water every day"):
        writer.line(item)
    writer.text(4).line("Harvest", 16, "hebo", above=12).text(4)
    reading = read(write_pdf(tmp_path / "a.pdf", document))
    assert headings(reading) == [(1, "Preparing the Garden"), (1, "Harvest")]
    lists = [block.text for block in reading.blocks if block.kind == "list"]
    assert lists[0].splitlines() == ["1. Dig the beds", "2. Spread the compost", "3. Sow the beans", "4. Water every day"]


def test_chinese_chapters_sections_and_points_have_three_levels(tmp_path: Path) -> None:
    document, writer = new_document()
    text = "本章介绍研究的背景和方法，说明数据的来源，并讨论以往工作的不足之处。我们先回顾有关文献，然后提出自己的问题。" * 2
    for title, size in (("第一章 绪论", 18), ("第一节 研究背景", 14), ("一、问题的提出", 12), ("第二节 研究方法", 14), ("第二章 实验", 18)):
        writer.line(title, size, "china-s", above=14)
        for start in range(0, len(text), 40):
            writer.line(text[start : start + 40], 10.5, "china-s")
    assert _titles(write_pdf(tmp_path / "a.pdf", document)) == [
        (1, "第一章 绪论"),
        (2, "第一节 研究背景"),
        (3, "一、问题的提出"),
        (2, "第二节 研究方法"),
        (1, "第二章 实验"),
    ]


def test_a_heading_over_two_lines_is_one_heading(tmp_path: Path) -> None:
    document, writer = new_document()
    for first, second in (
        ("The Slow Growth of the Northern", "Settlements after the War"),
        ("Why the Southern Ports Were", "Left by Their Merchants"),
    ):
        writer.line(first, 16, "hebo", above=14).line(second, 16, "hebo").text(6)
    assert _titles(write_pdf(tmp_path / "a.pdf", document)) == [
        (1, "The Slow Growth of the Northern Settlements after the War"),
        (1, "Why the Southern Ports Were Left by Their Merchants"),
    ]


def test_a_chapter_label_and_the_title_below_are_one_heading_with_its_number(tmp_path: Path) -> None:
    document, writer = new_document()
    for number, title in (("Chapter 1", "Introduction"), ("Chapter 2", "The Theory of Ponds")):
        writer.new_page().line(number, 20, "hebo").line(title, 24, "hebo", above=16).text(8)
    found = [block for block in read(write_pdf(tmp_path / "a.pdf", document)).blocks if block.kind == "heading"]
    assert [(block.text, block.number) for block in found] == [
        ("Chapter 1 Introduction", "Chapter 1"),
        ("Chapter 2 The Theory of Ponds", "Chapter 2"),
    ]


def test_bold_words_that_begin_a_paragraph_are_no_heading(tmp_path: Path) -> None:
    body = (
        "<p><b>Recall.</b> We first count what was found among all that there was to find, and repeat that for every question asked.</p>"
        * 3
    )
    html = f"<h2>Measures</h2>{body}<h2>Results</h2>{body}"
    assert _titles(html_pdf(tmp_path / "a.pdf", html)) == [(1, "Measures"), (1, "Results")]


def test_theorems_definitions_and_proofs_are_no_headings(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.line("1 Metric Spaces", 16, "hebo").text(4)
    for statement in ("Definition 1", "Theorem 2 (Heine)", "Proof", "Lemma 3"):
        writer.line(statement, font="hebo", above=8).text(3)
    writer.line("2 Compactness", 16, "hebo", above=12).text(4)
    assert _titles(write_pdf(tmp_path / "a.pdf", document)) == [(1, "1 Metric Spaces"), (1, "2 Compactness")]


def test_names_over_short_lines_are_a_directory_and_no_headings(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.line("Officers", 16, "hebo").text(3)
    for name in ("Ann Archer", "Bob Bishop", "Cid Carver", "Dora Dean", "Eve Earl"):
        writer.line(name, font="hebo", above=6).line("Deputy Director")
    writer.line("History", 16, "hebo", above=12).text(4)
    assert _titles(write_pdf(tmp_path / "a.pdf", document)) == [(1, "Officers"), (1, "History")]


def test_the_title_and_authors_of_a_paper_are_no_headings(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.line("On the Counting of Sheep", 20, "hebo", center=True).line("Ann Archer and Bob Bishop", 12, "hebo", center=True, above=6)
    writer.line("University of Somewhere", 12, center=True)
    writer.line("Abstract", 12, "hebo", center=True, above=20).text(5)
    writer.line("1 Introduction", 12, "hebo", above=14).text(8).line("2 Method", 12, "hebo", above=14).text(8)
    reading = read(write_pdf(tmp_path / "a.pdf", document))
    assert headings(reading) == [(1, "Abstract"), (1, "1 Introduction"), (1, "2 Method")]
    assert reading.title == "On the Counting of Sheep"


def _with_contents(tmp_path: Path, *, numbers: bool = True) -> Path:
    document, writer = new_document()
    rows = [("Beginnings", 0, 3), ("Childhood", 18, 3), ("School", 18, 4), ("Travels", 0, 5), ("The East", 18, 5), ("The West", 18, 6)]
    writer.line("A Life", 28, "hebo", center=True, above=200)
    writer.new_page().line("Contents", 18, "hebo", above=10)
    for title, indent, page in rows:
        writer.line(title, x=72 + indent)
        if numbers:
            writer.y -= 1.3 * 11
            writer.line("." * 60, x=220).y -= 1.3 * 11
            writer.line(str(page), x=500)
    for title, _, page in rows:
        if writer.page.number + 1 < page:
            writer.new_page()
        writer.line(title, above=24).text(6)
    return write_pdf(tmp_path / "contents.pdf", document)


def test_the_printed_contents_tell_headings_and_levels_that_type_does_not(tmp_path: Path) -> None:
    expected = [(1, "Beginnings"), (2, "Childhood"), (2, "School"), (1, "Travels"), (2, "The East"), (2, "The West")]
    found = _titles(_with_contents(tmp_path))
    assert [row for row in found if row[1] != "Contents"] == expected


def test_entries_of_the_printed_contents_are_not_headings_themselves(tmp_path: Path) -> None:
    reading = read(_with_contents(tmp_path))
    on_contents_page = [block for block in reading.blocks if block.page == 2 and block.kind == "heading"]
    assert [block.text for block in on_contents_page] == ["Contents"]


def test_evidence_that_is_left_out_does_not_count(tmp_path: Path) -> None:
    document, writer = new_document()
    for title in ("1. Scope of This Rule", "2. Persons Concerned", "3. Duties of the Agent"):
        writer.line(title, above=10).text(6).text(5)
    path = write_pdf(tmp_path / "a.pdf", document)
    assert len(_titles(path)) == 3
    assert _titles(path, without="numbering") == []


def test_a_document_of_plain_text_has_no_headings_and_loses_no_word(tmp_path: Path) -> None:
    document, writer = new_document()
    writer.text(12).text(9).text(15)
    reading = read(write_pdf(tmp_path / "a.pdf", document))
    assert headings(reading) == []
    words = " ".join(block.text for block in reading.blocks).split()
    assert len(words) == _words_written(12, 9, 15)


def _words_written(*sentences: int) -> int:
    parts = Writer.__module__ and __import__("tests.pdf_pages", fromlist=["FILLER"]).FILLER.split(". ")
    return sum(len(" ".join(parts[i % 3] for i in range(count)).split()) for count in sentences)
