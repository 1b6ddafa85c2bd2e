"""A sentence as a set of content words, alike for its inflected forms; English by words, Chinese by pairs of characters. Pure.

Numbers and the words and characters of negation are left out, so that two sentences that differ in nothing else have the
same words, and that difference can then be looked at.
"""

import re

from ingest.claims.vocabulary import characters, word_list

_WORD = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ][A-Za-zÀ-ÖØ-öø-ÿ'’]*")
CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_CJK_RUN = re.compile(f"[{CJK}]+")
_SUFFIX = re.compile(r"(?:ingly|edly|ings|ing|ies|ied|ed|es|ly|s|e|y)$")
_STEM_LETTERS = 6
_LEAST_LETTERS = 3
_FUNCTION = frozenset(word_list("function"))
_FUNCTION_CJK = characters("function_cjk")


def stem(word: str) -> str:
    """A short common form of a word and its inflections ("approve", "approved", "approval" -> "approv")."""
    plain = word.casefold().replace("’", "'").removesuffix("'s").strip("'")
    bare = _SUFFIX.sub("", plain)
    return (bare if len(bare) >= _LEAST_LETTERS else plain)[:_STEM_LETTERS]


def is_function_word(word: str) -> bool:
    """Whether an English word carries grammar only."""
    return word.casefold().replace("’", "'") in _FUNCTION


def content_terms(text: str) -> frozenset[str]:
    """The content of a text: stems of English words, pairs of neighbouring Chinese characters (a lone one by itself)."""
    found = {stem(word) for word in _WORD.findall(text) if not is_function_word(word) and len(word) > 1}
    for run in _CJK_RUN.findall(text):
        for piece in _content_runs(run):
            found.update([piece] if len(piece) == 1 else (piece[i : i + 2] for i in range(len(piece) - 1)))
    return frozenset(found)


def is_chinese(text: str) -> bool:
    """Whether a text is mainly Chinese."""
    characters = sum(len(run) for run in _CJK_RUN.findall(text))
    return characters > 0 and characters * 3 > sum(len(word) for word in _WORD.findall(text))


def _content_runs(run: str) -> list[str]:
    runs = [""]
    for character in run:
        if character in _FUNCTION_CJK:
            runs.append("")
        else:
            runs[-1] += character
    return [piece for piece in runs if piece]
