"""What a question's evidence is, and whether a text that was found holds it. Pure.

Gold comes in three kinds, the strictest first: a section (any text of its branch counts), a quote (most of it must stand in the
text), the accepted answers (one of them must stand in the text).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from service.evaluation.quotes import covered, folded, spans_in
from service.evaluation.wording import says

# A quote counts as found in a text that holds more than this share of its letters and digits: one text only can.
QUOTE_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A text that was retrieved or packed: its words, its o200k tokens, and the keys of the sections it is from (() without any).

    `covers`: the keys of whole branches that the text stands for. A chapter's summary stands for the sections of the chapter where
    an overview is asked for, and not where a fact is.
    """

    text: str
    tokens: int
    section_keys: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldSection:
    """A section by its key; several keys when its name fits several sections, of which any will do."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoldQuote:
    """Words of a document, verbatim but for white space, punctuation, case and width."""

    text: str


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """The accepted answers, of which any will do: their words in order."""

    accepted: tuple[str, ...]


Gold = GoldSection | GoldQuote | GoldAnswer
Ranks = tuple[int | None, ...]
"""For each piece of gold the rank (from 1) of the first text that holds it, None when none does."""


def holds(found: Found, gold: Gold) -> bool:
    """Whether a text holds a piece of gold."""
    if isinstance(gold, GoldSection):
        is_in_it = any(_within(key, branch) for key in found.section_keys for branch in gold.keys)
        return is_in_it or any(_within(key, branch) for key in gold.keys for branch in found.covers)
    if isinstance(gold, GoldAnswer):
        return any(says(found.text, answer) for answer in gold.accepted)
    return covered(spans_in(gold.text, found.text)) > QUOTE_SHARE * len(folded(gold.text))


def ranks_of(golds: Sequence[Gold], found: Sequence[Found]) -> Ranks:
    """The rank of each piece of gold among texts, best first."""
    return tuple(next((rank for rank, one in enumerate(found, 1) if holds(one, gold)), None) for gold in golds)


def _within(key: str, branch: str) -> bool:
    return key == branch or key.startswith(f"{branch}/")
