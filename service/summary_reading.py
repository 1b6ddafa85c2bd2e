"""Stored summaries by id, never by search: the one asked for, or the nearest ones below it that the reader may see."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from es_mappings.access import AccessRegistry, Reader
from es_mappings.index import Index
from es_mappings.records import Manifest
from es_mappings.revisions import outline_id
from ingest.summaries.extractive import extract
from ingest.summaries.freshness import state_of
from ingest.summaries.prompts import Passage
from ingest.summaries.writing import BRANCH_LAYER
from service.models.summaries import SummaryState
from service.summary_results import SectionRow

# A text without a summary is shown by an extract of this size.
OWN_TEXT_TOKENS = 160
NOT_MADE = "its summary is not made yet"
_READ_AT_ONCE = 500
_FIELDS = ["kind", "section_key", "access", "token_count", "metadata"]
_CHUNK_FIELDS = ["section_key", "access", "ordinal", "content"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A section of the stored outline that the reader may see; the document is the first."""

    key: str
    title: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A text that stands for a section (or its own text alone), the node's coverage ({} for an extract made now).

    `node` is the index and id of the stored node, None for an extract.
    """

    key: str
    title: str
    text: str
    own_only: bool = False
    source_hash: str = ""
    coverage: dict[str, Any]
    node: tuple[str, str] | None = None

    @property
    def is_stored(self) -> bool:
        """Whether it was made before."""
        return bool(self.coverage)


class Branch:
    """One section of one document, with all below it, as a reader may see it."""

    def __init__(self, index: Index, access: AccessRegistry, reader: Reader, manifest: Manifest, key: str) -> None:
        self._index, self._access, self._reader, self._manifest, self.key = index, access, reader, manifest, key
        self.rows = tuple(row for row in self._outline_rows() if row.key == key or row.key.startswith(f"{key}/"))
        self._places = {row.key: place for place, row in enumerate(self.rows)}
        self._below: dict[str, list[Row]] = {}
        for row in self.rows:
            self._below.setdefault(row.key.rpartition("/")[0], []).append(row)
        self._made: set[str] = set()
        self._nodes = self._summary_nodes()
        self._pieces: dict[str, Piece | None] = {}
        self._chunks: dict[str, list[str]] | None = None

    @property
    def is_summarised(self) -> bool:
        """Whether the reader may see any summary in it."""
        return bool(self._nodes)

    def whole(self) -> Piece | None:
        """The section's own summary; None when there is none, or not for this reader."""
        return self._stored(self.key)

    @property
    def is_made(self) -> bool:
        """Whether the section has a summary, for whomever."""
        return self.key in self._made

    def parts(self, key: str | None = None) -> list[Piece]:
        """The nearest texts at or below a section that together stand for it, in reading order."""
        top = self.key if key is None else key
        self._read_all()
        piece = self._stored(top)
        return [piece] if piece else [*self.below(top)]

    def below(self, key: str) -> Iterator[Piece]:
        """A section's own text in short, then what stands for each of its subsections."""
        own = self._own_text(key)
        if own:
            row = self.rows[self._places[key]]
            text = extract([Passage(heading="", text=own)], OWN_TEXT_TOKENS)
            yield Piece(key=key, title=row.title, text=text, own_only=True, coverage={})
        for child in self.children(key):
            yield from self.parts(child.key)

    def children(self, key: str) -> list[Row]:
        """The sections right below one."""
        return self._below.get(key, [])

    def covered(self, pieces: Sequence[Piece]) -> tuple[SectionRow, ...]:
        """Every section of the branch with whether these texts hold what it says."""
        errors: dict[str, str] = {}
        inside: set[str] = set()
        for piece in pieces:
            failed = {entry["key"]: entry["error"] for entry in piece.coverage.get("failed", ())}
            for row in self._held(piece):
                inside.add(row.key)
                if row.key in failed:
                    errors[row.key] = failed[row.key]
        return tuple(self._row(row, inside, errors) for row in self.rows)

    def _held(self, piece: Piece) -> Iterator[Row]:
        """The sections that a text is about: they stand one after the other, a section before those below it."""
        for place in range(self._places.get(piece.key, len(self.rows)), len(self.rows)):
            row = self.rows[place]
            if row.key != piece.key and (piece.own_only or not row.key.startswith(f"{piece.key}/")):
                return
            yield row

    def _row(self, row: Row, inside: set[str], errors: dict[str, str]) -> SectionRow:
        error = errors.get(row.key) or (None if row.key in inside or not row.tokens else NOT_MADE)
        return SectionRow(key=row.key, title=row.title, tokens=row.tokens, included=error is None, error=error)

    def _outline_rows(self) -> Iterator[Row]:
        stored = self._index.get(self._index.outlines, outline_id(self._manifest.doc_id, self._manifest.revision))
        outline = stored.source["outline"] if stored else {"sections": []}
        yield Row(key=self._manifest.doc_id, title=self._manifest.title, tokens=outline.get("tokens", 0))
        for row in outline["sections"]:
            if self._access.allows(self._reader, row.get("access", self._manifest.access)):
                yield Row(key=row["key"], title=row["title"], tokens=row.get("tokens", 0))

    def _summary_nodes(self) -> dict[str, tuple[str, str]]:
        """For each section key the index and id of the summary that the reader may see."""
        kinds = {"terms": {"kind": ["section", "document", "cluster"]}}
        found: dict[str, tuple[str, str]] = {}
        for hit in self._index.scan(self._index.nodes, self._here(kinds, {"range": {"token_count": {"gt": 0}}}), _FIELDS):
            source = hit["_source"]
            is_cluster = source["kind"] == "cluster"
            if is_cluster and source.get("metadata", {}).get("layer") != BRANCH_LAYER:
                continue
            self._made.add(source["section_key"])
            if self._access.allows(self._reader, source["access"]):
                found[source["section_key"]] = (hit["_index"], hit["_id"])
        return found

    def _stored(self, key: str) -> Piece | None:
        if key not in self._nodes:
            return None
        if key not in self._pieces:
            self._read([key])
        return self._pieces[key]

    def _read_all(self) -> None:
        """Read what is stored for all sections of the branch, many at a time: one by one, a long document would take minutes."""
        missing = [key for key in self._nodes if key not in self._pieces]
        for start in range(0, len(missing), _READ_AT_ONCE):
            self._read(missing[start : start + _READ_AT_ONCE])

    def _read(self, keys: Sequence[str]) -> None:
        found = self._index.mget([self._nodes[key] for key in keys], excludes=("embedding", "child_ids", "source_keys"))
        for key, stored in zip(keys, found, strict=True):
            self._pieces[key] = self._piece(key, stored.source if stored else {})

    def _piece(self, key: str, source: dict[str, Any]) -> Piece | None:
        if not source.get("content"):
            return None
        return Piece(
            key=key,
            title=source.get("title", ""),
            text=source["content"],
            source_hash=source.get("source_hash", ""),
            coverage=source.get("coverage", {"wanted": ""}),
            node=self._nodes[key],
        )

    def _own_text(self, key: str) -> str:
        if self._chunks is None:
            self._chunks = {}
            hits = self._index.scan(self._index.nodes, self._here({"term": {"kind": "chunk"}}), _CHUNK_FIELDS)
            for hit in sorted(hits, key=lambda hit: hit["_source"]["ordinal"]):
                if self._access.allows(self._reader, hit["_source"]["access"]):
                    self._chunks.setdefault(hit["_source"]["section_key"], []).append(hit["_source"]["content"])
        return "\n\n".join(self._chunks.get(key, ()))

    def _here(self, *filters: dict[str, Any]) -> dict[str, Any]:
        mine = [{"term": {"doc_id": self._manifest.doc_id}}, {"term": {"revision": self._manifest.revision}}]
        return {"bool": {"filter": [*mine, {"match": {"section_key": self.key}}, *filters]}}


def piece_state(piece: Piece, recipe: str | None, has_model: bool) -> SummaryState:
    """The state of a text: pending for an extract made for want of a summary; an extract is stale once there is a model."""
    if not piece.is_stored:
        return "pending"
    if has_model and piece.coverage.get("mode") == "extractive":
        return "stale"
    return state_of(True, piece.source_hash, piece.coverage, recipe)
