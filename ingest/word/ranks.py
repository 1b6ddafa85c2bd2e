"""Which class of headings stands above which: by type size, numbers, and the order in which they appear. Pure."""

from collections.abc import Sequence
from functools import cmp_to_key
from itertools import pairwise

from ingest.word.classes import HeadingClass
from ingest.word.pieces import Look

# Divisions that always hold one another in this order, in any language they are counted in.
_DIVISIONS = (
    frozenset({"part", "book", "volume", "teil", "partie", "编", "卷", "篇", "部", "部分", "册", "title"}),
    frozenset({"分编", "subpart", "subtitle"}),
    frozenset({"chapter", "章", "appendix", "annex", "附录", "schedule", "kapitel", "chapitre", "讲", "回", "lecture", "unit", "module"}),
    frozenset({"section", "节", "abschnitt", "§", "article", "lesson"}),
    frozenset({"条"}),
    frozenset({"款", "项", "clause"}),
)
# Sizes this near are one size: half a point is a slip or a rounding.
_SAME_SIZE = 0.6
_KEYWORDS = 0.5


def levels_of(classes: Sequence[HeadingClass]) -> list[int]:
    """The level (from 1) of each class."""
    joined = _joined(classes)
    numbered = [group for group in joined if not _is_matter(group)]
    ordered = _decimals_in_order(sorted(numbered or joined, key=cmp_to_key(_compare)))
    levels: dict[int, int] = {}
    level = 0
    for place, group in enumerate(ordered):
        if place == 0 or not _is_one_level(ordered[place - 1], group):
            level += 1
        levels.update((member.place, level) for member in group.members)
    # Abstract, References and their like stand beside the chapters, whatever their look; below a lone title as these do.
    beside = 2 if len(ordered) > 1 and _is_crown(ordered[0], classes) else 1
    return [levels.get(heading_class.first, beside) for heading_class in classes]


def _is_crown(top: HeadingClass, classes: Sequence[HeadingClass]) -> bool:
    """Whether a class is one line without number before all others."""
    return len(top.members) == 1 and not top.family and top.first == min(other.first for other in classes)


def _joined(classes: Sequence[HeadingClass]) -> list[HeadingClass]:
    """The classes, those as one whose numbers are one sequence: authors do not set all their headings alike."""
    joined: list[HeadingClass] = []
    for heading_class in classes:
        place = next((i for i, other in enumerate(joined) if _counts_with(other, heading_class)), None)
        if place is None:
            joined.append(heading_class)
            continue
        other = joined[place]
        members = tuple(sorted((*other.members, *heading_class.members), key=lambda member: member.place))
        larger = max(other, heading_class, key=lambda c: len(c.members))
        joined[place] = HeadingClass(members=members, look=larger.look, family=other.family, score=other.score)
    return joined


def _counts_with(one: HeadingClass, other: HeadingClass) -> bool:
    if not one.family or not other.family:
        return False
    if one.depth and one.depth == other.depth > 1:
        return True
    if one.family != other.family:
        return False
    if one.members[0].list_level is not None and one.members[0].list_level == other.members[0].list_level:
        return True
    values = [member.values for member in sorted((*one.members, *other.members), key=lambda member: member.place)]
    if not all(values):
        return False
    if abs(one.look.size - other.look.size) <= _SAME_SIZE and all(a < b for a, b in pairwise(values)):
        return True
    # In any type, as long as none is left out.
    return len(values) > 2 and all((*a[:-1], a[-1] + 1) == b for a, b in pairwise(values))


def _is_matter(heading_class: HeadingClass) -> bool:
    return heading_class.keyword_share > _KEYWORDS and not heading_class.family


def _compare(one: HeadingClass, other: HeadingClass) -> int:
    """Negative when `one` stands above `other`."""
    if one.depth and other.depth and one.depth != other.depth:
        return one.depth - other.depth
    divisions = _division(one.family), _division(other.family)
    if None not in divisions and divisions[0] != divisions[1]:
        return (divisions[0] or 0) - (divisions[1] or 0)
    if one.family and other.family and (one.depth > 1) != (other.depth > 1) and (one.first < other.first) == (other.depth > 1):
        # "1.1" counts within something: what is numbered by one part and begins before it stands above.
        return one.depth - other.depth
    if abs(one.look.size - other.look.size) > _SAME_SIZE:
        return -1 if one.look.size > other.look.size else 1
    if one.first < other.first and len(one.members) <= len(other.members):
        return -1
    if other.first < one.first and len(other.members) <= len(one.members):
        return 1
    strengths = _strength(one.look), _strength(other.look)
    if strengths[0] != strengths[1]:
        return -1 if strengths[0] > strengths[1] else 1
    return one.first - other.first


def _strength(look: Look) -> tuple[bool, bool, bool, bool, float]:
    return (look.bold, look.caps, look.centred, look.underline, look.before - look.indent / 100)


def _division(family: str) -> int | None:
    return next((place for place, names in enumerate(_DIVISIONS) if family in names), None)


def _decimals_in_order(ordered: list[HeadingClass]) -> list[HeadingClass]:
    """Classes with decimal numbers ordered by depth among the places they hold, however they look."""
    places = [place for place, heading_class in enumerate(ordered) if heading_class.depth]
    moved = sorted((ordered[place] for place in places), key=lambda heading_class: heading_class.depth)
    for place, heading_class in zip(places, moved, strict=True):
        ordered[place] = heading_class
    return ordered


def _is_one_level(above: HeadingClass, below: HeadingClass) -> bool:
    """Neighbours in rank that look the same, of which one carries no number, or that carry numbers of one depth."""
    if abs(above.look.size - below.look.size) > _SAME_SIZE:
        return False
    if above.family and below.family and above.family != below.family:
        same_depth = above.depth == below.depth > 0 and above.family.endswith(")") == below.family.endswith(")")
        same_division = _division(above.family) is not None and _division(above.family) == _division(below.family)
        return same_depth or same_division
    names = ("bold", "italic", "caps", "underline", "centred")
    return not (above.family and below.family) and all(getattr(above.look, name) == getattr(below.look, name) for name in names)
