"""Writing is never torn: claim a revision, write its nodes, refresh, commit; readers go by the manifest alone.

Whatever happens between the steps, the manifest names either the old revision or the new one, whole. A later claim
supersedes an earlier one, whose commit then fails, so two writers never mix. Nodes that nobody names any more are
deleted by `sweep`, replaced ones only after the longest request may last. A reindex revokes claims before it swaps the
indices (es_mappings.swapping); whatever changes nodes in place ends with a new `updated_at`, by which a reindex finds it.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from es_mappings.bulk import Action
from es_mappings.derived import KINDS, derived_id, is_derived
from es_mappings.errors import ClaimRevoked, RevisionConflict, WriteRejected
from es_mappings.generations import Generation
from es_mappings.index import Index, Stored
from es_mappings.records import Manifest, Node
from es_mappings.sections import joined_hash
from es_mappings.swapping import Swaps

CLAIM_RETRIES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The right to write one revision of one document, and the manifest as it stood when it was taken."""

    revision: str
    manifest: Manifest


def node_id(node: Node) -> str:
    """The id of a node: SHA-256 over document, revision, kind and position, so equal paragraphs stay different nodes."""
    return joined_hash(node.doc_id, node.revision, node.kind, str(node.ordinal))[:40]


def outline_id(doc_id: str, revision: str) -> str:
    """The id of the outline record of one revision."""
    return f"{doc_id}:{revision}"


class Revisions:
    """The documents of one index and the only code that changes which revision of a document is current."""

    def __init__(self, index: Index, *, keep_seconds: float) -> None:
        """`keep_seconds`: how long replaced nodes stay for requests that began before (the longest request deadline)."""
        self._index = index
        self.swaps = Swaps(index)
        self._keep = timedelta(seconds=keep_seconds)

    def manifest(self, doc_id: str) -> Manifest | None:
        """The manifest as it is now (a real-time read), or None."""
        stored = self._read(doc_id)
        return Manifest.from_source(stored.source) if stored else None

    def claim(self, draft: Manifest, within: Generation | None = None) -> Claim:
        """Claim a new revision of `draft.doc_id`; the draft is stored when the document is new. Waits while the indices are swapped.

        Raises RevisionConflict when the manifest keeps changing under our hands, ClaimRevoked when the vectors were made for the
        generation `within` and another one counts by now.
        """
        claim = self._claimed(draft)
        settled = self.swaps.settled()
        if within is not None and settled != within:
            self.discard(claim)
            raise ClaimRevoked("the index was given another embedder meanwhile: ingest the document again")
        return claim

    def _claimed(self, draft: Manifest) -> Claim:
        for _ in range(CLAIM_RETRIES):
            stored = self._read(draft.doc_id)
            now = datetime.now(UTC)
            revision = f"{int(now.timestamp() * 1000):013d}-{secrets.token_hex(4)}"
            before = Manifest.from_source(stored.source) if stored else draft
            retired = (*before.retired, _retirement(before.claim, now)) if before.claim else before.retired
            after = replace(before, claim=revision, claimed_at=now.isoformat(), retired=retired)
            try:
                self._index.put(self._index.documents, draft.doc_id, after.to_source(), expect=stored, refresh=stored is None)
            except RevisionConflict:
                continue
            return Claim(revision=revision, manifest=after)
        raise RevisionConflict("other writers keep changing this document: try again when they are done")

    def write(self, nodes: Iterable[Node]) -> int:
        """Write the nodes of a claimed revision; raises WriteRejected with ids and reasons when any item is refused."""
        written, rejected = self._index.bulk(
            Action(operation="index", index=self._index.home_of(node.kind), id=node_id(node), body=node.to_source()) for node in nodes
        )
        if rejected:
            listed = ", ".join(f"{item.id} ({item.status} {item.reason})" for item in rejected[:3])
            raise WriteRejected(f"{len(rejected)} of {written + len(rejected)} nodes were rejected: {listed}; nothing was stored")
        return written

    def commit(self, claim: Claim, after: Manifest, outline: dict[str, object]) -> Manifest:
        """Make the claimed revision current. `after` carries the new facts of the document; returns what was stored.

        Raises RevisionConflict when the claim was superseded, ClaimRevoked when it was revoked and nobody has written since; the
        nodes written under it are then deleted.
        """
        doc_id = claim.manifest.doc_id
        record = {"doc_id": doc_id, "revision": claim.revision, "outline": outline}
        self._index.put(self._index.outlines, outline_id(doc_id, claim.revision), record, expect=None)
        self._index.refresh(self._index.nodes)
        for _ in range(CLAIM_RETRIES):
            stored = self._read(doc_id)
            if stored is None or stored.source.get("claim") != claim.revision:
                break
            now = datetime.now(UTC)
            before = Manifest.from_source(stored.source)
            retired = (*before.retired, _retirement(before.revision, now)) if before.revision else before.retired
            committed = replace(after, revision=claim.revision, claim="", claimed_at=None, retired=retired, updated_at=now.isoformat())
            try:
                self._index.put(self._index.documents, doc_id, committed.to_source(), expect=stored, refresh=True)
            except RevisionConflict:
                continue
            return committed
        self.discard(claim)
        if stored is not None and not stored.source.get("claim") and stored.source.get("revision", "") < claim.revision:
            raise ClaimRevoked("the claim was revoked because the indices were being swapped: ingest the document again")
        raise RevisionConflict("another writer took this document over while it was being written: that writer's version counts")

    def revoke(self, doc_id: str) -> Manifest | None:
        """Take the claim on a document away, if there is one: its commit will fail. Returns what is current then, None when nothing is."""
        for _ in range(CLAIM_RETRIES):
            stored = self._read(doc_id)
            if stored is None:
                return None
            manifest = Manifest.from_source(stored.source)
            if not manifest.claim:
                return manifest
            revoked = replace(
                manifest, claim="", claimed_at=None, retired=(*manifest.retired, _retirement(manifest.claim, datetime.now(UTC)))
            )
            try:
                self._index.put(self._index.documents, doc_id, revoked.to_source(), expect=stored)
            except RevisionConflict:
                continue
            return revoked
        raise RevisionConflict("other writers keep changing this document: try again when they are done")

    def discard(self, claim: Claim) -> None:
        """Give a claim up: its nodes go, and the manifest too when the document never had a revision."""
        doc_id = claim.manifest.doc_id
        self._delete_nodes(doc_id, [claim.revision])
        stored = self._read(doc_id)
        if stored is None or stored.source.get("claim") != claim.revision:
            return
        manifest = Manifest.from_source(stored.source)
        try:
            if manifest.revision:
                kept = replace(manifest, claim="", claimed_at=None)
                self._index.put(self._index.documents, doc_id, kept.to_source(), expect=stored, refresh=True)
            else:
                self._index.remove(stored, refresh=True)
        except RevisionConflict:  # a newer claim: that writer decides
            return

    def update(self, doc_id: str, **facts: object) -> Manifest | None:
        """Change facts of a manifest in place (a summary state, access ...) and `updated_at`; None when there is no such document."""
        for _ in range(CLAIM_RETRIES):
            stored = self._read(doc_id)
            if stored is None:
                return None
            now = datetime.now(UTC).isoformat()
            after = replace(Manifest.from_source(stored.source), updated_at=now, **facts)  # type: ignore[arg-type]  # checked by replace
            try:
                self._index.put(self._index.documents, doc_id, after.to_source(), expect=stored, refresh=True)
            except RevisionConflict:
                continue
            return after
        raise RevisionConflict("other writers keep changing this document: try again when they are done")

    def change_access(self, doc_id: str, revision: str, access: str) -> None:
        """Put another access key on every node of a revision, in place; raises WriteRejected when any stays as it was."""
        self.swaps.amend(lambda: self._change_access(doc_id, revision, access))

    def _change_access(self, doc_id: str, revision: str, access: str) -> None:
        query = _revision_query(doc_id, [revision])
        self._index.refresh(self._index.nodes)
        found = self._index.scan(self._index.nodes, query, source=False)
        done, rejected = self._index.bulk(
            Action(operation="update", index=hit["_index"], id=hit["_id"], body={"doc": {"access": access}}) for hit in found
        )
        if rejected:
            raise WriteRejected(f"the access of {len(rejected)} of {done + len(rejected)} nodes could not be changed: run it again")
        self._index.refresh(self._index.nodes)
        self.update(doc_id)

    def unique_slug(self, doc_id: str, collection: str, slug: str, otherwise: str) -> str:
        """`slug` when no other document of the collection has it, else `otherwise`. Both of two new documents may get the latter."""
        query = {
            "bool": {"filter": [{"term": {"slug": slug}}, {"term": {"collection": collection}}], "must_not": [{"term": {"doc_id": doc_id}}]}
        }
        return otherwise if self._index.search(self._index.documents, {"query": query, "size": 1, "_source": False}) else slug

    def delete(self, doc_id: str) -> bool:
        """Delete a document: first its manifest, so that no reader sees it from now on, then its nodes. False when unknown."""
        for _ in range(CLAIM_RETRIES):
            stored = self._read(doc_id)
            if stored is None:
                return False
            if not is_derived(stored.source.get("format", "")):
                self.drop_derived(stored.source["collection"])
            try:
                self._index.remove(stored, refresh=True)
            except RevisionConflict:
                continue
            self.swaps.amend(lambda: self._index.delete_matching(self._index.nodes, {"term": {"doc_id": doc_id}}))
            self._index.delete_matching(self._index.outlines, {"term": {"doc_id": doc_id}})
            if self._index.exists(self._index.summaries):  # an index of before there were summaries has none
                self._index.delete_matching(self._index.summaries, {"term": {"doc_id": doc_id}})
            return True
        raise RevisionConflict("other writers keep changing this document: try again when they are done")

    def drop_derived(self, collection: str) -> None:
        """Delete what was made from the documents of a collection: its overview and its themes."""
        for kind in KINDS:
            self.delete(derived_id(collection, kind))

    def age_derived(self, collection: str) -> None:
        """Say of what was made from the documents of a collection that it is out of date."""
        for kind in KINDS:
            manifest = self.manifest(derived_id(collection, kind))
            if manifest is not None and manifest.summary_state != "stale":
                self.update(manifest.doc_id, summary_state="stale")

    def sweep(self) -> int:
        """Delete the nodes of revisions that were replaced or given up longer ago than a request may last; returns how many revisions.

        Node indices that a reindex replaced go the same way.
        """
        self.swaps.drop_retired()
        swept = 0
        limit = datetime.now(UTC) - self._keep
        for hit in list(self._index.scan(self._index.documents, {"exists": {"field": "retired"}})):
            old = [entry for entry in hit["_source"].get("retired", []) if datetime.fromisoformat(entry.split(" ")[1]) <= limit]
            if not old:
                continue
            self._delete_nodes(hit["_id"], [entry.split(" ")[0] for entry in old])
            self._forget(hit["_id"], frozenset(old))
            swept += len(old)
        return swept

    def _forget(self, doc_id: str, entries: frozenset[str]) -> None:
        for _ in range(CLAIM_RETRIES):
            stored = self._read(doc_id)
            if stored is None:
                return
            manifest = Manifest.from_source(stored.source)
            kept = replace(manifest, retired=tuple(entry for entry in manifest.retired if entry not in entries))
            try:
                self._index.put(self._index.documents, doc_id, kept.to_source(), expect=stored, refresh=True)
            except RevisionConflict:
                continue
            return

    def _delete_nodes(self, doc_id: str, revisions: list[str]) -> None:
        query = _revision_query(doc_id, revisions)
        self._index.delete_matching(self._index.nodes, query)
        self._index.delete_matching(self._index.outlines, query)

    def _read(self, doc_id: str) -> Stored | None:
        return self._index.get(self._index.documents, doc_id)


def _revision_query(doc_id: str, revisions: list[str]) -> dict[str, object]:
    return {"bool": {"filter": [{"term": {"doc_id": doc_id}}, {"terms": {"revision": revisions}}]}}


def _retirement(revision: str, when: datetime) -> str:
    return f"{revision} {when.isoformat()}"
