"""Numbers that count up: which numbered units carry each other, and which of them are items of a list. Pure."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ingest.pdf.numbering import Numbering, letter_reading
from ingest.pdf.units import Unit

_LIST_CHARACTERS = 160  # text between two numbers of a chain; headings have more, list items next to none


def resolved(units: Sequence[Unit], skipped: set[int]) -> list[Numbering | None]:
    """The units' numbers, letters that look like Roman numerals ("C.", "I.") read as what continues their chain."""
    last: dict[tuple[str, float, bool], int] = {}
    found: list[Numbering | None] = []
    for unit in units:
        numbering = unit.numbering
        if numbering is None or unit.index in skipped:
            found.append(numbering)
            continue
        look = (unit.look.size, unit.look.bold)
        other = letter_reading(numbering)
        if other is not None:
            before, letter_before = last.get((numbering.family, *look), 0), last.get((other.family, *look), 0)
            if letter_before == other.values[0] - 1 and letter_before > 0 and before != numbering.values[0] - 1:
                numbering = other
            elif numbering.values[0] not in (1, before + 1) and numbering.values[0] >= 50:
                numbering = other
        last[(numbering.family, *look)] = numbering.values[-1]
        found.append(numbering)
    decimals = any(n is not None and n.family == "1.1" and n.depth > 1 for n in found)
    return [replace(n, family="1.1") if decimals and n is not None and n.family == "1" else n for n in found]


def supports(units: Sequence[Unit], numberings: Sequence[Numbering | None], skipped: set[int]) -> dict[int, float]:
    """For each numbered unit how well its neighbours in the same family and look carry it: 0 alone or out of order, 1 in sequence."""
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for unit, numbering in zip(units, numberings, strict=True):
        if numbering is not None and unit.index not in skipped:
            groups[numbering.family, numbering.depth, round(unit.look.size), unit.look.bold, unit.look.case].append(unit.index)
    seen_parents: set[tuple[str, tuple[int, ...]]] = {
        (n.family, n.values) for unit, n in zip(units, numberings, strict=True) if n is not None and unit.index not in skipped
    }
    found: dict[int, float] = {}
    for members in groups.values():
        for place, index in enumerate(members):
            numbering = numberings[index]
            assert numbering is not None
            before = numberings[members[place - 1]] if place else None
            after = numberings[members[place + 1]] if place + 1 < len(members) else None
            score = 0.5 if _follows(before, numbering) else 0.0
            score += 0.5 if after is not None and _follows(numbering, after) and after.values[-1] != 1 else 0.0
            if numbering.depth > 1 and (numbering.family, numbering.values[:-1]) in seen_parents:
                score = max(score, 0.75)
            if numbering.values[-1] == 1 and numbering.depth == 1 and (after is None or after.values[0] != 2):
                score = min(score, 0.25)
            found[index] = score
    return found


def _follows(before: Numbering | None, after: Numbering) -> bool:
    if after.values[-1] == 1:
        return True
    return before is not None and before.values[:-1] == after.values[:-1] and 0 < after.values[-1] - before.values[-1] <= 2


def dense(units: Sequence[Unit], numberings: Sequence[Numbering | None], skipped: set[int]) -> set[int]:
    """Units of chains whose numbers follow each other with hardly any text between: lists, not headings."""
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for unit, numbering in zip(units, numberings, strict=True):
        if numbering is not None and unit.index not in skipped:
            groups[numbering.family, numbering.values[:-1], round(unit.look.size), unit.look.bold].append(unit.index)
    ends = [0]
    for unit in units:
        ends.append(ends[-1] + (0 if unit.index in skipped else len(unit.text)))
    found: set[int] = set()
    for members in groups.values():
        for one, other in zip(members, members[1:], strict=False):
            first, second = numberings[one], numberings[other]
            assert first is not None
            assert second is not None
            between = ends[other] - ends[one + 1]
            if second.values[-1] == first.values[-1] + 1 and between < _LIST_CHARACTERS and units[other].page - units[one].page <= 1:
                found.update((one, other))
    return found
