"""The command `sectionary`. Each module here is one command, loaded when it is asked for; output and errors are decided here.

stdout holds JSON (with --json) or text for a person, nothing else. The last line on stderr of a failed call is
{"error": {"code", "message"}}; the exit code is 2 for bad use, 1 otherwise; there never is a traceback.
"""

import contextlib
import importlib
import json
import os
import pkgutil
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from es_mappings.errors import InvalidRequest, SectionaryError, SettingsError

BAD_USE = 2
FAILED = 1


class _Commands(click.Group):
    """The folder is the list of commands; a module's `command` is loaded only when it is needed, so that each call starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # the signature is click's
        return sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(f"{__name__}.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sectionary")
def sectionary() -> None:
    """Search and answer from long documents by section.

    Documents are kept in Elasticsearch with their heading tree; every answer cites the section it comes from, or says
    that the documents do not tell. Settings are SECTIONARY_* variables: `sectionary doctor` lists them.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code."""
    try:
        sys.exit(_run(arguments))
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        result = sectionary.main(arguments, prog_name="sectionary", standalone_mode=False)
    except click.UsageError as error:
        return fail("usage", error.format_message().rstrip(".") + _hint(error), BAD_USE)
    except click.ClickException as error:
        return fail("failed", error.format_message())
    except (click.Abort, KeyboardInterrupt):
        return fail("interrupted", "stopped by the keyboard; what was finished before is kept", 130)
    except InvalidRequest as error:
        return fail(error.code, error.message, BAD_USE)
    except SettingsError as error:
        return fail(error.code, error.message, BAD_USE)
    except SectionaryError as error:
        return fail(error.code, error.message)
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001  # the last line of defence: a fault of ours is told as one, without a traceback
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno}"
        return fail("internal", f"a fault in sectionary itself ({type(error).__name__} at {where}): please report it")
    return result if isinstance(result, int) else 0


def _hint(error: click.UsageError) -> str:
    return f"; see `{error.ctx.command_path} --help`" if error.ctx else ""


def fail(code: str, message: str, exit_code: int = FAILED) -> int:
    """Print an error as the last line on stderr (on a terminal in words before it); returns the exit code."""
    if sys.stderr.isatty():
        click.secho(f"error: {message}", fg="red", err=True)
    print(json.dumps({"error": {"code": code, "message": message}}, ensure_ascii=False), file=sys.stderr, flush=True)  # noqa: T201
    return exit_code


def emit(value: object) -> None:
    """Print one JSON value on one line of stdout."""
    with contextlib.suppress(AttributeError):
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # a test's stream may not have it
    print(json.dumps(value, ensure_ascii=False), flush=True)  # noqa: T201
