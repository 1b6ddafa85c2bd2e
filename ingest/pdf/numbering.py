"""Numbers at the beginning of headings: which family they belong to, how deep they are, what they count. Pure.

A family is the way of writing ("1.1", "I.", "A.", "(a)", "第一章", "Chapter 1"), a chain is a family that counts up.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

CHINESE = "零一二三四五六七八九十百千〇两壹贰叁肆伍陆柒捌玖拾"
_DIGITS = (
    {c: i % 10 for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2} | {c: i + 1 for i, c in enumerate("壹贰叁肆伍陆柒捌玖")}
)
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_ROMAN_FORM = re.compile(r"^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$")
_WORDS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen".split()  # noqa: SIM905
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"]

# Words that name a division, by rank: 0 above 1 above 2. English, German, French, Spanish, Italian, Portuguese, Dutch, Russian.
_DIVISIONS: dict[str, tuple[int, tuple[str, ...]]] = {
    "volume": (0, ("volume", "band", "tome", "tomo")),
    "part": (0, ("part", "teil", "partie", "parte", "deel", "часть", "book", "buch", "livre", "libro")),
    "title": (1, ("title", "titel", "titre", "título", "titolo")),
    "chapter": (1, ("chapter", "kapitel", "chapitre", "capítulo", "capitulo", "capitolo", "hoofdstuk", "глава", "lecture", "unit",
                    "lesson", "module")),
    "appendix": (1, ("appendix", "annex", "anhang", "anlage", "annexe", "apéndice", "appendice", "anexo", "allegato", "bijlage",
                     "приложение",
                     "exhibit", "schedule", "supplement")),
    "section": (2, ("section", "abschnitt", "sección", "sezione", "seção", "раздел")),
    "article": (3, ("article", "artikel", "artículo", "articolo", "artigo", "art.", "статья", "rule", "item")),
}  # fmt: skip
_DIVISION_OF = {word: name for name, (_, words) in _DIVISIONS.items() for word in words}
_DIVISION_WORDS = "|".join(sorted(map(re.escape, _DIVISION_OF), key=len, reverse=True))
_COUNT = r"(?:\d{1,3}(?:\.\d{1,3})*[a-z]?|[ivxlcdm]{1,8}|[a-z]|" + "|".join((*_WORDS, *_ORDINALS)) + r")"
_KEYWORD = re.compile(
    rf"^(?P<word>{_DIVISION_WORDS})\s*(?P<count>{_COUNT})(?P<end>[.:)—–-]*)(?=\s|$|[:.—–-])",
    re.IGNORECASE,
)
_CHINESE_DIVISION = re.compile(rf"^第\s*(?P<count>[{CHINESE}\d]{{1,6}})\s*(?P<word>[卷编編部篇章讲講回节節条條款])")
_CHINESE_APPENDIX = re.compile(
    rf"^附\s*(?:录|錄|件|表)\s*(?P<count>[A-Z]|[{CHINESE}]{{1,3}}|\d{{1,2}})?(?=\s|[:：、.．]|$|[\u4e00-\u9fff])"
)
_CHINESE_RANK = {
    "卷": 0,
    "编": 0,
    "編": 0,
    "部": 0,
    "篇": 0,
    "章": 1,
    "讲": 1,
    "講": 1,
    "回": 1,
    "节": 2,
    "節": 2,
    "条": 3,
    "條": 3,
    "款": 4,
}
_DECIMAL = re.compile(
    r"^(?:(?P<letter>[A-Z])\s?\.\s?(?=\d))?(?P<count>\d{1,3}(?:\s?\.\s?\d{1,3}){0,6})(?P<end>\.?\)?)(?=[\s\u3000]|[^\W\d_]|$)"
)
_SECTION_SIGN = re.compile(r"^§{1,2}\s*(?P<count>\d+[a-z]?(?:[.\-]\d+[a-z]?)*)\.?(?=\s|$|[—–:-])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbering:
    """A number at the beginning of a text.

    `family` tells numbers that can follow each other; `values` are the counts from the top ((3, 2) for 3.2), so `depth` is their
    number; `rank` orders families that name a division (0 part, 1 chapter, 2 section, 3 article, None for bare numbers);
    `label` is the number as printed without trailing punctuation; `rest` is the text after it. `strength` is how surely it
    numbers a heading and not a list item: 3 named division, 2 decimal of several parts, 1 bare number or letter. `is_marked` says that
    punctuation sets it off, so that it is no word.
    """

    family: str
    values: tuple[int, ...]
    label: str
    rest: str
    rank: int | None = None
    strength: int = 1
    is_marked: bool = True

    @property
    def depth(self) -> int:
        return len(self.values)


@lru_cache(maxsize=16_384)
def parse_numbering(text: str) -> Numbering | None:
    """The number at the beginning of a heading or item, or None."""
    head = text[:80].lstrip()
    if not head:
        return None
    first = head[0]
    if first == "第" or first == "附":
        return _chinese_division(text)
    if first == "§":
        match = _SECTION_SIGN.match(head)
        return _made("§", (_leading_int(match["count"]),), match, text, rank=3, strength=3) if match else None
    if first.isdigit() or (first.isascii() and first.isupper() and head[1:2] == "."):
        match = _DECIMAL.match(head)
        found = _decimal(match, text) if match else None
        if found:
            return found
    if first.isalpha():
        match = _KEYWORD.match(head)
        if match:
            found = _keyword(match, text)
            if found:
                return found
    return _bare(head, text)


def roman_value(text: str) -> int | None:
    """The value of a Roman numeral in either case, None when it is none."""
    upper = text.upper()
    if not upper or not _ROMAN_FORM.match(upper):
        return None
    values = [_ROMAN_VALUES[c] for c in upper]
    return sum(-v if i + 1 < len(values) and values[i + 1] > v else v for i, v in enumerate(values))


def chinese_value(text: str) -> int | None:
    """The value of a Chinese numeral below 10,000 or of digits, None when it is none."""
    if text.isdigit():
        return int(text)
    if not text or any(c not in CHINESE for c in text):
        return None
    if all(c in _DIGITS for c in text):
        return int("".join(str(_DIGITS[c]) for c in text))
    total, current = 0, 0
    for c in text:
        if c in _DIGITS:
            current = _DIGITS[c]
        else:
            unit = {"十": 10, "拾": 10, "百": 100, "千": 1000}[c]
            total, current = total + (current or 1) * unit, 0
    return total + current


def _made(
    family: str, values: tuple[int, ...], match: re.Match[str], text: str, *, rank: int | None = None, strength: int = 1
) -> Numbering:
    lead = len(text) - len(text.lstrip())
    label = match[0].strip().rstrip(".:)、．—–- ").strip()
    if label[:1] in ("(", "（") and label[-1:] not in (")", "）"):
        label += ")" if label[0] == "(" else "）"
    after = text[lead + match.end() :]
    marked = match[0].strip() != label or not label[-1:].isalnum() or after[:1] in tuple(".):、．：")
    return Numbering(
        family=family, values=values, label=label, rest=after.strip(" \u3000.:：、．—–-\t"), rank=rank, strength=strength, is_marked=marked
    )  # fmt: skip


def _leading_int(text: str) -> int:
    match = re.match(r"\d+", text)
    return int(match[0]) if match else 0


def _decimal(match: re.Match[str], text: str) -> Numbering | None:
    values = tuple(int(part) for part in re.split(r"\s?\.\s?", match["count"]))
    if match["letter"]:
        return _made("A.1", (ord(match["letter"]) - 64, *values), match, text, strength=2)
    if len(values) == 1:
        return None
    after = text[match.end() : match.end() + 1]
    if len(values) == 2 and (after in "%€$" or values[0] > 60) and after:
        return None
    return _made("1.1", values, match, text, strength=2)


def _keyword(match: re.Match[str], text: str) -> Numbering | None:
    word, count = match["word"].casefold(), match["count"]
    if len(count) == 1 and count.islower() and count not in "ivx":
        return None
    name = _DIVISION_OF[word]
    value = _count_value(count, name)
    if value is None:
        return None
    return _made(name, value, match, text, rank=_DIVISIONS[name][0], strength=3)


def _count_value(count: str, name: str) -> tuple[int, ...] | None:
    lower = count.casefold()
    if lower in _WORDS:
        return (_WORDS.index(lower) + 1,)
    if lower in _ORDINALS:
        return (_ORDINALS.index(lower) + 1,)
    if count[0].isdigit():
        return tuple(_leading_int(part) for part in count.split("."))
    roman = roman_value(count)
    if roman is not None and not (name == "appendix" and len(count) == 1 and count not in "Ii"):
        return (roman,)
    return (ord(count.upper()) - 64,) if len(count) == 1 else None


def _chinese_division(text: str) -> Numbering | None:
    stripped = text.lstrip()
    match = _CHINESE_DIVISION.match(stripped)
    if match:
        value = chinese_value(match["count"])
        return None if value is None else _made(f"第{match['word']}", (value,), match, text, rank=_CHINESE_RANK[match["word"]], strength=3)
    match = _CHINESE_APPENDIX.match(stripped)
    if not match:
        return None
    count = match["count"] or "A"
    value = ord(count) - 64 if count.isascii() and count.isalpha() else chinese_value(count)
    return None if value is None else _made("附录", (value,), match, text, rank=1, strength=3)


_Value = Callable[[str], int | None]


def _letter(text: str) -> int | None:
    """a = 1 ... z = 26, aa = 1 in the German way (aa, bb, cc)."""
    lower = text.lower()
    return ord(lower[0]) - 96 if lower == lower[0] * len(lower) else None


_GREEK = "αβγδεζηθικλμ"
_BARE: tuple[tuple[str, re.Pattern[str], _Value], ...] = (
    ("1", re.compile(r"^(?P<count>\d{1,3})(?:[.．]|(?=\s{1,}|\u3000)|(?=[\u4e00-\u9fff]))(?!\d)(?=\s|\u3000|$|[^\W\d_“\"(])"), int),
    ("1、", re.compile(r"^(?P<count>\d{1,2})、"), int),
    ("1)", re.compile(r"^(?P<count>\d{1,2})[)）]"), int),
    ("(1)", re.compile(r"^[(（](?P<count>\d{1,2})[)）]"), int),
    ("[1]", re.compile(r"^\[(?P<count>\d{1,3})\]"), int),
    ("一、", re.compile(rf"^(?P<count>[{CHINESE}]{{1,4}})[、．.]"), chinese_value),
    ("（一）", re.compile(rf"^[(（](?P<count>[{CHINESE}]{{1,4}})[)）]"), chinese_value),
    ("①", re.compile(r"^(?P<count>[①-⑳])"), lambda c: ord(c) - ord("①") + 1),
    ("I.", re.compile(r"^(?P<count>[IVXLC]{1,7})(?:[.．:)](?=\s|\u3000|$|[^\W\d_])|(?=\s+[^\W\d_a-z]))"), roman_value),
    ("A.", re.compile(r"^(?P<count>[A-Z])(?:[.．:)](?=\s|\u3000|$|[A-Z][a-z])|(?=\s+[A-Z][a-z]))"), _letter),
    ("(I)", re.compile(r"^\((?P<count>[IVXLC]{1,6})\)"), roman_value),
    ("(A)", re.compile(r"^\((?P<count>[A-Z])\)"), _letter),
    ("(i)", re.compile(r"^\((?P<count>[ivxl]{1,6})\)"), roman_value),
    ("(a)", re.compile(r"^\((?P<count>[a-z]{1,2})\)"), _letter),
    ("i.", re.compile(r"^(?P<count>[ivxl]{1,6})[.)](?=\s)"), roman_value),
    ("a)", re.compile(r"^(?P<count>[a-z])\)"), _letter),
    ("aa)", re.compile(r"^(?P<count>[a-z]{2})\)"), _letter),
    ("a.", re.compile(r"^(?P<count>[a-z])\.(?=\s)"), _letter),
    ("α)", re.compile(rf"^(?P<count>[{_GREEK}]{{1,2}})\)"), lambda c: _GREEK.index(c[0]) + 1),
)  # fmt: skip


_COUNTED = re.compile(r"^(?P<word>[^\W\d_]{3,12})\s(?P<count>\d{1,3})(?=$|\s*[:—–|]\s*\S|\.\s+\S|\s*[.:]$)")


# Nearly every line begins with a word: only what passes here is tried against the families above.
_MAYBE = re.compile(rf"^(?:[\d(（\[①-⑳{_GREEK}]|[{CHINESE}]{{1,4}}[、．.]|[A-Z](?=[.．:)\s])|[IVXLC]{{1,7}}(?=[.．:)\s])|[a-z]{{1,6}}[.)])")


def _bare(head: str, text: str) -> Numbering | None:
    for family, pattern, value_of in _BARE if _MAYBE.match(head) else ():
        match = pattern.match(head)
        if match:
            value = value_of(match["count"])
            if value is not None and value > 0:
                return _made(family, (value,), match, text)
    match = _COUNTED.match(head)
    if match and match["word"][0].isupper():
        # Any word may count divisions ("District 4", "Week 2"); it does where others of the kind stand beside it.
        return replace(_made(f"{match['word'].casefold()} 1", (int(match["count"]),), match, text, strength=2), is_marked=False)
    return None


def letter_reading(numbering: Numbering) -> Numbering | None:
    """The same mark read as a letter where it was read as a Roman numeral ("C." = 3, "i)" = 9), or None."""
    other = {"I.": "A.", "(I)": "(A)", "(i)": "(a)", "i.": "a."}.get(numbering.family)
    mark = numbering.label.strip("().")
    if other is None or len(mark) != 1:
        return None
    return Numbering(family=other, values=(ord(mark.lower()) - 96,), label=numbering.label, rest=numbering.rest)
