"""Sentences as statements that can be compared, and the points in them that a summary must not lose or change. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ingest.claims.figures import Figure, figures
from ingest.claims.names import inner_names, names
from ingest.claims.polarity import clauses, denies, excepted_part, excepts, forbids
from ingest.claims.wording import content_terms
from ingest.sentences import sentence_spans

PointKind = Literal["number", "name", "exception", "negation"]
_LEAST_TERMS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One sentence of a section (an index that the caller gives): its content words without its figures, these, and its names."""

    text: str
    section: int
    terms: frozenset[str]
    figures: tuple[Figure, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPoint:
    """Something checkable that a sentence says: `value` as written (the number, the name, the denied or excepted words).

    `weight` orders points by how much a reader would miss them (larger first); `statement` is the sentence's index.
    """

    kind: PointKind
    value: str
    statement: int
    weight: float


def statements(texts: Sequence[str]) -> tuple[Statement, ...]:
    """The sentences of texts, whose places are the sections, in order."""
    known = frozenset(word for text in texts for word in inner_names(text))
    return tuple(_statement(text[start:end], section, known) for section, text in enumerate(texts) for start, end in sentence_spans(text))


def _statement(sentence: str, section: int, known: frozenset[str]) -> Statement:
    found = figures(sentence)
    plain = sentence
    for figure in found:
        plain = plain[: figure.start] + " " * (figure.end - figure.start) + plain[figure.end :]
    return Statement(text=sentence, section=section, terms=content_terms(plain), figures=found, names=names(sentence, known))


def key_points(found: Sequence[Statement]) -> tuple[KeyPoint, ...]:
    """The checkable points of statements in order; a number, a name and a value count once a section."""
    points: list[KeyPoint] = []
    seen: set[tuple[int, str, str]] = set()
    for index, statement in enumerate(found):
        for kind, value, weight in _points(statement):
            key = (statement.section, kind, value.casefold())
            if key not in seen:
                seen.add(key)
                points.append(KeyPoint(kind=kind, value=value, statement=index, weight=weight))
    return tuple(points)


def _points(statement: Statement) -> list[tuple[PointKind, str, float]]:
    if len(statement.terms) < _LEAST_TERMS:
        return []
    points: list[tuple[PointKind, str, float]] = []
    for figure in statement.figures:
        weight = 3.0 if figure.unit else 2.0 if len(figure.value) > 1 else 1.0
        points.append(("number", statement.text[figure.start : figure.end].strip(), weight))
    points += [("name", name, 2.5 if " " in name or not name.isascii() else 1.5) for name in statement.names]
    if excepts(statement.text):
        points.append(("exception", excepted_part(statement.text).strip(" ,，。."), 3.0))
    if any(denies(clause) for clause in clauses(statement.text)):
        points.append(("negation", statement.text, 2.2 if forbids(statement.text) else 1.0))
    return points
