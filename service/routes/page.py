"""The web page and the description of the API: files of ours, with a name table, so that no path is ever made from a request."""

import mimetypes
from collections.abc import Callable
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from flask import Blueprint, Response, jsonify, request

from es_mappings.errors import NotFound
from es_mappings.settings import Settings
from service.identity import ask_of, check_address

TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8"}


def routes(settings: Settings, described: Callable[[], dict[str, Any]]) -> Blueprint:
    """The blueprint of the page; `described` gives the OpenAPI document."""
    blueprint = Blueprint("page", __name__)
    files = page_files()

    def serve(name: str) -> Response:
        check_address(ask_of(request, settings), settings)
        file = files.get(name)
        if file is None:
            raise NotFound("there is nothing at this address; /openapi.json lists what there is")
        response = Response(file.read_bytes(), content_type=content_type(name))
        response.add_etag()
        response.headers["Cache-Control"] = "no-cache"  # the browser asks each time and gets 304 while nothing changed
        response.make_conditional(request)
        return response

    blueprint.add_url_rule("/", "index", lambda: serve("index.html"))
    blueprint.add_url_rule("/docs", "docs", lambda: serve("api.html"))
    blueprint.add_url_rule("/web/<path:name>", "file", serve)
    blueprint.add_url_rule("/openapi.json", "openapi", lambda: jsonify(described()))
    return blueprint


def page_files() -> dict[str, Traversable]:
    """Every file of the page by its name relative to service/web."""
    return dict(_walk(resources.files("service").joinpath("web"), ""))


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for item in folder.iterdir():
        if item.is_dir():
            found += _walk(item, f"{prefix}{item.name}/")
        else:
            found.append((f"{prefix}{item.name}", item))
    return found


def content_type(name: str) -> str:
    """The media type of a file of the page, by its suffix."""
    suffix = name[name.rfind(".") :]
    return TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
