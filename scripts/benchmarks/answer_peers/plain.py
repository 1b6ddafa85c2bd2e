"""Fixed pieces of text, nearest neighbours, nothing else: what a weekend makes. And the same with BM25 beside it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from _task import CHUNK_TOKENS, Found, Search, Task, count_tokens, embed, fused, run
from elasticsearch import Elasticsearch
from elasticsearch.helpers import bulk


def make(task: Task) -> Mapping[str, Search]:
    """Pieces of CHUNK_TOKENS tokens at word borders; `dense` is kNN, `fused` adds a plain `match` by reciprocal ranks."""
    client, index = Elasticsearch(task.es_url, request_timeout=60), f"{task.prefix}-plain"
    vector = {"type": "dense_vector", "dims": task.dims, "similarity": "cosine"}
    fields = {"text": {"type": "text"}, "name": {"type": "keyword"}, "group": {"type": "keyword"}, "vector": vector}
    client.indices.create(index=index, mappings={"properties": fields})
    pieces = [(document, piece) for document in task.documents for piece in _pieces(document.text)]
    rows = embed(task, [piece for _, piece in pieces], "passage")
    bulk(
        client,
        (
            {"_index": index, "text": piece, "name": document.name, "group": document.group, "vector": row}
            for (document, piece), row in zip(pieces, rows, strict=True)
        ),
    )
    client.indices.refresh(index=index)

    def asked(body: dict[str, Any]) -> Found:
        hits = client.search(index=index, size=task.depth, source=["name", "text"], **body)["hits"]["hits"]
        return [(hit["_source"]["name"], hit["_source"]["text"]) for hit in hits]

    def dense(question: str, group: str) -> Found:
        nearest = {"field": "vector", "query_vector": embed(task, [question], "query")[0], "k": task.depth}
        return asked({"knn": {**nearest, "num_candidates": 2 * task.depth, "filter": _filter(group)}})

    def words(question: str, group: str) -> Found:
        return asked({"query": {"bool": {"must": [{"match": {"text": question}}], "filter": _filter(group)}}})

    return {"dense": dense, "fused": lambda question, group: fused(dense(question, group), words(question, group))}


def _filter(group: str) -> list[dict[str, Any]]:
    return [{"term": {"group": group}}] if group else []


def _pieces(text: str) -> Iterator[str]:
    """Whole words (or ideographs) up to the limit."""
    piece, tokens = "", 0
    for word in re.findall(r"[\u3400-\u9fff]|\s*[^\s\u3400-\u9fff]+", text):
        cost = count_tokens(word)
        if piece and tokens + cost > CHUNK_TOKENS:
            yield piece.strip()
            piece, tokens = "", 0
        piece, tokens = piece + word, tokens + cost
    if piece.strip():
        yield piece.strip()


if __name__ == "__main__":
    run(["elasticsearch"], make)
