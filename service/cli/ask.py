"""`sectionary ask TEXT`: an answer with citations, or the reason why there is none."""

from collections.abc import Generator
from typing import Any

import click

from es_mappings.settings import read_settings
from ingest.chat import open_chat
from service.answering import Answerer, AnswerRequest, Event
from service.cli import emit
from service.cli._reader import reader_of
from service.cli._search import open_search, request_of, search_options, show_intent, show_nothing
from service.models import bounds
from service.results import AnswerResult


@click.command()
@click.argument("text")
@search_options
@click.option("--budget", type=click.IntRange(bounds.BUDGET_TOKENS_LEAST, bounds.BUDGET_TOKENS_MOST), help="Most tokens of evidence.")
def command(text: str, as_json: bool, groups: str | None, budget: int | None, **options: Any) -> None:
    """Answer TEXT from the documents alone, with citations; "it is not in there" is an answer too.

    Without a language model (SECTIONARY_LLM_BASE_URL) the answer is extractive: the best sentences, quoted and cited.
    """
    settings = read_settings()
    request = AnswerRequest(search=request_of(text, options), budget=budget)
    with open_search(settings) as opened:
        answerer = Answerer(
            index=opened.index,
            access=opened.access,
            embedder=opened.embedder,
            searcher=opened.searcher,
            chat=open_chat(settings),
            settings=settings,
        )
        if as_json:
            emit(answerer.answer(request, reader_of(groups)).as_json())
            return
        result = _streamed(answerer.stream(request, reader_of(groups)))
    _show(result)


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


def _show(result: AnswerResult) -> None:
    if result.abstained:
        show_nothing(result.reason, result.nearest)
        return
    click.echo()
    show_intent(result.intent)
    if result.mode == "extractive":
        click.secho("(quoted from the documents; no language model is configured)", dim=True)
    for citation in {citation.n: citation for citation in result.citations}.values():
        page = f", page {citation.page}" if citation.page else ""
        click.secho(f"[{citation.n}] ", bold=True, nl=False)
        click.echo(f"{citation.section_path}{page}")
    for sentence in result.unsupported:
        click.secho(f"no passage supports: {sentence}", fg="yellow")
