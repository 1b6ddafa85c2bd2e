"""The published schemas are those of the models, name the fields of the contract, and fit what the service sends."""

import importlib.util
from pathlib import Path

import jsonschema
import pytest
from staged_service import ANSWER, Script

from service.models.requests import SearchBody
from service.models.schemas import published_schemas

ROOT = Path(__file__).parents[1]

# The table of the contract: fields may be added, none left out.
CONTRACT = {
    "outline": "title format pages structure_source sections warnings",
    "chunks-line": "section_path section_key title content token_count page_start page_end is_fallback",
    "ingest-line": "doc_id title path status sections chunks seconds warnings error",
    "documents": "documents",
    "delete": "deleted missing",
    "search": "intent reason nearest took_ms hits",
    "answer": "answer abstained reason mode citations passages left_out tokens intent",
    "summary": "summary mode state coverage unsupported llm_calls",
    "upload": "job",
    "job": "job state done total doc_id error",
    "error": "error",
}
PARTS = {
    ("outline", "OutlineSection"): "key level number title page source confidence",
    ("search", "IntentView"): "kind documents sections excluded",
    ("search", "Took"): "embed search fetch total",
    ("search", "Hit"): "id doc_id doc_title kind section_path section_key number title content page_start page_end is_fallback "
    "structure_source structure_confidence state score",
    ("answer", "Citation"): "n id doc_id doc_title section_path page quote",
    ("answer", "Passage"): "n tokens id doc_id content score",
    ("answer", "LeftOut"): "id reason",
    ("answer", "Tokens"): "budget used prompt answer",
    ("summary", "Coverage"): "share sections",
    ("summary", "CoveredSection"): "key title included error",
    ("error", "Problem"): "code message",
}


def test_the_published_files_are_what_the_models_say() -> None:
    spec = importlib.util.spec_from_file_location("make_reference", ROOT / "scripts/make_reference.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    folder = ROOT / "docs/reference/schemas"
    written = {path.name: path.read_text("utf-8") for path in folder.glob("*.json")}
    assert written == script.schema_files(), "run `python scripts/make_reference.py`"


@pytest.mark.parametrize("name", CONTRACT)
def test_a_schema_requires_every_field_of_the_contract(name: str) -> None:
    schema = published_schemas()[name]
    assert set(CONTRACT[name].split()) <= set(schema["required"])


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_the_parts_of_a_schema_require_theirs(name: str, part: str) -> None:
    definition = published_schemas()[name]["$defs"][part]
    assert set(PARTS[name, part].split()) <= set(definition["required"])


@pytest.mark.parametrize("name", sorted(published_schemas()))
def test_a_schema_is_one(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(published_schemas()[name])


def test_replies_fit_their_schemas_and_a_missing_field_does_not() -> None:
    found = Script().search(SearchBody(query="x"), None)  # type: ignore[arg-type]  # the script does not look at the reader
    for name, reply in (("search", found), ("answer", ANSWER)):
        validator = jsonschema.Draft202012Validator(published_schemas()[name])
        validator.validate({**reply, "added_later": 1})
        for field in CONTRACT[name].split():
            assert list(validator.iter_errors({key: value for key, value in reply.items() if key != field})), field
