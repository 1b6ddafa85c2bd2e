"""Claim, write, refresh, commit: readers see the old revision or the new one, whole."""

import pytest

from es_mappings.errors import RevisionConflict, SettingsError
from es_mappings.index import Index
from es_mappings.records import Manifest, Node
from es_mappings.revisions import Claim, Revisions, node_id, outline_id

DRAFT = Manifest(doc_id="d1", collection="default", source="a.md", title="A", slug="a")


@pytest.fixture
def revisions(index: Index) -> Revisions:
    return Revisions(index, keep_seconds=0)


def nodes_of(claim: Claim, count: int = 3) -> list[Node]:
    shared = {"collection": "default", "doc_id": "d1", "revision": claim.revision, "title": "t", "section_path": "a", "section_key": "d1"}
    return [
        Node(kind="chunk", level=0, ordinal=i, content=f"text {i}", token_count=2, embedding=(1.0, 0.0, 0.0), **shared)
        for i in range(count)
    ]


def stored_revisions(index: Index) -> list[str]:
    index.refresh(index.nodes)
    return sorted({hit["_source"]["revision"] for hit in index.scan(index.nodes, {"term": {"doc_id": "d1"}})})


def test_a_commit_makes_the_claimed_revision_current_and_keeps_the_outline(index: Index, revisions: Revisions) -> None:
    claim = revisions.claim(DRAFT)
    assert revisions.manifest("d1") is not None
    revisions.write(nodes_of(claim))
    revisions.commit(claim, claim.manifest, {"title": "A"})
    manifest = revisions.manifest("d1")
    assert manifest is not None
    assert (manifest.revision, manifest.claim) == (claim.revision, "")
    assert index.get(index.outlines, outline_id("d1", claim.revision)) is not None


def test_until_the_commit_the_old_revision_stays_current(revisions: Revisions) -> None:
    first = revisions.claim(DRAFT)
    revisions.commit(first, first.manifest, {})
    second = revisions.claim(DRAFT)
    revisions.write(nodes_of(second))
    manifest = revisions.manifest("d1")
    assert manifest is not None
    assert manifest.revision == first.revision


def test_the_later_of_two_claims_wins_and_the_earlier_writes_nothing_that_stays(index: Index, revisions: Revisions) -> None:
    early, late = revisions.claim(DRAFT), revisions.claim(DRAFT)
    revisions.write(nodes_of(early))
    revisions.write(nodes_of(late))
    with pytest.raises(RevisionConflict):
        revisions.commit(early, early.manifest, {})
    revisions.commit(late, late.manifest, {})
    assert stored_revisions(index) == [late.revision]


def test_replaced_nodes_stay_for_running_requests_and_are_swept_afterwards(index: Index) -> None:
    patient, hasty = Revisions(index, keep_seconds=3600), Revisions(index, keep_seconds=0)
    claims = []
    for _ in range(2):
        claims.append(patient.claim(DRAFT))
        patient.write(nodes_of(claims[-1]))
        patient.commit(claims[-1], claims[-1].manifest, {})
    assert patient.sweep() == 0
    assert stored_revisions(index) == sorted(claim.revision for claim in claims)
    assert hasty.sweep() == 1
    assert stored_revisions(index) == [claims[-1].revision]
    assert hasty.sweep() == 0


def test_a_claim_whose_writer_died_is_swept_when_another_writer_has_come(index: Index, revisions: Revisions) -> None:
    dead = revisions.claim(DRAFT)
    revisions.write(nodes_of(dead))
    alive = revisions.claim(DRAFT)
    revisions.write(nodes_of(alive))
    revisions.commit(alive, alive.manifest, {})
    revisions.sweep()
    assert stored_revisions(index) == [alive.revision]


def test_giving_up_a_first_claim_leaves_no_trace(index: Index, revisions: Revisions) -> None:
    claim = revisions.claim(DRAFT)
    revisions.write(nodes_of(claim))
    revisions.discard(claim)
    assert revisions.manifest("d1") is None
    assert stored_revisions(index) == []


def test_deleting_takes_manifest_nodes_and_outlines(index: Index, revisions: Revisions) -> None:
    claim = revisions.claim(DRAFT)
    revisions.write(nodes_of(claim))
    revisions.commit(claim, claim.manifest, {})
    assert revisions.delete("d1")
    assert not revisions.delete("d1")
    assert stored_revisions(index) == []
    assert index.get(index.outlines, outline_id("d1", claim.revision)) is None


def test_equal_texts_at_two_places_are_two_nodes(revisions: Revisions) -> None:
    one, two = nodes_of(revisions.claim(DRAFT), 2)
    assert node_id(one) != node_id(two)


def test_an_index_of_another_embedder_is_refused_with_what_to_do(index: Index) -> None:
    with pytest.raises(SettingsError, match="SECTIONARY_EMBEDDER"):
        index.create(model="another", dims=3)


def test_creating_twice_changes_nothing(index: Index) -> None:
    before = index.meta()
    index.create(model="test", dims=3)
    assert index.meta() == before
