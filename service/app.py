"""The application factory: limits, routes, the one error handler, and the headers of every response."""

import json
from importlib import metadata
from typing import Any

from flask import Flask, Response, request
from flask.json.provider import DefaultJSONProvider
from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.models.info import Info
from flask_openapi3.openapi import OpenAPI
from werkzeug.exceptions import RequestEntityTooLarge

from es_mappings.settings import Settings
from service import failures
from service.identity import SAFE_METHODS
from service.models.bounds import FORM_PARTS, JSON_BODY_BYTES
from service.models.documents import ErrorReply
from service.routes import answers, documents, health, jobs, page, search, summaries
from service.services import Services

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
UPLOAD_ENVELOPE_BYTES = 64_000  # what multipart adds around a file


class _Json(DefaultJSONProvider):
    sort_keys = False
    ensure_ascii = False
    compact = True


def create_app(settings: Settings, services: Services) -> Flask:
    """The WSGI application. Nothing is opened here; both arguments are used by every request."""
    app = OpenAPI(
        __name__,
        info=Info(
            title="Sectionary",
            version=metadata.version("sectionary"),
            description="Section-aware search and answers for long documents. Errors have one shape: {error: {code, message}}.",
        ),
        security_schemes={"owner_key": {"type": "http", "scheme": "bearer", "description": "SECTIONARY_OWNER_KEY, where one is set"}},
        doc_ui=False,
        validation_error_status=400,
        validation_error_model=ErrorReply,
        validation_error_callback=failures.on_invalid,
        static_folder=None,
    )
    app.json = _Json(app)
    app.config["MAX_CONTENT_LENGTH"] = settings.upload_max_bytes + UPLOAD_ENVELOPE_BYTES
    app.config["MAX_FORM_PARTS"] = FORM_PARTS
    failures.register(app, settings.upload_max_bytes)
    blueprints: tuple[APIBlueprint, ...] = (
        search.routes(settings, services),
        answers.routes(settings, services),
        documents.routes(settings, services),
        summaries.routes(settings, services),
        jobs.routes(settings, services),
        health.routes(settings, services),
    )
    for blueprint in blueprints:
        app.register_api(blueprint)
    app.register_blueprint(page.routes(settings, lambda: _described(app)))
    app.before_request(_limit_body)
    app.after_request(_with_headers)
    return app


def _described(app: OpenAPI) -> dict[str, Any]:
    """The OpenAPI document; flask-openapi3 writes line breaks of docstrings as <br/>, which no reader of ours wants."""
    described: dict[str, Any] = json.loads(json.dumps(app.api_doc).replace("<br/>", " "))
    return described


def _limit_body() -> None:
    """Only uploads may be large; everything else is refused before it is read."""
    if request.method in SAFE_METHODS or request.mimetype != "multipart/form-data":
        request.max_content_length = JSON_BODY_BYTES
    if request.max_content_length is not None and (request.content_length or 0) > request.max_content_length:
        raise RequestEntityTooLarge


def _with_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers[name] = value
    response.headers.setdefault("Cache-Control", "no-store")
    return response
