"""Request models: every bound at its limit and one beyond, unknown keys, and that no input makes anything but a request or a refusal."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from service.models import bounds
from service.models.requests import AnswerBody, DocumentPath, ReadQuery, SearchBody, UploadFields, invalid

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)
TURN = {"role": "user", "content": "and before?"}
NAMES = st.sampled_from(
    ["query", "collection", "document", "section", "exclude_section", "kind", "size", "strategy", "explain", "budget", "history", "x"]
)


@pytest.mark.parametrize(
    ("model", "field", "at_limit", "beyond"),
    [
        (SearchBody, "query", "x" * bounds.QUERY_CHARACTERS, "x" * (bounds.QUERY_CHARACTERS + 1)),
        (SearchBody, "query", "x", ""),
        (SearchBody, "size", 1, 0),
        (SearchBody, "size", bounds.HITS, bounds.HITS + 1),
        (SearchBody, "section", ["x"] * bounds.FILTERS, ["x"] * (bounds.FILTERS + 1)),
        (SearchBody, "section", "x" * bounds.FILTER_CHARACTERS, "x" * (bounds.FILTER_CHARACTERS + 1)),
        (SearchBody, "document", ["x"] * bounds.FILTERS, ["x"] * (bounds.FILTERS + 1)),
        (SearchBody, "exclude_section", ["x"] * bounds.FILTERS, ["x"] * (bounds.FILTERS + 1)),
        (SearchBody, "collection", "x" * bounds.COLLECTION_CHARACTERS, "x" * (bounds.COLLECTION_CHARACTERS + 1)),
        (AnswerBody, "budget", bounds.BUDGET_TOKENS_LEAST, bounds.BUDGET_TOKENS_LEAST - 1),
        (AnswerBody, "budget", bounds.BUDGET_TOKENS_MOST, bounds.BUDGET_TOKENS_MOST + 1),
        (AnswerBody, "history", [TURN] * bounds.TURNS, [TURN] * (bounds.TURNS + 1)),
        (
            AnswerBody,
            "history",
            [{**TURN, "content": "x" * bounds.TURN_CHARACTERS}],
            [{**TURN, "content": "x" * (bounds.TURN_CHARACTERS + 1)}],
        ),
        (AnswerBody, "history", [TURN], [{**TURN, "role": "system"}]),
        (UploadFields, "source", "x" * bounds.NAME_CHARACTERS, "x" * (bounds.NAME_CHARACTERS + 1)),
        (UploadFields, "access", "x" * bounds.GROUPS_CHARACTERS, "x" * (bounds.GROUPS_CHARACTERS + 1)),
        (DocumentPath, "doc_id", "x" * bounds.ID_CHARACTERS, "x" * (bounds.ID_CHARACTERS + 1)),
        (ReadQuery, "after", -1, -2),
    ],
)
def test_a_bound_holds_at_its_limit_and_one_beyond(model: type[BaseModel], field: str, at_limit: Any, beyond: Any) -> None:
    rest = {"query": "x"} if issubclass(model, SearchBody) and field != "query" else {}
    model.model_validate({**rest, field: at_limit})
    with pytest.raises(ValidationError):
        model.model_validate({**rest, field: beyond})


@pytest.mark.parametrize("model", [SearchBody, AnswerBody])
def test_an_unknown_key_is_refused_by_name(model: type[SearchBody]) -> None:
    with pytest.raises(ValidationError) as caught:
        model.model_validate({"query": "x", "groups": ["hr"]})
    assert "groups: no such field" in invalid(caught.value).message


@given(st.dictionaries(NAMES, JSON) | JSON)
def test_a_refusal_is_short_and_repeats_no_value(body: Any) -> None:
    canary = "canary-7f3a"
    if isinstance(body, dict):
        body = {**body, "kind": canary}
    with pytest.raises(ValidationError) as caught:
        AnswerBody.model_validate(body)
    refusal = invalid(caught.value)
    assert canary not in refusal.message
    assert refusal.status == 400
    assert len(refusal.message) < 2_000


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "nul\0"])
@pytest.mark.parametrize("field", ["query", "section", "document", "collection"])
def test_text_that_cannot_be_stored_or_sent_is_refused(field: str, text: str) -> None:
    with pytest.raises(ValidationError):
        SearchBody.model_validate({"query": "x", field: text})


@pytest.mark.parametrize(
    "wrong", [{"size": "10"}, {"size": 1.5}, {"explain": 1}, {"explain": "true"}, {"section": {"key": 1}}, {"kind": "summary"}]
)
def test_types_are_exact(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        SearchBody.model_validate({"query": "x", **wrong})


def test_one_filter_and_a_list_of_one_mean_the_same() -> None:
    one, listed = SearchBody(query="x", section="3"), SearchBody(query="x", section=["3"])
    assert one.sections == listed.sections == ("3",)
    assert SearchBody(query="x").documents == ()


def test_the_groups_of_an_upload_are_read_from_its_text() -> None:
    assert UploadFields(access=" hr, ,legal ,").groups == ("hr", "legal")


def test_the_schema_of_a_request_says_what_the_model_does() -> None:
    schema = json.dumps(SearchBody.model_json_schema())
    assert '"additionalProperties": false' in schema
    assert f'"maximum": {bounds.HITS}' in schema
