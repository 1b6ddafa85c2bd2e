"""From outcomes to figures by question type, and the comparison of two runs. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from service.evaluation.intervals import NOTHING, Part, difference, estimate
from service.models.evaluation import Change, Comparison, EvaluationReply, Figure, Outcome

ALL = "all"
TYPES = (ALL, "local", "cross_chapter", "overview")


def reported(
    outcomes: Sequence[Outcome], *, file: str, questions: int, settings: dict[str, Any], other: tuple[str, EvaluationReply] | None = None
) -> EvaluationReply:
    """The report of a run over `questions` questions of a file, compared with the run of another file when one is given."""
    return EvaluationReply(
        file=file,
        is_complete=len(outcomes) == questions,
        questions=questions,
        settings=settings,
        figures=list(figures_of(outcomes)),
        outcomes=list(outcomes),
        comparison=compared(outcomes, *other) if other else None,
    )


def figures_of(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """Every figure for all questions and for each type that there is, in the order of the figures."""
    for name in _names(outcomes):
        for type_, chosen in _by_type(outcomes):
            found = estimate([outcome.parts.get(name, NOTHING) for outcome in chosen])
            if found is not None:
                yield Figure(name=name, type=type_, value=found.value, low=found.low, high=found.high, questions=found.questions)


def compared(outcomes: Sequence[Outcome], name: str, other: EvaluationReply) -> Comparison:
    """This run less another one, over the questions (by id and wording) that both asked without a failure."""
    theirs = {(outcome.id, outcome.question): outcome for outcome in other.outcomes if outcome.error is None}
    asked = [outcome for outcome in outcomes if outcome.error is None]
    shared = [outcome for outcome in asked if (outcome.id, outcome.question) in theirs]
    return Comparison(
        other=name,
        other_settings=other.settings,
        changes=list(_changes(shared, theirs)),
        only_here=len(asked) - len(shared),
        only_there=len(theirs) - len(shared),
    )


def _changes(shared: Sequence[Outcome], theirs: dict[tuple[str, str], Outcome]) -> Iterator[Change]:
    for name in _names(shared):
        for type_, chosen in _by_type(shared):
            before = [_part(theirs[outcome.id, outcome.question], name) for outcome in chosen]
            found = difference(before, [_part(outcome, name) for outcome in chosen])
            if found is not None:
                yield Change(
                    name=name,
                    type=type_,
                    value=found.value,
                    low=found.low,
                    high=found.high,
                    questions=found.questions,
                    is_clear=found.is_clear,
                )


def _names(outcomes: Iterable[Outcome]) -> list[str]:
    """The figures that any question concerns, in the order in which a full question has them."""
    return list(dict.fromkeys(name for outcome in sorted(outcomes, key=lambda o: -len(o.parts)) for name in outcome.parts))


def _by_type(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, Sequence[Outcome]]]:
    """All questions, then those of each type, where there is more than one type."""
    yield ALL, outcomes
    present = [type_ for type_ in TYPES if any(outcome.type == type_ for outcome in outcomes)]
    if len(present) > 1:
        for type_ in present:
            yield type_, [outcome for outcome in outcomes if outcome.type == type_]


def _part(outcome: Outcome, name: str) -> Part:
    return outcome.parts.get(name, NOTHING)
