"""The automatic numbers of Word lists and headings, computed from numbering.xml as Word shows them (ECMA-376 part 1, 17.9).

Rules that the standard leaves open follow Word; they were checked on 15,000 numbers of 97 British judgments, which their publishers
had marked up. Lists that share an abstract definition go on counting together. A start override takes effect once, at the first
paragraph of its list on its level, and not at all after a paragraph of that list on a deeper one. A level that is skipped counts
as used (2, then 2.1.1, then 2.2; Microsoft knowledge base Q110380) until a paragraph of a higher level comes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ingest.word.names import MC, VAL, W14, Element, W, child_value, is_on, whole_number
from ingest.word.number_formats import SILENT_FORMATS, custom_number, format_number
from ingest.word.styles import StyleSheet

LEVELS = 9
_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One level of a list. `restart` is the 1-based level after which it begins anew (0: never, None: any higher one)."""

    start: int = 1
    format: str = "decimal"
    pattern: str = ""
    template: str = ""
    restart: int | None = None
    legal: bool = False
    style: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """What Word prints before a paragraph: `text` ("2.1", "第三章", "•"; "" for a level without a sign), and the level from 0."""

    text: str
    level: int
    is_bullet: bool
    template: str
    list_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _List:
    """A `w:num`: the abstract definition it counts in, its levels after overrides, and where it starts anew.

    Lists that only borrow the levels of a numbering style count apart from it.
    """

    abstract: str
    levels: Mapping[int, Level]
    starts: Mapping[int, int] = field(default_factory=dict)


class Numbering:
    """The definitions of a document; they never change. Counting is done by a `Counter`."""

    def __init__(self, root: Element | None, styles: StyleSheet) -> None:
        self._abstracts: dict[str, dict[int, Level]] = {}
        self._style_links: dict[str, str] = {}
        self._nums: dict[str, Element] = {}
        self._lists: dict[str, _List | None] = {}
        self._styles = styles
        if root is None:
            return
        for element in root.iter(W + "abstractNum"):
            number = element.get(W + "abstractNumId", "")
            self._abstracts[number] = _read_levels(element)
            link = child_value(element, "numStyleLink")
            if link:
                self._style_links[number] = link
        self._nums = {element.get(W + "numId", ""): element for element in root.iter(W + "num")}

    def definition(self, number_id: str) -> _List | None:
        """The list with this id, or None when it is not defined ("0" takes numbers away)."""
        if number_id not in self._lists:
            self._lists[number_id] = self._build(number_id)
        return self._lists[number_id]

    def level_of_style(self, number_id: str, style_id: str) -> int | None:
        """The level that a list keeps for a paragraph style, or None."""
        found = self.definition(number_id)
        return None if found is None else next((i for i, level in found.levels.items() if level.style == style_id), None)

    def _build(self, number_id: str) -> _List | None:
        element = self._nums.get(number_id)
        if element is None or number_id == "0":
            return None
        own = child_value(element, "abstractNumId") or ""
        behind = self._abstract_behind(own)
        if behind is None:
            return None
        levels = dict(self._abstracts[behind])
        starts: dict[int, int] = {}
        for override in element.iter(W + "lvlOverride"):
            index = whole_number(override.get(W + "ilvl"), -1)
            if index is None or not 0 <= index < LEVELS:
                continue
            replaced = override.find(W + "lvl")
            if replaced is not None:
                levels[index] = _read_level(replaced)
            start = whole_number(child_value(override, "startOverride"))
            if start is not None:
                starts[index] = start
        return _List(abstract=own, levels=levels, starts=starts)

    def _abstract_behind(self, abstract: str) -> str | None:
        """The definition that really has the levels: a list may only name a numbering style, which refers to another list."""
        for _ in range(LEVELS):
            link = self._style_links.get(abstract)
            if self._abstracts.get(abstract) or link is None:
                break
            element = self._nums.get(self._styles.numbering_of(link) or "")
            if element is None:
                break
            abstract = child_value(element, "abstractNumId") or ""
        return abstract if abstract in self._abstracts else None


@dataclass(slots=True)
class _Counts:
    """The counters of one abstract definition; a level that was not used since its restart is absent.

    `skipped` are levels that only a deeper paragraph has used.
    """

    values: dict[int, int] = field(default_factory=dict)
    skipped: set[int] = field(default_factory=set)


class Counter:
    """Counts the numbered paragraphs of one document, which must come in their order."""

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self._counts: dict[str, _Counts] = {}
        self._overridden: set[tuple[str, int]] = set()

    def advance(self, number_id: str, index: int) -> Marker | None:
        """Count one paragraph on level `index` (from 0) of a list and give its marker; None when the list does not exist."""
        found = self._numbering.definition(number_id)
        if found is None:
            return None
        index = min(max(index, 0), LEVELS - 1)
        level = found.levels.get(index, Level())
        state = self._counts.setdefault(found.abstract, _Counts())
        counts = state.values
        self._count(number_id, found, index, state)
        for deeper in [i for i in counts if i > index]:
            restart = found.levels.get(deeper, Level()).restart
            if restart is None or index < restart or deeper in state.skipped:
                del counts[deeper]
                state.skipped.discard(deeper)
        return Marker(
            text=_marker_text(found, index, counts),
            level=index,
            is_bullet=level.format == "bullet",
            template=f"{level.format}|{level.template}",
            list_id=found.abstract,
        )

    def _count(self, number_id: str, found: _List, index: int, state: _Counts) -> None:
        counts = state.values
        for skipped in range(index):
            if skipped not in counts:
                counts[skipped] = found.starts.get(skipped, found.levels.get(skipped, Level()).start)
                state.skipped.add(skipped)
        state.skipped.discard(index)
        start = found.starts.get(index)
        is_first = (number_id, index) not in self._overridden
        # A list that begins on a deeper level goes on counting on the levels above it.
        self._overridden.update((number_id, level) for level in range(index + 1))
        if start is not None and is_first:
            counts[index] = start
        elif index in counts:
            counts[index] += 1
        else:
            counts[index] = found.levels.get(index, Level()).start if start is None else start


def _marker_text(found: _List, index: int, counts: Mapping[int, int]) -> str:
    level = found.levels.get(index, Level())
    if level.format == "bullet":
        return level.template

    def shown(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        other = found.levels.get(place, Level())
        if place > index or other.format in SILENT_FORMATS:
            return ""
        value = counts.get(place, other.start)
        if level.legal and other.format != "decimalZero":
            return str(value)
        return custom_number(value, other.pattern) if other.pattern else format_number(value, other.format)

    return _PLACE.sub(shown, level.template)


def _read_levels(abstract: Element) -> dict[int, Level]:
    levels = {}
    for element in abstract.iter(W + "lvl"):
        index = whole_number(element.get(W + "ilvl"), -1)
        if index is not None and 0 <= index < LEVELS:
            levels[index] = _read_level(element)
    return levels


def _read_level(element: Element) -> Level:
    name, pattern = _number_format(element)
    legal = element.find(W + "isLgl")
    text = element.find(W + "lvlText")
    is_null = text is not None and text.get(W + "null") in ("1", "true", "on")
    level = Level(
        start=whole_number(child_value(element, "start"), 0) or 0,
        format=name,
        pattern=pattern,
        template="" if text is None or is_null else text.get(VAL) or "",
        restart=whole_number(child_value(element, "lvlRestart")),
        legal=legal is not None and is_on(legal),
        style=child_value(element, "pStyle"),
    )
    return replace(level, template=_bullet_sign(level.template)) if level.format == "bullet" else level


def _number_format(element: Element) -> tuple[str, str]:
    """The name of the format and, for a custom one, its pattern; newer formats stand in an alternative with an older fallback."""
    for item in (element.find(W + "numFmt"), element.find(f"{MC}AlternateContent/{MC}Choice/{W}numFmt")):
        if item is not None:
            name = item.get(VAL, "decimal")
            pattern = item.get(W + "format") or item.get(W14 + "format") or ""
            return ("decimal", pattern) if name == "custom" else (name, "")
    return "decimal", ""


def _bullet_sign(template: str) -> str:
    """A sign that any font shows: symbol fonts keep theirs in a private area, and Courier's "o" stands for a hollow dot."""
    if not template.strip():
        return ""
    if template == "o":
        return "◦"
    return "•" if any("\ue000" <= character <= "\uf8ff" for character in template) else template
