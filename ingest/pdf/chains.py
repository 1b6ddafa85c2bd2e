"""Numbers that count up: which numbered units carry each other, and which of them are items of a list. Pure."""

import itertools
from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence
from dataclasses import replace

from ingest.pdf.numbering import Numbering, letter_reading, roman_value
from ingest.pdf.units import Unit, weighted_length

_LIST_CHARACTERS = 160  # text between two numbers of a chain; headings have more, list items next to none
_SHORT_SECTION = 50  # the same for numbers of several parts and named divisions, which number lists more rarely


def resolved(units: Sequence[Unit], skipped: set[int]) -> list[Numbering | None]:
    """The units' numbers (None for skipped ones): words that only look like numbers dropped, letters told from Roman numerals.

    "1" becomes the top of "1.1" where there are decimal numbers.
    """
    rows = [(None if unit.index in skipped else unit.numbering, (unit.look.size, unit.look.bold)) for unit in units]
    labels: dict[Hashable, set[str]] = defaultdict(set)
    for n, key in rows:
        if n is not None and not n.is_marked:
            labels[key].add(n.label)
    found = letters_resolved([(n if n is not None and _is_counted(n, labels[key]) else None, key) for n, key in rows])
    if not any(n is not None and n.family == "1.1" and n.depth > 1 for n in found):
        return found
    parted = _parted(found, [key for _, key in rows])
    return [
        replace(n, family="1.1", strength=2 if i in parted else 1) if n is not None and n.family == "1" else n for i, n in enumerate(found)
    ]


def _parted(numberings: Sequence[Numbering | None], keys: Sequence[Hashable]) -> set[int]:
    """Places of single numbers as sure as the decimals they belong to: the first part comes next ("4", then "4.1"), or they count with
    one of those ("1", "2" and "3" before "3.1")."""
    found: set[int] = set()
    groups: dict[tuple[Hashable, bool], list[int]] = defaultdict(list)
    after: Numbering | None = None
    for i in reversed(range(len(numberings))):
        n = numberings[i]
        if n is not None and n.family == "1":
            groups[keys[i], n.is_marked].append(i)
            if after is not None and after.family == "1.1" and after.values == (*n.values, 1):
                found.add(i)
        after = n or after
    for members in groups.values():
        for order in (members, members[::-1]):
            for one, other in itertools.pairwise(order):
                first, second = numberings[one], numberings[other]
                if one in found and first is not None and second is not None and abs(first.values[0] - second.values[0]) == 1:
                    found.add(other)
    return found


def _is_counted(numbering: Numbering, labels: Collection[str]) -> bool:
    """Whether a letter or Roman numeral without punctuation is a number: "A Thesis" and "I Have a Dream" have no B or II beside them."""
    if numbering.is_marked or (numbering.family not in ("A.", "I.") and not numbering.family.endswith(" 1")):
        return True
    label = numbering.label
    if numbering.family.endswith(" 1"):
        word, value = label.rsplit(" ", 1)
        return any(f"{word} {int(value) + step}" in labels for step in (-1, 1))
    beside = {chr(ord(label) - 1), chr(ord(label) + 1)} if len(label) == 1 else set()
    return any(
        text in beside or (len(text) < 8 and roman_value(text) in (numbering.values[0] - 1, numbering.values[0] + 1)) for text in labels
    )


def letters_resolved(rows: Sequence[tuple[Numbering | None, Hashable]]) -> list[Numbering | None]:
    """Each "C.", "I.", "v)" as the letter or Roman numeral that goes on with its chain; chains are told apart by the key."""
    last: dict[tuple[str, Hashable], int] = {}
    found: list[Numbering | None] = []
    for numbering, key in rows:
        if numbering is not None:
            other = letter_reading(numbering)
            if other is not None and _is_letter(numbering, other, last, key):
                numbering = other
            last[numbering.family, key] = numbering.values[-1]
        found.append(numbering)
    return found


def _is_letter(roman: Numbering, letter: Numbering, last: dict[tuple[str, Hashable], int], key: Hashable) -> bool:
    as_roman = last.get((roman.family, key), 0) == roman.values[0] - 1
    as_letter = letter.values[0] > 1 and last.get((letter.family, key), 0) == letter.values[0] - 1
    if as_roman != as_letter:
        return as_letter
    return roman.values[0] >= 50 or (roman.values[0] > 1 and not as_roman and (letter.family, key) in last)


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
        ends.append(ends[-1] + (0 if unit.index in skipped else weighted_length(unit.text)))
    found: set[int] = set()
    for members in groups.values():
        for one, other in itertools.pairwise(members):
            first, second = numberings[one], numberings[other]
            assert first is not None
            assert second is not None
            between = ends[other] - ends[one + 1]
            most = _LIST_CHARACTERS if first.strength == 1 else _SHORT_SECTION
            if second.values[-1] == first.values[-1] + 1 and between < most and units[other].page - units[one].page <= 1:
                found.update((one, other))
    return found
