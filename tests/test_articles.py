"""Articles that only their numbers mark are sections in every format; sentences about articles are text."""

from collections.abc import Callable
from pathlib import Path

import pytest
from read_documents import bodies, headings, read, read_text
from word_documents import abstract, bold, level, num, number, p, write_docx

from ingest.blocks import Reading

LAW = [
    ("第一章 总则", ""),
    ("第一条", "为了保护民事主体的合法权益，制定本法。"),
    ("第二条", "民法调整平等主体之间的人身关系和财产关系。"),
    ("第二条之一", "前款规定不适用于涉外关系。"),
    ("第二章 自然人", ""),
    ("第三条", "自然人从出生时起到死亡时止，具有民事权利能力。"),
    ("第四条 监护", "父母是未成年子女的监护人。"),
]
EXPECTED = [
    (1, "第一章 总则"), (2, "第一条"), (2, "第二条"), (2, "第二条之一"), (1, "第二章 自然人"), (2, "第三条"), (2, "第四条 监护"),
]  # fmt: skip


def as_markdown(folder: Path) -> Reading:
    lines = [f"**{head}** {text}" if text else f"# {head}" for head, text in LAW[:-1]]
    return read_text(folder, "law.md", "\n\n".join([*lines, "第四条 监护", LAW[-1][1]]))


def as_html(folder: Path) -> Reading:
    lines = [f"<p><b>{head}</b>　{text}</p>" if text else f"<h1>{head}</h1>" for head, text in LAW[:-1]]
    return read_text(folder, "law.html", "".join([*lines, "<p>第四条 监护</p>", f"<p>{LAW[-1][1]}</p>"]))


def as_word(folder: Path) -> Reading:
    body = "".join(p(f"{head}　{text}") if text else bold(head, 16) for head, text in LAW[:-1])
    return read(write_docx(folder, f"{body}{p('第四条 监护')}{p(LAW[-1][1])}"))


@pytest.mark.parametrize("written", [as_markdown, as_html, as_word])
def test_articles_are_sections_below_their_chapters(tmp_path: Path, written: Callable[[Path], Reading]) -> None:
    reading = written(tmp_path)

    assert headings(reading) == EXPECTED
    assert [text for _, text in bodies(reading)] == [text for _, text in LAW if text]
    assert {block.confidence for block in reading.blocks if block.text.startswith("第一条")} == {0.9}


def test_articles_that_word_numbers_are_sections_not_items_of_a_list(tmp_path: Path) -> None:
    numbering = abstract(1, level(0, "Article %1.")) + num(1, 1)
    body = "".join(p(f"The parties agree on point {word}.", properties=number(1)) for word in ("one", "two", "three"))

    assert headings(read(write_docx(tmp_path, body, numbering=numbering))) == [(1, "Article 1."), (1, "Article 2."), (1, "Article 3.")]


def test_a_title_in_brackets_belongs_to_the_article(tmp_path: Path) -> None:
    text = "\n\n".join(f"第{n}条【{title}】本条规定了有关事项。" for n, title in (("一", "目的"), ("二", "范围"), ("三", "定义")))

    assert headings(read_text(tmp_path, "a.md", f"# 办法\n\n{text}")) == [
        (1, "办法"),
        (2, "第一条【目的】"),
        (2, "第二条【范围】"),
        (2, "第三条【定义】"),
    ]


def test_what_ends_in_a_colon_is_text_of_the_article(tmp_path: Path) -> None:
    lines = [
        "第一条 下列情形无效：",
        "（一）违法的；",
        "第二条 有下列情形之一的，可以撤销：",
        "（一）受胁迫的；",
        "第三条 本法自公布之日起施行。",
    ]

    assert headings(read_text(tmp_path, "a.md", "# 法\n\n" + "\n\n".join(lines)))[1:] == [(2, "第一条"), (2, "第二条"), (2, "第三条")]


@pytest.mark.parametrize(
    "lines",
    [
        ["Article 5 of the Treaty says so.", "Article 6 adds more to it.", "Article 7 ends it."],
        ["Section 12. It holds.", "Section 3. It does not.", "Section 40. Nobody knows."],
        ["Article 1. The first rule.", "Article 2. The second rule."],
        ["第五条规定了合同。", "第六条规定了侵权。", "第七条规定了其他。"],
        ["Article 1", "Article 2", "Article 3", "Article 4"],
        ["Section 1", "looks like this.", "Section 2", "looks like that.", "Section 1", "again.", "Section 2", "again."],
    ],
)
def test_sentences_about_articles_and_lists_of_them_are_text(tmp_path: Path, lines: list[str]) -> None:
    text = "# Notes\n\n" + "\n\n".join(lines)

    assert headings(read_text(tmp_path, "a.md", text)) == [(1, "Notes")]
    assert headings(read_text(tmp_path, "b.md", text, without="numbering")) == [(1, "Notes")]


def test_articles_that_are_marked_as_headings_are_left_as_they_are(tmp_path: Path) -> None:
    text = "# Law\n\n## Article 1\n\nText.\n\nArticle 2. Text.\n\nArticle 3. Text.\n\nArticle 4. Text.\n"

    assert headings(read_text(tmp_path, "a.md", text)) == [(1, "Law"), (2, "Article 1")]


def test_a_title_in_capital_words_belongs_to_the_article(tmp_path: Path) -> None:
    lines = [
        "Section 1.01 Board of Directors. The board manages.",
        "Section 1.02. Terms: They are three years.",
        "Section 1.03 The board meets once.",
    ]

    assert headings(read_text(tmp_path, "a.md", "# By-laws\n\n" + "\n\n".join(lines)))[1:] == [
        (2, "Section 1.01 Board of Directors."), (2, "Section 1.02. Terms:"), (2, "Section 1.03"),
    ]  # fmt: skip
