"""Summaries without a model: the sentences that say most, in the words of the document. Pure, the same every time.

A sentence weighs as much as its content words are frequent in the text (their mean log frequency); the first sentences of
a text weigh more; what was said already counts against a sentence (maximal marginal relevance, Carbonell and Goldstein
1998). Chosen by measurement against sentence embeddings (docs/decisions/0010-summaries.md): better, and five times as fast.
Numbers, names, denials and exceptions where the text has few of them go first (docs/decisions/0014-summaries.md).
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from es_mappings.tokens import count_tokens
from ingest.claims.wording import CJK, content_terms
from ingest.sentences import sentence_spans
from ingest.summaries.checkable import outstanding
from ingest.summaries.making import Made
from ingest.summaries.prompts import Passage
from ingest.summaries.tree import Step

MODEL = "extractive"
# A short sentence is weighed as if it had this many content words, so that it does not win by one frequent word.
_LEAST_TERMS = 6
_RELEVANCE = 0.8
# The room for sentences that stand out by what can be checked in them. On 25 stories (SQuALITY) it changes ROUGE-1 by +0.0001; of 40
# planted facts 30 are kept with it and none without (docs/benchmarks.md).
_OUTSTANDING_SHARE = 0.15
_OPENING_WEIGHT, _OPENING_SENTENCES = 1.0, 5
_SHORTEST_TOKENS, _LONGEST_TOKENS = 6, 90
_UNMARKED_TOKENS = 20
_MARKED_END = re.compile(r"[.!?…:;。！？：；｡][\"'”’』」)）\]\d]*$")
_LEAST_LETTERS, _MOST_CODE = 0.6, 0.05
_CODE = re.compile(r"[{}<>=;$\\_]")
_REPEATED = 0.8
_SMALL_REST = 12
_CHAPTER_TOKENS = 25
_STRETCH = 4
_LETTER = re.compile(rf"[A-Za-zÀ-ÖØ-öø-ÿ\s,.;:’'\"“”{CJK}，。；：、！？（）]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence that may be chosen: its passage, its place among that passage's sentences, its words and tokens."""

    text: str
    passage: int
    place: int
    terms: frozenset[str]
    tokens: int


class ExtractiveMaker:
    """Makes the steps of a plan without any request; see `mapreduce.Maker`."""

    model = MODEL
    requests = 0

    def make(self, step: Step, passages: Sequence[Passage], source_hash: str) -> Made:
        """The extract of what a step reads; for a document, chapter by chapter under their headings."""
        text = extract_by_chapter(passages, step.limit) if step.role == "document" else extract(passages, step.limit)
        return Made(source_hash=source_hash, text=text, tokens=count_tokens(text))


def extract(passages: Sequence[Passage], limit: int) -> str:
    """The best sentences in reading order, at most `limit` tokens, at least one from each passage that the room allows."""
    sentences = candidates(passages)
    return " ".join(sentence.text for sentence in chosen(sentences, limit)) if sentences else _opening(passages, limit)


def extract_by_chapter(passages: Sequence[Passage], limit: int) -> str:
    """A line for each passage, "HEADING: its sentences", so that no chapter is passed over.

    With very many chapters the lines grow shorter, then hold the headings alone, and at four times the limit a last line
    says how many more there are.
    """
    sentences = candidates(passages)
    room = max(limit - sum(count_tokens(passage.heading) + 2 for passage in passages), _CHAPTER_TOKENS * len(passages))
    if room > limit * _STRETCH:
        return _headings([passage.heading for passage in passages if passage.heading], limit * _STRETCH)
    lines: dict[int, list[str]] = {index: [] for index in range(len(passages))}
    for sentence in chosen(sentences, room):
        lines[sentence.passage].append(sentence.text)
    return "\n".join(f"{passages[i].heading}: {' '.join(said)}".strip(": ") for i, said in lines.items() if said or passages[i].heading)


def candidates(passages: Sequence[Passage]) -> list[Sentence]:
    """The sentences that could stand in a summary: not too short or long, words rather than code or table rows."""
    found: list[Sentence] = []
    for index, passage in enumerate(passages):
        place = 0
        for start, end in sentence_spans(passage.text):
            text = " ".join(passage.text[start:end].split())
            tokens = count_tokens(text)
            if not _SHORTEST_TOKENS <= tokens <= _LONGEST_TOKENS or not _reads_as_prose(text) or _is_heading(text, tokens):
                continue
            found.append(Sentence(text=text, passage=index, place=place, terms=content_terms(text), tokens=tokens))
            place += 1
    return found


def _is_heading(text: str, tokens: int) -> bool:
    """A short piece that ends without a mark: a heading, a caption, a field of a form."""
    return tokens < _UNMARKED_TOKENS and not _MARKED_END.search(text)


def _reads_as_prose(text: str) -> bool:
    return (
        len(_LETTER.findall(text)) >= len(text) * _LEAST_LETTERS and len(_CODE.findall(text)) <= len(text) * _MOST_CODE and "|" not in text
    )


def chosen(sentences: Sequence[Sentence], limit: int) -> list[Sentence]:
    """The best sentences within `limit` tokens in reading order: first one of each passage, then the best of all.

    A sentence that stands out by what can be checked in it goes before one that is merely central: as the one sentence of its
    passage, and within a share of the room.
    """
    return [sentences[i] for i in _Choice(sentences, limit).made()]


class _Choice:
    """The choosing of sentences: what is taken, what waits, and how much of what waits was said already."""

    def __init__(self, sentences: Sequence[Sentence], limit: int) -> None:
        self._sentences, self._limit = sentences, limit
        frequency = Counter(term for sentence in sentences for term in sentence.terms)
        self._rarity = {term: math.log(1 + count) for term, count in frequency.items()}
        self._salience = _salience(sentences, self._rarity)
        self._weights = [sum(self._rarity[term] for term in sentence.terms) for sentence in sentences]
        self._outstanding = outstanding([sentence.text for sentence in sentences])
        self._said = [0.0] * len(sentences)
        self._taken: list[int] = []
        self._waiting = {i for i, sentence in enumerate(sentences) if sentence.tokens <= limit}
        self._unspoken = {sentence.passage for sentence in sentences}
        self._used = self._used_by_outstanding = 0

    def made(self) -> list[int]:
        """The places of the chosen sentences in order."""
        while self._waiting and self._limit - self._used >= _SMALL_REST:
            self._take(self._best())
        return sorted(self._taken)

    def _best(self) -> int:
        pool = [i for i in self._waiting if self._sentences[i].passage in self._unspoken]
        ahead = [i for i in pool or self._waiting if i in self._outstanding and (self._several_unspoken() or self._has_share(i))]
        if ahead:
            return max(ahead, key=lambda i: (self._salience[i], -i))
        return max(pool or self._waiting, key=lambda i: (_RELEVANCE * self._salience[i] - (1 - _RELEVANCE) * self._said[i], -i))

    def _several_unspoken(self) -> bool:
        """Whether passages still wait for the one sentence that is theirs, where there are several passages at all."""
        return bool(self._unspoken) and self._sentences[0].passage != self._sentences[-1].passage

    def _has_share(self, sentence: int) -> bool:
        return self._used_by_outstanding + self._sentences[sentence].tokens <= self._limit * _OUTSTANDING_SHARE

    def _take(self, best: int) -> None:
        taken = self._sentences[best]
        self._waiting.discard(best)
        self._taken.append(best)
        self._used += taken.tokens
        self._used_by_outstanding += taken.tokens if best in self._outstanding else 0
        self._unspoken.discard(taken.passage)
        for i in self._waiting:
            both = self._weights[i] + self._weights[best]
            shared = sum(self._rarity[term] for term in self._sentences[i].terms & taken.terms)
            self._said[i] = max(self._said[i], 2 * shared / both if both else 0.0)
        rest = self._limit - self._used
        self._waiting = {i for i in self._waiting if self._said[i] < _REPEATED and self._sentences[i].tokens <= rest}


def _salience(sentences: Sequence[Sentence], rarity: dict[str, float]) -> list[float]:
    """The weight of each sentence in 0..1."""
    plain = [sum(rarity[term] for term in sentence.terms) / max(_LEAST_TERMS, len(sentence.terms)) for sentence in sentences]
    mean = sum(plain) / max(1, len(plain))
    spread = math.sqrt(sum((value - mean) ** 2 for value in plain) / max(1, len(plain))) or 1.0
    weighed = [
        (value - mean) / spread + _OPENING_WEIGHT * math.exp(-sentence.place / _OPENING_SENTENCES)
        for value, sentence in zip(plain, sentences, strict=True)
    ]
    low, high = min(weighed, default=0.0), max(weighed, default=1.0)
    return [(value - low) / (high - low or 1.0) for value in weighed]


def _opening(passages: Sequence[Passage], limit: int) -> str:
    """What the text begins with, for text without sentences: whole lines within the limit, at least one."""
    lines = [line.strip() for passage in passages for line in passage.text.splitlines() if line.strip()]
    kept: list[str] = []
    for line in lines:
        if kept and count_tokens("\n".join([*kept, line])) > limit:
            break
        kept.append(line)
    return "\n".join(kept)


def _headings(headings: Sequence[str], limit: int) -> str:
    kept: list[str] = []
    used = 0
    for heading in headings:
        used += count_tokens(heading) + 1
        if used > limit:
            break
        kept.append(heading)
    rest = len(headings) - len(kept)
    return "\n".join([*kept, f"... {rest} more"] if rest else kept)
