"""`sectionary search TEXT`: ranked passages."""

from typing import Any

import click

from es_mappings.settings import read_settings
from service.cli import emit
from service.cli._reader import reader_of
from service.cli._search import open_search, request_of, search_options, show_intent, show_nothing
from service.results import Hit

SHOWN_CHARACTERS = 300


@click.command()
@click.argument("text")
@search_options
def command(text: str, as_json: bool, groups: str | None, **options: Any) -> None:
    """Search the documents for TEXT; a section named in it ("chapter 3 only: ...", "第三章...") filters, and so do the options."""
    request = request_of(text, options)
    with open_search(read_settings()) as opened:
        result = opened.searcher.search(request, reader_of(groups))
    if as_json:
        emit(result.as_json())
        return
    show_intent(result.intent)
    if not result.hits:
        show_nothing(result.reason, result.nearest)
    for place, hit in enumerate(result.hits, 1):
        _show(place, hit)


def _show(place: int, hit: Hit) -> None:
    page = f", page {hit.page_start}" if hit.page_start else ""
    click.secho(f"{place}. {hit.section_path}{page}", bold=True)
    text = " ".join(hit.content.split())
    click.echo(f"   {text[:SHOWN_CHARACTERS]}{'…' if len(text) > SHOWN_CHARACTERS else ''}")
    for name, evidence in (hit.signals or {}).items():
        click.secho(f"   {name}: " + ", ".join(f"{key} {value:.4g}" for key, value in evidence.items()), dim=True)
    click.echo()
