"""All evidence together: bookmarks and contents where they are true, completed by what look, place, words and numbers say. Pure."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ingest.blocks import StructureSource
from ingest.pdf import chains, likelihood
from ingest.pdf.bookmarks import Confirmed
from ingest.pdf.kinds import Ranked
from ingest.pdf.levels import levels_of
from ingest.pdf.matching import Found
from ingest.pdf.merging import is_label, is_near, labels_next, merged_spans, numbers_term, text_of
from ingest.pdf.neighbours import cover, directories, followed_by_text, own_title, repeated_labels, runs_on, with_classes
from ingest.pdf.numbering import Numbering, parse_numbering
from ingest.pdf.runins import Lead, find_leads
from ingest.pdf.typography import Look, Typography, is_east_asian
from ingest.pdf.units import Unit, stands_out

_LISTED_LOSS = 3.0


# Given the log odds so far, what each further evidence adds, with the source that a heading found by it alone is said to have.
Further = Callable[[Mapping[int, float]], Iterable[tuple[StructureSource, Mapping[int, float]]]]


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
    further: Further | None = None,
    without: frozenset[str] = frozenset(),
) -> tuple[Heading, ...]:
    """The headings in reading order with levels.

    `skipped` are units that cannot be headings, `listed` those among them that are the printed contents; `further` is asked for what a
    model adds to the log odds (see evidence.py). `without` names evidence to leave out: numbering, fonts, spacing.
    """
    if "fonts" in without:
        units = [replace(unit, look=typography.body) for unit in units]
    if "spacing" in without:
        units = [replace(unit, above=1.0, below=1.0) for unit in units]
    numberings = chains.resolved(units, skipped)
    if "numbering" in without:
        numberings = [None] * len(units)
    support = chains.supports(units, numberings, skipped)
    claimed = {claim.found.start for claim in claims}
    inside = {i for claim in claims for i in range(claim.found.start, claim.found.end)}
    scores = with_classes(units, numberings, typography, _scores(units, numberings, typography, skipped), inside)
    for index in directories(units, numberings, scores, skipped) | repeated_labels(units, numberings, scores, typography):
        scores[index] -= _LISTED_LOSS
    won: dict[int, StructureSource] = {}
    for source, added in further(scores) if further is not None else ():
        for index, odds in added.items():
            if scores[index] <= likelihood.SURE < scores[index] + odds:
                won[index] = source
            scores[index] += odds
    drafts = [_claimed(units, numberings, claim, typography) for claim in claims]
    inside |= {draft.start for draft in drafts}
    starts = [
        i
        for i in sorted(scores)
        if i not in inside
        and (
            scores[i] > likelihood.SURE
            or labels_next(units, numberings, scores, typography, i)
            or numbers_term(units, numberings, support, skipped, i)
        )
    ]
    numbered = (sum(draft.numbering is not None for draft in drafts) + sum(numberings[i] is not None for i in starts)) / max(
        1, len(drafts) + len(starts)
    )
    leads = [] if "fonts" in without else find_leads(units, numberings, support, skipped | inside, numbered)
    led = {lead.index for lead in leads}
    starts = [i for i in starts if i not in led]
    spans = merged_spans(units, numberings, starts, scores, claimed, typography)
    front = cover(units, numberings, spans, support, typography, skipped)
    if not claims:
        front |= own_title(units, numberings, [*spans, *((lead.index, lead.index + 1) for lead in leads)])
    for start, end in spans:
        if start not in front:
            draft = _draft(units, numberings, typography, start, end, scores[start])
            drafts.append(replace(draft, source=won[start]) if start in won else draft)
    covered = {i for start, end in spans for i in range(start, end)}
    drafts.extend(_run_in(lead, units[lead.index]) for lead in leads if lead.index not in covered)
    drafts.extend(_unprinted(units, row) for row in unconfirmed)
    drafts.sort(key=lambda heading: (heading.start, heading.end))
    return _leveled(units, drafts, skipped, listed)


def _scores(
    units: Sequence[Unit],
    numberings: Sequence[Numbering | None],
    typography: Typography,
    skipped: set[int],
) -> dict[int, float]:
    """Log odds by unit index, of all units that may be headings."""
    support = chains.supports(units, numberings, skipped)
    dense = chains.dense(units, numberings, skipped)
    found = {}
    for unit in units:
        if unit.index in skipped:
            continue
        context = likelihood.Context(
            support=support.get(unit.index, 0.0),
            dense=unit.index in dense,
            followed_by_text=followed_by_text(units, unit.index, typography, skipped),
            runs_on=runs_on(units, unit.index, skipped),
        )
        found[unit.index] = likelihood.heading_score(unit, numberings[unit.index], typography, context)
    return found


def _claimed(units: Sequence[Unit], numberings: Sequence[Numbering | None], claim: Claim, typography: Typography) -> Heading:
    found = claim.found
    start = found.start
    if start and found.run_in is None and numberings[start] is None and is_near(units[start - 1], units[start]):
        # The label above ("Chapter 3") belongs to the title that was found.
        start -= is_label(units[start - 1], numberings[start - 1], typography)
    unit = units[found.start]
    text = unit.text[: found.run_in] if found.run_in else text_of(units, start, found.end)
    numbering = parse_numbering(text)
    resolved = numberings[start]
    if numbering is not None and resolved is not None and resolved.label == numbering.label:
        numbering = replace(numbering, family=resolved.family, values=resolved.values)
    return Heading(
        start=start, end=found.end, text=text.strip(), numbering=numbering, look=unit.look,
        page=unit.page, level=claim.level, hint=claim.hint, source=claim.source,
        confidence=round(claim.confidence * found.agreement, 2), run_in=found.run_in,
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


def _draft(
    units: Sequence[Unit], numberings: Sequence[Numbering | None], typography: Typography, start: int, end: int, score: float
) -> Heading:
    unit = units[start]
    numbering = numberings[start]
    source: StructureSource = "font"
    if numbering is not None:
        source = "numbering"
    elif likelihood.is_keyword(unit.text) and not stands_out(unit.look, typography.body):
        source = "keyword"
    text = text_of(units, start, end)
    if end > start + 1:
        numbering = parse_numbering(text) or numbering
    look = max((units[i].look for i in range(start, end)), key=lambda look: look.size)
    return Heading(
        start=start, end=end, text=text, numbering=numbering, look=look, page=unit.page, level=0, source=source,
        confidence=round(min(0.95, likelihood.probability(score)), 2),
    )  # fmt: skip


def _run_in(lead: Lead, unit: Unit) -> Heading:
    return Heading(
        start=unit.index, end=unit.index + 1, text=lead.text, numbering=lead.numbering, look=lead.look, page=unit.page, level=0,
        source="numbering" if lead.numbering is not None else "font", confidence=0.7, run_in=lead.length,
    )  # fmt: skip


def _leveled(units: Sequence[Unit], drafts: Sequence[Heading], skipped: set[int], listed: Collection[int]) -> tuple[Heading, ...]:
    ranked: list[Ranked] = []
    ruled: list[int] = []
    for i, heading in enumerate(drafts):
        after = drafts[i + 1] if i + 1 < len(drafts) else None
        if after is not None and heading.end in listed and not heading.level:
            # The title of the printed contents heads nothing but them, however large it is.
            continue
        between = range(heading.end, after.start) if after is not None else range(0)
        direct = (
            after is not None
            and all(j in skipped and j not in listed and not units[j].is_table for j in between)
            and heading.run_in is None
        )
        centred = heading.start < len(units) and likelihood.is_centred(units[heading.start])
        ranked.append(
            Ranked(
                numbering=heading.numbering,
                look=heading.look,
                centred=centred,
                known=heading.level,
                hint=heading.hint,
                direct=direct,
                east_asian=is_east_asian(heading.text),
                run_in=heading.run_in is not None,
            )
        )
        ruled.append(i)
    levels = dict(zip(ruled, levels_of(ranked), strict=True))
    found = list(drafts)
    following = 1
    for i in reversed(range(len(drafts))):
        # The title of the contents stands on the level of what comes next.
        following = levels.get(i, following)
        found[i] = replace(drafts[i], level=following)
    return tuple(found)
