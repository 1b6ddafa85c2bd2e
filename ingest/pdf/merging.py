"""Units that make one heading: a division's label with its title, a number that stands alone, lines set alike. Pure."""

from collections.abc import Collection, Mapping, Sequence

from ingest.pdf.likelihood import SURE
from ingest.pdf.numbering import Numbering, roman_value
from ingest.pdf.typography import Typography
from ingest.pdf.units import Unit, joined_texts, weighted_length

_LONGEST_TERM = 60  # characters, those of Chinese counted double


def is_label(unit: Unit, numbering: Numbering | None, typography: Typography) -> bool:
    """Whether the unit is the label of a division whose title follows: "Chapter 3", or a large number or letter alone."""
    text = unit.text.strip()
    if numbering is not None and not numbering.rest and (numbering.strength == 3 or is_lone_decimal(unit, numbering)):
        return True
    alone = (text.isdigit() and len(text) <= 3) or (text.isascii() and text.isalpha() and (len(text) == 1 or roman_value(text) is not None))
    return alone and unit.look.size >= 1.25 * typography.body.size


def is_lone_decimal(unit: Unit, numbering: Numbering | None) -> bool:
    """Whether the unit is nothing but a number of several parts: standards print the term that it numbers on the next line."""
    return numbering is not None and numbering.family == "1.1" and numbering.depth > 1 and unit.text.strip(" .") == numbering.label


def numbers_term(
    units: Sequence[Unit], numberings: Sequence[Numbering | None], support: Mapping[int, float], skipped: Collection[int], index: int
) -> bool:
    """Whether a decimal number that stands alone is the first line of the heading that its term, on the next line, completes."""
    following = units[index + 1] if index + 1 < len(units) and index + 1 not in skipped else None
    return (
        following is not None
        and is_lone_decimal(units[index], numberings[index])
        and support.get(index, 0.0) >= 0.5
        and numberings[index + 1] is None
        and is_near(units[index], following)
        and len(following.lines) == 1
        and weighted_length(following.text) <= _LONGEST_TERM
        and not following.text.endswith((".", "。", ";", "；", ","))
    )


def labels_next(
    units: Sequence[Unit], numberings: Sequence[Numbering | None], scores: Mapping[int, float], typography: Typography, index: int
) -> bool:
    """Whether a lone number is the label of the heading that comes next."""
    following = units[index + 1] if index + 1 < len(units) else None
    return (
        following is not None
        and numberings[index + 1] is None
        and scores.get(index + 1, -9.0) > SURE
        and is_label(units[index], numberings[index], typography)
        and is_near(units[index], following)
        and following.look.size > 1.03 * typography.body.size
    )


def merged_spans(
    units: Sequence[Unit],
    numberings: Sequence[Numbering | None],
    starts: Sequence[int],
    scores: Mapping[int, float],
    claimed: Collection[int],
    typography: Typography,
) -> list[tuple[int, int]]:
    """Headings over several units: a division's label with its title below, and lines of one look that stand close."""
    spans: list[tuple[int, int]] = []
    known = set(starts)
    used: set[int] = set()
    for start in starts:
        if start in used:
            continue
        end = start + 1
        numbering = numberings[start]
        if is_label(units[start], numbering, typography):
            title = units[end] if end < len(units) else None
            if (
                title is not None
                and end not in claimed
                and numberings[end] is None
                and is_near(units[start], title)
                and (end in known or scores.get(end, -9.0) > -1.5 or is_lone_decimal(units[start], numbering))
            ):
                end += 1
        while end < len(units) and end in known and _goes_on(units[end - 1], units[end], numberings[end]):
            end += 1
        used.update(range(start, end))
        spans.append((start, end))
    return spans


def is_near(one: Unit, other: Unit) -> bool:
    return (
        one.page == other.page
        and one.first.column == other.first.column
        and other.first.y0 - one.last.y1 < 6 * max(one.look.size, other.look.size)
    )


def _goes_on(one: Unit, other: Unit, numbering: Numbering | None) -> bool:
    if numbering is not None or one.look != other.look or one.page != other.page or one.first.column != other.first.column:
        return False
    if one.text.endswith((".", ":", "?", "!", "。", "：")):
        return False
    return other.last.baseline - one.last.baseline < (len(other.lines) + 0.6) * 1.2 * one.look.size


def _without_marks(unit: Unit) -> str:
    """A unit's text without the footnote marks raised at its end."""
    text = unit.text
    raised = [run.text.strip() for line in unit.lines for run in line.runs if run.raised]
    for mark in reversed(raised):
        if mark and len(mark) <= 4 and text.endswith(mark) and len(text) > len(mark) + 1:
            text = text[: -len(mark)].rstrip()
    return text


def text_of(units: Sequence[Unit], start: int, end: int) -> str:
    text = _without_marks(units[start])
    for unit in units[start + 1 : end]:
        text = joined_texts(text, _without_marks(unit))
    return text
