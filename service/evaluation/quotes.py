"""Where a quote stands in a text, whatever the white space, punctuation, case and width of either. Pure."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from service.evaluation.wording import says

Span = tuple[int, int]
# A piece of a quote at the edge of a text counts from this many letters and digits on: shorter ones meet by accident. Shorter quotes
# must stand there as words.
LEAST_PIECE = 12


@lru_cache(maxsize=1024)
def folded(text: str) -> str:
    """The letters and digits of a text, by NFKC and without case: what stays the same when a text is laid out anew."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def spans_in(quote: str, text: str) -> tuple[Span, ...]:
    """The parts of a quote that stand in a text, as (start, end) in the folded quote, in order; () when none does."""
    letters = folded(quote)
    if len(letters) < LEAST_PIECE:
        return ((0, len(letters)),) if says(text, quote) else ()
    return spans_of(letters, folded(text))


def spans_of(quote: str, text: str) -> tuple[Span, ...]:
    """The same of a folded quote in a folded text, without a look at words.

    A quote stands in a text whole, holds the whole text, or crosses an edge of it (the text was cut inside the quote): those are
    the ways in which pieces of one document meet, and each is found exactly, in time linear in both lengths.
    """
    if not quote or not text:
        return ()
    if quote in text:
        return ((0, len(quote)),)
    inside = quote.find(text) if len(text) >= LEAST_PIECE else -1
    if inside >= 0:
        return ((inside, inside + len(text)),)
    ahead, behind = _shared_edge(quote, text), _shared_edge(text, quote)
    spans = [(0, ahead)] if ahead >= LEAST_PIECE else []
    return (*spans, (len(quote) - behind, len(quote))) if behind >= LEAST_PIECE else tuple(spans)


def covered(spans: Iterable[Span]) -> int:
    """The length of the union of spans."""
    total = reached = 0
    for start, end in sorted(spans):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


def _shared_edge(beginning: str, ending: str) -> int:
    """The length of the longest start of `beginning` with which `ending` ends (the prefix function of Knuth, Morris and Pratt)."""
    ending = ending[-len(beginning) :]
    reach = [0] * len(beginning)
    matched = 0
    for i in range(1, len(beginning)):
        matched = _extended(beginning, reach, matched, beginning[i])
        reach[i] = matched
    matched = 0
    for character in ending:
        if matched == len(beginning):
            matched = reach[matched - 1]
        matched = _extended(beginning, reach, matched, character)
    return matched


def _extended(pattern: str, reach: list[int], matched: int, character: str) -> int:
    while matched and pattern[matched] != character:
        matched = reach[matched - 1]
    return matched + 1 if pattern[matched] == character else 0
