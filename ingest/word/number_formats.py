"""Numbers in the formats of Word lists (ECMA-376 part 1, 17.18.59 ST_NumberFormat). Pure."""

import unicodedata
from collections.abc import Callable

from ingest.word.east_asian_numbers import EAST_ASIAN_FORMATS

_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"))
_SMALL_ROMAN = ((5, "V"), (4, "IV"), (1, "I"))
_ONES = "zero one two three four five six seven eight nine ten".split()  # noqa: SIM905  # a list of words reads best as words
_ONES += "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()  # noqa: SIM905
_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}
_RUSSIAN = "абвгдежзиклмнопрстуфхцчшщыэюя"
_ARABIC_ALPHA = "أبتثجحخدذرزسشصضطظعغفقكلمنهوي"
_ARABIC_ABJAD = "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ"
_HEBREW = "אבגדהוזחטיכלמנסעפצקרשת"
_HINDI_CONSONANTS = "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह"
_HINDI_VOWELS = "अआइईउऊऋऌऍऎएऐऑऒओऔ"
_THAI_LETTERS = "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ"
# Word counts at most this far; what is larger in a file is damage.
MOST = 1_000_000


def format_number(value: int, name: str) -> str:
    """`value` (0 or more) in the format called `name`; unknown names and values outside a format's range give plain digits.

    >>> format_number(4, "upperRoman"), format_number(28, "lowerLetter"), format_number(21, "chineseCountingThousand")
    ('IV', 'bb', '二十一')
    """
    value = min(max(value, 0), MOST)
    maker = FORMATS.get(name) or EAST_ASIAN_FORMATS.get(name)
    return (maker(value) if maker else "") or ("" if name in SILENT_FORMATS else str(value))


SILENT_FORMATS = frozenset({"none", "bullet"})


def custom_number(value: int, pattern: str) -> str:
    """`value` in a custom format ("001, 002, 003, ..."): only leading zeros are known to occur."""
    first = pattern.split(",", 1)[0].strip()
    return str(value).zfill(len(first)) if first.isdecimal() else str(value)


def _roman(value: int) -> str:
    text = ""
    for size, letters in (*_ROMAN, *_SMALL_ROMAN):
        text += letters * (value // size)
        value %= size
    return text if len(text) < 40 else ""


def _letters(alphabet: str) -> Callable[[int], str]:
    """Word goes on with doubled letters: z, aa, bb ... not aa, ab."""

    def make(value: int) -> str:
        turns, place = divmod(value - 1, len(alphabet))
        return alphabet[place] * (turns + 1) if 0 < value <= len(alphabet) * 30 else ""

    return make


def _ordinal(value: int) -> str:
    suffix = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{suffix}"


def _cardinal(value: int) -> str:
    if value < 20:
        return _ONES[value]
    if value < 100:
        tens, one = divmod(value, 10)
        return _TENS[tens] + (f"-{_ONES[one]}" if one else "")
    size, name = (1000, "thousand") if value >= 1000 else (100, "hundred")
    many, rest = divmod(value, size)
    return f"{_cardinal(many)} {name}" + (f" {_cardinal(rest)}" if rest else "")


def _ordinal_words(value: int) -> str:
    words = _cardinal(value)
    place = max(words.rfind(" "), words.rfind("-")) + 1
    last = words[place:]
    ending = _IRREGULAR.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return words[:place] + ending


def _capitalised(maker: Callable[[int], str]) -> Callable[[int], str]:
    def make(value: int) -> str:
        text = maker(value)
        return text[:1].upper() + text[1:]

    return make


def _enclosed(start: int, most: int, first: int = 1) -> Callable[[int], str]:
    return lambda value: chr(start + value - first) if first <= value <= most else ""


def _circled(value: int) -> str:
    if value == 0:
        return "\u24ea"
    for first, last, start in ((1, 20, 0x2460), (21, 35, 0x3251), (36, 50, 0x32B1)):
        if first <= value <= last:
            return chr(start + value - first)
    return ""


def _digits(zero: str) -> Callable[[int], str]:
    offset = ord(zero) - ord("0")
    return lambda value: "".join(chr(ord(digit) + offset) for digit in str(value))


def _chicago(value: int) -> str:
    turns, place = divmod(value - 1, 4)
    return "*†‡§"[place] * (turns + 1) if 0 < value <= 400 else ""


def _hebrew_numeral(value: int) -> str:
    """Letters as numbers, with 15 and 16 written as 9 + 6 and 9 + 7."""
    if not 0 < value < 1000:
        return ""
    hundreds, rest = divmod(value, 100)
    text: str = "ת" * (hundreds // 4) + ("", "ק", "ר", "ש")[hundreds % 4]
    if rest in (15, 16):
        return text + "ט" + "וז"[rest - 15]
    tens, ones = divmod(rest, 10)
    return text + " יכלמנסעפצ"[tens].strip() + " אבגדהוזחט"[ones].strip()


FORMATS: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalZero": lambda value: f"{value:02d}",
    "upperRoman": _roman,
    "lowerRoman": lambda value: _roman(value).lower(),
    "upperLetter": _letters("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "lowerLetter": _letters("abcdefghijklmnopqrstuvwxyz"),
    "ordinal": _ordinal,
    "cardinalText": _capitalised(_cardinal),
    "ordinalText": _capitalised(_ordinal_words),
    "hex": lambda value: f"{value:X}",
    "chicago": _chicago,
    "numberInDash": lambda value: f"- {value} -",
    "decimalFullWidth": _digits("\uff10"),
    "decimalFullWidth2": _digits("\uff10"),
    "decimalEnclosedCircle": _circled,
    "decimalEnclosedCircleChinese": _circled,
    "decimalEnclosedFullstop": _enclosed(0x2488, 20),
    "decimalEnclosedParen": _enclosed(0x2474, 20),
    "russianLower": _letters(_RUSSIAN),
    "russianUpper": _letters(_RUSSIAN.upper()),
    "arabicAlpha": _letters(_ARABIC_ALPHA),
    "arabicAbjad": _letters(_ARABIC_ABJAD),
    "hebrew1": _hebrew_numeral,
    "hebrew2": _letters(_HEBREW),
    "hindiConsonants": _letters(_HINDI_CONSONANTS),
    "hindiVowels": _letters(_HINDI_VOWELS),
    "hindiNumbers": _digits("\u0966"),
    "thaiLetters": _letters(_THAI_LETTERS),
    "thaiNumbers": _digits("\u0e50"),
}

assert all(unicodedata.digit(zero) == 0 for zero in ("\uff10", "\u0966", "\u0e50"))
