"""Kinds of headings: what is numbered in one way or looks alike stands on one level, whatever it says. Pure."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.pdf.numbering import Numbering
from ingest.pdf.typography import Look

_SAME_SIZE = 1.25  # ratio of sizes up to which headings of one numbering family are set alike
Kind = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """What levels are decided from.

    `known` is a level that stands (a bookmark's), `hint` one that speaks for all headings of the kind (the printed contents'); 0 for
    none. `direct` says that the next heading follows without text between, `run_in` that the heading begins a paragraph.
    """

    numbering: Numbering | None
    look: Look
    centred: bool
    known: int = 0
    hint: int = 0
    direct: bool = False
    east_asian: bool = False
    run_in: bool = False


def kinds_of(headings: Sequence[Ranked]) -> list[Kind]:
    """The kind of each heading: its family of numbers with the depth, or its look."""
    return _parted_by_hints(headings, _joined_sizes([_kind(heading) for heading in headings]))


def weighed_alike(headings: Sequence[Ranked]) -> list[Ranked]:
    """Headings of one size whose weight only the script tells are one kind: Chinese and Latin type come from different fonts."""
    weights: dict[tuple[object, ...], dict[bool, set[bool]]] = defaultdict(lambda: defaultdict(set))
    sizes = [(heading.look.size, heading.look.italic, heading.look.underlined, heading.centred) for heading in headings]
    for heading, key in zip(headings, sizes, strict=True):
        if heading.numbering is None:
            weights[key][heading.east_asian].add(heading.look.bold)
    told = {key for key, scripts in weights.items() if list(map(len, scripts.values())) == [1, 1] and scripts[True] != scripts[False]}
    return [
        replace(heading, look=heading.look._replace(bold=True)) if key in told else heading
        for heading, key in zip(headings, sizes, strict=True)
    ]


def _kind(heading: Ranked) -> Kind:
    numbering, look = heading.numbering, heading.look
    dressed = (look.size, look.bold, look.italic, look.case, look.underlined)
    if numbering is None:
        return ("look", *dressed, heading.centred, heading.run_in)
    if numbering.rank is not None:
        return ("division", numbering.family, numbering.depth)
    if numbering.family in ("1.1", "A.1"):
        return ("decimal", numbering.depth) if numbering.depth > 1 else ("decimal", 1, look.size)
    return ("mark", numbering.family, look.size)


def _joined_sizes(kinds: Sequence[Kind]) -> list[Kind]:
    """Kinds of one family whose sizes hardly differ are one kind: a family of marks is used for one level, however it is set."""
    sizes: dict[tuple[object, ...], list[float]] = defaultdict(list)
    for kind in kinds:
        if kind[0] in ("mark", "decimal") and len(kind) == 3:
            sizes[kind[:2]].append(float(str(kind[2])))
    bases: dict[Kind, float] = {}
    for family, values in sizes.items():
        base = 0.0
        for value in sorted(set(values)):
            base = value if value > _SAME_SIZE * base else base
            bases[(*family, value)] = base
    return [(*kind[:2], bases[kind]) if kind in bases else kind for kind in kinds]


def _parted_by_hints(headings: Sequence[Ranked], kinds: Sequence[Kind]) -> list[Kind]:
    """Unnumbered headings that look alike but stand on several levels of the contents are several kinds."""
    given: dict[Kind, Counter[int]] = defaultdict(Counter)
    for heading, kind in zip(headings, kinds, strict=True):
        if kind[0] == "look" and heading.hint:
            given[kind][heading.hint] += 1
    mixed = {kind: counts for kind, counts in given.items() if sum(n >= 2 for n in counts.values()) >= 2}
    return [
        (*kind, heading.hint or mixed[kind].most_common(1)[0][0]) if kind in mixed else kind
        for heading, kind in zip(headings, kinds, strict=True)
    ]
