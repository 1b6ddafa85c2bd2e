"""Nodes of documents, copied from one generation of the index to another, with new vectors for the same texts.

Vectors that the target has for a text already are taken from there, so that a run that was killed, and a document that changed
in few places, cost only what is missing.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from es_mappings.bulk import Action
from es_mappings.derived import is_derived
from es_mappings.errors import DeadlineExceeded, WriteRejected
from es_mappings.generations import Generation
from es_mappings.index import Index
from es_mappings.records import Manifest, packed
from es_mappings.sections import joined_hash
from ingest.chunking import embedded_again
from ingest.embedding import Embedder, Vectors

PAGE = 256
EMBED_BATCH = 64
# Chunks first: of some headings the vector is the mean of the chunks below.
_KINDS: tuple[dict[str, Any], ...] = ({"term": {"kind": "chunk"}}, {"bool": {"must_not": [{"term": {"kind": "chunk"}}]}})
_TEXT_FIELDS = ["doc_id", "revision", "kind", "title", "section_titles", "content", "coverage", "embedding"]

Row = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """How much was copied: nodes, texts that were embedded, and vectors that the target had."""

    nodes: int = 0
    embedded: int = 0
    reused: int = 0

    def __add__(self, other: "Copied") -> "Copied":
        return Copied(nodes=self.nodes + other.nodes, embedded=self.embedded + other.embedded, reused=self.reused + other.reused)


class Copier:
    """Copies documents from `source` to `target`; `embedder` None takes the vectors over as they are.

    `chunk_tokens` is the setting that the documents were ingested with: a heading path in an embedded text may be shortened by it.
    """

    def __init__(self, *, index: Index, source: Generation, target: Generation, embedder: Embedder | None, chunk_tokens: int) -> None:
        self._index, self._source, self._target = index, source, target
        self._embedder, self._chunk_tokens = embedder, chunk_tokens
        self._embedded, self._spent = 0, 0.0

    def copy(self, manifests: Sequence[Manifest], *, anew: bool, until: float | None = None) -> Copied:
        """Copy the current revisions of these documents; `anew`: the target has nothing of them yet.

        `until` (of time.monotonic) is when it has to be done: DeadlineExceeded is raised before an embedding that would take longer.
        Raises WriteRejected, IndexUnavailable, EmbedderUnavailable.
        """
        documents = {manifest.doc_id: manifest for manifest in manifests}
        known, there = ({}, {}) if anew else self._known(documents)
        sums: dict[str, Row] = {}
        copied = Copied()
        for kinds in _KINDS:
            for page in _pages(self._hits(documents, kinds), PAGE):
                for hit in page:
                    there.pop(hit["_id"], None)
                copied += self._copy_page(page, documents, known, sums, until)
        self._index.bulk(Action(operation="delete", index=index, id=id_) for id_, index in there.items())
        return copied

    def _hits(self, documents: Mapping[str, Manifest], kinds: dict[str, Any]) -> Iterator[dict[str, Any]]:
        revisions = sorted({manifest.revision for manifest in documents.values()})
        filters = [{"terms": {"doc_id": sorted(documents)}}, {"terms": {"revision": revisions}}, kinds]
        for hit in self._index.scan(self._source.names, {"bool": {"filter": filters}}, ["*"] if self._embedder is None else True):
            if hit["_source"]["revision"] == documents[hit["_source"]["doc_id"]].revision:
                yield hit

    def _copy_page(
        self,
        page: Sequence[dict[str, Any]],
        documents: Mapping[str, Manifest],
        known: dict[str, Row],
        sums: dict[str, Row],
        until: float | None,
    ) -> Copied:
        texts = {hit["_id"]: self._text(hit["_source"], documents) for hit in page} if self._embedder is not None else {}
        missing = [text for text in dict.fromkeys(texts.values()) if text and joined_hash(text) not in known]
        known |= self._embed(missing, until)
        reused = sum(bool(text) for text in texts.values()) - len(missing)
        actions = []
        for hit in page:
            source, text = dict(hit["_source"]), texts.get(hit["_id"], "")
            vector = known[joined_hash(text)] if text else None if self._embedder is None else _mean_below(sums, source)
            if vector is not None:
                source["embedding"] = packed(vector.tolist())
                if source["kind"] == "chunk":
                    _add_above(sums, source["section_key"], vector * np.float32(source.get("token_count", 0)))
            elif isinstance(source.get("embedding"), list):
                source["embedding"] = packed(source["embedding"])
            actions.append(Action(operation="index", index=self._target.home_of(source["kind"]), id=hit["_id"], body=source))
        done, rejected = self._index.bulk(actions)
        if rejected:
            first = f"{rejected[0].id} ({rejected[0].status} {rejected[0].reason})"
            raise WriteRejected(f"{len(rejected)} of {done + len(rejected)} nodes were rejected: {first}; the index stays as it was")
        return Copied(nodes=len(page), embedded=len(missing), reused=reused)

    def _text(self, source: Mapping[str, Any], documents: Mapping[str, Manifest]) -> str:
        """What is embedded for a node; "" when it has no vector, or the mean of the chunks below."""
        content = str(source.get("content", ""))
        if not content:
            return ""
        manifest = documents[source["doc_id"]]
        if source["kind"] == "chunk":
            headings = str(source.get("section_titles", "")).split(" / ")
            return embedded_again(manifest.title, headings, content, self._chunk_tokens)
        if source.get("coverage", {}).get("mode") == "verbatim":
            return ""
        return content if is_derived(manifest.format) else f"{source.get('title', '')}\n{content}"

    def _known(self, documents: Mapping[str, Manifest]) -> tuple[dict[str, Row], dict[str, str]]:
        """What the target has of these documents: vectors by text, of whatever revision, and the current nodes' ids with their index."""
        known: dict[str, Row] = {}
        there: dict[str, str] = {}
        for hit in self._index.scan(self._target.names, {"terms": {"doc_id": sorted(documents)}}, _TEXT_FIELDS):
            source = hit["_source"]
            if source["revision"] == documents[source["doc_id"]].revision:
                there[hit["_id"]] = hit["_index"]
            text = self._text(source, documents) if self._embedder is not None and "embedding" in source else ""
            if text:
                known[joined_hash(text)] = np.array(source["embedding"], dtype=np.float32)
        return known, there

    def _embed(self, texts: Sequence[str], until: float | None) -> dict[str, Row]:
        if not texts or self._embedder is None:
            return {}
        if until is not None and time.monotonic() + len(texts) * self._seconds_a_text() > until:
            raise DeadlineExceeded("too many texts changed to embed them while writers wait")
        began = time.monotonic()
        ordered = sorted(texts, key=len)
        rows: list[Vectors] = [
            self._embedder.embed_passages(ordered[start : start + EMBED_BATCH]) for start in range(0, len(ordered), EMBED_BATCH)
        ]
        self._spent += time.monotonic() - began
        self._embedded += len(ordered)
        return {joined_hash(text): row for text, row in zip(ordered, np.concatenate(rows), strict=True)}

    def _seconds_a_text(self) -> float:
        return self._spent / self._embedded if self._embedded else 0.05


def _pages(hits: Iterable[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    remaining = iter(hits)
    while page := list(islice(remaining, size)):
        yield page


def _add_above(sums: dict[str, Row], key: str, row: Row) -> None:
    """Add a chunk's weighted vector to its section and to every one above."""
    parts = key.split("/")
    for depth in range(1, len(parts) + 1):
        above = "/".join(parts[:depth])
        sums[above] = sums[above] + row if above in sums else row


def _mean_below(sums: Mapping[str, Row], source: Mapping[str, Any]) -> Row | None:
    """The mean of the chunks below a heading whose summary is their own text, weighted by tokens, at unit length."""
    total = sums.get(str(source["section_key"])) if source.get("content") else None
    length = float(np.linalg.norm(total)) if total is not None else 0.0
    return total / np.float32(length) if total is not None and length else None
