"""The records that are stored, with the names of their fields; a test holds them equal to the mappings beside this file."""

import base64
import sys
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, Self

NodeKind = Literal["chunk", "section", "document", "cluster"]
PUBLIC = "public"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What all records share: fields that are the `_source`."""

    def to_source(self) -> dict[str, Any]:
        """The `_source` of this record; empty values are left out."""
        values = ((name, getattr(self, name)) for name in self.__dataclass_fields__)
        return {name: value for name, value in values if value is not None and value not in ("", (), {})}

    @classmethod
    def from_source(cls, source: dict[str, Any]) -> Self:
        """The record that a `_source` describes; unknown fields are ignored, lists become tuples."""
        known = cls.__dataclass_fields__
        values = {name: tuple(value) if isinstance(value, list) else value for name, value in source.items() if name in known}
        return cls(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node(Record):
    """One node of `PREFIX-nodes`: a chunk of text, a heading (with its summary, once there is one), a document, or a cluster.

    `section_path` and `section_key` start with the document (slug, doc_id); `section_labels` are this section's and its
    ancestors', `own_labels` this heading's alone. `embedding` has as many dimensions as the embedder and unit length.
    """

    collection: str
    doc_id: str
    revision: str
    kind: NodeKind
    level: int
    ordinal: int
    title: str
    section_path: str
    section_key: str
    content: str = ""
    section_titles: str = ""
    section_labels: tuple[str, ...] = ()
    own_labels: tuple[str, ...] = ()
    number: str | None = None
    page_start: int | None = None
    page_end: int | None = None
    structure_source: str = "none"
    structure_confidence: float = 1.0
    is_fallback: bool = False
    reference_labels: tuple[str, ...] = ()
    reference_keys: tuple[str, ...] = ()
    child_ids: tuple[str, ...] = ()
    source_keys: tuple[str, ...] = ()
    access: str = PUBLIC
    embedding: tuple[float, ...] | None = None
    content_hash: str = ""
    source_hash: str = ""
    ingested_at: str | None = None
    language: str | None = None
    token_count: int = 0
    coverage: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)

    def to_source(self) -> dict[str, Any]:
        """The `_source`, with the vector packed."""
        source = Record.to_source(self)
        if self.embedding is not None:
            source["embedding"] = packed(self.embedding)
        return source


def packed(vector: Iterable[float]) -> str:
    """A vector as Elasticsearch takes it fastest: base64 of big-endian float32 (measured: 1,000 of 512 in 0.5 s, as lists 2.5 s)."""
    values = array("f", vector)
    if sys.byteorder == "little":
        values.byteswap()
    return base64.b64encode(values.tobytes()).decode()


DocumentState = Literal["new", "ready", "failed", "deleted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest(Record):
    """One document in `PREFIX-documents`, under 2 kB: what is current, who is writing, and what to show in a list.

    `revision` is the committed version ("" while there is none); `claim` is the revision that a writer prepares, with the
    time it was claimed (ISO 8601, UTC). `retired` are replaced revisions whose nodes wait for deletion, as "REVISION TIME".
    `is_restricted`: single sections have rules of their own, beyond `access`, the document's.
    `origin` is the folder that the source is relative to, when one was given; `source` is the name that makes the id.
    """

    doc_id: str
    collection: str
    source: str
    title: str = ""
    slug: str = ""
    aliases: tuple[str, ...] = ()
    origin: str = ""
    format: str = ""
    file_hash: str = ""
    settings_hash: str = ""
    revision: str = ""
    claim: str = ""
    claimed_at: str | None = None
    retired: tuple[str, ...] = ()
    state: DocumentState = "new"
    access: str = PUBLIC
    is_restricted: bool = False
    pages: int | None = None
    sections: int = 0
    chunks: int = 0
    tokens: int = 0
    language: str | None = None
    structure_source: str = "none"
    structure_confidence: float = 0.0
    summary_state: str = "none"
    warnings: tuple[str, ...] = ()
    error: str = ""
    ingested_at: str | None = None
    updated_at: str | None = None


JobState = Literal["queued", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(Record):
    """One upload on its way into the index; the record is the truth, whoever works it off.

    `owner` names who uploaded ("owner", or "groups:" and the sorted groups). A running job belongs to `worker` until
    `lease_until` (ISO 8601, UTC); `cancel` asks it to stop. `done` of `total` counts what `stage` counts, 0 of 0 is unknown.
    `parameters` say what to do (uploaded name, file in the spool, source name); `result` is the row that the ingest printed,
    `error` a code and a message.
    """

    job: str
    kind: str = "ingest"
    state: JobState = "queued"
    owner: str
    worker: str = ""
    lease_until: str | None = None
    attempt: int = 0
    cancel: bool = False
    done: int = 0
    total: int = 0
    stage: str = ""
    doc_id: str = ""
    collection: str
    access: tuple[str, ...] = ()
    parameters: dict[str, str] = field(default_factory=dict)
    result: dict[str, Any] = field(default_factory=dict)
    error: dict[str, str] = field(default_factory=dict)
    created_at: str
    updated_at: str
