"""The gold of each question as it stands in the index: names of sections become keys, and one that means nothing is told at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from es_mappings.access import AccessRegistry, Reader
from es_mappings.index import Index
from service.evaluation.gold import Gold, GoldAnswer, GoldQuote, GoldSection
from service.evaluation.questions import Question, refuse
from service.known_titles import KnownTitles
from service.planning import document_names
from service.resolution import resolve
from service.scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A question with the gold by which its retrieval is judged: its sections, else its quotes, else its answers; () if unanswerable."""

    question: Question
    golds: tuple[Gold, ...]


def with_gold(questions: Sequence[Question], file: str, *, index: Index, access: AccessRegistry, reader: Reader) -> tuple[Judged, ...]:
    """The questions with their gold. Raises InvalidRequest naming each line whose document or section the reader cannot see."""
    titles = KnownTitles(index)
    judged: list[Judged] = []
    faults: list[str] = []
    for question in questions:
        scope = Scope(access=access.keys_for(reader), collection=question.collection)
        names = document_names(titles.of(scope))
        wanted = (*question.documents, *((question.gold_document,) if question.gold_document else ()))
        unknown = [name for name in wanted if name not in names and name.casefold() not in names]
        if unknown:
            faults.append(f"line {question.line}: there is no document {unknown[0]!r}")
            continue
        golds = tuple(_golds(question, names, scope, index))
        empty = [name for name, gold in zip(question.sections, golds, strict=False) if isinstance(gold, GoldSection) and not gold.keys]
        if empty:
            faults.append(f"line {question.line}: there is no section {empty[0]!r} there")
        judged.append(Judged(question=question, golds=golds))
    refuse(file, faults)
    return tuple(judged)


def _golds(question: Question, names: dict[str, str], scope: Scope, index: Index) -> Iterator[Gold]:
    if question.sections:
        within = (question.gold_document,) if question.gold_document else question.documents
        documents = tuple(names.get(name) or names[name.casefold()] for name in within)
        place = Scope(access=scope.access, collection=scope.collection, documents=documents)
        for found in resolve(index, place, question.sections):
            yield GoldSection(tuple(section.section_key for section in found.sections))
    elif question.quotes:
        yield from map(GoldQuote, question.quotes)
    elif question.answers:
        yield GoldAnswer(question.answers)
