"""In which document a mention is said to be: "the Operations Manual, section 4", "《运维手册》第4节", "section 3 of the Act". Pure.

A title is taken from the words around the mention alone, so it needs no registry and can be resolved when the document arrives later.
"""

import re

from es_mappings.label_mention import Relative
from es_mappings.label_words import DOCUMENT_NOUNS, KIND_WORDS, NUMBERED_NOUNS, OWN_DOCUMENT_NOUNS, SENTENCE_OPENERS
from es_mappings.titles import normalise_title

_LOOK_BACK, _LOOK_AHEAD = 160, 120
_OF_THIS = re.compile(
    r",?\s+(?:of|in)\s+(?:this|the\s+(?:present|current|same))\s+(?P<kind>part|chapter|section|article|appendix)\b", re.IGNORECASE
)
_BOOK_MARKS = re.compile(r"《([^《》]{1,100})》\s*(?:[（(][^（）()]{1,30}[)）])?\s*(?:的|中的|中|里的|之|,|，)?\s*$")
_QUOTED = re.compile(r"[\"“]([A-Z][^\"“”]{2,100})[\"”],?\s*$")
_CHINESE_LAW = re.compile(r"([\u4e00-\u9fff]{2,16}(?:法|条例|规定|办法|细则|准则|公约|手册|指南|规范|标准|章程))(?:的|中的|中)?\s*$")
_CHINESE_LEAD = re.compile(r"^.*(?:根据|依据|按照|依照|违反|参见|详见|适用|符合|以及|或者|是|在|见|与|和|及|由|按|对|将|如|照)(?=..)")
_CODE = re.compile(
    r"(\d+\s+(?:U\.?\s?S\.?\s?C\.?|C\.?\s?F\.?\s?R\.?)|(?:RFC|ISO|IEC|IEEE|PEP|GB|GB/T|DIN|EN|ANSI)[\s-]?\d[\d.:/-]*"
    r"|Form\s+[A-Z0-9][\w-]*)(?:,|\s)*$"
)
_ACRONYM = re.compile(r"(?<![\w-])([A-Z]{3,8})\s+$")
_WORD_BEFORE = re.compile(r"([\w’'&./-]+)(?:[\s\u00a0]+|\s*\([^()]{1,40}\)\s*)$")
_OF = re.compile(
    r"\d{0,3}[\s,.]*(?<![A-Za-z])(?P<joint>of|in|to|from|under)\s+(?P<lead>(?:the|our|that|said|an?|such)\s+)?(?=\S)", re.IGNORECASE
)
_THIS = re.compile(r"(?:this|these|the\s+present|the\s+current)\s", re.IGNORECASE)
_AHEAD_MARKS = re.compile(r"《([^《》]{1,100})》|[\"“]([A-Z][^\"“”]{2,100})[\"”]")
# "in Chapter 10 in the “Slices” section" names a heading, no document.
_DIVISION_AFTER = re.compile(r"\s*(?:sub)?(?:section|chapter|part|appendix)\b", re.IGNORECASE)
_AHEAD_CODE = re.compile(r"\d+\s+(?:U\.?S\.?C\b|C\.?F\.?R\b)\.?|(?:RFC|ISO|IEC|IEEE|PEP|GB|DIN|EN|ANSI)[\s-]?\d[\d.:/-]*\w")
_NAME = re.compile(r"[A-Z0-9][\w’'&/-]*(?:[\s\u00a0]+(?:(?:of|for|and|the|on|to|in|de|der|with)\s+)*[A-Z0-9][\w’'&/-]*){0,11}")
_SMALL_WORDS = re.compile(r"[a-z]+(?:\s+[a-z]+){0,2}")
_LINK = re.compile(r"(?:,|\s+(?:at|in|under))?\s*(?:supra)?[\s\u00a0]*$")
# "See the Proposal, supra Section II.D": the place is in the document at hand, the name before it only says where it is told of.
_HERE = re.compile(r"\b(?:supra|infra)[\s\u00a0]+$", re.IGNORECASE)
_LINKS = frozenset({"of", "for", "and", "the", "on", "to", "in", "de"})
_SHOUTED = frozenset({"SEE", "THE", "AND", "NOTE", "FOR", "FROM", "THIS", "WITH", "UNDER", "WARNING", "TODO", "ALSO", "PART"})
_NOT_DOCUMENTS = frozenset({"figure", "fig", "table", "tables", "figures", "step", "note", "example", "listing", "equation", "january"})


def relative_after(text: str, end: int) -> tuple[Relative, int] | None:
    """ "of this chapter" after a mention: the kind of the current division, and where the phrase ends."""
    found = _OF_THIS.match(text, end, end + 60)
    if not found:
        return None
    kind: Relative = found["kind"].lower()  # type: ignore[assignment]
    return kind, found.end()


def document_around(text: str, start: int, end: int, earliest: int, kind: str) -> str:
    """The normalised title of the document that a mention at text[start:end] is in, "" when none is named.

    Words before `earliest` belong to the mention before. "section 3 of the law" names "law": another document, not resolvable.
    """
    after = _title_after(text[end : end + _LOOK_AHEAD], kind)
    before = text[max(earliest, start - _LOOK_BACK) : start]
    return after or ("" if _HERE.search(before) else _title_before(before))


def _title_before(text: str) -> str:
    for pattern in (_BOOK_MARKS, _QUOTED, _CODE, _ACRONYM):
        found = pattern.search(text)
        if found and found[1] not in _SHOUTED:
            return normalise_title(found[1])
    law = _CHINESE_LAW.search(text)
    if law:
        title = _CHINESE_LEAD.sub("", law[1])
        return "" if title[0] in "本该此" or len(title) < 2 else title
    return _name_before(_LINK.sub(" ", text)) if text.strip() else ""


def _name_before(text: str) -> str:
    """The capitalised name that ends a text, when its last word says that it is a document: "the Operations Manual"."""
    words: list[str] = []
    while found := _WORD_BEFORE.search(text):
        word = found[1]
        if not (word[0].isupper() or word[0].isdigit() or (words and word in _LINKS)):
            break
        words.insert(0, word)
        text = text[: found.start()] + " " if text[: found.start()].endswith((" ", "\n", "\u00a0")) else ""
        if len(words) > 12:
            break
    openers = [i for i, word in enumerate(words, 1) if _opens(word, words[i : i + 2])]
    words = words[openers[-1] :] if openers else words
    while words and words[0].lower() in _LINKS:
        words.pop(0)
    return normalise_title(" ".join(words)) if _ends_in_document(words) else ""


def _opens(word: str, following: list[str]) -> bool:
    """Whether a title can only begin after a word: "See", "Pursuant", the number of a footnote or page."""
    if word.rstrip(".").isdigit():
        return len(following) > 1
    return word[0].isupper() and word.lower() in SENTENCE_OPENERS


def _ends_in_document(words: list[str]) -> bool:
    """Whether the name is a document's by its last word, a year or number after it aside: "the Advisers Act of 1940"."""
    while len(words) > 1 and (words[-1][0].isdigit() or words[-1] == "of"):
        words = words[:-1]
    return bool(words) and words[-1].rstrip(".").lower() in DOCUMENT_NOUNS


def _title_after(text: str, kind: str) -> str:
    joint = _OF.match(text)
    if not joint:
        return ""
    rest = text[joint.end() :]
    marked = _AHEAD_MARKS.match(rest) or _AHEAD_CODE.match(rest)
    if marked and not _DIVISION_AFTER.match(rest, marked.end()):
        return normalise_title(next((group for group in marked.groups() if group), marked.group()))
    if _THIS.match(rest):
        return ""
    of = joint["joint"].lower() == "of" or (joint["joint"].lower() == "to" and kind in ("appendix", "annex", "schedule", "exhibit"))
    name = _NAME.match(rest)
    if name:
        return _name_after(name.group(), of=of)
    small = _SMALL_WORDS.match(rest)
    if not (of and joint["lead"] and small):
        return ""
    noun = next((word for word in small.group().split() if word in DOCUMENT_NOUNS), "")
    return "" if noun in OWN_DOCUMENT_NOUNS else noun


def _name_after(name: str, *, of: bool) -> str:
    words = name.split()
    first = words[0].lower().rstrip(".")
    if first in KIND_WORDS or first in _NOT_DOCUMENTS or words[0][0].isdigit():
        return ""
    ends = [i for i, word in enumerate(words, 1) if word.rstrip(".,").lower() in DOCUMENT_NOUNS]
    if ends:
        last = ends[-1]
        following = words[last : last + 1]
        goes_on = words[last - 1].lower() in NUMBERED_NOUNS or (following and following[0][0].isdigit())
        return normalise_title(" ".join([*words[:last], *(following if goes_on else ())]))
    return normalise_title(name) if of else ""
