"""Where text may be cut: sentences, clauses, lines, list items, words, characters. Pure; English, Chinese and mixed text.

Every function returns the inner borders of a text as ascending offsets; white space stays at the end of the piece before it.
"""

import re
import unicodedata
from itertools import pairwise

_CLOSERS = "\"'”’»)\\]）】》」』"
_SENTENCE_END = re.compile(rf"[。！？；｡…]+[{_CLOSERS}]*\s*|[.!?]+[{_CLOSERS}]*\s+|\n\s*\n\s*")
_CLAUSE_END = re.compile(r"[，、：,;:—–]+[\"'”’)）]*\s+|[，、：]+[”’）]*|\n\s*")
_SPACES = re.compile(r"\s+")
_ITEM = re.compile(r"^[ \t]*(?:[-*+•‣◦▪–—]|\(?\w{1,4}[.)、．]|[（(][\w一-龥]{1,4}[)）])[ \t]", re.MULTILINE)
_LAST_WORD = re.compile(r"[\w.]*$")
_MEASURE = re.compile(r"(?:\d\s?|[°º])[A-Z]$")  # "at 30 °C. The next", "12 V. The next"
_ENUMERATOR = re.compile(r"(?:^|\n)\s*\(?(?:\d{1,3}|[A-Za-z]|[ivxlc]{1,6})$")
# Words whose full stop does not end a sentence: ever, or when a number follows ("No. 5", "Fig. 2", "Jan. 3").
_ABBREVIATION = re.compile(
    r"(?:mr|mrs|ms|dr|prof|rev|hon|st|gen|col|capt|lt|sgt|gov|sen|rep|messrs|vs|viz|cf|ca|e\.g|i\.e|approx)$", re.IGNORECASE
)
_COUNTED = re.compile(
    r"(?:nos?|figs?|eqs?|secs?|sect|arts?|chs?|chap|vols?|pp?|paras?|app|pts?|bk|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$",
    re.IGNORECASE,
)
_CHARACTERS_BEFORE = 24
_LONGEST_SEQUENCE = 64


def sentence_borders(text: str) -> list[int]:
    """Borders after sentences. Decimals, initials, enumerators and common English abbreviations do not end one."""
    return [m.end() for m in _SENTENCE_END.finditer(text) if 0 < m.end() < len(text) and _ends_sentence(text, m)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """The sentences of a text as (start, end) without the white space around them; empty ones are left out."""
    spans = []
    edges = [0, *sentence_borders(text), len(text)]
    for start, end in pairwise(edges):
        piece = text[start:end]
        first = start + len(piece) - len(piece.lstrip())
        last = start + len(piece.rstrip())
        if first < last:
            spans.append((first, last))
    return spans


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    mark = match.group()[0]
    following = text[match.end()]
    if mark in ".!?…" and following.islower():
        return False
    if mark != ".":
        return True
    before = text[max(0, match.start() - _CHARACTERS_BEFORE) : match.start()]
    word = _LAST_WORD.findall(before)[0]
    if len(word) == 1 and word.isupper() and not _MEASURE.search(before):
        return False  # an initial: "J. Smith"
    if _ABBREVIATION.fullmatch(word) or _ENUMERATOR.search(before):
        return False
    return not (_COUNTED.fullmatch(word) and (following.isdigit() or following in "IVXLC("))


def clause_borders(text: str) -> list[int]:
    """Borders after commas, colons, dashes and line ends."""
    return _ends(_CLAUSE_END, text)


def line_borders(text: str) -> list[int]:
    """Borders after every line end."""
    return [i + 1 for i, character in enumerate(text) if character == "\n" and i + 1 < len(text)]


def item_borders(text: str) -> list[int]:
    """Borders before every list item; lines without a marker belong to the item above."""
    return [m.start() for m in _ITEM.finditer(text) if m.start() > 0]


def word_borders(text: str) -> list[int]:
    """Borders after white space."""
    return _ends(_SPACES, text)


def character_borders(text: str, run: int) -> list[int]:
    """Borders about every `run` characters, never before a combining mark, a joiner, or what a joiner joins."""
    borders: list[int] = []
    position = run
    while position < len(text):
        furthest = position + _LONGEST_SEQUENCE
        while position < min(len(text), furthest) and _continues(text, position):
            position += 1
        if position < len(text):
            borders.append(position)
        position += run
    return borders


def _continues(text: str, position: int) -> bool:
    character = text[position]
    return (
        text[position - 1] == "\u200d"
        or character == "\u200d"
        or unicodedata.category(character) in ("Mn", "Me", "Mc", "Cs")
        or 0x1F3FB <= ord(character) <= 0x1F3FF  # skin tones
    )


def _ends(pattern: re.Pattern[str], text: str) -> list[int]:
    return [m.end() for m in pattern.finditer(text) if 0 < m.end() < len(text)]
