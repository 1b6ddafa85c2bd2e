"""Candidates become hits by one real-time read of manifests and texts: what is stale, gone or forbidden by now is dropped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from es_mappings.access import AccessRegistry, Reader
from es_mappings.index import Index
from es_mappings.records import Manifest, Node
from service.fusion import Ranked
from service.results import Hit

# Read beyond what was asked for, so that a few dropped hits do not cost a second search.
SPARE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A node as a leg returned it, with its place in the fused order when it has one."""

    id: str
    index: str
    doc_id: str
    revision: str
    access: str
    ranked: Ranked | None = None

    @classmethod
    def from_hit(cls, hit: dict[str, Any], ranked: Ranked | None = None) -> Self:
        """The candidate of a raw hit with the fields of service.scope.HIT_FIELDS."""
        fields = hit["fields"]
        return cls(
            id=hit["_id"],
            index=hit["_index"],
            doc_id=fields["doc_id"][0],
            revision=fields["revision"][0],
            access=fields["access"][0],
            ranked=ranked,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Current:
    """The hits that stand, in order, and for each document of which a hit did not: the revision that counts, "" for none.

    A search that is repeated pins these, so that it sees the one whole version that was current at the first read, whatever
    is committed meanwhile; replaced nodes stay longer than any request lasts.
    """

    hits: tuple[Hit, ...]
    pinned: tuple[tuple[str, str], ...]


def current_hits(
    index: Index,
    access: AccessRegistry,
    reader: Reader,
    candidates: Sequence[Candidate],
    size: int,
    *,
    explain: bool,
    pinned: Mapping[str, str] | None = None,
) -> Current:
    """The first candidates (`size` and a few spare) with their texts, checked against the manifests as they are now.

    Of a document in `pinned` that revision counts, and no other; access is checked as it is now in any case.
    """
    taken = candidates[: size + SPARE]
    doc_ids = sorted({one.doc_id for one in taken})
    pairs = [(index.documents, doc_id) for doc_id in doc_ids] + [(one.index, one.id) for one in taken]
    stored = index.mget(pairs, excludes=("embedding", "coverage", "metadata", "section_labels"))
    manifests = {doc_id: Manifest.from_source(one.source) for doc_id, one in zip(doc_ids, stored, strict=False) if one}
    hits: list[Hit] = []
    counted = dict(pinned or {})
    wrong: dict[str, str] = {}
    for candidate, found in zip(taken, stored[len(doc_ids) :], strict=True):
        manifest = manifests.get(candidate.doc_id)
        node = Node.from_source(found.source) if found else None
        if manifest is None or (node is not None and not _may_read(access, reader, manifest, node)):
            wrong[candidate.doc_id] = ""
        elif counted.setdefault(candidate.doc_id, manifest.revision) != candidate.revision or node is None:
            wrong.setdefault(candidate.doc_id, counted[candidate.doc_id])
        else:
            hits.append(_hit(candidate, node, manifest, explain=explain))
    return Current(hits=tuple(hits), pinned=tuple(wrong.items()))


def _may_read(access: AccessRegistry, reader: Reader, manifest: Manifest, node: Node) -> bool:
    """The manifest's rule binds at once; where single sections are restricted, the node's own rule counts as well."""
    return access.allows(reader, manifest.access) and (not manifest.is_restricted or access.allows(reader, node.access))


def _hit(candidate: Candidate, node: Node, manifest: Manifest, *, explain: bool) -> Hit:
    ranked = candidate.ranked
    evidence = ranked.signals if ranked else {}
    shown = {name: {"rank": e.rank, "score": e.score, "weight": e.weight, "evidence": e.evidence} for name, e in evidence.items()}
    nearest = evidence.get("vector")
    return hit_of(
        candidate.id,
        node,
        manifest.title,
        score=ranked.score if ranked else 0.0,
        # Elasticsearch gives (1 + cosine) / 2.
        cosine=2 * nearest.score - 1 if nearest else None,
        signals=shown if explain else None,
        state="current" if node.kind == "chunk" or manifest.summary_state == "fresh" else manifest.summary_state,
    )


def hit_of(
    id_: str,
    node: Node,
    doc_title: str,
    *,
    score: float = 0.0,
    cosine: float | None = None,
    signals: Mapping[str, Mapping[str, float]] | None = None,
    state: str = "current",
) -> Hit:
    """A stored node as a hit."""
    return Hit(
        id=id_,
        doc_id=node.doc_id,
        doc_title=doc_title,
        kind=node.kind,
        section_path=node.section_path,
        section_key=node.section_key,
        section_titles=node.section_titles,
        number=node.number,
        title=node.title,
        content=node.content,
        page_start=node.page_start,
        page_end=node.page_end,
        is_fallback=node.is_fallback,
        structure_source=node.structure_source,
        structure_confidence=node.structure_confidence,
        state=state,
        score=score,
        token_count=node.token_count,
        ordinal=node.ordinal,
        revision=node.revision,
        content_hash=node.content_hash,
        language=node.language,
        reference_labels=node.reference_labels,
        reference_keys=node.reference_keys,
        source_keys=node.source_keys,
        cosine=cosine,
        signals=signals,
    )
