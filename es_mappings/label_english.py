"""Mentions with the kind before the number: "sections 2 and 5", "Chapter IV", "§§ 3, 4", "Appendix B", "Kapitel 3". Pure."""

import re
from collections.abc import Iterator

from es_mappings.label_mention import LabelMention, Relative
from es_mappings.label_numbers import canonical_number, expand_range, make_label, number_style
from es_mappings.label_words import FUNCTION_WORDS, KIND_WORDS, LEGAL_NAMES, KindWord
from es_mappings.numerals import CARDINAL_WORDS, ORDINAL_WORDS, word_value


def _any_of(words: object) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))  # type: ignore[call-overload]


_CARDINAL = _any_of([*CARDINAL_WORDS, *(word.replace("-", " ") for word in CARDINAL_WORDS if "-" in word)])
_ORDINAL = _any_of(ORDINAL_WORDS)
# Atomic: several gaps stand in a row below, and nothing after one ever wants white space back.
_GAP = r"(?>[ \t\u00a0]*\n?[ \t\u00a0]*)"
_WORD = rf"(?:(?i:{_any_of([word for word in KIND_WORDS if word[0] != '§'])})(?![^\W\d_])|§§?)"
_RULE = r"\d{1,4}[A-Za-z]\d{0,2}-\d{1,3}[A-Za-z]?"  # as in the Code of Federal Regulations: 240.15l-1
NUMBER = (
    rf"(?:{_RULE}|\d{{1,4}}[A-Za-rt-z]?|(?i:{_CARDINAL})|[IVXLCDM]{{1,9}}|[ivxlc]{{1,9}}|[A-Za-z]|[\u2160-\u217b])"
    r"(?:\.(?:" + _RULE + r"|\d{1,4}[A-Za-z]?|[A-Za-z]|[ivx]{2,5}))*(?![A-Za-z0-9_])"
)
_INTRO = re.compile(rf"(?<![\w§/@#-])(?P<word>{_WORD})(?P<dot>\.?)(?P<gap>{_GAP})(?:(?i:numbers?|nos?\.|№)\s*)?(?P<number>{NUMBER})")
_NAMED_ORDINAL = re.compile(rf"(?<![\w-])(?P<word>{_WORD})\s+(?:the\s+)?(?P<number>(?i:{_ORDINAL}))\b")
_COUNTED = re.compile(rf"(?i:\bthe\s+(?P<number>{_ORDINAL}|\d{{1,3}}(?=st|nd|rd|th))(?:st|nd|rd|th)?\s+(?P<word>chapter|lecture|lesson)\b)")
_NEIGHBOUR = re.compile(r"(?i:\bthe\s+(?P<way>next|following|previous|preceding)\s+(?P<word>chapter|section)\b)")
_BARE = re.compile(
    r"(?i:(?<!\w)(?:see|cf\.|refer to|see also)\s+)(?P<number>\d{1,3}(?:\.\d{1,3}){1,5})(?![\w%]|\.\d|\s*(?:%|percent|million|billion))"
)
_TAIL = re.compile(
    rf"(?:{_GAP}(?P<range>to|through|thru|–|—|-|~)|{_GAP}(?P<comma>[,;]|\.(?={_GAP}and\b))?{_GAP}(?P<and>and/or|and|or|&)?){_GAP}(?P<again>{_WORD}\.?{_GAP})?(?P<number>{NUMBER})"
)
_SUBDIVISION = re.compile(r"(?:\.?\s?\((?:[A-Za-z]{1,4}|\d{1,3})\))+")
_FOLLOWING = re.compile(r"[ \t\u00a0]*\n?[ \t\u00a0]*([a-z]+)\b")
_DETERMINED = re.compile(r"(?i:\b(?:the|this|that|these|each|every|any|which|another|last|next|one|first)\s+)$")
_INDEFINITE = re.compile(r"(?i:\b(?:an?)\s+)$")


def english_mentions(text: str, *, lenient: bool = False) -> Iterator[LabelMention]:
    """All mentions by a kind word, in order; `lenient` reads a question: small letters and short forms ("ch 4", "unit 2", "part b")."""
    for match in _INTRO.finditer(text):
        word = KIND_WORDS[match["word"].lower()]
        if _introduces(match, word, lenient=lenient) and _numbers(text, match, word, lenient=lenient):
            mention = _with_tail(text, match, word)
            is_bare = word.capital and match["word"][0].islower()
            if mention and not _is_matter(text, mention, is_bare=is_bare):
                yield mention
    for pattern in (_NAMED_ORDINAL, _COUNTED):
        for match in pattern.finditer(text):
            word = KIND_WORDS[match["word"].lower()]
            number = canonical_number(match["number"], word.kind)
            named = pattern is _COUNTED or "the" in match.group().lower().split() or match["number"][0].isupper()
            if number and named and not word.plural:
                labels = (make_label(word.kind, number),)
                yield LabelMention(start=match.start(), end=match.end(), kind=word.kind, labels=labels, style="word")
    for match in _NEIGHBOUR.finditer(text):
        way: Relative = "next" if match["way"].lower() in ("next", "following") else "previous"
        kind = match["word"].lower()
        yield LabelMention(start=match.start(), end=match.end(), kind=kind, labels=(kind,), relative=way)
    for match in _BARE.finditer(text):
        label = make_label("section", canonical_number(match["number"]) or match["number"])
        yield LabelMention(start=match.start("number"), end=match.end(), kind="section", labels=(label,))


def _introduces(match: re.Match[str], word: KindWord, *, lenient: bool) -> bool:
    """Whether the word in front really is the name of a division."""
    written, dot, gap, number = match["word"], match["dot"], match["gap"], match["number"]
    if written[0] == "§":
        return not dot
    if word.dotted:
        return bool(dot and gap and word_value(number) is None) or (number[0].isdigit() and (lenient or written[0].isupper() or bool(dot)))
    if dot or (word.capital and not lenient and not written[0].isupper()):
        return False
    return bool(gap) or number[0].isdigit()


def _numbers(text: str, match: re.Match[str], word: KindWord, *, lenient: bool) -> bool:
    """Whether what follows is a number and not the pronoun, the article or a word that looks like one."""
    number = match["number"]
    after = text[match.end() : match.end() + 1]
    if after == "%" or (after == "-" and text[match.end() + 1 : match.end() + 2].isalpha()):
        return False
    if number[0].isdigit() or (len(number) > 1 and number[1] != "."):
        return canonical_number(number, word.kind) is not None
    following = _FOLLOWING.match(text, match.end("number"))
    is_sentence_word = following is not None and (following[1] not in FUNCTION_WORDS or number == "a")
    if number[0].islower():
        if word.kind in ("appendix", "annex") or number[0] in "ivx":
            return not is_sentence_word
        return lenient and not is_sentence_word and number[0] not in "ai"
    if number == "I" and match["word"][0].islower():
        continues = following is not None and following[1] in ("am", "have", "had", "was", "did", "do", "would", "will", "can", "could")
        return not (is_sentence_word or continues or _DETERMINED.search(text[max(0, match.start() - 12) : match.start()]))
    return not is_sentence_word


def _with_tail(text: str, match: re.Match[str], word: KindWord) -> LabelMention | None:
    """The mention with all numbers of its list; None when the number turns out to be part of another name ("15l-1")."""
    first = canonical_number(match["number"], word.kind)
    if first is None:
        return None
    numbers, end = [first], _after_subdivision(text, match.end())
    style = number_style(match["number"])
    while tail := _TAIL.match(text, end):
        number = _tail_number(text, tail, word, match["number"])
        if number is None:
            break
        if number.isdigit() and first.count(".") > 1:
            # "Section II.D.1 and 2": so deep a place is not named beside a chapter.
            number = f"{first.rpartition('.')[0]}.{number}"
        numbers += expand_range(numbers.pop(), number) if tail["range"] else (number,)
        end = _after_subdivision(text, tail.end())
    if re.match(r"-\w", text[end : end + 2]):
        return None
    labels = tuple(dict.fromkeys(make_label(word.kind, number) for number in numbers))
    return LabelMention(start=match.start(), end=end, kind=word.kind, labels=labels, style=style)


def _tail_number(text: str, tail: re.Match[str], word: KindWord, first: str) -> str | None:
    """The next number of a list, None where the list has ended: "chapter 2 and 5." goes on, "chapter 2 and 5 people" does not."""
    number = tail["number"]
    if tail["again"]:
        again = KIND_WORDS[tail["again"].strip().rstrip(".").lower()]
        if again.kind != word.kind or not (tail["range"] or tail["and"] or tail["comma"]):
            return None
        return canonical_number(number, word.kind)
    if not (tail["range"] or tail["and"] or (tail["comma"] and word.plural)):
        return None
    if not number[0].isdigit() and (first[0].isdigit() or (number_style(number) == "word" and not word.plural)):
        return None
    if tail["range"] in ("-", "–", "—") and (("." in number and "." not in first) or "-" in first):
        return None
    following = _FOLLOWING.match(text, tail.end())
    if following and following[1] not in FUNCTION_WORDS and not (word.plural and tail["and"]) and not following[1].endswith("ing"):
        return None
    return canonical_number(number, word.kind)


def _after_subdivision(text: str, end: int) -> int:
    found = _SUBDIVISION.match(text, end)
    return found.end() if found else end


def _is_matter(text: str, mention: LabelMention, *, is_bare: bool) -> bool:
    """Whether the number belongs to a name ("Chapter 13 trustee", "a section 8 tenant") rather than to a place in a text.

    `is_bare`: the word is a common one and written small, so that any thing after it is what it counts ("book 2 rooms").
    """
    following = _FOLLOWING.match(text, mention.end)
    if following is None or following[1] in FUNCTION_WORDS:
        return False
    return is_bare or following[1] in LEGAL_NAMES or bool(_INDEFINITE.search(text[max(0, mention.start - 6) : mention.start]))
