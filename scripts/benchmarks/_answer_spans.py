"""Where a text that a system returned lies in the document that it came from, whatever was done to its marks and spaces."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

# Shorter lines stand in many places; they are looked for only right behind the line before.
LEAST = 16
_NEAR = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """source[start:end]."""

    source: str
    start: int
    end: int


def folded(text: str) -> str:
    """A text on one line a paragraph, single spaces: printed line breaks are no borders."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip())


def span_of(source: str, text: str, first: str, last: str) -> Span:
    """From `first` to the end of the next `last`. Raises ValueError when a quote is not in the text."""
    letters = _letters(text)
    start = letters.text.index(_squeezed(first))
    end = letters.text.index(_squeezed(last), start) + len(_squeezed(last))
    return Span(source=source, start=letters.places[start], end=letters.places[end - 1] + 1)


def located(source: str, text: str, passage: str) -> list[Span]:
    """The spans of `text` that a passage repeats, by letters and digits alone; what cannot be found is left out."""
    letters = _letters(text)
    spans = _found(letters, [passage])
    if not spans:
        spans = _found(letters, [line for line in passage.splitlines() if line.strip()])
    return [Span(source=source, start=start, end=end) for start, end in spans]


def covered(gold: Iterable[Span], having: Iterable[Span]) -> int:
    """Characters of the gold spans that lie in the others, each counted once."""
    others = merged(having)
    return sum(_shared(one, other) for one in merged(gold) for other in others if one.source == other.source)


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same characters in spans that do not overlap."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.source, one.start)):
        if joined and joined[-1].source == span.source and span.start <= joined[-1].end:
            joined[-1] = Span(source=span.source, start=joined[-1].start, end=max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def length(spans: Iterable[Span]) -> int:
    """Characters in the spans, each counted once."""
    return sum(span.end - span.start for span in merged(spans))


def _shared(one: Span, other: Span) -> int:
    return max(0, min(one.end, other.end) - max(one.start, other.start))


@dataclass(frozen=True, slots=True)
class _Letters:
    """The letters and digits of a text and where each of them stands in it."""

    text: str
    places: tuple[int, ...]


@cache
def _letters(text: str) -> _Letters:
    kept = [(character, place) for place, character in enumerate(text) if character.isalnum()]
    return _Letters("".join(character for character, _ in kept), tuple(place for _, place in kept))


def _squeezed(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


def _found(letters: _Letters, pieces: Iterable[str]) -> list[tuple[int, int]]:
    spans, after = [], 0
    for piece in pieces:
        wanted = _squeezed(piece)
        if not wanted:
            continue
        start = letters.text.find(wanted, after, after + len(wanted) + _NEAR) if after else -1
        if start < 0 and len(wanted) >= LEAST:
            start = letters.text.find(wanted)
        if start >= 0:
            after = start + len(wanted)
            spans.append((letters.places[start], letters.places[after - 1] + 1))
    return spans
