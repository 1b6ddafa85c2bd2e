"""Summaries: of a document or one of its sections, and the overview of a collection."""

from http import HTTPStatus
from typing import Any

from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.types import ResponseDict

from es_mappings.settings import Settings
from service.models.documents import ErrorReply
from service.models.requests import DocumentPath
from service.models.status import UploadReply
from service.models.summaries import CollectionPath, SummaryQuery, SummaryReply
from service.routes import ERRORS, caller, tag
from service.services import Services
from service.shelf import readable_manifest
from service.summary_orders import order_overview, order_summaries

RESPONSES: ResponseDict = {200: SummaryReply, 404: ErrorReply}
ORDERED: ResponseDict = {202: UploadReply, 403: ErrorReply, 404: ErrorReply}


def routes(settings: Settings, services: Services) -> APIBlueprint:
    """The blueprint of summaries."""
    blueprint = APIBlueprint(
        "summaries", __name__, url_prefix="/api", abp_tags=tag("summaries", "Whole documents in short"), abp_responses=ERRORS
    )

    @blueprint.get("/documents/<doc_id>/summary", responses=RESPONSES, operation_id="summary")
    def summary(path: DocumentPath, query: SummaryQuery) -> dict[str, Any]:
        """The summary of a document, or of the section asked for, with every section that it covers and what is missing.

        A stored summary costs no call to the model, and nothing is made here; a style, a length or a language costs one call
        over the chapters' summaries, whose result is kept. Who may not see all that it was made from gets the parts that they may.
        """
        return services.summary(path.doc_id, query, caller(settings).reader)

    @blueprint.post(
        "/documents/<doc_id>/summary",
        responses=ORDERED,
        operation_id="summarise",
    )
    def summarise(path: DocumentPath) -> tuple[dict[str, Any], int]:
        """Have the worker make what is missing or out of date; the job tells how far it is."""
        who = caller(settings)
        who.check_may_write()
        manifest = readable_manifest(services.index, services.access, who.reader, path.doc_id)
        return {"job": order_summaries(services, who, manifest).job}, HTTPStatus.ACCEPTED

    @blueprint.get("/collections/<collection>/overview", responses=RESPONSES, operation_id="overview")
    def overview(path: CollectionPath) -> dict[str, Any]:
        """The overview of a collection over the summaries of its documents; `sections` are the documents that the caller may read."""
        return services.overview(path.collection, caller(settings).reader)

    @blueprint.post("/collections/<collection>/overview", responses=ORDERED, operation_id="make_overview")
    def make_overview(path: CollectionPath) -> tuple[dict[str, Any], int]:
        """Have the worker make the overview of a collection anew; summaries of unchanged documents cost no call."""
        who = caller(settings)
        who.check_may_write()
        services.overview(path.collection, who.reader)  # refuses a collection of which the caller sees nothing
        return {"job": order_overview(services, who, path.collection).job}, HTTPStatus.ACCEPTED

    return blueprint
