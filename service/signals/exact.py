"""Which nodes hold the words of the question, all of them. It ranks nothing itself: it tells keywords from questions.

Where such a node exists the words decide and vectors only break ties: for keywords (an identifier, a name, an error code) the
nearest vectors mislead. Measured: keywords from CMRC answers, hit@1 0.93 by words, 0.26 by vectors; 0.81 when fused as if they
were questions, 0.92 with this. Whole questions match so hardly ever (3 % of CMRC's, 6 % of PolicyQA's) and then lose nothing.
"""

from service.signals import Clause, Match, Question, Scale
from service.signals.lexical import first_terms, verbatim

NAME = "exact"
SCALE: Scale = "whole"
WEIGHT = 0.0
FIELDS = ("title", "section_titles", "content")
# All of up to 3 terms, 9 of 10 beyond: Chinese bigrams across the border of two words need not stand in the text.
TERMS_NEEDED = "3<90%"


def clause(question: Question) -> Clause | None:
    """The words, across the title fields and the content together, or all of it word for word."""
    if not question.text or first_terms(question.text) != question.text:
        return None  # nobody types 500 keywords
    words = {"query": question.text, "type": "cross_fields", "minimum_should_match": TERMS_NEEDED, "fields": list(FIELDS)}
    return Match(query={"bool": {"should": [{"multi_match": words}, verbatim(question.text)]}}, most=1)
