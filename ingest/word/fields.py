"""Fields: which of their text a reader sees, and where the linking ones point. A field may span paragraphs."""

import re
from dataclasses import dataclass, field

_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
# Their results are lists of pages, not text of the document.
_CONTENTS = frozenset({"TOC", "TOA", "INDEX"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """What a field does: `kind` in capitals ("REF"), and the link target it makes ("#bookmark", a URL) or None."""

    kind: str = ""
    target: str | None = None

    @property
    def is_contents(self) -> bool:
        """Whether the result is a table of contents, of authorities, or an index."""
        return self.kind in _CONTENTS


def read_instruction(text: str) -> Instruction:
    r"""The meaning of a field code.

    >>> read_instruction(r' HYPERLINK "http://x.org" \l "a" ').target, read_instruction(r" REF _Ref1 \h ").target
    ('http://x.org#a', '#_Ref1')
    """
    words = [quoted.replace('\\"', '"').replace("\\\\", "\\") or plain for quoted, plain in _WORD.findall(text)]
    if not words:
        return Instruction()
    kind = words[0].upper()
    if kind in ("REF", "PAGEREF", "NOTEREF"):
        name = next((word for word in words[1:] if not word.startswith("\\")), None)
        return Instruction(kind=kind, target=name and f"#{name}")
    if kind == "HYPERLINK":
        return Instruction(kind=kind, target=_hyperlink(words[1:]))
    return Instruction(kind=kind)


def _hyperlink(words: list[str]) -> str | None:
    address, anchor, switch = "", "", ""
    for word in words:
        if word.startswith("\\"):
            switch = word[1:].lower()
        elif switch == "l":
            anchor, switch = word, ""
        elif switch in ("o", "t"):
            switch = ""
        elif not address:
            address = word
    return address + (f"#{anchor}" if anchor else "") or None


@dataclass(slots=True)
class _Open:
    """A field that has begun. `start` is where its result begins in the text of the paragraph being read."""

    code: list[str] = field(default_factory=list)
    instruction: Instruction | None = None
    start: int = 0


class FieldStack:
    """The fields open at the place that is being read."""

    def __init__(self, *, balanced: bool) -> None:
        # Where begins and ends do not match, a field would swallow the rest: its text is then kept.
        self._balanced = balanced
        self._open: list[_Open] = []

    @property
    def shows(self) -> bool:
        """Whether text at this place is seen: in no field, or in the results of all."""
        return all(entry.instruction is not None and not self._drops(entry.instruction) for entry in self._open)

    @property
    def in_contents(self) -> bool:
        """Whether this place is inside a table of contents."""
        return any(entry.instruction is not None and self._drops(entry.instruction) for entry in self._open)

    def begin(self) -> None:
        """A field code begins."""
        self._open.append(_Open())

    def code(self, text: str) -> None:
        """A piece of the field code."""
        if self._open and self._open[-1].instruction is None:
            self._open[-1].code.append(text)

    def separate(self, place: int) -> Instruction:
        """The code ends and the result begins at `place`."""
        if not self._open:
            return Instruction()
        entry = self._open[-1]
        if entry.instruction is None:
            entry.instruction = read_instruction("".join(entry.code))
            entry.start = place
        return entry.instruction

    def end(self) -> tuple[Instruction, int]:
        """The field ends; its meaning and where in this paragraph its result began (0 when in one before)."""
        if not self._open:
            return Instruction(), 0
        entry = self._open.pop()
        return entry.instruction or read_instruction("".join(entry.code)), entry.start

    def next_paragraph(self) -> None:
        """Results that go on begin at the start of the new paragraph; where ends are missing, none goes on."""
        if not self._balanced:
            self._open.clear()
        for entry in self._open:
            entry.start = 0

    def _drops(self, instruction: Instruction) -> bool:
        return self._balanced and instruction.is_contents
