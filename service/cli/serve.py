"""`sectionary serve`: the web page and the API, with one worker that ingests what is uploaded."""

import http.client
import signal
import socket
import sys

import click

from es_mappings.errors import SettingsError
from es_mappings.settings import Settings, read_settings
from ingest.opening import open_store
from service.cli import FAILED, emit
from service.installation import refuse_clashes
from service.processes import Child, stop, supervise

GRACE_SECONDS = 15.0


@click.command()
@click.option("--host", help="Address to listen on (default: SECTIONARY_HOST).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 takes a free one (default: SECTIONARY_PORT).")
@click.option("--no-worker", is_flag=True, help="Serve only; uploads wait for a worker elsewhere (python -m service.worker).")
@click.option("--json", "as_json", is_flag=True, help="Print {url} as one JSON value once it answers.")
def command(host: str | None, port: int | None, no_worker: bool, as_json: bool) -> int:
    """Serve the page and the API until Ctrl-C or SIGTERM. On loopback whoever reaches it is the owner."""
    settings = _settings(host, port)
    refuse_clashes()
    with open_store(settings):  # starts the local node, creates the indices, and finds a wrong embedder before anything listens
        pass
    environment = {"SECTIONARY_HOST": settings.host, "SECTIONARY_PORT": str(settings.port)}
    server = (sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf", "service.wsgi:app")
    children = [Child(name="server", command=server, environment=environment, must_stay=True)]
    if not no_worker:
        worker = (sys.executable, "-m", "service.worker")
        children.append(Child(name="worker", command=worker, environment=environment, must_stay=False))
    url = f"http://{_shown_host(settings.host)}:{settings.port}"
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        supervise(children, lambda: _answers(settings), lambda: _tell(url, as_json))
    except KeyboardInterrupt:
        click.echo("stopping", err=True)
        return 0
    finally:
        stop(children, GRACE_SECONDS)
    click.echo("the server ended by itself: its last words are above", err=True)
    return FAILED


def _settings(host: str | None, port: int | None) -> Settings:
    """The settings with what the options say, and a port that is free."""
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = read_settings(**given)
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise SettingsError(
                f"{settings.host} port {settings.port} cannot be used ({error.strerror}): stop what listens there, or set SECTIONARY_PORT"
            ) from None
        return read_settings(**{**given, "port": probe.getsockname()[1]})


def _answers(settings: Settings) -> bool:
    """Whether the service answers its health probe."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104  # asked, not listened on
    connection = http.client.HTTPConnection(host, settings.port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()


def _tell(url: str, as_json: bool) -> None:
    if as_json:
        emit({"url": url})
    else:
        click.echo(f"Sectionary is at {url} (Ctrl-C stops it)")


def _shown_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host
