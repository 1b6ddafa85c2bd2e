"""What is to be done for one document: its plan, by a model or without one, over headings or over clusters. Reads, makes nothing."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from es_mappings.settings import Settings
from es_mappings.tokens import count_tokens
from ingest.summaries.clusters import GROUP_TOKENS, Cluster, contiguous_clusters, plan_clusters, raptor_clusters
from ingest.summaries.extractive import MODEL as EXTRACTIVE
from ingest.summaries.opening import limits_of, recipe_of
from ingest.summaries.planning import plan_summaries
from ingest.summaries.reading import StoredDocument, chunk_sources, section_sources
from ingest.summaries.tree import HEADING_TOKENS, Plan
from ingest.summaries.windows import Limits

Mode = Literal["llm", "extractive"]
# An extract of a section is shorter than a model's summary may be: whole sentences say less a token.
EXTRACT_TOKENS = 200
_NO_WINDOW = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A document with the plan of its summaries. `clusters` are those of a document without headings."""

    document: StoredDocument
    plan: Plan
    mode: Mode
    clusters: tuple[Cluster, ...] = ()


def work_for(document: StoredDocument, settings: Settings, model: str | None) -> Work:
    """The work for a document; `model` is the endpoint's, None for extracts. Raises SettingsError for too small a window."""
    limits = limits_of(settings) if model else extract_limits(settings)
    recipe = recipe_of(settings, model or EXTRACTIVE, limits, document.manifest.language)
    mode: Mode = "llm" if model else "extractive"
    clusters = () if document.has_headings else _clusters(document, settings, limits, mode)
    if not clusters:
        return Work(document=document, plan=plan_summaries(section_sources(document), limits, recipe), mode=mode)
    whole = replace(section_sources(document)[0], text="")
    return Work(
        document=document, plan=plan_clusters(whole, chunk_sources(document), clusters, limits, recipe), mode=mode, clusters=clusters
    )


def extract_limits(settings: Settings) -> Limits:
    """The sizes of extracts; no window bounds them."""
    summary = min(settings.summary_tokens, EXTRACT_TOKENS)
    return Limits(
        window=_NO_WINDOW,
        overhead=0,
        summary=summary,
        document=settings.summary_document_tokens,
        short=settings.summary_short_tokens,
        call=_NO_WINDOW,
    )


def _clusters(document: StoredDocument, settings: Settings, limits: Limits, mode: Mode) -> tuple[Cluster, ...]:
    """The clusters of a document without headings; none when one call reads it all, or a call is too small for two chunks."""
    tokens = [count_tokens(chunk.content) for chunk in document.chunks]
    by_meaning = settings.summary_tree == "raptor" and all(chunk.vector for chunk in document.chunks)
    if mode == "extractive":
        if not by_meaning:
            return ()
        limits = replace(limits, call=GROUP_TOKENS)
    if not tokens or 2 * (max(tokens) + HEADING_TOKENS) > limits.room(limits.summary):
        return ()
    if by_meaning:
        return raptor_clusters(np.array([chunk.vector for chunk in document.chunks]), tokens, limits)
    marks = [int(chunk.id[:8], 16) for chunk in document.chunks]
    return contiguous_clusters(tokens, marks, limits)
