"""Which paragraphs stand out from the running text like a heading, and how much. Pure.

The weights were set on generated documents and on style-marked documents read without their styles (docs/decisions/0003).
"""

import re
from dataclasses import dataclass, replace

from ingest.numbering import Printed, printed_number
from ingest.plaintext.keywords import keyword_of
from ingest.word.body_look import BodyText, is_monospaced
from ingest.word.numbering import Marker
from ingest.word.pieces import Paragraph

LONGEST = 200
_LONGEST_EAST_ASIAN = 60
_STOP = re.compile(r"[.。；;，,、][\"'”’)\]」』）]*$")
_COLON = re.compile(r"[:：]$")
_EAST_ASIAN = re.compile(r"[\u3040-\u9fff\uac00-\ud7a3]")
_CAPTION = re.compile(
    r"(?:fig(?:ure)?|table|tab|listing|chart|exhibit|abb(?:ildung)?|tabelle|tableau|图|圖|表|図|附图|附表)\.?\s*"
    r"(?:[A-Z\d]+|[一二三四五六七八九十]+)(?:[.\-–—:：\s、]|$)",
    re.IGNORECASE,
)
# "2.1.1 概述" is more digits than letters, and a heading.
_DECIMALS = re.compile(r"^\d+(?:\.\d+)*[.)]?")
_FEWEST_LETTERS = 4
_MINIMUM = 1.0
# So little is enough for a numbered paragraph that looks exactly like headings that were found.
_MINIMUM_NUMBERED = -1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A paragraph that may be a heading: how far it stands out (`score`), and the number it carries.

    `family` tells which numbers belong together ("decimal1" for "3.2", "章", "list 5 level 0" for other automatic ones), "" for none;
    `depth` counts the parts of a decimal number, typed or automatic; `values` are the parts of any number as integers.
    """

    place: int
    paragraph: Paragraph
    score: float
    family: str = ""
    depth: int = 0
    values: tuple[int, ...] = ()
    is_keyword: bool = False

    @property
    def list_level(self) -> tuple[str, int] | None:
        """The list that Word counts it in with the level there; None for typed numbers and none at all."""
        marker = self.paragraph.marker
        return (marker.list_id, marker.level) if marker is not None and self.family else None

    @property
    def is_weak(self) -> bool:
        """Whether it counts only beside stronger ones of the same look and kind of number."""
        return self.score < _MINIMUM


def candidate_of(place: int, paragraph: Paragraph, body: BodyText, *, with_numbers: bool) -> Candidate | None:
    """The candidate that a paragraph is, or None when it reads like text, a caption or a label."""
    text = " ".join(paragraph.words.split())
    if not _may_head(paragraph, text):
        return None
    keyword = bool(keyword_of(text))
    printed, marker = _number(paragraph, text) if with_numbers else (None, None)
    typed = printed if marker is None else None
    score = _look_score(paragraph, body) + _text_score(text, typed) + (1.5 if keyword else 0.0)
    family, depth = "", 0
    if printed is not None:
        score += 1.2 if printed.certain else 0.5
        family = printed.family
        depth = len(printed.values) if family.startswith("decimal") else 0
    elif marker is not None:
        score += 0.5
        family = f"list {marker.list_id} level {marker.level}"
    if score < (_MINIMUM_NUMBERED if family else _MINIMUM):
        return None
    values = printed.values if printed is not None else ()
    return Candidate(place=place, paragraph=paragraph, score=score, family=family, depth=depth, values=values, is_keyword=keyword)


def _number(paragraph: Paragraph, text: str) -> tuple[Printed | None, Marker | None]:
    """The number of a paragraph, read alike whether Word computes it or it was typed, and the marker when Word does."""
    marker = paragraph.marker
    if marker is not None and marker.text and not marker.is_bullet:
        printed = printed_number(f"{marker.text.strip()} {text}")
        if printed is not None and printed.family == "roman" and marker.template.startswith("upperLetter|"):
            # The "I." after "H." is a letter; Word says so.
            return replace(printed, family="letter", values=(ord(printed.number) - ord("A") + 1,)), marker
        return printed, marker
    return printed_number(text), None


def is_caption_text(text: str) -> bool:
    """Whether a short text begins like a caption ("Figure 3", "表1-2 ...")."""
    return bool(_CAPTION.match(text.strip()))


def _may_head(paragraph: Paragraph, text: str) -> bool:
    if not text or paragraph.detached or paragraph.framed or paragraph.is_caption or paragraph.is_contents or paragraph.style.is_quote:
        return False
    if paragraph.marker is not None and paragraph.marker.is_bullet:
        return False
    limit = _LONGEST_EAST_ASIAN if len(_EAST_ASIAN.findall(text)) > len(text) / 3 else LONGEST
    marked = f"{paragraph.marker.text} {text}" if paragraph.marker is not None else text
    if len(text) > limit or is_monospaced(paragraph.look) or is_caption_text(marked):
        return False
    bare = _DECIMALS.sub("", text)
    letters = sum(character.isalpha() for character in bare)
    return letters >= 2 and 2 * letters >= len(bare.replace(" ", ""))


def _look_score(paragraph: Paragraph, text: BodyText) -> float:
    look, body = paragraph.look, text.look
    ratio = look.size / body.size if body.size else 1.0
    score = 4.0 if ratio >= 1.5 else 3.0 if ratio >= 1.25 else 2.0 if ratio >= 1.1 else 1.0 if ratio > 1.03 else 0.0
    score -= 3.0 if ratio < 0.9 else 1.5 if ratio < 0.97 else 0.0
    score += 2.0 if look.bold and not body.bold else 0.0
    score += 0.5 if look.italic and not body.italic else 0.0
    score += 1.0 if look.caps and not body.caps else 0.0
    score += 1.0 if look.underline and not body.underline else 0.0
    score += 0.7 if look.centred and not body.centred else 0.0
    score += 0.5 if look.colour != body.colour else 0.0
    if look.font not in text.fonts:
        score += 1.0 if _EAST_ASIAN.search(paragraph.text) else 0.5
    score += 1.5 if look.keep_next and not body.keep_next else 0.0
    above = look.before - body.before
    score += 1.0 if above >= 10 else 0.5 if above >= 3 else 0.0
    score += 0.5 if paragraph.after_break else 0.0
    return score - (1.0 if look.bordered and not body.bordered else 0.0)


def _text_score(text: str, printed: Printed | None) -> float:
    bare = text[printed.end :].strip() if printed is not None else text
    wide = len(_EAST_ASIAN.findall(bare))
    words = len(bare.split()) + wide // 2
    letters = sum(character.isalpha() for character in bare)
    score = -1.5 if letters < _FEWEST_LETTERS and not wide and printed is None else 0.0
    score += -2.0 if words > 20 else -0.7 if words > 12 else 0.0
    if bare and _STOP.search(bare):
        score -= 1.2 if words <= 8 and not wide and bare[-1] == "." else 2.5
    elif _COLON.search(bare):
        score -= 1.5
    if bare[:1].islower():
        score -= 1.5
    return score
