"""An index that grows to hundreds of thousands of chunks from ten thousand real ones; what is real and what is not is said here.

REAL texts come from the measuring documents in pieces of about 150 tokens, embedded with the built-in model. Every further chunk joins
the first half of one piece and the second half of another and has the vector of the first turned by a random direction (cosine to
it about 0.9). Each document has ten chapters of ten chunks. Everything follows from the number of the document, so a build that
was stopped goes on where it was.
"""

import json
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from _kept_vectors import KeptVectors

from es_mappings.bulk import Action
from es_mappings.index import Index
from es_mappings.records import Manifest, Node
from es_mappings.revisions import node_id
from ingest.embedding import Vectors
from ingest.language import language_of

REAL = 10_000
PIECE_CHARACTERS = {"zh": 220, "en": 600}
CHUNKS_PER_CHAPTER = 10
CHAPTERS = 10
PER_DOCUMENT = CHUNKS_PER_CHAPTER * CHAPTERS
# Length of the random direction beside the unit vector: the cosine is 1 / sqrt(1 + NOISE²).
NOISE = 0.48
COLLECTION = "bench"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The real pieces and their vectors, one row a piece."""

    texts: tuple[str, ...]
    vectors: Vectors


def read_pool(data: Path, embedder: KeptVectors) -> Pool:
    """The first REAL pieces, drawn with a seed. Raises SystemExit when the documents do not give as many."""
    pieces = sorted({piece for text in _texts(data) for piece in _pieces(text)})
    if len(pieces) < REAL:
        raise SystemExit(f"{data} gives only {len(pieces)} pieces")
    texts = tuple(random.Random(1).sample(pieces, REAL))
    return Pool(texts=texts, vectors=embedder.embed_passages(texts))


def vectors_of(pool: Pool, number: int) -> Vectors:
    """The vectors of document `number` (from 0), one row a chunk."""
    first = number * PER_DOCUMENT
    if first < REAL:
        return pool.vectors[first : first + PER_DOCUMENT]
    drawn = np.random.default_rng(number)
    turned = pool.vectors[_sources(number)[0]] + NOISE * _units(
        drawn.standard_normal((PER_DOCUMENT, pool.vectors.shape[1])).astype(np.float32)
    )
    return _units(turned)


def grow(index: Index, pool: Pool, chunks: int) -> float:
    """Add documents until the index holds `chunks` chunks; returns the seconds it took. Raises SystemExit when it holds more."""
    began = time.perf_counter()
    index.refresh(index.documents)
    have = sum(1 for _ in index.scan(index.documents, {"exists": {"field": "revision"}}, source=False))
    if have * PER_DOCUMENT > chunks:
        raise SystemExit(f"the index holds {have * PER_DOCUMENT:,} chunks already: --fresh starts again")
    _, rejected = index.bulk(action for number in range(have, chunks // PER_DOCUMENT) for action in _document(index, pool, number))
    if rejected:
        raise SystemExit(f"{len(rejected)} rejected: {rejected[0]}")
    index.refresh(index.nodes, index.documents)
    return time.perf_counter() - began


def chunk_ids(number: int) -> list[str]:
    """The ids of a document's chunks, in the order of `vectors_of`."""
    return [node_id(node) for node in _chunks(number, [""] * PER_DOCUMENT, None)]


def doc_id(number: int) -> str:
    """The id of a document."""
    return f"{number:032x}"


def _document(index: Index, pool: Pool, number: int) -> Iterator[Action]:
    """Chunks, chapters and last the manifest: a document that was not finished is written again."""
    for node in (*_chunks(number, _contents(pool, number), vectors_of(pool, number)), *_chapters(number)):
        yield Action(operation="index", index=index.home_of(node.kind), id=node_id(node), body=node.to_source())
    manifest = Manifest(
        doc_id=doc_id(number), collection=COLLECTION, source=f"{number}.md", title=f"Volume {number}", slug=f"volume-{number}",
        revision=_revision(number), state="ready", chunks=PER_DOCUMENT, sections=CHAPTERS, updated_at="2026-01-01T00:00:00Z",
    )  # fmt: skip
    yield Action(operation="index", index=index.documents, id=manifest.doc_id, body=manifest.to_source())


def _chunks(number: int, contents: Sequence[str], vectors: Vectors | None) -> Iterator[Node]:
    for place, content in enumerate(contents):
        chapter = place // CHUNKS_PER_CHAPTER + 1
        title = " ".join(content.split()[:4])[:40] or "chapter"
        yield Node(
            collection=COLLECTION, doc_id=doc_id(number), revision=_revision(number), kind="chunk", level=0,
            ordinal=place + chapter, title=title, section_titles=title, content=content, token_count=150,
            section_path=f"volume-{number}/{chapter} Chapter", section_key=f"{doc_id(number)}/{chapter:05d}",
            section_labels=(f"chapter {chapter}",), language=language_of(content),
            embedding=None if vectors is None else tuple(vectors[place].tolist()),
        )  # fmt: skip


def _chapters(number: int) -> Iterator[Node]:
    for chapter in range(1, CHAPTERS + 1):
        yield Node(
            collection=COLLECTION, doc_id=doc_id(number), revision=_revision(number), kind="section", level=1,
            ordinal=(chapter - 1) * (CHUNKS_PER_CHAPTER + 1), title=f"Chapter {chapter}", section_titles=f"Chapter {chapter}",
            section_path=f"volume-{number}/{chapter} Chapter", section_key=f"{doc_id(number)}/{chapter:05d}",
            section_labels=(f"chapter {chapter}",), own_labels=(f"chapter {chapter}",),
        )  # fmt: skip


def _contents(pool: Pool, number: int) -> list[str]:
    first = number * PER_DOCUMENT
    if first < REAL:
        return list(pool.texts[first : first + PER_DOCUMENT])
    own, other = _sources(number)
    return [pool.texts[a][: len(pool.texts[a]) // 2] + pool.texts[b][len(pool.texts[b]) // 2 :] for a, b in zip(own, other, strict=True)]


def _sources(number: int) -> tuple[list[int], list[int]]:
    drawn = random.Random(number)
    return drawn.choices(range(REAL), k=PER_DOCUMENT), drawn.choices(range(REAL), k=PER_DOCUMENT)


def _revision(number: int) -> str:
    return f"r{number}"


def _units(rows: Vectors) -> Vectors:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def _texts(data: Path) -> Iterator[str]:
    for pattern in ("md/**/*.md", "qa/chroma-chunk-eval/corpora/*.md", "txt/*.txt", "txt/*.rst"):
        for path in sorted(data.glob(pattern)):
            yield path.read_text("utf-8", errors="replace")
    for path in sorted((data / "qa").glob("leval-*.jsonl")):
        yield from dict.fromkeys(json.loads(line)["input"] for line in path.read_text("utf-8").splitlines())
    for entry in json.loads((data / "qa" / "cmrc2018_dev.squad.json").read_text("utf-8"))["data"]:
        yield from (paragraph["context"] for paragraph in entry["paragraphs"])


def _pieces(text: str) -> Iterator[str]:
    """Paragraphs joined up to the length of a piece."""
    most = PIECE_CHARACTERS["zh" if language_of(text) == "zh" else "en"]
    piece = ""
    for sentence in re.split(r"(?<=[.!?。！？])\s*|\n\s*\n", text):
        if piece and len(piece) + len(sentence) > most:
            yield piece
            piece = ""
        piece = f"{piece} {sentence}".strip()
    if len(piece) > most // 2:
        yield piece
