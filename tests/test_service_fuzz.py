"""Requests made from the OpenAPI document itself: none is a fault, none gets an undocumented answer, what fits is taken."""

from pathlib import Path

import hypothesis
import schemathesis
from staged_service import Script, staged_app

from es_mappings.settings import read_settings

APP = staged_app(read_settings(home=Path("never-written"), host="localhost"), Script())
SCHEMA = schemathesis.openapi.from_wsgi("/openapi.json", APP).include(
    path_regex=r"^/(api/(search|answers|status|documents/\{doc_id\}/summary|collections/.+)|healthz|readyz)$"
)


@SCHEMA.parametrize()
@hypothesis.settings(max_examples=60, deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
def test_what_the_document_allows_is_taken_and_nothing_else(case: schemathesis.Case) -> None:
    case.call_and_validate()
