"""What the units around and those set alike say about a candidate: directories, labels, covers, sentences that run on. Pure."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from ingest.pdf import likelihood
from ingest.pdf.likelihood import SURE
from ingest.pdf.merging import is_label
from ingest.pdf.numbering import Numbering
from ingest.pdf.typography import Typography
from ingest.pdf.units import Unit, weighted_length

_CLASS_BONUS, _CLASS_LOSS = 0.8, 1.2
_COVER_PAGES = 12  # first pages of a longer document among which title pages are, also in a second language
_VALUE_CHARACTERS = 45  # text after each of several units set alike, up to which they are labels of values
_OFFICE_CHARACTERS = 120  # the same where some of them are names of persons
_FEWEST_BELOW = 3  # candidates after the first one without which it may be a heading as well as a title
_PERSON = re.compile(r"^(?:Dr|Mr|Mrs|Ms|Prof|Hon)\.\s|\s[A-Z]\.\s[A-Z]|\s(?:Jr|Sr)\.?$|\sI{2,3}$")


def directories(units: Sequence[Unit], numberings: Sequence[Numbering | None], scores: Mapping[int, float], skipped: set[int]) -> set[int]:
    """Units set alike that follow each other with hardly any text after each: labels with values, or persons with offices."""
    classes: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for index, score in sorted(scores.items()):
        numbering = numberings[index]
        if score > SURE and (numbering is None or numbering.strength == 1):
            look = units[index].look
            classes[look.size, look.bold, look.italic, look.case, look.family].append(index)
    found: set[int] = set()
    for members in classes.values():
        for run in _runs(units, members, skipped, _OFFICE_CHARACTERS):
            if sum(bool(_PERSON.search(units[i].text)) for i in run) >= 0.2 * len(run):
                found.update(run)
        for run in _runs(units, members, skipped, _VALUE_CHARACTERS):
            found.update(run)
    return found


def _runs(units: Sequence[Unit], members: Sequence[int], skipped: set[int], limit: int) -> list[list[int]]:
    """Three or more members on one page with at most so many characters after each but the last."""
    runs: list[list[int]] = [[]]
    for index in members:
        before = runs[-1][-1] if runs[-1] else None
        if before is not None and (units[before].page != units[index].page or _characters(units, before + 1, index, skipped) > limit):
            runs.append([])
        runs[-1].append(index)
    return [run for run in runs if len(run) >= 3]


def repeated_labels(
    units: Sequence[Unit], numberings: Sequence[Numbering | None], scores: Mapping[int, float], typography: Typography
) -> set[int]:
    """Unnumbered units in plain type whose words come again and again: labels (a file name over code, "Note")."""
    places: dict[str, list[int]] = defaultdict(list)
    for index, score in scores.items():
        unit = units[index]
        if (
            score > SURE
            and numberings[index] is None
            and likelihood.look_score(unit, typography) < 2.5
            and not likelihood.is_keyword(unit.text)
        ):
            places[unit.text.casefold()].append(index)
    return {index for members in places.values() if len(members) >= 3 for index in members}


def _characters(units: Sequence[Unit], start: int, end: int, skipped: set[int]) -> int:
    """The text between two units."""
    return sum(weighted_length(units[i].text) for i in range(start, end) if i not in skipped)


def with_classes(
    units: Sequence[Unit], numberings: Sequence[Numbering | None], typography: Typography, scores: dict[int, float], confirmed: set[int]
) -> dict[int, float]:
    """Units that look alike are mostly all headings or none: each class pulls its members."""
    classes: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for index in scores:
        classes[_class_of(units[index], numberings[index], typography)].append(index)
    found = dict(scores)
    for members in classes.values():
        sure = sum(index in confirmed or scores[index] > SURE for index in members)
        share = sure / len(members)
        if len(members) < 3:
            continue
        change = _CLASS_BONUS if share >= 0.7 else -_CLASS_LOSS if share <= 0.3 else 0.0
        for index in members:
            # "References" says what it is, whatever others in its type are.
            found[index] += 0.0 if change < 0 and likelihood.is_keyword(units[index].text) else change
    return found


def _class_of(unit: Unit, numbering: Numbering | None, typography: Typography) -> tuple[object, ...]:
    look, body = unit.look, typography.body
    plain = look.size <= 1.03 * body.size and look.bold == body.bold and look.case == "" and not look.underlined
    # Body type is no class of its own: there the way of numbering is, and its depth ("4.1 Scope" over clauses "4.1.1 The pump shall").
    family = (numbering.family, numbering.depth) if plain and numbering is not None else ""
    return look.size, look.bold, look.italic, look.case, look.underlined, look.family, look.color, family


def runs_on(units: Sequence[Unit], index: int, skipped: set[int]) -> bool:
    unit = units[index]
    before = units[index - 1] if index and index - 1 not in skipped else None
    after = units[index + 1] if index + 1 < len(units) and index + 1 not in skipped else None
    if unit.above < 1.12 and before is not None and before.page == unit.page and _is_unended(before):
        return True
    return unit.numbering is None and unit.below < 1.12 and after is not None and _is_unended(unit) and after.look.size == unit.look.size


def _is_unended(unit: Unit) -> bool:
    """Whether the last line fills the column and no sentence ends with it."""
    line = unit.last
    return line.x1 > line.right - 0.04 * (line.right - line.left) and line.text[-1:] not in '.!?:;。！？：；”"’' and len(line.cells) < 3


def cover(
    units: Sequence[Unit],
    numberings: Sequence[Numbering | None],
    spans: Sequence[tuple[int, int]],
    support: Mapping[int, float],
    typography: Typography,
    skipped: set[int],
) -> set[int]:
    """Candidates before the first running text, or on first pages without any: the document's title, its authors, other covers.

    A candidate there is a heading when it is numbered in a chain, is a usual heading word, or is followed by text directly.
    """
    texts = [u for u in units if u.index not in skipped and (likelihood.is_text(u, typography) or _is_long(u))]
    running = next((unit for unit in texts if weighted_length(unit.text) > 60), None)
    if running is None or (texts and texts[0].page < running.page):
        running = texts[0] if texts else None
    front = running.index if running is not None else 0
    worded = {unit.page for unit in texts}
    last = _COVER_PAGES if units and units[-1].page > 2 * _COVER_PAGES else 1
    found = set()
    for index, end in spans:
        unit, numbering = units[index], numberings[index]
        if index >= front and (unit.page in worded or unit.page > last):
            continue
        counted = numbering is not None and (support.get(index, 0.0) > 0 or numbering.strength == 3)
        counted = counted or (end > index + 1 and is_label(unit, numbering, typography))
        following = units[min(end, len(units) - 1)]
        if not (counted or likelihood.is_keyword(unit.text) or likelihood.is_text(following, typography) or _is_long(following)):
            found.add(index)
    return found


def own_title(units: Sequence[Unit], numberings: Sequence[Numbering | None], spans: Sequence[tuple[int, int]]) -> set[int]:
    """The first candidate when it is the title of the whole: on page 1, without a number, larger than all that follow it."""
    if len(spans) <= _FEWEST_BELOW:
        return set()
    first, others = units[spans[0][0]], [units[start] for start, _ in spans[1:]]
    larger = first.look.size > 1.05 * max(unit.look.size for unit in others)
    plain = numberings[first.index] is None and not likelihood.is_keyword(first.text)
    return {first.index} if first.page == 1 and larger and plain else set()


def _is_long(unit: Unit) -> bool:
    return len(unit.lines) > 2 and weighted_length(unit.text) > 120


def followed_by_text(units: Sequence[Unit], index: int, typography: Typography, skipped: set[int]) -> bool:
    """Whether running text comes next, or after at most two more short units."""
    for other in units[index + 1 : index + 4]:
        if other.index in skipped:
            continue
        if likelihood.is_text(other, typography):
            return True
    return False
