"""What fits a model's window: limits in tokens, stable groups of neighbours, and long text in pieces. Pure; nothing is cut off."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from es_mappings.errors import SettingsError
from es_mappings.tokens import count_tokens
from ingest.sentences import character_borders, clause_borders, line_borders, sentence_borders, word_borders

# What one unit costs in a prompt beside its text: line ends and the brackets around its heading.
UNIT_TOKENS = 6
_FILL = 0.92
_SLACK = 0.06
_SUMMARY_SHARE = 8
_BORDERS: tuple[Callable[[str], list[int]], ...] = (line_borders, sentence_borders, clause_borders, word_borders)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Sizes in o200k_base tokens.

    `window` holds instructions, text and reply; `overhead` are the instructions. A section of fewer than `short` tokens is
    its own summary, a section's summary has at most `summary`, a document's at most `document`. `call` is the most text
    for one call however large the window is, because models lose what stands in the middle of long text (Liu et al.
    2023, arXiv 2307.03172).
    """

    window: int
    overhead: int
    summary: int = 500
    document: int = 1_000
    short: int = 400
    call: int = 16_000

    def room(self, reply: int) -> int:
        """How much text one call takes that leaves `reply` tokens for the reply."""
        return min(self.call, self.window - self.overhead - reply)


def fitted(limits: Limits) -> Limits:
    """The limits with summaries made small enough for the window, so that two summaries always fit one call.

    Raises SettingsError when the window is too small for the instructions themselves.
    """
    summary = min(limits.summary, limits.window // _SUMMARY_SHARE)
    document = min(limits.document, limits.window // _SUMMARY_SHARE * 2)
    room = min(limits.call, limits.window - limits.overhead - max(summary, document))
    if summary < 16 or room < 2 * (summary + UNIT_TOKENS + 64):
        raise SettingsError(
            f"a window of {limits.window} tokens is too small for summaries (the instructions alone take {limits.overhead}): "
            "raise SECTIONARY_LLM_WINDOW to what the model has, or use a model with a larger window"
        )
    short = min(limits.short, room // 4)
    return Limits(window=limits.window, overhead=limits.overhead, summary=summary, document=document, short=short, call=limits.call)


def even_groups(costs: Sequence[int], marks: Sequence[int], room: int) -> list[tuple[int, int]]:
    """Neighbours in groups of at most `room`, as (start, end) index pairs: about even, near the least number of groups.

    A border is put where the mark (a number that depends on what stands there) is smallest near the ideal place, so a
    small change moves the borders around it at most and the other groups stay what they were.
    Raises ValueError when a single cost is above `room`.
    """
    if any(cost > room for cost in costs):
        raise ValueError("one item alone is larger than a group may be")
    total = sum(costs)
    if total <= room:
        return [(0, len(costs))] if costs else []
    ends = list(accumulate(costs))
    for count in range(-(-total // int(room * _FILL)), len(costs)):
        groups = _groups_at(ends, marks, total, count)
        if groups and all(sum(costs[start:end]) <= room for start, end in groups):
            return groups
    return _greedy(costs, room)


def _groups_at(ends: Sequence[int], marks: Sequence[int], total: int, count: int) -> list[tuple[int, int]]:
    """Groups cut near every total/count, or [] when two borders fall together."""
    slack = total / count * _SLACK
    borders = [0]
    place = 1
    for number in range(1, count):
        ideal = total * number / count
        while place < len(ends) - 1 and ends[place - 1] < ideal - slack:
            place += 1
        last = place
        while last < len(ends) - 1 and ends[last] <= ideal + slack:
            last += 1
        chosen = min(range(place, last + 1), key=lambda i: (marks[i], i))
        if chosen <= borders[-1]:
            return []
        borders.append(chosen)
    return list(pairwise([*borders, len(ends)]))


def _greedy(costs: Sequence[int], room: int) -> list[tuple[int, int]]:
    groups: list[tuple[int, int]] = []
    start = filled = 0
    for index, cost in enumerate(costs):
        if filled + cost > room:
            groups.append((start, index))
            start, filled = index, 0
        filled += cost
    return [*groups, (start, len(costs))]


def paragraphs(text: str, limit: int) -> list[str]:
    """The text at its empty lines; a paragraph of more than `limit` tokens in lines, sentences, clauses, words, characters.

    The pieces joined by "\\n\\n" hold every character but white space at the borders.
    """
    return [piece for paragraph in text.split("\n\n") if paragraph.strip() for piece in _pieces(paragraph, limit)]


def _pieces(text: str, limit: int) -> list[str]:
    if count_tokens(text) <= limit:
        return [text]
    for borders in _BORDERS:
        found = borders(text)
        if found:
            return _joined([part for start, end in pairwise([0, *found, len(text)]) for part in _pieces(text[start:end], limit)], limit)
    found = character_borders(text, max(1, limit // 3))
    whole = [text[start:end] for start, end in pairwise([0, *found, len(text)])]
    if all(count_tokens(piece) <= limit for piece in whole):
        return whole
    # Nothing but combining marks: a code point has at most four bytes, so at most four tokens.
    return [text[start : start + max(1, limit // 4)] for start in range(0, len(text), max(1, limit // 4))]


def _joined(parts: Sequence[str], limit: int) -> list[str]:
    """Neighbours joined again as far as they fit, so that pieces are not smaller than they need be."""
    joined: list[str] = []
    sizes: list[int] = []
    for part in parts:
        size = count_tokens(part)
        if joined and sizes[-1] + size <= limit:
            joined[-1] += part
            sizes[-1] += size
        else:
            joined.append(part)
            sizes.append(size)
    return joined
