"""Numbers in running text with their units: digits, English and Chinese number words, percentages, money, times. Pure.

"3 %", "three percent" and "百分之三" are the same figure. Numbers that only point somewhere ("section 3", "图 2", "[12]") and
list markers are none.
"""

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from ingest.claims.vocabulary import numbers, spellings, word_list

_UNITS = spellings("units")
_CURRENCIES = spellings("currencies")
_MAGNITUDES = numbers("magnitudes")
_NUMBERS = numbers("numbers")
_MULTIPLIERS = {"hundred": 100, "dozen": 12}
_CHINESE_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
_CHINESE_PLACES = {"十": 10, "百": 100, "千": 1_000}
_CHINESE_BLOCKS = {"万": 10_000, "亿": 100_000_000}

_UNIT = "|".join(sorted((re.escape(unit) for unit in _UNITS), key=len, reverse=True))
_AFTER_UNIT = r"(?![A-Za-z])"
_TENS_WORD = "|".join(word for word, value in _NUMBERS.items() if value > 19)
_BELOW_HUNDRED = (
    rf"(?:(?:{_TENS_WORD})[\s-](?:{'|'.join(word for word, value in _NUMBERS.items() if 0 < value < 10)})|{'|'.join(_NUMBERS)})"
)
_BELOW_THOUSAND = rf"(?:(?:{_BELOW_HUNDRED}\s|an?\s)?(?:hundred|dozen)(?:\s(?:and\s)?{_BELOW_HUNDRED})?|{_BELOW_HUNDRED})"
_WORDS = rf"{_BELOW_THOUSAND}(?:\s(?:thousand|million|billion)(?:\s(?:and\s)?{_BELOW_THOUSAND})?)*"
_CHINESE_NUMERAL = r"[零〇一二两三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?"
_MEASURE = "|".join(word_list("measures"))
_NUMBER = re.compile(
    rf"""
    (?P<hundredths>百分之)(?P<of_hundred>\d+(?:\.\d+)?|{_CHINESE_NUMERAL})
    |(?P<code>\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{1,2}}:\d{{2}}(?::\d{{2}})?|\d+(?:\.\d+){{2,}}|{_CHINESE_NUMERAL}分之{_CHINESE_NUMERAL})
    |(?:(?P<currency>US\$|[$€£¥￥])\s?)?(?P<digits>(?<![\w.])\d{{1,3}}(?:[,，]\d{{3}})+(?:\.\d+)?|(?<![A-Za-z\d.])\d+(?:\.\d+)?)
     (?:\s?(?P<magnitude>thousand|million|billion|trillion|bn|百万|千万|万|亿|千)(?![A-Za-z]))?
     (?:[\s-]?(?P<unit>{_UNIT}){_AFTER_UNIT})?
    |\b(?P<words>(?i:{_WORDS}))\b(?:[\s-](?P<word_unit>{_UNIT}){_AFTER_UNIT})?
    |(?P<chinese>{_CHINESE_NUMERAL})(?P<chinese_unit>{_UNIT}|(?:{_MEASURE}))
    """,
    re.VERBOSE,
)
# Most sentences hold no number; this tells so at a tenth of the cost.
_MAYBE = re.compile(rf"\d|[零〇一二两三四五六七八九十百千万亿]|\b(?:{'|'.join([*_NUMBERS, *_MULTIPLIERS])})\b", re.IGNORECASE)
_POINTS_SOMEWHERE = re.compile(
    r"(?:\b(?:fig(?:ure)?s?|tables?|sections?|chapters?|listings?|equations?|eqs?|steps?|pages?|pp?|appendix|part|items?|rules?|notes?|nos?)\.?"
    r"|[第图表式例附录])\s*(?:\d+(?:\.\d+)*(?:,| and|–|-)?\s*)*$|\[\s*$|\(\s*$",
    re.IGNORECASE,
)
_MARKER_AFTER = re.compile(r"\s*[\])）]|[.、．]\s")
_POINTS_AFTER = re.compile(r"\s*[章节页]")
_ADDRESS = re.compile(r"(?:https?://|www\.|[\w.-]+/[\w./-]*\.)\S+|<[a-zA-Z!/][^<>\n]{0,300}>")
_LINE_START = re.compile(r"(?:^|\n)[ \t]*[(（\[]?$")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as its plain decimal value ("1500000", "0.5") or as a code ("14:30", "1.2.3"), its unit ("" when none is
    known), and where it stands. Two are alike when the values are equal and no two different units contradict each other."""

    value: str
    unit: str
    start: int
    end: int

    def like(self, other: "Figure") -> bool:
        """Whether both can be the same figure."""
        return self.value == other.value and (self.unit == other.unit or not (self.unit and other.unit))


def figures(text: str) -> tuple[Figure, ...]:
    """The figures of a text in order. "One" in words is none: it is mostly no count, and a copy may say "a" for it."""
    if not _MAYBE.search(text):
        return ()
    found: list[Figure] = []
    text = _ADDRESS.sub(lambda match: "_" * len(match.group()), text)
    for match in _NUMBER.finditer(text):
        if _only_points(text, match):
            continue
        figure = _figure(match)
        if figure is not None:
            found.append(figure)
    return tuple(found)


def _only_points(text: str, match: re.Match[str]) -> bool:
    if match["code"] or match["hundredths"]:
        return False
    if _POINTS_AFTER.match(text, match.end()) or (match["chinese"] and match["chinese_unit"] in "章节页"):
        return True
    before = text[max(0, match.start() - 40) : match.start()].rstrip(" ")
    pointing = _POINTS_SOMEWHERE.search(before)
    if pointing and (before[-1:] not in "([" or _MARKER_AFTER.match(text, match.end())):
        return True
    return bool(_LINE_START.search(before) and _MARKER_AFTER.match(text, match.end()))


def _figure(match: re.Match[str]) -> Figure | None:
    start, end = match.span()
    if match["code"]:
        return Figure(match["code"], "", start, end)
    if match["hundredths"]:
        value = _decimal(match["of_hundred"]) if match["of_hundred"][0].isdigit() else _chinese_value(match["of_hundred"])
        return None if value is None else Figure(_plain(value), "%", start, end)
    if match["digits"]:
        value = _decimal(match["digits"])
        if value is None:
            return None
        value *= _MAGNITUDES.get(match["magnitude"] or "", 1)
        unit = _CURRENCIES.get(match["currency"] or "") or _UNITS.get(match["unit"] or "", "")
        return Figure(_plain(value), unit, start, end)
    if match["words"]:
        words = re.split(r"[\s-]+", match["words"].casefold())
        value = _word_value([word for word in words if word not in ("and", "a", "an")])
        return None if value < 2 else Figure(_plain(value), _UNITS.get(match["word_unit"] or "", ""), start, end)
    value = _chinese_value(match["chinese"])
    unit = _UNITS.get(match["chinese_unit"], "")
    return None if value is None or (value < 2 and not unit) else Figure(_plain(value), unit, start, end)


def _decimal(digits: str) -> Decimal | None:
    try:
        return Decimal(digits.replace(",", "").replace("，", ""))
    except InvalidOperation:
        return None


def _plain(value: Decimal) -> str:
    return format(value.normalize(), "f")


def _word_value(words: list[str]) -> Decimal:
    total = current = 0
    for word in words:
        if word in _NUMBERS:
            current += _NUMBERS[word]
        elif word in _MULTIPLIERS:
            current = max(current, 1) * _MULTIPLIERS[word]
        else:
            total += max(current, 1) * _MAGNITUDES[word]
            current = 0
    return Decimal(total + current)


def _chinese_value(numeral: str) -> Decimal | None:
    whole, _, fraction = numeral.partition("点")
    total = section = digit = 0
    for character in whole:
        if character in _CHINESE_DIGITS:
            digit = (
                digit * 10 + _CHINESE_DIGITS[character] if digit and "十" not in whole and "百" not in whole else _CHINESE_DIGITS[character]
            )
        elif character in _CHINESE_PLACES:
            section += max(digit, 1) * _CHINESE_PLACES[character]
            digit = 0
        else:
            total = (total + section + digit or 1) * _CHINESE_BLOCKS[character]
            section = digit = 0
    value = Decimal(total + section + digit)
    if fraction:
        value += Decimal("0." + "".join(str(_CHINESE_DIGITS[character]) for character in fraction))
    return value
