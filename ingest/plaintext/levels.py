"""Families become levels: fixed order where the words say it (part above chapter above section), else the order they open in. Pure."""

from collections import Counter
from collections.abc import Sequence

from ingest.plaintext.candidates import Candidate

_RANKS = (
    ("volume", "卷", "部", "册"),
    ("book", "集"),
    ("title",),
    ("part", "编", "篇", "teil", "partie", "division"),
    ("subpart", "subtitle"),
    (
        "chapter", "章", "回", "讲", "课", "kapitel", "chapitre", "capitulo", "capítulo", "lecture", "lesson", "unit", "module", "letter",
        "canto", "act", "幕", "week", "appendix", "annex", "schedule", "exhibit", "anhang", "附录",
    ),
    ("subchapter",),
    ("article",),
    ("section", "节", "item", "scene", "rule", "abschnitt", "seccion", "sección", "day", "step"),
    ("条", "§"),
    ("款",),
    ("项",),
)  # fmt: skip
_RANK = {name: rank for rank, names in enumerate(_RANKS) for name in names}
_CHAPTER = _RANK["chapter"]
_APPENDICES = frozenset({"appendix", "annex", "附录", "schedule", "exhibit", "anhang"})
_REPEATED = 3


def levels_of(candidates: Sequence[Candidate], keys: Sequence[str]) -> list[int]:
    """A level (from 1) for each candidate; `keys` are the squeezed titles, by which repeated keywords are told."""
    families = _families(candidates, keys)
    above: dict[str, frozenset[str]] = {}
    stack: list[str] = []
    levels = []
    for family in families:
        while stack and stack[-1] != family and not _is_above(stack[-1], family, above):
            stack.pop()
        if stack and stack[-1] == family:
            stack.pop()
        above.setdefault(family, frozenset(stack))
        stack.append(family)
        levels.append(len(stack))
    return levels


def _families(candidates: Sequence[Candidate], keys: Sequence[str]) -> list[str]:
    """The family of each candidate; a keyword counts as one of the main headings, or, when it returns, as one below them."""
    names = [candidate.family for candidate in candidates]
    main = _main_family(names)
    if main is None:
        return names
    counts = Counter(key for key, candidate in zip(keys, candidates, strict=True) if candidate.source == "keyword")
    families = []
    for key, candidate in zip(keys, candidates, strict=True):
        if candidate.source == "keyword":
            families.append("returning keyword" if counts[key] >= _REPEATED else main)
        else:
            # An appendix stands beside the sections of a paper as it stands beside the chapters of a book.
            families.append(main if candidate.family in _APPENDICES and main not in _RANK else candidate.family)
    return families


def _main_family(names: Sequence[str]) -> str | None:
    """The family that divides the text: chapters where there are some, else the first numbered one."""
    chapters = [name for name in names if _RANK.get(name) == _CHAPTER and name not in _APPENDICES]
    others = [name for name in names if name != "keyword" and name not in _APPENDICES and _RANK.get(name, _CHAPTER) >= _CHAPTER]
    return next(iter(chapters or others), None)


def _is_above(upper: str, family: str, above: dict[str, frozenset[str]]) -> bool:
    """Whether an open heading of one family holds a heading of the other."""
    first, second = _RANK.get(upper), _RANK.get(family)
    if first is not None and second is not None:
        return first < second
    depth, own = _decimal_depth(upper), _decimal_depth(family)
    if depth is not None and own is not None:
        return depth < own
    if family in above:
        return upper in above[family]
    return family not in above.get(upper, frozenset()) and not (
        own == 0 and second is None and first is None and upper == "returning keyword"
    )


def _decimal_depth(family: str) -> int | None:
    return int(family[7]) if family.startswith("decimal") else None
