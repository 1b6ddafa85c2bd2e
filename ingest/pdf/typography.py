"""How lines look, and what is usual in this document: its body text and its line pitch. All measures are relative to these. Pure."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ingest.pdf.values import Line, PageLines, RawPage, Rule, Run

Case = Literal["", "upper", "small"]
_SMALL_CAPS_FONT = re.compile(r"csc|smallcap|small-cap|caps\b|-sc\b|sc\d+$", re.IGNORECASE)
_PITCH = 1.2  # line pitch in sizes where nothing was measured (the usual leading)
_NUMBER_WIDTH = 5  # sizes: an underline that begins so near to the line's start leaves room for a number only
_UNIFORM = 0.85  # share of characters that makes a line bold or italic as a whole


class Look(NamedTuple):
    """What a reader sees of a line: type, size (to half a point), weight, slant, case, underline, colour."""

    family: str
    size: float
    bold: bool
    italic: bool
    case: Case
    underlined: bool
    color: int
    mono: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Typography:
    """What is usual in a document: the body text's look, the pitch of lines in points by size, how lines end."""

    body: Look
    pitches: dict[float, float]
    chinese: bool

    def pitch(self, size: float) -> float:
        """The usual distance of baselines for a size."""
        return self.pitches.get(size) or _PITCH * size


def is_east_asian(text: str) -> bool:
    """Whether all letters of a text are Chinese, Japanese or Korean."""
    letters = [character for character in text if character.isalpha()]
    return bool(letters) and all("\u2e80" <= character <= "\ud7ff" or character >= "\uf900" for character in letters)


def half(size: float) -> float:
    """A size to half a point: microtype stretches and drivers round."""
    return round(2 * size) / 2


def body_size(pages: Sequence[RawPage]) -> float:
    """The size in which most pages set most characters; pages vote so that a long small-print appendix does not win."""
    votes: Counter[float] = Counter()
    for page in pages:
        counts: Counter[float] = Counter()
        for fragment in page.fragments:
            counts[half(fragment.style.size)] += len(fragment.text)
        if counts:
            size, count = counts.most_common(1)[0]
            votes[size] += min(count, 1500)
    return votes.most_common(1)[0][0] if votes else 10.0


def line_look(line: Line) -> Look:
    """The look of a whole line; superscripts do not count, small capitals have the size of their capitals."""
    style = line.style
    runs = [run for run in line.runs if not run.raised] or list(line.runs)
    if len(runs) == 1:
        bold, italic, size = style.bold, style.italic, style.size
    else:
        total = bold_count = italic_count = 0
        for run in runs:
            length = len(run.text.strip())
            total += length
            bold_count += length if run.style.bold else 0
            italic_count += length if run.style.italic else 0
        bold, italic = bold_count >= _UNIFORM * total, italic_count >= _UNIFORM * total
        size = style.size
    case: Case = ""
    if line.text.isupper() and sum(c.isalpha() for c in line.text) >= 3:
        sizes = {half(run.style.size) for run in runs if any(c.isalpha() for c in run.text)}
        case = "upper"
        if len(sizes) > 1 and 0.65 * max(sizes) <= min(sizes) <= 0.9 * max(sizes):
            case, size = "small", max(sizes)
    elif _SMALL_CAPS_FONT.search(style.family):
        case = "small"
    elif len(runs) > 1 and (capitals := small_capitals(runs)):
        case, size = "small", capitals
    return Look(style.family, half(size), bold, italic, case, line.underlined, style.color, style.mono)


def small_capitals(runs: Sequence[Run]) -> float:
    """The size of the capitals where runs are small capitals made from a smaller size (the text says what was typed), else 0."""
    sizes = {half(run.style.size) for run in runs if run.text.strip()}
    if len(sizes) != 2 or len({run.style.family for run in runs}) > 1 or not 0.65 * max(sizes) <= min(sizes) <= 0.86 * max(sizes):
        return 0.0
    large = "".join(run.text for run in runs if half(run.style.size) == max(sizes) and run.text.strip())
    small = "".join(run.text for run in runs if half(run.style.size) == min(sizes))
    words = [word for word in large.split() if any(c.isalpha() for c in word)]
    begins = bool(words) and all(len(word) <= 2 and word[0].isupper() for word in words)
    return max(sizes) if begins and sum(c.isalpha() for c in small) >= 3 and not any(c.isupper() for c in small) else 0.0


def measure(pages: Iterable[PageLines], size: float) -> Typography:
    """The usual looks and pitches of a document whose body size is known."""
    looks: Counter[Look] = Counter()
    steps: dict[float, Counter[float]] = defaultdict(Counter)
    chinese = letters = 0
    for page in pages:
        before: Line | None = None
        for line in page.lines:
            style = line.style
            if half(style.size) == size:
                look = Look(style.family, size, style.bold, style.italic, "", False, style.color, style.mono)
                looks[look] += len(line.text)
            if before is not None and before.column == line.column and half(before.style.size) == half(style.size):
                step = line.baseline - before.baseline
                if 0.8 * style.size < step < 3.5 * style.size:
                    steps[half(style.size)][round(2 * step) / 2] += 1
            before = line
        sample = "".join(line.text for line in page.lines[:8])
        letters += sum(c.isalpha() for c in sample)
        chinese += sum("\u3040" <= c <= "\u9fff" for c in sample)
    body = looks.most_common(1)[0][0] if looks else Look("", size, False, False, "", False, 0, False)
    pitches = {key: _usual(counts) for key, counts in steps.items() if sum(counts.values()) >= 3}
    return Typography(body=body, pitches=pitches, chinese=3 * chinese > letters)


def _usual(counts: Counter[float]) -> float:
    """The commonest step, its neighbours counted with it."""
    return max(counts, key=lambda step: (counts[step] + counts.get(step - 0.5, 0) + counts.get(step + 0.5, 0), -step))


def underlined(lines: Sequence[Line], rules: Sequence[Rule]) -> list[tuple[bool, float]]:
    """For each line whether thin rules run below its baseline over nearly all of it; where one below its first words ends, else 0."""
    thin = sorted((rule for rule in rules if rule.y1 - rule.y0 <= 2.0 and rule.x1 - rule.x0 >= 4), key=lambda rule: rule.y0)
    if not thin:
        return [(False, 0.0)] * len(lines)
    tops = [rule.y0 for rule in thin]
    found = []
    for line in lines:
        covered = end = 0.0
        size = line.style.size
        for rule in thin[bisect_left(tops, line.baseline - 0.05 * size) :]:
            if rule.y0 > line.baseline + 0.35 * size:
                break
            # A rule that runs on beyond the text is a table's or a running head's.
            if rule.x0 >= line.x0 - 3 and rule.x1 <= line.x1 + 6:
                covered += rule.x1 - rule.x0
                if rule.x0 <= (end or line.x0 + _NUMBER_WIDTH * size) + 2:
                    end = max(end, rule.x1)
        start = line.cells[0].x1 - line.cells[0].x0 if len(line.cells) > 1 else 0.0
        whole = covered >= 0.85 * (line.width - start) - size and covered > 0.4 * line.width
        found.append((whole, 0.0 if whole else end))
    return found
