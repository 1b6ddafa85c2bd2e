"""Across documents: the overview of a collection and its themes, incremental, and only for who may read all they were made from."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from stub_llm import StubModel, StubReply
from summary_books import prose
from summary_store import book_file, chapters, put, said

from es_mappings.access import OWNER, Reader, rule_for
from es_mappings.derived import derived_id
from es_mappings.errors import NotFound, RevisionConflict
from es_mappings.index import Index
from ingest.opening import open_store, workshop_of
from ingest.pipeline import Store
from ingest.summaries.documents import DocumentSummaries, unheard
from ingest.summaries.opening import open_patient_chat
from ingest.summaries.policy import collections_of, waiting_documents
from ingest.summaries.rounds import Rounds, next_round
from ingest.summaries.shelves import Shelves
from service.current import Candidate, current_hits
from service.shelf import list_documents
from service.shelf_summaries import ShelfSummaries
from service.summarising import Summaries


def shelves_of(store: Store, **changes: object) -> Shelves:
    settings = store.settings.model_copy(update=changes)
    return Shelves(workshop_of(replace(store, settings=settings)))


def reading(store: Store) -> ShelfSummaries:
    summaries = Summaries(index=store.index, access=store.access, settings=store.settings, chat=open_patient_chat(store.settings))
    return ShelfSummaries(index=store.index, access=store.access, summaries=summaries)


def shelf(store: Store, folder: Path, count: int = 3, **order: object) -> list[str]:
    return [
        put(store, book_file(folder, {f"{name} {i}": prose(500, 100 * n + i) for i in (1, 2)}, f"{name}.md"), **order).doc_id
        for n, name in enumerate(("Alpha", "Beta", "Gamma")[:count])
    ]


def test_an_overview_is_made_from_the_documents_summaries_and_is_not_listed_as_a_document(
    store: Store, stub: StubModel, tmp_path: Path
) -> None:
    documents = shelf(store, tmp_path)
    before = stub.calls
    outcome = shelves_of(store).overview("default", unheard)
    assert (outcome.requests, stub.calls - before, outcome.share) == (1, 1, 1.0)
    result = reading(store).overview(OWNER, "default")
    assert (result.state, result.mode, result.share) == ("fresh", "llm", 1.0)
    assert {row.key for row in result.sections} == set(documents)
    assert {row["doc_id"] for row in list_documents(store.index, store.access, OWNER)} == set(documents)
    assert shelves_of(store).overview("default", unheard).requests == 0


def test_a_changed_document_ages_the_overview_and_costs_one_call_to_renew_it(store: Store, stub: StubModel, tmp_path: Path) -> None:
    shelf(store, tmp_path)
    shelves_of(store).overview("default", unheard)
    put(store, book_file(tmp_path, {"Alpha 1": prose(500, 900), "Alpha 2": prose(500, 2)}, "Alpha.md"))
    assert reading(store).overview(OWNER, "default").state == "stale"
    assert shelves_of(store).overview("default", unheard).requests == 1
    assert reading(store).overview(OWNER, "default").state == "fresh"


def test_deleting_a_document_or_closing_it_takes_the_overview_with_it_at_once(store: Store, tmp_path: Path) -> None:
    documents = shelf(store, tmp_path)
    shelves_of(store).overview("default", unheard)
    shelves_of(store).themes("default", unheard)
    store.revisions.delete(documents[0])
    for kind in ("overview", "themes"):
        assert store.revisions.manifest(derived_id("default", kind)) is None  # type: ignore[arg-type]
        assert not list(store.index.scan(store.index.nodes, {"term": {"doc_id": derived_id("default", kind)}}))  # type: ignore[arg-type]
    shelves_of(store).overview("default", unheard)
    put(store, tmp_path / "Beta.md", access=rule_for(["board"]))
    assert store.revisions.manifest(derived_id("default", "overview")) is None


def test_an_overview_over_closed_documents_needs_every_rule_and_others_get_their_own_documents(
    store: Store, stub: StubModel, tmp_path: Path
) -> None:
    stub.default = lambda body: StubReply(text=("Canary. " if "canary" in str(body["messages"]).lower() else "") + said(body).text)
    put(store, book_file(tmp_path, chapters(2), "open.md"), access=rule_for(["staff"]))
    secret = {"Plans": "The canary sings. " + prose(500, 71), "More": prose(500, 72)}
    put(store, book_file(tmp_path, secret, "secret.md"), access=rule_for(["board"]))
    shelves_of(store).overview("default", unheard)
    staff, both = Reader(groups=frozenset({"staff"})), Reader(groups=frozenset({"staff", "board"}))
    assert "Canary" in reading(store).overview(both, "default").summary
    shown = reading(store).overview(staff, "default")
    assert shown.from_parts
    assert len(shown.sections) == 1
    assert "Canary" not in json.dumps(shown.as_json())
    with pytest.raises(NotFound):
        reading(store).overview(Reader(groups=frozenset({"guest"})), "default")


TOPICS = {
    "Bees": "The bees of the hive gather nectar and the keeper takes honey from the hive when the bees are calm.",
    "Ships": "The ships of the harbour carry cargo and the captain steers each ship past the harbour wall.",
    "Bread": "The baker kneads dough for bread and the oven bakes the bread until the crust of the dough is brown.",
}


def topical(folder: Path, name: str) -> Path:
    """A book with a chapter about each topic."""
    texts = {topic: "\n\n".join(f"{sentence} That was on page {i} of {name}." for i in range(1, 21)) for topic, sentence in TOPICS.items()}
    return book_file(folder, texts, f"{name}.md")


def themes(store: Store) -> list[dict[str, Any]]:
    manifest = store.revisions.manifest(derived_id("default", "themes"))
    assert manifest is not None
    found = store.index.scan(store.index.nodes, {"term": {"revision": manifest.revision}})
    return [hit["_source"] | {"id": hit["_id"]} for hit in found]


def test_themes_run_across_documents_and_know_their_members_both_ways(store: Store, stub: StubModel, tmp_path: Path) -> None:
    stub.default = lambda body: StubReply(text=next((s for s in TOPICS.values() if s[:20] in str(body["messages"])), "Mixed."))
    rows = [put(store, topical(tmp_path, name)) for name in ("one", "two", "three", "four")]
    made = shelves_of(store).themes("default", unheard)
    found = themes(store)
    assert made.nodes == len(found) >= 3
    for theme in found:
        sources = {key for key in theme["source_keys"] if "/" not in key}
        assert len(sources) > 1
        assert sources <= {row.doc_id for row in rows}
        parents = store.index.search(store.index.nodes, {"query": {"term": {"child_ids": theme["child_ids"][0]}}})
        assert theme["id"] in {hit["_id"] for hit in parents}
    assert shelves_of(store).themes("default", unheard).requests == 0


def test_themes_are_found_only_by_who_may_read_all_their_members_unless_made_within_a_rule(store: Store, tmp_path: Path) -> None:
    for name, groups in (("one", ["red"]), ("two", ["red"]), ("three", ["blue"]), ("four", ["blue"])):
        put(store, topical(tmp_path, name), access=rule_for(groups))
    red = Reader(groups=frozenset({"red"}))

    def seen(reader: Reader) -> int:
        manifest = store.revisions.manifest(derived_id("default", "themes"))
        assert manifest is not None
        candidates = [
            Candidate(
                id=theme["id"], index=store.index.headings, doc_id=theme["doc_id"], revision=manifest.revision, access=theme["access"],
            )
            for theme in themes(store)
        ]  # fmt: skip
        return len(current_hits(store.index, store.access, reader, candidates, 100, explain=False).hits)

    shelves_of(store).themes("default", unheard)
    mixed = sum(len(rule) > 1 for theme in themes(store) if (rule := store.access.rule(theme["access"])) is not None)
    assert mixed > 0
    assert seen(red) < len(themes(store))
    assert seen(OWNER) == len(themes(store))
    shelves_of(store, summary_themes_within_access=True).themes("default", unheard)
    assert all(len(store.access.rule(theme["access"]) or ()) == 1 for theme in themes(store))
    assert seen(red) > 0


def test_a_document_that_goes_while_an_overview_is_made_takes_it_along(store: Store, stub: StubModel, tmp_path: Path) -> None:
    documents = shelf(store, tmp_path)

    def delete_meanwhile(done: int, total: int) -> None:
        if done == 0:
            store.revisions.delete(documents[0])

    with pytest.raises(RevisionConflict):
        shelves_of(store).overview("default", delete_meanwhile)
    assert store.revisions.manifest(derived_id("default", "overview")) is None


def test_rounds_come_as_often_as_the_setting_says_whichever_worker_is_idle(index: Index) -> None:
    began = datetime(2026, 1, 1, tzinfo=UTC)
    clock = [began]
    done: list[tuple[str, float]] = []

    def worker(name: str, policy: str = "every:5") -> Rounds:
        def act() -> None:
            done.append((name, (clock[0] - began).total_seconds()))

        return Rounds(name="summaries", policy=policy, index=index, act=act, now=lambda: clock[0])

    first, second = worker("first"), worker("second")
    assert next_round(index, "summaries", "every:5") is None
    for seconds in (0, 60, 299, 300, 301, 700):
        clock[0] = began + timedelta(seconds=seconds)
        for rounds in (first, second):
            rounds()
    assert done == [("first", 0), ("first", 300), ("first", 700)]
    assert next_round(index, "summaries", "every:5") == began + timedelta(seconds=1000)
    clock[0] = began + timedelta(seconds=800)
    worker("restarted")()
    assert len(done) == 3
    worker("impatient", "every:1")()
    assert done[3:] == [("impatient", 800)]
    worker("by hand", "by-hand")()
    assert next_round(index, "summaries", "by-hand") is None
    assert len(done) == 4


def test_waiting_documents_are_those_without_all_their_summaries(store: Store, tmp_path: Path) -> None:
    first = put(store, book_file(tmp_path, chapters(2), "first.md"))
    with open_store(store.settings.model_copy(update={"summary_policy": "every:5"})) as later:
        second = put(later, book_file(tmp_path, chapters(3), "second.md"), collection="other")
        assert waiting_documents(later.index) == [second.doc_id]
        assert collections_of(later.index) == ["default", "other"]
        made = DocumentSummaries(workshop_of(later)).make(second.doc_id)
        assert made.state == "fresh"
        assert waiting_documents(later.index) == []
    assert first.doc_id != second.doc_id
