"""Families become levels: fixed order where the words say it (part above chapter above section), else the order they open in. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ingest.plaintext.candidates import CAPITALS, WORD, Candidate

_RANKS = (
    ("volume", "卷", "部", "册"),
    ("book", "集"),
    ("title",),
    ("part", "部分", "编", "篇", "teil", "partie", "division"),
    ("subpart", "subtitle", "分编"),
    (
        "chapter", "章", "回", "讲", "课", "kapitel", "chapitre", "capitulo", "capítulo", "lecture", "lesson", "unit", "module", "epistle",
        "canto", "act", "幕", "week", "appendix", "annex", "schedule", "exhibit", "anhang", "附录",
    ),
    ("subchapter",),
    ("article",),
    ("section", "节", "item", "scene", "rule", "abschnitt", "seccion", "sección", "day", "step"),
    ("条", "§"),
    ("款", "clause"),
    ("项",),
)  # fmt: skip
_RANK = {name: rank for rank, names in enumerate(_RANKS) for name in names}
_CHAPTER = _RANK["chapter"]
_APPENDICES = frozenset({"appendix", "annex", "附录", "schedule", "exhibit", "anhang"})
_REPEATED = 3
LOOK = "look "
"""How the name of a family begins that only its look tells."""
SIZE_STEP = 0.08
"""Type that differs by less than this share counts as one size: converters round."""


def levels_of(candidates: Sequence[Candidate], keys: Sequence[str], weights: Mapping[str, tuple[float, ...]] | None = None) -> list[int]:
    """A level (from 1) for each candidate; `keys` are the squeezed titles, by which repeated keywords are told.

    `weights` tells the look of a family, if it is known, as (size in points, emphasis ...): the heavier holds the lighter.
    """
    order = _Order(weights=weights or {})
    stack: list[str] = []
    levels = []
    for family in _families(candidates, keys):
        while stack and stack[-1] != family and not order.is_above(stack[-1], family):
            stack.pop()
        if stack and stack[-1] == family:
            stack.pop()
        order.above.setdefault(family, frozenset(stack))
        stack.append(family)
        levels.append(len(stack))
    return levels


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """What is known about families: their looks, and which others were open above each when it first came."""

    weights: Mapping[str, tuple[float, ...]]
    above: dict[str, frozenset[str]] = field(default_factory=dict)

    def is_above(self, upper: str, family: str) -> bool:
        """Whether an open heading of one family holds a heading of the other."""
        for known in (_RANK.get, decimal_depth, _marked_depth):
            first, second = known(upper), known(family)
            if first is not None and second is not None:
                return first < second
        if upper in self.weights and family in self.weights and (upper.startswith(LOOK) or family.startswith(LOOK)):
            return self._looks_above(upper, family)
        if family in self.above:
            return upper in self.above[family]
        return family not in self.above.get(upper, frozenset())

    def _looks_above(self, upper: str, family: str) -> bool:
        """The larger type is above, then a part, chapter or item, then the stronger emphasis; equals are siblings."""
        heavy, light = self.weights[upper], self.weights[family]
        if abs(heavy[0] - light[0]) > SIZE_STEP * max(heavy[0], light[0]):
            return heavy > light
        if upper.startswith(LOOK) and family.startswith(LOOK):
            return heavy[1:] > light[1:]
        named = family if upper.startswith(LOOK) else upper
        return named == upper if named in _RANK else heavy[1:] > light[1:]


def _families(candidates: Sequence[Candidate], keys: Sequence[str]) -> list[str]:
    """The family of each candidate; a keyword counts as one of the main headings, or, when it returns, as one below them."""
    names = [candidate.family for candidate in candidates]
    main = _main_family(names)
    if main is None:
        return names
    first = next(i for i, name in enumerate(names) if name == main)
    # What stands in capitals before the first chapter (ETYMOLOGY, EXTRACTS) stands beside it.
    if main in _RANK or main.startswith(WORD):
        names = [main if name == CAPITALS and i < first else name for i, name in enumerate(names)]
    counts = Counter(key for key, candidate in zip(keys, candidates, strict=True) if candidate.source == "keyword")
    families = []
    for key, name, candidate in zip(keys, names, candidates, strict=True):
        if candidate.source == "keyword":
            families.append("returning keyword" if counts[key] >= _REPEATED else main)
        else:
            # An appendix stands beside the sections of a paper as it stands beside the chapters of a book.
            families.append(main if name in _APPENDICES and main not in _RANK else name)
    return families


def _main_family(names: Sequence[str]) -> str | None:
    """The family that divides the text: chapters where there are some, else the first numbered one."""
    chapters = [name for name in names if (_RANK.get(name) == _CHAPTER or name.startswith(WORD)) and name not in _APPENDICES]
    others = [name for name in names if name != "keyword" and name not in _APPENDICES and _RANK.get(name, _CHAPTER) >= _CHAPTER]
    return next(iter(chapters or others), None)


def decimal_depth(family: str) -> int | None:
    """How many parts come after the first in the numbers of a family: 0 for "3", 1 for "3.2"; None for families of other numbers."""
    return int(family[7:].rstrip(")")) if family.startswith("decimal") else None


def _marked_depth(family: str) -> int | None:
    """How deep `== marks ==` and # say that a heading is."""
    return int(family[-1]) if family.startswith("mark depth") else None
