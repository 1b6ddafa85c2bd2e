"""One module a subject; each gives `routes(settings, services)`, a blueprint whose views say who asks and hand over to the services."""

from flask import request
from flask_openapi3.models.tag import Tag
from flask_openapi3.types import ResponseDict

from es_mappings.settings import Settings
from service.identity import Caller, ask_of, who_asks
from service.models.documents import ErrorReply

ERRORS: ResponseDict = {400: ErrorReply, 401: ErrorReply, 413: ErrorReply, 429: ErrorReply, 503: ErrorReply, 504: ErrorReply}


def caller(settings: Settings) -> Caller:
    """Who sent the current request. Raises InvalidRequest and Unauthenticated."""
    return who_asks(ask_of(request, settings), settings)


def tag(name: str, description: str) -> list[Tag]:
    """The one tag of a blueprint in the OpenAPI document."""
    return [Tag(name=name, description=description)]
