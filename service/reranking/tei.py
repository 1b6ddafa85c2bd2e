"""Text Embeddings Inference's own /rerank: `texts` instead of `documents`, no model name, a bare list as the reply, 32 texts a call."""

import time
from collections.abc import Sequence

from es_mappings.errors import DeadlineExceeded
from es_mappings.settings import Settings
from es_mappings.tokens import count_tokens
from ingest.endpoint import Endpoint
from service.reranking import Reranker
from service.reranking.endpoint import open_endpoint
from service.reranking.replies import scores_of
from service.reranking.shortening import shortened

# The server's default for --max-client-batch-size; a larger call is refused.
BATCH = 32


def open_reranker(settings: Settings, argument: str) -> Reranker:
    """The server behind SECTIONARY_RERANKER_BASE_URL, without /v1; it serves one model."""
    return TeiReranker(open_endpoint(settings, argument), passage_tokens=settings.reranker_passage_tokens)


class TeiReranker:
    """Raw scores, so that those of several calls can be compared; the deadline is looked at before each."""

    def __init__(self, endpoint: Endpoint, *, passage_tokens: int) -> None:
        self._endpoint = endpoint
        self._passage_tokens = passage_tokens

    @property
    def name(self) -> str:
        return f"tei:{self._endpoint.named_model or 'its model'}"

    def scores(self, question: str, passages: Sequence[str]) -> tuple[float | None, ...]:
        ends_at = time.monotonic() + self._endpoint.total_seconds
        texts = [shortened(passage, self._passage_tokens, count_tokens) for passage in passages]
        scores: list[float | None] = []
        for start in range(0, len(texts), BATCH):
            if time.monotonic() > ends_at:
                raise DeadlineExceeded(f"reranking took longer than {self._endpoint.total_seconds:g} s: ask for fewer passages")
            scores += self._request(question, texts[start : start + BATCH])
        return tuple(scores)

    def _request(self, question: str, texts: Sequence[str]) -> tuple[float | None, ...]:
        body = {"query": question, "texts": list(texts), "raw_scores": True, "truncate": True}
        reply = self._endpoint.call(lambda: self._endpoint.client.post("/rerank", cast_to=object, body=body))
        return scores_of(reply, len(texts))
