"""One page through Tesseract by PyMuPDF: read the right way up, in the languages it is written in, sizes evened out."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf

from ingest.pdf.extraction import raw_page
from ingest.pdf.usual_words import usual_share
from ingest.pdf.values import Fragment, RawPage, Run

_PYMUPDF: Any = pymupdf  # half typed: a strict checker refuses most of its calls

SENSIBLE = 0.25  # share of usual words from which a page was read the right way up and in its own language (`usual_share`)
_SAMPLE_DPI = 150  # enough to see which way up a page lies and what script it is in
_DPI = 300  # Tesseract's recommended resolution
_PIXELS = 16_000_000  # a larger picture takes more memory than a reader may have
_STEP = 1.18  # ratio between the type sizes that recognised lines are sorted into
_NOISE = 0.45  # times the page's size: smaller marks are specks, frames, parts of drawings


def installed_languages(wanted: str) -> tuple[str, ...]:
    """Those of `wanted` (joined by "+") whose data Tesseract has; () when it is not installed."""
    try:
        folder = _PYMUPDF.get_tessdata()
    except (RuntimeError, OSError, ValueError):
        return ()
    return tuple(name for name in wanted.split("+") if folder and (Path(folder) / f"{name}.traineddata").exists())


def is_east_asian_page(page: Any, languages: str) -> bool:
    """Whether much of what is read in all languages is Chinese or Japanese; looked at in low resolution."""
    text: str = page.get_text(textpage=page.get_textpage_ocr(language=languages, dpi=_resolution(page, _SAMPLE_DPI), full=True))
    return sum("\u3040" <= character <= "\u9fff" for character in text) > 0.3 * sum(map(str.isalpha, text))


def recognised(page: Any, attempts: Sequence[str]) -> RawPage:
    """The page as Tesseract reads it; `attempts` are sets of languages ("eng", "eng+chi_sim"), the likeliest first.

    A page without usual words may have been scanned lying on its side or upside down: it is looked at from all sides, and stays as it
    lies when no side makes more sense.
    """
    upright = [_read(page, languages) for languages in attempts[:1]]
    if sense(upright[0]) >= SENSIBLE or not upright[0].fragments:
        return upright[0]
    upright += [_read(page, languages) for languages in attempts[1:]]
    best = max(upright, key=sense)
    if sense(best) >= SENSIBLE:
        return best
    lying = page.rotation
    turn, languages = _side(page, attempts)
    page.set_rotation((lying + turn) % 360)
    return _read(page, languages) if turn else best


def _side(page: Any, attempts: Sequence[str]) -> tuple[int, str]:
    """By how many degrees to turn the page until it makes sense, and read in what; 0 when it does from no side."""
    lying = page.rotation
    for languages in attempts:
        for turn in (90, 180, 270):
            page.set_rotation((lying + turn) % 360)
            if sense(_read(page, languages, _SAMPLE_DPI)) >= SENSIBLE:
                return turn, languages
    return 0, attempts[0]


def _read(page: Any, languages: str, dpi: int = _DPI) -> RawPage:
    textpage = page.get_textpage_ocr(language=languages, dpi=_resolution(page, dpi), full=True)
    return _evened(raw_page(page, textpage))


def sense(raw: RawPage) -> float:
    """The share of usual words on a page; see `usual_share`."""
    return usual_share(" ".join(fragment.text for fragment in raw.fragments))


def _resolution(page: Any, dpi: int) -> int:
    """As Tesseract likes it, less for a page so large that its picture would not fit into memory."""
    inches = page.rect.width * page.rect.height / 72**2
    return max(72, min(dpi, int(math.sqrt(_PIXELS / max(1.0, inches)))))


def _evened(raw: RawPage) -> RawPage:
    """The page with its type sizes sorted into steps: recognised lines are as high as their letters happen to be."""
    counts = sorted((f.style.size, len(f.text)) for f in raw.fragments)
    half_way = sum(count for _, count in counts) / 2
    usual, seen = 10.0, 0
    for size, count in counts:
        seen += count
        if seen >= half_way:
            usual = size
            break
    kept = [f for f in raw.fragments if f.style.size >= _NOISE * usual and any(c.isalnum() for c in f.text)]
    return replace(raw, fragments=tuple(_stepped(f, usual) for f in kept))


def _stepped(fragment: Fragment, usual: float) -> Fragment:
    steps = round(math.log(fragment.style.size / usual, _STEP) / 2) * 2
    style = replace(fragment.style, size=round(usual * _STEP**steps, 1), family="", bold=False, italic=False, mono=False)
    runs = tuple(Run(run.text, style, False, run.x0, run.x1) for run in fragment.runs)
    return fragment._replace(style=style, runs=runs)
