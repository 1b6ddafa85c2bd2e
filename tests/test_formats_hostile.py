"""Hostile and broken files: each outcome is a reading or one typed error, in time, and no other file is touched."""

import random
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from epub_books import write_epub
from read_documents import read, shared

from es_mappings.errors import DisguisedDocument, LimitExceeded, UnreadableDocument
from ingest.blocks import Reading
from ingest.formats import ReadOptions
from ingest.sandbox import Limits, ReaderPool

LIMITS = Limits(seconds=20, cpu_seconds=15, memory_mb=700)
ENTITIES = "".join(
    f'<!ENTITY {name} "{inner * 50}">' for name, inner in (("a", "lol"), ("b", "&a;"), ("c", "&b;"), ("d", "&c;"), ("e", "&d;"))
)
BOMB = f'<?xml version="1.0"?><!DOCTYPE html [{ENTITIES}]>'
NESTED = 100_000

HOSTILE = {
    "nested.html": "<div>" * NESTED + "deep",
    "inline.html": "<html><b><i>" * NESTED + "deep",
    "list.html": "<html><ul><li>" * NESTED + "deep",
    "table.html": "<html><table><tr><td>" * 2_000 + "deep",
    "span.html": "<html><table><tr><td colspan=99999999 rowspan=99999999>x<tr><td>y</table><p>text",
    "css.html": "<html><style>" + "a{" * 50_000 + "</style><p style='" + "font-size:1px;" * 20_000 + "'>x",
    "bomb.html": f"{BOMB}<html><body><p>&e;</p></body></html>",
    "entity.html": '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><html><body><p>a &x; b</p></body></html>',
    "quotes.md": ">" * NESTED + " deep",
    "lists.md": "".join(" " * (2 * n) + "- x\n" for n in range(600)),
    "brackets.md": "[" * NESTED + "a" + "](" * NESTED,
    "stars.md": "*a_ " * NESTED,
    "ticks.md": "".join("`" * n + "a" for n in range(600)),
    "headings.md": "".join(f"{'#' * (1 + n % 6)} H{n}\n" for n in range(5_000)),
    "rule.md": "-" * NESTED,
    "quotes.rst": "".join(" " * n + "x\n\n" for n in range(400)),
    "roles.rst": ":a:`" * NESTED,
    "bars.rst": "|" * NESTED + " ` * _" * 1_000,
    "tables.rst": ("+" + "-" * 500 + "+\n" + "|" + " " * 500 + "|\n") * 500,
    "digits.txt": "1." * NESTED,
    "dots.txt": ". " * NESTED + "\n" + "…" * NESTED,
    "blanks.txt": "a" + " " * NESTED + "b\n\n" + "\t" * NESTED + "c",
    "chapters.txt": "Chapter " * NESTED,
    "roman.txt": "M" * NESTED + "\n\n" + "第" * NESTED,
    "commas.txt": "x, " * NESTED,
    "front.md": "---\n" + "a: " * NESTED,
    "tags.md": "<a " * NESTED,
    "comment.md": "<!--" * NESTED,
}


@pytest.fixture(scope="module")
def pool() -> Iterator[ReaderPool]:
    with ReaderPool(LIMITS) as readers:
        yield readers


def outcome(pool: ReaderPool, path: Path) -> Reading | UnreadableDocument:
    try:
        return pool.read(path, ReadOptions())
    except UnreadableDocument as error:
        return error


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_a_hostile_text_is_read_or_refused_within_the_limits(pool: ReaderPool, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(HOSTILE[name], encoding="utf-8")
    result = outcome(pool, path)
    assert not isinstance(result, UnreadableDocument) or result.code in ("over_limit", "empty", "malformed"), result
    assert "root:" not in repr(result)


@pytest.mark.parametrize("name", ["deep.xhtml", "bomb.xhtml", "entity.xhtml"])
def test_hostile_pages_inside_a_book_are_read_or_refused(pool: ReaderPool, tmp_path: Path, name: str) -> None:
    bodies = {"deep.xhtml": "<div>" * 50_000, "bomb.xhtml": "&e;", "entity.xhtml": "&x;"}
    path = write_epub(tmp_path / "a.epub", {"a.xhtml": "<p>fine</p>"}, extra={})
    with zipfile.ZipFile(tmp_path / "b.epub", "w") as copy, zipfile.ZipFile(path) as archive:
        for item in archive.namelist():
            data = archive.read(item)
            if item.endswith("a.xhtml"):
                head = BOMB.replace("]>", '<!ENTITY x SYSTEM "file:///etc/passwd">]>')
                data = f'{head}<html xmlns="http://www.w3.org/1999/xhtml"><body><p>fine {bodies[name]}</p></body></html>'.encode()
            copy.writestr(item, data)
    result = outcome(pool, tmp_path / "b.epub")
    assert not isinstance(result, UnreadableDocument) or result.code in ("over_limit", "malformed")
    assert "root:" not in repr(result)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("page.pdf", b"<!doctype html><html><body>x</body></html>"),
        ("page.docx", b"<html><body>x</body></html>"),
        ("page.epub", b"<html><body>x</body></html>"),
        ("book.html", b"%PDF-1.7\n%\xe2\xe3"),
        ("book.txt", b"%PDF-1.7\n%\xe2\xe3 text"),
        ("book.md", b"PK\x03\x04mimetypeapplication/epub+zip"),
    ],
)
def test_a_file_that_is_not_what_its_name_says_is_told(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(UnreadableDocument) as raised:
        read(path)
    assert raised.value.code in (DisguisedDocument.code, "malformed")


def test_html_quoted_in_markdown_is_markdown(tmp_path: Path) -> None:
    path = tmp_path / "readme.md"
    path.write_text("<html>is a tag</html>\n\n# A\n")
    assert read(path).format == "markdown"


@pytest.mark.parametrize("kind", ["many", "nested names", "twice"])
def test_zip_bombs_are_refused_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.epub"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        if kind == "many":
            for number in range(5_100):
                archive.writestr(f"{number}", b"")
        elif kind == "nested names":
            archive.writestr("META-INF/container.xml", '<a><rootfile full-path="../../etc/passwd"/></a>')
        else:
            archive.writestr("META-INF/container.xml", b"<a/>")
            with pytest.warns(UserWarning, match="Duplicate name"):
                archive.writestr("META-INF/container.xml", b"<a/>")
    began = time.monotonic()
    with pytest.raises(UnreadableDocument) as raised:
        read(path)
    assert raised.value.code == (LimitExceeded.code if kind == "many" else "malformed")
    assert time.monotonic() - began < 2


def test_random_damage_to_real_files_is_always_a_typed_outcome(pool: ReaderPool, tmp_path: Path) -> None:
    names = ["txt/pep-0008.rst", "txt/winter-sports.epub", "md/d2l-zh/chapter_linear-networks/linear-regression.md"]
    chance = random.Random(7)
    for name in names:
        data = shared(name).read_bytes()
        for round_ in range(3):
            damaged = bytearray(data)
            for _ in range(60):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            path = tmp_path / f"{round_}{Path(name).suffix}"
            path.write_bytes(bytes(damaged[: chance.randrange(len(damaged) // 2, len(damaged))]))
            result = outcome(pool, path)
            assert not isinstance(result, UnreadableDocument) or result.code != "reader_crashed", (name, round_, result)
