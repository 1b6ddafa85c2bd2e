"""Finding a title on the pages: bookmarks and contents entries shorten, re-case and renumber what the page prints. Pure."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from ingest.pdf.numbering import parse_numbering
from ingest.pdf.units import BULLET, Unit

_MAX_JOINED = 4  # units that one title may be spread over
# Loss a point away from where a title should stand: it parts equals, and outweighs no better agreement, as many files point to the
# top of the page.
_FAR = 1 / 40_000
_BULLETED = 0.025  # loss of a list item: of two lines with the same words it is rarely the heading
_FUZZY = 0.84  # SequenceMatcher ratio from which two titles are the same with a slip


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where a title stands: units `start` to `end` (exclusive), how well it agrees (0..1), and the characters of a run-in (else None)."""

    start: int
    end: int
    agreement: float
    run_in: int | None = None


def squeeze(text: str) -> str:
    """A text for comparing: compatibility forms, case, spaces and punctuation dropped."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()


def bare(title: str) -> str:
    """`squeeze` of a title without its number; of the whole where nothing else is there."""
    numbering = parse_numbering(title)
    rest = squeeze(numbering.rest) if numbering is not None else ""
    return rest if len(rest) > 1 else squeeze(title)


class TitleFinder:
    """Looks titles up among the units of a document; built once, asked for every bookmark and contents entry."""

    def __init__(self, units: Sequence[Unit], skipped: set[int]) -> None:
        self._units = units
        self._skipped = skipped
        self._bare = [bare(unit.text[:400]) for unit in units]
        self._whole = [squeeze(unit.text[:400]) for unit in units]
        self._by_page: dict[int, list[int]] = defaultdict(list)
        self._by_text: dict[str, list[int]] = defaultdict(list)
        for unit in units:
            if unit.index not in skipped:
                self._by_page[unit.page].append(unit.index)
                self._by_text[self._bare[unit.index]].append(unit.index)

    def on_pages(self, title: str, pages: Iterable[int], taken: set[int], y: float | None = None) -> Found | None:
        """The best agreement on these pages, earlier ones first; `y` is where the title should stand on the first of them."""
        best: tuple[float, Found] | None = None
        for distance, page in enumerate(pages):
            for index in self._by_page.get(page, ()):
                if index in taken:
                    continue
                found = self._agreement(title, index)
                if found is None:
                    continue
                off = abs(self._units[index].first.y0 - y) * _FAR if y is not None and distance == 0 else 0.0
                bullet = _BULLETED if BULLET.match(self._units[index].text) else 0.0
                value = found.agreement - 0.04 * distance - off - bullet
                if best is None or value > best[0]:
                    best = value, found
        return best[1] if best else None

    def anywhere(self, title: str, taken: set[int]) -> Found | None:
        """The only unit of the document that agrees in full, if there is exactly one."""
        places = [index for index in self._by_text.get(bare(title), ()) if index not in taken]
        if len(places) == 1 and len(bare(title)) > 3:
            return Found(start=places[0], end=places[0] + 1, agreement=0.9)
        return None

    def _agreement(self, title: str, index: int) -> Found | None:
        wanted, whole = bare(title), squeeze(title)
        if not wanted:
            return None
        here, here_whole = self._bare[index], self._whole[index]
        if here_whole == whole:
            return Found(start=index, end=index + 1, agreement=1.0)
        if here == wanted:
            return Found(start=index, end=index + 1, agreement=0.97)
        joined = self._joined(index, wanted, whole)
        if joined is not None:
            return joined
        if len(wanted) > 5 and (here.startswith(wanted) or here_whole.startswith(whole)):
            return self._beginning(title, index, len(wanted) / len(here))
        if len(here) > 5 and wanted.startswith(here) and len(here) > 0.5 * len(wanted):
            return Found(start=index, end=index + 1, agreement=0.8)
        return self._fuzzy(title, wanted, here, index)

    def _joined(self, index: int, wanted: str, whole: str) -> Found | None:
        """A title over several units: a chapter's label and name, or lines that stand far apart."""
        for text in (whole, wanted):
            left = text
            for end in range(index, min(index + _MAX_JOINED, len(self._units))):
                piece = self._bare[end] if text is wanted and end == index else self._whole[end]
                if end in self._skipped or not piece or not left.startswith(piece):
                    break
                left = left[len(piece) :]
                if not left:
                    return Found(start=index, end=end + 1, agreement=0.95)
        return None

    def _beginning(self, title: str, index: int, share: float) -> Found | None:
        """The unit begins with the title: a longer heading, or a heading run into its paragraph."""
        unit = self._units[index]
        if len(unit.lines) <= 3 and (share > 0.35 or len(unit.text) < 160) and not unit.text.rstrip().endswith("."):
            return Found(start=index, end=index + 1, agreement=0.9)
        length = _prefix_length(unit.text, title)
        boundary = _style_end(unit)
        if boundary is not None and abs(boundary - length) <= 3:
            return Found(start=index, end=index + 1, agreement=0.85, run_in=boundary)
        after = unit.text[length : length + 1]
        if after in ".:—–" and after:
            return Found(start=index, end=index + 1, agreement=0.75, run_in=length + 1)
        return None

    def _fuzzy(self, title: str, wanted: str, here: str, index: int) -> Found | None:
        if len(wanted) < 6 or len(here) > 4 * len(wanted) or len(here) < 0.3 * len(wanted) or len(self._units[index].lines) > 5:
            return None
        matcher = SequenceMatcher(None, wanted, here, autojunk=False)
        if matcher.real_quick_ratio() > _FUZZY and matcher.ratio() > _FUZZY:
            return Found(start=index, end=index + 1, agreement=0.8)
        mine, theirs = parse_numbering(title), self._units[index].numbering
        same_number = mine is not None and theirs is not None and mine.values == theirs.values
        words, others = _words(title), _words(self._units[index].text)
        shared = len(words & others) / max(1, min(len(words), len(others)))
        if same_number and len(words & others) >= 2 and shared >= 0.6:
            return Found(start=index, end=index + 1, agreement=0.75)
        return None


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"[^\W\d_]+", text.casefold()) if len(word) > 2}


def _prefix_length(text: str, title: str) -> int:
    """How many characters of `text` are used up by the letters of `title` (its number left out when the text has none)."""
    wanted = len(bare(title)) if not squeeze(text).startswith(squeeze(title)) else len(squeeze(title))
    count = 0 if squeeze(text).startswith(squeeze(title)) or parse_numbering(text) is None else -(len(squeeze(text)) - len(bare(text)))
    for i, character in enumerate(text):
        count += len(squeeze(character))
        if count >= wanted:
            return i + 1
    return len(text)


def _style_end(unit: Unit) -> int | None:
    """Where the first style of a unit ends, in characters of its text, when another follows."""
    length = 0
    first = unit.first.runs[0].style
    for run in unit.first.runs:
        if (run.style.bold, run.style.italic) != (first.bold, first.italic):
            return length
        length += len(run.text)
    return None
