"""ROUGE-1, -2 and -L F1 (Lin 2004) over lower-case words, without stemming; the mean over several references."""

import re
from collections import Counter
from collections.abc import Sequence


def rouge(said: str, references: Sequence[str]) -> tuple[float, float, float]:
    """The three scores of a text, each the mean over the references, in 0..1."""
    words = _words(said)
    scores = [_scores(words, _words(reference)) for reference in references]
    one, two, longest = (sum(score[i] for score in scores) / len(scores) for i in range(3))
    return one, two, longest


def _scores(words: list[str], reference: list[str]) -> tuple[float, float, float]:
    return _overlap(words, reference, 1), _overlap(words, reference, 2), _f1(_longest(words, reference), len(words), len(reference))


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _overlap(words: list[str], reference: list[str], n: int) -> float:
    ours, theirs = (Counter(tuple(part[i : i + n]) for i in range(len(part) - n + 1)) for part in (words, reference))
    return _f1(sum((ours & theirs).values()), sum(ours.values()), sum(theirs.values()))


def _longest(words: list[str], reference: list[str]) -> int:
    """The length of the longest common subsequence."""
    above = [0] * (len(reference) + 1)
    for word in words:
        row = [0]
        for place, other in enumerate(reference):
            row.append(above[place] + 1 if word == other else max(above[place + 1], row[-1]))
        above = row
    return above[-1]


def _f1(common: int, ours: int, theirs: int) -> float:
    return 2 * common / (ours + theirs) if ours and theirs else 0.0
