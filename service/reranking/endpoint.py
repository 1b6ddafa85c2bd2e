"""The /v1/rerank that vLLM, Jina and Cohere share. Sends questions and passages to the address in the settings and nowhere else."""

from collections.abc import Sequence

from es_mappings.errors import RerankerUnavailable, SettingsError
from es_mappings.settings import Settings
from es_mappings.tokens import count_tokens
from ingest.endpoint import Endpoint
from service.reranking import Reranker
from service.reranking.replies import scores_of
from service.reranking.shortening import shortened

# Whoever asks is waiting and the fused order is there: nothing is tried twice, so the deadline is that of one exchange.
ATTEMPTS = 1


def open_reranker(settings: Settings, argument: str) -> Reranker:
    """The service behind SECTIONARY_RERANKER_BASE_URL; the model is `argument`, the setting, or the first listed at /models."""
    return EndpointReranker(open_endpoint(settings, argument), passage_tokens=settings.reranker_passage_tokens)


def open_endpoint(settings: Settings, model: str) -> Endpoint:
    """The address of the settings with the reranker's deadline. Raises SettingsError without an address."""
    if not settings.reranker_base_url:
        raise SettingsError(
            f"SECTIONARY_RERANKER={settings.reranker} needs SECTIONARY_RERANKER_BASE_URL, for example http://127.0.0.1:8000/v1"
        )
    return Endpoint(
        base_url=settings.reranker_base_url,
        api_key=settings.reranker_api_key,
        named_model=model or settings.reranker_model,
        read_seconds=settings.reranker_seconds,
        total_seconds=settings.reranker_seconds,
        attempts=ATTEMPTS,
        unavailable=RerankerUnavailable,
    )


class EndpointReranker:
    """One request a question: model, query, documents (strings), top_n (all of them)."""

    def __init__(self, endpoint: Endpoint, *, passage_tokens: int) -> None:
        self._endpoint = endpoint
        self._passage_tokens = passage_tokens

    @property
    def name(self) -> str:
        return f"endpoint:{self._endpoint.model()}"

    def scores(self, question: str, passages: Sequence[str]) -> tuple[float | None, ...]:
        documents = [shortened(passage, self._passage_tokens, count_tokens) for passage in passages]
        body = {"model": self._endpoint.model(), "query": question, "documents": documents, "top_n": len(documents)}
        reply = self._endpoint.call(lambda: self._endpoint.client.post("/rerank", cast_to=object, body=body))
        return scores_of(reply, len(passages))
