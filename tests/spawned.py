"""Embedding in a spawned process: a module of its own, because the child imports it anew."""

import multiprocessing

from es_mappings.settings import Settings
from ingest.embedding import Vectors, open_embedder


def embedded_in_a_child(embedder: str, text: str) -> Vectors:
    """The question's vector as a process gives it that was spawned, not forked."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        row: Vectors = pool.apply(_embedded, (embedder, text))
    return row


def _embedded(embedder: str, text: str) -> Vectors:
    return open_embedder(Settings(embedder=embedder)).embed_query(text)
