"""Whether the process lives, whether it can serve, and what it runs with."""

from typing import Any

from flask_openapi3.blueprint import APIBlueprint

from es_mappings.access import Reader
from es_mappings.errors import BackendError, SectionaryError
from es_mappings.settings import Settings
from service.models.status import Health, Readiness, StatusReply
from service.routes import ERRORS, caller, tag
from service.services import Services


def routes(settings: Settings, services: Services) -> APIBlueprint:
    """The blueprint of health; the two probes answer everybody and tell nothing about documents."""
    blueprint = APIBlueprint("health", __name__, abp_tags=tag("health", "Probes and status"), abp_responses=ERRORS)

    @blueprint.get("/healthz", responses={200: Health}, operation_id="healthz")
    def healthz() -> dict[str, str]:
        """The process answers."""
        return {"status": "alive"}

    @blueprint.get("/readyz", responses={200: Readiness, 503: Readiness}, operation_id="readyz")
    def readyz() -> tuple[dict[str, Any], int]:
        """Elasticsearch answers and its index was made with this embedder; if not, the reason."""
        _, reason = _probe(services)
        return {"ready": reason is None, "reason": reason}, 200 if reason is None else 503

    @blueprint.get("/api/status", responses={200: StatusReply}, operation_id="status")
    def status() -> dict[str, Any]:
        """What the service runs with, and what the caller may do."""
        who = caller(settings)
        version, reason = _probe(services)
        return {
            "version": services.about.version,
            "ready": reason is None,
            "reason": reason,
            "embedder": services.about.embedder(),
            "model": services.about.model,
            "elasticsearch": version,
            "may_write": who.may_write,
            "upload_max_bytes": settings.upload_max_bytes,
            "formats": list(services.about.formats),
            "summaries": _summaries(services, who.reader) if reason is None else None,
        }

    return blueprint


def _summaries(services: Services, reader: Reader) -> dict[str, Any] | None:
    """When summaries are made and how many wait; None when Elasticsearch does not tell."""
    try:
        return services.summary_status(reader)
    except BackendError:
        return None


def _probe(services: Services) -> tuple[str | None, str | None]:
    """The server's version, or the reason why requests cannot be served."""
    try:
        return services.probe(), None
    except SectionaryError as error:
        return None, error.message
