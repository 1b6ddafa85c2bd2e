"""Which single lines could be headings, and by what evidence. Pure."""

import re
from dataclasses import dataclass

from ingest.blocks import StructureSource
from ingest.numbering import Printed, number_value, printed_number
from ingest.plaintext.keywords import is_contents, keyword_of
from ingest.plaintext.layout import width

LONGEST = 120
_TAIL = 60
_LEADERS = re.compile(r"(?:\.{4,}|(?:\. ){4,}|…{2,}|·{4,}|_{4,}|\s{3,}|\t)\s*(?:\d{1,4}|[ivxlc]+)\s*$", re.IGNORECASE)
_TEXT_END = re.compile(r"[。；，、,;]$")
_STOP_END = re.compile(r"[.!?:：！][\"'”’)\]」』]*$")
_CLAUSE = re.compile(r"[。；！]|[,;:.!?]\s")
_DATE = re.compile(r"(?:19|20)\d\d[-/.年]\d{1,2}")  # "1.0.3 2009-06-05 Spelling" is a row of a history
_CODE = re.compile(r"[=_{}<>|\\*^]")
_WORD = re.compile(r"[^\W\d_]{2,}")
BARE = "bare number"
"""The family of digits that stand alone: chapters of a novel, or pages."""
CAPITALS = "capitals"
WORD = "word "
"""How the name of a family begins whose word is no usual one: "ADVENTURE IV", "Stave 3"."""
_COUNTED = re.compile(r"(?P<word>[A-Z][A-Za-z]{3,14} |Q)(?P<value>\d{1,3}|[IVXLC]{1,7})(?=[.:]?$|[.:] )")
_ENDINGS = frozenset({"the end", "end", "finis", "fin", "ende", "全文完", "全书完", "全書完"})
_CAPTION_WORDS = frozenset(
    {"figure", "table", "listing", "equation", "example", "chart", "plate", "page", "line", "version", "note", "illustration"}
)
# Families whose number may open a paragraph: the number is the heading, the text runs on.
RUN_IN = frozenset({"条", "article", "§", "artikel"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A line that may be a heading. `family` tells which lines belong together; `values` order them within it.

    `run_in` is the length of the heading at the start of a longer text, 0 where the whole line is the heading.
    """

    index: int
    family: str
    source: StructureSource
    number: str | None = None
    values: tuple[int, ...] = ()
    run_in: int = 0


def candidate_of(index: int, text: str) -> Candidate | None:
    """What a line of its own could be as a heading; None when it reads like text or like a line of a table of contents."""
    if not text or has_leaders(text) or is_contents(text) or text.strip(" .!*").casefold() in _ENDINGS:
        return None
    found = printed_number(text)
    if found and found.family in RUN_IN and _runs_in(text, found.end):
        end = found.end + (text[found.end : found.end + 1] in ".．:：")
        return Candidate(index=index, family=found.family, source="numbering", number=found.number, values=found.values, run_in=end)
    if width(text) > LONGEST:
        return None
    if keyword_of(text):
        return Candidate(index=index, family="keyword", source="keyword")
    if found and _is_title(text, found):
        family = BARE if found.family == "decimal0" and found.end == len(text) else found.family
        return Candidate(index=index, family=family, source="numbering", number=found.number, values=found.values)
    counted = _COUNTED.match(text)
    word = counted["word"].strip() if counted else ""
    if counted and word.casefold() not in _CAPTION_WORDS and not _TEXT_END.search(text):
        value = number_value(counted["value"]) or 0
        number = counted["word"] + counted["value"]
        return Candidate(index=index, family=f"{WORD}{word.casefold()}", source="numbering", number=number, values=(value,))
    if _all_capitals(text):
        return Candidate(index=index, family=CAPITALS, source="font")
    return None


def has_leaders(text: str) -> bool:
    """Whether a line ends like one of a printed table of contents: dots or a gap, then a page number."""
    return bool(_LEADERS.search(text[-_TAIL:]))


def stands_out(text: str) -> bool:
    """Whether a line between blanks reads like a heading without number: short, a capital or Chinese start, no full stop."""
    if not 2 <= width(text) <= 60 or _TEXT_END.search(text) or _STOP_END.search(text) or not _WORD.search(text):
        return False
    first = text[0]
    return (first.isupper() or first >= "\u3400") and not _CLAUSE.search(text) and text.count(" ") < 9


def _is_title(text: str, found: Printed) -> bool:
    """Whether what follows a number is a title and not the rest of a sentence."""
    rest = text[found.end :].lstrip(" \t　.．:：、)—–-―|")
    if not rest:
        return found.certain or text[:1] in "IVXL" or len(text) > 1 or text.isdecimal()
    words = rest.count(" ") + 1
    names_a_thing = found.certain and found.marked and words <= 3  # "2.1. setuptools"
    if (rest[0].islower() and not names_a_thing) or _TEXT_END.search(rest) or _DATE.match(rest):
        return False
    if _STOP_END.search(rest) and (words > 8 or (_CLAUSE.search(rest[:-1]) and not rest.isupper())):
        return False
    if not found.certain and (rest[-1] in ":：" or (rest[-1] == "." and words > 3)):
        return False  # "1. They must be valid." is an item of a list
    chinese = rest[0] >= "\u3400"
    if not found.certain and not chinese and not _WORD.search(rest):
        return False  # "A. B." is a name
    if chinese and (len(rest) > 40 or "。" in rest):
        return False
    return not (_CLAUSE.search(rest) and width(rest) > 80)


def _runs_in(text: str, end: int) -> bool:
    """Whether a law's article goes on as text right after its number."""
    rest = text[end:]
    return bool(rest) and rest[0] in " \t　.．:：" and (len(rest) > 60 or bool(re.search(r"[。；.;:：]$", rest))) and len(rest.strip()) > 5


def _all_capitals(text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    if (
        len(letters) < 4
        or _CODE.search(text)
        or not text[0].isalnum()
        or width(text) > 80
        or _TEXT_END.search(text)
        or text[-1] in "”\"'’-—!"
    ):
        return False
    return (
        all(not character.islower() for character in letters)
        and any(character.isupper() for character in letters)
        and letters[0] < "\u3400"
    )
