"""Entries of the printed contents find their headings on the pages. Pure."""

from collections import Counter
from collections.abc import Sequence

from ingest.pdf.contents import Contents, Entry
from ingest.pdf.headings import Claim
from ingest.pdf.matching import Found, TitleFinder
from ingest.pdf.units import Unit

_NEEDED = 0.5  # share of entries that must be found; else it is no list of headings
_FEWEST = 4


def contents_claims(contents: Contents, finder: TitleFinder, units: Sequence[Unit]) -> list[Claim]:
    """The headings that the contents announce, with its levels; () when too few of them are in the text."""
    entries = contents.entries
    if len(entries) < _FEWEST:
        return []
    offset = _offsets(entries, finder, units)
    taken: set[int] = set()
    rows: list[tuple[Entry, Found | None]] = []
    after = -1
    for entry in entries:
        found = _find(entry, finder, taken, offset)
        if found is not None and found.start < after and found.agreement < 0.9:
            found = None
        if found is not None:
            taken.update(range(found.start, found.end))
            after = found.start
        rows.append((entry, found))
    placed = [(entry, found) for entry, found in rows if found is not None]
    if len(placed) < _FEWEST or len(placed) < _NEEDED * len(entries):
        return []
    return [
        Claim(found=found, hint=entry.level, source="numbering" if units[found.start].numbering else "font", confidence=0.97)
        for entry, found in placed
    ]


def _offsets(entries: Sequence[Entry], finder: TitleFinder, units: Sequence[Unit]) -> dict[bool, int]:
    """Page of the file less printed page, for Arabic (True) and Roman numbers, from the entries whose title stands only once."""
    votes: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    for entry in entries:
        if entry.label:
            found = finder.anywhere(entry.title, set())
            if found is not None:
                votes[entry.label > 0][units[found.start].page - abs(entry.label)] += 1
    return {kind: counts.most_common(1)[0][0] for kind, counts in votes.items() if counts}


def _find(entry: Entry, finder: TitleFinder, taken: set[int], offset: dict[bool, int]) -> Found | None:
    if entry.label and (entry.label > 0) in offset:
        page = abs(entry.label) + offset[entry.label > 0]
        found = finder.on_pages(entry.title, (page, page + 1, page - 1), taken)
        if found is not None:
            return found
    return finder.anywhere(entry.title, taken)
