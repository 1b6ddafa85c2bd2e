"""EPUB: the spine orders the pages, the navigation is the tree; protected and exploding files are refused."""

from pathlib import Path

import pytest
from epub_books import nav, ncx, write_epub
from read_documents import bodies, headings, read

from es_mappings.errors import EmptyDocument, EncryptedDocument, LimitExceeded, MalformedDocument
from ingest.blocks import Link


def test_the_navigation_gives_levels_and_other_tags_go_below(tmp_path: Path) -> None:
    items = (
        '<li><a href="a.xhtml">Part I</a><ol><li><a href="b.xhtml#c1">Chapter 1</a></li></ol></li><li><a href="c.xhtml">Afterword</a></li>'
    )
    pages = {
        "a.xhtml": "<h1>Part I</h1><p>opening</p>",
        "b.xhtml": "<h1 id='c1'>Chapter 1</h1><p>x</p><h2>Inner</h2><p>y</p>",
        "c.xhtml": "<h1>Afterword</h1><p>z</p>",
    }
    reading = read(write_epub(tmp_path / "a.epub", pages, navigation=nav(items)))
    assert headings(reading) == [(1, "Part I"), (2, "Chapter 1"), (3, "Inner"), (1, "Afterword")]
    assert (reading.title, reading.metadata, reading.format) == ("The Book", {"author": "Me"}, "epub")
    assert {block.source for block in reading.blocks if block.level} == {"tag"}


def test_an_old_toc_is_read_and_titles_over_several_lines_are_one_heading(tmp_path: Path) -> None:
    pages = {"a.xhtml": "<p>CHAPTER I</p><p>THE SUN</p><p>text</p>", "b.xhtml": "<p><b>CHAPTER II</b><br/>RAIN</p><p>more</p>"}
    toc = ncx([("Chapter I The Sun", "a.xhtml"), ("Chapter II Rain", "b.xhtml")])
    reading = read(write_epub(tmp_path / "a.epub", pages, toc=toc))
    assert headings(reading) == [(1, "CHAPTER I THE SUN"), (1, "CHAPTER II RAIN")]
    assert bodies(reading) == [("paragraph", "text"), ("paragraph", "more")]


def test_a_chapter_that_its_page_does_not_name_is_named_by_the_navigation(tmp_path: Path) -> None:
    pages = {"a.xhtml": "<p>It began.</p>", "b.xhtml": "<p>It ended.</p>"}
    reading = read(write_epub(tmp_path / "a.epub", pages, toc=ncx([("One", "a.xhtml"), ("Two", "b.xhtml")])))
    assert [block.text for block in reading.blocks] == ["One", "It began.", "Two", "It ended."]


def test_without_navigation_the_tags_tell(tmp_path: Path) -> None:
    pages = {"a.xhtml": "<h1>A</h1><p>x</p>", "b.xhtml": "<h2>B</h2><p>y</p>"}
    assert headings(read(write_epub(tmp_path / "a.epub", pages))) == [(1, "A"), (2, "B")]


def test_links_between_pages_name_the_member(tmp_path: Path) -> None:
    pages = {"a.xhtml": "<h1>A</h1><p><a href='b.xhtml#x'>there</a></p>", "b.xhtml": "<h1>B</h1><p>y</p>"}
    blocks = read(write_epub(tmp_path / "a.epub", pages, toc=ncx([("A", "a.xhtml"), ("B", "b.xhtml")]))).blocks
    assert blocks[1].links == (Link(text="there", target="OPS/b.xhtml#x"),)
    assert blocks[2].anchors == ("OPS/b.xhtml",)


def test_protected_books_are_told_and_mangled_fonts_are_not_protection(tmp_path: Path) -> None:
    method = '<encryption><EncryptedData><EncryptionMethod Algorithm="{}"/></EncryptedData></encryption>'
    for name, algorithm in (("aes", "http://www.w3.org/2001/04/xmlenc#aes128-cbc"), ("font", "http://www.idpf.org/2008/embedding")):
        extra = {"META-INF/encryption.xml": method.format(algorithm)}
        write_epub(tmp_path / f"{name}.epub", {"a.xhtml": "<h1>A</h1><h1>B</h1>"}, extra=extra)
    with pytest.raises(EncryptedDocument):
        read(tmp_path / "aes.epub")
    assert headings(read(tmp_path / "font.epub")) == [(1, "A"), (1, "B")]


def test_a_page_that_explodes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LimitExceeded):
        read(write_epub(tmp_path / "a.epub", {"a.xhtml": f"<p>{'0' * 3_000_000}</p>"}))


def test_what_is_no_page_stays_packed(tmp_path: Path) -> None:
    book = read(write_epub(tmp_path / "a.epub", {"a.xhtml": "<p>words</p>"}, extra={"OPS/cover.bmp": "0" * 3_000_000}))

    assert [block.text for block in book.blocks] == ["words"]


def test_a_damaged_book_is_told(tmp_path: Path) -> None:
    path = write_epub(tmp_path / "a.epub", {"a.xhtml": "<p>x</p>"})
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(MalformedDocument):
        read(path)


def test_a_book_of_pictures_is_empty(tmp_path: Path) -> None:
    with pytest.raises(EmptyDocument):
        read(write_epub(tmp_path / "a.epub", {"a.xhtml": "<img src='x.png'/>"}))


def test_entities_and_broken_xml_are_read_as_html(tmp_path: Path) -> None:
    pages = {"a.xhtml": "<h1>A&nbsp;B</h1><p>x</p>", "b.xhtml": "<h1>C</h1><p>unclosed<br>"}
    assert headings(read(write_epub(tmp_path / "a.epub", pages))) == [(1, "A B"), (1, "C")]
