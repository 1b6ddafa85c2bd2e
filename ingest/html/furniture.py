"""What a paged document repeats on every page when it is saved as one: page numbers and running heads. Pure."""

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from ingest.html.walk import Piece
from ingest.numbering import printed_number

_PAGE_NUMBER = re.compile(r"(?:[-–—]\s*)?(?:page\s+|F-|S-|A-)?(\d{1,4}|[ivxlc]{1,6})(?:\s+of\s+\d+)?(?:\s*[-–—])?$", re.IGNORECASE)
_LAST_NUMBER = re.compile(r"(\d{1,4})(?: of \d+)?\W*$")
_CAPTION = re.compile(r"(?:table|figure|fig\.|chart|box|exhibit|example|equation|listing|表|图|圖)\W*\d", re.IGNORECASE)
_FEWEST = 4
_LONGEST = 100


def page_furniture(pieces: Sequence[Piece]) -> set[int]:
    """The indexes of page numbers, and of short texts that stand next to them on most pages."""
    found: set[int] = set()
    for numbers in _numbered_lines(pieces):
        if len(numbers) < _FEWEST or not _ascending([pieces[index].text for index in numbers]):
            continue
        beside = [near for index in numbers for near in (index - 1, index + 1) if 0 <= near < len(pieces) and near not in numbers]
        counts = Counter(pieces[index].text for index in beside if len(pieces[index].text) <= _LONGEST)
        repeated = {text for text, count in counts.items() if count >= max(_FEWEST, len(numbers) // 2)}
        found |= {index for index in beside if pieces[index].text in repeated and pieces[index].kind in ("paragraph", "heading")}
        found |= set(numbers)
    return found


def _numbered_lines(pieces: Sequence[Piece]) -> list[list[int]]:
    """Lines that may count pages: bare numbers, and lines that differ only in the number at their end."""
    bare: list[int] = []
    alike: dict[str, list[int]] = defaultdict(list)
    for index, piece in enumerate(pieces):
        if piece.kind != "paragraph" or len(piece.text) > _LONGEST:
            continue
        if _PAGE_NUMBER.match(piece.text):
            bare.append(index)
        elif piece.text[-1].isdigit() and printed_number(piece.text) is None and not _CAPTION.match(piece.text):
            alike[piece.text.rstrip("0123456789")].append(index)
    return [bare, *alike.values()]


def _ascending(texts: Sequence[str]) -> bool:
    values = [int(match[1]) for text in texts if (match := _LAST_NUMBER.search(text[-12:]))]
    steps = sum(0 < second - first <= 3 for first, second in itertools.pairwise(values))
    return steps >= (len(values) - 1) * 0.7
