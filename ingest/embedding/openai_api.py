"""Any OpenAI-compatible /v1/embeddings (vLLM, TEI, Ollama, OpenAI ...). Sends texts to the address in the settings and nowhere else."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np

from es_mappings.errors import EmbedderUnavailable, SettingsError
from es_mappings.sections import joined_hash
from es_mappings.settings import Settings
from es_mappings.tokens import count_tokens
from ingest.embedding import Embedder, Vectors
from ingest.embedding.long_text import embed_split
from ingest.endpoint import Endpoint

# A batch that every known server accepts (TEI's default limit is 32 texts a request).
BATCH = 32


def open_embedder(settings: Settings, argument: str) -> Embedder:
    """The embedder behind SECTIONARY_EMBEDDER_BASE_URL; the model is `argument`, the setting, or the first listed."""
    if not settings.embedder_base_url:
        raise SettingsError("SECTIONARY_EMBEDDER=openai needs SECTIONARY_EMBEDDER_BASE_URL, for example http://127.0.0.1:8000/v1")
    endpoint = Endpoint(
        base_url=settings.embedder_base_url,
        api_key=settings.embedder_api_key,
        named_model=argument or settings.embedder_model,
        read_seconds=settings.llm_timeout_seconds,
        total_seconds=settings.request_deadline_seconds,
        unavailable=EmbedderUnavailable,
    )
    prefixes = Prefixes(query=settings.embedder_query_prefix, passage=settings.embedder_passage_prefix)
    return RemoteEmbedder(endpoint, max_tokens=settings.embedder_max_tokens, prefixes=prefixes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """What a model wants before a question and before a passage; vectors made with others are those of another model."""

    query: str = ""
    passage: str = ""

    @property
    def mark(self) -> str:
        """What tells these prefixes from others in an embedder's name; "" for none."""
        return f" (prefixes {joined_hash(self.query, self.passage)[:8]})" if self.query or self.passage else ""


class RemoteEmbedder:
    """Vectors made by a service; dimensions are learned by one probe at first need."""

    def __init__(self, endpoint: Endpoint, *, max_tokens: int, prefixes: Prefixes) -> None:
        self._prefixes = prefixes
        self._endpoint = endpoint
        self._max_tokens = max_tokens
        self._dims: int | None = None
        self._lock = Lock()

    @property
    def name(self) -> str:
        return f"openai:{self._endpoint.model()}{self._prefixes.mark}"

    @property
    def dims(self) -> int:
        with self._lock:
            if self._dims is None:
                self._dims = self._request(["dimensions"]).shape[1]
            return self._dims

    @property
    def max_tokens(self) -> int | None:
        return self._max_tokens

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, self._prefixes.passage)

    def embed_query(self, text: str) -> Vectors:
        row: Vectors = self._embed([text], self._prefixes.query)[0]
        return row

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        def count(text: str) -> int:
            return count_tokens(prefix + text)

        def encode(pieces: list[str]) -> Vectors:
            return self._request([prefix + piece for piece in pieces])

        rows = embed_split(texts, limit=self._max_tokens, count=count, encode=encode, batch=BATCH)
        if rows.shape[1] != self.dims:
            raise EmbedderUnavailable(f"the embeddings service now gives {rows.shape[1]} dimensions instead of {self.dims}")
        return rows

    def _request(self, texts: list[str]) -> Vectors:
        model = self._endpoint.model()
        reply = self._endpoint.call(lambda: self._endpoint.client.embeddings.create(model=model, input=texts, encoding_format="float"))
        with self._endpoint.errors():
            # Servers may answer out of order: `index` says which text a vector belongs to.
            by_index = {entry.index: list(entry.embedding) for entry in reply.data}
        if set(by_index) != set(range(len(texts))) or len({len(vector) for vector in by_index.values()}) != 1:
            raise EmbedderUnavailable("the embeddings service answered without one vector for each text: check its address and model")
        try:
            return np.array([by_index[i] for i in range(len(texts))], dtype=np.float32)
        except (TypeError, ValueError):
            raise EmbedderUnavailable("the embeddings service answered with vectors that are not numbers") from None
