"""POST /api/search: ranked passages."""

from typing import Any

from flask_openapi3.blueprint import APIBlueprint

from es_mappings.settings import Settings
from service.models.requests import SearchBody
from service.models.search import SearchReply
from service.routes import ERRORS, caller, tag
from service.services import Services


def routes(settings: Settings, services: Services) -> APIBlueprint:
    """The blueprint of search."""
    blueprint = APIBlueprint("search", __name__, url_prefix="/api", abp_tags=tag("search", "Ranked passages"), abp_responses=ERRORS)

    @blueprint.post("/search", responses={200: SearchReply}, operation_id="search")
    def search(body: SearchBody) -> dict[str, Any]:
        """Search by words and meaning, in all documents or in the sections named.

        A section is named by its key, its path, its label ("chapter 3", "第三章") or its number. One that does not exist gives
        no hits, the reason `no_such_section` and the nearest ones; one that names several sections searches them all.
        """
        return services.search(body, caller(settings).reader)

    return blueprint
