"""A PDF file becomes a Reading: open, extract, order, find what is not running text, find headings, make blocks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ingest.blocks import Reading, StructureSource
from ingest.formats import ReadOptions
from ingest.pdf.asides import footnotes, is_caption
from ingest.pdf.blocks import blocks_of
from ingest.pdf.bookmarks import check_bookmarks, read_bookmarks
from ingest.pdf.columns import ordered_lines
from ingest.pdf.contents import Contents, find_contents, lists_contents
from ingest.pdf.doubts import doubts_of
from ingest.pdf.evidence import LANGUAGE_MODEL, Evidence, chosen_evidence, named
from ingest.pdf.extraction import raw_page
from ingest.pdf.furniture import split_furniture
from ingest.pdf.headings import Claim, find_headings
from ingest.pdf.links import read_links, unit_links
from ingest.pdf.matching import TitleFinder
from ingest.pdf.opening import open_pdf, properties
from ingest.pdf.placing import contents_claims
from ingest.pdf.scans import Recognition, packages, recognise
from ingest.pdf.tables import TAG, Table, aligned_tables, take_tables
from ingest.pdf.title import document_title
from ingest.pdf.typography import body_size, measure, underlined
from ingest.pdf.units import units_of
from ingest.pdf.values import PageLines, RawPage

_FEW_SIDEWAYS = 12  # characters across the reading direction that are worth keeping; fewer are marks on drawings


def read_pdf(path: Path, options: ReadOptions, evidence: Sequence[Evidence] | None = None) -> Reading:
    """Read a PDF file; without `evidence` with what the options name.

    Raises EncryptedDocument, MalformedDocument, LimitExceeded, NeedsOcr, SettingsError.
    """
    if evidence is None:
        evidence = chosen_evidence(options.evidence, options.announce)
    with open_pdf(path, options) as document:
        recognition = recognise(path, document, [raw_page(page) for page in document], options)
        return _reading(document, recognition, options, evidence)


def _reading(document: Any, recognition: Recognition, options: ReadOptions, evidence: Sequence[Evidence]) -> Reading:
    raw, without = recognition.pages, options.without
    size = body_size(raw)
    pages, tables = page_lines(raw, size, tables="tables" not in without)
    typography = measure(pages, size)
    units = units_of(pages, typography)
    contents = Contents() if "contents" in without else find_contents(pages, units)
    notes = footnotes(pages, units, typography)
    captions = {unit.index for unit in units if unit.index not in notes and is_caption(unit, typography)}
    tabular = {unit.index: tables[int(unit.first.tag.removeprefix(TAG))] for unit in units if unit.first.tag.startswith(TAG)}
    skipped = notes | captions | tabular.keys() | contents.units
    bookmarks = () if "bookmarks" in without else read_bookmarks(document)
    finder = TitleFinder(units, skipped)
    confirmed, warnings = check_bookmarks(bookmarks, finder, units, {*recognition.recognised, *recognition.unread})
    claims = [
        Claim(found=row.found, level=row.bookmark.level, source="bookmark") for row in confirmed if row.found is not None
    ] or contents_claims(contents, finder, units)
    unprinted = [row for row in confirmed if row.found is None]

    judged: dict[int, float] = {}

    def further(scores: Mapping[int, float]) -> Iterator[tuple[StructureSource, Mapping[int, float]]]:
        for one in evidence:
            yield one.source, one.log_odds(document, units, scores)
        # By now what was yielded has been added to the scores.
        judged.update(scores)

    headings = find_headings(units, typography, skipped, contents.units, claims, unprinted, further, without)
    sideways = {page.number: " ".join(page.sideways) for page in raw if sum(map(len, page.sideways)) >= _FEW_SIDEWAYS}
    links = unit_links(units, read_links(document))
    settled = {i for claim in claims for i in range(claim.found.start, claim.found.end)}
    asked = LANGUAGE_MODEL in named(options.evidence)
    doubts = doubts_of(units, {i: odds for i, odds in judged.items() if i not in settled}, typography) if asked else {}
    metadata = properties(document)
    return Reading(
        title=document_title(metadata, units, typography),
        format="pdf",
        blocks=blocks_of(units, headings, notes, captions, contents.units, typography, tabular, links, sideways, doubts),
        pages=len(raw),
        warnings=(*warnings, *_warnings(recognition)),
        metadata=metadata,
    )


def _warnings(recognition: Recognition) -> list[str]:
    raw, unread, doubtful = recognition.pages, recognition.unread, recognition.doubtful
    hidden = sum(page.hidden_characters for page in raw)
    found = []
    if recognition.recognised:
        found.append(f"{len(recognition.recognised)} of {len(raw)} pages had no text and were recognised by Tesseract: expect slips")
    if doubtful:
        more = f", install {packages(recognition.missing)}" if recognition.missing else ""
        found.append(
            f"{len(doubtful)} of the recognised pages hold hardly any usual word (pages {_listed(doubtful)}): when they are in another "
            f"language, name it in SECTIONARY_OCR_LANGUAGES{more} and ingest again"
        )
    if unread:
        found.append(
            f"{len(unread)} of {len(raw)} pages hold pictures of text only and were left out (pages {_listed(unread)}): "
            f"install {packages(recognition.missing)}"
        )
    if hidden:
        found.append(f"{hidden:,} characters that the pages do not show (unpainted, white or tiny) were left out")
    return found


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:10])) + (" ..." if len(numbers) > 10 else "")


def page_lines(raw: Sequence[RawPage], size: float, *, tables: bool = True) -> tuple[list[PageLines], list[Table]]:
    """The pages' lines in reading order, running heads and page numbers apart, underlines found; tables are taken out of them."""
    pages: list[PageLines] = []
    found: list[Table] = []
    for page, (content, furniture) in zip(raw, split_furniture(raw, size), strict=True):
        if tables:
            content, ruled = take_tables(page, content, len(found))
            found.extend(ruled)
        lines = ordered_lines(page.number, content)
        marks = underlined(lines, page.rules)
        lines = [
            replace(line, underlined=whole, underline=end) if whole or end else line
            for line, (whole, end) in zip(lines, marks, strict=True)
        ]
        if tables and not lists_contents(lines):
            lines, aligned = aligned_tables(lines, len(found))
            found.extend(aligned)
        pages.append(
            PageLines(
                number=page.number, width=page.width, height=page.height, lines=tuple(lines), furniture=tuple(furniture), rules=page.rules
            )
        )
    return pages, found
