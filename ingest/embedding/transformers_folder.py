"""A transformers model from a local folder, by torch (ingest/model_folder.py says how it is opened)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from es_mappings.settings import Settings
from ingest.embedding import Embedder, Vectors
from ingest.embedding.long_text import embed_split
from ingest.model_folder import fingerprint, open_model_folder, read_json, token_limit

BATCH = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderFacts:
    """What the folder says about its use: prefixes, pooling ("mean" or "cls") and a fingerprint of configuration and weights."""

    query_prefix: str
    passage_prefix: str
    pooling: str
    fingerprint: str


def open_embedder(settings: Settings, argument: str) -> Embedder:  # noqa: ARG001 - the contract of the folder
    """The model in the folder after "transformers:". Raises SettingsError when it cannot be used."""
    folder = Path(argument).expanduser()
    model, tokenizer = open_model_folder(folder, setting="SECTIONARY_EMBEDDER", architecture="AutoModel")
    return TransformersFolder(model, tokenizer, folder.name, read_facts(folder))


def read_facts(folder: Path) -> FolderFacts:
    """How the model wants to be used: its own files first, then what its family is published with.

    e5 (arXiv 2212.03533) wants "query: " and "passage: "; bge (FlagEmbedding's model cards) an instruction before queries only.
    """
    own = read_json(folder / "config_sentence_transformers.json").get("prompts") or {}
    names = f"{folder.name} {read_json(folder / 'config.json').get('_name_or_path', '')}".lower()
    query, passage = own.get("query", ""), own.get("document", own.get("passage", ""))
    if not own and "e5" in names:
        query, passage = "query: ", "passage: "
    elif not own and "bge" in names and "m3" not in names:
        query = "为这个句子生成表示以用于检索相关文章：" if "zh" in names else "Represent this sentence for searching relevant passages: "
    pooling = "cls" if read_json(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token") else "mean"
    return FolderFacts(query_prefix=query, passage_prefix=passage, pooling=pooling, fingerprint=fingerprint(folder))


class TransformersFolder:
    """Mean (or first-token) pooling over the last hidden state, unit length, batches of 16 on the CPU."""

    def __init__(self, model: Any, tokenizer: Any, folder: str, facts: FolderFacts) -> None:
        self._model, self._tokenizer, self._folder, self._facts = model, tokenizer, folder, facts
        self._lock = Lock()

    @property
    def name(self) -> str:
        return f"transformers:{self._folder}@{self._facts.fingerprint}"

    @property
    def dims(self) -> int:
        return int(self._model.config.hidden_size)

    @property
    def max_tokens(self) -> int | None:
        return token_limit(self._model, self._tokenizer)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, self._facts.passage_prefix)

    def embed_query(self, text: str) -> Vectors:
        row: Vectors = self._embed([text], self._facts.query_prefix)[0]
        return row

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        def count(text: str) -> int:
            return len(self._tokenizer(prefix + text, truncation=False, verbose=False)["input_ids"])

        def encode(pieces: list[str]) -> Vectors:
            return self._pool([prefix + piece for piece in pieces])

        return embed_split(texts, limit=self.max_tokens, count=count, encode=encode, batch=BATCH)

    def _pool(self, texts: list[str]) -> Vectors:
        import torch  # here: an optional dependency

        # Tokenizers of transformers keep padding state: one batch at a time.
        with self._lock, torch.inference_mode():
            batch = self._tokenizer(texts, padding=True, truncation=False, return_tensors="pt", verbose=False)
            hidden = self._model(**batch).last_hidden_state
            if self._facts.pooling == "cls":
                pooled = hidden[:, 0]
            else:
                mask = batch["attention_mask"].unsqueeze(-1).to(hidden.dtype)
                pooled = (hidden * mask).sum(1) / mask.sum(1).clamp(min=1)
            return np.asarray(pooled.numpy(), dtype=np.float32)
