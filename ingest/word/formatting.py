"""Formatting as Word resolves it: what a run or paragraph says itself over its styles over the document's defaults."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TypeVar

from ingest.word.names import VAL, Element, W, child_value, is_on, whole_number


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFormat:
    """Formatting of characters; None means "not said here". Sizes are in points, `colour` is six hex digits or "auto".

    Letters of complex scripts (Arabic, Hebrew, Thai ...) have a size, weight and slant of their own; `complex` says that they count.
    """

    bold: bool | None = None
    italic: bool | None = None
    caps: bool | None = None
    hidden: bool | None = None
    underline: bool | None = None
    size: float | None = None
    colour: str | None = None
    shaded: bool | None = None
    font: str | None = None
    east_asian_font: str | None = None
    complex: bool | None = None
    complex_bold: bool | None = None
    complex_italic: bool | None = None
    complex_size: float | None = None

    @property
    def seen(self) -> "RunFormat":
        """The formatting with the size, weight and slant that are seen, in whichever script."""
        if not self.complex:
            return self
        return replace(self, bold=self.complex_bold, italic=self.complex_italic, size=self.complex_size or self.size, complex=None)

    def over(self, base: "RunFormat") -> "RunFormat":
        """This formatting where it says something, else that of `base`."""
        return base if self == _NO_RUN_FORMAT else _over(self, base)

    def toggled_over(self, base: "RunFormat") -> "RunFormat":
        """As `over`, for a character style over a paragraph style: bold over bold is not bold (ECMA-376, 17.7.3)."""
        plain = self.over(base)
        flips = {name: getattr(self, name) != getattr(base, name) for name in _TOGGLES if getattr(self, name) and getattr(base, name)}
        return RunFormat(**{f.name: flips.get(f.name, getattr(plain, f.name)) for f in fields(RunFormat)}) if flips else plain


@dataclass(frozen=True, slots=True, kw_only=True)
class ParagraphFormat:
    """Formatting of a paragraph; None means "not said here". Spaces and indents are in points, `outline` is 0 to 8, 9 for body text.

    `number_id` and `number_level` refer to the numbering part and are inherited one by one; number id "0" takes numbers away.
    """

    alignment: str | None = None
    before: float | None = None
    after: float | None = None
    indent: float | None = None
    keep_next: bool | None = None
    page_break: bool | None = None
    bordered: bool | None = None
    shaded: bool | None = None
    outline: int | None = None
    number_id: str | None = None
    number_level: int | None = None
    dot_leader: bool | None = None
    drop_cap: bool | None = None

    def over(self, base: "ParagraphFormat") -> "ParagraphFormat":
        """This formatting where it says something, else that of `base`."""
        return base if self == _NO_PARAGRAPH_FORMAT else _over(self, base)


_Values = dict[str, bool | float | str | None]
_TOGGLES = ("bold", "italic", "caps", "hidden", "complex_bold", "complex_italic")
_NO_RUN_FORMAT = RunFormat()
_NO_PARAGRAPH_FORMAT = ParagraphFormat()


_Format = TypeVar("_Format", RunFormat, ParagraphFormat)


def _over(top: _Format, base: _Format) -> _Format:
    values = {f.name: getattr(base if getattr(top, f.name) is None else top, f.name) for f in fields(top)}
    return type(top)(**values)


def run_format(properties: Element | None) -> RunFormat:
    """What a `w:rPr` says."""
    if properties is None or not len(properties):
        return _NO_RUN_FORMAT
    values: _Values = {}
    for item in properties:
        name = _RUN_SWITCHES.get(item.tag)
        if name is not None:
            # Capitals come in two sizes, complex script by two switches; either is enough.
            values[name] = is_on(item) or (name in ("caps", "complex") and bool(values.get(name)))
        elif item.tag in _SIZES:
            half_points = whole_number(item.get(VAL))
            values[_SIZES[item.tag]] = half_points / 2 if half_points is not None and half_points > 0 else None
        elif item.tag == _FONTS:
            values["font"] = item.get(_ASCII) or item.get(_ASCII_THEME)
            values["east_asian_font"] = item.get(_EAST_ASIA) or item.get(_EAST_ASIA_THEME)
        elif item.tag == _COLOUR:
            values["colour"] = (item.get(VAL) or "auto").lower()
        elif item.tag == _UNDERLINE:
            values["underline"] = item.get(VAL, "none") != "none"
        elif item.tag in _SHADES:
            values["shaded"] = _shades(item)
    return RunFormat(**values) if values else _NO_RUN_FORMAT  # type: ignore[arg-type]  # each name takes its own kind of value


def paragraph_format(properties: Element | None) -> ParagraphFormat:
    """What a `w:pPr` says."""
    if properties is None or not len(properties):
        return _NO_PARAGRAPH_FORMAT
    values: _Values = {}
    for item in properties:
        name = _PARAGRAPH_SWITCHES.get(item.tag)
        if name is not None:
            values[name] = is_on(item)
        else:
            reader = _PARAGRAPH_READERS.get(item.tag)
            if reader is not None:
                values.update(reader(item))
    return ParagraphFormat(**values) if values else _NO_PARAGRAPH_FORMAT  # type: ignore[arg-type]


def _spacing(item: Element) -> _Values:
    found: _Values = {}
    for name in ("before", "after"):
        lines = whole_number(item.get(W + name + "Lines"))
        twentieths = whole_number(item.get(W + name))
        # Lines are counted in hundredths and stand above a measure; a line is about 12 points.
        points = lines * 0.12 if lines else None if twentieths is None else twentieths / 20
        if points is not None:
            found[name] = points
    return found


def _indent(item: Element) -> _Values:
    left = whole_number(item.get(W + "left") or item.get(W + "start"))
    return {} if left is None else {"indent": left / 20}


def _numbering(item: Element) -> _Values:
    level = whole_number(child_value(item, "ilvl"))
    return {"number_id": child_value(item, "numId"), "number_level": level}


def _outline(item: Element) -> _Values:
    level = whole_number(item.get(VAL))
    return {} if level is None else {"outline": min(max(level, 0), 9)}


def _shades(item: Element) -> bool:
    if item.tag == W + "highlight":
        return item.get(VAL, "none") != "none"
    return item.get(W + "fill", "auto").lower() not in ("auto", "ffffff") or item.get(VAL, "clear") not in ("clear", "nil")


def _bordered(item: Element) -> bool:
    return any(side.get(VAL, "nil") not in ("nil", "none") for side in item)


def _has_dot_leader(item: Element) -> bool:
    return any(stop.get(W + "leader") in ("dot", "middleDot", "hyphen", "underscore") for stop in item)


_SIZES = {W + "sz": "size", W + "szCs": "complex_size"}
_FONTS, _COLOUR, _UNDERLINE = W + "rFonts", W + "color", W + "u"
_ASCII, _ASCII_THEME, _EAST_ASIA, _EAST_ASIA_THEME = (W + name for name in ("ascii", "asciiTheme", "eastAsia", "eastAsiaTheme"))
_SHADES = frozenset({W + "shd", W + "highlight"})
_RUN_SWITCHES = {
    W + "b": "bold",
    W + "i": "italic",
    W + "caps": "caps",
    W + "smallCaps": "caps",
    W + "vanish": "hidden",
    W + "rtl": "complex",
    W + "cs": "complex",
    W + "bCs": "complex_bold",
    W + "iCs": "complex_italic",
}
_PARAGRAPH_SWITCHES = {W + "keepNext": "keep_next", W + "pageBreakBefore": "page_break"}
_PARAGRAPH_READERS: dict[str, Callable[[Element], _Values]] = {
    W + "jc": lambda item: {"alignment": item.get(VAL)},
    W + "spacing": _spacing,
    W + "ind": _indent,
    W + "numPr": _numbering,
    W + "outlineLvl": _outline,
    W + "pBdr": lambda item: {"bordered": _bordered(item)},
    W + "shd": lambda item: {"shaded": _shades(item)},
    W + "tabs": lambda item: {"dot_leader": _has_dot_leader(item)},
    W + "framePr": lambda item: {"drop_cap": item.get(W + "dropCap", "none") in ("drop", "margin")},
}
