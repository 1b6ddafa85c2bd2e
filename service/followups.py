"""A follow-up ("and in chapter 4?", "那第四章呢？", "how long does it take?") as a question to search for alone. Pure; rules only.

What is missing is taken from the question before: its topic when the follow-up names only a place, its place when it names only a
topic, both when it speaks of "it". A question that says all itself stays as it is. The result is searched for, never answered.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from es_mappings.labels import find_labels
from es_mappings.titles import DocumentTitle
from service.fusion import script_of
from service.intent_words import EXCLUDING, GENERIC_APPENDIX
from service.intents import read_intent
from service.named_documents import named_documents
from service.remaining import has_matter
from service.words import content_text

_LEAD = re.compile(
    r"^\s*(?:那么?|还有|另外|然后|再|以及|同样)[\s，,]*(?:关于|在)?"
    r"|^\s*(?:(?:and|but|so|ok(?:ay)?|then|also|now)\b[\s,]*)*(?:(?:what|how)\s+about\b|what\s+of\b|(?:the\s+)?same\s+(?:for|in)\b)?\s*",
    re.IGNORECASE,
)
_TRAIL = re.compile(r"\s*(?:呢|又?怎么样|又?如何|又?怎样|的情况)?\s*[?？.。!！]*\s*$")
_ASKS = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|should|must|may|will|has|have)\b"
    r"|谁|什么|哪|何|怎|如何|为何|多少|几|吗|是否|能否|是不是|有没有",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|she|him|her|his)\b|\b(?:that|this|these|those)\b(?=\s*(?:[?.,!]|$|\b(?:is|are|was|were|do|does|did|mean|take|apply|work|happen)\b))"
    r"|\bthere\b(?!\s+(?:is|are|was|were|any|a)\b)(?<!is there)(?<!are there)|\bthe\s+same\b"
    r"|它们?|他们?|她们?|这个|那个|这些|那些|这样|那样|这里|那里|其(?![他它实中余])|该(?![如当])|^这|^那(?!么)",
    re.IGNORECASE,
)
# An elliptic follow-up is short.
_MOST_WORDS, _MOST_CHARACTERS = 8, 16
_GAP = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A question asked before, with its answer ("" when it is not known)."""

    question: str
    answer: str = ""


def standalone(question: str, earlier: Sequence[Turn], titles: tuple[DocumentTitle, ...] = ()) -> str:
    """The question with what it leaves unsaid taken from the ones before, oldest first; unchanged when nothing is missing."""
    before = ""
    for turn in earlier:
        before = _joined(turn.question, before, titles)
    return _joined(question, before, titles)


def _joined(question: str, before: str, titles: tuple[DocumentTitle, ...]) -> str:
    if not before.strip():
        return question
    places = _places(question, titles)
    lead = _LEAD.match(question)
    start = lead.end() if lead else 0
    core = question[start : _TRAIL.search(question, start).start()]  # type: ignore[union-attr]  # it matches the empty end, too
    is_empty = not _has_own_matter(question, places)
    if places and is_empty:
        return _elsewhere(question, before, places, titles)
    if is_empty or _POINTS_BACK.search(core):
        return _with_topic(question, before, titles, keeps_place=not places)
    is_marked = start > 0 or bool(re.search(r"呢\s*[?？]?\s*$", question))
    if core.strip() and not places and not _ASKS.search(core) and _is_short(core, is_marked=is_marked):
        return _about(core.strip(), before, titles)
    return question


def _has_own_matter(question: str, places: Sequence[tuple[int, int]]) -> bool:
    """Whether something is asked besides the place: "and in chapter 4?" and "why?" have no matter of their own."""
    text = question
    for start, end in sorted(places, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return has_matter(_TRAIL.sub("", _LEAD.sub("", text)))


def _is_short(core: str, *, is_marked: bool) -> bool:
    """Whether a phrase without a verb of asking can only be a follow-up: marked as one, or of a few words."""
    if script_of(core) == "han":
        return len(core) <= _MOST_CHARACTERS and is_marked
    return len(core.split()) <= (_MOST_WORDS if is_marked else 3) and is_marked


def _elsewhere(question: str, before: str, places: Sequence[tuple[int, int]], titles: tuple[DocumentTitle, ...]) -> str:
    """The question before, asked of another place."""
    first, last = min(start for start, _ in places), max(end for _, end in places)
    cue = EXCLUDING.search(question[:first])
    if cue:
        return f"{before.rstrip(' ?？')} {question[cue.start() : last].strip()}"
    place = question[first:last]
    old = _places(before, titles)
    if _names_document(before, titles) and not _names_document(question, titles):
        old = [(m.start, m.end) for m in find_labels(before, lenient=True)]  # the document stays
    if old:
        return f"{before[: min(start for start, _ in old)]}{place}{before[max(end for _, end in old) :]}"
    if script_of(before) == "han":
        return f"{place}中，{before}"
    return f"{before.rstrip(' ?？')} in {place}?"


def _with_topic(question: str, before: str, titles: tuple[DocumentTitle, ...], *, keeps_place: bool) -> str:
    """A question about "it": with the topic, and if it names no place the place, of the question before."""
    intent = read_intent(before, titles)
    topic = content_text(intent.remaining).strip(" ?？.。!！,，")
    place = _place_text(before, titles) if keeps_place else ""
    added = [part for part in (topic if has_matter(topic) and topic != place else "", place) if part]
    if not added:
        return question
    is_han = script_of(question) == "han"
    end = _TRAIL.search(question)
    body = question[: end.start()] if end and not is_han else question.rstrip(" ?？。.")
    return f"{body}（{'，'.join(added)}）？" if is_han else f"{body} ({', '.join(added)})?"


def _about(topic: str, before: str, titles: tuple[DocumentTitle, ...]) -> str:
    """The question before, asked about another thing: in its words where the two share their last one, else by the thing itself."""
    words = topic.split()
    if script_of(topic) != "han" and words:
        like = re.search(rf"(?:\b(?:the|a|an)\s+)?(?:\b[\w-]+\s+)?\b{re.escape(words[-1])}\b", before, re.IGNORECASE)
        if like:
            return f"{before[: like.start()]}{topic}{before[like.end() :]}"
    return _with_topic(f"{topic}？" if script_of(topic) == "han" else f"{topic}?", before, titles, keeps_place=True)


def _places(text: str, titles: tuple[DocumentTitle, ...]) -> list[tuple[int, int]]:
    mentions = [mention for mention in find_labels(text, lenient=True) if mention.relative is None]
    named = named_documents(text, titles, mentions)
    generic = [match.span("chinese" if match["chinese"] else "name") for match in GENERIC_APPENDIX.finditer(text)]
    return [*((m.start, m.end) for m in mentions), *((d.start, d.end) for d in named), *generic]


def _names_document(text: str, titles: tuple[DocumentTitle, ...]) -> bool:
    return bool(named_documents(text, titles, find_labels(text, lenient=True)))


def _place_text(text: str, titles: tuple[DocumentTitle, ...]) -> str:
    """The places that a question names, as written: as one where they stand together, else one by one."""
    parts: list[str] = []
    last = -_GAP * 2
    start_of_part = 0
    for start, end in sorted(_places(text, titles)):
        if parts and start - last <= _GAP:
            parts[-1] = text[start_of_part:end]
        else:
            parts.append(text[start:end])
            start_of_part = start - (text[start - 1 : start] in ("《", "“", "「"))
            parts[-1] = text[start_of_part:end]
        last = end
    return ", ".join(parts)
