"""Every failure becomes `{"error": {"code", "message"}}` with the status of its class; here and nowhere else."""

from typing import Any

import structlog
from flask import Flask, Response, jsonify, make_response
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from es_mappings.errors import Overloaded, SectionaryError, TooLarge
from service.models.requests import invalid

RETRY_SECONDS = 2
_HTTP_CODES = {400: "bad_request", 404: "not_found", 405: "method_not_allowed", 415: "unsupported_format"}
_HTTP_MESSAGES = {
    404: "there is nothing at this address; /openapi.json lists what there is",
    405: "this address does not take this method; /openapi.json lists what it takes",
}

log = structlog.get_logger()


def problem(error: SectionaryError) -> dict[str, Any]:
    """The body for an error."""
    return {"error": {"code": error.code, "message": error.message}}


def fault_of_ours(error: Exception) -> dict[str, Any]:
    """The body for a fault of our own: its kind goes to the log with its place, never to the caller."""
    log.error("fault", kind=type(error).__name__, place=_place(error))
    return {"error": {"code": "internal", "message": "a fault in the service itself: please report it, with the time of the request"}}


def on_invalid(error: ValidationError) -> Response:
    """The answer to a request that does not fit its model."""
    return _reply(invalid(error))


def register(app: Flask, upload_max_bytes: int) -> None:
    """Hang the handlers on the app."""

    def on_known(error: SectionaryError) -> Response:
        return _reply(error)

    def on_http(error: HTTPException) -> Response:
        if isinstance(error, RequestEntityTooLarge):
            return _reply(TooLarge(f"the request has more than {upload_max_bytes:,} bytes, or too many parts: send less"))
        status = error.code or 500
        if error.response is not None:  # a finished response, as the validation of a request makes
            return make_response(error.response)
        message = _HTTP_MESSAGES.get(status, f"the request cannot be read ({error.name})")
        response = jsonify({"error": {"code": _HTTP_CODES.get(status, "bad_request"), "message": message}})
        response.status_code = status
        if status == 405:
            response.headers["Allow"] = dict(error.get_headers()).get("Allow", "")
        return response

    def on_fault(error: Exception) -> Response:
        response = jsonify(fault_of_ours(error))
        response.status_code = 500
        return response

    app.register_error_handler(SectionaryError, on_known)
    app.register_error_handler(HTTPException, on_http)
    app.register_error_handler(Exception, on_fault)


def _reply(error: SectionaryError) -> Response:
    response = jsonify(problem(error))
    response.status_code = error.status
    if error.status in (429, 503):
        wait = error.retry_after_seconds if isinstance(error, Overloaded) else None
        response.headers["Retry-After"] = str(round(wait or RETRY_SECONDS))
    if error.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _place(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
