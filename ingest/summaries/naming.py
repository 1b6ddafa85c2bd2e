"""A summary of a whole document names every chapter that it covers: what a model left unnamed is added in one last line. Pure."""

import re
import unicodedata
from collections.abc import Sequence

MOST_NAMES = 200
_NUMBER = re.compile(
    r"^\s*(?:(?:part|chapter|section|appendix)\s+[\w.]+|第\s*[一二三四五六七八九十百零〇\d]+\s*[章节節篇部编]|[\dIVXLC]+(?:\.\d+)*[.)]?(?=\s))[\s:：.、-]*",
    re.IGNORECASE,
)
_LINE = {"zh": ("另含：", "；", "。", "等另外 {} 章"), "": ("Also covered: ", "; ", ".", "and {} more")}


def with_chapters_named(text: str, headings: Sequence[str], language: str | None) -> str:
    """The text, and below it the headings that it does not name, at most 200 of them and how many more there are."""
    folded = _folded(text)
    unnamed = [heading for heading in headings if heading.strip() and not _is_named(heading, folded)]
    if not unnamed:
        return text
    opening, joint, end, more = _LINE.get(language or "", _LINE[""])
    shown = unnamed[:MOST_NAMES]
    rest = len(unnamed) - len(shown)
    names = joint.join([*shown, more.format(rest)] if rest else shown)
    return f"{text}\n\n{opening}{names}{end}"


def _is_named(heading: str, folded_text: str) -> bool:
    whole = _folded(heading)
    bare = _folded(_NUMBER.sub("", heading))
    return whole in folded_text or (len(bare) > 2 and bare in folded_text)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
