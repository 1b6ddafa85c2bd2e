"""Titles of documents as texts and questions write them: one spelling to compare, and a registry from it to documents. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_BREAKS = re.compile(r"(?:[^\w.]|(?<!\d)\.|\.(?!\d))+")
_ARTICLE = re.compile(r"^(?:the|a|an|our)\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTitle:
    """How a document may be named: its title and aliases as written."""

    doc_id: str
    title: str
    aliases: tuple[str, ...] = ()


def normalise_title(text: str) -> str:
    """A title to compare: NFKC, small letters, words joined by one space, no leading article, no quotes or other marks.

    "The Operations Manual" and "《Operations manual》" give "operations manual".
    """
    plain = _BREAKS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
    return _ARTICLE.sub("", plain) or plain


def title_registry(documents: Iterable[DocumentTitle]) -> Mapping[str, tuple[str, ...]]:
    """Normalised title or alias -> the ids of the documents with it, in the order given; several make the title ambiguous."""
    registry: dict[str, tuple[str, ...]] = {}
    for document in documents:
        for name in (document.title, *document.aliases):
            key = normalise_title(name)
            if key and document.doc_id not in registry.get(key, ()):
                registry[key] = (*registry.get(key, ()), document.doc_id)
    return registry
