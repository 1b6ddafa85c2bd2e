"""Bytes of a page become an element tree: the encoding it claims, the depth and size that are still a page."""

import re
from dataclasses import dataclass
from html import escape, unescape

from lxml import html
from lxml.etree import ParserError, XMLSyntaxError, fromstring
from lxml.html import HtmlElement

from es_mappings.errors import EmptyDocument, LimitExceeded, MalformedDocument
from ingest.decoding import decode

_DECLARED = re.compile(rb"""(?:<meta[^>]*?charset\s*=\s*["']?|<\?xml[^>]*?encoding\s*=\s*["'])([A-Za-z0-9_:.-]+)""", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
_XML_ENTITIES = frozenset({"amp", "lt", "gt", "quot", "apos"})
_HEAD_BYTES = 4_096
_DEEPEST = 400
"""Pages nest some thirty elements, the worst editors a hundred; beyond this the tree is an attack or broken beyond use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The tree of a page with sentences for a person about its encoding."""

    root: HtmlElement
    warnings: tuple[str, ...]


def parse_page(data: bytes, name: str) -> Page:
    """The tree of a whole page. Raises EmptyDocument, MalformedDocument, LimitExceeded."""
    declared = _DECLARED.search(data[:_HEAD_BYTES])
    decoded = decode(data, name, declared[1].decode("ascii") if declared else "")
    return Page(root=parse_text(decoded.text, name), warnings=decoded.warnings)


def parse_xhtml(data: bytes, name: str) -> Page:
    """The tree of a page that should be XML, as HTML elements; one that is not well-formed is read as HTML. Raises as `parse_page`."""
    text = _ENTITY.sub(lambda match: match[0] if match[1] in _XML_ENTITIES else escape(unescape(match[0])), data.decode("utf-8", "replace"))
    parser = html.XHTMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True)
    try:
        root: HtmlElement = fromstring(_XML_DECLARATION.sub("", text.removeprefix("\ufeff")).encode(), parser)
    except XMLSyntaxError:
        return parse_page(data, name)
    html.xhtml_to_html(root)
    return Page(root=root, warnings=())


def parse_text(text: str, name: str) -> HtmlElement:
    """The tree of decoded HTML, a whole page or a piece of one. Raises EmptyDocument, MalformedDocument, LimitExceeded."""
    markup = _XML_DECLARATION.sub("", text.removeprefix("\ufeff").replace("\0", ""))
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(markup.encode("utf-8", "replace"), parser=parser)
    except ParserError:
        raise EmptyDocument(f"{name} holds no text: there is nothing to store") from None
    except (ValueError, AssertionError):
        raise MalformedDocument(f"{name} is no HTML that can be read: save it again from a browser") from None
    if _deeper_than(root, _DEEPEST) or any("Excessive depth" in str(entry.message) for entry in parser.error_log):
        raise LimitExceeded(f"{name} nests more than {_DEEPEST} elements: flatten it or convert it to text")
    return root


def _deeper_than(root: HtmlElement, deepest: int) -> bool:
    level: list[HtmlElement] = [root]
    for _ in range(deepest):
        level = [child for element in level for child in element]
        if not level:
            return False
    return True
