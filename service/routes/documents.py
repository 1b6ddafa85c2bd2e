"""Documents: upload, list, outline, text in its place, delete."""

from http import HTTPStatus
from typing import Any

from flask import request
from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.types import ResponseDict
from pydantic import ValidationError

from es_mappings.errors import InvalidRequest, NotFound
from es_mappings.revisions import Revisions
from es_mappings.settings import Settings
from service.models.bounds import READING_PASSAGES
from service.models.documents import DeleteReply, DocumentsReply, DocumentView, ErrorReply, OutlineReply, SectionReply
from service.models.requests import DocumentPath, DocumentsQuery, ReadQuery, SectionRoute, UploadFields, invalid
from service.models.status import UploadReply
from service.places import read_section
from service.routes import ERRORS, caller, tag
from service.services import Services
from service.shelf import list_documents, manifest_json, readable_manifest, stored_outline
from service.uploads import take_upload

NOT_FOUND: ResponseDict = {404: ErrorReply}
WRITE_ERRORS: ResponseDict = {403: ErrorReply}


def routes(settings: Settings, services: Services) -> APIBlueprint:
    """The blueprint of documents."""
    blueprint = APIBlueprint(
        "documents", __name__, url_prefix="/api", abp_tags=tag("documents", "What is on the shelf"), abp_responses=ERRORS
    )

    @blueprint.get("/documents", responses={200: DocumentsReply}, operation_id="documents")
    def documents(query: DocumentsQuery) -> dict[str, Any]:
        """List the documents that the caller may read."""
        return {"documents": list_documents(services.index, services.access, caller(settings).reader, query.collection)}

    @blueprint.post(
        "/documents",
        responses={202: UploadReply, **WRITE_ERRORS},
        operation_id="upload",
        openapi_extensions={"requestBody": upload_description()},
    )
    def upload() -> tuple[dict[str, Any], int]:
        """Take a file in; a worker ingests it, and the job tells how far it is."""
        who = caller(settings)
        who.check_may_write()
        file = request.files.get("file")
        if file is None or not file.filename:
            raise InvalidRequest("send the document as the part `file` of a multipart/form-data body, with its name")
        if set(request.files) != {"file"} or len(request.files.getlist("file")) != 1:
            raise InvalidRequest("send one document a request, as the part `file`")
        try:
            fields = UploadFields.model_validate(request.form.to_dict())
        except ValidationError as error:
            raise invalid(error) from None
        job = take_upload(services, settings, who, file.stream, file.filename, fields)
        return {"job": job.job}, HTTPStatus.ACCEPTED

    @blueprint.get("/documents/<doc_id>", responses={200: DocumentView, **NOT_FOUND}, operation_id="document")
    def document(path: DocumentPath) -> dict[str, Any]:
        """One document."""
        return manifest_json(readable_manifest(services.index, services.access, caller(settings).reader, path.doc_id))

    @blueprint.get("/documents/<doc_id>/outline", responses={200: OutlineReply, **NOT_FOUND}, operation_id="outline")
    def outline(path: DocumentPath) -> dict[str, Any]:
        """The heading tree of a document, with how each heading was found."""
        reader = caller(settings).reader
        manifest = readable_manifest(services.index, services.access, reader, path.doc_id)
        return stored_outline(services.index, services.access, reader, manifest)

    @blueprint.get("/documents/<doc_id>/sections/<path:key>", responses={200: SectionReply, **NOT_FOUND}, operation_id="section")
    def section(path: SectionRoute, query: ReadQuery) -> dict[str, Any]:
        """The text of a section and of what lies below it, in reading order; the document's id is the key of the whole."""
        reader = caller(settings).reader
        return read_section(services.index, services.access, reader, path.doc_id, path.key, after=query.after, limit=READING_PASSAGES)

    @blueprint.delete("/documents/<doc_id>", responses={200: DeleteReply, **NOT_FOUND, 403: ErrorReply}, operation_id="delete")
    def delete(path: DocumentPath) -> dict[str, Any]:
        """Delete a document and everything made from it."""
        who = caller(settings)
        who.check_may_write()
        readable_manifest(services.index, services.access, who.reader, path.doc_id)
        if not Revisions(services.index, keep_seconds=settings.request_deadline_seconds).delete(path.doc_id):
            raise NotFound("there is no such document: `sectionary documents` lists what is stored")
        return {"deleted": [path.doc_id], "missing": []}

    return blueprint


def upload_description() -> dict[str, Any]:
    """The multipart body in OpenAPI; written here because flask-openapi3 would read the text field "2024" as a number."""
    fields = UploadFields.model_json_schema()["properties"]
    file = {"type": "string", "format": "binary", "description": "the document, with its name"}
    schema = {"type": "object", "properties": {"file": file, **fields}, "required": ["file"], "additionalProperties": False}
    return {"required": True, "content": {"multipart/form-data": {"schema": schema}}}
