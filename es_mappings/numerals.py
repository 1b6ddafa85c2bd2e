"""Numbers as people write them in headings: digits of any width, Roman, Chinese (also 〇, 两, 壹贰叁), English words. Pure."""

import re
import unicodedata

_ROMAN = re.compile(r"M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
# English words that happen to be Roman numerals; written large they are read as numerals all the same.
_ROMAN_WORDS = frozenset({"mix", "di", "dim", "mi", "dix", "mm", "cm", "ml", "cd", "dc", "cv", "mv", "md", "xxx", "li"})

_CHINESE_DIGITS = {
    digit: value
    for value, digits in enumerate(["〇零○", "一壹弌", "二贰貳两兩", "三叁參叄", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖"])
    for digit in digits
}
_CHINESE_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_CHINESE_SHORT = {"廿": 20, "卄": 20, "卅": 30}
CHINESE_NUMERAL = f"[{''.join(_CHINESE_DIGITS)}{''.join(_CHINESE_UNITS)}{''.join(_CHINESE_SHORT)}]"

_ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen"]
_ONES += ["fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINAL_ONES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"]
_ORDINAL_ONES += [f"{word}th" for word in _ONES[12:]]
_ORDINAL_TENS = [f"{word[:-1]}ieth" for word in _TENS]


def _words_of(ones: list[str], tens: list[str]) -> dict[str, int]:
    values = {word: value for value, word in enumerate(ones, 1)}
    values |= {word: 10 * value for value, word in enumerate(tens, 2)}
    values |= {f"{ten}-{one}": 10 * t + o for t, ten in enumerate(_TENS, 2) for o, one in enumerate(ones[:9], 1)}
    return values


CARDINAL_WORDS = _words_of(_ONES, _TENS)
ORDINAL_WORDS = _words_of(_ORDINAL_ONES, _ORDINAL_TENS)


def roman_value(text: str) -> int | None:
    """1..3999 of a Roman numeral in its one correct form, all large or all small letters; None for anything else.

    Small letters are a numeral only when they are no English word ("mix") and name 1 to 199.
    """
    upper = text.upper()
    if not text or text not in (upper, text.lower()) or not _ROMAN.fullmatch(upper):
        return None
    values = [_ROMAN_VALUES[letter] for letter in upper]
    total = sum(-value if value < max(values[i + 1 :], default=0) else value for i, value in enumerate(values))
    if text != upper and (text in _ROMAN_WORDS or total > 199):
        return None
    return total


def chinese_value(text: str) -> int | None:
    """0..9999 of a Chinese numeral: 二十一, 一百零三, 十, 两百, 廿三, 贰拾叁, or digit by digit 一〇三; None for anything else."""
    if text and all(character in _CHINESE_DIGITS for character in text):
        return int("".join(str(_CHINESE_DIGITS[character]) for character in text)) if len(text) <= 4 else None
    total, pending, last_unit = 0, None, 10_000
    for character in text:
        if character in _CHINESE_DIGITS:
            digit = _CHINESE_DIGITS[character]
            if pending:
                return None
            pending = digit
        elif character in _CHINESE_SHORT and total % 100 == 0 and not pending:
            total, last_unit = total + _CHINESE_SHORT[character], 10
        elif (unit := _CHINESE_UNITS.get(character)) and unit < last_unit:
            total, pending, last_unit = total + (pending or 1) * unit, None, unit
        else:
            return None
    return total + (pending or 0) if total else None


def word_value(text: str) -> int | None:
    """1..99 of an English cardinal or ordinal word: "three", "Twenty-One", "twenty one", "first"; None for anything else."""
    word = "-".join(text.lower().replace("-", " ").split())
    return CARDINAL_WORDS.get(word) or ORDINAL_WORDS.get(word)


def plain_digits(text: str) -> str:
    """Digits of any script and width as 0..9, full-width letters and points as plain ones, circled numbers as plain numbers."""
    return unicodedata.normalize("NFKC", text).translate({0x3002: ".", 0xFF0E: "."})
