"""Inline Markdown as readable text: emphasis and code marks stay, links become their words and are listed beside. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token

from ingest.blocks import Link
from ingest.lines import joined

_ROLE = re.compile(r"(?::([a-z]+):|\{([a-z]+)\})$")
_POINTING_ROLES = frozenset({"numref", "eqref", "ref", "label", "eqlabel"})
_OTHER_ROLES = frozenset({"cite", "doc", "term", "bdg", "citet", "citep"})
_TAG = re.compile(r"</?([A-Za-z][\w-]*)")
_ATTRIBUTE = re.compile(r"""\s(id|name|href|alt)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_HTML_TAG_NAMES = """
a abbr acronym address article aside audio b bdi bdo big blockquote br button caption center cite code col colgroup data dd del details
dfn div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hr i iframe img input ins kbd label legend li
link main map mark meta nav nobr noscript object ol option output p param picture pre progress q rp rt ruby s samp script section select
small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var
video wbr
"""
HTML_TAGS = frozenset(_HTML_TAG_NAMES.split())


@dataclass(slots=True, kw_only=True)
class Inlines:
    """Readable text with what was lifted out of it; lines that the author broke on purpose stay lines."""

    text: str = ""
    links: list[Link] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)


def render(children: Sequence[Token], plain: bool = False) -> Inlines:
    """The text of inline tokens; `plain` leaves out emphasis and code marks too, as headings need it."""
    writer = _Writer(plain=plain)
    for token in children:
        writer.take(token)
    result = writer.result
    result.text = _joined("".join(writer.pieces))
    return result


@dataclass(slots=True, kw_only=True)
class _Writer:
    plain: bool
    result: Inlines = field(default_factory=Inlines)
    pieces: list[str] = field(default_factory=list)
    open_links: list[tuple[str, int]] = field(default_factory=list)

    def take(self, token: Token) -> None:
        kind = token.type
        if kind in ("text", "text_special"):
            self.pieces.append(token.content)
        elif kind == "code_inline":
            self._code(token)
        elif kind == "softbreak":
            self.pieces.append("\n")
        elif kind == "hardbreak":
            self.pieces.append(" " if self.plain else "\v")
        elif kind == "link_open":
            self.open_links.append((str(token.attrs.get("href", "")), len(self.pieces)))
        elif kind == "link_close":
            self._close_link()
        elif kind == "image":
            self.pieces.append(render(token.children or [], plain=True).text)
        elif kind == "html_inline":
            self._tag(token.content)
        elif not self.plain:
            self.pieces.append(token.markup)

    def _code(self, token: Token) -> None:
        before = self.pieces[-1] if self.pieces else ""
        role = _ROLE.search(before)
        name = (role[1] or role[2]) if role else ""
        if role and name in _POINTING_ROLES | _OTHER_ROLES:
            self.pieces[-1] = before[: role.start()]
            if name in _POINTING_ROLES:
                self.result.links.append(Link(text=token.content, target=f"#{token.content}"))
        self.pieces.append(token.content if self.plain else f"{token.markup}{token.content}{token.markup}")

    def _close_link(self) -> None:
        if not self.open_links:
            return
        target, start = self.open_links.pop()
        text = _joined("".join(self.pieces[start:])).strip()
        if text and target:
            self.result.links.append(Link(text=text, target=target))

    def _tag(self, markup: str) -> None:
        tag = _TAG.match(markup)
        if not tag:
            return
        name = tag[1].casefold()
        if name not in HTML_TAGS and "=" not in markup and not markup.startswith("</"):
            # `Vec<T>` typed without code marks: the author means the words.
            self.pieces.append(markup)
            return
        attributes = _attributes(markup)
        self.result.anchors += [attributes[key] for key in ("id", "name") if attributes.get(key)]
        if name == "br":
            self.pieces.append(" " if self.plain else "\v")
        elif name == "img":
            self.pieces.append(attributes.get("alt", ""))
        elif name == "a" and markup.startswith("</"):
            self._close_link()
        elif name == "a":
            self.open_links.append((attributes.get("href", ""), len(self.pieces)))


def _attributes(markup: str) -> dict[str, str]:
    return {match[1].casefold(): match[2] or match[3] or match[4] or "" for match in _ATTRIBUTE.finditer(markup)}


def _joined(text: str) -> str:
    return "\n".join(joined(line).strip() for line in text.split("\v")).strip()
