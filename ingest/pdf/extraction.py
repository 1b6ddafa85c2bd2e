"""The one extraction pass: text with fonts and positions, drawn rules, and tags, in a single MuPDF call a page."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pymupdf

from ingest.pdf.hidden import is_white, visible
from ingest.pdf.spacing import RIGHT_TO_LEFT_FROM, respaced, spaced, stretched_joined
from ingest.pdf.strokes import true_rules
from ingest.pdf.values import Fragment, RawPage, Rule, Run, Style

# COLLECT_VECTORS gives the drawn rules in the same pass for nothing (measured: 757 against 779 pages/s on a 408-page file);
# COLLECT_STYLES would find underlines but costs four fifths of the speed, so underlines are matched from the rules.
FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_COLLECT_VECTORS | pymupdf.TEXT_COLLECT_STRUCTURE
_TEXT, _IMAGE, _STRUCTURE, _VECTOR = 0, 1, 2, 3
_SUPERSCRIPT, _ITALIC, _MONO, _BOLD = 1, 2, 8, 16
_CHAR_BOLD, _FILLED, _STROKED = 8, 16, 32
_BOLD_NAME = re.compile(
    r"bold|black|heavy|demi|semibd|medi(?!um)|cmbx|cmssbx|sfbx|sfssbx|lmroman.*-bold|bd$|-bd|-dm\b|-hv\b|-dmit|simhei|heiti", re.IGNORECASE
)
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_FACE = re.compile(r"[-,].*|(?:PS)?(?:MT)?\d*$")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff\u200b\u2060]")
_SMALLEST_READABLE = 1.0  # points; smaller text is not meant for a reader
_THIN = 2.5  # points


@lru_cache(maxsize=4096)
def style_of(font: str, size: float, flags: int, char_flags: int, color: int) -> Style:
    """The shared Style of a span; font names are judged once."""
    # Type 3 fonts have no names but MuPDF's, one for each 256 glyphs: to a reader they are one.
    name = "Type3" if font.startswith("Type3") else _SUBSET.sub("", font)
    bold = bool(flags & _BOLD or char_flags & _CHAR_BOLD or _BOLD_NAME.search(name)) or char_flags & 48 == 48
    family = _FACE.sub("", name) or name
    italic = bool(flags & _ITALIC) or bool(re.search(r"ital|obli|slant|-it$|cmti|cmsl", name, re.IGNORECASE))
    return Style(family, round(size, 1), bold, italic, bool(flags & _MONO), color)


def raw_page(page: Any, textpage: Any = None) -> RawPage:
    """Extract one page (a pymupdf page); from its OCR text page when one is given."""
    content = page.get_text("dict", flags=FLAGS, textpage=textpage)
    width, height = float(content["width"]), float(content["height"])
    rules: list[Rule] = []
    grounds: list[tuple[float, float, float, float, int]] = []
    lines: list[tuple[dict[str, Any], str]] = []
    for block, tag in _flat(content["blocks"], ""):
        if block["type"] == _TEXT:
            lines.extend((line, tag) for line in block["lines"])
        elif block["type"] == _VECTOR:
            x0, y0, x1, y1 = block["bbox"]
            # Only boxes and lines are rules; the bounding box of a curve means nothing.
            if not block["stroked"]:
                grounds.append((x0, y0, x1, y1, block["color"]))
            if block["isrect"] or min(x1 - x0, y1 - y0) <= _THIN:
                rules.append(Rule(x0, y0, x1, y1, block["color"], not block["stroked"]))
    rules = true_rules(page, rules) if textpage is None else rules
    turn = _turn(lines, width, height)
    fragments: list[Fragment] = []
    suspects: list[Fragment] = []
    sideways: list[str] = []
    hidden = 0
    for line, tag in lines:
        if (line["dir"][0] > 0.7 and not line["wmode"]) == bool(turn):
            sideways.append("".join(span["text"] for span in line["spans"]).strip())
            continue
        made, doubtful, unseen = _fragments(line, tag, turn)
        hidden += unseen
        fragments.extend(made)
        suspects.extend(doubtful)
    if suspects and textpage is None:
        seen = visible(page, suspects, grounds)
        hidden += sum(len(f.text) for f in suspects) - sum(len(f.text) for f in seen)
        suspects = seen
    fragments = [*fragments, *suspects]
    if turn:
        width, height = height, width
        rules = [Rule(*_turned(rule[:4], turn), rule.color, rule.filled) for rule in rules]
    elif textpage is None:
        fragments = stretched_joined(respaced(page, fragments))
    return RawPage(
        number=page.number + 1, width=width, height=height, fragments=tuple(fragments), rules=tuple(rules), hidden_characters=hidden,
        sideways=tuple(text for text in sideways if len(text) > 2), is_scan=textpage is not None,
    )  # fmt: skip


def _flat(blocks: list[dict[str, Any]], tag: str) -> Iterator[tuple[dict[str, Any], str]]:
    for block in blocks:
        if block["type"] == _STRUCTURE:
            yield from _flat(block.get("blocks", []), _inner_tag(block, tag))
        else:
            yield block, tag


def _inner_tag(block: dict[str, Any], outer: str) -> str:
    """Headings, cells, notes and contents entries keep their name over the spans and links inside them."""
    name = str(block.get("std") or "")
    return outer if name in ("Span", "Link", "Reference", "Lbl", "LBody", "P", "NonStruct", "") and outer else name


def _turn(lines: list[tuple[dict[str, Any], str]], width: float, height: float) -> tuple[str, float] | None:
    """How to turn a page whose text runs vertically: most characters upwards, downwards, or written in columns (wmode 1)."""
    counts = {"up": 0, "down": 0, "columns": 0, "": 0}
    for line, _ in lines:
        if line["dir"][0] > 0.7 and not line["wmode"]:
            counts[""] += sum(len(span["text"]) for span in line["spans"])
            continue
        way = "columns" if line["wmode"] else "up" if line["dir"][1] < -0.7 else "down" if line["dir"][1] > 0.7 else ""
        counts[way] += sum(len(span["text"]) for span in line["spans"])
    way = max(counts, key=lambda key: counts[key])
    if not way or counts[way] == counts[""]:
        return None
    return way, height if way == "up" else width


def _turned(box: tuple[float, ...], turn: tuple[str, float]) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = box[:4]
    way, extent = turn
    if way == "up":
        return extent - y1, x0, extent - y0, x1
    return y0, extent - x1, y1, extent - x0


def _fragments(line: dict[str, Any], tag: str, turn: tuple[str, float] | None) -> tuple[list[Fragment], list[Fragment], int]:
    """The line as (fragments, fragments that may be hidden, number of characters nobody can see)."""
    rows: list[_Row] = []
    unseen = 0
    for span in line["spans"]:
        text = span["text"]
        if not text:
            continue
        if text.isspace():
            if rows:
                rows[-1].space()
            continue
        size = span["size"]
        if size < _SMALLEST_READABLE:
            unseen += len(text)
            continue
        style = style_of(span["font"], size, span["flags"], span["char_flags"], span["color"])
        box = span["bbox"]
        y = span["origin"][1]
        trailing = len(text) - len(text.rstrip(" "))
        run = Run(text, style, bool(span["flags"] & _SUPERSCRIPT), box[0], box[2] - 0.25 * size * trailing)
        painted = bool(span["char_flags"] & (_FILLED | _STROKED)) and not is_white(span["color"]) and span["alpha"] > 0
        # MuPDF joins what follows on in the stream; leaders and page numbers of a contents entry may stand one line below.
        if not rows or (abs(y - rows[-1].baseline) > 0.75 * max(size, rows[-1].size) and turn is None):
            if text[0] == " ":
                bare = text.lstrip(" ")
                run = Run(bare, style, run.raised, run.x0 + 0.25 * size * (len(text) - len(bare)), run.x1)
            rows.append(_Row([run], size, y, box[1], box[3], painted))
            continue
        row = rows[-1]
        last = row.runs[-1]
        if last.style is style and last.raised == run.raised and last.text.endswith(" ") and text[0] < RIGHT_TO_LEFT_FROM:
            # Spaces that MuPDF adds are spans of their own, so that each word of a TeX file would be a run.
            row.runs[-1] = Run(last.text + text, style, run.raised, last.x0, run.x1)
        else:
            row.runs.append(run)
        row.painted = row.painted or painted
        row.top, row.bottom = min(row.top, box[1]), max(row.bottom, box[3])
        if size > row.size:
            row.size, row.baseline = size, y
    found: list[Fragment] = []
    doubtful: list[Fragment] = []
    for row in rows:
        fragment = row.fragment(tag)
        if fragment is None:
            continue
        if turn:
            box = _turned(line["bbox"], turn)
            fragment = Fragment(*box, box[3], *fragment[5:])
        (found if row.painted else doubtful).append(fragment)
    return found, doubtful, unseen


@dataclass(slots=True)
class _Row:
    runs: list[Run]
    size: float
    baseline: float
    top: float
    bottom: float
    painted: bool

    def space(self) -> None:
        """A blank span: one space after what is there."""
        run = self.runs[-1]
        if not run.text.endswith(" "):
            self.runs[-1] = Run(run.text + " ", run.style, run.raised, run.x0, run.x1)

    def fragment(self, tag: str) -> Fragment | None:
        """The row as a fragment, None when nothing printable is in it."""
        runs = self.runs if len(self.runs) == 1 else spaced(self.runs)
        text = _CONTROL.sub("", "".join(run.text for run in runs)).strip()
        if not text:
            return None
        if len(runs) == 1:
            return Fragment(runs[0].x0, self.top, runs[0].x1, self.bottom, self.baseline, text, runs[0].style, tuple(runs), tag)
        left, right = min(run.x0 for run in runs), max(run.x1 for run in runs)
        return Fragment(left, self.top, right, self.bottom, self.baseline, text, _main_style(runs), tuple(runs), tag)


def _main_style(runs: list[Run]) -> Style:
    weight: dict[Style, int] = {}
    for run in runs:
        if not run.raised:
            weight[run.style] = weight.get(run.style, 0) + len(run.text)
    return max(weight, key=lambda style: weight[style]) if weight else runs[0].style
