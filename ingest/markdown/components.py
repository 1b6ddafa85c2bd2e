"""Tags that a book's own tools render, like mdBook's `<Listing number="4-1" caption="...">`: only their caption is content. Pure."""

import html
import re

from ingest.markdown.inlines import HTML_TAGS

_OPENING = re.compile(r"""<([A-Za-z][\w-]*)((?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*/?>""")
_TAG = re.compile(r"</?([A-Za-z][\w-]*)")
_ATTRIBUTE = re.compile(r"""(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_TEXTS = ("file-name", "filename", "title", "caption", "label")


def is_component(markup: str) -> bool:
    """Whether raw HTML holds no tag of HTML itself."""
    names = [name.casefold() for name in _TAG.findall(markup)]
    return bool(names) and not any(name in HTML_TAGS for name in names)


def component_caption(markup: str) -> str:
    """What a reader of the book sees of the opening tag, as Markdown: file name, "Listing 4-1: caption"; "" for a closing tag."""
    match = _OPENING.search(markup)
    if not match:
        return ""
    attributes = {name.casefold(): html.unescape(first or second) for name, first, second in _ATTRIBUTE.findall(match[2])}
    words = [" ".join(attributes[name].split()) for name in _TEXTS if attributes.get(name)]
    number = attributes.get("number")
    if number and words and "caption" in attributes:
        words[-1] = f"{match[1]} {number}: {words[-1]}"
    elif number:
        words.append(f"{match[1]} {number}")
    return ". ".join(words)
