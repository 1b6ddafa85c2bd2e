"""Spaces between letters, words and pieces of lines, where the file leaves them to the eye; words of right-to-left scripts in order."""

import itertools
import re
from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

import pymupdf

from ingest.pdf.values import Fragment, Run

_FEWEST = 5  # pieces a letterspaced line has
_LONGEST = 2.2  # mean length of its pieces
_SPACE = 0.2  # sizes between two runs of a line from which a reader sees a space
_STRETCHED, _WIDEST = 1.3, 5.0  # sizes up to which one space of a justified line may be stretched, and several alike
_ALIKE = 0.4  # sizes by which stretched spaces of a line differ (full stops have more)
_MARK = re.compile(r"\d{1,3}(?:,\s?\d{1,3})*[\s.,;]*$")
_MARKED = re.compile(r"(?:[^\W\d_]{3}|[.,;:”’\"')\]%])$")
RIGHT_TO_LEFT_FROM = "\u0590"  # the first character of Hebrew; all scripts before it run from the left
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufefc]")
# A ligature of lam and alef comes back as alef and lam; alef before alef with hamza stands in no word.
_LAM_ALEF = re.compile("\u0627([\u0622\u0623\u0625])\u0644")


class _Character(NamedTuple):
    x0: float
    x1: float
    y: float
    text: str


def is_letterspaced(text: str) -> bool:
    """Whether a line falls into pieces of one or two letters each."""
    pieces = text.split()
    letters = [piece for piece in pieces if piece.isalpha() and piece.isascii()]
    return len(pieces) >= _FEWEST and len(letters) >= 0.8 * len(pieces) and sum(map(len, letters)) <= _LONGEST * len(letters)


def respaced(page: Any, fragments: Sequence[Fragment]) -> list[Fragment]:
    """The fragments of a page, letterspaced ones with the spaces that a reader sees; the page is read by character for them alone."""
    spaced = [fragment for fragment in fragments if is_letterspaced(fragment.text)]
    if not spaced:
        return list(fragments)
    characters = _characters(page)
    return [_respaced(fragment, characters) if fragment in spaced else fragment for fragment in fragments]


def _characters(page: Any) -> list[_Character]:
    content = page.get_text("rawdict", flags=pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP)
    return [
        _Character(char["bbox"][0], char["bbox"][2], char["origin"][1], char["c"])
        for block in content["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        for char in span["chars"]
        if not char["c"].isspace()
    ]


def _respaced(fragment: Fragment, characters: Sequence[_Character]) -> Fragment:
    size = fragment.style.size
    own = sorted(
        (c for c in characters if abs(c.y - fragment.baseline) < 0.3 * size and fragment.x0 - 1 <= c.x0 and c.x1 <= fragment.x1 + 1),
        key=lambda c: c.x0,
    )
    if "".join(c.text for c in own) != "".join(fragment.text.split()):
        return fragment
    gaps = [after.x0 - before.x1 for before, after in itertools.pairwise(own)]
    usual = median(gaps)
    text = own[0].text
    for gap, character in zip(gaps, own[1:], strict=True):
        text += (" " if gap > usual + 0.15 * size else "") + character.text
    run = fragment.runs[0]._replace(text=text, x1=fragment.runs[-1].x1)
    return fragment._replace(text=text, runs=(run,))


def spaced(runs: Sequence[Run]) -> list[Run]:
    """The runs of a line in reading order, with a space wherever a reader sees one."""
    if RIGHT_TO_LEFT.search("".join([run.text for run in runs])):
        runs = _in_reading_order(runs)
    found = [runs[0]]
    for run in runs[1:]:
        before = found[-1]
        gap = max(run.x0 - before.x1, before.x0 - run.x1)
        seen = gap > _SPACE * run.style.size or (run.raised and not before.raised and is_note_mark(before.text, run.text))
        if seen and not before.text.endswith(" ") and not run.text.startswith(" "):
            found[-1] = Run(before.text + " ", before.style, before.raised, before.x0, before.x1)
        found.append(run)
    return found


def is_note_mark(before: str, raised: str) -> bool:
    """Whether raised text is the number of a note after a word or a sentence, as part of which it would else be read ("costs12")."""
    return bool(_MARK.match(raised)) and bool(_MARKED.search(before))


def _in_reading_order(runs: Sequence[Run]) -> list[Run]:
    """Runs of a line that is mostly right-to-left, from the right; the left-to-right words among them stay in their own order.

    Some writers (Chromium) put each word into the file from the left, so that MuPDF gives them in reverse.
    """
    letters = [character for run in runs for character in run.text if character.isalpha()]
    if 2 * sum(bool(RIGHT_TO_LEFT.match(character)) for character in letters) <= len(letters):
        return list(runs)
    ordered: list[Run] = []
    for foreign, group in itertools.groupby(sorted(runs, key=lambda run: -(run.x0 + run.x1)), key=_is_foreign):
        members = list(group)
        ordered.extend(reversed(members) if foreign else members)
    bare = [run._replace(text=_LAM_ALEF.sub("\u0627\u0644\\1", run.text.strip())) for run in ordered]
    for i, run in enumerate(bare[1:], 1):
        pair = bare[i - 1].text[-1:] + run.text
        if bare[i - 1].x0 - run.x1 < _SPACE * run.style.size and _LAM_ALEF.match(pair):
            bare[i] = run._replace(text=_LAM_ALEF.sub("\u0644\\1", pair, count=1))
    return bare


def _is_foreign(run: Run) -> bool:
    return not RIGHT_TO_LEFT.search(run.text) and any(character.isalnum() for character in run.text)


def stretched_joined(fragments: Sequence[Fragment]) -> list[Fragment]:
    """Pieces of a justified line that MuPDF takes for lines of their own because the spaces between its words are very wide.

    They follow each other in the file, on one baseline, in one style, with a typed space after each, and are words: numbers stand
    apart in tables. In one line all spaces are stretched alike.
    """
    found: list[Fragment] = []
    start = 0
    for end in range(1, len(fragments) + 1):
        if end < len(fragments) and _may_go_on(fragments[end - 1], fragments[end]):
            continue
        row = fragments[start:end]
        found.extend([_joined(row)] if len(row) > 1 and _is_stretched(row) else row)
        start = end
    return found


def _may_go_on(before: Fragment, after: Fragment) -> bool:
    return (
        before.style is after.style
        and 0 < after.x0 - before.x1 < _WIDEST * after.style.size
        and abs(before.baseline - after.baseline) < 0.1
        and before.runs[-1].text.endswith(" ")
        and not any(character.isdigit() for character in before.text + after.text)
        and not RIGHT_TO_LEFT.search(after.text)
    )


def _is_stretched(row: Sequence[Fragment]) -> bool:
    gaps = [after.x0 - before.x1 for before, after in itertools.pairwise(row)]
    size = row[0].style.size
    return max(gaps) < _STRETCHED * size or (len(gaps) > 1 and max(gaps) - min(gaps) < _ALIKE * size)


def _joined(row: Sequence[Fragment]) -> Fragment:
    first, last = row[0], row[-1]
    text = " ".join(fragment.text for fragment in row)
    return first._replace(x1=last.x1, text=text, runs=(Run(text, first.style, first.runs[0].raised, first.x0, last.x1),))
