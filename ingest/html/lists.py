"""HTML lists as lines: one item a line, markers and indentation kept, terms above their definitions. Pure."""

from lxml.html import HtmlElement

from ingest.html.inline import InlineReader, tag_of
from ingest.html.runs import Runs
from ingest.html.styles import Look

_LISTS = frozenset({"ul", "ol", "menu", "dl"})


def list_lines(element: HtmlElement, inline: InlineReader, look: Look, runs: Runs) -> list[str]:
    """The lines of a list; links and anchors of its items are added to `runs`."""
    if element.tag == "dl":
        return _definition_lines(element, inline, look, runs)
    lines: list[str] = []
    ordinal = _number(element.get("start"), 1)
    for item in element:
        if tag_of(item) in _LISTS:
            # A list right inside a list, without an item: what editors write for a deeper level.
            lines += [f"  {line}" for line in list_lines(item, inline, look, runs)]
            continue
        if tag_of(item) not in ("li", "div"):
            continue
        ordinal = _number(item.get("value"), ordinal)
        marker = f"{ordinal}." if element.tag == "ol" else "-"
        inner = _item_lines(item, inline, inline.look(item, look), runs)
        if inner:
            lines.append(f"{marker} {inner[0]}".rstrip())
            lines += [" " * (len(marker) + 1) + line for line in inner[1:]]
            ordinal += 1
    return lines


def _item_lines(item: HtmlElement, inline: InlineReader, look: Look, runs: Runs) -> list[str]:
    """The lines of one item: its own text, then those of lists inside, in order."""
    inline.anchor(item, runs)
    lines: list[str] = []
    own = Runs()
    own.add(item.text or "", look)
    for child in item:
        if tag_of(child) in _LISTS:
            _take(own, runs, lines)
            own = Runs()
            lines += list_lines(child, inline, look, runs)
        elif tag_of(child) == "pre":
            _take(own, runs, lines)
            own = Runs()
            lines += "".join(child.itertext()).strip("\n").rstrip().split("\n")
        else:
            nested = next((inner for inner in child.iter() if tag_of(inner) in _LISTS), None) if len(child) else None
            if nested is not None:
                _take(own, runs, lines)
                own = Runs()
                lines += _item_lines(child, inline, inline.look(child, look), runs)
            else:
                inline.element(child, look, own)
        own.add(child.tail or "", look)
    _take(own, runs, lines)
    return lines


def _take(own: Runs, runs: Runs, lines: list[str]) -> None:
    runs.links += own.links
    runs.anchors += own.anchors
    lines += [line.strip() for line in own.text.split("\n") if line.strip()]


def _definition_lines(element: HtmlElement, inline: InlineReader, look: Look, runs: Runs) -> list[str]:
    lines: list[str] = []
    for item in element.iter("dt", "dd"):
        if next(item.iterancestors("dl"), None) is not element:
            continue
        inner = _item_lines(item, inline, inline.look(item, look), runs)
        lines += inner if item.tag == "dt" else [f"  {line}" for line in inner]
    return lines


def _number(text: str | None, otherwise: int) -> int:
    digits = (text or "").strip()
    return int(digits) if digits.isascii() and digits.lstrip("-").isdigit() and len(digits) < 7 else otherwise
