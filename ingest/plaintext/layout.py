"""How a plain text is laid out: pages, running heads, groups of lines, whether lines were wrapped. Pure."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_DIGITS = re.compile(r"\d+")
_RULE = re.compile(r"[=\-~*_#+.^\"'`:]{3,}$")
# Book lines are 60 to 80 columns, mails 72; lines far beyond are paragraphs of their own.
_WIDEST_WRAP = 130
_NARROWEST_WRAP = 40
_FULL = 0.7
# Of the lines of wrapped text about one in eight ends a sentence.
_SENTENCES = 0.6
_SENTENCE_END = re.compile(r"[.!?。！？…][\"'”’)\]」』]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line without its end, with its page (1-based, None without form feeds)."""

    text: str
    page: int | None = None

    @property
    def bare(self) -> str:
        return self.text.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Lines between blank lines."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The groups in order; `wrap` is the column (in display cells) at which lines were wrapped, None when each line is a paragraph."""

    groups: tuple[Group, ...]
    wrap: int | None
    pages: int | None


def width(text: str) -> int:
    """Display cells: wide and full-width characters take two."""
    return len(text) if text.isascii() else sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def is_rule(text: str) -> bool:
    """Whether a line is drawn from one punctuation character."""
    return bool(_RULE.match(text)) and len(set(text)) == 1


def lay_out(text: str) -> Layout:
    """The layout of a whole text."""
    pages = text.rstrip("\f\n ").split("\f")
    lines = (
        _without_running_heads([page.split("\n") for page in pages]) if len(pages) > 2 else [Line(text=line) for line in text.split("\n")]
    )
    groups: list[Group] = []
    current: list[Line] = []
    for line in [*lines, Line(text="")]:
        if line.bare:
            current.append(line)
        elif current:
            groups.append(Group(lines=tuple(current)))
            current = []
    return Layout(groups=tuple(groups), wrap=wrap_of(groups), pages=len(pages) if len(pages) > 2 else None)


def wrap_of(groups: Sequence[Group]) -> int | None:
    """The column at which lines were wrapped: most lines that another follows in their group nearly reach the widest.

    Where most of them end a sentence, each line is a paragraph, however even they are.
    """
    texts = [line.text.rstrip() for group in groups for line in group.lines[:-1]]
    if len(texts) < 3 or sum(bool(_SENTENCE_END.search(text[-3:])) for text in texts) >= _SENTENCES * len(texts):
        return None
    inner = sorted(map(width, texts))
    widest = inner[int(len(inner) * 0.95)]
    if not _NARROWEST_WRAP <= widest <= _WIDEST_WRAP:
        return None
    full = sum(cells >= widest * _FULL for cells in inner)
    return widest if full >= len(inner) * 0.5 else None


def _without_running_heads(pages: list[list[str]]) -> list[Line]:
    """The lines of all pages, without first and last lines that repeat on most pages (but for their digits)."""
    edges = Counter(_DIGITS.sub("0", line).strip() for page in pages for line in set(_edges(page)))
    repeated = {line for line, count in edges.items() if line and count >= max(3, len(pages) // 2)}
    lines = []
    for number, page in enumerate(pages, 1):
        outer = set(_edges(page))
        lines += [Line(text=line, page=number) for line in page if not (line in outer and _DIGITS.sub("0", line).strip() in repeated)]
    return lines


def _edges(page: list[str]) -> list[str]:
    filled = [line for line in page if line.strip()]
    return [*filled[:1], *filled[-1:]]
