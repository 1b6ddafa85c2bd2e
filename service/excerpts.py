"""The part of a text that says most about a question within so many tokens: whole sentences in a row, cuts marked. Pure.

Measured through the legs of a real node (docs/decisions/0018-answer-figures.md): filling what whole passages leave of a budget with
such parts raises the share of gold characters within 1,300 tokens from 0.857 to 0.898 (Chroma, dev half, chunks of 512).
"""

from collections.abc import Mapping, Sequence

from es_mappings.tokens import count_tokens
from ingest.sentences import sentence_spans
from service.words import covered, question_words, rarity, words

# Where text was left out; on a line of its own it belongs to no sentence that is quoted.
CUT = "…"
_CUT_TOKENS = 4
BACKGROUND_TEXTS = 10


def telling(question: str, texts: Sequence[str]) -> Mapping[str, float]:
    """The question's words by how few of the first texts have them; {} without a question."""
    return rarity(question_words(question), [frozenset(words(text)) for text in texts[:BACKGROUND_TEXTS]]) if question else {}


def excerpt(text: str, room: int, weights: Mapping[str, float]) -> str:
    """The run of sentences with the largest share of the weighted words, of equal ones the longest; "" when none fits or has any.

    At most `room` tokens (o200k), marks included; `weights` are those of `telling`.
    """
    spans = sentence_spans(text)
    costs = [count_tokens(text[start:end]) + 1 for start, end in spans]
    having = [frozenset(words(text[start:end])) for start, end in spans]
    best, chosen = (0.0, 0), None
    for first in range(len(spans)):
        cost, seen = _CUT_TOKENS, frozenset[str]()
        for last in range(first, len(spans)):
            cost += costs[last]
            if cost > room:
                break
            seen |= having[last]
            share = covered(weights, seen)
            if share > 0 and (share, cost) > best:
                best, chosen = (share, cost), (first, last)
    if chosen is None:
        return ""
    first, last = chosen
    part = text[spans[first][0] : spans[last][1]]
    before = f"{CUT}\n" if first else ""
    after = f"\n{CUT}" if last + 1 < len(spans) else ""
    return f"{before}{part}{after}"
