"""Another embedder for an index: the same vectors as a fresh ingest would give, nothing left over, refusals that say why."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bookshelf import CHINESE, HANDBOOK
from stub_llm import StubModel
from switching_models import switching_models, with_model

from es_mappings.access import OWNER, rule_for
from es_mappings.errors import ClaimRevoked, InvalidRequest, RevisionConflict, SettingsError
from es_mappings.generations import Generation
from es_mappings.records import Manifest
from es_mappings.settings import Settings
from es_mappings.swapping import Swaps
from ingest.embedding import open_embedder
from ingest.embedding.current import spelling
from ingest.opening import open_index, open_store
from ingest.pipeline import Order, Row, Store, ingest, unheard
from ingest.reindex_lease import ReindexLease
from ingest.reindexing import Reindexer, ReindexOrder, ReindexOutcome
from ingest.sources import Source
from service.searching import Searcher, SearchRequest


@pytest.fixture
def stub() -> Iterator[StubModel]:
    with switching_models() as service:
        yield service


@pytest.fixture
def store(settings: Settings, stub: StubModel) -> Iterator[Store]:
    """An index made with the model m8."""
    with open_store(with_model(settings, stub, "m8")):
        pass
    with open_store(with_model(settings, stub)) as opened:
        yield opened


def put(store: Store, folder: Path, name: str, text: str, *groups: str) -> Row:
    path = folder / name
    path.write_text(text, "utf-8")
    row = ingest(Order(source=Source(path=path, name=name), access=rule_for(groups)), store)
    assert row.error is None
    return row


def reindex(store: Store, model: str, **options: bool) -> ReindexOutcome:
    settings = store.settings.model_copy(update={"embedder": f"openai:{model}"})
    embedder = open_embedder(settings)
    reindexer = Reindexer(index=store.index, revisions=store.revisions, keep_seconds=0.01, chunk_tokens=settings.chunk_tokens)
    return reindexer.run(ReindexOrder(embedder=embedder, spelling=spelling(settings, embedder), **options), unheard)


def vectors(store: Store) -> dict[tuple[str, str, str], list[float]]:
    """Every stored vector by kind, section key and content."""
    store.index.refresh(store.index.nodes)
    fields = ["kind", "section_key", "content", "embedding"]
    found = [hit["_source"] for hit in store.index.scan(store.index.nodes, {"match_all": {}}, fields)]
    return {(s["kind"], s["section_key"], s.get("content", "")): s.get("embedding", []) for s in found}


def test_after_a_reindex_every_node_has_the_vector_that_a_fresh_ingest_gives(
    store: Store, settings: Settings, stub: StubModel, tmp_path: Path
) -> None:
    for name, text in (("handbook.md", HANDBOOK), ("tea.md", CHINESE)):
        put(store, tmp_path, name, text)
    outcome = reindex(store, "m12")
    assert (outcome.status, outcome.old.dims, outcome.new.dims, outcome.documents) == ("swapped", 8, 12, 2)
    after = vectors(store)
    other = with_model(settings.model_copy(update={"index_prefix": f"{settings.index_prefix}-fresh"}), stub, "m12")
    with open_store(other) as fresh:
        for name, text in (("handbook.md", HANDBOOK), ("tea.md", CHINESE)):
            put(fresh, tmp_path, name, text)
        expected = vectors(fresh)
    assert after.keys() == expected.keys()
    for key, vector in expected.items():
        assert np.allclose(after[key], vector, atol=1e-3), key
    assert sum(len(vector) == 12 for vector in after.values()) > 10


def test_an_open_process_searches_and_ingests_with_the_new_embedder(store: Store, tmp_path: Path) -> None:
    put(store, tmp_path, "handbook.md", HANDBOOK)
    searcher = Searcher(index=store.index, access=store.access, embedder=store.embedder)
    request = SearchRequest(query="How hot is the glaze firing?", explain=True)
    before = searcher.search(request, OWNER)
    reindex(store, "m12")
    after = searcher.search(request, OWNER)
    assert after.degraded == ()
    assert {hit.content for hit in after.hits} == {hit.content for hit in before.hits}
    assert "vector" in {name for hit in after.hits for name in hit.signals or {}}
    assert put(store, tmp_path, "tea.md", CHINESE).status == "created"
    assert {len(vector) for vector in vectors(store).values()} == {0, 12} or {len(vector) for vector in vectors(store).values()} == {12}
    assert ingest(Order(source=Source(path=tmp_path / "handbook.md", name="handbook.md")), store).status == "unchanged"


def test_a_reindex_leaves_one_generation_and_a_kept_one_stays_until_somebody_drops_it(store: Store, tmp_path: Path) -> None:
    put(store, tmp_path, "handbook.md", HANDBOOK)
    reindex(store, "m12")
    assert [one.number for one in store.index.generations.stored()] == [2]
    kept = reindex(store, "m8", keep_old=True)
    assert [one.number for one in store.index.generations.stored()] == [2, 3]
    store.revisions.sweep()
    assert kept.old in store.index.generations.stored()


def test_what_the_index_has_already_is_not_built_again_unless_asked(store: Store, stub: StubModel, tmp_path: Path) -> None:
    put(store, tmp_path, "handbook.md", HANDBOOK)
    before = vectors(store)
    assert reindex(store, "m8").status == "unchanged"
    asked = len(stub.seen)
    assert reindex(store, "m8", rebuild=True).status == "swapped"
    assert [body for path, body in stub.seen[asked:] if path.endswith("/embeddings") and body["input"] != ["dimensions"]] == []
    assert vectors(store) == before


def test_a_run_that_was_cut_off_is_finished_without_embedding_anything_twice(
    store: Store, stub: StubModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, tmp_path, "handbook.md", HANDBOOK)
    put(store, tmp_path, "tea.md", CHINESE)

    def cut(self: object, old: Generation, new: Generation, run: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("es_mappings.generations.Generations.swap", cut)
        with pytest.raises(KeyboardInterrupt):
            reindex(store, "m12")
    assert store.revisions.swaps.settled().dims == 8
    outcome = reindex(store, "m12")
    assert (outcome.status, outcome.copied.embedded) == ("swapped", 0)
    assert outcome.copied.reused == 10
    assert [one.number for one in store.index.generations.stored()] == [2]


def test_a_second_reindex_is_refused_while_the_first_is_alive(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.reindex_lease.RENEW_SECONDS", 0.1)
    with ReindexLease(store.index, Swaps(store.index)), pytest.raises(RevisionConflict, match="another reindex"):
        reindex(store, "m12")


def test_dimensions_that_cannot_be_indexed_are_refused_before_anything_is_built(store: Store) -> None:
    with pytest.raises(InvalidRequest, match="4096"):
        reindex(store, "m5000")
    assert len(store.index.generations.stored()) == 1


def test_a_setting_that_names_another_model_than_the_index_is_refused_with_the_way_out(
    settings: Settings, stub: StubModel, store: Store
) -> None:
    with pytest.raises(SettingsError, match="sectionary reindex"), open_store(with_model(settings, stub, "m12")):
        pass
    with open_store(with_model(settings, stub)) as opened:
        assert opened.embedder.name == "openai:m8"


def test_a_stale_pause_is_broken_by_the_writer_and_its_swap_can_no_longer_happen(store: Store, stub: StubModel) -> None:
    swaps, generations = store.revisions.swaps, store.index.generations
    old = swaps.settled()
    new = store.index.build_beside(2, model="openai:m12", dims=12, embedder="openai:m12")
    with ReindexLease(store.index, swaps) as lease:
        generations.offer(new, lease.run)
        lease.change(pause="of a process that hangs")
        assert swaps.settled() == old  # after 1.7 s
        assert swaps.state().pause == ""
        with pytest.raises(Exception, match="refused"):
            generations.swap(old, new, lease.run)
    assert swaps.settled() == old


def test_a_claim_that_a_swap_found_cannot_be_committed_and_nobody_else_is_blamed(store: Store) -> None:
    draft = Manifest(doc_id="d1", collection="default", source="a.md", title="A", slug="a")
    claim = store.revisions.claim(draft)
    store.revisions.revoke("d1")
    with pytest.raises(ClaimRevoked):
        store.revisions.commit(claim, replace(claim.manifest, state="ready"), {})


def test_a_claim_for_vectors_of_a_replaced_generation_is_refused(store: Store, tmp_path: Path) -> None:
    put(store, tmp_path, "handbook.md", HANDBOOK)
    before = store.revisions.swaps.settled()
    reindex(store, "m12")
    draft = Manifest(doc_id="d1", collection="default", source="a.md", title="A", slug="a")
    with pytest.raises(ClaimRevoked):
        store.revisions.claim(draft, before)
    assert store.revisions.manifest("d1") is None


def test_a_dead_pause_of_a_killed_run_does_not_outlive_the_next_run(settings: Settings, store: Store) -> None:
    with ReindexLease(store.index, store.revisions.swaps) as lease:
        lease.change(pause="left behind")
    with open_index(settings) as index:
        assert Swaps(index).state().pause == ""
