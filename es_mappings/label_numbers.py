"""Numbers of divisions in one spelling, and labels made of them: "III" -> "3", "Ⅱ.A.2" -> "2.a.2", kind + number -> "section 3.2". Pure.

A label is a kind and a number ("chapter 3", "appendix b", "section 3.2"); one under a part may be qualified ("part 2 chapter 3").
"""

import re
from typing import Literal

from es_mappings.label_words import SUBDIVISIONS, VOLUMES
from es_mappings.numerals import chinese_value, plain_digits, roman_value, word_value

NumberStyle = Literal["digits", "roman", "letter", "chinese", "word"]
LONGEST_RANGE = 100
_DIGITS = re.compile(r"(\d{1,6})([A-Za-z]?)")
_LATER = re.compile(r"[0-9]{1,6}[A-Za-z]?|[A-Za-z]{1,6}|[0-9]{1,4}[A-Za-z][0-9]{0,2}-[0-9]{1,3}[A-Za-z]?")
_RULE = re.compile(r"[0-9]{1,4}[A-Za-z][0-9]{0,2}-[0-9]{1,3}[A-Za-z]?")


def canonical_number(text: str, kind: str = "") -> str | None:
    """The one spelling of a number: components joined by ".", decimal where they can be, else small letters; None when it is none.

    A single letter is Roman only when it is I, V or X, and never for an appendix or annex: their letters stay letters. The
    components after the first keep their letters, so "II.A.1.iii" is "2.a.1.iii" whether iii counts or continues h, i, j.
    """
    first, *rest = plain_digits(text).strip().strip(".").split(".")
    head = _first_component(first.strip(), kind)
    if head is None:
        return None
    later = []
    for part in rest:
        value = chinese_value(part) if part else None
        plain = str(value) if value is not None else part
        if not _LATER.fullmatch(plain):
            return None
        later.append((plain.lstrip("0") or "0").lower())
    return ".".join([head, *later])


def _first_component(text: str, kind: str) -> str | None:
    digits = _DIGITS.fullmatch(text)
    if digits:
        return f"{int(digits[1])}{digits[2].lower()}"
    if _RULE.fullmatch(text):
        return text.lower()
    if len(text) == 1 and text.isascii() and text.isalpha():
        lettered = kind in ("appendix", "annex") or text.upper() not in "IVX"
        return text.lower() if lettered else str(roman_value(text))
    for read in (roman_value, chinese_value, word_value):
        value = read(text)
        if value is not None:
            return str(value)
    return None


def number_style(text: str) -> NumberStyle:
    """How a number is written, by its first component."""
    first = plain_digits(text).strip().split(".")[0].strip()
    if first[:1].isdigit():
        return "digits"
    if chinese_value(first) is not None:
        return "chinese"
    if roman_value(first) is not None and (len(first) > 1 or first.upper() in "IVX"):
        return "roman"
    return "letter" if len(first) == 1 else "word"


def expand_range(first: str, last: str) -> tuple[str, ...]:
    """The numbers from one to another, both included: ("2", "4") -> 2, 3, 4; ("3.1", "3.3"); ("a", "c"); (first, last) when unclear."""
    stem, _, low = first.rpartition(".")
    last_stem, _, high = last.rpartition(".")
    if last_stem and last_stem != stem:
        return (first, last)
    prefix = f"{stem}." if stem else ""
    if low.isdigit() and high.isdigit() and 0 < int(high) - int(low) < LONGEST_RANGE:
        return tuple(f"{prefix}{n}" for n in range(int(low), int(high) + 1))
    if len(low) == len(high) == 1 and low.isalpha() and high.isalpha() and low < high:
        return tuple(f"{prefix}{chr(n)}" for n in range(ord(low), ord(high) + 1))
    return (first, f"{prefix}{high}")


def make_label(kind: str, number: str) -> str:
    """The label of a kind and a canonical number; a dotted chapter is a section ("chapter 3.2" is said of section 3.2)."""
    if kind == "chapter" and "." in number:
        kind = "section"
    return f"{kind} {number}"


def split_label(label: str) -> tuple[str, str]:
    """Kind and number of a label without its part: "part 2 chapter 3" -> ("chapter", "3"); "appendix" -> ("appendix", "")."""
    words = label.split(" ")
    return (words[-2], words[-1]) if len(words) > 1 else (label, "")


def qualify(outer: str, inner: str) -> str | None:
    """The label of `inner` inside `outer`, None when the two do not fit together.

    chapter 3 + section 2 -> section 3.2; chapter 3 + section 3.2 -> section 3.2; appendix b + section 2 -> appendix b.2;
    part 2 + chapter 3 -> part 2 chapter 3; article 5 + paragraph 2 -> article 5 (smaller than a heading); chapter 3 + article 12 ->
    article 12 (articles count through).
    """
    outer_kind, outer_number = split_label(outer)
    inner_kind, inner_number = split_label(inner)
    if outer_kind == inner_kind or (inner_kind in VOLUMES and outer_kind not in VOLUMES):
        return None
    if outer_kind in VOLUMES:
        return f"{outer} {inner}"
    if inner_kind in SUBDIVISIONS and outer_kind in ("article", "section", "appendix"):
        return outer
    if inner_kind != "section":
        return inner if outer_kind == "chapter" else None
    prefix = outer.removesuffix(f"{outer_kind} {outer_number}")
    kind = outer_kind if outer_kind in ("appendix", "annex", "article") else "section"
    if inner_number.startswith(f"{outer_number}."):
        return f"{prefix}{kind} {inner_number}"
    return None if "." in inner_number else f"{prefix}{kind} {outer_number}.{inner_number}"


def label_fallbacks(label: str) -> tuple[str, ...]:
    """What a label may mean when no section has it, the nearest first: without its part; a clause or paragraph as a section."""
    kind, number = split_label(label)
    bare = f"{kind} {number}".strip()
    found = [bare] if bare != label else []
    if kind in ("clause", "paragraph"):
        found.append(f"section {number}")
    return tuple(found)
