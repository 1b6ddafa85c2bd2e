"""Numbers that a heading carries in its own words: "3.2", "第三章", "IV", "Appendix A", "ITEM 1A", "§ 4". Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from es_mappings.numerals import CARDINAL_WORDS, CHINESE_NUMERAL, ORDINAL_WORDS, chinese_value, roman_value, word_value
from ingest.blocks import Block

_ROMAN = r"(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_WORDS = "|".join(sorted({*CARDINAL_WORDS, *ORDINAL_WORDS}, key=len, reverse=True)).replace("-", "[- ]")
_NAMES = (
    r"part|book|volume|vol\.|chapter|chap\.|section|sect?\.|article|art\.|appendix|annexe?|schedule|exhibit|item|lecture|lesson|unit|"
    r"module|act|scene|canto|letter|rule|title|subtitle|subpart|subchapter|division|step|day|week|kapitel|chapitre|cap[ií]tulo|"
    r"note|abschnitt|teil|anhang|partie|secci[oó]n|clause|artikel|art[ií]culo|§§?"
)
_NAMED = re.compile(
    rf"(?P<number>(?P<name>{_NAMES})\s*(?P<value>\d+(?:\.\d+)*[A-Za-z]?(?:-\d+[A-Za-z]?)?|(?<=\s)(?:{_ROMAN}|[A-Z](?:\.\d+)*|{_WORDS})))"
    r"(?=$|[\s.:)\]、．:,;—–\-])",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    rf"(?P<number>第\s*(?P<value>{CHINESE_NUMERAL}+|\d+)\s*(?P<name>部分|分[编編]|[章节節篇部编編卷回讲講课課条條款项項幕集册冊])"
    rf"(?:之{CHINESE_NUMERAL}+)?"
    rf"|(?P<volume>卷)(?P<which>{CHINESE_NUMERAL}+)(?=$|[\s　])"
    rf"|(?P<appendix>附[录錄件])\s*(?P<letter>[A-Z\d]+(?:\.\d+)*|{CHINESE_NUMERAL}+)?)"
)
_DECIMAL = re.compile(
    r"(?P<number>(?:\d{1,3}|[A-Z](?=\.\d))(?:\.\d{1,3})*)(?P<end>\.(?=\s|[^\s\d])|[)、．:：]|\.?$|(?=\s)|(?=[\u3400-\u9fff]))\s*"
)
_CHINESE_LIST = re.compile(rf"(?P<number>(?P<value>{CHINESE_NUMERAL}+)(?=[、.．，])|[（(](?P<inner>{CHINESE_NUMERAL}+)[)）])[、.．，\s]?")
_LETTERED = re.compile(rf"(?P<number>{_ROMAN}|[A-Z]|[a-z](?=\)))(?P<end>[.)]\s+|\.?$)")
_BRACKETED = re.compile(rf"(?P<number>[(（](?P<value>\d{{1,3}}|[A-Za-z]|{_ROMAN}|[ivxl]{{2,5}})[)）])\s*(?=\S)")
_DIGITS = re.compile(r"\d+")
_CANONICAL = {
    "vol.": "volume", "chap.": "chapter", "sec.": "section", "sect.": "section", "art.": "article", "artikel": "article",
    "artículo": "article", "articulo": "article", "annexe": "annex", "§§": "§", "letter": "epistle",
}  # fmt: skip
_SIMPLER = str.maketrans("節編講課條項冊", "节编讲课条项册")


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A number as it stands at the start of a heading.

    `family` tells which headings are numbered together ("chapter", "章", "decimal1" for "3.2", "、" for "三、", "(1)",
    "(a)", "(i)", "roman", "letter" for "A.", "epistle" for "Letter 1");
    `values` are its parts as integers ("3.2" is (3, 2), "B.1" (2, 1)); `end` is where the heading's own words begin.
    `certain` is False where only its neighbours can tell that it counts ("10 Things", "C. difficile"); `marked` says that a full
    stop or bracket ends it.
    """

    number: str
    family: str
    values: tuple[int, ...]
    end: int
    certain: bool
    marked: bool = False


def printed_number(title: str) -> Printed | None:
    """The number at the start of a heading, without trailing punctuation; None where it has none. `title` has no blanks around."""
    named = _NAMED.match(title)
    if named and _counts(named["value"]):
        name = named["name"].casefold()
        values = _values(named["value"])
        return Printed(
            number=" ".join(named["number"].split()), family=_CANONICAL.get(name, name), values=values, end=named.end(), certain=True
        )
    chinese = _CHINESE.match(title)
    if chinese:
        name = (chinese["name"] or chinese["volume"] or "附录").translate(_SIMPLER)
        values = _values(chinese["value"] or chinese["which"] or chinese["letter"] or "")
        return Printed(number=chinese["number"].strip(), family=name, values=values, end=chinese.end(), certain=True)
    decimal = _DECIMAL.match(title)
    if decimal:
        values = _values(decimal["number"])
        family = f"decimal{len(values) - 1}" + (")" if decimal["end"] == ")" else "")
        return Printed(
            number=decimal["number"], family=family, values=values, end=decimal.end(), certain=len(values) > 1, marked=decimal["end"] != ""
        )
    listed = _CHINESE_LIST.match(title)
    if listed:
        family = "、" if listed["value"] else "（"
        values = _values(listed["value"] or listed["inner"])
        return Printed(number=listed["number"], family=family, values=values, end=listed.end(), certain=True)
    bracketed = _BRACKETED.match(title)
    if bracketed:
        values = _values(bracketed["value"])
        kind = "(1)" if bracketed["value"].isdigit() else "(i)" if len(bracketed["value"]) > 1 else "(a)"
        return Printed(number=bracketed["number"], family=kind, values=values, end=bracketed.end(), certain=False, marked=True)
    lettered = _LETTERED.match(title)
    if lettered and (lettered["end"].strip() or roman_value(lettered["number"])):
        return _lettered(lettered)
    return None


def numbered(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks with the printed number of each heading that has none yet.

    A doubtful one counts when a neighbour continues it, or when it is the first ("1.", "A.") between numbered headings: below one, or
    with "1.1" below itself.
    """
    headings = [place for place, block in enumerate(blocks) if block.kind == "heading"]
    printed = {place: found for place in headings if blocks[place].number is None and (found := printed_number(blocks[place].text.strip()))}
    doubtful = {(blocks[place].level, found.family, found.values) for place, found in printed.items() if not found.certain}
    numbers: dict[int, str] = {}
    above: list[int] = []
    for place, following in zip(headings, [*headings[1:], None], strict=False):
        level = blocks[place].level
        while above and blocks[above[-1]].level >= level:
            above.pop()
        inside = bool(above) and (blocks[above[-1]].number is not None or above[-1] in numbers)
        below = printed.get(following) if following is not None and blocks[following].level > level else None
        found = printed.get(place)
        if found and (found.certain or _has_neighbour(found, level, doubtful) or _begins(found, inside=inside, below=below)):
            numbers[place] = found.number
        above.append(place)
    return tuple(replace(block, number=numbers[place]) if place in numbers else block for place, block in enumerate(blocks))


def number_value(text: str) -> int | None:
    """The value of one number: "12", "XII", "十二", "twelve", a single letter by its place in the alphabet; None for anything else."""
    if text.isdecimal():
        return int(text) if len(text) < 5 else None
    value = word_value(text) or chinese_value(text) or roman_value(text)
    if value is None and len(text) == 1 and text.isascii() and text.isalpha():
        return ord(text.upper()) - ord("A") + 1
    return value


def _has_neighbour(found: Printed, level: int, doubtful: set[tuple[int, str, tuple[int, ...]]]) -> bool:
    last = found.values[-1]
    if found.family == "roman" and len(found.number) == 1:
        # "I." between "H." and "J." is a letter.
        letter = ord(found.number.upper()) - ord("A") + 1
        if any((level, "letter", (near,)) in doubtful for near in (letter - 1, letter + 1)):
            return True
    return any((level, found.family, (*found.values[:-1], near)) in doubtful for near in (last - 1, last + 1))


def _begins(found: Printed, *, inside: bool, below: Printed | None) -> bool:
    """Whether a lone number is the first of its kind: marked as one, with numbered headings above or first ones below; or that of "1.1"."""
    if below is not None and below.certain and below.values[:-1] == found.values:
        return True
    opens = below is not None and (below.certain or below.marked) and below.values[-1:] == (1,)
    return found.marked and found.values[-1] == 1 and (inside or opens)


def _values(number: str) -> tuple[int, ...]:
    """The parts of a number as integers; "1A" counts as 1, so that an item between two others keeps their order."""
    return tuple(number_value(_DIGITS.match(part)[0] if part[:1].isdigit() else part) or 0 for part in number.split("."))  # type: ignore[index]


def _lettered(match: re.Match[str]) -> Printed:
    """One letter may be a letter or a Roman number; only I, V and X are taken for Roman alone, and longer ones always are."""
    text = match["number"]
    is_roman = len(text) > 1 or text in "IVX"
    value = roman_value(text) if is_roman else ord(text.upper()) - ord("A") + 1
    family = "roman" if is_roman else ("letter" if text.isupper() else "small letter")
    return Printed(number=text, family=family, values=(value or 0,), end=match.end(), certain=False, marked=match["end"] != "")


def _counts(value: str) -> bool:
    """Whether the word after "part", "item" ... is a number: "I" and "A" are, "i" and "of" are not."""
    return value[0].isdigit() or value.isupper() or (len(value) > 1 and number_value(value) is not None)
