"""Whether the evidence is strong enough to answer at all. Pure; calibrated per embedder (docs/decisions/0009-answers.md).

A logistic model of how likely a question has no answer here: from the share of its words that the best passages cover (rare
words count more), the share that one sentence covers, the similarity of its vector to the best text, and whether a document or
section is named (who names one is more often right that it answers). Fitted by `scripts/bench abstention` on one half of CMRC dev
(Chinese), PolicyQA, the Chroma set and questions on the sample handbooks, with the gold passage or the right corpus taken away for
the unanswerable ones; the other half is reported there and in docs/decisions/0015-strategies.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.sentences import sentence_spans
from service.fusion import HAN_LANGUAGES, script_of
from service.results import Hit
from service.words import covered, question_words, rarity, words

# Above this many logits a question counts as unanswerable (probability 0.73): false refusals cost more than weak answers.
THRESHOLD = 1.0
PASSAGES = 3
BACKGROUND_HITS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The fitted model of one embedder: logits = base + han (Chinese questions) + passage, sentence and cosine times their shares.

    `scoped` is added when documents or sections were named.

    `foreign_cosine`: the similarity from which a text in another script than the question's counts as evidence; words cannot
    tell there. None: every such text does.
    """

    base: float
    han: float
    passage: float
    sentence: float
    scoped: float
    cosine: float = 0.0
    foreign_cosine: float | None = None


# By the beginning of the embedder's name.
CALIBRATIONS = {
    "use-multilingual-3": Calibration(base=5.57, han=1.08, passage=-6.43, sentence=-4.82, scoped=-1.37, cosine=-3.06, foreign_cosine=0.25),
}
# Also for multilingual-e5-small: its cosines added nothing.
WORDS_ONLY = Calibration(base=4.9, han=0.99, passage=-7.03, sentence=-4.82, scoped=-1.33)


def calibration_for(embedder: str) -> Calibration:
    """The calibration of an embedder by its name; one that was never measured is judged by words alone."""
    return next((found for name, found in CALIBRATIONS.items() if embedder.startswith(name)), WORDS_ONLY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """What the hits have of a question: shares of its words (rare ones count more) in one passage and in one sentence, the cosine."""

    passage: float
    sentence: float
    cosine: float


def unanswerable_logits(question: str, hits: Sequence[Hit], calibration: Calibration, *, is_scoped: bool) -> float:
    """How likely the hits (best first) do not answer, in logits; -inf when the question has no words to judge by.

    `is_scoped`: documents or sections were named to look in.
    """
    wanted = question_words(question)
    if not wanted or not hits:
        return -math.inf if hits else math.inf
    cosine = max((hit.cosine for hit in hits if hit.cosine is not None), default=None)
    if _is_foreign(question, hits[0]) and not wanted & frozenset(words(hits[0].content)):
        return _foreign_logits(cosine, calibration)
    found = strength_of(wanted, hits)
    logits = calibration.base + calibration.passage * found.passage + calibration.sentence * found.sentence
    logits += calibration.han if script_of(question) == "han" else 0.0
    logits += calibration.scoped if is_scoped else 0.0
    return logits + calibration.cosine * found.cosine


def strength_of(wanted: frozenset[str], hits: Sequence[Hit]) -> Strength:
    """How much of the wanted words the hits hold."""
    texts = [frozenset(words(f"{hit.doc_title}\n{hit.section_titles}\n{hit.content}")) for hit in hits[:BACKGROUND_HITS]]
    weights = rarity(wanted, texts)
    passage = max(covered(weights, text) for text in texts[:PASSAGES])
    sentence = max(
        (covered(weights, frozenset(words(hit.content[start:end]))) for hit in hits[:1] for start, end in sentence_spans(hit.content)),
        default=0.0,
    )
    return Strength(passage=passage, sentence=sentence, cosine=max((hit.cosine for hit in hits if hit.cosine is not None), default=0.0))


def confidence_of(logits: float) -> float:
    """The probability that the question is answerable, 0 to 1."""
    return 1 / (1 + math.exp(max(-500.0, min(500.0, logits))))


def _is_foreign(question: str, hit: Hit) -> bool:
    script = script_of(question)
    return script is not None and hit.language is not None and (script == "han") != (hit.language in HAN_LANGUAGES)


def _foreign_logits(cosine: float | None, calibration: Calibration) -> float:
    if calibration.foreign_cosine is None:
        return -math.inf
    return -math.inf if cosine is not None and cosine >= calibration.foreign_cosine else math.inf
