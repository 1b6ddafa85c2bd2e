"""The JSON Schemas of what other programs rely on: every command's output and every reply of the service.

`scripts/make_reference.py` writes them to docs/reference/schemas; a test holds those files to these models.
"""

from typing import Any

from pydantic import BaseModel

from service.models import documents, evaluation, reindex, requests, search, status, summaries

PUBLISHED: dict[str, type[BaseModel]] = {
    "outline": documents.OutlineReply,
    "chunks-line": documents.ChunkRow,
    "ingest-line": documents.IngestRow,
    "documents": documents.DocumentsReply,
    "document": documents.DocumentView,
    "delete": documents.DeleteReply,
    "section": documents.SectionReply,
    "search": search.SearchReply,
    "answer": search.AnswerReply,
    "summary": summaries.SummaryReply,
    "summary-outlook": summaries.SummaryOutlook,
    "reindex": reindex.ReindexReply,
    "upload": status.UploadReply,
    "job": status.JobView,
    "jobs": status.JobsReply,
    "status": status.StatusReply,
    "readiness": status.Readiness,
    "error": documents.ErrorReply,
    "search-request": requests.SearchBody,
    "answer-request": requests.AnswerBody,
    "evaluation": evaluation.EvaluationReply,
    "evaluation-question": evaluation.EvaluationQuestion,
}
# What is read from others, and described as they may write it.
INPUTS = frozenset({"search-request", "answer-request", "evaluation-question"})


def published_schemas() -> dict[str, dict[str, Any]]:
    """Each published schema (JSON Schema 2020-12) by the name of its file. In replies every field is required, more may come."""
    schemas: dict[str, dict[str, Any]] = {}
    for name, model in PUBLISHED.items():
        mode = "validation" if name in INPUTS else "serialization"
        schema = model.model_json_schema(mode=mode)  # type: ignore[arg-type]  # the two modes that there are
        schemas[name] = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"{name}.json", **schema}
    return schemas
