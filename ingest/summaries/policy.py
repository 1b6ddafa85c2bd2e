"""When summaries are made: at once with the ingest, every so many minutes by the worker, or by hand (SECTIONARY_SUMMARY_POLICY)."""

from collections.abc import Callable
from typing import Any

from es_mappings.derived import NOT_DERIVED
from es_mappings.index import Index
from es_mappings.records import Manifest
from es_mappings.settings import Settings
from ingest.summaries.documents import DocumentSummaries, Outcome

AT_ONCE, BY_HAND, EVERY = "at-once", "by-hand", "every:"
Progress = Callable[[str, int, int], None]


def summarise_by_policy(summaries: DocumentSummaries, settings: Settings) -> Callable[[Manifest, Progress], str]:
    """What an ingest does about summaries when a document is stored; it returns a sentence when some are missing."""

    def at_once(manifest: Manifest, progress: Progress) -> str:
        return told(summaries.make(manifest.doc_id, lambda done, total: progress("summarising", done, total)))

    def later(manifest: Manifest, progress: Progress) -> str:  # noqa: ARG001 - the signature of an ingest's step
        if settings.llm_base_url:
            summaries.settle(manifest.doc_id)
        return ""

    return at_once if settings.summary_policy == AT_ONCE else later


def told(outcome: Outcome) -> str:
    """What a person should know of an outcome, "" when all is made."""
    if not outcome.failed:
        return ""
    key, why = outcome.failed[0]
    many = f" and {len(outcome.failed) - 1} more" if len(outcome.failed) > 1 else ""
    return f"no summary of {key}{many} ({why}); `sectionary summary` makes what is missing"


def minutes_of(policy: str) -> int | None:
    """The minutes of an "every:MINUTES" setting, None for the others."""
    return int(policy.removeprefix(EVERY)) if policy.startswith(EVERY) else None


def waiting_documents(index: Index) -> list[str]:
    """The documents whose summaries are not all made, by id."""
    filters: list[dict[str, Any]] = [{"exists": {"field": "revision"}}, NOT_DERIVED]
    query = {"bool": {"filter": filters, "must_not": [{"term": {"summary_state": "fresh"}}]}}
    return [str(hit["_id"]) for hit in index.scan(index.documents, query, ["doc_id"])]


def collections_of(index: Index) -> list[str]:
    """The collections that have documents."""
    query = {"bool": {"filter": [{"exists": {"field": "revision"}}, NOT_DERIVED]}}
    return sorted({str(hit["_source"]["collection"]) for hit in index.scan(index.documents, query, ["collection"])})
