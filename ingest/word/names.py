"""Names of WordprocessingML (ECMA-376, part 1) and how its values are read; Strict files are mapped to these names on opening."""

from typing import Final, TypeAlias

from lxml import etree

Element: TypeAlias = etree._Element  # noqa: SLF001  # lxml has no public name for the type of its elements

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
W14: Final = "{http://schemas.microsoft.com/office/word/2010/wordml}"
MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
VAL: Final = W + "val"

_OFF: Final = frozenset({"0", "false", "off", "none"})


def child_value(element: Element, name: str) -> str | None:
    """The `w:val` of the first child called `w:name`, or None."""
    child = element.find(W + name)
    return None if child is None else child.get(VAL)


def is_on(element: Element) -> bool:
    """Whether a switch such as `w:b` is on: without a value it is."""
    return element.get(VAL, "1") not in _OFF


def whole_number(text: str | None, default: int | None = None) -> int | None:
    """`text` as a whole number ("12", "-3", "12.0"), else `default`; measures such as "12pt" give points in twentieths."""
    if text is None:
        return default
    try:
        return int(text)
    except ValueError:
        pass
    for unit, twentieths in (("pt", 20.0), ("in", 1440.0), ("cm", 567.0), ("mm", 56.7), ("pc", 240.0)):
        if text.endswith(unit):
            text, scale = text[: -len(unit)], twentieths
            break
    else:
        scale = 1.0
    try:
        return int(float(text) * scale)
    except (ValueError, OverflowError):
        return default


def chosen_alternative(element: Element) -> Element | None:
    """The branch of an `mc:AlternateContent` to read: the first choice (Word's own), else the fallback; never both."""
    choice = element.find(MC + "Choice")
    return choice if choice is not None else element.find(MC + "Fallback")
