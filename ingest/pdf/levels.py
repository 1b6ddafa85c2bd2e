"""Levels for headings: kinds of headings are ordered by what contains what; known levels (bookmarks, contents, tags) anchor them. Pure.

A kind is a numbering family with its depth, or a look. Of two kinds, the one above has the lower decimal depth or division rank,
larger or heavier type, stands directly before the other one, and lets the other one's numbers start again.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from ingest.pdf.kinds import Kind, Ranked, kinds_of, weighed_alike
from ingest.pdf.numbering import Numbering

_MAX_KINDS = 24


def levels_of(headings: Sequence[Ranked]) -> list[int]:
    """A level from 1 for each heading, in order. Gaps are left for the outline to repair."""
    if not headings:
        return []
    headings = weighed_alike(headings)
    kinds = kinds_of(headings)
    hints = _hints(headings, kinds)
    order = _ordered(headings, kinds, hints)
    ranks = _ranks(order, headings, kinds, hints)
    if any(heading.known for heading in headings):
        return _anchored(headings, kinds, order, ranks)
    return [ranks[kind] for kind in kinds]


def _hints(headings: Sequence[Ranked], kinds: Sequence[Kind]) -> dict[Kind, float]:
    """The mean level that the contents give each kind."""
    given: dict[Kind, list[int]] = defaultdict(list)
    for heading, kind in zip(headings, kinds, strict=True):
        if heading.hint or heading.known:
            given[kind].append(heading.hint or heading.known)
    return {kind: sum(levels) / len(levels) for kind, levels in given.items()}


def _ordered(headings: Sequence[Ranked], kinds: Sequence[Kind], hints: dict[Kind, float]) -> list[Kind]:
    """The kinds from the top down: again and again the one that is least below any other."""
    members = _members(kinds)
    names = sorted(members, key=lambda kind: -len(members[kind]))
    frequent, rare = names[:_MAX_KINDS], names[_MAX_KINDS:]
    above = {(x, y): _above(headings, kinds, members, x, y) + _by_hints(hints, x, y) for x in frequent for y in frequent if x != y}
    order: list[Kind] = []
    left = list(frequent)
    while left:
        best = max(left, key=lambda x: (min((above[x, y] for y in left if y != x), default=0.0), -members[x][0]))
        order.append(best)
        left.remove(best)
    return order + rare


def _members(kinds: Sequence[Kind]) -> dict[Kind, list[int]]:
    members: dict[Kind, list[int]] = defaultdict(list)
    for i, kind in enumerate(kinds):
        members[kind].append(i)
    return members


def _above(headings: Sequence[Ranked], kinds: Sequence[Kind], members: dict[Kind, list[int]], x: Kind, y: Kind) -> float:
    """How strongly kind `x` stands above kind `y`; antisymmetric."""
    one, other = headings[members[x][0]], headings[members[y][0]]
    # A word such as "Part 276" that comes once, in a quotation perhaps, does not stand above the families that carry the document.
    once = min(len(members[x]), len(members[y])) == 1 and max(len(members[x]), len(members[y])) >= 3
    score = _by_number(one.numbering, other.numbering) * (0.25 if once and x[0] != y[0] else 1.0) + _by_look(one, other)
    direct = Counter((kinds[i], kinds[i + 1]) for i in range(len(kinds) - 1) if headings[i].direct)
    xy, yx = direct[x, y], direct[y, x]
    if xy + yx:
        score += 4.0 * (xy - yx) / (xy + yx + 2)  # a case or two prove little
    score += _by_restarts(headings, members, x, y) - _by_restarts(headings, members, y, x)
    score += (3.0 if _runs_through(headings, members, y, x) else 0.0) - (3.0 if _runs_through(headings, members, x, y) else 0.0)
    score += 0.5 * ((y[0] == "look") - (x[0] == "look"))
    score += _by_spread(len(headings), members[x], members[y])
    return score + (0.4 if members[x][0] < members[y][0] else -0.4)


def _by_spread(count: int, x: Sequence[int], y: Sequence[int]) -> float:
    """A kind that comes again and again through the document stands above one that appears once or twice."""
    spread = [(members[-1] - members[0]) / max(1, count) if len(members) >= 3 else 0.0 for members in (x, y)]
    return 1.5 if spread[0] > 0.5 and len(y) <= 2 else -1.5 if spread[1] > 0.5 and len(x) <= 2 else 0.0


def _by_hints(hints: dict[Kind, float], x: Kind, y: Kind) -> float:
    """The contents list the upper levels, so a kind that they name stands above one that they do not."""
    if x in hints and y in hints:
        return max(-6.0, min(6.0, 4.0 * (hints[y] - hints[x])))
    return 2.5 * ((x in hints) - (y in hints)) if hints else 0.0


def _by_number(one: Numbering | None, other: Numbering | None) -> float:
    if one is None or other is None:
        return 0.0
    decimal = ("1.1", "A.1", "1")
    if one.family in decimal and other.family in decimal:
        return 12.0 * (other.depth - one.depth)
    if one.rank is not None and other.rank is not None:
        return 8.0 * (other.rank - one.rank) + (12.0 * (other.depth - one.depth) if one.family == other.family else 0.0)
    if one.rank is not None:
        return 6.0 if one.rank <= 1 else 2.0
    if other.rank is not None:
        return -6.0 if other.rank <= 1 else -2.0
    return 0.0


def _by_look(one: Ranked, other: Ranked) -> float:
    difference = (one.look.size - other.look.size) / max(1.0, min(one.look.size, other.look.size))
    if abs(difference) > 0.03:
        return (2.0 + min(3.0, 8 * abs(difference))) * (1 if difference > 0 else -1)
    return 0.9 * (_weight(one) - _weight(other))


def _weight(heading: Ranked) -> float:
    look = heading.look
    case = {"upper": 1.3, "small": 1.0, "": 0.0}[look.case]
    return (
        (1.8 if look.bold else 0.0)
        + case
        + (0.6 if heading.centred else 0.0)
        + (0.3 if look.underlined else 0.0)
        - (0.3 if look.italic else 0.0)
        - (2.5 if heading.run_in else 0.0)
    )


def _by_restarts(headings: Sequence[Ranked], members: dict[Kind, list[int]], x: Kind, y: Kind) -> float:
    """Whether the numbers of `y` start again under each `x` (then x is above) or run on through them."""
    if y[0] == "look":
        return 0.0
    again = through = 0
    for before, after in zip(members[y], members[y][1:], strict=False):
        if not any(before < i < after for i in members[x]):
            continue
        first, second = headings[before].numbering, headings[after].numbering
        assert first is not None
        assert second is not None
        if second.values[-1] == 1 and x[0] == "look" and any(headings[i].numbering for i in range(before + 1, after)):
            continue  # a numbered heading between explains it better
        if second.values[-1] == 1:
            again += 1
        elif second.values[-1] == first.values[-1] + 1:
            through += 1
    # Articles and sections of a statute run on through its chapters, so running on says little for divisions.
    loss = 0.5 if y[0] == "division" else 2.5
    return min(4.0, 1.5 * again) - min(3.0, loss * through) if again + through else 0.0


def _runs_through(headings: Sequence[Ranked], members: dict[Kind, list[int]], x: Kind, y: Kind) -> bool:
    """Whether unnumbered headings of kind `x` stand again and again between numbers of `y` that follow each other: they are inside."""
    if x[0] != "look" or y[0] == "look":
        return False
    through = again = 0
    for before, after in pairwise(members[y]):
        if any(before < i < after for i in members[x]):
            first, second = headings[before].numbering, headings[after].numbering
            assert first is not None
            assert second is not None
            on = second.values[:-1] == first.values[:-1] and second.values[-1] == first.values[-1] + 1
            through, again = through + on, again + (not on)
    return through >= 2 and through >= again


def _ranks(order: Sequence[Kind], headings: Sequence[Ranked], kinds: Sequence[Kind], hints: dict[Kind, float]) -> dict[Kind, int]:
    """A level for each kind: its place in the order, shared by kinds that are peers."""
    ranks: dict[Kind, int] = {}
    members = _members(kinds)
    samples = dict(zip(reversed(kinds), reversed(headings), strict=True))
    level = 0
    for place, kind in enumerate(order):
        above = reversed(order[:place])
        peer = next(
            (
                other
                for other in above
                if _are_peers(samples[kind], samples[other], kind, other, hints)
                and not _runs_through(headings, members, kind, other)
                and not _runs_through(headings, members, other, kind)
            ),
            None,
        )
        level += peer is None
        ranks[kind] = level if peer is None else ranks[peer]
    return ranks


def _are_peers(one: Ranked, other: Ranked, kind: Kind, above: Kind, hints: dict[Kind, float]) -> bool:
    """Whether two kinds stand on one level: the contents say so, or they are set alike and number differently or not at all."""
    numbers = one.numbering, other.numbering
    if kind[0] == above[0] == "decimal":
        return kind[1] == above[1]
    if kind in hints and above in hints:
        return abs(hints[kind] - hints[above]) < 0.4
    look, base = one.look, other.look
    alike = abs(look.size - base.size) <= 0.5 and (look.bold, look.italic, look.case) == (base.bold, base.italic, base.case)
    if numbers[0] is None or numbers[1] is None:
        return alike and look.underlined == base.underlined
    if numbers[0].rank is not None and numbers[0].rank == numbers[1].rank:
        return numbers[0].depth == numbers[1].depth
    letters = {numbers[0].family, numbers[1].family}
    return alike and numbers[0].depth == numbers[1].depth == 1 and letters in ({"A.", "1.1"}, {"appendix", "1.1"}, {"附录", "1.1"})


def _anchored(headings: Sequence[Ranked], kinds: Sequence[Kind], order: Sequence[Kind], ranks: dict[Kind, int]) -> list[int]:
    """Known levels stay; an unknown heading takes the level that its kind mostly has, else one below the kind above it in the order."""
    votes: dict[Kind, Counter[int]] = defaultdict(Counter)
    for heading, kind in zip(headings, kinds, strict=True):
        if heading.known:
            votes[kind][heading.known] += 1
    levels: list[int] = []
    for heading, kind in zip(headings, kinds, strict=True):
        if heading.known:
            levels.append(heading.known)
        elif kind in votes:
            levels.append(votes[kind].most_common(1)[0][0])
        else:
            levels.append(_beside_known(kind, order, ranks, votes))
    return levels


def _beside_known(kind: Kind, order: Sequence[Kind], ranks: dict[Kind, int], votes: dict[Kind, Counter[int]]) -> int:
    higher = [other for other in order if other in votes and ranks[other] < ranks[kind]]
    equal = [other for other in order if other in votes and ranks[other] == ranks[kind]]
    if equal:
        return votes[equal[0]].most_common(1)[0][0]
    if higher:
        nearest = max(higher, key=lambda other: ranks[other])
        return max(votes[other].most_common(1)[0][0] for other in higher) + ranks[kind] - ranks[nearest]
    return 1
