"""An embedder whose vectors are kept in .cache, so that a benchmark that is run again, or by a peer, does not compute them again."""

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

import numpy as np

from es_mappings.settings import read_settings
from ingest.embedding import Embedder, Vectors, open_embedder

KEPT = Path(__file__).parents[2] / ".cache" / "benchmarks"
# Texts that are computed before they are stored: what a killed run loses at most.
BATCH = 32


class KeptVectors:
    """The embedder `kind` ("use", "e5"); equal texts get the vector that was computed first. Safe to use from several threads."""

    def __init__(self, kind: str, folder: Path = KEPT) -> None:
        self._inner: Embedder = open_embedder(read_settings(embedder=kind))
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = Lock()
        self._kept = sqlite3.connect(folder / f"vectors-{kind}.sqlite", check_same_thread=False, timeout=60)
        self._kept.execute("create table if not exists vectors (digest blob primary key, vector blob) without rowid")

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dims(self) -> int:
        return self._inner.dims

    @property
    def max_tokens(self) -> int | None:
        return self._inner.max_tokens

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Like the embedder itself: unit rows, one a text."""
        return self._rows("passage", texts, self._inner.embed_passages)

    def embed_query(self, text: str) -> Vectors:
        """Like the embedder itself: one unit vector."""
        row: Vectors = self.embed_queries([text])[0]
        return row

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """The vectors of many questions."""
        return self._rows("query", texts, lambda batch: np.stack([self._inner.embed_query(text) for text in batch]))

    def _rows(self, role: str, texts: Sequence[str], compute: Callable[[list[str]], Vectors]) -> Vectors:
        digests = [hashlib.sha256(f"{self.name} {role} {text}".encode()).digest() for text in texts]
        rows = self._read(digests)
        # By length, so that a batch takes little more than its own texts; the digest makes equal texts one.
        missing = sorted({d: text for d, text in zip(digests, texts, strict=True) if d not in rows}.items(), key=lambda item: len(item[1]))
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            made = compute([text for _, text in batch])
            self._write([(digest, row.tobytes()) for (digest, _), row in zip(batch, made, strict=True)])
            rows.update({digest: row for (digest, _), row in zip(batch, made, strict=True)})
        return np.stack([rows[digest] for digest in digests]) if texts else np.zeros((0, self.dims), np.float32)

    def _read(self, digests: Sequence[bytes]) -> dict[bytes, Vectors]:
        found: dict[bytes, Vectors] = {}
        with self._lock:
            for digest in set(digests):
                row = self._kept.execute("select vector from vectors where digest = ?", (digest,)).fetchone()
                if row:
                    found[digest] = np.frombuffer(row[0], np.float32)
        return found

    def _write(self, rows: list[tuple[bytes, bytes]]) -> None:
        with self._lock, self._kept:
            self._kept.executemany("insert or ignore into vectors values (?, ?)", rows)
