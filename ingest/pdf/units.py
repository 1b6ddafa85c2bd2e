"""Lines become units: what a reader sees as one paragraph, heading, list item or caption, within one column. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingest.pdf.numbering import Numbering, parse_numbering
from ingest.pdf.typography import Look, Typography, line_look
from ingest.pdf.values import Line, PageLines

_DOTS = "•‣▪●○◦■□◆◇▶►➢➤✓✔❖\uf000-\uf0ff"  # the private range is where Symbol and Wingdings bullets end up
BULLET = re.compile(rf"^(?:[{_DOTS}*·–—-]\s+|[{_DOTS}])(?=\S)")
WIDE = re.compile("[\u3040-\u9fff]")  # Chinese and Japanese
_SENTENCE_END = re.compile(r"[.!?。！？;；:：]['\"”’)\]]*$")
_WIDE_GAP = 1.35  # times the usual pitch: a gap that a reader sees


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Lines that belong together. `above` and `below` are the gaps to the neighbours in usual pitches (1.0 is normal, 9.0 the edge)."""

    index: int
    lines: tuple[Line, ...]
    look: Look
    text: str
    numbering: Numbering | None
    above: float = 9.0
    below: float = 9.0

    @property
    def page(self) -> int:
        return self.lines[0].page

    @property
    def is_table(self) -> bool:
        """Whether the unit only stands for a table (see tables.py)."""
        return self.lines[0].tag.startswith("table:")

    @property
    def first(self) -> Line:
        return self.lines[0]

    @property
    def last(self) -> Line:
        return self.lines[-1]


def units_of(pages: Sequence[PageLines], typography: Typography) -> tuple[Unit, ...]:
    """The units of all pages in reading order."""
    units: list[Unit] = []
    for page in pages:
        looks = [line_look(line) for line in page.lines]
        groups = list(_groups(page.lines, looks, typography))
        for i, (start, end) in enumerate(groups):
            lines = page.lines[start:end]
            above = _gap(page.lines[start - 1], lines[0], typography) if i else 9.0
            below = _gap(lines[-1], page.lines[end], typography) if end < len(page.lines) else 9.0
            text = joined(lines)
            units.append(
                Unit(
                    index=len(units),
                    lines=tuple(lines),
                    look=_common(looks[start:end]),
                    text=text,
                    numbering=parse_numbering(text),
                    above=above,
                    below=below,
                )
            )
    return tuple(units)


def joined(lines: Sequence[Line]) -> str:
    """The text of lines as one string; words hyphenated at a line end are joined, lines of Chinese and Japanese meet without a space."""
    text = lines[0].text
    for line in lines[1:]:
        text = joined_texts(text, line.text)
    return text


def joined_texts(before: str, after: str) -> str:
    """Two pieces of running text as one; see `joined`."""
    if not before or not after:
        return before or after
    last, first = before[-1], after[0]
    if last in "-\u2010\u00ad" and len(before) > 1 and before[-2].isalpha():
        if last == "\u00ad" or (first.islower() and before[-2].islower()):
            return before[:-1] + after if last == "\u00ad" or not _keeps_hyphen(before, after) else before + after
        return before + after
    if _is_wide(last) and _is_wide(first):
        return before + after
    return f"{before} {after}"


# First parts that English writes with a hyphen before a lower-case word; all others are taken for divided words.
_COMPOUND = frozenset(
    [
        "self",
        "non",
        "well",
        "co",
        "pre",
        "post",
        "anti",
        "multi",
        "cross",
        "high",
        "low",
        "long",
        "short",
        "full",
        "half",
        "all",
        "ex",
        "semi",
        "sub",
        "inter",
        "broker",
        "dually",
        "third",
    ]
)


def _keeps_hyphen(before: str, after: str) -> bool:
    word = re.split(r"[\s(“\"‘]", before[:-1])[-1]
    rest = re.match(r"[^\s]*", after)
    return "-" in word or word.casefold() in _COMPOUND or bool(rest and re.match(r"\w+-\w", rest[0]))


def weighted_length(text: str) -> int:
    """Characters, those of Chinese and Japanese counted double because they say as much as two others."""
    return len(text) + len(WIDE.findall(text))


def _is_wide(character: str) -> bool:
    return (
        "\u2e80" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\uff00" <= character <= "\uffef"
        or character >= "\U00020000"
    )


def _common(looks: Sequence[Look]) -> Look:
    return max(looks, key=looks.count)  # the first of equals: a set would order them anew in each process


def _gap(before: Line, after: Line, typography: Typography) -> float:
    if before.column != after.column or after.baseline <= before.baseline:
        return 9.0
    size = round(2 * min(before.style.size, after.style.size)) / 2
    step = after.baseline - before.baseline
    extra = 0.35 * max(0.0, max(before.style.size, after.style.size) - size)
    return min(9.0, (step - extra) / typography.pitch(size))


def _groups(lines: Sequence[Line], looks: Sequence[Look], typography: Typography) -> Iterator[tuple[int, int]]:
    start = 0
    for i in range(1, len(lines)):
        if _breaks(lines, looks, start, i, typography):
            yield start, i
            start = i
    if lines:
        yield start, len(lines)


def _breaks(lines: Sequence[Line], looks: Sequence[Look], start: int, i: int, typography: Typography) -> bool:
    """Whether line `i` begins a new unit after the one that began at `start`."""
    before, after = lines[i - 1], lines[i]
    if before.tag.startswith("table:") or after.tag.startswith("table:"):
        return True
    if before.column != after.column or is_tabular(before) or is_tabular(after):
        return True
    if _gap(before, after, typography) > _WIDE_GAP or after.baseline <= before.baseline:
        return True
    if _looks_differ(lines, looks, start, i) or BULLET.match(after.text):
        return True
    numbering = parse_numbering(after.text)
    forced = _forced(lines, start, i)
    if looks[i] == looks[i - 1] and stands_out(looks[i], typography.body):
        # Lines of a heading belong together however they break, when they are aligned; a number begins the next one.
        if numbering is not None and (numbering.strength > 1 or forced or numbering.is_marked):
            return True
        return forced and (_ends(before) or not _aligned(lines[start], before, after))
    if numbering is not None and numbering.strength > 1 and _ends(before) and after.x0 <= lines[start].x0 + 2.5 * after.style.size:
        return True
    if numbering is not None and _ends(before) and before.x1 < before.right - 3 * before.style.size:
        return True
    if numbering is not None and numbering.is_marked and after.x0 <= lines[start].x0 + 0.5 * after.style.size:
        first = parse_numbering(lines[start].text)
        if first is not None and first.is_marked:
            return True
    if numbering is not None and forced and abs(after.x0 - lines[start].x0) < 2 * after.style.size:
        return True
    return _begins_paragraph(lines, start, i, forced)


def stands_out(look: Look, body: Look) -> bool:
    """Whether type alone sets a look off from the body text."""
    return look.size > 1.04 * body.size or (look.bold and not body.bold) or look.case != "" or look.underlined


def _looks_differ(lines: Sequence[Line], looks: Sequence[Look], start: int, i: int) -> bool:
    one, other = looks[i - 1], looks[i]
    if one == other:
        return False
    if abs(one.size - other.size) > 0.5 and one.size != other.size:
        return True
    if one.bold != other.bold or one.underlined != other.underlined:
        before, after = lines[i - 1].runs[-1].style, lines[i].runs[0].style
        return not (before.bold == after.bold and one.underlined == other.underlined and _reaches(lines[i - 1]))
    if {one.case, other.case} == {"", "small"} or (one.case == "upper" and other.case == "" and one.bold):
        return True
    before, after = lines[i - 1].runs[-1].style, lines[i].runs[0].style
    if before == after:
        return False
    changed = one.italic != other.italic or one.family != other.family or one.color != other.color
    return changed and not _reaches(lines[i - 1]) and len(set(looks[start:i])) == 1


def _reaches(line: Line) -> bool:
    return line.x1 >= line.right - 0.12 * (line.right - line.left)


def _forced(lines: Sequence[Line], start: int, i: int) -> bool:
    """Whether the first word of line `i` would have fitted on the line before: somebody broke the line there.

    The edge is that of the lines around, so that quotations and ragged text have their own.
    """
    before, after = lines[i - 1], lines[i]
    around = [line.x1 for line in lines[max(start, i - 3) : i + 2] if line.column == after.column]
    word = after.text[:1] if _is_wide(after.text[0]) else after.text.split(" ", 1)[0][:24]
    per_character = after.width / max(1, len(after.text))
    return before.x1 + (len(word) + 1.5) * per_character < max(around) - 0.3 * after.style.size


def _begins_paragraph(lines: Sequence[Line], start: int, i: int, forced: bool) -> bool:
    before, after = lines[i - 1], lines[i]
    indent = after.x0 - before.x0
    size = after.style.size
    numbering = parse_numbering(after.text)
    if numbering is not None and indent > 0.8 * size and numbering.is_marked:
        return True
    following = lines[i + 1] if i + 1 < len(lines) else None
    if following is not None and following.column == after.column and abs(indent) > 0.8 * size and after.x0 - following.x0 > 0.8 * size:
        # An indented line that the next one does not share is a first line.
        return following.baseline > after.baseline and i - 1 == start
    if 0.8 * size < indent < 6 * size and i - 1 > start:
        return _ends(before) or forced
    return forced and (_ends(before) or not after.text[:1].islower())


def _aligned(first: Line, before: Line, after: Line) -> bool:
    """Centred under each other, flush left, or hanging under the words after a number."""
    size = after.style.size
    centred = abs(_middle(before) - _middle(after)) < size and abs(before.x0 - before.left) > size
    hanging = 0 <= after.x0 - first.x0 < 5 * size and after.baseline - before.baseline < 1.6 * size
    return centred or hanging or abs(before.x1 - after.x1) < 0.3 * size


def is_tabular(line: Line) -> bool:
    """Whether wide gaps divide the line into three cells or more."""
    if len(line.cells) < 3:
        return False
    wide = 1.2 * line.style.size
    return sum(abs(b.x0 - a.x1) > wide for a, b in zip(line.cells, line.cells[1:], strict=False)) >= 2


def _ends(line: Line) -> bool:
    return bool(_SENTENCE_END.search(line.text))


def _middle(line: Line) -> float:
    return (line.x0 + line.x1) / 2
