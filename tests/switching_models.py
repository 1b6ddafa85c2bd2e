"""Embedders of different dimensions behind one scripted service: the model `m12` gives vectors of 12 dimensions."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from stub_llm import StubModel, StubReply, hashed_vector

from es_mappings.settings import Settings


@contextmanager
def switching_models() -> Iterator[StubModel]:
    """The service; `embedder_base_url` is its `url`, `openai:m8` and `openai:m12` its models."""
    with StubModel() as stub:
        stub.embeddings = _reply
        yield stub


def _reply(body: dict[str, Any]) -> StubReply:
    dims = int(body["model"].removeprefix("m"))
    data = [{"index": place, "embedding": hashed_vector(text, dims)} for place, text in enumerate(body["input"])]
    return StubReply(raw=json.dumps({"data": data, "model": body["model"], "object": "list"}).encode())


def with_model(settings: Settings, stub: StubModel, model: str = "") -> Settings:
    """The settings with the service and, if named, one of its models; without a name the index decides."""
    embedder = f"openai:{model}" if model else ""
    return settings.model_copy(update={"embedder_base_url": stub.url, "embedder": embedder})
