"""Pages without text of their own: which they are, and how Tesseract, where it is installed, gives it to them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from es_mappings.errors import LimitExceeded, NeedsOcr
from ingest.formats import ReadOptions
from ingest.pdf.page_workers import recognise_pages
from ingest.pdf.tesseract import SENSIBLE, installed_languages, is_east_asian_page, recognised, sense
from ingest.pdf.values import RawPage

_FEW = 16  # visible characters up to which a page with a picture counts as having no text
_SAMPLED = 12  # pieces of text that show whether a page can be read
_GARBAGE = 0.3  # share of unreadable characters from which a text layer counts as none
_PICTURE = 0.25  # share of the page that a picture of text covers at least
_SCAN = 0.6  # share that it covers where words stand over it that were stamped on by who passed the scan on
_DRAWN = 500  # shapes from which a page without text may be text drawn as outlines
_STAMPED = 3  # pages on which words stand that belong to none of them
_NONSENSE = 0.05  # share of usual words below which a recognised page is probably in another language
_EAST_ASIAN = ("chi_", "jpn", "kor")
_FEW_PAGES = 2  # so few are recognised here: more processes take longer to start than they save


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognition:
    """All pages with what was recognised among them; the numbers of pages recognised, still without text, and that make no sense."""

    pages: tuple[RawPage, ...]
    recognised: tuple[int, ...] = ()
    unread: tuple[int, ...] = ()
    doubtful: tuple[int, ...] = ()
    missing: tuple[str, ...] = ()


def recognise(path: Path, document: Any, pages: Sequence[RawPage], options: ReadOptions) -> Recognition:
    """Give the pages that lack text the text that Tesseract reads on them; pages with text stay as they are.

    Raises NeedsOcr when nothing in the document can be read without something that is not installed, LimitExceeded when
    recognising would take longer than allowed.
    """
    lacking = lacking_text(document, pages)
    if not lacking:
        return Recognition(pages=tuple(pages))
    languages = installed_languages(options.ocr_languages)
    missing = tuple(name for name in options.ocr_languages.split("+") if name not in languages)
    if not languages:
        if len(lacking) == len(pages) or not any(page.fragments for page in pages if page.number not in lacking):
            raise NeedsOcr(f"{path.name} holds pictures of text only: install Tesseract ({packages(missing)}) and try again")
        return Recognition(pages=tuple(pages), unread=tuple(lacking), missing=missing)
    if len(lacking) * options.page_seconds > options.longest_seconds:
        raise LimitExceeded(
            f"{path.name} has {len(lacking):,} scanned pages; at up to {options.page_seconds:g} s each they would take longer than "
            f"{options.longest_seconds:,g} s: split it, add a text layer with an OCR program, or raise SECTIONARY_READER_LONGEST_SECONDS"
        )
    found = {page.number: page for page in _recognised(path, document, lacking, languages, options)}
    for page in pages:
        # A picture under a page's only line of text need not be a scan.
        if page.number in found and _is_readable(page) and sense(found[page.number]) < SENSIBLE:
            del found[page.number]
    doubtful = tuple(number for number, page in found.items() if page.fragments and sense(page) < _NONSENSE)
    if missing and len(doubtful) == len(pages):
        raise NeedsOcr(f"{path.name} cannot be read in the installed languages ({'+'.join(languages)}): install {packages(missing)}")
    merged = tuple(found.get(page.number, page) for page in pages)
    return Recognition(pages=merged, recognised=tuple(sorted(found)), doubtful=tuple(sorted(doubtful)), missing=missing)


def _recognised(path: Path, document: Any, lacking: Sequence[int], languages: Sequence[str], options: ReadOptions) -> Iterator[RawPage]:
    options.announce("recognising", 0, len(lacking))
    attempts = _attempts(document, lacking, languages)
    if len(lacking) <= _FEW_PAGES:
        ready: Iterator[RawPage] = (recognised(document[number - 1], attempts) for number in lacking)
    else:
        ready = recognise_pages(path, lacking, attempts)
    for done, page in enumerate(ready, 1):
        yield page
        options.announce("recognising", done, len(lacking))


def _attempts(document: Any, lacking: Sequence[int], languages: Sequence[str]) -> tuple[str, ...]:
    """Without Chinese, Japanese and Korean first unless sampled pages hold them: they make Tesseract slower and other text noisier."""
    together, others = "+".join(languages), "+".join(name for name in languages if not name.startswith(_EAST_ASIAN))
    if others in ("", together):
        return (together,)
    sampled = dict.fromkeys((lacking[0], lacking[len(lacking) // 2]))
    if any(is_east_asian_page(document[number - 1], together) for number in sampled):
        return (together, others)
    return (others, together)


def packages(missing: Sequence[str]) -> str:
    """The Debian packages of Tesseract and of languages that it lacks."""
    return " and ".join(["tesseract-ocr", *(f"tesseract-ocr-{name.replace('_', '-')}" for name in missing)])


def lacking_text(document: Any, pages: Sequence[RawPage]) -> list[int]:
    """The numbers of pages that show a picture or drawing but no readable text of their own."""
    counts = Counter(text for page in pages for text in {fragment.text for fragment in page.fragments[:_SAMPLED]})
    stamps = frozenset(text for text, count in counts.items() if count >= _STAMPED)
    return [page.number for page in pages if _lacks_text(document[page.number - 1], page, stamps)]


def _lacks_text(page: Any, raw: RawPage, stamps: frozenset[str]) -> bool:
    if _is_readable(raw):
        own = (fragment.text for fragment in raw.fragments if fragment.text not in stamps)
        return not _is_more(own, _FEW) and _is_pictured(page, _SCAN)
    unreadable = sum(map(_is_garbage, "".join(fragment.text for fragment in raw.fragments[:_SAMPLED])))
    return unreadable > _FEW or len(raw.rules) > _DRAWN or _is_pictured(page, _PICTURE)


def _is_readable(raw: RawPage) -> bool:
    text = "".join(fragment.text for fragment in raw.fragments[:_SAMPLED])
    return _is_more([text], _FEW) and sum(map(_is_garbage, text)) < _GARBAGE * len(text)


def _is_more(texts: Iterable[str], count: int) -> bool:
    """Whether the texts have more letters and digits than that."""
    found = 0
    for text in texts:
        found += sum(map(str.isalnum, text))
        if found > count:
            return True
    return False


def _is_garbage(character: str) -> bool:
    return character == "\ufffd" or "\ue000" <= character <= "\uf8ff"


def _is_pictured(page: Any, share: float) -> bool:
    area = share * page.rect.width * page.rect.height
    return bool(page.get_images()) and any(_area(info["bbox"]) > area for info in page.get_image_info())


def _area(box: Sequence[float]) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])
