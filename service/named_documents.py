"""Documents that a question names by title or alias. Pure.

A title counts only where the question points to a document: quoted, beside a section, with a document's noun, written as a name, or
after words such as "according to". A topic that merely equals a title ("how do retries work?" and a document "Retries") names none.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from es_mappings.label_mention import LabelMention
from es_mappings.label_words import DOCUMENT_NOUNS
from es_mappings.titles import DocumentTitle, normalise_title

_CHINESE_NOUN = re.compile(
    r"(?:手册|指南|书|法|条例|规定|制度|办法|规范|报告|合同|协议|政策|标准|教程|白皮书|说明书?|章程|文档|方案|计划|细则)$"
)
_CUE = re.compile(
    r"(?:\b(?:according\s+to|in|from|per|within|of|see|by|summari[sz]e|compare|document|file|book|manual|titled?|called|named)\s+(?:the\s+|our\s+)?|(?:根据|按照|依据|在|从|请看|文档|文件|总结|概括|对比|比较)\s*)$",
    re.IGNORECASE,
)
_STRONG_CUE = re.compile(
    r"(?:\b(?:according\s+to|document|file|book|titled?|called|named)\s+(?:the\s+)?|(?:根据|文档|文件)\s*)$", re.IGNORECASE
)
_SAYS = re.compile(
    r"(?:'s|’s)?\s*(?:\b(?:say|says|state|states|cover|covers|describe|describes|require|requires|mention|mentions|about)\b)|\s*(?:中|里|的|说|讲|规定|要求|提到)"
)
_OPENING, _CLOSING = "\"“”‘'《「『", "\"“”’'》」』"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedDocument:
    """query[start:end] names the documents `doc_ids` (several when they share the title)."""

    doc_ids: tuple[str, ...]
    start: int
    end: int
    name: str


def named_documents(query: str, titles: Iterable[DocumentTitle], mentions: Sequence[LabelMention]) -> tuple[NamedDocument, ...]:
    """The documents named, in the order of the question; of overlapping titles the longest counts."""
    found: dict[tuple[int, int, str], list[str]] = {}
    for name in _names_in(_key(query), _names(_Same(tuple(titles)))):
        for match in _pattern(name.key).finditer(query):
            if _is_explicit(query, match.start(), match.end(), name.key, mentions):
                ids = found.setdefault((match.start(), match.end(), name.text), [])
                ids.extend([name.doc_id] if name.doc_id not in ids else [])
    kept: list[NamedDocument] = []
    for (start, end, text), ids in sorted(found.items(), key=lambda item: item[0][0] - item[0][1]):
        if all(end <= other.start or start >= other.end or (start, end) == (other.start, other.end) for other in kept):
            kept.append(NamedDocument(doc_ids=tuple(ids), start=start, end=end, name=text))
    return tuple(sorted(kept, key=lambda named: named.start))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    """A title or alias as written, normalised, with its document; `place` is its order among all."""

    place: int
    key: str
    text: str
    doc_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Names:
    """Every name by its key, and the lengths that keys have: in words, and of those with Chinese in characters."""

    by_key: Mapping[str, tuple[_Name, ...]]
    words: frozenset[int]
    characters: frozenset[int]


class _Same:
    """Titles that are equal when they are one object: comparing thousands of them would cost more than looking them up."""

    __slots__ = ("titles",)

    def __init__(self, titles: tuple[DocumentTitle, ...]) -> None:
        self.titles = titles

    def __hash__(self) -> int:
        return id(self.titles)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.titles is other.titles


@lru_cache(maxsize=32)
def _names(same: _Same) -> _Names:
    """Made once for the titles that a reader may see, which are read again every few seconds (measured with 3,000 documents:
    going through them for each question took 16 ms)."""
    by_key: dict[str, tuple[_Name, ...]] = {}
    pairs = ((name, document.doc_id) for document in same.titles for name in (document.title, *document.aliases))
    for place, (text, doc_id) in enumerate(pairs):
        key = _key(text)
        if key:
            by_key[key] = (*by_key.get(key, ()), _Name(place=place, key=key, text=text, doc_id=doc_id))
    return _Names(
        by_key=by_key,
        words=frozenset(key.count(" ") + 1 for key in by_key),
        characters=frozenset(len(key) for key in by_key if _is_chinese(key)),
    )


def _names_in(plain: str, names: _Names) -> list[_Name]:
    """The names that a normalised question holds: in whole words, or with Chinese anywhere."""
    words = plain.split(" ")
    runs = {" ".join(words[start : start + length]) for length in names.words for start in range(len(words) - length + 1)}
    runs |= {plain[start : start + length] for length in names.characters for start in range(len(plain) - length + 1)}
    held = (name for run in runs for name in names.by_key.get(run, ()))
    return sorted(held, key=lambda name: name.place)


@lru_cache(maxsize=65_536)
def _key(text: str) -> str:
    return normalise_title(text)


@lru_cache(maxsize=1_024)
def _pattern(key: str) -> re.Pattern[str]:
    words = r"[\W_]+".join(map(re.escape, key.split()))
    return re.compile(words if _is_chinese(key) else rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


def _is_chinese(key: str) -> bool:
    return any("\u4e00" <= character <= "\u9fff" for character in key)


def _is_explicit(query: str, start: int, end: int, key: str, mentions: Sequence[LabelMention]) -> bool:
    before, after = query[:start], query[end:]
    if before[-1:] in tuple(_OPENING) and after[:1] in tuple(_CLOSING):
        return True
    if any(_touches(query, start, end, mention) for mention in mentions):
        return True
    words = key.split()
    several = len(words) > 1 or (_is_chinese(key) and len(key) > 3)
    if several and (words[-1] in DOCUMENT_NOUNS or _CHINESE_NOUN.search(key)):
        return True
    if len(key) > 3 and any(c.isalpha() for c in key) and re.search(r"\d|\w[-_.]\w", query[start:end]):
        return True
    if several and _is_written_as_name(query, start, end):
        return True
    return bool(_STRONG_CUE.search(before)) or (several and (bool(_CUE.search(before)) or bool(_SAYS.match(after))))


def _touches(query: str, start: int, end: int, mention: LabelMention) -> bool:
    """Whether a title stands right beside a section: "the X, section 4", "X's chapter 3", "chapter 3 of X", "X的第三章"."""
    if end <= mention.start:
        between = query[end : mention.start]
        return bool(re.fullmatch(r"(?:'s|’s)?[\s,:>/》\"”-]{0,3}(?:的|中的|中|里的)?\s*", between))
    if mention.end <= start:
        return bool(re.fullmatch(r"\s+(?:of|in|from)\s+(?:the\s+|our\s+)?[\"“《]?", query[mention.end : start], re.IGNORECASE))
    return False


def _is_written_as_name(query: str, start: int, end: int) -> bool:
    """Whether the words have capitals that the beginning of a sentence does not explain."""
    words = [word for word in re.findall(r"[A-Za-z]\w*", query[start:end]) if len(word) > 3]
    named = [word for word in words if word[0].isupper()]
    return bool(words) and len(named) == len(words) and (start > 0 or len(words) > 1)
