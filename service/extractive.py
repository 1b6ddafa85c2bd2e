"""An answer without a model: the sentences that say most about the question, verbatim and cited. Pure but for the vectors passed in.

Measured with the built-in embedder (`scripts/bench extractive`), paragraph among the passages: of 120 questions of the half of CMRC dev
that was not tuned on, a gold answer is within the three sentences for 0.90; of ExpMRC all that one marker took for evidence for 0.78.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ingest.embedding import Vectors
from ingest.sentences import sentence_spans
from service.results import Passage
from service.words import covered, question_words, rarity, words

SENTENCES = 3
LEADING_SENTENCES = 6
# Sentences whose words score best get vectors; more of them change nothing but the time.
EMBEDDED = 24
COSINE_WEIGHT = 0.7
NUMBER_WEIGHT = 0.3
_ASKS_NUMBER = re.compile(
    r"how (?:many|much|long|old|often|far)|when\b|what (?:year|date|time)"
    r"|多少|几[^乎]|何时|什么时候|哪一?[年天月]|多[大长高远久]|日期|时间",
    re.IGNORECASE,
)
_HAS_NUMBER = re.compile(
    r"\d|[一二三四五六七八九十百千万亿两零]+[年月日个人名次届米元岁条种位度天小分倍%成]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b",
    re.IGNORECASE,
)

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence of a passage: passage.content[start:end]."""

    n: int
    start: int
    text: str


def best_sentences(
    question: str,
    passages: Sequence[Passage],
    embed: Callable[[Sequence[str]], Vectors] | None,
    vector: Vectors | None,
    most: int = SENTENCES,
) -> tuple[Sentence, ...]:
    """At most `most` sentences, by passage number and place; () when none shares a word with the question or is near it.

    `embed` gives unit rows for sentences, `vector` is the question's; without either, words decide alone.
    """
    sentences = [
        Sentence(n=passage.n, start=start, text=passage.content[start:end])
        for passage in passages
        for start, end in sentence_spans(passage.content)
        if any(character.isalnum() for character in passage.content[start:end])
    ]
    if not sentences:
        return ()
    scores = _by_words(question, sentences, passages)
    near = np.argsort(-scores, kind="stable")[:EMBEDDED]
    if embed is not None and vector is not None:
        scores = _with_vectors(scores, near, embed([sentences[i].text for i in near]), vector)
    asks_number = bool(_ASKS_NUMBER.search(question))
    bonus = [NUMBER_WEIGHT if asks_number and _HAS_NUMBER.search(sentence.text) else 0.0 for sentence in sentences]
    ranks = {passage.n: _rank_share(passage, passages) for passage in passages}
    total = (scores + np.array(bonus) * (scores > 0)) * np.array([ranks[sentence.n] for sentence in sentences])
    chosen = [int(i) for i in np.argsort(-total, kind="stable")[:most] if total[i] > 0]
    return tuple(sentences[i] for i in sorted(chosen))


def leading_sentences(passages: Sequence[Passage]) -> tuple[Sentence, ...]:
    """The first sentence of each passage, at most 6: what a place begins with, when the question names only the place."""
    firsts = []
    for passage in passages[:LEADING_SENTENCES]:
        spans = sentence_spans(passage.content)
        start, end = spans[0] if spans else (0, len(passage.content))
        firsts.append(Sentence(n=passage.n, start=start, text=passage.content[start:end]))
    return tuple(firsts)


def _by_words(question: str, sentences: Sequence[Sentence], passages: Sequence[Passage]) -> Scores:
    """The share of the question's words in each sentence, the best one 1."""
    weights = rarity(question_words(question), [frozenset(words(passage.content)) for passage in passages])
    shares = np.array([covered(weights, frozenset(words(sentence.text))) for sentence in sentences], dtype=np.float64)
    return shares / shares.max() if shares.max() > 0 else shares


def _with_vectors(scores: Scores, near: npt.NDArray[np.intp], rows: Vectors, vector: Vectors) -> Scores:
    """The word scores, with the spread of the sentences' similarity to the question added for those that have a vector."""
    cosines = rows @ vector
    spread = float(cosines.max() - cosines.min())
    added = np.zeros_like(scores)
    added[near] = COSINE_WEIGHT * ((cosines - cosines.min()) / spread if spread > 0 else 1.0)
    return scores + added


def _rank_share(passage: Passage, passages: Sequence[Passage]) -> float:
    """How much of its sentences' scores a passage keeps: as its hit's score to the best one; all of it where nothing was scored."""
    best = max(other.hit.score for other in passages)
    return max(0.0, passage.hit.score / best) if best > 0 else 1.0
