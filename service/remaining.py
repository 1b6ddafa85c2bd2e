"""What is left of a question to search for, once the phrases that only say where to look are taken out. Pure."""

import re
from collections.abc import Sequence

from es_mappings.label_words import FUNCTION_WORDS, OWN_DOCUMENT_NOUNS

# "In the privacy policy of" a document names it, too; left in the question it would be searched for (PolicyQA, hit@10 0.65 for 0.76).
_NOUNS = "|".join(sorted(OWN_DOCUMENT_NOUNS | {"policy", "policies", "agreement", "contract", "specification", "statement", "faq"}))
_OWNED = rf"(?:(?:[\w'’-]+\s+){{0,2}}(?:{_NOUNS})\s+(?:of|from|by)\s+(?:the\s+)?)?"
_LEAD = re.compile(
    r"(?:\b(?:(?:only|just|and|or)\s+)?(?:looking\s+(?:only\s+)?at|(?:as\s+)?(?:stated|described|defined|mentioned|per|shown)\s+(?:in|by)"
    r"|according\s+to|based\s+on|limited\s+to|restricted\s+to|in|within|inside|from|of|under|per|see|using|on|by|at|only|just|between)\s+"
    rf"(?:the\s+)?(?:contents?\s+of\s+|text\s+of\s+)?(?:the\s+)?{_OWNED}"
    r"|(?:请|只|仅|仅仅|只是)?(?:在|从|根据|按照|依据|依照|请看|看|查看|参考|限于|关于|参见|详见|见|只|仅)\s*)$",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have|can|should|must|will|would|that|what|how|where|when|why|if|whether)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\s+(?:\w+ly\s+)?(?!(?:only|alone|about|and|or|in|on|of|the|what|how|which|where|when|why|who|does|do|is|are|contents?)\b)[a-z]+\b"
)
_SAYING = re.compile(r"\s+(?:says?|states?|defines?|describes?|explains?|requires?|mentions?|claims?|recommends?|covers?)\b")
_BESIDE = re.compile(r"[\s,\"”》」’']*(?:'s|’s|\b(?:of|in|from)\b|的|中的?|里的?)?\s*(?:\b(?:the|our)\b)?[\s\"“《「]*", re.IGNORECASE)
_PAIRS = {"《": "》", "“": "”", '"': '"', "「": "」", "『": "』", "(": ")", "（": "）"}
_TRAIL = re.compile(
    r"\s*(?:\b(?:only|alone|exclusively|please)\b)?\s*(?:[,:;–—-]\s*|的?(?:内容|文字|部分)(?=里|中|$|[，,：:？?。])|(?:里面?|中间?|内|当中|之中|以外|之外)(?:的|，|,|：|:)?|[的，、：；])*\s*",
    re.IGNORECASE,
)
_SAYS_ABOUT = re.compile(
    r"^(?:so\s+|and\s+)?what\s+(?:do|does|did|is|are|has|have)\s+(?:it|they)?\s*(?:say|said|tell|state|teach|write|written|explain|mention|have\s+to\s+say)"
    r"(?:\s+(?:us|me))?\s+(?:about|on|regarding|concerning)\s+(?P<topic>\S.*)$",
    re.IGNORECASE,
)
_EDGES = " \t\n,;:，、；：-–—>·"
_WORDS = re.compile(r"[A-Za-z][\w'’-]*|\d[\w.]*")
_ASKED = frozenset(
    {"define", "defined", "defines", "require", "required", "requires", "use", "used", "uses", "using", "provide", "provided"}
)
_FILLERS = (FUNCTION_WORDS - _ASKED) | frozenset(
    """abstract answer are's brief briefly chapter chapters content contents detail difference differences different document
    exactly full general give gist go good kind list look main nothing outline overview part parts please point points question
    quick read search section sections short show something sum summarise summarize summary synopsis text thing things topic topics
    understand want what's whole write information info""".split()  # noqa: SIM905 - a list of words is read as words
)
_CHINESE_FILLERS = re.compile(
    r"主要|内容|什么|哪些|哪个|讲述|介绍|总结|概括|概述|一下|告诉|关于|如何|怎么|怎样|全部|所有|以及|区别|不同|比较|对比|差异|异同|相比|之间|分别"
    r"|请问|请|帮我|给我|我们?|你|要点|摘要|概要|重点|部分|章节?|除了?|有没有|没有|还有|吗|呢|吧|的|了|是|有|讲|说|在|里面?|中|和|与|及|或|到|从|看|只|仅|就|都|也|这|那|本书|全书|书|一|个|为|对|把|又|再|它|其"
)


def remaining_question(query: str, spans: Sequence[tuple[int, int]], excluded: Sequence[tuple[int, int]] = ()) -> str:
    """The question without the phrases around `spans` (where to look) and `excluded` (where not); whole when nothing else is asked.

    A division that is the subject becomes "it" ("How does chapter 3 define X?" leaves "How does it define X?"), and "what does it say
    about X?" leaves X.
    """
    text = query
    for start, end, is_excluded in sorted(_merged(query, spans) + [(*span, True) for span in excluded], reverse=True):
        before, after = text[:start], text[end:]
        is_subject = (_AUXILIARY.search(before) and _VERB.match(after)) or (not before.strip() and _SAYING.match(after))
        if is_subject and not is_excluded:
            text = f"{before.removesuffix('the ')}it{after}"
            continue
        lead = _LEAD.search(before)
        before = before[: lead.start()] if lead else before
        trail = _TRAIL.match(after)
        text = f"{before} {after[trail.end() :] if trail else after}"
    text = _tidy(text)
    asked = _SAYS_ABOUT.match(text)
    text = asked["topic"] if asked else text
    return text if has_matter(text) else query.strip()


def _merged(query: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int, bool]]:
    """The spans with their quotes, neighbours such as "section 4" and "Operations Manual" as one."""
    merged: list[tuple[int, int, bool]] = []
    for start, end in sorted(spans):
        while start > 0 and end < len(query) and _PAIRS.get(query[start - 1]) == query[end]:
            start, end = start - 1, end + 1
        if merged and _BESIDE.fullmatch(query, merged[-1][1], start):
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]), False)
        else:
            merged.append((start, end, False))
    return merged


def _tidy(text: str) -> str:
    text = re.sub(r"\s+([?!.,;:，。？！；])", r"\1", " ".join(text.split()))
    text = re.sub(r"[,;:，；：]+([?!.？。！])", r"\1", text)
    text = re.sub(r"(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])", "", text)
    return text.strip(_EDGES)


def has_matter(text: str) -> bool:
    """Whether a text holds a word to search for, apart from the words that only frame a question."""
    if any(word.lower() not in _FILLERS for word in _WORDS.findall(text)):
        return True
    chinese = "".join(character for character in text if "\u3400" <= character <= "\u9fff")
    return bool(_CHINESE_FILLERS.sub("", chinese))
