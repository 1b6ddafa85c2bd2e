"""What a reindex would have to do, counted, and about how long it would take, by embedding a few of the texts."""

import time
from dataclasses import dataclass
from itertools import islice
from typing import Any

from es_mappings.errors import NotFound
from es_mappings.generations import Generation
from es_mappings.index import Index, node_mapping
from ingest.chunking import embedded_again
from ingest.embedding import Embedder

SAMPLED_TEXTS = 24
_COMMITTED = {"exists": {"field": "revision"}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Documents, nodes and texts to embed; `seconds` follow from the mean of a sample."""

    old: Generation
    documents: int
    nodes: int
    texts: int
    seconds: float


def estimate(index: Index, embedder: Embedder, chunk_tokens: int, *, rebuild: bool) -> Estimate:
    """Count, and embed at most 24 texts. Raises NotFound, InvalidRequest (dimensions), EmbedderUnavailable; changes nothing."""
    old = index.generations.current(fresh=True)
    if old is None:
        raise NotFound("nothing is stored yet: `sectionary ingest PATH` adds documents")
    node_mapping(embedder.dims, {})
    index.refresh(index.documents, index.nodes)
    with_text = {"range": {"token_count": {"gt": 0}}}
    nodes, texts = _count(index, {"match_all": {}}, index.nodes), _count(index, with_text, index.nodes)
    documents = _count(index, _COMMITTED, index.documents)
    if rebuild or (embedder.name, embedder.dims) == (old.model, old.dims):
        return Estimate(old=old, documents=documents, nodes=nodes, texts=0, seconds=0.0)
    fields = ["title", "section_titles", "content", "token_count"]
    sample = [hit["_source"] for hit in islice(index.scan(index.nodes, with_text, fields), SAMPLED_TEXTS)]
    return Estimate(old=old, documents=documents, nodes=nodes, texts=texts, seconds=_seconds(embedder, sample, chunk_tokens) * texts)


def _count(index: Index, query: dict[str, Any], where: str) -> int:
    (response,) = index.msearch([{"query": query, "size": 0, "track_total_hits": True}], where)
    return int(response["hits"]["total"]["value"])


def _seconds(embedder: Embedder, sample: list[dict[str, Any]], chunk_tokens: int) -> float:
    """The mean time of a text of the sample, after a first one that loads the model."""
    if not sample:
        return 0.0
    texts = [embedded_again("", source.get("section_titles", "").split(" / "), source["content"], chunk_tokens) for source in sample]
    embedder.embed_query("warm-up")
    began = time.perf_counter()
    embedder.embed_passages(texts)
    return (time.perf_counter() - began) / len(texts)
