"""Summaries in Elasticsearch: made when a document arrives, reused by what they were made from, never told to who may not know."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stub_llm import StubModel, StubReply
from summary_books import prose, source_of
from summary_store import book_file, chapters, put, said

from es_mappings.access import rule_for
from es_mappings.settings import Settings
from ingest.opening import open_store, workshop_of
from ingest.pipeline import Store
from ingest.summaries.documents import DocumentSummaries


def summaries_of(store: Store) -> DocumentSummaries:
    return DocumentSummaries(workshop_of(store))


def nodes_of(store: Store, doc_id: str, *kinds: str) -> dict[str, dict[str, Any]]:
    manifest = store.revisions.manifest(doc_id)
    assert manifest is not None
    query = {"bool": {"filter": [{"term": {"revision": manifest.revision}}, {"terms": {"kind": list(kinds)}}]}}
    found = store.index.scan(store.index.nodes, query, ["*"])
    return {f"{hit['_source']['kind']} {hit['_source']['title']}": hit["_source"] | {"id": hit["_id"]} for hit in found}


def state(store: Store, doc_id: str) -> str:
    manifest = store.revisions.manifest(doc_id)
    assert manifest is not None
    return manifest.summary_state


def test_an_ingest_makes_every_summary_and_the_next_one_none(store: Store, stub: StubModel, tmp_path: Path) -> None:
    path = book_file(tmp_path, chapters(5))
    row = put(store, path)
    assert stub.calls == 6
    assert state(store, row.doc_id) == "fresh"
    nodes = nodes_of(store, row.doc_id, "section", "document")
    assert nodes["section Chapter 2"]["content"].startswith("Summary ")
    assert nodes["section Chapter 2"]["coverage"]["share"] == 1.0
    assert nodes["section Chapter 2"]["source_hash"] == nodes["section Chapter 2"]["coverage"]["wanted"]
    assert len(nodes["section Chapter 2"]["embedding"]) == store.embedder.dims
    assert nodes["section The Book"]["content"] == nodes["document The Book"]["content"]
    assert "Chapter 4" in nodes["document The Book"]["content"]
    assert put(store, path).status == "unchanged"
    assert stub.calls == 6


def test_one_changed_paragraph_remakes_its_path_and_reuses_the_others(store: Store, stub: StubModel, tmp_path: Path) -> None:
    texts = chapters(5)
    row = put(store, book_file(tmp_path, texts))
    before = nodes_of(store, row.doc_id, "section")
    texts["Chapter 3"] += "\n\nA new paragraph stands here at the end."
    put(store, book_file(tmp_path, texts))
    assert stub.calls == 6 + 2
    after = nodes_of(store, row.doc_id, "section")
    assert after["section Chapter 2"]["content"] == before["section Chapter 2"]["content"]
    assert after["section Chapter 2"]["embedding"] == before["section Chapter 2"]["embedding"]
    assert after["section Chapter 3"]["content"] != before["section Chapter 3"]["content"]


def test_what_a_summary_lost_and_added_is_stored_also_where_a_single_heading_holds_the_book(
    store: Store, stub: StubModel, tmp_path: Path
) -> None:
    stub.default = StubReply(text="A door may stay open for twenty minutes.")
    texts = chapters(3)
    texts["Chapter 2"] = (
        "A door may stay open for ten minutes. Nobody pays in advance except the tenants of Hall 7.\n\n" + texts["Chapter 2"]
    )
    row = put(store, book_file(tmp_path, texts))
    nodes = nodes_of(store, row.doc_id, "section", "document")
    for name in ("document The Book", "section The Book"):
        assert [fault["value"] for fault in nodes[name]["coverage"]["unsupported"]] == ["twenty minutes"]
        assert {point["kind"] for point in nodes[name]["coverage"]["missing"]} >= {"number", "exception"}
    assert nodes["document The Book"]["coverage"]["missing_total"] > 0


def test_what_was_made_of_text_that_is_gone_is_gone_too(store: Store, tmp_path: Path) -> None:
    texts = chapters(3)
    row = put(store, book_file(tmp_path, texts))
    del texts["Chapter 2"]
    put(store, book_file(tmp_path, texts))
    store.index.refresh(store.index.summaries)
    kept = list(store.index.scan(store.index.summaries, {"term": {"doc_id": row.doc_id}}))
    assert len(kept) == 3  # two chapters and the document
    store.revisions.delete(row.doc_id)
    assert list(store.index.scan(store.index.summaries, {"match_all": {}})) == []


def test_by_hand_a_changed_book_shows_old_summaries_as_stale_until_they_are_made(store: Store, stub: StubModel, tmp_path: Path) -> None:
    texts = chapters(3)
    row = put(store, book_file(tmp_path, texts))
    old = nodes_of(store, row.doc_id, "section")["section Chapter 2"]["content"]
    texts["Chapter 2"] += "\n\nOne more."
    by_hand = store.settings.model_copy(update={"summary_policy": "by-hand"})
    with open_store(by_hand) as later:
        put(later, book_file(tmp_path, texts))
        assert stub.calls == 4
        assert state(later, row.doc_id) == "stale"
        nodes = nodes_of(later, row.doc_id, "section")
        assert nodes["section Chapter 2"]["content"] == old
        assert nodes["section Chapter 2"]["coverage"]["shown_is_older"]
        assert nodes["section Chapter 1"]["source_hash"] == nodes["section Chapter 1"]["coverage"]["wanted"]
        assert summaries_of(later).outlook(row.doc_id).calls == 2
        outcome = summaries_of(later).make(row.doc_id)
    assert (outcome.state, outcome.requests, stub.calls) == ("fresh", 2, 6)


def test_a_failed_section_is_named_and_the_next_run_makes_just_it_and_what_lacks_it(store: Store, stub: StubModel, tmp_path: Path) -> None:
    stub.default = lambda body: StubReply(status=400) if source_of(body["messages"][1]["content"]).startswith("[Chapter 2]") else said(body)
    row = put(store, book_file(tmp_path, chapters(4)))
    assert row.status == "created"
    assert any("no summary of" in warning for warning in row.warnings)
    assert state(store, row.doc_id) == "partial"
    document = nodes_of(store, row.doc_id, "document")["document The Book"]
    assert [entry["key"] for entry in document["coverage"]["failed"]] == [f"{row.doc_id}/00001/00002"]
    assert "HTTP 400" in document["coverage"]["failed"][0]["error"]
    assert document["coverage"]["share"] == pytest.approx(0.75, abs=0.01)
    assert "Chapter 3" in document["content"]
    assert "Chapter 2" not in document["content"]  # nothing of it went in, so it is not said to be covered
    stub.default, before = said, stub.calls
    assert summaries_of(store).outlook(row.doc_id).calls == 2
    assert summaries_of(store).make(row.doc_id).state == "fresh"
    assert stub.calls - before == 2


def test_an_endpoint_that_is_down_leaves_the_document_stored_and_pending(settings: Settings, tmp_path: Path) -> None:
    down = settings.model_copy(update={"llm_base_url": "http://127.0.0.1:9/v1", "summary_attempts": 1, "llm_model": "m"})
    with open_store(down) as store:
        row = put(store, book_file(tmp_path, chapters(2)))
        assert row.status == "created"
        assert any("cannot be reached" in warning for warning in row.warnings)
        assert state(store, row.doc_id) == "pending"
        assert nodes_of(store, row.doc_id, "chunk")


def test_without_a_model_extracts_are_made_and_named_so(settings: Settings, tmp_path: Path) -> None:
    with open_store(settings) as store:
        row = put(store, book_file(tmp_path, chapters(4)))
        nodes = nodes_of(store, row.doc_id, "section", "document")
        assert state(store, row.doc_id) == "fresh"
        assert nodes["document The Book"]["coverage"]["mode"] == "extractive"
        assert all(f"Chapter {i}: " in nodes["document The Book"]["content"] for i in range(1, 5))
        assert list(store.index.scan(store.index.summaries, {"match_all": {}})) == []


def test_a_document_without_headings_gets_a_tree_of_clusters_with_members_both_ways(store: Store, stub: StubModel, tmp_path: Path) -> None:
    path = tmp_path / "story.txt"
    path.write_text("\n\n".join(prose(400, i) for i in range(60)), "utf-8")
    for tree in ("contiguous", "raptor"):
        with open_store(store.settings.model_copy(update={"summary_tree": tree})) as opened:
            row = put(opened, path, doc_id=f"story-{tree}")
            chunks = nodes_of_by_id(opened, row.doc_id, "chunk")
            clusters = nodes_of_by_id(opened, row.doc_id, "cluster")
            document = next(iter(nodes_of_by_id(opened, row.doc_id, "document").values()))
            assert len(clusters) > 1
            assert state(opened, row.doc_id) == "fresh"
            below = {child for cluster in clusters.values() for child in cluster["child_ids"]} | set(document["child_ids"])
            assert below == set(chunks) | set(clusters)
            assert {key for cluster in clusters.values() for key in cluster["source_keys"]} <= set(chunks)
            assert document["coverage"]["share"] == 1.0
            found = opened.index.search(opened.index.nodes, {"query": {"term": {"child_ids": next(iter(chunks))}}})
            assert found


def nodes_of_by_id(store: Store, doc_id: str, kind: str) -> dict[str, dict[str, Any]]:
    query = {"bool": {"filter": [{"term": {"doc_id": doc_id}}, {"term": {"kind": kind}}]}}
    return {hit["_id"]: hit["_source"] for hit in store.index.scan(store.index.nodes, query, ["*"])}


def test_a_summary_over_a_restricted_section_needs_every_rule(store: Store, tmp_path: Path) -> None:
    path = book_file(tmp_path, {**chapters(2), "Salaries": prose(700, 77)})
    path.with_name("book.md.access.json").write_text(json.dumps({"sections": {"Salaries": ["board"]}}), "utf-8")
    row = put(store, path, access=rule_for(["staff"]))
    headings = nodes_of(store, row.doc_id, "section", "document")
    restricted = nodes_of(store, row.doc_id, "cluster")["cluster The Book"]
    staff = {"staff"}
    assert store.access.rule(headings["document The Book"]["access"]) == rule_for(staff)
    assert "content" not in headings["document The Book"]
    assert "coverage" not in headings["document The Book"]
    assert store.access.rule(restricted["access"]) == rule_for(staff) | rule_for(["board"])
    assert restricted["content"].startswith("Summary ")
    assert headings["section Chapter 1"]["content"].startswith("Summary ")


def test_changed_prompts_limits_or_models_make_stored_summaries_stale(store: Store, stub: StubModel, tmp_path: Path) -> None:
    row = put(store, book_file(tmp_path, chapters(2)))
    other = replace(store, settings=store.settings.model_copy(update={"llm_model": "another"}))
    assert summaries_of(other).outlook(row.doc_id).calls == 3
    assert summaries_of(store).outlook(row.doc_id).calls == 0
