"""What a heading's number and title say about its place: a named division ("Chapter III", "附录 A") or a bare number ("3.2"). Pure."""

import re
from dataclasses import dataclass

from es_mappings.label_numbers import NumberStyle, canonical_number, number_style
from es_mappings.labels import find_labels, normalise_label
from ingest.numbering import printed_number

_BRACKETS = " \t\u3000()（）[]［］【】.、．:：,，—–-"
_APPENDIX_ITEM = re.compile(r"(?P<letter>[A-Z])\s*[-–—:.：、．]\s*\S")
_GENERIC = re.compile(r"\s*(?:appendi(?:x|ces|xes)|附[录錄])\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingNumber:
    """`named` are labels that the heading gives itself, `bare` a canonical number without a name ("3.2", "b"), as `written`."""

    named: tuple[str, ...] = ()
    bare: str = ""
    written: str = ""
    style: NumberStyle | None = None


def heading_number(number: str | None, title: str, parent_title: str = "") -> HeadingNumber:
    """Read a heading. The number field wins for a bare number; names are taken from both ("22.1" titled "Appendix A: Keywords").

    "A - Keywords" under a heading "Appendix" is appendix a. Doubtful bare numbers in a title ("10 things") do not count.
    """
    printed = printed_number(title)
    certain = printed.number if printed and printed.certain else ""
    names: list[str] = []
    style: NumberStyle | None = None
    opening = [mention for mention in find_labels(title.lstrip("【[《 "), lenient=True) if mention.start == 0]
    for text in (number or "", certain):
        if text[:1].isascii() and title.startswith(text) and not opening:
            continue  # "Chapter 13 trustees" begins like a number, but the number belongs to the name
        mentions = find_labels(text, lenient=True)
        if mentions and mentions[0].start == 0 and not mentions[0].relative:
            names += mentions[0].labels
            style = style or mentions[0].style
    if opening and not opening[0].relative and not opening[0].document:
        names += opening[0].labels
        style = style or opening[0].style
    item = _APPENDIX_ITEM.match(title) if _GENERIC.match(parent_title) else None
    if item:
        names.append(f"appendix {item['letter'].lower()}")
    if normalise_label(title) in ("appendix", "annex"):
        names.append(normalise_label(title) or "")
    written = (number or certain).strip(_BRACKETS)
    bare = canonical_number(written) if written and not (names and not number) else None
    if bare is None or (number and find_labels(number, lenient=True)):
        return HeadingNumber(named=tuple(dict.fromkeys(names)), style=style)
    return HeadingNumber(named=tuple(dict.fromkeys(names)), bare=bare, written=written, style=number_style(written))
