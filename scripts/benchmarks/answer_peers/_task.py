"""What every peer of `scripts/bench answers` gets and gives back. Runs in .venv-peers-answers, which knows nothing of the project.

A peer module calls `run(NAMES, make)`; `make(task)` stores the documents and returns a function for each mode that it offers.
"""

import importlib.metadata
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpe_openai
import httpx
import numpy as np

# Smaller pieces serve a small budget better; Haystack's own default is 200 words, about as long. Of LangChain's and our plain pieces:
CHUNK_TOKENS = 256
# The rank constant of reciprocal rank fusion where a peer leaves it to the server, which wants a licence: the custom.
RANK_CONSTANT = 60
_ENCODING = bpe_openai.get_encoding("o200k_base")


@dataclass(frozen=True)
class Document:
    """A document to store; `group` is what questions are filtered to."""

    name: str
    group: str
    text: str


@dataclass(frozen=True)
class Task:
    """What to do: an Elasticsearch, a prefix for indices, an embedding service, documents and questions (text, group or "")."""

    es_url: str
    prefix: str
    embed_url: str
    dims: int
    depth: int
    documents: tuple[Document, ...]
    questions: tuple[tuple[str, str], ...]


Found = Sequence[tuple[str, str]]
"""(source name, text), best first."""
Search = Callable[[str, str], Found]


def run(packages: Sequence[str], make: Callable[[Task], Mapping[str, Search]]) -> None:
    """`python PEER.py TASK OUT`: read a task, store, ask every question in every mode, write what was found."""
    task = _read(Path(sys.argv[1]))
    began = time.perf_counter()
    modes = make(task)
    stored = time.perf_counter() - began
    found = {mode: [list(search(text, group)) for text, group in task.questions] for mode, search in modes.items()}
    versions = {name: importlib.metadata.version(name) for name in packages}
    Path(sys.argv[2]).write_text(json.dumps({"versions": versions, "stored_seconds": stored, "found": found}))


def count_tokens(text: str) -> int:
    """Tokens of o200k_base, as for everyone."""
    return len(_ENCODING.encode_ordinary(text))


def embed(task: Task, texts: Sequence[str], role: str) -> list[list[float]]:
    """Vectors by the embedder under test; `role` is passage or query."""
    rows: list[list[float]] = []
    for start in range(0, len(texts), 64):
        answer = httpx.post(task.embed_url, json={"role": role, "texts": list(texts[start : start + 64])}, timeout=600)
        answer.raise_for_status()
        rows += np.frombuffer(answer.content, np.float32).reshape(-1, task.dims).tolist()
    return rows


def fused(*rankings: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Reciprocal rank fusion with equal weights, in the client."""
    scores: dict[tuple[str, str], float] = {}
    for ranking in rankings:
        for rank, found in enumerate(ranking, 1):
            scores[found] = scores.get(found, 0.0) + 1 / (RANK_CONSTANT + rank)
    return sorted(scores, key=lambda found: -scores[found])


def _read(path: Path) -> Task:
    told = json.loads(path.read_text())
    documents = tuple(Document(**document) for document in told.pop("documents"))
    questions = tuple((text, group) for text, group in told.pop("questions"))
    return Task(documents=documents, questions=questions, **told)
