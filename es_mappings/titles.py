"""Titles of documents as texts and questions write them: one spelling to compare, and a registry from it to documents. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_BREAKS = re.compile(r"(?:[^\w.]|(?<!\d)\.|\.(?!\d))+")
# "手册" is no title, "运维手册" is.
_LEAST_CHINESE = 4
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


def documents_called(name: str, registry: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The ids of the documents that a name means: those with that title or alias; when there are none, those with a title that holds
    the name in whole words ("operations manual" in "acme operations manual 2024"), so that a title said in part is found, too.

    () when there are none, several when the name is ambiguous. A single word is too little to be a part of a title.
    """
    key = normalise_title(name)
    if key in registry:
        return tuple(registry[key])
    is_chinese = any("\u3400" <= character <= "\u9fff" for character in key)
    if not (len(key) >= _LEAST_CHINESE if is_chinese else " " in key):
        return ()
    holds = [title for title in registry if (key in title if is_chinese else f" {key} " in f" {title} ")]
    return tuple(dict.fromkeys(doc_id for title in holds for doc_id in registry[title]))
