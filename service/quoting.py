"""Answers without a model: quoted sentences, summaries as they stand, sides one after the other. Pure but for the vectors passed in."""

import re
from collections.abc import Callable, Sequence

from ingest.embedding import Vectors
from ingest.sentences import sentence_spans
from service.extractive import Sentence, best_sentences, leading_sentences
from service.results import Passage

SIDE_SENTENCES = 3
OVERVIEW_SENTENCES = 6
# Chapters of which an overview without summaries quotes how they begin.
BEGINNINGS = 40
_LINE_END = re.compile(r"[ \t]*\n\s*\n\s*")

Quoted = tuple[str, tuple[Sentence, ...]]
"""An answer with its markers, and the sentences that it quotes."""


def quoted(sentences: Sequence[Sentence]) -> Quoted:
    """Sentences on lines of their own, each with its citation."""
    return "\n".join(f"{sentence.text} [{sentence.n}]" for sentence in sentences), tuple(sentences)


def summaries_told(passages: Sequence[Passage]) -> Quoted:
    """Summaries as they stand, each paragraph cited; of several each under its heading."""
    told, sentences = [], []
    for passage in passages:
        paragraphs = [part.strip() for part in _LINE_END.split(passage.content) if part.strip()]
        cited = "\n\n".join(f"{part} [{passage.n}]" for part in paragraphs)
        is_named = len(passages) == 1 or cited.startswith(f"{passage.hit.title}:")
        told.append(cited if is_named else f"{passage.hit.title}: {cited}")
        sentences.append(_first(passage))
    return "\n\n".join(told), tuple(sentences)


def beginnings(passages: Sequence[Passage]) -> Quoted:
    """The first sentence of each passage under its heading: what stands in for an overview while no summary is made."""
    firsts = [_first(passage) for passage in passages[:BEGINNINGS]]
    titles = {passage.n: passage.hit.title for passage in passages}
    return "\n".join(f"{titles[one.n]}: {one.text} [{one.n}]" for one in firsts), tuple(firsts)


def compared(
    question: str,
    names: Sequence[str],
    sides: Sequence[Sequence[Passage]],
    embed: Callable[[Sequence[str]], Vectors] | None,
    vector: Vectors | None,
) -> Quoted:
    """The best sentences of each side under its name; when nothing but the sides is asked about, how each text of a side begins."""
    told: list[str] = []
    sentences: list[Sentence] = []
    for name, passages in zip(names, sides, strict=True):
        best = best_sentences(question, passages, embed, vector, SIDE_SENTENCES) if question else _opening(passages)
        if best:
            told.append(f"{name}:\n" + quoted(best)[0])
            sentences += best
    return "\n\n".join(told), tuple(sentences)


def led(passages: Sequence[Passage]) -> Quoted:
    """What a place begins with, when the question names only the place."""
    return quoted(leading_sentences(passages))


def _opening(passages: Sequence[Passage]) -> tuple[Sentence, ...]:
    """The first sentences of a side: three of its one text, one of each of several."""
    if len(passages) == 1:
        passage = passages[0]
        spans = sentence_spans(passage.content)[:SIDE_SENTENCES] or [(0, len(passage.content))]
        return tuple(Sentence(n=passage.n, start=start, text=passage.content[start:end]) for start, end in spans)
    return tuple(_first(passage) for passage in passages[:OVERVIEW_SENTENCES])


def _first(passage: Passage) -> Sentence:
    spans = sentence_spans(passage.content)
    start, end = spans[0] if spans else (0, len(passage.content))
    return Sentence(n=passage.n, start=start, text=passage.content[start:end])
