"""Scripted replies of a reranking service, and settings that lead to it."""

import json
from collections.abc import Callable
from typing import Any

from stub_llm import StubModel, StubReply

from es_mappings.settings import Settings, read_settings

Answer = Callable[[dict[str, Any]], StubReply]


def saying(value: object) -> Answer:
    return lambda body: StubReply(raw=json.dumps(value).encode())


def settings_for(stub: StubModel, kind: str = "endpoint", **more: Any) -> Settings:
    base = stub.url if kind == "endpoint" else stub.url.removesuffix("/v1")
    return read_settings(reranker=kind, reranker_base_url=base, **more)


def upside_down(body: dict[str, Any]) -> StubReply:
    """The last document first."""
    count = len(body["documents"])
    results = [{"index": i, "relevance_score": i / count} for i in reversed(range(count))]
    return StubReply(raw=json.dumps({"results": results}).encode())
