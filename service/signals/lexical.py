"""Words: each term counts once, in the field where it weighs most (title 3, section titles 2, content 1).

`cross_fields` over words with Chinese bigrams, and again over single characters. Measured (docs/decisions/0008-fusion.md): on
CMRC hit@1 0.986 with titles and 0.966 without; `most_fields` with these weights falls to 0.944, because a heading that stands
in both title fields is counted twice. Where all of the text stands word for word, that counts as well: it never happens to whole
questions, and for names and terms it is what is looked for (short answers of CMRC, hit@1 0.91 -> 0.98; docs/decisions/0018).
"""

import re
from typing import Any

from service.signals import Clause, Match, Question, Scale
from service.words import content_text

NAME = "lexical"
SCALE: Scale = "score"
WEIGHT = 1.0
FIELDS = ("title^3", "section_titles^2", "content")
# A term costs six clauses; Elasticsearch allows 1,024 of them on the smallest heap and about 8,000 on one of 512 MB.
MOST_TERMS = 500
_TERM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
SINGLE_FIELDS = ("title.single^3", "section_titles.single^2", "content.single")
PHRASE_FIELDS = ("title.single", "content.single")


def clause(question: Question) -> Clause | None:
    """The words of the question, any of them."""
    if not question.text:
        return None
    text = first_terms(content_text(question.text))
    return Match(query={"bool": {"should": [_across(text, FIELDS), _across(text, SINGLE_FIELDS), verbatim(first_terms(question.text))]}})


def verbatim(text: str) -> dict[str, Any]:
    """The text as a phrase of single characters: bigrams at its ends would differ from those of the running text."""
    return {"multi_match": {"query": text, "type": "phrase", "fields": list(PHRASE_FIELDS)}}


def first_terms(text: str, most: int = MOST_TERMS) -> str:
    """The text up to its `most`-th word or ideograph."""
    for count, term in enumerate(_TERM.finditer(text), 1):
        if count == most:
            return text[: term.end()]
    return text


def _across(text: str, fields: tuple[str, ...]) -> dict[str, Any]:
    return {"multi_match": {"query": text, "type": "cross_fields", "fields": list(fields)}}
