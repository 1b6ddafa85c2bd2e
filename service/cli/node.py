"""`sectionary node`: start, stop and look at the local Elasticsearch."""

import sys
from dataclasses import asdict

import click

from es_mappings import node
from es_mappings.settings import read_settings
from service.cli import emit

_as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")


@click.group()
def command() -> None:
    """The local Elasticsearch: start it, stop it, look at it."""


@command.command()
@_as_json
def start(*, as_json: bool) -> None:
    """Start it, unless it runs, and wait until it answers; the first start fetches 48 MB."""
    url = node.start(read_settings(), report=_progress)
    _say(as_json, {"url": url}, url)


@command.command()
@_as_json
def stop(*, as_json: bool) -> None:
    """Stop it; what is stored stays."""
    stopped = node.stop(read_settings())
    _say(as_json, {"stopped": stopped}, "stopped" if stopped else "it was not running")


@command.command()
@_as_json
def status(*, as_json: bool) -> None:
    """Tell whether it runs, where, and how it is."""
    found = asdict(node.status(read_settings()))
    _say(as_json, found, "\n".join(f"{name}: {value}" for name, value in found.items() if value is not None))


@command.command()
@_as_json
def url(*, as_json: bool) -> None:
    """Print the address of the Elasticsearch in use."""
    address = node.url(read_settings())
    _say(as_json, {"url": address}, address)


def _say(as_json: bool, value: dict[str, object], text: str) -> None:
    if as_json:
        emit(value)
    else:
        click.echo(text)


def _progress(sentence: str) -> None:
    if sys.stderr.isatty():
        click.echo(sentence, err=True)
