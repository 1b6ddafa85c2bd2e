"""Titles on the line below their number: "CHAPTER I", blank line, "Down the Rabbit-Hole" is one heading. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ingest.numbering import printed_number
from ingest.plaintext.candidates import stands_out
from ingest.plaintext.units import Unit

_SHARE = 0.7
# Project Gutenberg's marks around the text proper; what stands outside (its own cover and licence) has no headings of the book.
_BOOK_BEGINS = re.compile(r"\W*START OF (?:THE|THIS) PROJECT GUTENBERG", re.IGNORECASE)
_BOOK_ENDS = re.compile(r"\W*END OF (?:THE |THIS )?PROJECT GUTENBERG", re.IGNORECASE)


def within_book(units: Sequence[Unit]) -> list[Unit]:
    """The units of a Project Gutenberg text, of which only those between its two marks may be headings; any other text as it is."""
    begin = next((index for index, unit in enumerate(units) if _BOOK_BEGINS.match(unit.text)), None)
    if begin is None:
        return list(units)
    end = next((index for index, unit in enumerate(units) if index > begin and _BOOK_ENDS.match(unit.text)), len(units))
    return [unit if begin < index < end else replace(unit, alone=False, marked=None, outside=True) for index, unit in enumerate(units)]


def merged_titles(units: Sequence[Unit]) -> list[Unit]:
    """The units with number lines joined to the title under them, in families where most number lines have one."""
    bare = {index: found for index, unit in enumerate(units) if (found := _bare_family(unit))}
    titled = {index: family for index, family in bare.items() if _is_title_line(units, index + 1, bare)}
    counts, with_title = Counter(bare.values()), Counter(titled.values())
    merging = {family for family, count in counts.items() if count > 1 and with_title[family] >= count * _SHARE}
    result: list[Unit] = []
    skipped = -1
    for index, unit in enumerate(units):
        if index == skipped:
            continue
        if titled.get(index) in merging:
            result.append(replace(unit, text=f"{unit.text} {units[index + 1].text}"))
            skipped = index + 1
        else:
            result.append(unit)
    return result


def _bare_family(unit: Unit) -> str | None:
    """The family of a line that is only a number: "CHAPTER I.", "第三章", "IV"."""
    if not unit.alone or unit.marked or len(unit.text) > 40:
        return None
    found = printed_number(unit.text)
    return found.family if found and not unit.text[found.end :].strip(" .:：、") else None


def _is_title_line(units: Sequence[Unit], index: int, bare: dict[int, str]) -> bool:
    if index + 1 >= len(units) or index in bare or not units[index].alone or units[index].marked:
        return False
    text = units[index].text
    return stands_out(text) and printed_number(text) is None and (index + 1 in bare or len(units[index + 1].text) > len(text))
