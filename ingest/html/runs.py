"""Runs of styled text become the text of one block, with its links, anchors and look. Pure."""

import re
from dataclasses import dataclass, field

from ingest.blocks import Link
from ingest.html.styles import BODY, Look

_SPACE = re.compile(r"[ \t\n\r\f\u00a0\u2002-\u200a\u202f\u205f\u3000]+")
_IDEOGRAPHIC = re.compile(r"[ \t\n\r\f\u00a0\u2002-\u200a\u202f\u205f]+")
BREAK = "\v"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLook:
    """The look of a whole block: shares (0..1) of its characters, the size in points of most of them."""

    size: float = 12.0
    bold: float = 0.0
    italic: float = 0.0
    underlined: float = 0.0
    capitals: bool = False
    centred: bool = False
    indent: float = 0.0
    bold_start: int = 0
    """Characters at the start that are bold, underlined or italic while the rest is not: a run-in heading; 0 when there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Text as it stands in the source, with its look."""

    text: str
    look: Look = BODY


@dataclass(slots=True, kw_only=True)
class Runs:
    """What was collected since the last block began."""

    runs: list[Run] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    open_links: list[tuple[str, int]] = field(default_factory=list)

    def add(self, text: str, look: Look) -> None:
        if text:
            self.runs.append(Run(text=text, look=look))

    def open_link(self, target: str) -> None:
        self.open_links.append((target, len(self.runs)))

    def close_link(self) -> None:
        target, start = self.open_links.pop()
        words = collapsed("".join(run.text for run in self.runs[start:]))
        if words and target:
            self.links.append(Link(text=words.replace("\n", " "), target=target))

    @property
    def text(self) -> str:
        return collapsed("".join(run.text for run in self.runs))

    def look(self) -> TextLook:
        """The look of the runs together; blanks do not count."""
        weights = [(len(_SPACE.sub("", run.text).replace(BREAK, "")), run) for run in self.runs]
        total = sum(weight for weight, _ in weights)
        if not total:
            return TextLook()
        sizes: dict[float, int] = {}
        for weight, run in weights:
            size = round(run.look.size * 2) / 2
            sizes[size] = sizes.get(size, 0) + weight
        first = next(run.look for weight, run in weights if weight)
        letters = [c for weight, run in weights if weight for c in (run.text.upper() if run.look.capitals else run.text) if c.isalpha()]
        return TextLook(
            size=max(sizes, key=lambda size: sizes[size]),
            bold=sum(weight for weight, run in weights if run.look.bold) / total,
            italic=sum(weight for weight, run in weights if run.look.italic) / total,
            underlined=sum(weight for weight, run in weights if run.look.underlined) / total,
            capitals=len(letters) > 2 and any(c.isupper() for c in letters) and not any(c.islower() for c in letters),
            centred=first.centred,
            indent=first.indent,
            bold_start=_marked_start(weights),
        )


def collapsed(text: str) -> str:
    """Blanks as HTML shows them: one space; line breaks stay; an ideographic space inside Chinese text stays one."""
    lines = (_IDEOGRAPHIC.sub(" ", line).strip(" \u3000") for line in text.split(BREAK))
    return "\n".join(lines).strip("\n ")


def _marked_start(weights: list[tuple[int, Run]]) -> int:
    """How many characters of the collapsed text a differently marked start takes, when plain text follows it."""
    start = ""
    filled = [(weight, run) for weight, run in weights]
    for place, (weight, run) in enumerate(filled):
        if weight and not (run.look.bold or run.look.underlined or run.look.italic):
            rest = sum(w for w, r in filled[place:] if not (r.look.bold or r.look.underlined))
            return len(collapsed(start)) if collapsed(start) and rest > len(start) else 0
        start += run.text
    return 0
