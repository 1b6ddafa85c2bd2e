"""The models: the embedder opens and embeds; the language model, when one is set, answers."""

from collections.abc import Iterator

from es_mappings.errors import SectionaryError
from es_mappings.settings import Settings
from ingest.chat import Message, open_chat
from ingest.embedding import open_embedder
from service.checks import Check, fail, ok

PROBE = "How long may a door stay open? 门可以开多久？"


def examine(settings: Settings) -> Iterator[Check]:
    """One check a model; each is really used once."""
    yield _embedder(settings)
    yield _chat(settings)


def _embedder(settings: Settings) -> Check:
    try:
        embedder = open_embedder(settings)
        vector = embedder.embed_query(PROBE)
    except SectionaryError as error:
        return fail("embedder", error.message)
    if vector.shape != (embedder.dims,):
        return fail("embedder", f"{embedder.name} says {embedder.dims} dimensions and gives {vector.shape}: it cannot be used")
    return ok("embedder", f"{embedder.name}, {embedder.dims} dimensions")


def _chat(settings: Settings) -> Check:
    chat = open_chat(settings)
    if chat is None:
        return ok("language model", "none is set (SECTIONARY_LLM_BASE_URL): answers are quoted sentences")
    try:
        chat.complete([Message(role="user", content="Answer with the word yes.")], max_tokens=16)
    except SectionaryError as error:
        return fail("language model", error.message)
    return ok("language model", f"{chat.model} answers")
