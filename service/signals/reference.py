"""Cross-references: for a question about what refers to a section or where that section points, the chunks on both ends of the arrow."""

from typing import Any

from service.signals import Clause, Match, Question, Scale

NAME = "reference"
SCALE: Scale = "top"
# Above any text match: the question is about the arrows, not about words.
WEIGHT = 200.0
OWN_TEXT_SHARE = 0.5


def clause(question: Question) -> Clause | None:
    """What points to the sections in question, and at half its score those sections themselves, whose pointers are listed in them."""
    if question.kind != "reference" or not (question.labels or question.places):
        return None
    keys = [place.key for place in question.places]
    arrows: list[dict[str, Any]] = [
        {"constant_score": {"filter": {"terms": {field: values}}, "boost": 1.0}}
        for field, values in (("reference_labels", list(question.labels)), ("reference_keys", keys))
        if values
    ]
    own = [{"constant_score": {"filter": {"match": {"section_key": key}}, "boost": OWN_TEXT_SHARE}} for key in keys]
    return Match(query={"dis_max": {"queries": [*arrows, *own]}})
