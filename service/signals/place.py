"""A question that only names a place ("the content of chapter 3") gets that place from its beginning."""

from service.signals import Clause, Match, Question, Scale

NAME = "place"
SCALE: Scale = "rank"
WEIGHT = 1.0


def clause(question: Question) -> Clause | None:
    """Everything in scope in reading order, when there are no words to search for."""
    return None if question.text else Match(query={"match_all": {}}, in_order=True)
