"""Labels: the normalised names of divisions ("chapter 3", "section 3.2", "appendix b", "part 1 chapter 2"). Pure.

"第三章", "Chapter III" and "CHAPTER THREE" are one label, so one `term` query finds the division however it was written.
A reference to another document is a label after its title: "doc:operations manual > section 4" (see `document_label`).
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from es_mappings.label_chinese import chinese_mentions
from es_mappings.label_documents import document_around, relative_after
from es_mappings.label_english import english_mentions
from es_mappings.label_mention import LabelMention
from es_mappings.label_numbers import canonical_number, make_label, qualify, split_label

__all__ = ["LabelMention", "document_label", "find_labels", "normalise_label", "number_labels", "split_document_label"]

_DOCUMENT_PREFIX = "doc:"
_DOCUMENT_JOINT = " > "
_OUTER_FIRST = re.compile(r"(?:,?[ \t\u00a0]+|,)(?:under\s+)?$|\s*[的中之]?\s*$")
_INNER_FIRST = re.compile(r",?\s+(?:of|in|under|from)\s+(?:the\s+)?$")
_WHOLE = {"appendix": "appendix", "appendices": "appendix", "附录": "appendix", "附錄": "appendix", "annex": "annex", "annexes": "annex"}


def find_labels(text: str, *, lenient: bool = False) -> tuple[LabelMention, ...]:
    """The divisions that running text mentions, in order and apart; neighbours that belong together are one ("chapter 3, section 2").

    `lenient` reads a question, where "unit 2", "ch 4" and "part b" are written small.
    """
    found = _apart([*english_mentions(text, lenient=lenient), *chinese_mentions(text)])
    merged: list[LabelMention] = []
    for mention in found:
        joined = _joined(text, merged[-1], mention) if merged else None
        if joined:
            merged[-1] = joined
        else:
            merged.append(mention)
    bounds = [0, *(mention.end for mention in merged)]
    return tuple(_placed(text, mention, bounds[i]) for i, mention in enumerate(merged))


def normalise_label(text: str) -> str | None:
    """The one label that a text is, whole: "第三章" and "Chapter III" give "chapter 3", "附录" gives "appendix"; None for other text.

    A stored form ("part 2 chapter 3", "section 3.2") gives itself.
    """
    plain = text.strip()
    if plain.lower() in _WHOLE:
        return _WHOLE[plain.lower()]
    mentions = find_labels(plain, lenient=True)
    if len(mentions) != 1 or len(mentions[0].labels) != 1 or mentions[0].relative or mentions[0].document:
        return None
    return mentions[0].labels[0] if not (plain[: mentions[0].start] + plain[mentions[0].end :]).strip(" .:：") else None


def number_labels(number: str) -> tuple[str, ...]:
    """What a bare number may mean: "3" is chapter 3 or section 3, "3.2" is section 3.2, "B" is appendix b; () when it is no number."""
    value = canonical_number(number)
    if value is None:
        return ()
    if value.isalpha():
        return (make_label("appendix", value), make_label("section", value))
    return (make_label("section", value),) if "." in value else (make_label("chapter", value), make_label("section", value))


def document_label(title: str, label: str = "") -> str:
    """The label of a division of another document: "doc:TITLE > LABEL", or "doc:TITLE" for the whole; `title` is normalised."""
    return f"{_DOCUMENT_PREFIX}{title}{_DOCUMENT_JOINT}{label}" if label else f"{_DOCUMENT_PREFIX}{title}"


def split_document_label(label: str) -> tuple[str, str]:
    """(normalised title, label) of a document label, ("", label) of any other."""
    if not label.startswith(_DOCUMENT_PREFIX):
        return "", label
    title, _, inner = label.removeprefix(_DOCUMENT_PREFIX).partition(_DOCUMENT_JOINT)
    return title, inner


def _apart(mentions: Iterable[LabelMention]) -> list[LabelMention]:
    """In order, without overlaps: of two the one that begins first, then the longer one."""
    kept: list[LabelMention] = []
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept


def _joined(text: str, first: LabelMention, second: LabelMention) -> LabelMention | None:
    """One mention of two neighbours: "chapter 3, section 2", "section 2 of chapter 3", "第三章第二节"."""
    between = text[first.end : second.start]
    if len(between) > 12 or second.relative:
        return None
    if _OUTER_FIRST.fullmatch(between) and len(first.labels) == 1:
        inner, outer, kind = second.labels, first.labels[0], second.kind
    elif _INNER_FIRST.fullmatch(between) and len(second.labels) == 1 and not first.relative:
        inner, outer, kind = first.labels, second.labels[0], first.kind
    else:
        return None
    labels = [qualify(outer, label) for label in inner]
    if any(label is None for label in labels):
        return None
    kept = tuple(dict.fromkeys(label for label in labels if label))
    return replace(first, end=second.end, kind=split_label(kept[0])[0] if kept else kind, labels=kept)


def _placed(text: str, mention: LabelMention, earliest: int) -> LabelMention:
    """The mention with the division or document that it is said to be in."""
    if mention.relative:
        return mention
    relative = relative_after(text, mention.end)
    if relative:
        return replace(mention, relative=relative[0], end=relative[1])
    document = document_around(text, mention.start, mention.end, earliest, mention.kind)
    return replace(mention, document=document) if document else mention
