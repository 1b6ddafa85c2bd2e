"""Finished summaries and parts of them in Elasticsearch, found again by what they were made from, whatever revision wants them."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from threading import Lock
from typing import Any

from es_mappings.bulk import Action
from es_mappings.errors import WriteRejected
from es_mappings.index import Index
from ingest.summaries.making import Made

_ID_LENGTH = 500
# The place of what was styled for a reader; with the revision that it is a style of.
STYLED = "styled:"


class PieceStore:
    """The pieces of one document: read once when it is opened, each new one stored before `keep` returns.

    A piece may have a place (a heading path, say), so that an outdated one can still be shown for it. Safe to use from
    several threads.
    """

    def __init__(self, index: Index, doc_id: str) -> None:
        self._index, self._doc_id = index, doc_id
        self._lock = Lock()
        self._made: dict[str, Made] = {}
        self._vectors: dict[str, tuple[str, tuple[float, ...]]] = {}
        self._places: dict[str, str] = {}
        self._newest: dict[str, tuple[str, str]] = {}
        index.refresh(index.summaries)
        for hit in index.scan(index.summaries, {"term": {"doc_id": doc_id}}):
            source = hit["_source"]
            made, vector = _read(source["made"])
            self._note(made, source.get("place", ""), source["created_at"])
            if vector:
                self._vectors[made.source_hash] = (source["made"].get("vector_model", ""), vector)

    def place(self, places: dict[str, str]) -> None:
        """Tell the places of the hashes that will be kept."""
        with self._lock:
            self._places.update(places)

    def find(self, hashes: Sequence[str]) -> dict[str, Made]:
        """What is stored under these source hashes."""
        with self._lock:
            return {digest: self._made[digest] for digest in hashes if digest in self._made}

    def newest_at(self, place: str) -> Made | None:
        """The last summary that was made for a place, whatever it was made from."""
        with self._lock:
            newest = self._newest.get(place)
            return self._made.get(newest[1]) if newest else None

    def keep(self, made: Made) -> None:
        """Store a piece; when this returns, a kill does not lose it. Raises IndexUnavailable, WriteRejected."""
        self._write(made, None)

    def vector(self, made: Made, model: str) -> tuple[float, ...] | None:
        """The stored vector of a summary's text, if this model embedded it before."""
        with self._lock:
            by, vector = self._vectors.get(made.source_hash, ("", None))
            return vector if by == model else None

    def keep_vectors(self, embedded: Sequence[tuple[Made, tuple[float, ...]]], model: str) -> None:
        """Store the vectors of summaries beside them, with the model that they are of."""
        for made, vector in embedded:
            self._write(made, (model, vector))

    def drop_all_but(self, hashes: frozenset[str], revision: str) -> int:
        """Delete pieces of other hashes, whose sources are no longer in the document, and styles of other revisions; returns how many."""
        with self._lock:
            gone = [digest for digest in self._made if digest not in hashes and self._places.get(digest) != STYLED + revision]
            for digest in gone:
                del self._made[digest]
        self._index.bulk(Action(operation="delete", index=self._index.summaries, id=piece_id(self._doc_id, digest)) for digest in gone)
        return len(gone)

    def _write(self, made: Made, vector: tuple[str, tuple[float, ...]] | None) -> None:
        with self._lock:
            place = self._places.get(made.source_hash, "")
        created_at = write_piece(self._index, self._doc_id, made, place, vector)
        with self._lock:
            self._note(made, place, created_at)
            if vector is not None:
                self._vectors[made.source_hash] = vector

    def _note(self, made: Made, place: str, created_at: str) -> None:
        self._made[made.source_hash] = made
        if not place:
            return
        self._places.setdefault(made.source_hash, place)
        if created_at >= self._newest.get(place, ("", ""))[0]:
            self._newest[place] = (created_at, made.source_hash)


def piece_id(doc_id: str, digest: str) -> str:
    """The id of a piece: two documents with the same text keep one each, so that deleting one document takes its own."""
    return f"{doc_id}:{digest}"[-_ID_LENGTH:]


def read_piece(index: Index, doc_id: str, digest: str) -> Made | None:
    """One piece by its hash, by a real-time read."""
    stored = index.get(index.summaries, piece_id(doc_id, digest)) if index.exists(index.summaries) else None
    return _read(stored.source["made"])[0] if stored else None


def write_piece(index: Index, doc_id: str, made: Made, place: str, vector: tuple[str, tuple[float, ...]] | None = None) -> str:
    """Store a piece at once; returns when it was created. Raises WriteRejected, IndexUnavailable."""
    now = datetime.now(UTC).isoformat()
    record = asdict(made) | ({"vector_model": vector[0], "vector": list(vector[1])} if vector is not None else {})
    body = {"doc_id": doc_id, "source_hash": made.source_hash, "made": record, "created_at": now} | ({"place": place} if place else {})
    _, rejected = index.bulk([Action(operation="index", index=index.summaries, id=piece_id(doc_id, made.source_hash), body=body)])
    if rejected:
        raise WriteRejected(f"a finished summary could not be stored ({rejected[0].status} {rejected[0].reason}): see `sectionary doctor`")
    return now


def _read(record: dict[str, Any]) -> tuple[Made, tuple[float, ...] | None]:
    fields = dict(record)
    vector = fields.pop("vector", None)
    fields.pop("vector_model", None)
    return Made(**fields), tuple(vector) if vector else None
