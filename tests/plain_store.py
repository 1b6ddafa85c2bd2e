"""The real store with a tiny embedder and reading in this process, for tests in which neither is the matter."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from stub_llm import hashed_vector

from es_mappings.access import AccessRegistry
from es_mappings.index import Index, connect
from es_mappings.revisions import Revisions
from es_mappings.settings import Settings
from ingest.blocks import Reading
from ingest.embedding import Vectors
from ingest.formats import ReadOptions, choose_reader, take_sample
from ingest.pipeline import Store


class PlainEmbedder:
    """Vectors that depend on the text alone and mean nothing."""

    name = "plain"
    dims = 8
    max_tokens = None

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return np.array([hashed_vector(text, self.dims) for text in texts], dtype=np.float32).reshape(-1, self.dims)

    def embed_query(self, text: str) -> Vectors:
        return np.array(hashed_vector(text, self.dims), dtype=np.float32)


def read_here(path: Path, options: ReadOptions) -> Reading:
    """Read without the child process."""
    return choose_reader(take_sample(path, 10_000_000)).read(path, options)


@contextmanager
def open_plain_store(settings: Settings) -> Iterator[Store]:
    """The store of the settings' index, created where it is missing."""
    index = Index(connect(settings, settings.es_url), settings.index_prefix)
    embedder = PlainEmbedder()
    index.create(model=embedder.name, dims=embedder.dims)
    yield Store(
        settings=settings,
        index=index,
        revisions=Revisions(index, keep_seconds=settings.request_deadline_seconds),
        access=AccessRegistry(index),
        embedder=embedder,
        read=read_here,
    )
    index.close()
