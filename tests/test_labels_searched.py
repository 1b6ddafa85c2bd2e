"""From a file to a filtered search: every label of a document finds its section whole, and nothing beside it, in each format."""

import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from bookshelf import Shelf, open_shelf
from word_documents import abstract, headings, level, num, number, p, write_docx

from es_mappings.settings import read_settings
from ingest.pipeline import Order, ingest
from ingest.sources import Source

LAW = [("第一章 总则", ""), ("第一条", "m1"), ("第二条", "m2"), ("第十二章 权利", ""), ("第三条", "m3"), ("第四条", "m4")]
TREATY = [
    ("## Part One", ""),
    ("Article 1.", "m1"),
    ("Article 2.", "m2"),
    ("## Part Two", ""),
    ("Article 12.", "m3"),
    ("Article 13.", "m4"),
]
THESIS = [
    ("# 第一章 绪论", "m1"), ("## 第一节 背景", "m2"), ("# 第二章 方法", "m3"), ("## 第一节 数据", "m4"),
    ("# 附录A 问卷", "m5"), ("# 附录B", "m6"),
]  # fmt: skip
GUIDE = [
    ("# Chapter 1 One", "m1"), ("# Chapter 3 Three", "m3"), ("## 3.1 In three", "m4"), ("# Chapter 4 Four", "m5"), ("## 4.2 In four", "m6"),
    ("## 4.20 Later", "m7"), ("# Chapter 30 Thirty", "m8"), ("# Appendix A Tables", "m9"),
]  # fmt: skip
MANUAL = [("Safety", 0, "m1"), ("Gloves", 1, "m2"), ("Service", 0, "m3"), ("Oil", 1, "m4"), ("Change", 2, "m5")]


def body(mark: str) -> str:
    return f"The zebra {mark} walks over the plain and looks for water near the trees. 斑马在平原上寻找水源。" if mark else ""


BOOK = {"src/SUMMARY.md": "- [One](1.md)\n\n# Part\n\n- [Two](2.md)\n  - [Inner](3.md)\n- [Three](4.md)\n"} | {
    f"src/{n}.md": f"# {title}\n\n{body(f'm{n}')}\n" for n, title in enumerate(("One", "Two", "Inner", "Three"), 1)
}


def manual(folder: Path) -> Path:
    counted = (level(0, "Chapter %1", "upperRoman"), level(1, "%1.%2", more="<w:isLgl/>"), level(2, "%1.%2.%3", more="<w:isLgl/>"))
    text = "".join(p(head, style=f"Heading{rank + 1}", properties=number(1, rank)) + p(body(mark)) for head, rank, mark in MANUAL)
    return write_docx(folder, text, styles=headings(), numbering=abstract(1, *counted) + num(1, 1), name="manual.docx")


def book(folder: Path) -> Path:
    for name, text in BOOK.items():
        path = folder / "book" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder / "book"


@pytest.fixture(scope="module")
def shelf(node_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    folder = tmp_path_factory.mktemp("labels")
    settings = read_settings(es_url=node_url, index_prefix=f"test-{uuid.uuid4().hex[:12]}", home=folder / "home")
    with open_shelf(settings, folder) as opened:
        opened.put("law.md", "# 条例\n\n" + "\n\n".join(f"{head}　{body(mark)}" if mark else f"## {head}" for head, mark in LAW))
        opened.put("treaty.md", "# Treaty\n\n" + "\n\n".join(f"{head} {body(mark)}" for head, mark in TREATY))
        opened.put("thesis.md", "\n\n".join(f"{head}\n\n{body(mark)}" for head, mark in THESIS))
        opened.put("guide.md", "\n\n".join(f"{head}\n\n{body(mark)}" for head, mark in GUIDE))
        opened.put("novel.txt", "\n\n".join(f"第{n}回 故事\n\n{body(f'm{i}')}" for i, n in enumerate(("十", "十一", "十二"), 10)))
        for path in (manual(folder), book(folder)):
            row = ingest(Order(source=Source(path=path, name=path.name), collection="default", access=None), opened.store, lambda *_: None)
            assert row.error is None, row.error
        yield opened
        opened.store.index.drop()


@pytest.mark.parametrize(
    ("document", "label", "marks"),
    [
        ("law.md", "第一条", "m1"), ("law.md", "第十二章", "m3 m4"), ("law.md", "article 4", "m4"), ("law.md", "第一章", "m1 m2"),
        ("treaty.md", "Article 12", "m3"), ("treaty.md", "art. 1", "m1"), ("treaty.md", "Part Two", "m3 m4"),
        ("treaty.md", "第十三条", "m4"),
        ("thesis.md", "第一章", "m1 m2"), ("thesis.md", "chapter 2", "m3 m4"), ("thesis.md", "第二章第一节", "m4"),
        ("thesis.md", "附录A", "m5"),
        ("guide.md", "chapter 3", "m3 m4"), ("guide.md", "第三章", "m3 m4"), ("guide.md", "section 4.2", "m6"),
        ("guide.md", "§ 4.20", "m7"),
        ("guide.md", "Chapter 30", "m8"), ("guide.md", "附录A", "m9"), ("novel.txt", "第十二回", "m12"), ("novel.txt", "chapter 10", "m10"),
        ("manual.docx", "chapter 2", "m3 m4 m5"), ("manual.docx", "Chapter II", "m3 m4 m5"), ("manual.docx", "section 2.1", "m4 m5"),
        ("manual.docx", "2.1.1", "m5"), ("book", "chapter 2", "m2 m3"), ("book", "2.1", "m3"), ("book", "chapter 3", "m4"),
    ],
)  # fmt: skip
def test_a_label_finds_its_section_and_nothing_else(shelf: Shelf, document: str, label: str, marks: str) -> None:
    result = shelf.search("zebra", documents=(document,), sections=(label,), size=50)

    assert {mark for hit in result.hits for mark in re.findall(r"zebra (\w+)", hit.content)} == set(marks.split())
