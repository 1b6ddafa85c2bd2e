"""The write path in one place: hash, read, take apart, embed, claim, write, refresh, commit."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from es_mappings.access import PUBLIC_RULE, AccessRegistry, Rule
from es_mappings.errors import MalformedDocument, SectionaryError
from es_mappings.generations import Generation
from es_mappings.index import Index
from es_mappings.records import Manifest, Node
from es_mappings.revisions import Claim, Revisions
from es_mappings.sections import document_id, joined_hash, short_hash, slug_of
from es_mappings.settings import Settings
from ingest.embedding import Embedder
from ingest.formats import ReadOptions
from ingest.language import language_of
from ingest.nodes import Identity, Parts, build_nodes, embedded_texts
from ingest.outline_record import outline_record, structure_confidence
from ingest.parts import ReadDocument, ReadFile, take_apart
from ingest.restrictions import section_rules
from ingest.sources import Source, content_hash

PIPELINE_VERSION = 1  # raised when the same file would give other nodes, so that it is ingested anew
EMBED_BATCH = 64
WARNINGS_KEPT = 5
WARNING_CHARACTERS = 200

Progress = Callable[[str, int, int], None]
"""Called with (stage, done, total); stages: reading, those of `ingest.formats.SlowStage`, embedding, writing, summarising.

Raising from it stops the ingest cleanly.
"""

Summarise = Callable[[Manifest, Progress], str]
"""Makes the summaries of a stored document; returns a sentence for a person when some are missing, else ""."""


def no_summaries(manifest: Manifest, progress: Progress) -> str:  # noqa: ARG001 - the signature of Summarise
    """Summaries are made another time."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """The open index with what writing to it needs; `summarise` is called when a document is stored and searchable."""

    settings: Settings
    index: Index
    revisions: Revisions
    access: AccessRegistry
    embedder: Embedder
    read: ReadFile
    summarise: Summarise = no_summaries


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What became of one document; `status` is created, updated, unchanged or failed, `error` then (code, message)."""

    doc_id: str
    title: str
    path: str
    status: str
    sections: int = 0
    chunks: int = 0
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    error: tuple[str, str] | None = None

    def as_json(self) -> dict[str, object]:
        """The row of the contract."""
        error = {"code": self.error[0], "message": self.error[1]} if self.error else None
        return {
            "doc_id": self.doc_id,
            "title": self.title,
            "path": self.path,
            "status": self.status,
            "sections": self.sections,
            "chunks": self.chunks,
            "seconds": round(self.seconds, 3),
            "warnings": list(self.warnings),
            "error": error,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One document to ingest.

    `access` None leaves it as it was (a new document: everyone may read). `doc_id` "" is made from collection and source
    name. `title` is taken when the document has none (default: the file's name).
    """

    source: Source
    collection: str = "default"
    access: Rule | None = None
    doc_id: str = ""
    title: str = ""


def unheard(stage: str, done: int, total: int) -> None:
    """Progress that nobody listens to."""


def ingest(order: Order, store: Store, progress: Progress = unheard) -> Row:
    """Ingest one document; every fault of the document or the back ends becomes a failed row, and nothing is half stored."""
    began = time.perf_counter()
    doc_id = order.doc_id or document_id(order.collection, order.source.name)
    try:
        row = store.revisions.swaps.outlast(lambda generation: _ingest(order, doc_id, generation, store, progress))
        row = _summarised(row, store, progress)
    except SectionaryError as error:
        title = order.title or order.source.path.stem
        row = Row(doc_id=doc_id, title=title, path=str(order.source.path), status="failed", error=(error.code, error.message))
    return replace(row, seconds=time.perf_counter() - began)


def _ingest(order: Order, doc_id: str, generation: Generation, store: Store, progress: Progress) -> Row:
    path = order.source.path
    file_hash = content_hash(path)
    settings_hash = _settings_hash(store)
    before = store.revisions.manifest(doc_id)
    rule = _rule(order, before, store)
    access = store.access.register(rule)
    if before and before.revision and (before.file_hash, before.settings_hash) == (file_hash, settings_hash):
        if access == before.access:
            return _row(before, order, "unchanged")
        if not before.is_restricted:
            grant(store, before, access)
            return _row(before, order, "updated")
    progress("reading", 0, 1)
    document = take_apart(path, store.read, ReadOptions(announce=progress), store.settings, order.title)
    progress("reading", 1, 1)
    rules = section_rules(document.parts.outline, document.parts.labels, rule, document.restrictions)
    keys = tuple(store.access.register(section_rule) for section_rule in rules)
    vectors = _vectors(document.parts, before, store, progress)
    draft = Manifest(doc_id=doc_id, collection=order.collection, source=order.source.name, origin=order.source.origin)
    draft = replace(draft, title=document.parts.outline.title, slug=slug_of(document.parts.outline.title))
    claim = store.revisions.claim(draft, generation)
    try:
        facts = _facts(document, draft, claim, store)
        facts = replace(facts, file_hash=file_hash, settings_hash=settings_hash, access=access, is_restricted=bool(document.restrictions))
        nodes = build_nodes(document.parts, _identity(facts, claim, document, keys))
        progress("writing", 0, len(nodes))
        store.revisions.write(_with_vectors(nodes, vectors))
        progress("writing", len(nodes), len(nodes))
        tokens = _own_tokens(document.parts)
        outline = outline_record(document.parts.outline, doc_id, facts.slug, tokens, keys)
        if before and (access != before.access or before.is_restricted or document.restrictions):
            store.revisions.drop_derived(draft.collection)
        manifest = store.revisions.commit(claim, facts, outline)
        store.revisions.age_derived(draft.collection)
    except BaseException:
        store.revisions.discard(claim)
        raise
    return _row(manifest, order, "updated" if before and before.revision else "created", document.parts.outline.warnings)


def _summarised(row: Row, store: Store, progress: Progress) -> Row:
    """The row after the summaries were made: the document is stored and searchable, whatever became of them."""
    manifest = store.revisions.manifest(row.doc_id)
    if manifest is None or (row.status == "unchanged" and manifest.summary_state == "fresh"):
        return row
    try:
        note = store.summarise(manifest, progress)
    except SectionaryError as error:
        note = f"the summaries could not be made: {error.message}"
    return replace(row, warnings=(*row.warnings, note)) if note else row


def _rule(order: Order, before: Manifest | None, store: Store) -> Rule:
    if order.access is not None:
        return order.access
    rule = store.access.rule(before.access) if before else PUBLIC_RULE
    if rule is None:
        raise MalformedDocument("the rule of who may read this document is lost: ingest it with --access")
    return rule


def grant(store: Store, manifest: Manifest, access: str) -> None:
    """Change who may read a document, in place: what was made from it goes, the manifest binds every reader at once, its nodes follow."""
    store.revisions.drop_derived(manifest.collection)
    store.revisions.update(manifest.doc_id, access=access)
    store.revisions.change_access(manifest.doc_id, manifest.revision, access)


def _vectors(parts: Parts, before: Manifest | None, store: Store, progress: Progress) -> tuple[tuple[float, ...], ...]:
    """One vector a chunk; those of unchanged texts are taken over from the current revision by their hash."""
    texts = embedded_texts(parts)
    hashes = [joined_hash(text) for text in texts]
    known = _stored_vectors(before, store) if before and before.revision else {}
    missing = sorted(
        {digest: text for digest, text in zip(hashes, texts, strict=True) if digest not in known}.items(), key=lambda p: len(p[1])
    )
    for start in range(0, len(missing), EMBED_BATCH):
        progress("embedding", start, len(missing))
        batch = missing[start : start + EMBED_BATCH]
        for (digest, _), vector in zip(batch, store.embedder.embed_passages([text for _, text in batch]), strict=True):
            known[digest] = tuple(vector.tolist())
    progress("embedding", len(missing), len(missing))
    return tuple(known[digest] for digest in hashes)


def _stored_vectors(before: Manifest, store: Store) -> dict[str, tuple[float, ...]]:
    query = {
        "bool": {"filter": [{"term": {"doc_id": before.doc_id}}, {"term": {"revision": before.revision}}, {"term": {"kind": "chunk"}}]}
    }
    found = store.index.scan(store.index.nodes, query, ["content_hash", "embedding"])
    return {hit["_source"]["content_hash"]: tuple(hit["_source"]["embedding"]) for hit in found if "embedding" in hit["_source"]}


def _with_vectors(nodes: Sequence[Node], vectors: Sequence[tuple[float, ...]]) -> Iterator[Node]:
    remaining = iter(vectors)
    for node in nodes:
        yield replace(node, embedding=next(remaining)) if node.kind == "chunk" else node


def _facts(document: ReadDocument, draft: Manifest, claim: Claim, store: Store) -> Manifest:
    """The manifest that will be committed: what stays from before, and what this reading found."""
    outline, chunks = document.parts.outline, document.parts.chunks
    slug = claim.manifest.slug if claim.manifest.title == outline.title else draft.slug
    return replace(
        claim.manifest,
        title=outline.title,
        slug=store.revisions.unique_slug(draft.doc_id, draft.collection, slug, f"{draft.slug}-{short_hash(draft.doc_id)}"),
        source=draft.source,
        origin=draft.origin,
        aliases=document.aliases,
        format=outline.format,
        state="ready",
        summary_state="pending",
        error="",
        pages=outline.pages,
        sections=len(outline.sections) - 1,
        chunks=len(chunks),
        tokens=sum(chunk.token_count for chunk in chunks),
        language=language_of(" ".join(chunk.content for chunk in chunks[:40])),
        structure_source=outline.structure_source,
        structure_confidence=structure_confidence(outline),
        warnings=tuple(warning[:WARNING_CHARACTERS] for warning in outline.warnings[:WARNINGS_KEPT]),
        ingested_at=datetime.now(UTC).isoformat(),
    )


def _identity(facts: Manifest, claim: Claim, document: ReadDocument, access: tuple[str, ...]) -> Identity:
    assert facts.ingested_at is not None
    return Identity(
        collection=facts.collection,
        doc_id=facts.doc_id,
        revision=claim.revision,
        slug=facts.slug,
        access=access,
        language=facts.language,
        ingested_at=facts.ingested_at,
        metadata=document.metadata,
    )


def _own_tokens(parts: Parts) -> list[int]:
    tokens = [0] * len(parts.outline.sections)
    for chunk in parts.chunks:
        tokens[chunk.section] += chunk.token_count
    return tokens


def _settings_hash(store: Store) -> str:
    settings = store.settings
    reading = (settings.pdf_evidence, settings.ocr_languages)
    return joined_hash(str(PIPELINE_VERSION), str(settings.chunk_tokens), str(settings.chunk_overlap_tokens), *reading)


def _row(manifest: Manifest, order: Order, status: str, warnings: tuple[str, ...] | None = None) -> Row:
    return Row(
        doc_id=manifest.doc_id,
        title=manifest.title,
        path=str(order.source.path),
        status=status,
        sections=manifest.sections,
        chunks=manifest.chunks,
        warnings=manifest.warnings if warnings is None else warnings,
    )
