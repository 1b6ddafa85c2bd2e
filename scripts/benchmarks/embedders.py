"""Embedders and index options beside each other: `./scripts/bench embedders [--vectors N] [--questions N] [--paragraphs N]`.

Quality is of the vectors alone, exact cosines: the first paragraphs of CMRC trial and PolicyQA (filtered to the policy; gold: every
segment of it that answers the same question). What fusion makes of them is in docs/decisions/0008-fusion.md.

Index options are compared at N vectors: the real ones, each turned by a random direction as often as it takes (cosine about 0.9).
Recall is of the ten nearest by exact cosine; sizes are what Elasticsearch says after a refresh, without the text.
"""

import json
import random
import statistics
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from _answer_sets import load_set
from _kept_tables import keep
from _kept_vectors import KeptVectors
from _measuring import arguments, machine, markdown, percentile

from es_mappings.bulk import Action
from es_mappings.errors import IndexRefused
from es_mappings.index import Index
from es_mappings.records import packed
from es_mappings.settings import read_settings
from ingest.embedding import Vectors, open_embedder
from ingest.opening import open_index

KINDS = ("use", "e5")
OPTIONS: Mapping[str, dict[str, Any]] = {
    "hnsw 16/100": {"type": "hnsw", "m": 16, "ef_construction": 100},
    "hnsw 32/200": {"type": "hnsw", "m": 32, "ef_construction": 200},
    "int8_hnsw 16/100": {"type": "int8_hnsw", "m": 16, "ef_construction": 100},
    "bbq_hnsw 16/100": {"type": "bbq_hnsw", "m": 16, "ef_construction": 100},
    "int8_flat": {"type": "int8_flat"},
    "flat": {"type": "flat"},
}
CANDIDATES = (100, 200, 400)
QUERIES = 100
NOISE = 0.48
LONG_TEXTS, SHORT_TEXTS, TIMED_QUERIES = 16, 64, 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Texts, questions, and for each question the rows that it is filtered to (None: all) and those that answer it."""

    name: str
    texts: tuple[str, ...]
    questions: tuple[tuple[str, tuple[int, ...] | None, frozenset[int]], ...]


def main() -> None:
    """Measure both tables, print and keep them."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--vectors", type=int, default=20_000, help="0: only the table of the embedders")
    parser.add_argument("--questions", type=int, default=400)
    parser.add_argument("--paragraphs", type=int, default=256)
    options = parser.parse_args()
    tasks = (_cmrc(options.data, options.paragraphs, options.questions), _policyqa(options.data, options.questions))
    embedders = [_embedder_row(kind, tasks) for kind in KINDS]
    head = [
        "embedder",
        "dimensions",
        "short texts/s",
        "chunks of 512 tokens/s",
        "query ms",
        *(f"{task.name} hit@1 / @10" for task in tasks),
    ]
    found = [row for kind in KINDS for row in _option_rows(kind, tasks, options.vectors)] if options.vectors else []
    options_head = ["vectors", "index options", "built s", "MB", *(f"recall@10, {one} candidates" for one in CANDIDATES), "p50 ms, 200"]
    text = f"{machine()}\n\n{markdown(head, embedders)}"
    if found:
        text += f"\n{options.vectors:,} vectors.\n\n{markdown(options_head, found)}"
    print(text)
    keep("embedders", text)


def _cmrc(data: Path, paragraphs_read: int, most: int) -> Task:
    entries = json.loads((data / "qa" / "cmrc2018_trial.squad.json").read_text("utf-8"))["data"]
    paragraphs = [paragraph for entry in entries for paragraph in entry["paragraphs"]][:paragraphs_read]
    asked = [(question["question"], None, frozenset([row])) for row, one in enumerate(paragraphs) for question in one["qas"]]
    drawn = random.Random(1).sample(asked, min(most, len(asked)))
    return Task(
        name=f"CMRC trial, {len(paragraphs)} paragraphs,", texts=tuple(one["context"] for one in paragraphs), questions=tuple(drawn)
    )


def _policyqa(data: Path, most: int) -> Task:
    tested = load_set("policyqa", data)
    rows = {source.name: row for row, source in enumerate(tested.sources)}
    groups: dict[str, list[int]] = {}
    for source in tested.sources:
        groups.setdefault(source.group, []).append(rows[source.name])
    asked = [(one.text, tuple(groups[one.group]), frozenset(rows[span.source] for span in one.gold)) for one in tested.report]
    drawn = random.Random(1).sample(asked, min(most, len(asked)))
    return Task(
        name="PolicyQA", texts=tuple(f"{source.group} > {source.title}\n{source.text}" for source in tested.sources), questions=tuple(drawn)
    )


def _embedder_row(kind: str, tasks: Sequence[Task]) -> list[object]:
    kept, embedder = KeptVectors(kind), open_embedder(read_settings(embedder=kind))
    embedder.embed_query("warm-up")
    texts = sorted((text for task in tasks for text in task.texts), key=len)
    long = [" ".join(texts[-1 - i : -9 - i : -1])[:2_000] for i in range(LONG_TEXTS)]
    rates = [len(chosen) / _seconds(lambda chosen=chosen: embedder.embed_passages(chosen)) for chosen in (texts[:SHORT_TEXTS], long)]
    times = [_seconds(lambda text=question[0]: embedder.embed_query(text)) * 1000 for question in tasks[0].questions[:TIMED_QUERIES]]
    return [embedder.name, embedder.dims, *rates, statistics.median(times), *(_hits(task, kept) for task in tasks)]


def _seconds(act: Any) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def _hits(task: Task, embedder: KeptVectors) -> str:
    passages = embedder.embed_passages(task.texts)
    queries = embedder.embed_queries([question[0] for question in task.questions])
    first, ten = 0, 0
    for query, (_, within, gold) in zip(queries, task.questions, strict=True):
        rows = np.array(within) if within is not None else np.arange(len(passages))
        best = rows[np.argsort(-(passages[rows] @ query), kind="stable")[:10]]
        first += int(best[0]) in gold
        ten += not gold.isdisjoint(best.tolist())
    return f"{first / len(task.questions):.3f} / {ten / len(task.questions):.3f}"


def _option_rows(kind: str, tasks: Sequence[Task], count: int) -> Iterator[list[object]]:
    kept = KeptVectors(kind)
    real = np.concatenate([kept.embed_passages(task.texts) for task in tasks])
    questions = [question[0] for task in tasks for question in task.questions]
    queries = kept.embed_queries(random.Random(2).sample(questions, QUERIES))
    vectors = _grown(real, count)
    exact = [frozenset(np.argpartition(-(vectors @ query), 10)[:10].tolist()) for query in queries]
    settings = read_settings()
    with open_index(settings) as index:
        for name, options in OPTIONS.items():
            yield [kind, name, *_measured(index, vectors, queries, exact, options)]


def _grown(real: Vectors, count: int) -> Vectors:
    drawn = np.random.default_rng(3)
    rows = real[np.arange(count) % len(real)]
    noise = drawn.standard_normal(rows.shape).astype(np.float32)
    noise[: len(real)] = 0
    turned = rows + NOISE * noise / np.maximum(np.linalg.norm(noise, axis=1, keepdims=True), 1e-9)
    return np.asarray(turned / np.linalg.norm(turned, axis=1, keepdims=True), dtype=np.float32)


def _measured(index: Index, vectors: Vectors, queries: Vectors, exact: Sequence[frozenset[int]], options: dict[str, Any]) -> list[object]:
    client, name = index._client, f"bench-{uuid.uuid4().hex[:8]}"  # noqa: SLF001  # sizes are no business of the product's
    field = {"type": "dense_vector", "dims": vectors.shape[1], "index": True, "similarity": "cosine", "index_options": options}
    shards = {"number_of_shards": 1, "number_of_replicas": 0, "refresh_interval": "30s"}
    try:
        client.indices.create(index=name, settings=shards, mappings={"properties": {"embedding": field}})
    except Exception as error:  # noqa: BLE001  # what a licence or a version refuses is a row of the table
        return [f"refused: {type(error).__name__}", "", *[""] * len(CANDIDATES), ""]
    try:
        began = time.perf_counter()
        actions = (
            Action(operation="index", index=name, id=str(i), body={"embedding": packed(row.tolist())}) for i, row in enumerate(vectors)
        )
        index.bulk(actions)
        index.refresh(name)
        built = time.perf_counter() - began
        client.indices.flush(index=name)
        megabytes = client.indices.stats(index=name, metric="store").body["_all"]["primaries"]["store"]["size_in_bytes"] / 2**20
        recalls, times = [], []
        for candidates in CANDIDATES:
            found = []
            for query in queries:
                nearest = {"field": "embedding", "query_vector": query.tolist(), "k": 10, "num_candidates": candidates}
                began = time.perf_counter()
                (response,) = index.msearch([{"knn": nearest, "_source": False, "size": 10}], name)
                if candidates == 200:
                    times.append((time.perf_counter() - began) * 1000)
                found.append({int(hit["_id"]) for hit in response["hits"]["hits"]})
            recalls.append(statistics.fmean(len(a & b) / 10 for a, b in zip(found, exact, strict=True)))
        return [built, megabytes, *recalls, percentile(times, 0.5)]
    except IndexRefused as error:
        return [f"refused: {error.message}", "", *[""] * len(CANDIDATES), ""]
    finally:
        client.indices.delete(index=name)


if __name__ == "__main__":
    main()
