"""Give the index another embedder while searches and ingests go on: build beside, catch up, swap.

Documents are copied by their revision and `updated_at`, again and again until little is left. Then writers are paused, their
claims revoked, the rest copied, and the aliases swapped, all within 1.5 seconds, or the pause ends without a swap and another
attempt follows. The rules that make this safe are in es_mappings.swapping; a kill at any moment leaves the old generation or the
new one, and the next run goes on with the vectors that are there.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from es_mappings.errors import DeadlineExceeded, IndexRefused, NotFound, Overloaded
from es_mappings.generations import CACHE_SECONDS, Generation
from es_mappings.index import Index
from es_mappings.records import Manifest
from es_mappings.revisions import Revisions
from ingest.embedding import Embedder
from ingest.recopying import Copied, Copier
from ingest.reindex_lease import ReindexLease

# Within a pause: from its beginning until the rest is copied, and until the swap is asked for.
COPIED_BY_SECONDS, SWAPPED_BY_SECONDS = 0.85, 1.0
# A pause is tried when no more than this many nodes are left, and given up before claims are revoked when it finds more.
SMALL_REST = 500
ATTEMPTS = 50
# Between two attempts writers get on with what they waited for.
BREATH_SECONDS = 0.5
BATCH_NODES, BATCH_DOCUMENTS = 2_000, 200
_FIELDS = ["doc_id", "collection", "source", "title", "format", "revision", "updated_at", "claim", "chunks", "sections"]

Progress = Callable[[str, int, int], None]
"""Called with (stage, nodes done, nodes in all); stages: copying, catching up, waiting for running searches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReindexOrder:
    """What to give the index: a model and how to open it; `rebuild` builds anew with the model that it has, vectors taken over."""

    embedder: Embedder
    spelling: str
    keep_old: bool = False
    rebuild: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReindexOutcome:
    """What was done. `pauses` are how long writers were made to wait, in seconds, the last one with the swap."""

    status: str
    old: Generation
    new: Generation
    documents: int = 0
    copied: Copied = field(default_factory=Copied)
    rounds: int = 0
    pauses: tuple[float, ...] = ()


class Reindexer:
    """One reindex of one index. Raises NotFound, RevisionConflict (another one runs), InvalidRequest (dimensions), BackendError."""

    def __init__(self, *, index: Index, revisions: Revisions, keep_seconds: float, chunk_tokens: int) -> None:
        self._index, self._revisions = index, revisions
        self._keep_seconds, self._chunk_tokens = keep_seconds, chunk_tokens

    def run(self, order: ReindexOrder, progress: Progress) -> ReindexOutcome:
        """Do it; returns when the old indices are gone (or kept)."""
        if self._index.generations.current(fresh=True) is None:
            raise NotFound("nothing is stored yet: `sectionary ingest PATH` adds documents, with the embedder of SECTIONARY_EMBEDDER")
        with ReindexLease(self._index, self._revisions.swaps) as lease:
            outcome = self._reindexed(order, lease, progress)
        self._drop_when_unused(progress)
        return outcome

    def _reindexed(self, order: ReindexOrder, lease: ReindexLease, progress: Progress) -> ReindexOutcome:
        old = self._revisions.swaps.settled()
        wanted = (order.embedder.name, order.embedder.dims)
        left = self._leftovers(old, lease)
        if wanted == (old.model, old.dims) and not order.rebuild:
            self._drop_unfinished(left)
            return ReindexOutcome(status="unchanged", old=old, new=old)
        resumed = next((one for one in left if one.number > old.number and (one.model, one.dims) == wanted), None)
        self._drop_unfinished([one for one in left if one != resumed])
        number = resumed.number if resumed else max(one.number for one in self._index.generations.stored()) + 1
        model, dims = wanted
        new = self._index.build_beside(number, model=model, dims=dims, embedder=order.spelling)
        copier = Copier(
            index=self._index,
            source=old,
            target=new,
            embedder=None if model == old.model else order.embedder,
            chunk_tokens=self._chunk_tokens,
        )
        building = _Building(self._index, self._revisions, copier, lease, old, new)
        building.catch_up(progress, anew=resumed is None)
        if resumed is not None:
            building.drop_strangers()
        building.swap(progress)
        self._retire(old, lease, keep=order.keep_old)
        building.drop_orphans()
        return ReindexOutcome(
            status="swapped",
            old=old,
            new=new,
            documents=len(building.ledger),
            copied=building.copied,
            rounds=building.rounds,
            pauses=tuple(building.pauses),
        )

    def _leftovers(self, current: Generation, lease: ReindexLease) -> list[Generation]:
        """Generations that a killed run left; older ones may have been searched a moment ago, so they are retired first."""
        state = self._revisions.swaps.state()
        spoken_for = {int(entry.split(" ")[0]) for entry in (*state.kept, *state.retired)}
        left = [one for one in self._index.generations.stored() if one != current and one.number not in spoken_for]
        for one in left:
            if one.number < current.number:
                self._retire(one, lease, keep=False)
        return [one for one in left if one.number > current.number]

    def _drop_unfinished(self, left: Sequence[Generation]) -> None:
        for one in left:
            self._index.generations.drop(one)

    def _retire(self, old: Generation, lease: ReindexLease, *, keep: bool) -> None:
        state = self._revisions.swaps.state()
        if keep:
            lease.change(kept=(*state.kept, str(old.number)))
        else:
            unused_at = datetime.now(UTC) + timedelta(seconds=self._keep_seconds)
            lease.change(retired=(*state.retired, f"{old.number} {unused_at.isoformat()}"))

    def _drop_when_unused(self, progress: Progress) -> None:
        """Wait until the longest request that may still search the old indices has ended; a sweep does it when this is killed."""
        began = time.monotonic()
        while self._revisions.swaps.state().retired:
            if self._revisions.swaps.drop_retired() == 0:
                progress(
                    "waiting for running searches", min(int(time.monotonic() - began), int(self._keep_seconds)), int(self._keep_seconds)
                )
                time.sleep(min(1.0, self._keep_seconds))


class _Building:
    """A generation on its way: `ledger` tells which state of each document it has."""

    def __init__(self, index: Index, revisions: Revisions, copier: Copier, lease: ReindexLease, old: Generation, new: Generation) -> None:
        self._index, self._revisions, self._copier, self._lease = index, revisions, copier, lease
        self._old, self._new = old, new
        self.ledger: dict[str, tuple[str, str | None]] = {}
        self._pairs: set[tuple[str, str]] = set()
        self.copied, self.rounds, self.pauses = Copied(), 0, list[float]()

    def catch_up(self, progress: Progress, *, anew: bool = False) -> None:
        """Copy what changed until little is left. Raises Overloaded when it never becomes little."""
        for _ in range(ATTEMPTS):
            behind = self._behind(self._standing())
            nodes = sum(map(_size, behind))
            stage, done = "catching up" if self.rounds else "copying", 0
            progress(stage, 0, nodes)
            for batch in _batches(behind):
                self._copy(batch, anew=anew and not self.rounds)
                done += sum(map(_size, batch))
                progress(stage, done, nodes)
            self.rounds += 1
            self._index.refresh(self._new.names)
            if nodes <= SMALL_REST:
                return
        raise Overloaded("documents change faster than this embedder can follow: run the reindex when less is being ingested")

    def swap(self, progress: Progress) -> None:
        """Pause writers and swap, in as many attempts as it takes. Raises Overloaded after too many."""
        for _ in range(ATTEMPTS):
            self._lease.check()
            self._index.generations.offer(self._new, self._lease.run)
            began = time.monotonic()
            with self._lease.pause():
                done = self._swapped(began)
                if done:
                    time.sleep(CACHE_SECONDS)  # until every process has seen it, nobody may write what only the new indices have
            self.pauses.append(time.monotonic() - began)
            if done:
                return
            self._index.generations.withdraw()
            time.sleep(BREATH_SECONDS)
            self.catch_up(progress)
        raise Overloaded("no moment was found to swap the indices within a second: run the reindex when less is being ingested")

    def _swapped(self, began: float) -> bool:
        """Whether the rest could be copied and the aliases swapped in time."""
        standing = self._standing()
        behind = self._behind(standing)
        if sum(map(_size, behind)) > SMALL_REST:
            return False
        try:
            self._copy_all(behind, began)
            if time.monotonic() - began > COPIED_BY_SECONDS:
                return False  # before claims are revoked: nobody has to write again for an attempt that comes to nothing
            unclaimed = [one for one in standing if not one.claim]
            revoked = (self._revisions.revoke(one.doc_id) for one in standing if one.claim)
            self._copy_all(self._behind([*unclaimed, *(one for one in revoked if one is not None)]), began)
            self._index.refresh(self._new.names)
            if time.monotonic() - began > SWAPPED_BY_SECONDS:
                return False
            self._index.generations.swap(self._old, self._new, self._lease.run)
        except (DeadlineExceeded, IndexRefused):  # IndexRefused: a writer waited too long and withdrew the swap
            return False
        return True

    def _copy_all(self, behind: Sequence[Manifest], began: float) -> None:
        for batch in _batches(behind):
            self._copy(batch, anew=False, until=began + COPIED_BY_SECONDS)

    def _standing(self) -> list[Manifest]:
        """Every manifest as it is now."""
        self._index.refresh(self._index.documents)
        return [Manifest.from_source(hit["_source"]) for hit in self._index.scan(self._index.documents, {"match_all": {}}, _FIELDS)]

    def _behind(self, standing: Sequence[Manifest]) -> list[Manifest]:
        """The documents whose state is not in the ledger; those that are gone are taken out of the new indices."""
        gone = sorted(self.ledger.keys() - {manifest.doc_id for manifest in standing})
        for start in range(0, len(gone), BATCH_DOCUMENTS):
            self._index.delete_matching(self._new.names, {"terms": {"doc_id": gone[start : start + BATCH_DOCUMENTS]}})
        for doc_id in gone:
            del self.ledger[doc_id]
        return [one for one in standing if one.revision and self.ledger.get(one.doc_id) != (one.revision, one.updated_at)]

    def _copy(self, batch: Sequence[Manifest], *, anew: bool, until: float | None = None) -> None:
        self._lease.check()
        self.copied += self._copier.copy(batch, anew=anew, until=until)
        self.ledger |= {one.doc_id: (one.revision, one.updated_at) for one in batch}
        self._pairs |= {(one.doc_id, one.revision) for one in batch}

    def drop_strangers(self) -> None:
        """Delete what a killed run had copied of documents and revisions that are no longer current."""
        self._pairs |= {
            (hit["_source"]["doc_id"], hit["_source"]["revision"])
            for hit in self._index.scan(self._new.names, {"match_all": {}}, ["doc_id", "revision"])
        }
        self.drop_orphans()

    def drop_orphans(self) -> None:
        """Delete copies of revisions that no manifest names any more; what waits to be swept is left to the sweep."""
        living = set[tuple[str, str]]()
        fields = [*_FIELDS, "retired"]
        self._index.refresh(self._index.documents)
        for hit in self._index.scan(self._index.documents, {"match_all": {}}, fields):
            manifest = Manifest.from_source(hit["_source"])
            revisions = (manifest.revision, manifest.claim, *(entry.split(" ")[0] for entry in manifest.retired))
            living |= {(manifest.doc_id, revision) for revision in revisions}
        for doc_id, revision in sorted(self._pairs - living):
            query = {"bool": {"filter": [{"term": {"doc_id": doc_id}}, {"term": {"revision": revision}}]}}
            self._index.delete_matching(self._new.names, query)


def _size(manifest: Manifest) -> int:
    return manifest.chunks + manifest.sections + 1


def _batches(manifests: Sequence[Manifest]) -> Iterator[list[Manifest]]:
    batch: list[Manifest] = []
    for manifest in manifests:
        if batch and (len(batch) == BATCH_DOCUMENTS or sum(map(_size, batch)) + _size(manifest) > BATCH_NODES):
            yield batch
            batch = []
        batch.append(manifest)
    if batch:
        yield batch
