"""A folder with a SUMMARY.md is one document: its chapters are files, their place in the list is their level."""

from pathlib import Path

import pytest
from read_documents import headings, read

from es_mappings.errors import LimitExceeded, UnsupportedFormat
from ingest.blocks import Block, Link
from ingest.formats import ReadOptions, choose_reader, take_sample


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
