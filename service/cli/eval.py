"""`sectionary eval FILE.jsonl`: how good the answers are to questions whose evidence is known."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from es_mappings.errors import BackendError, InvalidRequest
from es_mappings.settings import Settings, read_settings
from service.cli import emit, fail
from service.cli._evaluation_table import show_report
from service.cli._reader import groups_option, reader_of
from service.cli._search import OpenSearch, answerer_of, open_search
from service.evaluation.gold_places import Judged, with_gold
from service.evaluation.page import page
from service.evaluation.questions import read_questions
from service.evaluation.report import reported
from service.evaluation.running import Evaluator
from service.models import bounds
from service.models.evaluation import EvaluationReply, Outcome, parse_run
from service.progress import step_display
from service.strategies import AUTO, STRATEGIES

INTERRUPTED = 130
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=_FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write the report as a page, too.")
@click.option("--compare", type=_FILE, help="Another run's --json output: differences, paired by question.")
@click.option("--strategy", type=click.Choice([AUTO, *STRATEGIES]), default=AUTO, show_default=True, help="How the tree is searched.")
@click.option("--rerank", metavar="RERANKER", help="Instead of SECTIONARY_RERANKER: off, endpoint, tei or transformers:FOLDER.")
@click.option("--weights", help="Instead of SECTIONARY_SIGNAL_WEIGHTS, for example vector=0.")
@click.option("--budget", type=click.IntRange(bounds.BUDGET_TOKENS_LEAST, bounds.BUDGET_TOKENS_MOST), help="Most tokens of evidence.")
@click.option(
    "--size", type=click.IntRange(1, bounds.HITS), default=bounds.HITS_DEFAULT, show_default=True, help="Hits judged as a ranking."
)
@groups_option
def command(
    file: Path,
    as_json: bool,
    html: Path | None,
    compare: Path | None,
    strategy: str,
    rerank: str | None,
    weights: str | None,
    budget: int | None,
    size: int,
    groups: str | None,
) -> int:
    """Ask every question of FILE (JSON Lines, docs/reference/evaluation.md) and measure what is found, given, said, cited and refused.

    The file is checked before anything is asked. Ctrl-C stops and reports what was asked until then.
    """
    given = {"reranker": rerank, "signal_weights": weights, "budget_tokens": budget}
    settings = read_settings(**{name: value for name, value in given.items() if value is not None})
    questions = read_questions(file)
    other = (compare.name, parse_run(compare.read_text("utf-8", errors="replace"))) if compare else None
    if html and not html.absolute().parent.is_dir():
        raise InvalidRequest("the folder for --html does not exist: make it first")
    with open_search(settings) as opened:
        judged = with_gold(questions, file.name, index=opened.index, access=opened.access, reader=reader_of(groups))
        told = _told(settings, opened, strategy=strategy, size=size, groups=groups)
        evaluator = Evaluator(
            searcher=opened.searcher,
            answerer=answerer_of(settings, opened),
            reader=reader_of(groups),
            size=size,
            budget=settings.budget_tokens,
            strategy=strategy,
        )
        outcomes, stopped_by = _asked(evaluator, judged)
    report = reported(outcomes, file=file.name, questions=len(questions), settings=told, other=other)
    _hand_out(report, as_json=as_json, html=html)
    return _exit_code(outcomes, stopped_by)


def _asked(evaluator: Evaluator, judged: Sequence[Judged]) -> tuple[list[Outcome], BaseException | None]:
    """The outcomes, as far as it came, and what stopped it."""
    outcomes: list[Outcome] = []
    with step_display("questions", len(judged)) as step:
        try:
            for outcome in evaluator.outcomes(judged):
                outcomes.append(outcome)
                step()
        except (KeyboardInterrupt, BackendError) as stop:
            return outcomes, stop
    return outcomes, None


def _hand_out(report: EvaluationReply, *, as_json: bool, html: Path | None) -> None:
    if html:
        html.write_text(page(report), "utf-8")
    if as_json:
        emit(report.model_dump(mode="json"))
    else:
        show_report(report, Console())
        if html:
            click.echo(f"the page: {html}")


def _exit_code(outcomes: Sequence[Outcome], stopped_by: BaseException | None) -> int:
    if isinstance(stopped_by, KeyboardInterrupt):
        return fail("interrupted", f"stopped by the keyboard after {len(outcomes)} questions; the report is over those", INTERRUPTED)
    failed = [outcome.error for outcome in outcomes if outcome.error is not None]
    if isinstance(stopped_by, BackendError):
        return fail(stopped_by.code, f"stopped after {len(outcomes)} questions: {stopped_by.message}")
    if failed:
        return fail(str(failed[0]), f"{len(failed)} of {len(outcomes)} questions failed and count in no figure: ask again")
    return 0


def _told(settings: Settings, opened: OpenSearch, *, strategy: str, size: int, groups: str | None) -> dict[str, Any]:
    """What the report says about how it was made; no keys and no addresses."""
    return {
        "started": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "strategy": strategy,
        "reranker": settings.reranker,
        "weights": settings.signal_weights,
        "budget": settings.budget_tokens,
        "size": size,
        "groups": groups,
        "embedder": opened.embedder.name,
        "model": (settings.llm_model or "default") if settings.llm_base_url else "none (quotations)",
    }
