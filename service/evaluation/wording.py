"""The words of an answer beside those of the accepted ones. Pure; each measure is in 0..1.

F1 as in Rajpurkar et al., SQuAD (EMNLP 2016), and for Chinese, by single characters, as in Cui et al., CMRC 2018 (EMNLP 2019).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
# Words that say nothing about the content; SQuAD's evaluation leaves out the articles only.
_EMPTY = re.compile(
    r"a|an|the|of|in|on|at|to|for|from|by|with|and|or|is|are|was|were|be|been|it|its|that|this|as|which|[的了和是在与及为对]"
)


def answer_words(text: str) -> tuple[str, ...]:
    """Content words without case, each Chinese character a word; without those that only join others, unless there are no others."""
    found = _words(text)
    return tuple(word for word in found if not _EMPTY.fullmatch(word)) or found


def says(text: str, answer: str) -> bool:
    """Whether the words of an answer stand in a text one after the other: "ten" does not stand in "often", nor "90" in "900"."""
    wanted = " ".join(_words(answer))
    return bool(wanted) and f" {wanted} " in f" {' '.join(_words(text))} "


def word_f1(answer: str, accepted: Sequence[str]) -> float:
    """2PR / (P + R) of the words in common, counted as often as they occur; the best over the accepted answers, 0 without any."""
    return max((_f1(answer_words(answer), answer_words(gold)) for gold in accepted), default=0.0)


def word_recall(texts: Sequence[str], accepted: Sequence[str]) -> float:
    """The share of an accepted answer's different content words that stand in the texts; the best over the accepted answers."""
    having = {word for text in texts for word in _words(text)}
    shares = [len(having & words) / len(words) for gold in accepted if (words := set(answer_words(gold)))]
    return max(shares, default=0.0)


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _f1(ours: Sequence[str], gold: Sequence[str]) -> float:
    common = sum((Counter(ours) & Counter(gold)).values())
    return 2 * common / (len(ours) + len(gold)) if common else 0.0
