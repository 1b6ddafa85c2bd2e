"""Scanned pages: only they are recognised, whichever way they lie, in English and Chinese, within a time that is told beforehand.

Tesseract takes about a second for each of these small pages, so the tests that run it share two documents.
"""

import textwrap
from pathlib import Path
from typing import Any

import pytest

from es_mappings.errors import EncryptedDocument, LimitExceeded, MalformedDocument, NeedsOcr
from ingest.blocks import Reading
from ingest.formats import ReadOptions, SlowStage
from ingest.formats.pdf import read
from ingest.pdf import scans, tesseract
from ingest.pdf.extraction import raw_page
from ingest.pdf.usual_words import usual_share
from ingest.sandbox import Limits, ReaderPool
from tests.pdf_pages import FILLER, PYMUPDF, new_document, write_pdf

ENGLISH = FILLER + "The members of the house had all of it by heart, and so did the clerk who read it to them."
CHINESE = "委员会在春天开会，审查了前一年的账目。其中没有任何新的内容，但是每位成员都要求有时间再读一遍。秘书记录了谁在会上发言。"
needs_tesseract = pytest.mark.skipif(
    len(tesseract.installed_languages("eng+chi_sim")) < 2, reason="Tesseract with eng and chi_sim is missing"
)


def _scan(document: Any, head: str, text: str, font: str = "helv", turn: int = 0, stamp: str = "") -> None:
    """Add a page that is a picture of a head and a paragraph, lying as turned by so many degrees."""
    drawn = PYMUPDF.open()
    page = drawn.new_page(width=360, height=240)
    page.insert_text((30, 45), head, fontsize=20, fontname=font)
    wide = font == "china-s"
    for row, line in enumerate(textwrap.wrap(text, 26 if wide else 60)):
        page.insert_text((30, 80 + 19 * row), line, fontsize=11, fontname=font)
    picture = page.get_pixmap(dpi=200)
    lying = document.new_page(width=360, height=240) if turn % 180 == 0 else document.new_page(width=240, height=360)
    lying.insert_image(lying.rect, pixmap=picture, rotate=turn)
    if stamp:
        lying.insert_text((30, 232), stamp, fontsize=6)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Reading, list[tuple[SlowStage, int, int]]]:
    """Two pages of text and scans between them, read in the confined child: the reading, and what was heard of its progress."""
    document, writer = new_document()
    writer.new_page().line("Ponds of the South", 20, "hebo").text(8)
    _scan(document, "Rivers of the North", ENGLISH)
    _scan(document, "Upside down", ENGLISH, turn=180)
    _scan(document, "Lying on its side", ENGLISH, turn=90)
    _scan(document, "财务报告", CHINESE, font="china-s")
    writer.new_page().line("Lakes of the West", 20, "hebo").text(8)
    heard: list[tuple[SlowStage, int, int]] = []
    path = write_pdf(tmp_path_factory.mktemp("scans") / "a.pdf", document)
    with ReaderPool(Limits()) as pool:
        return pool.read(path, ReadOptions(announce=lambda *step: heard.append(step))), heard


@needs_tesseract
def test_only_the_pages_that_are_pictures_are_recognised_and_large_lines_are_headings_whichever_way_they_lie(
    mixed: tuple[Reading, list[tuple[SlowStage, int, int]]],
) -> None:
    reading, _ = mixed
    found = [(block.text.replace(" ", ""), block.page) for block in reading.blocks if block.kind == "heading"]
    assert found == [
        ("PondsoftheSouth", 1),
        ("RiversoftheNorth", 2),
        ("Upsidedown", 3),
        ("Lyingonitsside", 4),
        ("财务报告", 5),
        ("LakesoftheWest", 6),
    ]
    texts = {
        page: "".join(block.text for block in reading.blocks if block.page == page and block.kind != "heading") for page in range(1, 7)
    }
    assert all("went over the accounts" in texts[page] for page in (1, 2, 3, 4, 6))
    assert "委员会在春天" in texts[5].replace(" ", "")
    assert any("4 of 6 pages had no text" in warning for warning in reading.warnings)
    assert not any("usual word" in warning for warning in reading.warnings)


@needs_tesseract
def test_the_progress_of_recognition_is_told_page_by_page(mixed: tuple[Reading, list[tuple[SlowStage, int, int]]]) -> None:
    assert mixed[1] == [("recognising", done, 4) for done in range(5)]


@needs_tesseract
def test_a_stamp_on_every_scan_is_no_text_of_theirs_and_photographs_keep_their_own(tmp_path: Path) -> None:
    document = PYMUPDF.open()
    for number in range(3):
        _scan(document, f"Chapter {number + 1}", ENGLISH, stamp="Downloaded from the library of the university")
    photograph = document.new_page(width=360, height=240)
    photograph.insert_image(photograph.rect, pixmap=PYMUPDF.Pixmap(PYMUPDF.csRGB, PYMUPDF.IRect(0, 0, 36, 24), False))
    photograph.insert_text((30, 120), "A pond at night, as the painter saw it", color=(1, 1, 0))
    pages = [raw_page(page) for page in document]
    assert scans.lacking_text(document, pages) == [1, 2, 3]


def test_scans_that_would_take_too_long_are_refused_before_they_are_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scans, "installed_languages", lambda wanted: ("eng",))
    document = PYMUPDF.open()
    for _ in range(4):
        _scan(document, "Rivers", ENGLISH)
    with pytest.raises(LimitExceeded, match=r"4 scanned pages.*SECTIONARY_READER_LONGEST_SECONDS"):
        read(write_pdf(tmp_path / "a.pdf", document), ReadOptions(page_seconds=10, longest_seconds=39))


@needs_tesseract
def test_a_language_that_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scans, "installed_languages", lambda wanted: ("eng",))
    document = PYMUPDF.open()
    _scan(document, "财务报告", CHINESE, font="china-s")
    with pytest.raises(NeedsOcr, match="tesseract-ocr-chi-sim"):
        read(write_pdf(tmp_path / "a.pdf", document), ReadOptions())


def test_a_missing_tesseract_is_named_with_the_languages_that_are_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scans, "installed_languages", lambda wanted: ())
    document = PYMUPDF.open()
    _scan(document, "Rivers", ENGLISH)
    with pytest.raises(NeedsOcr, match="tesseract-ocr and tesseract-ocr-deu"):
        read(write_pdf(tmp_path / "a.pdf", document), ReadOptions(ocr_languages="deu"))


def test_language_is_told_from_what_only_looks_like_it() -> None:
    assert usual_share(ENGLISH) > 0.3
    assert usual_share(CHINESE) > 0.3
    assert usual_share(" ".join(CHINESE)) == pytest.approx(usual_share(CHINESE), abs=0.05), "Tesseract puts spaces between characters"
    assert (
        usual_share("Der Ausschuss trat im Frühjahr zusammen und ging die Rechnungen des vergangenen Jahres durch, wie es die Regeln sind.")
        > 0.2
    )
    assert usual_share("‘ureBe Wey] peel 0} Swi} JO} payse sequiew AiaA9d aA puke ‘Mou sem way} ui BulyoN ‘a10jaq JeaA ayy jo") < 0.05
    assert usual_share("") == usual_share("12 34") == 0


@pytest.mark.parametrize("kind", ["encrypted", "garbage", "no pages"])
def test_files_that_hold_no_readable_page_keep_their_errors(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.pdf"
    document = PYMUPDF.open()
    _scan(document, "Rivers", ENGLISH)
    if kind == "encrypted":
        write_pdf(path, document, encryption=PYMUPDF.PDF_ENCRYPT_AES_256, user_pw="frog", owner_pw="toad")
        expected: type[Exception] = EncryptedDocument
    else:
        empty = (
            b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n"
        )
        path.write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 8 if kind == "garbage" else empty)
        expected = MalformedDocument
    with ReaderPool(Limits()) as pool, pytest.raises(expected):
        pool.read(path, ReadOptions())
