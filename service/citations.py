"""Markers in an answer held against the packed passages: what was not packed is removed, what nothing supports is named. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ingest.sentences import sentence_spans
from service.results import Citation, Passage
from service.words import words

# A sentence is supported when this share of its words stands in the passages that it cites (or, uncited, in any).
SUPPORTED_SHARE = 0.5
QUOTE_CHARACTERS = 400
_MARKER = re.compile(r"\s?[\[【]\s*((?:\d{1,4}|[nN]\d{1,4})(?:\s*[,，、;-]\s*\d{1,4})*)\s*[\]】]")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_EMPTY_BRACKETS = re.compile(r"\s?\[\s*\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """An answer whose markers all name packed passages, its citations in order, and its sentences without support."""

    text: str
    citations: tuple[Citation, ...]
    unsupported: tuple[str, ...]


def check(answer: str, passages: Sequence[Passage]) -> Checked:
    """Remove markers of passages that were not packed, quote the sentence behind each citation, find what nothing supports."""
    known = {passage.n: passage for passage in passages}
    text = _only_known(answer, known)
    cited: dict[int, str] = {}
    unsupported: list[str] = []
    for start, end in _statements(text):
        sentence = text[start:end]
        numbers = [n for n in _numbers(sentence) if n in known]
        bare = _MARKER.sub("", sentence).strip()
        for n in numbers:
            cited.setdefault(n, bare)
        if not is_supported(bare, [known[n] for n in numbers] or passages):
            unsupported.append(bare)
    citations = tuple(cite(known[n], best_quote(sentence, known[n])) for n, sentence in cited.items())
    return Checked(text=text, citations=citations, unsupported=tuple(unsupported))


def _only_known(answer: str, known: dict[int, Passage]) -> str:
    """The answer without unknown markers; again until nothing changes, because taking one out may leave another ("[[9]8]")."""
    text, before = answer, None
    while text != before:
        before = text
        text = _EMPTY_BRACKETS.sub("", _MARKER.sub(lambda marker: _kept(marker, known), text)).strip()
    return text


def cited_sentences(answer: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The sentences of an answer without their markers, each with the numbers that it cites; what has no letter or digit is left out."""
    found = [(answer[start:end], _numbers(answer[start:end])) for start, end in _statements(answer)]
    bare = [(_MARKER.sub("", sentence).strip(), tuple(numbers)) for sentence, numbers in found]
    return tuple((sentence, numbers) for sentence, numbers in bare if any(map(str.isalnum, sentence)))


def cite(passage: Passage, quote: str) -> Citation:
    """The citation of a passage with the words quoted from it."""
    return Citation(
        n=passage.n,
        id=passage.hit.id,
        doc_id=passage.hit.doc_id,
        doc_title=passage.hit.doc_title,
        section_path=passage.hit.section_path,
        page=passage.page_start,
        quote=quote[:QUOTE_CHARACTERS],
    )


def best_quote(statement: str, passage: Passage) -> str:
    """The sentence of a passage that shares most words with a statement, verbatim."""
    wanted = frozenset(words(statement))
    spans = sentence_spans(passage.content)
    sentences = [passage.content[start:end] for start, end in spans] or [passage.content]
    return max(sentences, key=lambda sentence: (len(wanted & frozenset(words(sentence))), -len(sentence)))


def is_supported(statement: str, passages: Iterable[Passage]) -> bool:
    """Whether half of a statement's words, and all of its numbers, stand in the passages; a statement without words is."""
    wanted = frozenset(words(statement))
    if not wanted:
        return True
    texts = [f"{passage.heading}\n{passage.content}" for passage in passages]
    having = frozenset(word for text in texts for word in words(text))
    numbers = frozenset(number for text in texts for number in _NUMBER.findall(text))
    return len(wanted & having) >= SUPPORTED_SHARE * len(wanted) and numbers.issuperset(_NUMBER.findall(statement))


def _statements(text: str) -> list[tuple[int, int]]:
    """The sentences of an answer, each with the markers that follow it: "It is so. [1] Next" belongs to the first."""
    spans: list[tuple[int, int]] = []
    for start, end in sentence_spans(text):
        lead = _MARKER.match(text, start)
        while lead and spans:
            spans[-1] = (spans[-1][0], lead.end())
            start = lead.end()
            lead = _MARKER.match(text, start)
        if text[start:end].strip():
            spans.append((start, end))
    return spans


def _kept(marker: re.Match[str], known: dict[int, Passage]) -> str:
    """The marker in its one form, [1] or [1][2], without the numbers that were not packed."""
    kept = [n for n in _numbers(marker.group()) if n in known]
    lead = " " if marker.group()[:1].isspace() and kept else ""
    return lead + "".join(f"[{n}]" for n in kept)


def _numbers(text: str) -> list[int]:
    """The numbers of all markers in a text, ranges opened ("[2-4]" is 2, 3 and 4), each once."""
    found: list[int] = []
    for marker in _MARKER.finditer(text):
        for part in re.split(r"\s*[,，、;]\s*", marker[1]):
            first, _, last = part.lstrip("nN").partition("-")
            if first.strip().isdigit():
                stop = int(last) if last.strip().isdigit() else int(first)
                found.extend(range(int(first), min(stop, int(first) + 20) + 1))
    return list(dict.fromkeys(found))
