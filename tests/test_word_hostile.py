"""Word files that are damaged, locked, disguised or made to do harm: a typed refusal, quickly, and nothing resolved or unpacked."""

import contextlib
import hashlib
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from word_documents import (
    NAMESPACES,
    SENTENCE,
    headings,
    num,
    number,
    p,
    part,
    r,
    read_docx,
    relationship,
    relationships,
    style,
    texts,
    titles,
    write_docx,
)

from es_mappings.errors import (
    DisguisedDocument,
    EmptyDocument,
    EncryptedDocument,
    LimitExceeded,
    MalformedDocument,
    UnreadableDocument,
)
from ingest import archives
from ingest.formats import ReadOptions, choose_reader, docx, take_sample
from ingest.outline import build_outline

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
DOCTYPE = '<!DOCTYPE x [<!ENTITY a "{}">]>'


def test_an_encrypted_file_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "locked.docx"
    path.write_bytes(OLE + "EncryptedPackage".encode("utf-16-le") + b"\0" * 600)

    with pytest.raises(EncryptedDocument, match=r"locked\.docx is encrypted"):
        read_docx(path)


def test_the_old_format_under_a_new_name_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "old.docx"
    path.write_bytes(OLE + "WordDocument".encode("utf-16-le") + b"\0" * 600)

    with pytest.raises(DisguisedDocument, match="old Word format"):
        read_docx(path)


def test_an_encrypted_entry_is_refused(tmp_path: Path) -> None:
    path = write_docx(tmp_path, p(SENTENCE))
    data = bytearray(path.read_bytes())
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.find(sign)
        while place >= 0:
            data[place + offset] |= 1
            place = data.find(sign, place + 4)
    path.write_bytes(data)

    with pytest.raises(EncryptedDocument):
        read_docx(path)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95])
def test_a_truncated_file_is_damaged(tmp_path: Path, share: float) -> None:
    path = write_docx(tmp_path, p(SENTENCE) * 50)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])

    with pytest.raises(MalformedDocument):
        read_docx(path)


def test_flipped_bytes_give_a_typed_outcome(tmp_path: Path) -> None:
    whole = write_docx(tmp_path, p("One", style="Heading1") + p(SENTENCE) * 20, styles=headings()).read_bytes()
    for place in range(0, len(whole), 7):
        path = tmp_path / "flipped.docx"
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with contextlib.suppress(UnreadableDocument):
            assert read_docx(path).format == "docx"


@pytest.mark.parametrize("name", ["word/document.xml", "word/styles.xml", "word/numbering.xml", "docProps/core.xml", "_rels/.rels"])
@pytest.mark.parametrize("content", ["", "<w:document", "<a/><b/>", "\x00\x01"])
def test_xml_that_is_none_is_refused(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(MalformedDocument):
        read_docx(write_docx(tmp_path, p(SENTENCE), parts={name: content}))


@pytest.mark.parametrize("name", ["word/document.xml", "word/styles.xml", "word/numbering.xml", "word/footnotes.xml", "_rels/.rels"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_never_resolved(tmp_path: Path, name: str, encoding: str) -> None:
    canary = tmp_path / "canary.txt"
    canary.write_text("CANARY")
    content = DOCTYPE.format("CANARY").replace('"CANARY"', f'SYSTEM "{canary.as_uri()}"') + f"<w:document {NAMESPACES}>&a;</w:document>"
    xml = f'<?xml version="1.0" encoding="{encoding}"?>{content}'.encode(encoding)

    with pytest.raises(MalformedDocument) as caught:
        read_docx(write_docx(tmp_path, p(SENTENCE), parts={name: xml}))
    assert "CANARY" not in caught.value.message


def test_a_billion_laughs_are_refused_before_they_are_parsed(tmp_path: Path) -> None:
    entities = '<!ENTITY l0 "ha">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f"<!DOCTYPE r [{entities}]><w:document {NAMESPACES}>&l9;</w:document>"
    began = time.perf_counter()

    with pytest.raises(MalformedDocument):
        read_docx(write_docx(tmp_path, "", parts={"word/document.xml": bomb}))
    assert time.perf_counter() - began < 1


def test_an_explosive_part_is_refused_without_unpacking(tmp_path: Path) -> None:
    path = write_docx(tmp_path, "<w:p/>" * 2_000_000)
    tracemalloc.start()
    began = time.perf_counter()

    with pytest.raises(LimitExceeded):
        read_docx(path)
    assert time.perf_counter() - began < 1
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_more_bytes_than_the_limit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_docx(tmp_path, p(SENTENCE), parts={"word/media/image.bmp": b"\0" * 500_000})
    monkeypatch.setattr(archives, "MOST_BYTES", 400_000)

    with pytest.raises(LimitExceeded, match="unpacks to"):
        read_docx(path)


def test_large_pictures_hurt_nobody_because_they_stay_packed(tmp_path: Path) -> None:
    path = write_docx(tmp_path, p(SENTENCE), parts={"word/media/image.emf": b"\0" * 30_000_000})

    assert texts(read_docx(path)) == [SENTENCE]


def test_more_entries_than_the_limit_are_refused(tmp_path: Path) -> None:
    path = write_docx(tmp_path, p(SENTENCE), parts={f"word/media/{n}.png": b"" for n in range(archives.MOST_ENTRIES)})

    with pytest.raises(LimitExceeded, match="entries"):
        read_docx(path)


def test_two_entries_of_one_name_are_refused(tmp_path: Path) -> None:
    path = write_docx(tmp_path, p(SENTENCE))
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("word/document.xml", part("document", f"<w:body>{p('another')}</w:body>"))

    with pytest.raises(MalformedDocument, match="two entries"):
        read_docx(path)


def test_a_directory_that_lies_about_a_size_unpacks_no_more(tmp_path: Path) -> None:
    path = write_docx(tmp_path, p(SENTENCE) * 5_000)
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo("word/document.xml").file_size
    data = path.read_bytes().replace(size.to_bytes(4, "little"), (1000).to_bytes(4, "little"))
    path.write_bytes(data)

    with pytest.raises(MalformedDocument):
        read_docx(path)


def test_more_paragraphs_than_the_limit_are_refused(tmp_path: Path) -> None:
    path = write_docx(tmp_path, "".join(p(f"{n} {n * n}") for n in range(400)))

    with pytest.raises(LimitExceeded, match="paragraphs"):
        docx.read(path, ReadOptions(max_blocks=100))


def test_a_package_that_points_outside_itself_reads_nothing_there(tmp_path: Path) -> None:
    secret = tmp_path / "secret.xml"
    secret.write_text(part("styles", style("S", "heading 1")))
    links = relationship("rId7", "footnotes", "../../secret.xml") + relationship("rId8", "endnotes", secret.as_uri(), external=True)

    assert texts(read_docx(write_docx(tmp_path, p(SENTENCE), links=links))) == [SENTENCE]


def test_a_file_without_relationships_is_still_found(tmp_path: Path) -> None:
    parts = {"_rels/.rels": relationships(""), "word/_rels/document.xml.rels": relationships("")}

    assert texts(read_docx(write_docx(tmp_path, p(SENTENCE), parts=parts))) == [SENTENCE]


def test_macros_are_not_read(tmp_path: Path) -> None:
    path = write_docx(tmp_path, p(SENTENCE), parts={"word/vbaProject.bin": b"Attribute VB_Name"}, name="macros.docm")

    assert texts(read_docx(path)) == [SENTENCE]


def test_a_spreadsheet_named_as_a_document_is_disguised(tmp_path: Path) -> None:
    path = tmp_path / "sheet.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")

    with pytest.raises(DisguisedDocument):
        choose_reader(take_sample(path, 10**6))


@pytest.mark.parametrize("body", ["", p(), p("   "), "<w:sectPr/>"])
def test_a_document_without_text_is_empty(tmp_path: Path, body: str) -> None:
    with pytest.raises(EmptyDocument, match="no text"):
        read_docx(write_docx(tmp_path, body))


def test_a_document_of_pictures_says_so(tmp_path: Path) -> None:
    with pytest.raises(EmptyDocument, match="pictures"):
        read_docx(write_docx(tmp_path, "<w:p><w:r><w:drawing/></w:r></w:p>"))


def test_an_embedded_document_is_reported(tmp_path: Path) -> None:
    reading = read_docx(write_docx(tmp_path, p(SENTENCE) + '<w:altChunk r:id="x"/>'))

    assert "embedded documents were not read" in reading.warnings[0]
    with pytest.raises(EmptyDocument, match="embeds"):
        read_docx(write_docx(tmp_path, '<w:altChunk r:id="x"/>'))


def test_tables_in_tables_without_end_are_cut_off(tmp_path: Path) -> None:
    nested = p("deep")
    for _ in range(60):
        nested = f"<w:tbl><w:tr><w:tc>{nested}</w:tc><w:tc>{p('x')}</w:tc></w:tr></w:tbl>"
    reading = read_docx(write_docx(tmp_path, nested))

    assert any("nested too deeply" in warning for warning in reading.warnings)


@pytest.mark.parametrize("value", ["-1", "99999999999", "x", "", "1.5", "٣"])
def test_odd_values_where_numbers_belong_do_not_hurt(tmp_path: Path, value: str) -> None:
    properties = (
        f'<w:outlineLvl w:val="{value}"/><w:numPr><w:ilvl w:val="{value}"/><w:numId w:val="1"/></w:numPr>'
        f'<w:spacing w:before="{value}" w:beforeLines="{value}"/><w:ind w:left="{value}"/>'
    )
    lvl = f'<w:lvl w:ilvl="{value}"><w:start w:val="{value}"/><w:lvlRestart w:val="{value}"/><w:lvlText w:val="%1%2%9"/></w:lvl>'
    numbering = f'<w:abstractNum w:abstractNumId="0">{lvl}</w:abstractNum>' + num(1, 0)
    cell = f'<w:tc><w:tcPr><w:gridSpan w:val="{value}"/></w:tcPr>{p("c")}</w:tc><w:tc>{p("d")}</w:tc>'
    body = p("Text", properties=properties) + p("Size", run=f'<w:sz w:val="{value}"/>') + f"<w:tbl><w:tr>{cell}</w:tr></w:tbl>"
    reading = read_docx(write_docx(tmp_path, body, numbering=numbering))

    assert any("Text" in text for text in texts(reading))


def test_a_thousand_headings_stay_a_tree_of_nine_levels(tmp_path: Path) -> None:
    body = "".join(p(f"H{n}", style=f"Heading{n % 60 + 1}") for n in range(1000))
    tree = build_outline(read_docx(write_docx(tmp_path, body, styles=headings(60))), "x")

    assert max(section.level for section in tree.sections) <= 12


def test_sixty_looks_of_headings_do_not_hurt(tmp_path: Path) -> None:
    body = "".join(p(f"Heading number {chr(65 + n % 26)}{n}", run=f'<w:b/><w:sz w:val="{160 - 2 * n}"/>') + p(SENTENCE) for n in range(60))
    tree = build_outline(read_docx(write_docx(tmp_path, body)), "x")

    assert len(tree.sections) > 50


def test_a_paragraph_of_a_million_characters_is_read_in_time(tmp_path: Path) -> None:
    began = time.perf_counter()
    words = " ".join(hashlib.sha256(str(n).encode()).hexdigest()[: n % 9 + 2] for n in range(150_000))
    reading = read_docx(write_docx(tmp_path, p(words) + p("1. " * 1000) + p("." * 5000 + " 7")))

    assert time.perf_counter() - began < 5
    assert len(reading.blocks) == 3


def test_runs_without_end_are_read_in_time(tmp_path: Path) -> None:
    linked = "".join(f'<w:hyperlink w:anchor="a{n}">{r(f"word {n} ")}</w:hyperlink>' for n in range(5_000))
    began = time.perf_counter()
    reading = read_docx(write_docx(tmp_path, f"<w:p>{linked}</w:p>" + p("x", properties=number(1))))

    assert time.perf_counter() - began < 5
    assert len(reading.blocks[0].links) == 5_000


def test_nothing_is_written_beside_the_file(tmp_path: Path) -> None:
    path = write_docx(tmp_path, p("One", style="Heading1") + p(SENTENCE), styles=headings())
    read_docx(path)

    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    assert titles(read_docx(path)) == [(1, "One")]
