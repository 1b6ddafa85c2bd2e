"""`{{#include FILE}}` of mdBook: the file's text is put in when it lies inside the book's folder, and never otherwise."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from es_mappings.errors import LimitExceeded

_DIRECTIVE = re.compile(r"(?<!\\)\{\{#(?:include|rustdoc_include|playground|playpen)\s+([^}\s]+)[^}]*\}\}")
_OTHER = re.compile(r"(?<!\\)\{\{#\w+[^}]*\}\}")
_ANCHOR = re.compile(r"\bANCHOR(?:_END)?:\s*([\w-]+)")
_MAX_DEPTH = 5


@dataclass(slots=True, kw_only=True)
class Includes:
    """Puts in the files below `root`; counts those that are missing or outside, and stops at `max_text` characters in all."""

    root: Path
    max_text: int
    missing: int = 0
    taken: int = field(default=0)

    def expand(self, text: str, folder: Path, depth: int = 0) -> str:
        """`text` with every directive replaced; one whose file cannot be read is dropped. Raises LimitExceeded."""
        if "{{#" not in text:
            return text
        replaced = _DIRECTIVE.sub(lambda match: self._content(match[1], folder, depth), text)
        return _OTHER.sub("", replaced)

    def _content(self, target: str, folder: Path, depth: int) -> str:
        name, *selection = target.split(":")
        path = inside(self.root, folder / name)
        if path is None or depth >= _MAX_DEPTH:
            self.missing += 1
            return ""
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            self.missing += 1
            return ""
        self.taken += len(text)
        if self.taken > self.max_text:
            raise LimitExceeded(f"the files included by {self.root.name} have more than {self.max_text:,} characters: split the book")
        return self.expand(_selected(text, selection), path.parent, depth + 1).rstrip("\n")


def inside(root: Path, path: Path) -> Path | None:
    """The real path of a file inside `root`, links followed; None when it is missing or leads out."""
    try:
        real = path.resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return None
    return real if real.is_file() and real.is_relative_to(root.resolve()) else None


def _selected(text: str, selection: list[str]) -> str:
    """The lines that `:FROM:TO` or `:ANCHOR` asks for, without anchor marks."""
    lines = text.split("\n")
    if selection and (selection[0].isdigit() or (len(selection) > 1 and selection[1].isdigit())):
        first = int(selection[0]) if selection[0].isdigit() else 1
        last = len(lines) if len(selection) > 1 else first
        if len(selection) > 1 and selection[1].isdigit():
            last = int(selection[1])
        lines = lines[max(0, first - 1) : last]
    elif selection and selection[0]:
        marks = [place for place, line in enumerate(lines) if (found := _ANCHOR.search(line)) and found[1] == selection[0]]
        lines = lines[marks[0] + 1 : marks[1] if len(marks) > 1 else len(lines)] if marks else []
    return "\n".join(line for line in lines if not _ANCHOR.search(line))
