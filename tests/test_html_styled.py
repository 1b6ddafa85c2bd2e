"""Pages without heading tags: the look of lines, their numbers and a linked contents make the headings."""

from pathlib import Path

from read_documents import bodies, headings, read_text

from ingest.blocks import Reading

TEXT = "This is running text of the section, long enough to be nothing but running text in any layout that a person may choose."


def page(folder: Path, *lines: str, style: str = "") -> Reading:
    return read_text(folder, "a.html", f"<html><style>{style}</style><body>{''.join(lines)}</body></html>")


def body(count: int = 1) -> str:
    return f"<p style='font-size:10pt'>{TEXT}</p>" * count


def bold(text: str, css: str = "", anchor: str = "") -> str:
    return f"<p style='font-size:10pt;font-weight:bold;{css}'{f' id={anchor}' if anchor else ''}>{text}</p>"


def test_numbered_parts_and_items_outrank_lines_that_are_only_bold(tmp_path: Path) -> None:
    reading = page(
        tmp_path,
        bold("PART I", "text-align:center"),
        bold("ITEM 1. BUSINESS"),
        body(),
        bold("STRATEGY", "text-align:center"),
        body(),
        bold("Products and Services"),
        body(),
        bold("ITEM&nbsp;1A. RISK FACTORS"),
        body(),
        bold("PART II", "text-align:center"),
        bold("ITEM 2. PROPERTIES"),
        body(),
    )
    assert headings(reading) == [
        (1, "PART I"),
        (2, "ITEM 1. BUSINESS"),
        (3, "STRATEGY"),
        (4, "Products and Services"),
        (2, "ITEM 1A. RISK FACTORS"),
        (1, "PART II"),
        (2, "ITEM 2. PROPERTIES"),
    ]
    assert [block.number for block in reading.blocks if block.level][:2] == ["PART I", "ITEM 1"]
    assert {block.source for block in reading.blocks if block.level} == {"numbering", "font"}


def test_larger_type_is_above_smaller_whatever_says_so(tmp_path: Path) -> None:
    reading = page(
        tmp_path,
        "<p class=h1>Report</p>", body(2),
        "<p><font size=5><b>Findings</b></font></p>", body(),
        "<p class=h3>Detail</p>", body(),
        "<p><font size=5><b>Outlook</b></font></p>", body(),
        style=".h1 {font-size: 24pt; font-weight: bold} p.h3 {font-weight:bold; font-size:10pt}",
    )  # fmt: skip
    assert headings(reading) == [(1, "Report"), (2, "Findings"), (3, "Detail"), (2, "Outlook")]


def test_underlined_and_italic_lines_are_below_bold_ones(tmp_path: Path) -> None:
    reading = page(
        tmp_path,
        bold("First topic"), body(),
        "<p style='font-size:10pt'><u>An aspect</u></p>", body(),
        "<p style='font-size:10pt'><i>A remark</i></p>", body(),
        bold("Second topic"), body(),
    )  # fmt: skip
    assert headings(reading) == [(1, "First topic"), (2, "An aspect"), (3, "A remark"), (1, "Second topic")]


def test_a_linked_contents_makes_headings_certain_and_is_none_itself(tmp_path: Path) -> None:
    links = "".join(f"<p><a href='#s{n}'>Topic {word}</a></p>" for n, word in enumerate(["A", "B", "C", "D"]))
    plain = [f"<p id=s{n} style='font-size:10pt'>Topic {word}</p>" + body() for n, word in enumerate(["A", "B", "C", "D"])]
    reading = page(tmp_path, bold("THE COMPANY", "text-align:center"), bold("Contents"), links, *plain)
    assert headings(reading) == [(1, f"Topic {word}") for word in "ABCD"]
    assert {block.confidence for block in reading.blocks if block.level} == {0.9}


def test_page_numbers_and_running_heads_are_left_out(tmp_path: Path) -> None:
    pages = [bold(f"Section {n}. Topic") + body() + f"<p>{n}</p><p><a href='#toc'>Table of Contents</a></p>" for n in range(1, 7)]
    reading = page(tmp_path, *pages)
    assert headings(reading) == [(1, f"Section {n}. Topic") for n in range(1, 7)]
    assert {text for _, text in bodies(reading)} == {TEXT}


def test_bold_words_that_open_paragraphs_are_run_in_headings_when_they_return(tmp_path: Path) -> None:
    def opened(words: str) -> str:
        return f"<p style='font-size:10pt'><b>{words}.</b> {TEXT}</p>"

    reading = page(tmp_path, bold("POLICIES"), opened("Revenue"), opened("Leases"), opened("Goodwill"), bold("OTHER"), body())
    assert headings(reading) == [(1, "POLICIES"), (2, "Revenue."), (2, "Leases."), (2, "Goodwill."), (1, "OTHER")]
    assert bodies(reading)[0] == ("paragraph", TEXT)
    alone = page(tmp_path, bold("POLICIES"), opened("Note"), bold("OTHER"), body())
    assert headings(alone) == [(1, "POLICIES"), (1, "OTHER")]


def test_bold_sentences_dates_and_signatures_are_no_headings(tmp_path: Path) -> None:
    sentence = "We were not able to obtain the report of the auditors in time for this filing, and so we have asked for an extension of it."
    reading = page(tmp_path, bold("FIRST"), body(), bold(sentence), body(), bold("/s/ Jane Doe"), bold("SECOND"), body())
    assert headings(reading) == [(1, "FIRST"), (1, "SECOND")]


def test_without_any_look_the_words_decide(tmp_path: Path) -> None:
    reading = page(
        tmp_path, "<p>Abstract</p>", body(), "<p>1. Introduction</p>", body(), "<p>2. Methods</p>", body(), "<p>References</p>", body()
    )
    assert headings(reading) == [(1, "Abstract"), (1, "1. Introduction"), (1, "2. Methods"), (1, "References")]


def test_heading_tags_can_be_ignored_to_measure_the_rest(tmp_path: Path) -> None:
    text = f"<html><body><h1>1. One</h1><p>{TEXT}</p><h1>2. Two</h1><p>{TEXT}</p></body></html>"
    reading = read_text(tmp_path, "b.html", text, without="styles")
    assert headings(reading) == [(1, "1. One"), (1, "2. Two")]
    assert {block.source for block in reading.blocks if block.level} == {"numbering"}


def test_running_lines_that_count_pages_and_mark_filings_are_left_out(tmp_path: Path) -> None:
    def foot(n: int) -> str:
        return f"<p>Acme Inc. | 2023 Form 10-K | {n}</p><hr><p><a href='#toc'>Table of Contents</a></p>"

    pages = [bold(f"Item {n}. Topic") + body() + bold("Background") + body() + foot(n) for n in range(1, 6)]
    reading = page(tmp_path, *pages)
    assert {text for _, text in bodies(reading)} == {TEXT}
    assert headings(reading) == [row for n in range(1, 6) for row in ((1, f"Item {n}. Topic"), (2, "Background"))]


def test_numbered_words_that_open_paragraphs_are_headings_below_their_chapter(tmp_path: Path) -> None:
    text = "这是一段正文，用来说明本节的内容。我们在这里写得足够长，使它看起来像真正的段落，而不是标题，请继续阅读。"
    opened = [f"<p><b>（{n}）{name}。</b>{text}</p>" for n, name in zip("一二三", ["指导思想", "基本原则", "加强领导"], strict=True)]
    reading = page(tmp_path, "<p><b>一、总体要求</b></p>", *opened[:2], f"<p><b>二、主要任务</b></p><p>{text}</p>", opened[2])
    assert headings(reading) == [
        (1, "一、总体要求"),
        (2, "（一）指导思想。"),
        (2, "（二）基本原则。"),
        (1, "二、主要任务"),
        (2, "（三）加强领导。"),
    ]
