"""Numbers that a heading carries in its own words: "3.2", "第三章", "IV", "Appendix A", "ITEM 1A", "§ 4". Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.blocks import Block

CHINESE_DIGITS = "零〇一二三四五六七八九十百千两"
_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|"
    "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
)
ROMAN = r"(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_NAMES = (
    r"part|book|volume|vol\.|chapter|chap\.|section|sect?\.|article|art\.|appendix|annexe?|schedule|exhibit|item|lecture|lesson|unit|"
    r"module|act|scene|canto|letter|rule|title|subpart|division|step|day|week|kapitel|chapitre|cap[ií]tulo|abschnitt|teil|anhang|"
    r"partie|secci[oó]n|§§?"
)
_END = r"(?=$|[\s.:)\]、．:,;—–\-])"
NAMED = re.compile(
    rf"(?P<number>(?P<name>{_NAMES})\s*(?P<value>\d+(?:\.\d+)*[A-Za-z]?|{ROMAN}|[A-Z](?:\.\d+)*|(?:{_WORDS})(?:[- ](?:{_WORDS}))?)){_END}",
    re.IGNORECASE,
)
CHINESE = re.compile(
    rf"(?P<number>第\s*(?P<value>[{CHINESE_DIGITS}\d]+)\s*(?P<name>[章节節篇部编編卷回讲講课課条條款项幕集])"
    rf"|(?P<appendix>附[录錄件])\s*(?:[A-Z\d]+(?:\.\d+)*|[{CHINESE_DIGITS}]+)?)"
)
DECIMAL = re.compile(
    r"(?P<number>(?:\d{1,3}|[A-Z](?=\.\d))(?:\.\d{1,3})*)(?P<end>\.(?=\s|[^\s\d])|[)、．:：]|\.?$|(?=\s)|(?=[\u3400-\u9fff]))\s*"
)
CHINESE_LIST = re.compile(rf"(?P<number>[{CHINESE_DIGITS}]+(?=[、.．，])|[（(][{CHINESE_DIGITS}]+[)）])[、.．，\s]?")
LETTERED = re.compile(rf"(?P<number>[A-Z]|{ROMAN}|[a-z](?=\)))[.)]\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A number as it stands at the start of a heading. `certain` is False where only its neighbours can tell that it counts."""

    number: str
    family: str
    certain: bool


def printed_number(title: str) -> Printed | None:
    """The number at the start of a heading, without trailing punctuation; None where it has none.

    "3.2 Data" gives "3.2", "第三章 实验" "第三章", "Appendix A: Proofs" "Appendix A" for certain; "10 Things" and "C. difficile" give
    "10" and "C" but are not certain.
    """
    text = title.strip()
    named = NAMED.match(text)
    if named and _counts(named["value"]):
        return Printed(number=named["number"], family=named["name"].casefold(), certain=True)
    chinese = CHINESE.match(text)
    if chinese:
        return Printed(number=chinese["number"].strip(), family=chinese["name"] or "附录", certain=True)
    decimal = DECIMAL.match(text)
    if decimal:
        depth = decimal["number"].count(".")
        return Printed(number=decimal["number"], family=f"decimal{depth}", certain=depth > 0)
    listed = CHINESE_LIST.match(text)
    if listed:
        return Printed(number=listed["number"], family="（" if listed["number"][0] in "（(" else "、", certain=True)
    lettered = LETTERED.match(text)
    if lettered:
        return Printed(number=lettered["number"], family="roman" if lettered["number"] in ("I", "V", "X") else "letter", certain=False)
    return None


def numbered(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks with the printed number of each heading that has none yet; doubtful ones count when a neighbour continues them."""
    printed = [printed_number(block.text) if block.kind == "heading" and block.number is None else None for block in blocks]
    doubtful = {(block.level, number.number) for block, number in zip(blocks, printed, strict=True) if number and not number.certain}
    found = []
    for block, number in zip(blocks, printed, strict=True):
        if number and (number.certain or any((block.level, near) in doubtful for near in neighbours(number.number))):
            found.append(replace(block, number=number.number))
        else:
            found.append(block)
    return tuple(found)


def neighbours(number: str) -> tuple[str, ...]:
    """The numbers right before and after one: "2" has "1" and "3", "C" has "B" and "D", "III" has "II" and "IV"."""
    if number.isdigit():
        return (str(int(number) - 1), str(int(number) + 1))
    near = []
    if len(number) == 1:
        near += [chr(ord(number) - 1), chr(ord(number) + 1)]
    value = roman_value(number)
    if value:
        near += [roman(value - 1), roman(value + 1)]
    return tuple(near)


_ROMAN_DIGITS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"),
    (4, "IV"), (1, "I"),
)  # fmt: skip


def roman(value: int) -> str:
    """`value` (1..3999) in Roman digits; "" for 0."""
    digits = ""
    for worth, digit in _ROMAN_DIGITS:
        while value >= worth:
            digits += digit
            value -= worth
    return digits


def roman_value(digits: str) -> int:
    """The value of an upper or lower case Roman number; 0 when it is none."""
    text, value = digits.upper(), 0
    if not text or not re.fullmatch(ROMAN, text):
        return 0
    for worth, digit in _ROMAN_DIGITS:
        while text.startswith(digit):
            value += worth
            text = text[len(digit) :]
    return value


def _counts(value: str) -> bool:
    """Whether the word after "part", "item" ... is a number: "I" and "A" are, "i" and "of" are not."""
    return value[0].isdigit() or value.isupper() or len(value) > 1
