"""The commands as a user calls them: every output fits its published schema, every failure ends in one JSON line."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from stub_llm import StubModel

from es_mappings.settings import Settings

SCHEMAS = Path(__file__).parents[1] / "docs/reference/schemas"
MANUAL = """# Pump Manual

Read this first.

## 1 Safety

Wear gloves. See section 2 for the intervals.

## 2 Service

The oil of the pump is changed every 900 hours.
"""


def run(settings: Settings, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SECTIONARY_")}
    own = {
        "SECTIONARY_ES_URL": settings.es_url,
        "SECTIONARY_INDEX_PREFIX": settings.index_prefix,
        "SECTIONARY_HOME": str(settings.home),
    }
    command = [sys.executable, "-c", "from service.cli import main; main()", *arguments]
    return subprocess.run(command, env=kept | own | environment, capture_output=True, text=True, encoding="utf-8", check=False, timeout=120)


def checked(output: str, schema: str) -> list[Any]:
    """The values of an output, one a line, each of which fits the schema."""
    values = [json.loads(line) for line in output.splitlines()]
    described = json.loads((SCHEMAS / f"{schema}.json").read_text("utf-8"))
    for value in values:
        jsonschema.validate(value, described, cls=jsonschema.Draft202012Validator)
    return values


def last_error(done: subprocess.CompletedProcess[str]) -> str:
    error = json.loads(done.stderr.splitlines()[-1])["error"]
    assert len(error["message"]) > 15
    assert "Traceback" not in done.stderr
    return str(error["code"])


def test_from_a_file_to_a_cited_answer_every_output_fits_its_schema(settings: Settings, tmp_path: Path) -> None:
    manual = tmp_path / "manual.md"
    manual.write_text(MANUAL, "utf-8")
    (outline,) = checked(run(settings, "outline", str(manual), "--json").stdout, "outline")
    assert [section["title"] for section in outline["sections"]] == ["Pump Manual", "1 Safety", "2 Service"]
    chunks = checked(run(settings, "chunks", str(manual), "--json").stdout, "chunks-line")
    assert [chunk["is_fallback"] for chunk in chunks] == [False, False, False]

    ingested = run(settings, "ingest", str(manual), str(tmp_path / "missing.pdf"), "--json")
    rows = {row["path"].rsplit("/", 1)[-1]: row for row in checked(ingested.stdout, "ingest-line")}
    assert ingested.returncode == 1
    assert last_error(ingested) == "missing_file"
    assert rows["manual.md"]["status"] == "created"
    doc_id = rows["manual.md"]["doc_id"]
    assert {chunk["section_key"].split("/")[0] for chunk in chunks} == {doc_id}

    (documents,) = checked(run(settings, "documents", "--json").stdout, "documents")
    assert [document["doc_id"] for document in documents["documents"]] == [doc_id]
    (found,) = checked(run(settings, "search", "oil of the pump", "--section", "section 2", "--explain", "--json").stdout, "search")
    assert [hit["section_path"] for hit in found["hits"]] == ["pump-manual/Pump Manual/2 Service"]
    (answer,) = checked(run(settings, "ask", "How often is the oil of the pump changed?", "--json").stdout, "answer")
    assert (answer["abstained"], answer["mode"]) == (False, "extractive")
    assert "900 hours" in answer["answer"]
    assert answer["citations"][0]["quote"] in MANUAL

    for asked in (("manual.md",), ("manual.md", "--section", "section 2", "--length", "60"), ("--collection", "default")):
        (summary,) = checked(run(settings, "summary", *asked, "--json").stdout, "summary")
        assert (summary["state"], summary["coverage"]["share"], summary["llm_calls"]) == ("fresh", 1.0, 0)
    (outlook,) = checked(run(settings, "summary", "manual.md", "--dry-run", "--json").stdout, "summary-outlook")
    assert (outlook["mode"], outlook["llm_calls"]) == ("extractive", 0)

    questions = tmp_path / "questions.jsonl"
    questions.write_text(json.dumps({"question": "How often is the oil changed?", "sections": ["2"], "answers": ["900 hours"]}), "utf-8")
    (measured,) = checked(run(settings, "eval", str(questions), "--json").stdout, "evaluation")
    assert next(figure["value"] for figure in measured["figures"] if figure["name"] == "answer_found") == 1

    nowhere = run(settings, "search", "oil", "--section", "chapter 77", "--json")
    (unknown,) = checked(nowhere.stdout, "search")
    assert (nowhere.returncode, unknown["reason"], unknown["hits"]) == (0, "no_such_section", [])
    (deleted,) = checked(run(settings, "delete", "manual.md", "nothing", "--json").stdout, "delete")
    assert deleted == {"deleted": [doc_id], "missing": ["nothing"]}


def test_a_reader_sees_nothing_of_what_is_closed_to_their_groups(settings: Settings, tmp_path: Path) -> None:
    manual = tmp_path / "manual.md"
    manual.write_text(MANUAL, "utf-8")
    assert run(settings, "ingest", str(manual), "--access", "staff").returncode == 0
    for groups, seen in (("staff", 1), ("guests", 0), ("", 0)):
        (documents,) = checked(run(settings, "documents", "--json", "--groups", groups).stdout, "documents")
        assert len(documents["documents"]) == seen
        (found,) = checked(run(settings, "search", "oil of the pump", "--json", "--groups", groups).stdout, "search")
        assert bool(found["hits"]) == bool(seen)
        (closed,) = checked(run(settings, "search", "oil", "--section", "section 2", "--json", "--groups", groups).stdout, "search")
        assert closed["reason"] == (None if seen else "no_such_section")
        assert closed["nearest"] == []


def test_a_reindex_is_told_beforehand_and_done_and_both_fit_the_schema(settings: Settings, tmp_path: Path) -> None:
    manual = tmp_path / "manual.md"
    manual.write_text(MANUAL, "utf-8")
    assert run(settings, "ingest", str(manual)).returncode == 0
    with StubModel(models=("m8",)) as stub:
        asked = ("--embedder", stub.url, "--model", "m8", "--json")
        (planned,) = checked(run(settings, "reindex", *asked, "--dry-run").stdout, "reindex")
        assert (planned["status"], planned["documents"], planned["new_dims"]) == ("planned", 1, 8)
        assert planned["embedded"] >= 3
        environment = {"SECTIONARY_EMBEDDER_BASE_URL": stub.url, "SECTIONARY_REQUEST_DEADLINE_SECONDS": "3"}
        (done,) = checked(run(settings, "reindex", *asked, **environment).stdout, "reindex")
        assert (done["status"], done["embedder"], done["nodes"]) == ("swapped", "openai:m8", planned["nodes"])
        (found,) = checked(run(settings, "search", "oil of the pump", "--json", **environment).stdout, "search")
        assert (found["hits"][0]["number"], found["degraded"]) == ("2", [])
        (again,) = checked(run(settings, "reindex", *asked).stdout, "reindex")
        assert again["status"] == "unchanged"
        other = run(settings, "search", "oil", SECTIONARY_EMBEDDER="use")
        assert (other.returncode, last_error(other)) == (2, "settings")
        assert "sectionary reindex" in other.stderr


@pytest.mark.parametrize(
    ("arguments", "environment", "exit_code", "code"),
    [
        (("search",), {}, 2, "usage"),
        (("search", " "), {}, 2, "usage"),
        (("nonsense",), {}, 2, "usage"),
        (("search", "x"), {"SECTIONARY_PORT": "many"}, 2, "settings"),
        (("search", "x"), {"SECTIONARY_EMBEDDER": "nonsense"}, 2, "settings"),
        (("search", "x"), {"SECTIONARY_RERANKER": "nonsense"}, 2, "settings"),
        (("eval", "/no/such/file.jsonl"), {}, 2, "usage"),
        (("search", "x"), {}, 1, "not_found"),
        (("reindex",), {}, 2, "usage"),
        (("reindex", "--embedder", "nonsense"), {}, 2, "settings"),
        (("reindex", "--embedder", "use"), {}, 1, "not_found"),
        (("documents",), {"SECTIONARY_ES_URL": "http://127.0.0.1:9"}, 1, "index_unavailable"),
        (("outline", "/no/such/file.pdf"), {}, 1, "missing_file"),
    ],
)
def test_a_failed_call_ends_in_one_json_line_with_its_code(
    settings: Settings, arguments: tuple[str, ...], environment: dict[str, str], exit_code: int, code: str
) -> None:
    done = run(settings, *arguments, **environment)
    assert (done.returncode, last_error(done)) == (exit_code, code)
    assert done.stdout == ""
