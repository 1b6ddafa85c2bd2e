"""`sectionary ask TEXT`: an answer with citations, or the reason why there is none."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import click

from es_mappings.settings import read_settings
from service.answering import AnswerRequest, Event
from service.cli import emit
from service.cli._reader import reader_of
from service.cli._search import answerer_of, open_search, request_of, search_options, show_intent, show_nothing
from service.followups import Turn
from service.models import bounds
from service.results import AnswerResult


@click.command()
@click.argument("text")
@search_options
@click.option(
    "--after",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Earlier replies of this conversation, as --json printed them, one after the other: TEXT may leave unsaid what they say.",
)
@click.option("--budget", type=click.IntRange(bounds.BUDGET_TOKENS_LEAST, bounds.BUDGET_TOKENS_MOST), help="Most tokens of evidence.")
def command(text: str, as_json: bool, groups: str | None, after: Path | None, budget: int | None, **options: Any) -> None:
    """Answer TEXT from the documents alone, with citations; "it is not in there" is an answer too.

    Without a language model (SECTIONARY_LLM_BASE_URL) the answer is extractive: the best sentences, quoted and cited.
    """
    settings = read_settings()
    request = AnswerRequest(search=request_of(text, options), budget=budget, earlier=earlier_of(after))
    with open_search(settings) as opened:
        answerer = answerer_of(settings, opened)
        if as_json:
            emit(answerer.answer(request, reader_of(groups)).as_json())
            return
        result = _streamed(answerer.stream(request, reader_of(groups)))
    _show(result)


def earlier_of(path: Path | None) -> tuple[Turn, ...]:
    """The questions and answers in a file of replies. Raises click's usage error when it holds something else."""
    if path is None:
        return ()
    text, position, turns = path.read_text("utf-8", errors="replace").strip(), 0, []
    while position < len(text):
        try:
            reply, end = json.JSONDecoder().raw_decode(text, position)
            turns.append(Turn(question=str(reply["question"]), answer=str(reply["answer"])))
        except (ValueError, KeyError, TypeError):
            raise click.UsageError(f"{path} is not what `sectionary ask TEXT --json` prints: keep its output there") from None
        position = end + len(text[end:]) - len(text[end:].lstrip())
    return tuple(turns)


def _streamed(stream: Generator[Event, None, AnswerResult]) -> AnswerResult:
    """Print the answer as it comes; returns the result."""
    while True:
        try:
            name, data = next(stream)
        except StopIteration as end:
            result: AnswerResult = end.value
            return result
        if name == "delta":
            click.echo(data, nl=False)


_MODES = {"extractive": "quoted from the documents", "summary": "from the stored summaries"}
_STATES = {
    "stale": "the text changed since this summary was made",
    "partial": "made from a part of the text",
    "pending": "its summary is not made yet; its beginning was read instead",
}


def _show(result: AnswerResult) -> None:
    if result.abstained:
        show_nothing(result.reason, result.nearest)
        return
    click.echo()
    show_intent(result.intent)
    if result.intent.rewritten:
        click.secho(f"searched as: {result.intent.rewritten}", fg="cyan")
    if result.mode != "llm":
        click.secho(f"({_MODES[result.mode]})", dim=True)
    for summary in result.summaries:
        if summary.state != "fresh":
            click.secho(f"[{summary.n}] {summary.title}: {_STATES.get(summary.state, summary.state)}", fg="yellow")
    for row in result.coverage:
        if not row.included:
            click.secho(f"not in it: {row.title} ({row.error})", fg="yellow")
    for side in result.sides:
        if not side.is_cited:
            click.secho(f"nothing is cited of: {side.asked}", fg="yellow")
    for citation in {citation.n: citation for citation in result.citations}.values():
        page = f", page {citation.page}" if citation.page else ""
        click.secho(f"[{citation.n}] ", bold=True, nl=False)
        click.echo(f"{citation.section_path}{page}")
    for sentence in result.unsupported:
        click.secho(f"no passage supports: {sentence}", fg="yellow")
