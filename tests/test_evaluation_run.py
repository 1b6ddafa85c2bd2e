"""`sectionary eval` over a small shelf on a real Elasticsearch: figures, refused files, failures in between, and stopping."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from bookshelf import Shelf, filled_shelf
from click.testing import CliRunner, Result
from stub_llm import StubModel, StubReply

from service.cli import _run
from service.cli.eval import command
from service.evaluation.running import Evaluator
from service.models.evaluation import EvaluationReply, Outcome

SCHEMA = json.loads((Path(__file__).parents[1] / "docs/reference/schemas/evaluation.json").read_text("utf-8"))
QUESTIONS: list[dict[str, Any]] = [
    {"question": "How hot is the glaze firing?", "sections": ["3"], "gold_document": "Kiln Handbook", "answers": ["1240 degrees"]},
    {"question": "What does error code KX-4471 mean?", "quotes": ["Error code KX-4471 means a broken thermocouple."]},
    {"question": "锅温保持在多少度？", "sections": ["第二章"], "answers": ["二百二十度"], "document": "茶园手册"},
    {"question": "What must be done at the kiln for safety and for cooling?", "sections": ["1", "3.2"], "gold_document": "handbook.md",
     "type": "cross_chapter"},
    {"question": "What is the capital of Mongolia called today?", "unanswerable": True},
]  # fmt: skip


@pytest.fixture(scope="module")
def books(node_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    with filled_shelf(node_url, tmp_path_factory.mktemp("shelf")) as shelf:
        yield shelf


@pytest.fixture
def shelf(books: Shelf, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """The shelf, with the environment pointing at it."""
    for name in ("es_url", "index_prefix", "home"):
        monkeypatch.setenv(f"SECTIONARY_{name.upper()}", str(getattr(books.store.settings, name)))
    return books


def write(folder: Path, questions: list[dict[str, Any]], name: str = "set.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(json.dumps(question) for question in questions), "utf-8")
    return path


def evaluated(*arguments: object) -> tuple[Result, EvaluationReply]:
    done = CliRunner().invoke(command, [*map(str, arguments), "--json"], standalone_mode=False)
    assert done.exception is None, done.exception
    value = json.loads(done.stdout)
    jsonschema.validate(value, SCHEMA, cls=jsonschema.Draft202012Validator)
    return done, EvaluationReply.model_validate(value)


def figures(report: EvaluationReply) -> dict[str, float]:
    return {figure.name: figure.value for figure in report.figures if figure.type == "all"}


def test_a_run_tells_what_was_found_given_said_and_refused(shelf: Shelf, tmp_path: Path) -> None:
    done, report = evaluated(write(tmp_path, QUESTIONS), "--html", tmp_path / "page.html", "--budget", 500)
    assert (done.return_value, report.is_complete, report.questions, report.comparison) == (0, True, 5, None)
    assert [outcome.error for outcome in report.outcomes] == [None] * 5
    told = figures(report)
    assert told["hit@1"] == told["packed_recall"] == told["answer_found"] == told["abstention_recall"] == 1
    assert told["groundedness"] == 1, "quotations are supported by what they quote"
    assert {figure.type for figure in report.figures} == {"all", "local", "cross_chapter"}
    both = report.outcomes[3]
    assert (both.packed, None in both.ranks) == ([True, True], False)
    assert all(outcome.used <= 500 for outcome in report.outcomes)
    assert report.settings["budget"] == 500
    text = (tmp_path / "page.html").read_text("utf-8")
    assert "锅温保持在多少度？" in text

    before = tmp_path / "before.json"
    before.write_text(done.stdout, "utf-8")
    _, again = evaluated(tmp_path / "set.jsonl", "--budget", 500, "--compare", before)
    assert again.comparison is not None
    assert {(change.value, change.low, change.high) for change in again.comparison.changes} == {(0, 0, 0)}
    _, by_words = evaluated(tmp_path / "set.jsonl", "--weights", "vector=0", "--size", 3, "--strategy", "collapsed", "--compare", before)
    assert by_words.settings["weights"] == "vector=0"
    assert "recall@3" in figures(by_words)
    shown = CliRunner().invoke(command, [str(tmp_path / "set.jsonl"), "--compare", str(before)], standalone_mode=False)
    assert "evidence given to the answer" in shown.output
    assert "paired by question" in shown.output


def test_a_reader_is_measured_by_what_they_may_see(shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shelf.put(
        "closed.md", "# Closed Book\n\n## 1 Vault\n\nThe vault opens at seven.\n\n## 2 Yard\n\nThe yard is open.\n", groups=("staff",)
    )
    path = write(tmp_path, [{"question": "When does the vault open?", "sections": ["1"], "document": "Closed Book"}])
    _, report = evaluated(path, "--groups", "staff")
    assert figures(report)["hit@1"] == 1
    assert _run(["eval", str(path), "--groups", "guests"]) == 2
    assert "line 1: there is no document 'Closed Book'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ({"question": "x", "sections": ["chapter 77"], "document": "Kiln Handbook"}, "line 2: there is no section 'chapter 77' there"),
        ({"question": "x", "sections": ["3"], "gold_document": "No Such Book"}, "line 2: there is no document 'No Such Book'"),
        ({"question": "x", "sections": ["3"], "typ": "local"}, "line 2: typ: no such field"),
    ],
)
def test_gold_that_is_not_there_is_told_before_anything_is_asked(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], question: dict[str, Any], told: str
) -> None:
    monkeypatch.setattr(Evaluator, "outcomes", lambda *_: pytest.fail("something was asked"))
    assert _run(["eval", str(write(tmp_path, [QUESTIONS[0], question]))]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    error = json.loads(captured.err.splitlines()[-1])["error"]
    assert (error["code"], told in error["message"]) == ("bad_request", True)


def test_a_model_that_fails_once_costs_one_question_and_one_that_stays_down_ends_the_run(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answerable = [{**QUESTIONS[0], "id": str(n)} for n in range(7)]
    with StubModel() as stub:
        monkeypatch.setenv("SECTIONARY_LLM_BASE_URL", stub.url)
        stub.default = StubReply(text="The glaze firing goes to 1240 degrees. [1]")
        stub.say(StubReply(status=400))
        done, report = evaluated(write(tmp_path, answerable))
        assert done.return_value == 1
        assert [outcome.error for outcome in report.outcomes] == ["model_unavailable", *[None] * 6]
        assert next(figure.questions for figure in report.figures if figure.name == "answer_found") == 6
        capsys.readouterr()
        stub.default = StubReply(status=400)
        assert _run(["eval", str(tmp_path / "set.jsonl"), "--json"]) == 1
    captured = capsys.readouterr()
    stopped = EvaluationReply.model_validate_json(captured.out)
    assert (len(stopped.outcomes), stopped.is_complete) == (5, False)
    assert json.loads(captured.err.splitlines()[-1])["error"]["code"] == "model_unavailable"


def test_stopping_reports_what_was_asked_until_then(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes = Evaluator.outcomes

    def interrupted(evaluator: Evaluator, questions: Any) -> Iterator[Outcome]:
        yield from outcomes(evaluator, questions[:2])
        raise KeyboardInterrupt

    monkeypatch.setattr(Evaluator, "outcomes", interrupted)
    assert _run(["eval", str(write(tmp_path, QUESTIONS)), "--json", "--html", str(tmp_path / "page.html")]) == 130
    captured = capsys.readouterr()
    report = EvaluationReply.model_validate_json(captured.out)
    assert (len(report.outcomes), report.questions, report.is_complete) == (2, 5, False)
    assert figures(report)["hit@1"] == 1
    assert json.loads(captured.err.splitlines()[-1])["error"]["code"] == "interrupted"
    assert "Stopped after 2 of 5" in (tmp_path / "page.html").read_text("utf-8")


def test_a_reranker_of_the_run_takes_part_and_its_failing_is_told(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, QUESTIONS[:1])
    with StubModel() as stub:
        monkeypatch.setenv("SECTIONARY_RERANKER_BASE_URL", stub.url)
        stub.rerank = lambda body: StubReply(
            raw=json.dumps({"results": [{"index": len(body["documents"]) - 1, "relevance_score": 1.0}]}).encode()
        )
        _, report = evaluated(path, "--rerank", "endpoint")
        assert any(address == "/v1/rerank" for address, _ in stub.seen)
        assert (report.settings["reranker"], report.outcomes[0].degraded) == ("endpoint", [])
        assert report.outcomes[0].ranks != [1]
        stub.rerank = lambda body: StubReply(status=500)
        _, degraded = evaluated(path, "--rerank", "endpoint")
    assert (degraded.outcomes[0].ranks, degraded.outcomes[0].degraded) == ([1], ["reranker"])
