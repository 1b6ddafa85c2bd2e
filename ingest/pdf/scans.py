"""Pages without text: recognised by Tesseract through PyMuPDF where it is installed, positions kept so that headings are still found."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf

from ingest.pdf.extraction import raw_page
from ingest.pdf.values import Fragment, RawPage, Run

_PYMUPDF: Any = pymupdf  # half typed: a strict checker refuses most of its calls

_LANGUAGES = ("eng", "chi_sim")
_FEW = 16  # visible characters up to which a page with a picture counts as having no text
_SAMPLED = 12  # pieces of text that show whether a page can be read
_GARBAGE = 0.3  # share of unreadable characters from which a text layer counts as none
_PICTURE = 0.25  # share of the page that a picture of text covers at least
_DRAWN = 500  # shapes from which a page without text may be text drawn as outlines
_SENSIBLE = 0.5  # share of characters in words from which a page was read the right way up
_WORDS = re.compile(r"[^\W\d_]{3,}|[\u4e00-\u9fff]{2,}")
_SAMPLE_DPI = 150
_DPI = 300  # Tesseract's recommended resolution
_PIXELS = 16_000_000  # a larger picture takes more memory than a reader may have
_STEP = 1.18  # ratio between the type sizes that recognised lines are sorted into
_NOISE = 0.45  # times the page's size: smaller marks are specks, frames, parts of drawings


def tesseract_languages() -> str | None:
    """The installed languages out of English and Chinese, as Tesseract wants them; None when it is not installed."""
    try:
        folder = _PYMUPDF.get_tessdata()
    except (RuntimeError, OSError, ValueError):
        return None
    if not folder:
        return None
    installed = [language for language in _LANGUAGES if (Path(folder) / f"{language}.traineddata").exists()]
    return "+".join(installed) or None


def lacks_text(page: Any, raw: RawPage) -> bool:
    """Whether a page shows a picture or drawing but no readable text."""
    text = "".join(fragment.text for fragment in raw.fragments[:_SAMPLED])
    readable = sum(character.isalnum() for character in text)
    unreadable = sum(character == "\ufffd" or "\ue000" <= character <= "\uf8ff" for character in text)
    if readable > _FEW and unreadable < _GARBAGE * len(text):
        return False
    if unreadable > _FEW or len(raw.rules) > _DRAWN:
        return True
    area = page.rect.width * page.rect.height
    return bool(page.get_images()) and any(_area(info["bbox"]) > _PICTURE * area for info in page.get_image_info())


def _area(box: Sequence[float]) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def recognised(page: Any, languages: str) -> RawPage:
    """The page as Tesseract reads it, turned when it was scanned lying on its side or upside down."""
    upright = _read(page, languages)
    if _sense(upright) >= _SENSIBLE:
        return upright
    turned = []
    for angle in (90, 180, 270):
        page.set_rotation((page.rotation + 90) % 360)
        turned.append((_sense(found := _read(page, languages)), angle, found))
        if turned[-1][0] >= _SENSIBLE:
            break
    best = max(turned, key=lambda row: row[0])
    return best[2] if best[0] > _sense(upright) else upright


def _read(page: Any, languages: str) -> RawPage:
    textpage = page.get_textpage_ocr(language=languages, dpi=_resolution(page), full=True)
    return _evened(raw_page(page, textpage))


def _sense(raw: RawPage) -> float:
    """The share of characters that stand in words or between Chinese ones: text read sideways falls into pieces."""
    text = " ".join(fragment.text for fragment in raw.fragments)
    letters = sum(not character.isspace() for character in text)
    worded = sum(map(len, _WORDS.findall(text)))
    return worded / letters if letters > 8 else 0.0


def _languages_of(document: Any, pages: Sequence[int], languages: str) -> str:
    """English alone unless the first pages hold Chinese: each language more makes Tesseract slower and noisier."""
    if "+" not in languages or not pages:
        return languages
    for number in pages[:2]:
        page = document[number - 1]
        text = page.get_text(textpage=page.get_textpage_ocr(language=languages, dpi=_SAMPLE_DPI, full=True))
        if sum("\u4e00" <= character <= "\u9fff" for character in text) > 0.3 * sum(character.isalpha() for character in text):
            return languages
    return _LANGUAGES[0]


def _resolution(page: Any) -> int:
    """As Tesseract likes it, less for a page so large that its picture would not fit into memory."""
    inches = page.rect.width * page.rect.height / 72**2
    return max(72, min(_DPI, int(math.sqrt(_PIXELS / max(1.0, inches)))))


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


def recognise(document: Any, pages: Sequence[RawPage]) -> tuple[list[RawPage], list[int], list[int]]:
    """The pages, those without text recognised where that is possible: (pages, numbers recognised, numbers that still lack text)."""
    lacking = [raw.number for raw in pages if lacks_text(document[raw.number - 1], raw)]
    languages = tesseract_languages() if lacking else None
    if languages is None:
        return list(pages), [], lacking
    languages = _languages_of(document, lacking, languages)
    found = [recognised(document[raw.number - 1], languages) if raw.number in lacking else raw for raw in pages]
    return found, lacking, []
