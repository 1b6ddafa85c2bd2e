"""Tables of contents that were typed, or whose field was lost in a conversion: their lines are not headings. Pure."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ingest.numbering import printed_number
from ingest.plaintext.keywords import is_contents
from ingest.word.pieces import Paragraph

# "A. PURPOSE ..... 3-12", "1.2\tScope\t7", and "PURPOSE3-12" where a conversion lost the tab.
_ENTRY = re.compile(
    r"(?P<title>.*?\S)(?P<gap>[\s.·•…‥_⋯\-–—]*?)"
    r"(?P<page>(?:(?<![A-Za-z])[A-Z]{1,3}-?)?\d{1,4}(?:[-–.]\d{1,4})?|[ivxlcIVXLC]{1,7})\s*",
    re.DOTALL,
)
_LEADER = re.compile(r"\t|[.·•…‥_⋯]{3,}|(?:[.·] ){3,}|\s{3,}")
_TAIL = re.compile(r"[\s.·•…‥_⋯\-–—]+$")
_SKIPPED = re.compile(r"[\W\d_]+")
_LONGEST = 200
_FEWEST = 4
# Lines without a page inside the list: chapter lines, and titles that run over two lines.
_LONGEST_GAP = 3
_RISING = 0.75
_FARTHEST_TITLE = 9
_KNOWN_TITLES = 0.5
_DISTINCT = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsList:
    """A run of entries by their places in the sequence; `is_repeated` when most of their titles stand in the document again."""

    places: frozenset[int]
    is_repeated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    place: int
    title: str
    page: tuple[int, ...]
    has_leader: bool


def find_contents(paragraphs: Sequence[Paragraph | None]) -> tuple[ContentsList, ...]:
    """The typed tables of contents; None in the sequence stands for a table."""
    found = []
    runs = _runs(paragraphs)
    latest = _latest_places(paragraphs) if runs else {}
    for run in runs:
        repeated = sum(latest.get(squeezed(entry.title), -1) > run[-1].place for entry in run) / len(run)
        first, last = run[0].place, run[-1].place
        led = sum(entry.has_leader for entry in run) >= len(run) / 2
        announced = _is_announced(paragraphs, first)
        distinct = len({squeezed(entry.title) for entry in run}) >= _DISTINCT * len(run)
        if not distinct or not _pages_rise(run) or not (repeated >= _KNOWN_TITLES or (led and announced)):
            continue
        start = _start(paragraphs, first, last, latest)
        found.append(ContentsList(places=frozenset(range(start, last + 1)), is_repeated=repeated >= _KNOWN_TITLES))
    return tuple(found)


def _start(paragraphs: Sequence[Paragraph | None], first: int, last: int, latest: Mapping[str, int]) -> int:
    """The list's own heading, or lines without a page above the first entry that the document repeats."""
    start = first
    for place in range(first - 1, max(-1, first - _FARTHEST_TITLE), -1):
        if not _is_short(paragraphs[place]):
            break
        text = _text(paragraphs[place])
        if is_contents(text):
            return place
        if text and latest.get(squeezed(text), -1) <= last:
            break
        start = place if text else start
    return start


def squeezed(text: str) -> str:
    """Letters alone, in one case, for comparing titles."""
    return _SKIPPED.sub("", unicodedata.normalize("NFKC", text)).casefold()


def _runs(paragraphs: Sequence[Paragraph | None]) -> list[list[_Entry]]:
    runs: list[list[_Entry]] = []
    gap = _LONGEST_GAP + 1
    for place, paragraph in enumerate(paragraphs):
        entry = None if paragraph is None else _entry(place, paragraph)
        if entry is not None:
            if gap > _LONGEST_GAP:
                runs.append([])
            runs[-1].append(entry)
            gap = 0
        elif _text(paragraph):
            gap = gap + 1 if _is_short(paragraph) else _LONGEST_GAP + 1
        elif paragraph is None:
            gap = _LONGEST_GAP + 1
    return [run for run in map(_trimmed, runs) if len(run) >= _FEWEST]


def _trimmed(run: list[_Entry]) -> list[_Entry]:
    """Without lines at both ends whose number does not fit: a date above the list, the first chapter below it."""
    start, end = 0, len(run)
    while end - start >= _FEWEST and run[start].page > run[start + 1].page:
        start += 1
    while end - start >= _FEWEST and run[end - 1].page < run[end - 2].page and not run[end - 1].has_leader:
        end -= 1
    return run[start:end]


def _entry(place: int, paragraph: Paragraph) -> _Entry | None:
    text = paragraph.words
    if not text or len(text) > _LONGEST or text[-1] in ".;,:。；，：":
        return None
    match = _ENTRY.fullmatch(text)
    label = printed_number(text)
    if label is not None and label.end >= len(text):
        return None
    if match is None or not any(character.isalpha() for character in match["title"]):
        return None
    page = match["page"]
    if not page[-1].isdigit() and not _LEADER.search(text[match.end("title") - 1 :]):
        # A word that happens to look Roman ("mix", "civil") is no page without a leader.
        return None
    numbers = tuple(int(number) for number in re.findall(r"\d+", page))
    has_leader = paragraph.has_leader or bool(_LEADER.search(text[match.end("title") :] if match["gap"] else ""))
    return _Entry(place=place, title=_TAIL.sub("", match["title"]), page=numbers, has_leader=has_leader)


def _pages_rise(run: list[_Entry]) -> bool:
    pages = [entry.page for entry in run if entry.page]
    return sum(a <= b for a, b in pairwise(pages)) >= _RISING * (len(pages) - 1)


def _latest_places(paragraphs: Sequence[Paragraph | None]) -> dict[str, int]:
    """Where each short text stands last; a list's title that stands after the list is a known one."""
    texts = ((place, _text(paragraph)) for place, paragraph in enumerate(paragraphs))
    return {key: place for place, text in texts if text and len(text) <= _LONGEST and (key := squeezed(text))}


def _is_announced(paragraphs: Sequence[Paragraph | None], first: int) -> bool:
    before = [text for paragraph in paragraphs[max(0, first - 8) : first] if (text := _text(paragraph))]
    return any(map(is_contents, before[-3:]))


def _text(paragraph: Paragraph | None) -> str:
    return "" if paragraph is None else paragraph.words


def _is_short(paragraph: Paragraph | None) -> bool:
    return paragraph is not None and len(paragraph.text) <= _LONGEST
