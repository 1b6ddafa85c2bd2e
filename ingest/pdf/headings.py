"""All evidence together: bookmarks and contents where they are true, completed by what look, place, words and numbers say. Pure."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ingest.blocks import StructureSource
from ingest.pdf import chains, likelihood
from ingest.pdf.bookmarks import Confirmed
from ingest.pdf.levels import Ranked, levels_of
from ingest.pdf.matching import Found
from ingest.pdf.numbering import Numbering, parse_numbering, roman_value
from ingest.pdf.typography import Look, Typography
from ingest.pdf.units import Unit, joined_texts

_SURE = 0.0  # log odds from which a unit is a heading
_CLASS_BONUS, _CLASS_LOSS = 0.8, 1.2
_LISTED_LOSS = 3.0
_COVER_PAGES = 12  # first pages of a longer document among which title pages are, also in a second language
_LISTED_CHARACTERS = 70  # text after each of several units set alike, below which they are labels of a list (names, dates, districts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading over units `start` to `end` (exclusive; both at the unit it stands before when `end == start`).

    `run_in` is the number of characters of the first unit that belong to the heading when it is run into its paragraph.
    """

    start: int
    end: int
    text: str
    numbering: Numbering | None
    look: Look
    page: int
    level: int
    source: StructureSource
    confidence: float
    hint: int = 0
    run_in: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What other evidence says of a place: where from, and how surely.

    `level` stands as it is (a bookmark's, 0 for none); `hint` is a level that counts for all headings of its kind.
    """

    found: Found
    level: int = 0
    hint: int = 0
    source: StructureSource = "font"
    confidence: float = 1.0


def find_headings(
    units: Sequence[Unit],
    typography: Typography,
    skipped: set[int],
    listed: Collection[int],
    claims: Sequence[Claim],
    unconfirmed: Sequence[Confirmed] = (),
    extra: Mapping[int, float] | None = None,
    without: frozenset[str] = frozenset(),
) -> tuple[Heading, ...]:
    """The headings in reading order with levels.

    `skipped` are units that cannot be headings, `listed` those among them that are the printed contents; `extra` adds log odds by
    unit index (see evidence.py).
    """
    numberings = chains.resolved(units, skipped)
    if "numbering" in without:
        numberings = [None] * len(units)
    support = chains.supports(units, numberings, skipped)
    dense = chains.dense(units, numberings, skipped)
    claimed = {claim.found.start: claim for claim in claims}
    inside = {i for claim in claims for i in range(claim.found.start, claim.found.end)}
    scores: dict[int, float] = {}
    for unit in units:
        if unit.index in skipped:
            continue
        context = likelihood.Context(
            support=support.get(unit.index, 0.0), dense=unit.index in dense,
            followed_by_text=_followed_by_text(units, unit.index, typography, skipped), runs_on=_runs_on(units, unit.index, skipped),
        )  # fmt: skip
        scores[unit.index] = likelihood.heading_score(unit, numberings[unit.index], typography, context) + (extra or {}).get(
            unit.index, 0.0
        )
    scores = _with_classes(units, numberings, typography, scores, inside)
    for index in _listed(units, numberings, scores, skipped) | _repeated(units, numberings, scores, typography):
        scores[index] -= _LISTED_LOSS
    drafts = [_claimed(units, numberings, claim, typography) for claim in claims]
    inside |= {draft.start for draft in drafts}
    starts = [
        i for i in sorted(scores) if i not in inside and (scores[i] > _SURE or _labels_next(units, numberings, scores, typography, i))
    ]
    spans = _merged(units, numberings, starts, scores, claimed, typography)
    cover = _cover(units, numberings, spans, support, typography, skipped)
    drafts.extend(_draft(units, numberings, start, end, scores[start]) for start, end in spans if start not in cover)
    drafts.extend(_unprinted(units, row) for row in unconfirmed)
    drafts.sort(key=lambda heading: (heading.start, heading.end))
    return _leveled(units, drafts, skipped, listed)


def _followed_by_text(units: Sequence[Unit], index: int, typography: Typography, skipped: set[int]) -> bool:
    """Whether running text comes next, or after at most two more short units."""
    for other in units[index + 1 : index + 4]:
        if other.index in skipped:
            continue
        if likelihood.is_text(other, typography):
            return True
    return False


def _runs_on(units: Sequence[Unit], index: int, skipped: set[int]) -> bool:
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


def _class_of(unit: Unit, numbering: Numbering | None, typography: Typography) -> tuple[object, ...]:
    look, body = unit.look, typography.body
    plain = look.size <= 1.03 * body.size and look.bold == body.bold and look.case == "" and not look.underlined
    # Body type is no class of its own: there the way of numbering is.
    family = numbering.family if plain and numbering is not None else ""
    return look.size, look.bold, look.italic, look.case, look.underlined, look.family, look.color, family


def _with_classes(
    units: Sequence[Unit], numberings: Sequence[Numbering | None], typography: Typography, scores: dict[int, float], confirmed: set[int]
) -> dict[int, float]:
    """Units that look alike are mostly all headings or none: each class pulls its members."""
    classes: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for index in scores:
        classes[_class_of(units[index], numberings[index], typography)].append(index)
    found = dict(scores)
    for members in classes.values():
        sure = sum(index in confirmed or scores[index] > _SURE for index in members)
        share = sure / len(members)
        if len(members) < 3:
            continue
        change = _CLASS_BONUS if share >= 0.7 else -_CLASS_LOSS if share <= 0.3 else 0.0
        for index in members:
            found[index] += change
    return found


def _listed(units: Sequence[Unit], numberings: Sequence[Numbering | None], scores: Mapping[int, float], skipped: set[int]) -> set[int]:
    """Units set alike that follow each other with hardly any text after each: a directory, not headings."""
    classes: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for index, score in sorted(scores.items()):
        numbering = numberings[index]
        if score > _SURE and (numbering is None or numbering.strength == 1):
            look = units[index].look
            classes[look.size, look.bold, look.italic, look.case, look.family].append(index)
    found: set[int] = set()
    for members in classes.values():
        short = [
            _characters(units, a + 1, b, skipped) < _LISTED_CHARACTERS and units[b].page == units[a].page for a, b in pairwise(members)
        ]
        for place, index in enumerate(members):
            before = place > 0 and short[place - 1]
            after = place < len(short) and short[place]
            longer = (place > 1 and before and short[place - 2]) or (place + 1 < len(short) and after and short[place + 1])
            if (before and after) or longer:
                found.add(index)
    return found


def _repeated(
    units: Sequence[Unit], numberings: Sequence[Numbering | None], scores: Mapping[int, float], typography: Typography
) -> set[int]:
    """Unnumbered units in plain type whose words come again and again: labels (a file name over code, "Note")."""
    places: dict[str, list[int]] = defaultdict(list)
    for index, score in scores.items():
        unit = units[index]
        if (
            score > _SURE
            and numberings[index] is None
            and likelihood.look_score(unit, typography) < 2.5
            and not likelihood.is_keyword(unit.text)
        ):
            places[unit.text.casefold()].append(index)
    return {index for members in places.values() if len(members) >= 3 for index in members}


def _characters(units: Sequence[Unit], start: int, end: int, skipped: set[int]) -> int:
    """The text between two units."""
    return sum(likelihood.weighted_length(units[i].text) for i in range(start, end) if i not in skipped)


def _claimed(units: Sequence[Unit], numberings: Sequence[Numbering | None], claim: Claim, typography: Typography) -> Heading:
    found = claim.found
    start = found.start
    if start and found.run_in is None and numberings[start] is None and _near(units[start - 1], units[start]):
        # The label above ("Chapter 3") belongs to the title that was found.
        start -= _is_label(units[start - 1], numberings[start - 1], typography)
    unit = units[found.start]
    text = unit.text[: found.run_in] if found.run_in else _text_of(units, start, found.end)
    numbering = parse_numbering(text)
    resolved = numberings[start]
    if numbering is not None and resolved is not None and resolved.label == numbering.label:
        numbering = replace(numbering, family=resolved.family, values=resolved.values)
    return Heading(
        start=start, end=found.end, text=text.strip(), numbering=numbering, look=unit.look, page=unit.page, level=claim.level, hint=claim.hint,
        source=claim.source, confidence=round(claim.confidence * found.agreement, 2), run_in=found.run_in,
    )  # fmt: skip


def _unprinted(units: Sequence[Unit], row: Confirmed) -> Heading:
    """A bookmark that the page does not print as text stands before the first unit of its page at or below its target."""
    bookmark = row.bookmark
    place = next(
        (u.index for u in units if u.page > bookmark.page or (u.page == bookmark.page and u.first.y0 >= (bookmark.y or 0.0) - 2)),
        len(units),
    )
    look = Look("", 0.0, False, False, "", False, 0, False)
    return Heading(
        start=place, end=place, text=bookmark.title, numbering=parse_numbering(bookmark.title), look=look, page=bookmark.page,
        level=bookmark.level, source="bookmark", confidence=0.5,
    )  # fmt: skip


def _text_of(units: Sequence[Unit], start: int, end: int) -> str:
    text = _without_marks(units[start])
    for unit in units[start + 1 : end]:
        text = joined_texts(text, _without_marks(unit))
    return text


def _without_marks(unit: Unit) -> str:
    """A unit's text without the footnote marks raised at its end."""
    text = unit.text
    raised = [run.text.strip() for line in unit.lines for run in line.runs if run.raised]
    for mark in reversed(raised):
        if mark and len(mark) <= 4 and text.endswith(mark) and len(text) > len(mark) + 1:
            text = text[: -len(mark)].rstrip()
    return text


def _labels_next(
    units: Sequence[Unit], numberings: Sequence[Numbering | None], scores: Mapping[int, float], typography: Typography, index: int
) -> bool:
    """Whether a lone number is the label of the heading that comes next."""
    following = units[index + 1] if index + 1 < len(units) else None
    return (
        following is not None
        and numberings[index + 1] is None
        and scores.get(index + 1, -9.0) > _SURE
        and _is_label(units[index], numberings[index], typography)
        and _near(units[index], following)
        and following.look.size > 1.03 * typography.body.size
    )


def _is_label(unit: Unit, numbering: Numbering | None, typography: Typography) -> bool:
    """Whether the unit is the label of a division whose title follows: "Chapter 3", or a large number or letter alone."""
    text = unit.text.strip()
    if numbering is not None and not numbering.rest and numbering.strength == 3:
        return True
    alone = (text.isdigit() and len(text) <= 3) or (text.isascii() and text.isalpha() and (len(text) == 1 or roman_value(text) is not None))
    return alone and unit.look.size >= 1.25 * typography.body.size


def _merged(
    units: Sequence[Unit],
    numberings: Sequence[Numbering | None],
    starts: Sequence[int],
    scores: Mapping[int, float],
    claimed: Mapping[int, Claim],
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
        if _is_label(units[start], numbering, typography):
            title = units[end] if end < len(units) else None
            if (
                title is not None
                and end not in claimed
                and numberings[end] is None
                and _near(units[start], title)
                and (end in known or scores.get(end, -9.0) > -1.5)
            ):
                end += 1
        while end < len(units) and end in known and _goes_on(units[end - 1], units[end], numberings[end]):
            end += 1
        used.update(range(start, end))
        spans.append((start, end))
    return spans


def _near(one: Unit, other: Unit) -> bool:
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


def _cover(
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
    running = next((unit for unit in texts if likelihood.weighted_length(unit.text) > 60), None)
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
        counted = counted or (end > index + 1 and _is_label(unit, numbering, typography))
        following = units[min(end, len(units) - 1)]
        if not (counted or likelihood.is_keyword(unit.text) or likelihood.is_text(following, typography) or _is_long(following)):
            found.add(index)
    return found


def _is_long(unit: Unit) -> bool:
    return len(unit.lines) > 2 and likelihood.weighted_length(unit.text) > 120


def _draft(units: Sequence[Unit], numberings: Sequence[Numbering | None], start: int, end: int, score: float) -> Heading:
    unit = units[start]
    numbering = numberings[start]
    source: StructureSource = "font"
    if numbering is not None and (numbering.strength > 1 or likelihood.look_score(unit, _NO_LOOK) < 1.0):
        source = "numbering"
    elif likelihood.is_keyword(unit.text) and unit.look.size == 0:
        source = "keyword"
    text = _text_of(units, start, end)
    if end > start + 1 and numbering is not None:
        numbering = parse_numbering(text) or numbering
    look = max((units[i].look for i in range(start, end)), key=lambda look: look.size)
    return Heading(
        start=start, end=end, text=text, numbering=numbering, look=look, page=unit.page, level=0, source=source,
        confidence=round(min(0.95, likelihood.probability(score)), 2),
    )  # fmt: skip


_NO_LOOK = Typography(body=Look("", 1e9, True, True, "", False, 0, False), pitches={}, chinese=False)


def _leveled(units: Sequence[Unit], drafts: Sequence[Heading], skipped: set[int], listed: Collection[int]) -> tuple[Heading, ...]:
    ranked: list[Ranked] = []
    ruled: list[int] = []
    for i, heading in enumerate(drafts):
        after = drafts[i + 1] if i + 1 < len(drafts) else None
        if after is not None and heading.end in listed and not heading.level:
            # The title of the printed contents heads nothing but them, however large it is.
            continue
        between = range(heading.end, after.start) if after is not None else range(0)
        direct = after is not None and all(j in skipped and j not in listed for j in between) and heading.run_in is None
        centred = heading.start < len(units) and likelihood.is_centred(units[heading.start])
        ranked.append(
            Ranked(numbering=heading.numbering, look=heading.look, centred=centred, known=heading.level, hint=heading.hint, direct=direct)
        )
        ruled.append(i)
    levels = dict(zip(ruled, levels_of(ranked), strict=True))
    top = min(levels.values(), default=1)
    return tuple(replace(heading, level=levels.get(i, top)) for i, heading in enumerate(drafts))
