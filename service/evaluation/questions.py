"""The questions of a file, checked before anything is asked."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from es_mappings.errors import InvalidRequest
from service.models.evaluation import EvaluationQuestion, QuestionType, parse_question
from service.models.requests import as_tuple

FAULTS_TOLD = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A line of a question file; see docs/reference/evaluation.md for the fields."""

    line: int
    id: str
    text: str
    type: QuestionType
    unanswerable: bool
    sections: tuple[str, ...]
    quotes: tuple[str, ...]
    answers: tuple[str, ...]
    documents: tuple[str, ...]
    gold_document: str | None
    collection: str | None


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions in order; blank lines are skipped. Raises InvalidRequest that names every wrong line (the first 5) and its faults."""
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidRequest(f"{path.name} is not UTF-8 text: a question file is JSON Lines, one question a line") from None
    questions: list[Question] = []
    faults: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            questions.append(_question(number, parse_question(line)))
        except InvalidRequest as error:
            faults.append(f"line {number}: {error.message}")
    refuse(path.name, [*faults, *_repeated(questions)])
    if not questions:
        raise InvalidRequest(f"{path.name} has no questions: write one JSON object a line (docs/reference/evaluation.md)")
    return tuple(questions)


def refuse(name: str, faults: list[str]) -> None:
    """Raise InvalidRequest with the first faults of a file when there are any."""
    if faults:
        more = f" (and {len(faults) - FAULTS_TOLD} more)" if len(faults) > FAULTS_TOLD else ""
        raise InvalidRequest(f"{name}: {'; '.join(faults[:FAULTS_TOLD])}{more}")


def _question(number: int, given: EvaluationQuestion) -> Question:
    return Question(
        line=number,
        id=given.id or str(number),
        text=given.question,
        type=given.type,
        unanswerable=given.unanswerable,
        sections=tuple(given.sections),
        quotes=tuple(given.quotes),
        answers=tuple(given.answers),
        documents=as_tuple(given.document),
        gold_document=given.gold_document,
        collection=given.collection,
    )


def _repeated(questions: list[Question]) -> Iterator[str]:
    first: dict[str, int] = {}
    for question in questions:
        if first.setdefault(question.id, question.line) != question.line:
            yield f"line {question.line}: its id is that of line {first[question.id]}"
