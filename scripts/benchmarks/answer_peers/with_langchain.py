"""LangChain: its Markdown header splitter, then its recursive splitter, then its Elasticsearch store.

The store's hybrid mode fuses in the server, which wants a licence; so `fused` asks its BM25 strategy too and fuses here.
"""

from collections.abc import Mapping
from typing import Any

from _task import CHUNK_TOKENS, Found, Search, Task, count_tokens, embed, fused, run
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_elasticsearch import BM25Strategy, DenseVectorStrategy, ElasticsearchStore
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

HEADERS = [("#" * level, f"h{level}") for level in range(1, 5)]


class SameEmbedder(Embeddings):
    """The embedder under test."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return embed(self._task, texts, "passage")

    def embed_query(self, text: str) -> list[float]:
        return embed(self._task, [text], "query")[0]


def make(task: Task) -> Mapping[str, Search]:
    """Headers stay in the text (strip_headers=False), so that they are embedded; no overlap, as ours."""
    by_headers = MarkdownHeaderTextSplitter(HEADERS, strip_headers=False)
    by_length = RecursiveCharacterTextSplitter(chunk_size=CHUNK_TOKENS, chunk_overlap=0, length_function=count_tokens)
    chunks = [
        Document(page_content=chunk.page_content, metadata={"name": document.name, "group": document.group})
        for document in task.documents
        for chunk in by_length.split_documents(by_headers.split_text(document.text))
    ]
    dense = ElasticsearchStore(
        index_name=f"{task.prefix}-lc-dense", embedding=SameEmbedder(task), es_url=task.es_url, strategy=DenseVectorStrategy()
    )
    words = ElasticsearchStore(index_name=f"{task.prefix}-lc-words", es_url=task.es_url, strategy=BM25Strategy())
    for store in (dense, words):
        store.add_documents(chunks)

    def asked(store: ElasticsearchStore, question: str, group: str) -> Found:
        only: list[dict[str, Any]] = [{"term": {"metadata.group.keyword": group}}] if group else []
        found = store.similarity_search(question, k=task.depth, fetch_k=2 * task.depth, filter=only)
        return [(document.metadata["name"], document.page_content) for document in found]

    return {
        "dense": lambda question, group: asked(dense, question, group),
        "fused": lambda question, group: fused(asked(dense, question, group), asked(words, question, group)),
    }


if __name__ == "__main__":
    run(["langchain-core", "langchain-text-splitters", "langchain-elasticsearch", "elasticsearch"], make)
