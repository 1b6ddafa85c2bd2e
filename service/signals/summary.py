"""Summaries: for an overview or a comparison, the summaries of sections, documents and themes beside the chunks."""

from service.signals import Clause, Match, Question, Scale
from service.signals.lexical import FIELDS

NAME = "summary"
SCALE: Scale = "top"
WEIGHT = 12.0
KINDS = ("section", "document", "cluster")


def clause(question: Question) -> Clause | None:
    """Summaries that share words with the question, or all of them when it has no words of its own."""
    if question.kind not in ("overview", "comparison"):
        return None
    if not question.text:
        return Match(query={"match_all": {}}, in_order=True, kinds=KINDS)
    return Match(query={"multi_match": {"query": question.text, "type": "cross_fields", "fields": list(FIELDS)}}, kinds=KINDS)
