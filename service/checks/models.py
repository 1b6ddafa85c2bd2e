"""The models: the embedder opens and embeds; the reranker judges and the language model answers, when one is set."""

from collections.abc import Iterator

from es_mappings.errors import SectionaryError
from es_mappings.settings import Settings
from ingest.chat import Message, open_chat
from ingest.embedding import open_embedder
from service.checks import Check, fail, ok, warn
from service.reranking import open_reranker

PROBE = "How long may a door stay open? 门可以开多久？"
PROBE_PASSAGES = ("A door stays open for at most 90 seconds.", "Visitors wear the yellow coat.")


def examine(settings: Settings) -> Iterator[Check]:
    """One check a model; each is really used once."""
    yield _embedder(settings)
    yield _reranker(settings)
    yield from _chat(settings)


def _embedder(settings: Settings) -> Check:
    try:
        embedder = open_embedder(settings)
        vector = embedder.embed_query(PROBE)
    except SectionaryError as error:
        return fail("embedder", error.message)
    if vector.shape != (embedder.dims,):
        return fail("embedder", f"{embedder.name} says {embedder.dims} dimensions and gives {vector.shape}: it cannot be used")
    return ok("embedder", f"{embedder.name}, {embedder.dims} dimensions")


def _reranker(settings: Settings) -> Check:
    try:
        reranker = open_reranker(settings)
        if reranker is None:
            return ok("reranker", "none is set (SECTIONARY_RERANKER): hits stay in the fused order")
        judged = [score is not None for score in reranker.scores(PROBE, PROBE_PASSAGES)]
    except SectionaryError as error:
        return fail("reranker", error.message)
    if not all(judged):
        return warn("reranker", f"{reranker.name} judges {sum(judged)} of {len(judged)} passages: the others stay behind those")
    return ok("reranker", f"{reranker.name} answers")


def _chat(settings: Settings) -> Iterator[Check]:
    chat = open_chat(settings)
    if chat is None:
        yield ok("language model", "none is set (SECTIONARY_LLM_BASE_URL): answers are quoted sentences")
        return
    try:
        chat.complete([Message(role="user", content="Answer with the word yes.")], max_tokens=16)
        yield ok("language model", f"{chat.model} answers")
        yield _window(settings.llm_window, chat.window())
    except SectionaryError as error:
        yield fail("language model", error.message)


def _window(wanted: int, told: int | None) -> Check:
    """SECTIONARY_LLM_WINDOW beside what the endpoint tells about its model."""
    if told is None:
        return ok("context window", f"{wanted:,} tokens by SECTIONARY_LLM_WINDOW; the endpoint does not tell what the model has")
    if wanted > told:
        return fail("context window", f"SECTIONARY_LLM_WINDOW says {wanted:,} tokens, the model has {told:,}: set it to {told}")
    if wanted < told // 2:
        return ok("context window", f"{wanted:,} tokens by SECTIONARY_LLM_WINDOW; the model has {told:,}, so it may be raised")
    return ok("context window", f"{wanted:,} tokens, and the model has {told:,}")
