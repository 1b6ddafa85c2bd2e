"""POST /api/answers: an answer with citations, whole as JSON or streamed as server-sent events."""

from collections.abc import Iterator
from typing import Any

from flask import Response, request
from flask_openapi3.blueprint import APIBlueprint

from es_mappings.access import Reader
from es_mappings.errors import ModelUnavailable, SectionaryError
from es_mappings.settings import Settings
from service import failures
from service.events import frames
from service.models.requests import AnswerBody
from service.models.search import AnswerReply
from service.routes import ERRORS, caller, tag
from service.services import Event, Services

EVENT_STREAM = "text/event-stream"


def routes(settings: Settings, services: Services) -> APIBlueprint:
    """The blueprint of answers."""
    blueprint = APIBlueprint("answers", __name__, url_prefix="/api", abp_tags=tag("answers", "Cited answers"), abp_responses=ERRORS)

    @blueprint.post("/answers", responses={200: AnswerReply}, operation_id="answer")
    def answer(body: AnswerBody) -> Any:
        """Answer a question from the documents, with citations, or say that they do not tell (`abstained` with a `reason`).

        With `Accept: text/event-stream` the reply comes as events: `passages` (the evidence), `delta` (a piece of the
        answer as plain text, any number), then `done` (this whole JSON) or `error` ({error: {code, message}}).
        """
        reader = caller(settings).reader
        if wants_events(request.headers.get("Accept", "")):
            return Response(
                frames(_until_it_fails(services, body, reader)),
                content_type=f"{EVENT_STREAM}; charset=utf-8",
                headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
            )
        return whole(services.answer(body, reader))

    return blueprint


def whole(events: Iterator[Event]) -> Any:
    """The reply that `done` carries. Raises ModelUnavailable when it never comes."""
    for name, data in events:
        if name == "done":
            return data
    raise ModelUnavailable("the answer broke off before its end: ask again")


def wants_events(accept: str) -> bool:
    """Whether an Accept header asks for the event stream (and not merely for anything)."""
    return any(part.split(";")[0].strip().lower() == EVENT_STREAM for part in accept.split(","))


def _until_it_fails(services: Services, body: AnswerBody, reader: Reader) -> Iterator[Event]:
    """The events; a failure becomes the last of them, because the status has been sent long before."""
    try:
        yield from services.answer(body, reader)
    except SectionaryError as error:
        yield "error", failures.problem(error)
    except Exception as error:  # noqa: BLE001  # a stream must end in an event, whatever went wrong
        yield "error", failures.fault_of_ours(error)
