"""A question file is checked whole before anything is asked: every wrong line is named with what is wrong, never with its text."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from es_mappings.errors import InvalidRequest
from service.evaluation.questions import read_questions
from service.evaluation.quotes import folded
from service.models.evaluation import parse_question, parse_run

ROOT = Path(__file__).parents[1]
SCHEMA = json.loads((ROOT / "docs/reference/schemas/evaluation-question.json").read_text("utf-8"))
GOOD = '{"question": "How hot?", "sections": ["3"]}'


def write(folder: Path, *lines: str) -> Path:
    path = folder / "set.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    return path


def test_a_line_needs_a_question_and_its_gold_and_the_rest_has_defaults(tmp_path: Path) -> None:
    (question,) = read_questions(write(tmp_path, "\ufeff" + GOOD, "", "  "))
    assert (question.id, question.line, question.type, question.unanswerable) == ("1", 1, "local", False)
    assert (question.sections, question.quotes, question.answers, question.documents) == (("3",), (), (), ())


def test_every_field_is_read(tmp_path: Path) -> None:
    line = {
        "id": "q7",
        "question": "第三章讲什么？",
        "type": "overview",
        "sections": ["第三章"],
        "quotes": ["九百度"],
        "answers": ["九百度", "900"],
        "document": ["a", "b"],
        "gold_document": "a",
        "collection": "manuals",
    }
    (question,) = read_questions(write(tmp_path, json.dumps(line)))
    assert (question.id, question.type, question.documents, question.gold_document) == ("q7", "overview", ("a", "b"), "a")
    assert (question.quotes, question.answers, question.collection) == (("九百度",), ("九百度", "900"), "manuals")
    jsonschema.validate(line, SCHEMA, cls=jsonschema.Draft202012Validator)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("not json", "it is not JSON"),
        ("[1]", "it is not one JSON object"),
        ('{"sections": ["3"]}', "question: it is needed"),
        ('{"question": " ", "sections": ["3"]}', "question: it is blank"),
        ('{"question": "secret"}', "give sections, quotes or answers"),
        ('{"question": "secret", "unanswerable": true, "answers": ["x"]}', "an unanswerable question has no"),
        ('{"question": "secret", "sections": "3"}', "sections:"),
        ('{"question": "secret", "quotes": ["—…"]}', "quotes: it needs a letter or digit"),
        ('{"question": "secret", "answers": [900]}', "answers:"),
        ('{"question": "secret", "sections": ["3"], "type": "lokal"}', "type:"),
        ('{"question": "secret", "sections": ["3"], "golds": []}', "golds: no such field"),
        ('{"question": "secret", "unanswerable": "yes"}', "unanswerable:"),
    ],
)
def test_a_wrong_line_is_named_with_its_fault(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        read_questions(write(tmp_path, GOOD, "", line))
    assert f"line 3: {told}" in caught.value.message
    assert "line 1" not in caught.value.message
    assert "secret" not in caught.value.message


def test_all_wrong_lines_are_told_at_once_but_not_without_end(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest) as caught:
        read_questions(write(tmp_path, *["{}"] * 9))
    assert "line 5:" in caught.value.message
    assert "line 6:" not in caught.value.message
    assert "(and 4 more)" in caught.value.message


def test_an_id_stands_once(tmp_path: Path) -> None:
    twice = '{"id": "a", "question": "x", "unanswerable": true}'
    with pytest.raises(InvalidRequest, match="line 3: its id is that of line 1"):
        read_questions(write(tmp_path, twice, GOOD, twice))


def test_an_empty_file_and_one_that_is_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="no questions"):
        read_questions(write(tmp_path, "", " "))
    binary = tmp_path / "set.jsonl"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidRequest, match="UTF-8"):
        read_questions(binary)


@given(st.text(max_size=60) | st.recursive(st.none() | st.booleans() | st.text(max_size=5), st.lists, max_leaves=4).map(json.dumps))
def test_whatever_a_line_holds_the_error_is_ours(line: str) -> None:
    with pytest.raises(InvalidRequest):
        parse_question(line)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"version": 1}', '{"figures": []}'])
def test_a_file_that_is_no_run_is_not_compared_with(text: str) -> None:
    with pytest.raises(InvalidRequest, match="sectionary eval --json"):
        parse_run(text)


def test_the_sample_questions_fit_the_published_schema_and_quote_the_sample_texts() -> None:
    path = ROOT / "scripts/samples/questions.jsonl"
    texts = {text.stem: folded(text.read_text("utf-8")) for text in (ROOT / "scripts/samples/texts").glob("*.md")}
    for line in path.read_text("utf-8").splitlines():
        jsonschema.validate(json.loads(line), SCHEMA, cls=jsonschema.Draft202012Validator)
    questions = read_questions(path)
    assert {question.type for question in questions} == {"local", "cross_chapter", "overview"}
    assert sum(question.unanswerable for question in questions) >= 10
    for question in questions:
        for quote in question.quotes:
            assert any(folded(quote) in text for text in texts.values()), f"line {question.line}"
