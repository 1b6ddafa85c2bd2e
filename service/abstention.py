"""Whether the evidence is strong enough to answer at all. Pure; calibrated per embedder (docs/decisions/0009-answers.md).

A logistic model of how likely a question has no answer here: from the share of its words that the best passages cover (rare
words count more), the share that one sentence covers, and the similarity of its vector to the best text. Fitted on CMRC trial
(Chinese), PolicyQA and the Chroma set (English), with the gold passage or the right corpus taken away for the unanswerable
half. Through the whole product, on 300 questions of CMRC dev that it was not fitted on: precision 0.96 at recall 0.73, and 3 % of
the answerable questions refused.
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

    `foreign_cosine`: the similarity from which a text in another script than the question's counts as evidence; words cannot
    tell there. None: every such text does.
    """

    base: float
    han: float
    passage: float
    sentence: float
    cosine: float = 0.0
    foreign_cosine: float | None = None


# By the beginning of the embedder's name.
CALIBRATIONS = {
    "use-multilingual-3": Calibration(base=5.36, han=2.93, passage=-7.86, sentence=-5.03, cosine=-5.53, foreign_cosine=0.25),
    "multilingual-e5-small": Calibration(base=4.32, han=2.78, passage=-8.85, sentence=-5.40),
}
WORDS_ONLY = Calibration(base=4.32, han=2.78, passage=-8.85, sentence=-5.40)


def calibration_for(embedder: str) -> Calibration:
    """The calibration of an embedder by its name; one that was never measured is judged by words alone."""
    return next((found for name, found in CALIBRATIONS.items() if embedder.startswith(name)), WORDS_ONLY)


def unanswerable_logits(question: str, hits: Sequence[Hit], calibration: Calibration) -> float:
    """How likely the hits (best first) do not answer, in logits; -inf when the question has no words to judge by."""
    wanted = question_words(question)
    if not wanted or not hits:
        return -math.inf if hits else math.inf
    cosine = max((hit.cosine for hit in hits if hit.cosine is not None), default=None)
    if _is_foreign(question, hits[0]) and not wanted & frozenset(words(hits[0].content)):
        return _foreign_logits(cosine, calibration)
    texts = [frozenset(words(f"{hit.doc_title}\n{hit.section_titles}\n{hit.content}")) for hit in hits[:BACKGROUND_HITS]]
    weights = rarity(wanted, texts)
    passage = max(covered(weights, text) for text in texts[:PASSAGES])
    sentence = max(
        (covered(weights, frozenset(words(hit.content[start:end]))) for hit in hits[:1] for start, end in sentence_spans(hit.content)),
        default=0.0,
    )
    logits = calibration.base + calibration.passage * passage + calibration.sentence * sentence
    if script_of(question) == "han":
        logits += calibration.han
    return logits + calibration.cosine * (cosine or 0.0)


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
