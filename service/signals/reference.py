"""Cross-references: for a question about what refers to a section or where that section points, the chunks on both ends of the arrow."""

from typing import Any

from service.signals import Clause, Match, Question, Scale

NAME = "reference"
SCALE: Scale = "top"
# Above any text match: the question is about the arrows, not about words.
WEIGHT = 200.0
OWN_TEXT_SHARE = 0.5


def clause(question: Question) -> Clause | None:
    """What points to the sections in question, and what in them points elsewhere, or the one that is asked for.

    Asked for both, the sections' own text follows at half the score, whatever it points to.
    """
    if question.kind != "reference" or not (question.labels or question.places):
        return None
    own = [{"match": {"section_key": place.key}} for place in question.places]
    arrows = [{"terms": {"reference_keys": [place.key for place in question.places]}}, *_labelled(question)]
    pointing = [{"exists": {"field": "reference_keys"}}, {"exists": {"field": "reference_labels"}}]
    if question.direction == "outgoing":
        return Match(query=_scored({"bool": {"filter": [_any_of(own), _any_of(pointing)]}}, 1.0), in_order=True)
    if question.direction == "incoming":
        return Match(query=_scored({"bool": {"filter": [_any_of(arrows)], "must_not": own}}, 1.0))
    return Match(query={"dis_max": {"queries": [_scored(_any_of(arrows), 1.0), _scored(_any_of(own), OWN_TEXT_SHARE)]}})


def _labelled(question: Question) -> list[dict[str, Any]]:
    """References by label alone count inside the documents that have the section: elsewhere "chapter 3" is another chapter."""
    inside = sorted({place.doc_id for place in question.places})
    labels: list[dict[str, Any]] = []
    if question.labels:
        here = [{"terms": {"reference_labels": list(question.labels)}}, {"terms": {"doc_id": inside}}]
        labels.append({"bool": {"filter": here}})
    if question.foreign_labels:
        labels.append({"terms": {"reference_labels": list(question.foreign_labels)}})
    return labels


def _any_of(queries: list[dict[str, Any]]) -> dict[str, Any]:
    return {"bool": {"should": queries, "minimum_should_match": 1}}


def _scored(query: dict[str, Any], score: float) -> dict[str, Any]:
    return {"constant_score": {"filter": query, "boost": score}}
