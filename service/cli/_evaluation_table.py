"""An evaluation as tables for a person."""

from rich.console import Console
from rich.table import Table

from service.evaluation.fates import counted
from service.evaluation.labels import FATE_WORDS, TYPE_WORDS, headlines, words_of
from service.models.evaluation import Change, Comparison, EvaluationReply, Figure


def show_report(report: EvaluationReply, console: Console) -> None:
    """Print the figures by type with their intervals, what became of the questions, and the comparison when there is one."""
    figures = {(figure.name, figure.type): figure for figure in report.figures}
    names = list(dict.fromkeys(figure.name for figure in report.figures))
    types = [type_ for type_ in TYPE_WORDS if any(figure.type == type_ for figure in report.figures)]
    table = Table(title=f"{report.file}: {len(report.outcomes)} of {report.questions} questions", title_justify="left")
    table.add_column("95 % intervals by bootstrap over questions", min_width=24)
    for type_ in types:
        table.add_column(TYPE_WORDS[type_].en, justify="right", no_wrap=True)
    for title, group in headlines(names):
        table.add_section()
        table.add_row(f"[bold]{title.en}[/bold]")
        for name in group:
            table.add_row(words_of(name).en, *(_cell(figures.get((name, type_))) for type_ in types))
    console.print(table)
    console.print("; ".join(f"{count} {FATE_WORDS[one].en}" for one, count in counted(report.outcomes)))
    if report.comparison:
        _show_comparison(report.comparison, console)


def _show_comparison(comparison: Comparison, console: Console) -> None:
    whole = {change.name: change for change in comparison.changes if change.type == "all"}
    table = Table(title=f"This run less {comparison.other}, paired by question", title_justify="left")
    table.add_column("figure", min_width=24)
    table.add_column("difference (95 % interval)", justify="right", no_wrap=True)
    table.add_column("questions", justify="right")
    for _, group in headlines(list(whole)):
        for name in group:
            table.add_row(words_of(name).en, _changed(whole[name]), str(whole[name].questions))
    console.print(table)
    if comparison.only_here or comparison.only_there:
        console.print(f"not compared: {comparison.only_here} questions only here, {comparison.only_there} only there")


def _cell(figure: Figure | None) -> str:
    return f"{figure.value:.3f} [dim]({figure.low:.2f}-{figure.high:.2f})[/dim]" if figure else "-"


def _changed(change: Change) -> str:
    text = f"{change.value:+.3f} ({change.low:+.3f} to {change.high:+.3f})"
    return f"[bold]{text}[/bold]" if change.is_clear else f"[dim]{text}[/dim]"
