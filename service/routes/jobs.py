"""Jobs: how far an upload is, and stopping it. A job that is not the caller's is answered like one that does not exist."""

from typing import Any

from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.types import ResponseDict

from es_mappings.errors import NotFound
from es_mappings.settings import Settings
from service import jobs as transitions
from service.identity import Caller
from service.models.bounds import JOBS_LISTED
from service.models.documents import ErrorReply
from service.models.requests import JobPath
from service.models.status import JobsReply, JobView
from service.routes import ERRORS, caller, tag
from service.services import Services

RESPONSES: ResponseDict = {200: JobView, 404: ErrorReply}


def routes(settings: Settings, services: Services) -> APIBlueprint:
    """The blueprint of jobs."""
    blueprint = APIBlueprint("jobs", __name__, url_prefix="/api", abp_tags=tag("jobs", "Uploads under way"), abp_responses=ERRORS)

    @blueprint.get("/jobs", responses={200: JobsReply}, operation_id="jobs")
    def jobs() -> dict[str, Any]:
        """The caller's newest jobs; the owner sees everybody's."""
        who = caller(settings)
        if not who.may_write:
            return {"jobs": []}
        owner = None if who.reader.owner else who.name
        return {"jobs": [transitions.job_view(job) for job in services.jobs.recent(owner, JOBS_LISTED)]}

    @blueprint.get("/jobs/<job>", responses=RESPONSES, operation_id="job")
    def job(path: JobPath) -> dict[str, Any]:
        """One job: its state, and how far its stage is."""
        found = services.jobs.get(path.job)
        _check_theirs(caller(settings), found.owner)
        return transitions.job_view(found)

    @blueprint.delete("/jobs/<job>", responses=RESPONSES, operation_id="cancel")
    def cancel(path: JobPath) -> dict[str, Any]:
        """Cancel a job: a waiting one at once, a running one at its next step; a finished one stays as it is."""
        _check_theirs(caller(settings), services.jobs.get(path.job).owner)
        return transitions.job_view(services.jobs.cancel(path.job))

    return blueprint


def _check_theirs(who: Caller, owner: str) -> None:
    if not (who.reader.owner or (who.may_write and who.name == owner)):
        raise NotFound("there is no such job")
