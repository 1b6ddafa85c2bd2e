"""An upload becomes a file in the spool and a job that names it; who may replace what is decided here."""

import secrets
from datetime import UTC, datetime
from typing import IO

from es_mappings.errors import Forbidden, InvalidRequest
from es_mappings.records import Job, Manifest
from es_mappings.sections import document_id
from es_mappings.settings import Settings
from service.identity import Caller
from service.jobs import stamp
from service.models.requests import UploadFields
from service.services import Services
from service.spool import plain_name


def take_upload(services: Services, settings: Settings, who: Caller, content: IO[bytes], given_name: str, fields: UploadFields) -> Job:
    """Keep the file and queue its job. Raises InvalidRequest, Forbidden, TooLarge, BackendError; then nothing is kept."""
    name = plain_name(given_name)
    source = fields.source.strip() or name
    if not source:
        raise InvalidRequest("the file needs a name: its suffix tells its kind, and the name makes its id")
    doc_id = document_id(fields.collection, source)
    services.prepare()
    _check_replacing(services, who, doc_id)
    own_name = services.spool.accept(content, given_name, settings.upload_max_bytes)
    now = stamp(datetime.now(UTC))
    job = Job(
        job=secrets.token_hex(16),
        owner=who.name,
        doc_id=doc_id,
        collection=fields.collection,
        access=fields.groups,
        parameters={"file": own_name, "name": name or source, "source": source},
        created_at=now,
        updated_at=now,
    )
    try:
        services.jobs.add(job)
    except BaseException:
        services.spool.remove(own_name)
        raise
    return job


def _check_replacing(services: Services, who: Caller, doc_id: str) -> None:
    """A writer who is not the owner replaces only what they may read, so that an upload never overwrites a hidden document."""
    if who.reader.owner:
        return
    stored = services.index.get(services.index.documents, doc_id)
    if stored is not None and not services.may_read(who.reader, Manifest.from_source(stored.source)):
        raise Forbidden("this source name cannot be used in this collection: choose another with the field `source`")
