"""How much of the gold quotes is among the texts given to an answer, and how little else. Pure.

Token precision, recall and IoU as in Smith and Troynikov, Evaluating Chunking Strategies for Retrieval (Chroma, 2024): gold and
retrieved text as sets of tokens of the corpus. Tokens are o200k_base; the tokens of a quote that was found in part count in
proportion to its letters and digits found, so that more text never lowers recall.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from es_mappings.tokens import count_tokens
from service.evaluation.quotes import covered, folded, spans_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """Tokens of the gold quotes, of the texts given, and of the gold found in them; `found` <= both others."""

    gold: int
    given: int
    found: float

    @property
    def recall(self) -> float:
        """found / gold, in 0..1."""
        return self.found / self.gold

    @property
    def precision(self) -> float:
        """found / given, in 0..1; 0 when nothing was given."""
        return self.found / self.given if self.given else 0.0

    @property
    def iou(self) -> float:
        """found / (gold + given - found), in 0..1."""
        return self.found / (self.gold + self.given - self.found)


def overlap(quotes: Sequence[str], texts: Sequence[str]) -> Overlap:
    """Compare gold quotes (which do not overlap each other) with the texts given. Raises ValueError without quotes.

    A stretch of a quote counts once, however many texts repeat it; repetitions count as given.
    """
    if not quotes:
        raise ValueError("overlap needs gold quotes")
    gold, found = 0, 0.0
    for quote in quotes:
        tokens, letters = count_tokens(quote), folded(quote)
        spans = [span for text in texts for span in spans_in(quote, text)]
        gold += tokens
        found += tokens * covered(spans) / len(letters) if letters else 0.0
    given = sum(map(count_tokens, texts))
    return Overlap(gold=gold, given=given, found=min(found, given))
