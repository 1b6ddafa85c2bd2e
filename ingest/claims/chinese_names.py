"""Names in Chinese text: titles in 《》, Latin words with capitals or digits, and what jieba's tagger calls a name.

The tagger's dictionary calls many common words names ("安静", "阳光") and its guesses split rare ones ("冯" "建平"), so a
person's name must begin with a surname and be no common word, and surnames after "由", "请" and the like are looked at again.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from ingest.claims.vocabulary import word_list
from ingest.claims.wording import CJK

if TYPE_CHECKING:
    import rjieba

_TITLE = re.compile(r"《([^》\n]{1,60})》")
_LATIN = re.compile(rf"(?<=[{CJK}])\s*([A-Za-z][A-Za-z0-9_.+#-]{{1,40}})|([A-Za-z][A-Za-z0-9_.+#-]{{1,40}})\s*(?=[{CJK}])")
_SURNAME = "|".join(sorted(word_list("surnames"), key=len, reverse=True))
_BEGINS_WITH_SURNAME = re.compile(f"(?:{_SURNAME})[{CJK}]{{1,2}}$")
_BEFORE = "|".join(word_list("before_name"))
_AFTER_CUE = re.compile(f"(?:{_BEFORE})(?<!由(?=于))(?=((?:{_SURNAME})[{CJK}]{{1,2}}))")
_BEFORE_TITLE = re.compile(f"((?:{_SURNAME})[{CJK}]{{0,2}})(?:{'|'.join(word_list('titles'))})")
_CUE_AND_NAME = re.compile(f"(?:{_BEFORE})(?:{_SURNAME})[{CJK}]{{1,2}}")
_CJK_ONLY = re.compile(f"[{CJK}]+")
_ORGANISATION = re.compile(f"[{CJK}]{{2,}}(?:{'|'.join(word_list('organisations'))})")
_PERSON, _PLACE, _OTHER = frozenset({"nr", "nrt", "nrfg"}), frozenset({"ns", "nt"}), frozenset({"nz"})
_FOLLOWS_A_NAME = ("v", "x", "p", "c", "u", "d", "f")
# Frequencies in jieba's dictionary: 30 for words seldom seen, 300 for common ones, 5,000 for the few hundred of every text.
_RARE, _COMMON, _VERY_COMMON = 30, 300, 5_000


def chinese_names(text: str) -> Iterator[str]:
    """The names of a Chinese text; one may come twice."""
    yield from (match.group(1) for match in _TITLE.finditer(text))
    yield from (word for pair in _LATIN.findall(text) for word in pair if any(c.isupper() or c.isdigit() for c in word))
    yield from (match.group(1) for match in _BEFORE_TITLE.finditer(text) if len(match.group(1)) > 1)
    yield from (name for match in _AFTER_CUE.finditer(text) if (name := _person_at(text, match.end(), match.group(1))))
    for word, tag in _jieba().tag(text):
        name = word[1:] if _CUE_AND_NAME.fullmatch(word) else word
        if len(name) > 1 and _CJK_ONLY.fullmatch(name) and _is_name(name, tag):
            yield name


def _is_name(word: str, tag: str) -> bool:
    if tag in _PLACE or _ORGANISATION.fullmatch(word):
        return True
    if tag in _OTHER:
        return len(word) > 2
    if tag not in _PERSON:
        return False
    frequency = _jieba().suggest_freq(word) if _jieba().has_word(word) else 0
    return frequency <= _RARE or (bool(_BEGINS_WITH_SURNAME.match(word)) and (len(word) > 2 or frequency < _COMMON))


def _person_at(text: str, start: int, candidate: str) -> str:
    """The name that begins here, so that what follows it is as long a word as can be; "" where common words stand."""
    found: list[tuple[int, str]] = []
    for end in range(start + 2, start + len(candidate) + 1):
        name, rest = text[start:end], text[end : end + 6]
        if _is_word(name, _COMMON) or _is_word(name[:2], _COMMON) or _is_word(name[1:], _VERY_COMMON):
            continue
        word, tag = _jieba().tag(rest)[0] if rest else ("", "x")
        if tag.startswith(_FOLLOWS_A_NAME) or len(word) > 1:
            found.append((len(word), name))
    return max(found, default=(0, ""))[1]


def _is_word(word: str, frequency: int) -> bool:
    return len(word) > 1 and _jieba().has_word(word) and _jieba().suggest_freq(word) >= frequency


@cache
def _jieba() -> "rjieba.Jieba":
    import rjieba  # here: its dictionary takes a third of a second

    return rjieba.Jieba()
