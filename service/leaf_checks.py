"""Numbers, negations and exceptions of sentences that come from summaries, held against the text that the summaries were made from."""

import re
from collections.abc import Sequence
from typing import Any

from es_mappings.index import Index
from ingest.claims.evidence import Evidence
from ingest.claims.statements import Statement, key_points, statements
from ingest.claims.support import unsupported
from ingest.language import language_of
from service.scope import Scope, search_body
from service.signals import Match
from service.signals.lexical import first_terms

# Chunks read for each sentence, and the most sentences that are checked: one request in all.
LEAVES = 8
MOST_SENTENCES = 40
_CHECKED = frozenset({"number", "negation", "exception"})
_MARKERS = re.compile(r"\s?\[\d{1,4}\]")


def doubtful(index: Index, scope: Scope, answer: str) -> tuple[str, ...]:
    """The sentences of an answer of which a number, a negation or an exception is not borne out by the text in `scope`.

    Sentences in another language than the text are left alone: they cannot be compared. Raises IndexUnavailable, IndexRefused.
    """
    lines = [line for line in _MARKERS.sub("", answer).splitlines() if line.strip()]  # a heading is no part of the sentence below it
    said = [one for one in statements(lines) if _has_point(one)][:MOST_SENTENCES]
    bodies = [{**search_body(scope, _near(one.text), LEAVES), "_source": ["section_titles", "content"]} for one in said]
    found = [[_told(hit["_source"]) for hit in response["hits"]["hits"]] for response in index.msearch(bodies)]
    return tuple(one.text for one, leaves in zip(said, found, strict=True) if leaves and _is_doubtful(one, leaves))


def _told(source: dict[str, Any]) -> str:
    """A chunk below its headings, each a line of its own: a heading is said by the text, too."""
    return "\n\n".join([*source.get("section_titles", "").split(" / "), source["content"]])


def _has_point(statement: Statement) -> bool:
    return any(point.kind in _CHECKED for point in key_points([statement]))


def _near(text: str) -> Match:
    return Match(
        query={
            "multi_match": {
                "query": first_terms(text, 100),
                "type": "cross_fields",
                "fields": ["section_titles", "content", "content.single"],
            }
        }
    )


def _is_doubtful(statement: Statement, leaves: Sequence[str]) -> bool:
    languages = language_of(statement.text), language_of(" ".join(leaves))
    if None not in languages and languages[0] != languages[1]:
        return False
    return any(fault.reason in _CHECKED for fault in unsupported([statement], Evidence(statements(leaves))))
