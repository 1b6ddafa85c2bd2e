"""One page through Tesseract by PyMuPDF: read the right way up, in the languages it is written in, sizes evened out."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf

from ingest.pdf.extraction import FLAGS, raw_page
from ingest.pdf.recognised_lines import evened
from ingest.pdf.usual_words import usual_share
from ingest.pdf.values import RawPage

_PYMUPDF: Any = pymupdf  # half typed: a strict checker refuses most of its calls

SENSIBLE = 0.1  # share of usual words from which a page was read the right way up and in its own language (`usual_share`)
_LEAST = 0.06  # share below which no side of a page makes sense
_SAMPLE_DPI = 150  # enough to see which way up a page lies and what script it is in
_DPI = 300  # Tesseract's recommended resolution
_PIXELS = 16_000_000  # a larger picture takes more memory than a reader may have


def installed_languages(wanted: str) -> tuple[str, ...]:
    """Those of `wanted` (joined by "+") whose data Tesseract has; () when it is not installed."""
    try:
        folder = _PYMUPDF.get_tessdata()
    except (RuntimeError, OSError, ValueError):
        return ()
    return tuple(name for name in wanted.split("+") if folder and (Path(folder) / f"{name}.traineddata").exists())


def is_east_asian_page(page: Any, languages: str) -> bool:
    """Whether much of what is read in all languages is Chinese or Japanese; looked at in low resolution."""
    text = "".join(fragment.text for fragment in _read(page, languages, _SAMPLE_DPI).fragments)
    return sum("\u3040" <= character <= "\u9fff" for character in text) > 0.3 * sum(map(str.isalpha, text))


def recognised(page: Any, attempts: Sequence[str]) -> RawPage:
    """The page as Tesseract reads it; `attempts` are sets of languages ("eng", "eng+chi_sim"), the likeliest first.

    A page without usual words may have been scanned lying on its side or upside down: it is looked at from all sides, and stays as it
    lies when no side makes more sense.
    """
    upright: list[RawPage] = []
    for languages in attempts:
        upright.append(_read(page, languages))
        if sense(upright[-1]) >= SENSIBLE or not upright[-1].fragments:
            return upright[-1]
    best = max(upright, key=sense)
    turned: list[tuple[float, int, str]] = []
    for languages in attempts:
        for turn in (180, 90, 270):
            turned.append((sense(_read(page, languages, _SAMPLE_DPI, turn)), turn, languages))
            if turned[-1][0] >= SENSIBLE:
                return _read(page, languages, _DPI, turn)
    share, turn, languages = max(turned, key=lambda row: row[0])
    return _read(page, languages, _DPI, turn) if share > max(_LEAST, 2 * sense(best)) else best


def _read(page: Any, languages: str, dpi: int = _DPI, turn: int = 0) -> RawPage:
    """What Tesseract reads on the page as it is shown, turned by so many degrees; places are in points of the turned page."""
    zoom = _resolution(page, dpi) / 72
    pixmap = page.get_pixmap(matrix=_PYMUPDF.Matrix(zoom, zoom).prerotate(turn), colorspace=_PYMUPDF.csRGB, alpha=False)
    with _PYMUPDF.open("pdf", pixmap.pdfocr_tobytes(compress=False, language=languages)) as layered:
        picture = layered[0]
        scale = pixmap.width / zoom / picture.rect.width
        raw = raw_page(picture, picture.get_textpage(flags=FLAGS, matrix=_PYMUPDF.Matrix(scale, scale)))
    return evened(replace(raw, number=page.number + 1, width=pixmap.width / zoom, height=pixmap.height / zoom))


def sense(raw: RawPage) -> float:
    """The share of usual words on a page; see `usual_share`."""
    return usual_share(" ".join(fragment.text for fragment in raw.fragments))


def _resolution(page: Any, dpi: int) -> int:
    """As Tesseract likes it, less for a page so large that its picture would not fit into memory."""
    inches = page.rect.width * page.rect.height / 72**2
    return max(72, min(dpi, int(math.sqrt(_PIXELS / max(1.0, inches)))))
