"""`sectionary doctor`: the settings in force, and whether everything that they name works."""

from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import click

from es_mappings.settings import Settings, read_settings
from service.checks import Check, examine
from service.cli import emit, fail

_COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
def command(*, as_json: bool) -> int:
    """Show the settings and check the machine, the models and Elasticsearch.

    The cluster is tried on indices of its own below the prefix, which are deleted again. The exit code is 1 when a check failed.
    """
    settings = read_settings()
    shown = [_shown(settings, name) for name in Settings.model_fields]
    if not as_json:
        for setting in shown:
            click.echo(f"{setting['name']}={setting['value']}  # {setting['description']}")
    checks = []
    for check in examine(settings):
        checks.append(check)
        if not as_json:
            _print(check)
    if as_json:
        emit({"settings": shown, "checks": [asdict(check) for check in checks]})
    failed = [check.name for check in checks if check.state == "fail"]
    return fail("unhealthy", f"{len(failed)} of {len(checks)} checks failed: {', '.join(failed)}") if failed else 0


def _shown(settings: Settings, name: str) -> dict[str, Any]:
    field = Settings.model_fields[name]
    value = getattr(settings, name)
    if not field.repr:
        value = "(set)" if value else ""
    elif isinstance(value, str) and "://" in value:
        value = _without_password(value)
    return {
        "name": f"SECTIONARY_{name.upper()}",
        "value": value if isinstance(value, int | float | str) else str(value),
        "description": field.description,
    }


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _print(check: Check) -> None:
    click.echo(f"{click.style(check.state.ljust(4), fg=_COLOURS[check.state])} {check.name}: {check.message}")
