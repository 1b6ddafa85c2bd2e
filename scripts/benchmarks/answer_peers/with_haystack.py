"""Haystack: its document splitter (200 words, its default), its Elasticsearch store, its hybrid retriever, which fuses in the client."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from _task import Found, Search, Task, embed, run
from haystack import Document, component
from haystack.components.preprocessors import DocumentSplitter
from haystack_integrations.components.retrievers.elasticsearch import ElasticsearchEmbeddingRetriever, ElasticsearchHybridRetriever
from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore


@component
class SameEmbedder:
    """The embedder under test."""

    def __init__(self, task: Task) -> None:
        self._task = task

    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, list[float]]:
        return {"embedding": embed(self._task, [text], "query")[0]}


def make(task: Task) -> Mapping[str, Search]:
    """`dense` is its embedding retriever alone, `fused` its hybrid retriever with reciprocal rank fusion."""
    documents = [
        Document(id=document.name, content=document.text, meta={"name": document.name, "group": document.group})
        for document in task.documents
    ]
    chunks = DocumentSplitter().run(documents=documents)["documents"]
    rows = embed(task, [chunk.content or "" for chunk in chunks], "passage")
    store = ElasticsearchDocumentStore(hosts=task.es_url, index=f"{task.prefix}-haystack")
    store.write_documents([replace(chunk, embedding=row) for chunk, row in zip(chunks, rows, strict=True)])
    nearest = ElasticsearchEmbeddingRetriever(document_store=store, top_k=task.depth, num_candidates=2 * task.depth)
    hybrid = ElasticsearchHybridRetriever(
        document_store=store,
        embedder=SameEmbedder(task),
        top_k_bm25=task.depth,
        top_k_embedding=task.depth,
        num_candidates=2 * task.depth,
        top_k=task.depth,
    )

    def dense(question: str, group: str) -> Found:
        vector = embed(task, [question], "query")[0]
        return _pairs(nearest.run(query_embedding=vector, filters=_filter(group))["documents"])

    def both(question: str, group: str) -> Found:
        return _pairs(hybrid.run(query=question, filters_bm25=_filter(group), filters_embedding=_filter(group))["documents"])

    return {"dense": dense, "fused": both}


def _filter(group: str) -> dict[str, Any] | None:
    return {"field": "meta.group", "operator": "==", "value": group} if group else None


def _pairs(documents: list[Document]) -> Found:
    return [(document.meta["name"], document.content or "") for document in documents]


if __name__ == "__main__":
    run(["haystack-ai", "elasticsearch-haystack", "elasticsearch"], make)
