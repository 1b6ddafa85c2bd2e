"""A folder with a SUMMARY.md is one document: its chapters are files, their place in the list is their level."""

from pathlib import Path

import pytest
from read_documents import headings, read

from es_mappings.errors import LimitExceeded, UnsupportedFormat
from ingest.blocks import Block, Link
from ingest.formats import ReadOptions, choose_reader, take_sample
from ingest.labelling import label_outline
from ingest.outline import build_outline


def book(folder: Path, files: dict[str, str]) -> Path:
    root = folder / "book"
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def rows(root: Path) -> list[tuple[int, str | None, str]]:
    return [(block.level, block.number, block.text) for block in read(root).blocks if block.kind == "heading"]


def test_nesting_numbers_parts_and_drafts_come_from_the_list(tmp_path: Path) -> None:
    root = book(
        tmp_path,
        {
            "src/SUMMARY.md": "# Summary\n\n[Preface](pre.md)\n\n# First part\n\n- [One](one.md)\n  - [Inner](one/in.md)\n- [Draft]()\n\n"
            "---\n\n# Second part\n\n- [Two](two.md)\n\n[Afterword](after.md)\n",
            "src/pre.md": "# Preface\n\nx\n",
            "src/one.md": "# One\n\n## A\n\n### B\n",
            "src/one/in.md": "# Inner\n\n## C\n",
            "src/two.md": "text only\n",
            "src/after.md": "# Afterword\n",
            "book.toml": '[book]\ntitle = "The Book"\nauthors = ["A", "B"]\n',
        },
    )
    assert rows(root) == [
        (1, None, "Preface"),
        (1, None, "First part"),
        (2, "1", "One"),
        (3, None, "A"),
        (4, None, "B"),
        (3, "1.1", "Inner"),
        (4, None, "C"),
        (2, "2", "Draft"),
        (1, None, "Second part"),
        (2, "3", "Two"),
        (1, None, "Afterword"),
    ]
    reading = read(root)
    assert (reading.title, reading.format, reading.metadata) == ("The Book", "mdbook", {"authors": "A, B"})


def test_a_file_that_begins_with_second_level_headings_sits_at_its_place_all_the_same(tmp_path: Path) -> None:
    root = book(
        tmp_path,
        {
            "SUMMARY.md": "- [A](a.md)\n  - [B](b.md)\n",
            "a.md": "## A\n\n### A1\n",
            "b.md": "## B\n\n### B1\n\n### B2\n\n## Summary\n\n### B3\n",
        },
    )
    assert headings(read(root)) == [(1, "A"), (2, "A1"), (2, "B"), (4, "B1"), (4, "B2"), (3, "Summary"), (4, "B3")]


def test_a_file_without_a_heading_of_its_own_is_named_by_the_list(tmp_path: Path) -> None:
    root = book(tmp_path, {"SUMMARY.md": "* [From list](a.md)\n* [Other](b.md)\n", "a.md": "words\n\n# Later\n", "b.md": "# In file\n"})
    assert headings(read(root)) == [(1, "From list"), (2, "Later"), (1, "In file")]


def test_a_printed_number_wins_over_the_one_of_the_list(tmp_path: Path) -> None:
    root = book(
        tmp_path, {"SUMMARY.md": "- [A - Keys](a.md)\n- [第二章](b.md)\n", "a.md": "# Appendix A: Keys\n", "b.md": "# 第二章 方法\n"}
    )
    assert rows(root) == [(1, "Appendix A", "Appendix A: Keys"), (1, "第二章", "第二章 方法")]


def test_links_between_files_point_to_anchors_of_the_blocks(tmp_path: Path) -> None:
    root = book(
        tmp_path,
        {
            "src/SUMMARY.md": "- [A](a.md)\n- [B](sub/b.md)\n",
            "src/a.md": "# A\n\n[b](sub/b.html#more) [whole](sub/b.md) [here](#a) [web](https://x.org) [out](../../LICENSE)\n",
            "src/sub/b.md": "# B\n\n## More\n\n[back](../a.md)\n",
        },
    )
    blocks = read(root).blocks
    assert [link.target for link in blocks[1].links] == ["sub/b.md#more", "sub/b.md", "a.md#a", "https://x.org", "../../LICENSE"]
    assert blocks[-1].links == (Link(text="back", target="a.md"),)
    assert [block.anchors for block in blocks if block.kind == "heading"] == [
        ("a.md", "a.md#a"),
        ("sub/b.md", "sub/b.md#b"),
        ("sub/b.md#more",),
    ]


def test_included_files_inside_the_folder_are_read_and_others_never(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("CANARY")
    code = "// ANCHOR: part\nlet a;\n// ANCHOR_END: part\nlet b;\n"
    root = book(
        tmp_path,
        {
            "SUMMARY.md": "- [A](a.md)\n",
            "code/x.rs": code,
            "a.md": "# A\n\n```rust\n{{#include code/x.rs:part}}\n```\n\n```rust\n{{#rustdoc_include code/x.rs:4:4}}\n```\n\n"
            "{{#include ../secret.txt}}\n\n{{#include /etc/passwd}}\n\n{{#include link.txt}}\n",
        },
    )
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    reading = read(root)
    assert [block.text for block in reading.blocks] == ["A", "let a;", "let b;"]
    assert reading.warnings == ("3 included files are missing or lie outside the folder",)


def test_chapters_outside_the_folder_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "out.md").write_text("# CANARY\n")
    root = book(tmp_path, {"SUMMARY.md": "- [Out](../out.md)\n- [Link](link.md)\n- [In](in.md)\n", "in.md": "# In\n"})
    (root / "link.md").symlink_to(tmp_path / "out.md")
    reading = read(root)
    assert headings(reading) == [(1, "Out"), (1, "Link"), (1, "In")]
    assert len(reading.warnings) == 2


def test_files_that_include_each_other_end(tmp_path: Path) -> None:
    root = book(tmp_path, {"SUMMARY.md": "- [A](a.md)\n", "a.md": "# A\n\n{{#include a.md}}\n"})
    assert read(root).blocks[0].text == "A"


def test_includes_that_explode_are_refused(tmp_path: Path) -> None:
    layers = {f"{n}.txt": f"{{{{#include {n + 1}.txt}}}}\n" * 40 for n in range(4)}
    root = book(tmp_path, {"SUMMARY.md": "- [A](a.md)\n", "a.md": "{{#include 0.txt}}\n", **layers, "4.txt": "x" * 1000})
    with pytest.raises(LimitExceeded):
        choose_reader(take_sample(root, 10**6)).read(root, ReadOptions(max_text=100_000))


def test_files_that_the_list_does_not_name_are_reported(tmp_path: Path) -> None:
    root = book(tmp_path, {"SUMMARY.md": "- [A](a.md)\n", "a.md": "# A\n", "other.md": "# Other\n"})
    assert read(root).warnings == ("1 Markdown files are not listed in SUMMARY.md and were left out",)


def test_sections_that_the_list_names_inside_a_file_are_not_read_twice(tmp_path: Path) -> None:
    root = book(tmp_path, {"SUMMARY.md": "* [A](a.md)\n  * [A1](a.md#a1)\n", "a.md": "# A\n\n## A1\n\ntext\n"})
    assert [block.text for block in read(root).blocks if isinstance(block, Block)] == ["A", "A1", "text"]


def test_a_folder_without_a_list_is_no_document(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFormat):
        read(book(tmp_path, {"a.md": "# A\n"}))


def test_parts_of_mdbook_are_first_level_headings_of_the_list_and_chapters_count_through_them(tmp_path: Path) -> None:
    summary = "# The Book\n\n## Not shown by mdBook\n\n- [One](one.md)\n\n# Part\n\n- [Two](two.md)\n"
    files = {"src/SUMMARY.md": summary, "src/one.md": "# One\n", "src/two.md": "# Two\n"}
    root = book(tmp_path, files)

    assert rows(root) == [(1, "1", "One"), (1, None, "Part"), (2, "2", "Two")]
    assert [labels.own for labels in label_outline(build_outline(read(root), "book"))][-1] == ("chapter 2", "section 2")


def test_gitbook_writes_parts_with_any_heading_and_its_own_name_above_the_list_is_none(tmp_path: Path) -> None:
    files = {"SUMMARY.md": "## 目录\n\n* [引子](a.md)\n\n## 第一部分：入门\n\n* [概念](b.md)\n", "a.md": "# 引子\n", "b.md": "# 概念\n"}

    assert rows(book(tmp_path, files)) == [(1, "1", "引子"), (1, "第一部分", "第一部分：入门"), (2, "2", "概念")]


def test_where_chapters_carry_numbers_of_their_own_their_positions_are_none(tmp_path: Path) -> None:
    summary = "* [说明](README.md)\n* [第一章 简介](a.md)\n  * [1.1 快速上手](b.md)\n* [第二章 概念](c.md)\n"
    files = {
        "SUMMARY.md": summary,
        "README.md": "# 说明\n",
        "a.md": "# 第一章 简介\n",
        "b.md": "# 1.1 快速上手\n",
        "c.md": "# 第二章 概念\n",
    }

    assert [number for _, number, _ in rows(book(tmp_path, files))] == [None, "第一章", "1.1", "第二章"]


def test_a_note_above_the_title_of_a_file_stands_below_it(tmp_path: Path) -> None:
    files = {
        "SUMMARY.md": "- [Introduction](a.md)\n- [B](b.md)\n",
        "a.md": "NOTE: in work.\n\n# Introduction\n\ntext\n\n## More\n",
        "b.md": "# B\n",
    }
    blocks = read(book(tmp_path, files)).blocks

    assert [(block.level, block.text) for block in blocks] == [
        (1, "Introduction"),
        (0, "NOTE: in work."),
        (0, "text"),
        (2, "More"),
        (1, "B"),
    ]


def test_a_list_in_small_letters_counts_when_it_lists_files(tmp_path: Path) -> None:
    files = {"summary.md": "- [A](a/_index.md)\n- [B](b.md)\n", "a/_index.md": "# A\n", "b.md": "# B\n"}

    assert headings(read(book(tmp_path, files))) == [(1, "A"), (1, "B")]
    with pytest.raises(UnsupportedFormat):
        read(book(tmp_path / "other", {"summary.md": "# Summary\n\nWe found [a thing](a.md).\n", "a.md": "# A\n"}))
