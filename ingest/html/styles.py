"""The look that style sheets and attributes give text, as far as headings need it: size, weight, lines, place. Pure.

A small part of CSS: declarations of tags, classes and ids, and inheritance; enough for documents that office programs, filing
agents and converters write, which style every element.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_SELECTOR = re.compile(r"([a-z][a-z0-9]*)?((?:[.#][\w-]+)*)$", re.IGNORECASE)
_LENGTH = re.compile(r"(-?[\d.]+)\s*(pt|px|em|rem|%|in|cm|mm|pc)?")
_POINTS = {"pt": 1.0, "px": 0.75, "in": 72.0, "cm": 28.35, "mm": 2.835, "pc": 12.0, "": 0.75}
_SIZES = {"xx-small": 7.0, "x-small": 7.5, "small": 10.0, "medium": 12.0, "large": 13.5, "x-large": 18.0, "xx-large": 24.0}
_FONT_TAG_SIZES = (7.5, 10.0, 12.0, 13.5, 18.0, 24.0, 36.0)
_MOST_RULES = 5_000
_MOST_CSS = 1_000_000
_LONGEST_STYLE = 5_000
Declarations = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How text looks: `size` and `indent` in points, `capitals` by style (not by the letters themselves)."""

    size: float = 12.0
    bold: bool = False
    italic: bool = False
    underlined: bool = False
    centred: bool = False
    capitals: bool = False
    hidden: bool = False
    indent: float = 0.0


BODY = Look()
_BOLD_TAGS = frozenset({"b", "strong", "th"})
_ITALIC_TAGS = frozenset({"i", "em", "cite", "dfn", "var"})


class Sheet:
    """The rules of the style sheets inside a page, by tag, class and id."""

    def __init__(self, css: str = "") -> None:
        self._rules: dict[str, dict[str, str]] = {}
        self._parsed: dict[str, Declarations] = {}
        for rule in _COMMENT.sub("", css[:_MOST_CSS]).split("}")[:_MOST_RULES]:
            selectors, _, body = rule.rpartition("{")
            declarations = parse_declarations(body)
            for selector in selectors.rpartition("{")[2].split(","):
                last = selector.strip().split(" ")[-1]
                if _SELECTOR.fullmatch(last):
                    self._rules.setdefault(last.casefold(), {}).update(declarations)

    def look(self, tag: str, attributes: Mapping[str, str], outer: Look) -> Look:
        """The look of an element inside one that looks like `outer`."""
        look = _tag_look(tag, attributes, outer)
        for declarations in self._declarations(tag, attributes):
            look = apply(declarations, look, outer)
        return look

    def _declarations(self, tag: str, attributes: Mapping[str, str]) -> list[Declarations]:
        found: list[Declarations] = []
        if self._rules:
            names = [f".{name}" for name in attributes.get("class", "").casefold().split()]
            names += [f"#{attributes['id'].casefold()}"] if attributes.get("id") else []
            found = [self._rules[name] for name in (tag, *names, *(f"{tag}{name}" for name in names)) if name in self._rules]
        style = attributes.get("style")
        if style and len(style) <= _LONGEST_STYLE:
            if style not in self._parsed:
                self._parsed[style] = parse_declarations(style)
            found.append(self._parsed[style])
        return found


def parse_declarations(style: str) -> dict[str, str]:
    """The declarations of a style attribute or rule, in lower case."""
    pairs = (part.partition(":") for part in style.casefold().split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs if value}


def apply(declarations: Declarations, look: Look, outer: Look) -> Look:
    """The look with some declarations applied; sizes in per cent and em refer to `outer`."""
    changes: dict[str, bool | float] = {}
    for name, value in declarations.items():
        if name == "font-weight":
            changes["bold"] = value in ("bold", "bolder") or (value.isdigit() and int(value) >= 600)
        elif name == "font-size":
            changes["size"] = _size(value, outer.size)
        elif name == "font-style":
            changes["italic"] = value in ("italic", "oblique")
        elif name in ("text-decoration", "text-decoration-line"):
            changes["underlined"] = "underline" in value
        elif name == "text-align":
            changes["centred"] = value == "center"
        elif name in ("text-transform", "font-variant"):
            changes["capitals"] = value in ("uppercase", "small-caps", "all-small-caps") or (look.capitals and value == "normal")
        elif name in ("margin-left", "padding-left"):
            changes["indent"] = outer.indent + _length(value, look.size)
        elif name == "font":
            changes |= _font(value, outer.size)
        elif (name == "display" and value == "none") or (name == "visibility" and value == "hidden"):
            changes["hidden"] = True
    return replace(look, **changes) if changes else look  # type: ignore[arg-type]  # names and values come from the branches above


def _tag_look(tag: str, attributes: Mapping[str, str], outer: Look) -> Look:
    changes: dict[str, bool | float] = {}
    if tag in _BOLD_TAGS:
        changes["bold"] = True
    elif tag in _ITALIC_TAGS:
        changes["italic"] = True
    elif tag in ("u", "ins"):
        changes["underlined"] = True
    elif tag == "center":
        changes["centred"] = True
    elif tag == "big":
        changes["size"] = outer.size * 1.2
    elif tag == "small":
        changes["size"] = outer.size / 1.2
    elif tag == "font" and attributes.get("size"):
        changes["size"] = _font_tag_size(attributes["size"])
    if attributes.get("align"):
        changes["centred"] = attributes["align"].casefold() == "center"
    return replace(outer, **changes) if changes else outer  # type: ignore[arg-type]


def _size(value: str, outer: float) -> float:
    if value in _SIZES:
        return _SIZES[value]
    if value in ("larger", "smaller"):
        return outer * 1.2 if value == "larger" else outer / 1.2
    match = _LENGTH.match(value)
    if not match or not match[1].strip("-."):
        return outer
    number, unit = _number(match[1]), match[2] or ""
    points = number * (outer if unit in ("em", "rem") else outer / 100 if unit == "%" else _POINTS[unit])
    return points if 1 <= points <= 400 else outer


def _length(value: str, size: float) -> float:
    match = _LENGTH.match(value)
    if not match or match[2] == "%":
        return 0.0
    number = _number(match[1])
    return number * (size if match[2] in ("em", "rem") else _POINTS[match[2] or ""])


def _number(digits: str) -> float:
    try:
        return float(digits)
    except ValueError:
        return 0.0


def _font(value: str, outer: float) -> dict[str, bool | float]:
    """The `font` shorthand: style and weight by name, the size where a length stands."""
    changes: dict[str, bool | float] = {"bold": "bold" in value, "italic": "italic" in value}
    length = re.search(r"[\d.]+(?:pt|px|em|rem|%)", value)
    if length:
        changes["size"] = _size(length[0], outer)
    return changes


def _font_tag_size(value: str) -> float:
    digits = value.strip()
    relative = 3 if digits[:1] in ("+", "-") else 0
    try:
        step = relative + int(digits)
    except ValueError:
        return 12.0
    return _FONT_TAG_SIZES[min(max(step, 1), 7) - 1]
