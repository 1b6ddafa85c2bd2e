"""Which families of heading candidates are headings indeed: lists, tables of contents and chance are sorted out. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from ingest.numbering import printed_number
from ingest.plaintext.candidates import BARE, CAPITALS, WORD, Candidate, has_leaders, stands_out
from ingest.plaintext.layout import width
from ingest.plaintext.levels import decimal_depth

_PAGE = re.compile(r"[\s.·…_]*(?:\d{1,4}|[ivxlc]+)\s*$", re.IGNORECASE)
_NOISE = re.compile(r"[\W_]+")
# Families that also number lists, so only their surroundings tell.
_LISTS = frozenset({BARE, "decimal0", "decimal0)", "、", "（", "(1)", "(a)", "(i)", "letter", "small letter", "roman"})
# A lone "R." is a name; letters count from A.
_LETTERS = frozenset({"letter", "small letter", "(a)"})
_SHORTEST_CONTENTS = 3
_SHORTEST_TITLE = 6
_SHORTEST_TEXT = 100
_MOST_IN_A_ROW = 2
_TAIL = 60


def squeezed(text: str) -> str:
    """The letters and digits of a title, without the page number that dots or a gap lead to: what contents and headings share."""
    shown = text[:-_TAIL] + _PAGE.sub("", text[-_TAIL:]) if has_leaders(text) else text
    return _NOISE.sub("", shown).casefold()


def without_contents(candidates: Sequence[Candidate], texts: Sequence[str]) -> list[Candidate]:
    """The candidates without those that only list headings: runs of short lines most of which come again later."""
    if not candidates:
        return []
    last = {key: candidate.index for candidate in candidates for key in _keys(texts[candidate.index])}
    starts = {candidate.index for candidate in candidates}
    listed: set[int] = set()
    run: list[int] = []
    for index, text in enumerate([*texts, ""]):
        if index < len(texts) and (index in starts or has_leaders(text) or (run and _short(text))):
            run.append(index)
            continue
        named = [i for i in run if i in starts]
        again = [i for i in named if any(last[key] > i for key in _keys(texts[i]))]
        leaders = [i for i in run if has_leaders(texts[i])]
        if len(named) >= _SHORTEST_CONTENTS and len(again) * 2 > len(named):
            leaders += again
        if len(leaders) >= _SHORTEST_CONTENTS:
            listed.update(range(min(leaders), max(leaders) + 1))
        run = []
    return [candidate for candidate in candidates if candidate.index not in listed]


def _keys(text: str) -> list[str]:
    """By what a line is known again: its letters with the number and, because the number may be written otherwise, without it."""
    number = printed_number(text)
    title = squeezed(text[number.end :]) if number else ""
    return [squeezed(text), title] if len(title) > _SHORTEST_TITLE else [squeezed(text)]


def accepted(candidates: Sequence[Candidate], texts: Sequence[str]) -> list[Candidate]:
    """The candidates of the families that are headings, in order."""
    families: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        families[candidate.family].append(candidate)
    places = {candidate.index: candidate.family for candidate in candidates}
    kept = {family for family, members in families.items() if _holds(family, members, places, texts)}
    numbers = {candidate.values for candidate in candidates}
    for family, members in families.items():
        depth = decimal_depth(family) or 0
        above = ("decimal0", "chapter", "章", f"decimal{depth - 1}")
        # A lone "2.1.1" stands in the chain of 2 and 2.1 and needs no second of its kind.
        if depth and (kept.intersection(above) or members[0].values[:-1] in numbers):
            kept.add(family)
    for family in [name for name in families if name not in kept and len(families[name]) == 1]:
        if _begins(families[family][0], [c for c in candidates if c.family in kept], places, texts):
            kept.add(family)
    candidates = _without_shouting(candidates, texts)
    if BARE in kept and any(decimal_depth(family) is not None for family in kept):
        kept.remove(BARE)  # where chapters have number and title, digits alone are pages
    return [candidate for candidate in candidates if candidate.family in kept]


def _without_shouting(candidates: Sequence[Candidate], texts: Sequence[str]) -> list[Candidate]:
    """Without capitals that are no headings: lines one after the other (a licence, a title page), and words that come again."""
    capitals = {candidate.index for candidate in candidates if candidate.family == CAPITALS}
    times = Counter(squeezed(texts[index]) for index in capitals)
    dropped = {index for index in capitals if times[squeezed(texts[index])] > 1}
    for index in sorted(capitals):
        run = [index]
        while run[-1] + 1 in capitals:
            run.append(run[-1] + 1)
        if len(run) > _MOST_IN_A_ROW:
            dropped.update(run)
    places = [*(candidate.index for candidate in candidates), len(texts)]
    numbered = min((candidate.index for candidate in candidates if candidate.values), default=0)
    for index, following in pairwise(places):
        # Title and edition of a book, with the author between.
        if index in capitals and index < numbered and sum(len(text) for text in texts[index + 1 : following]) < _SHORTEST_TEXT:
            dropped.add(index)
    return [candidate for candidate in candidates if candidate.index not in dropped]


def _begins(member: Candidate, headings: Sequence[Candidate], places: dict[int, str], texts: Sequence[str]) -> bool:
    """Whether a lone "1." or "I." is a heading: below numbered ones, or above the first of them; a list of one item would need none.

    Any lone number is one above those that go on from it ("2." above "2.1").
    """
    if any(heading.values[:-1] == member.values for heading in headings if len(heading.values) > 1):
        return True
    numbered = [heading for heading in headings if heading.values]
    below = bool(numbered) and numbered[0].index < member.index
    above = bool(numbered) and member.index < numbered[0].index and numbered[0].values[-1] == 1
    return member.family in _LISTS and member.values[-1:] == (1,) and (below or above) and _over_text(member, places, texts)


def lone_lines(texts: Sequence[str], alone: Sequence[bool]) -> list[Candidate]:
    """Short lines between blank lines, where a text has no other headings: at least three, rare, each above running text."""
    found = [
        index
        for index, text in enumerate(texts)
        if alone[index] and stands_out(text) and index + 1 < len(texts) and len(texts[index + 1]) > max(80, 2 * len(text))
    ]
    # What returns is a speaker, a placeholder or a running head.
    times = Counter(texts[index] for index in found)
    found = [index for index in found if times[texts[index]] == 1]
    if len(found) < 3 or len(found) * 2 > len(texts):
        return []
    return [Candidate(index=index, family="line", source="font") for index in found]


def orderly(members: Sequence[Candidate]) -> float:
    """The share of members that continue their family: one more than the last, or the first of a new run."""
    steps = 0
    before: dict[tuple[int, ...], int] = {}
    last = 0
    for member in members:
        stem, value = member.values[:-1], member.values[-1] if member.values else 0
        expected = before.get(stem, 0) + 1
        steps += value in (expected, last + 1, 0, 1) or (value == expected + 1)
        before[stem] = last = value
    return steps / max(1, len(members))


def _holds(family: str, members: Sequence[Candidate], places: dict[int, str], texts: Sequence[str]) -> bool:
    if family == "keyword":
        return True
    over_text = sum(_over_text(member, places, texts) for member in members)
    if family == CAPITALS:
        # Two such lines are a title page or a signature as often as they are headings.
        return len(members) >= 3 and over_text * 2 >= len(members) and _varied(members, texts)
    if family.startswith(WORD):
        return len(members) >= 3 and members[0].values == (1,) and over_text * 2 >= len(members) and orderly(members) > 0.9
    if family in _LETTERS and all(member.values[-1:] != (1,) for member in members):
        return False
    if family not in _LISTS:
        return len(members) >= 2 or not family.startswith("decimal")
    followed = sum(places.get(member.index + 1) == family for member in members)
    return len(members) >= 2 and followed * 3 <= len(members) and over_text * 2 >= len(members) and orderly(members) >= 0.6


def _over_text(member: Candidate, places: dict[int, str], texts: Sequence[str]) -> bool:
    """Whether running text or a deeper heading follows the line."""
    after = member.index + 1
    if after >= len(texts):
        return False
    if after in places:
        return places[after] != member.family
    return width(texts[after]) > width(texts[member.index])


def _varied(members: Sequence[Candidate], texts: Sequence[str]) -> bool:
    """Whether the lines differ: what returns again and again is a speaker's name or a running head."""
    counts = Counter(squeezed(texts[member.index]) for member in members)
    return len(counts) * 2 > len(members)


def _short(text: str) -> bool:
    return width(text) <= 60
