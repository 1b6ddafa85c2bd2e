"""LlamaIndex: its hierarchical parser (2048, 512, 128 tokens, its default), its Elasticsearch store, its auto-merging retriever.

The store's hybrid mode fuses in the server, which wants a licence; so `fused` asks its BM25 strategy too and fuses here.
"""

import asyncio
from collections.abc import Mapping, Sequence

from _task import Found, Search, Task, count_tokens, embed, fused, run
from elasticsearch.helpers.vectorstore import AsyncBM25Strategy, AsyncDenseVectorStrategy
from llama_index.core import Document, Settings, StorageContext, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import HierarchicalNodeParser, get_leaf_nodes
from llama_index.core.retrievers import AutoMergingRetriever
from llama_index.core.schema import BaseNode
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters
from llama_index.vector_stores.elasticsearch import ElasticsearchStore
from pydantic import PrivateAttr

SIZES = [2048, 512, 128]


class SameEmbedder(BaseEmbedding):
    """The embedder under test."""

    _task: Task = PrivateAttr()

    def __init__(self, task: Task) -> None:
        super().__init__(embed_batch_size=64)
        self._task = task

    def _get_text_embedding(self, text: str) -> list[float]:
        return embed(self._task, [text], "passage")[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return embed(self._task, texts, "passage")

    def _get_query_embedding(self, query: str) -> list[float]:
        return embed(self._task, [query], "query")[0]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


def make(task: Task) -> Mapping[str, Search]:
    """Leaves are stored and searched; where most leaves of a parent are found, the parent takes their place."""
    asyncio.set_event_loop(asyncio.new_event_loop())
    Settings.llm, Settings.embed_model = MockLLM(), SameEmbedder(task)
    Settings.tokenizer = lambda text: range(count_tokens(text))  # only its length is used
    documents = [
        Document(
            text=document.text,
            metadata={"name": document.name, "group": document.group},
            excluded_embed_metadata_keys=["name", "group"],
            excluded_llm_metadata_keys=["name", "group"],
        )
        for document in task.documents
    ]
    nodes = HierarchicalNodeParser.from_defaults(chunk_sizes=SIZES, chunk_overlap=0).get_nodes_from_documents(documents)
    leaves = get_leaf_nodes(nodes)
    dense = _index(task, f"{task.prefix}-li-dense", AsyncDenseVectorStrategy(), nodes, leaves)
    words = _index(task, f"{task.prefix}-li-words", AsyncBM25Strategy(), nodes, leaves)

    def asked(index: tuple[VectorStoreIndex, StorageContext], question: str, group: str) -> Found:
        only = MetadataFilters(filters=[MetadataFilter(key="group", value=group)]) if group else None
        retriever = AutoMergingRetriever(index[0].as_retriever(similarity_top_k=task.depth, filters=only), index[1])
        return [(found.node.metadata["name"], found.node.get_content()) for found in retriever.retrieve(question)]

    return {
        "dense": lambda question, group: asked(dense, question, group),
        "fused": lambda question, group: fused(asked(dense, question, group), asked(words, question, group)),
    }


def _index(
    task: Task,
    name: str,
    strategy: AsyncDenseVectorStrategy | AsyncBM25Strategy,
    nodes: Sequence[BaseNode],
    leaves: Sequence[BaseNode],
) -> tuple[VectorStoreIndex, StorageContext]:
    parents = SimpleDocumentStore()
    parents.add_documents(nodes)
    store = ElasticsearchStore(index_name=name, es_url=task.es_url, retrieval_strategy=strategy)
    storage = StorageContext.from_defaults(docstore=parents, vector_store=store)
    return VectorStoreIndex(list(leaves), storage_context=storage), storage


if __name__ == "__main__":
    run(["llama-index-core", "llama-index-vector-stores-elasticsearch", "elasticsearch"], make)
