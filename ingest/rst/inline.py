"""Inline reStructuredText as readable text, with its references as links. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from docutils import nodes

from ingest.blocks import Link
from ingest.lines import joined

_ROLE = re.compile(r":([\w:+.-]+):`(?P<text>[^`]*)`|`(?P<plain>[^`]*)`:([\w:+.-]+):", re.DOTALL)
_SECTION_ROLES = frozenset({"ref", "numref", "eq", "std:ref"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What names stand for in one text: replaced words, and addresses outside of it."""

    substitutions: Mapping[str, str]
    addresses: Mapping[str, str]


def names_of(document: nodes.document) -> Names:
    """The names that a text defines, in lower case as docutils compares them."""
    words = {name.casefold(): node.astext() for name, node in document.substitution_defs.items()}
    addresses = {
        name: str(target["refuri"]) for target in document.findall(nodes.target) if target.get("refuri") for name in names_in(target)
    }
    return Names(substitutions=words, addresses=addresses)


@dataclass(slots=True, kw_only=True)
class Inlines:
    """Readable text with the links and anchors found in it."""

    text: str = ""
    links: list[Link] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)


def render(node: nodes.Node, names: Names) -> Inlines:
    """The text of a paragraph or title; names between bars are replaced."""
    result = Inlines()
    result.text = joined(_text(node, names, result)).strip()
    return result


def anchor_of(name: str) -> str:
    """The anchor by which docutils and Sphinx find a name."""
    return nodes.make_id(name)


def names_in(node: nodes.Element) -> list[str]:
    """The names that the text gives a node."""
    return [str(name) for name in cast(list[str], node.get("names", []))]


def _text(node: nodes.Node, names: Names, result: Inlines) -> str:
    if isinstance(node, nodes.Text):
        return str(node.astext())
    if isinstance(node, nodes.system_message):
        return ""
    if isinstance(node, nodes.image):
        return str(node.get("alt", ""))
    if isinstance(node, nodes.problematic):
        return _role(node.astext(), result)
    if isinstance(node, nodes.substitution_reference):
        name = node.astext()
        return names.substitutions.get(name.casefold(), name)
    if isinstance(node, nodes.target):
        result.anchors += [anchor_of(name) for name in names_in(node)]
    inner = "".join(_text(child, names, result) for child in node.children)
    if isinstance(node, nodes.reference):
        target = _target(node, names)
        if target and inner.strip():
            result.links.append(Link(text=joined(inner).strip(), target=target))
    elif isinstance(node, nodes.footnote_reference | nodes.citation_reference):
        return f"[{inner or '#'}]"
    return inner


def _target(node: nodes.reference, names: Names) -> str:
    if node.get("refuri"):
        return str(node["refuri"])
    if node.get("refname"):
        return names.addresses.get(str(node["refname"]), f"#{anchor_of(node['refname'])}")
    return f"#{node['refid']}" if node.get("refid") else ""


def _role(source: str, result: Inlines) -> str:
    """The words of a role that docutils does not know (Sphinx has dozens): ":func:`~os.path.join`" reads "join"."""
    match = _ROLE.fullmatch(source.strip())
    if not match:
        return source
    role, words = str(match[1] or match[4]), (match["text"] or match["plain"] or "").strip()
    target = words.lstrip("~!")
    if words.endswith(">") and "<" in words:
        title, _, target = words[:-1].rpartition("<")
        words = title.strip() or target
    elif words.startswith("~"):
        words = words.rpartition(".")[2].lstrip("~")
    words = words.lstrip("!")
    if role in _SECTION_ROLES:
        result.links.append(Link(text=joined(words), target=f"#{anchor_of(target)}"))
    elif role == "doc":
        result.links.append(Link(text=joined(words), target=f"{target}.rst"))
    return words
