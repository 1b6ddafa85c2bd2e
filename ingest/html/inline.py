"""Text inside one block: what its elements show, as one run of styled text with links, anchors and notes. Pure."""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import cast

from lxml.html import HtmlElement

from ingest.html.boilerplate import Boilerplate
from ingest.html.runs import BREAK, Runs
from ingest.html.styles import Look, Sheet

_BLOCK_TAGS = """
address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form header hgroup hr html
legend li main menu ol p pre section summary table tbody td tfoot th thead tr ul h1 h2 h3 h4 h5 h6
"""
BLOCKS = frozenset(_BLOCK_TAGS.split())
HEADING_TAGS = {f"h{level}": level for level in range(1, 7)}
_NOISE_LINKS = frozenset({"¶", "#", "🔗", "§", "[edit]", "edit", "[编辑]", "编辑", "permalink"})
_STYLE_NAME = re.compile(r"(?:Mso)?Heading[-_]?([1-9])", re.IGNORECASE)
_OUTLINE_LEVEL = re.compile(r"mso-outline-level:\s*([1-9])(?!\d)")
_SCRIPTED = ("javascript:", "mailto:", "data:", "tel:")


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineReader:
    """Collects text; `targets` are the ids that links of the page point to, other ids are not kept."""

    sheet: Sheet
    boilerplate: Boilerplate
    targets: Set[str]

    def look(self, element: HtmlElement, outer: Look) -> Look:
        """The look of an element."""
        return self.sheet.look(tag_of(element), cast(dict[str, str], element.attrib), outer)

    def children(self, element: HtmlElement, look: Look, runs: Runs) -> None:
        """Add the text of an element that looks like `look`; blocks inside are parted by a blank."""
        runs.add(element.text or "", look)
        for child in element:
            self.element(child, look, runs)
            runs.add(child.tail or "", look)

    def element(self, element: HtmlElement, outer: Look, runs: Runs) -> None:
        """Add an element inside text."""
        self.anchor(element, runs)
        tag = tag_of(element)
        look = self.look(element, outer)
        if look.hidden or self.boilerplate.holds(element):
            return
        if tag == "br":
            runs.add(BREAK, look)
        elif tag == "img":
            runs.add(element.get("alt") or "", look)
        elif tag == "a":
            self._link(element, look, runs)
        elif tag == "sup":
            self._superscript(element, look, runs)
        elif tag in BLOCKS:
            runs.add(" ", look)
            self.children(element, look, runs)
            runs.add(" ", look)
        else:
            self.children(element, look, runs)

    def anchor(self, element: HtmlElement, runs: Runs) -> None:
        """Note the names by which the page's links may point here."""
        for name in (element.get("id"), element.get("name") if element.tag == "a" else None):
            if name and (name in self.targets or element.tag in HEADING_TAGS):
                runs.anchors.append(name)

    def _link(self, element: HtmlElement, look: Look, runs: Runs) -> None:
        if words_of(element).casefold() in _NOISE_LINKS:
            return
        runs.open_link(target_of(element))
        self.children(element, look, runs)
        runs.close_link()

    def _superscript(self, element: HtmlElement, look: Look, runs: Runs) -> None:
        """A power keeps its place ("10^6"), a note mark its brackets ("word[1]")."""
        words = words_of(element)
        before = runs.runs[-1].text[-1:] if runs.runs else ""
        is_note = words.isdigit() and element.find(".//a") is not None
        if is_note or (before.isdigit() and words.lstrip("+-−").isdigit()):
            runs.add("[" if is_note else "^", look)
        self.children(element, look, runs)
        if is_note:
            runs.add("]", look)


def tag_of(element: HtmlElement) -> str:
    """The tag in lower case; "" for what is no element."""
    return element.tag if isinstance(element.tag, str) else ""


def words_of(element: HtmlElement) -> str:
    """All text of an element on one line."""
    return " ".join("".join(element.itertext()).split())


def holds_blocks(element: HtmlElement) -> bool:
    """Whether an inline element has blocks inside, as pages made by programs often have."""
    inner: Iterable[HtmlElement] = element.iterdescendants()
    return any(descendant.tag in BLOCKS for descendant in inner)


def target_of(element: HtmlElement) -> str:
    """Where a link leads, "" for scripts and mail."""
    target = (element.get("href") or "").strip()
    return "" if target.casefold().startswith(_SCRIPTED) or target == "#" else target


def heading_level(element: HtmlElement) -> int:
    """The level that a heading tag or role gives, 0 for anything else (ARIA: a heading without level is on level 2).

    Pages that word processors saved say it of plain paragraphs: by the name of the style (Word's "MsoHeading7", converters' "Heading1"),
    or by Word's own `mso-outline-level`.
    """
    role = element.get("role")
    if role == "heading":
        level = element.get("aria-level", "2")
        return min(int(level), 12) if level.isascii() and level.isdigit() and int(level) else 2
    if role in ("presentation", "none"):
        return 0
    return HEADING_TAGS.get(tag_of(element), 0) or _saved_level(element)


def _saved_level(element: HtmlElement) -> int:
    if tag_of(element) not in ("p", "div"):
        return 0
    said = _OUTLINE_LEVEL.search(element.get("style", ""))
    if said:
        return int(said[1])
    return next((int(found[1]) for name in element.get("class", "").split() if (found := _STYLE_NAME.fullmatch(name))), 0)
