"""What a paged document repeats on every page when it is saved as one: page numbers and running heads. Pure."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence

from ingest.html.walk import Piece

_PAGE_NUMBER = re.compile(r"(?:[-–—]\s*)?(?:page\s+|F-|S-|A-)?(\d{1,4}|[ivxlc]{1,6})(?:\s+of\s+\d+)?(?:\s*[-–—])?$", re.IGNORECASE)
_FEWEST = 4
_LONGEST = 100


def page_furniture(pieces: Sequence[Piece]) -> set[int]:
    """The indexes of page numbers, and of short texts that stand next to them on most pages."""
    numbers = [index for index, piece in enumerate(pieces) if piece.kind == "paragraph" and _PAGE_NUMBER.match(piece.text)]
    if len(numbers) < _FEWEST or not _ascending([pieces[index].text for index in numbers]):
        return set()
    found = set(numbers)
    beside = [near for index in numbers for near in (index - 1, index + 1) if 0 <= near < len(pieces) and near not in found]
    counts = Counter(pieces[index].text for index in beside if len(pieces[index].text) <= _LONGEST)
    repeated = {text for text, count in counts.items() if count >= max(_FEWEST, len(numbers) // 2)}
    return found | {index for index in beside if pieces[index].text in repeated and pieces[index].kind in ("paragraph", "heading")}


def _ascending(texts: Sequence[str]) -> bool:
    values = [int(match[1]) for text in texts if (match := _PAGE_NUMBER.match(text)) and match[1].isdigit()]
    steps = sum(0 < second - first <= 3 for first, second in itertools.pairwise(values))
    return steps >= (len(values) - 1) * 0.7
