"""Names in running text: people, places, organisations, products, codes; English by capitals, Chinese by part of speech. Pure.

English has no dictionary here: a capital inside a sentence makes a name, one at its start only when the word is written
with a capital inside a sentence too, or when more capitals follow.
"""

import re
from collections.abc import Iterable

from ingest.claims.chinese_names import chinese_names
from ingest.claims.vocabulary import word_list
from ingest.claims.wording import CJK, is_function_word

_PART = r"(?:(?:Dr|Mr|Mrs|Ms|St|Prof|Jr|Sr|[A-Z])\.|[A-ZÀ-ÖØ-Þ][A-Za-zÀ-ÖØ-öø-ÿ]*(?:['’\-.][A-ZÀ-ÖØ-Þa-zà-öø-ÿ]+)*)"
_LINK = r"(?:\s+(?:of|the|de|la|van|von|der|den|da|di|del|&)\s+(?=[A-ZÀ-ÖØ-Þ])|\s+|\s*-\s*)"
_CAPITALISED = re.compile(rf"(?<![\w.'’°]){_PART}(?:{_LINK}{_PART})*")
_CODE = re.compile(r"(?<![\w-])(?:(?=[A-Za-z0-9-]*\d)(?=[A-Za-z0-9-]*[A-Z])[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*|[a-z]+[A-Z]\w*)(?![\w-])")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;。！？：；]['\"”’)]*\s+|[\n•*\-–—\"“‘(\[]\s*)$")
_NOT_NAMES = frozenset(word.casefold() for word in word_list("not_names"))
_POSSESSIVE = re.compile(r"['’]s?$")
_CJK_RUN = re.compile(f"[{CJK}]+")


def names(text: str, known: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The names of a text in order, each once, as written. `known` are words (folded) that are names wherever they stand."""
    found = dict.fromkeys(match.group() for match in _CODE.finditer(text))
    for match in _CAPITALISED.finditer(text):
        found.update(dict.fromkeys(_capitalised(text, match, known)))
    if _CJK_RUN.search(text):
        found.update(dict.fromkeys(chinese_names(text)))
    return tuple(found)


def inner_names(text: str) -> Iterable[str]:
    """Words (folded) that a text writes with a capital inside a sentence: what `known` is collected from."""
    for match in _CAPITALISED.finditer(text):
        if not _SENTENCE_START.search(text[max(0, match.start() - 4) : match.start()]):
            yield from (_POSSESSIVE.sub("", word).casefold() for word in re.findall(r"[\w'’]+", match.group()))


def _capitalised(text: str, match: re.Match[str], known: frozenset[str]) -> list[str]:
    words = [_POSSESSIVE.sub("", word) for word in match.group().rstrip(".").split()]
    at_start = bool(_SENTENCE_START.search(text[max(0, match.start() - 4) : match.start()]))
    while words and (is_function_word(words[0].strip(".,")) or words[0].casefold().rstrip("s") in _NOT_NAMES):
        words, at_start = words[1:], False
    while words and (is_function_word(words[-1]) or words[-1].casefold().rstrip("s") in _NOT_NAMES):
        words.pop()
    if not words or (len(words) == 1 and len(words[0]) < 2):
        return []
    if at_start and len(words) == 1 and not _surely_a_name(words[0], known):
        return []
    return [" ".join(words)]


def _surely_a_name(word: str, known: frozenset[str]) -> bool:
    """A word at the start of a sentence: an acronym, one with a capital inside, or one that is a name elsewhere."""
    return word.casefold() in known or (len(word) > 1 and any(c.isupper() for c in word[1:]))
