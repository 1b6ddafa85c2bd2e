"""A file becomes nodes: what is stored, what is skipped, replaced, refused, and kept closed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from es_mappings.access import Reader, rule_for
from es_mappings.settings import Settings
from ingest.opening import open_store
from ingest.pipeline import Order, Row, Store, ingest
from ingest.sources import Source, find_sources

HANDBOOK = """# Handbook

Preface text before any chapter.

## 1 Safety

Wear a helmet. See section 2 for retries.

### 1.1 Fire

Leave by the north door.

## 2 Retries

The client retries three times.
"""


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    with open_store(settings) as opened:
        yield opened


def put(store: Store, path: Path, **order: object) -> Row:
    return ingest(Order(source=Source(path=path, name=path.name), **order), store)  # type: ignore[arg-type]


def nodes_of(store: Store, row: Row, kind: str = "chunk") -> list[dict[str, object]]:
    manifest = store.revisions.manifest(row.doc_id)
    assert manifest is not None
    store.index.refresh(store.index.nodes)
    query = {"bool": {"filter": [{"term": {"revision": manifest.revision}}, {"term": {"kind": kind}}]}}
    found = [hit["_source"] for hit in store.index.scan(store.index.nodes, query)]
    return sorted(found, key=lambda node: int(str(node["ordinal"])))


def handbook(folder: Path, text: str = HANDBOOK) -> Path:
    path = folder / "handbook.md"
    path.write_text(text, "utf-8")
    return path


def test_every_heading_is_a_node_and_every_text_a_chunk_under_it(store: Store, tmp_path: Path) -> None:
    row = put(store, handbook(tmp_path))
    assert (row.status, row.error) == ("created", None)
    sections, chunks = nodes_of(store, row, "section"), nodes_of(store, row)
    assert [node["title"] for node in sections] == ["Handbook", "1 Safety", "1.1 Fire", "2 Retries"]
    assert [node["content"] for node in chunks] == [
        "Preface text before any chapter.",
        "Wear a helmet. See section 2 for retries.",
        "Leave by the north door.",
        "The client retries three times.",
    ]
    fire = chunks[2]
    assert fire["section_path"] == "handbook/Handbook/1 Safety/1.1 Fire"
    assert fire["section_key"] == f"{row.doc_id}/00001/00001/00001"
    assert "section 1.1" in fire["section_labels"]  # type: ignore[operator]
    assert chunks[1]["reference_keys"] == [f"{row.doc_id}/00001/00002"]


def test_an_unchanged_file_is_skipped_and_nothing_is_written(store: Store, tmp_path: Path) -> None:
    first = put(store, handbook(tmp_path))
    before = store.revisions.manifest(first.doc_id)
    assert put(store, handbook(tmp_path)).status == "unchanged"
    assert store.revisions.manifest(first.doc_id) == before


def test_a_changed_file_replaces_the_old_revision_whole_and_reuses_vectors(store: Store, tmp_path: Path) -> None:
    first = put(store, handbook(tmp_path))
    asked: list[int] = []
    embed = store.embedder.embed_passages

    class Counting:
        name, dims, max_tokens = store.embedder.name, store.embedder.dims, None
        embed_query = store.embedder.embed_query

        def embed_passages(self, texts: list[str]) -> object:
            asked.append(len(texts))
            return embed(texts)

    counting = Store(
        settings=store.settings,
        index=store.index,
        revisions=store.revisions,
        access=store.access,
        embedder=Counting(),  # type: ignore[arg-type]
        read=store.read,
    )
    second = put(counting, handbook(tmp_path, HANDBOOK.replace("three", "four")))
    assert (second.status, second.doc_id) == ("updated", first.doc_id)
    assert sum(asked) == 1
    assert [node["content"] for node in nodes_of(store, second)][-1] == "The client retries four times."


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("missing.md", None, "missing_file"),
        ("empty.md", b"", "empty"),
        ("blank.md", b"  \n\n ", "empty"),
        ("page.pdf", b"<html><body><h1>Hello</h1><p>text</p></body></html>", "disguised"),
        ("broken.docx", b"PK\x03\x04 this is no archive", "malformed"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 64, "unsupported_format"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_failed_row_with_a_code_and_stores_nothing(
    store: Store, tmp_path: Path, name: str, data: bytes | None, code: str
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    row = put(store, path)
    assert row.status == "failed"
    assert row.error is not None
    assert row.error[0] == code
    assert len(row.error[1]) > 20
    assert store.revisions.manifest(row.doc_id) is None


def test_a_fault_after_the_claim_leaves_the_old_revision_and_no_new_nodes(store: Store, tmp_path: Path) -> None:
    first = put(store, handbook(tmp_path))
    before = store.revisions.manifest(first.doc_id)

    class Stop(Exception):
        pass

    def stop_when_writing(stage: str, done: int, total: int) -> None:
        if stage == "writing" and done:
            raise Stop

    changed = handbook(tmp_path, HANDBOOK.replace("three", "nine"))
    with pytest.raises(Stop):
        ingest(Order(source=Source(path=changed, name=changed.name)), store, stop_when_writing)
    after = store.revisions.manifest(first.doc_id)
    assert before is not None
    assert after is not None
    assert (after.revision, after.claim) == (before.revision, "")
    store.index.refresh(store.index.nodes)
    assert {hit["_source"]["revision"] for hit in store.index.scan(store.index.nodes, {"match_all": {}})} == {before.revision}


def test_two_documents_of_one_title_have_different_paths(store: Store, tmp_path: Path) -> None:
    rows = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        path = handbook(tmp_path / folder)
        rows.append(ingest(Order(source=Source(path=path, name=f"{folder}/handbook.md")), store))
    manifests = [store.revisions.manifest(row.doc_id) for row in rows]
    slugs = {manifest.slug for manifest in manifests if manifest}
    assert len(slugs) == 2


def test_a_restricted_section_needs_its_own_groups_too_and_a_slip_in_its_name_stores_nothing(store: Store, tmp_path: Path) -> None:
    path = handbook(tmp_path)
    sidecar = tmp_path / "handbook.md.access.json"
    sidecar.write_text(json.dumps({"sections": {"section 1": ["hr"]}}))
    row = put(store, path, access=rule_for(["staff"]))
    rules = {str(node["title"]): store.access.rule(str(node["access"])) for node in nodes_of(store, row)}
    staff, both = Reader(groups=frozenset({"staff"})), Reader(groups=frozenset({"staff", "hr"}))
    visible = {title: (staff.meets(rule), both.meets(rule)) for title, rule in rules.items() if rule is not None}
    assert visible["2 Retries"] == (True, True)
    assert visible["1 Safety"] == visible["1.1 Fire"] == (False, True)
    sidecar.write_text(json.dumps({"sections": {"section 9": ["hr"]}}))
    failed = put(store, path)
    assert failed.error is not None
    assert failed.error[0] == "malformed"


def test_changing_the_access_of_an_unchanged_file_changes_its_nodes_in_place(store: Store, tmp_path: Path) -> None:
    path = handbook(tmp_path)
    first = put(store, path)
    before = store.revisions.manifest(first.doc_id)
    assert put(store, path, access=rule_for(["hr"])).status == "updated"
    after = store.revisions.manifest(first.doc_id)
    assert before is not None
    assert after is not None
    assert after.revision == before.revision
    assert {node["access"] for node in nodes_of(store, first)} == {after.access} != {"public"}
    assert put(store, path).status == "unchanged"


def test_a_folder_gives_every_known_file_by_its_relative_name_and_passes_over_the_rest(tmp_path: Path) -> None:
    for name in ("a.md", "deep/b.md", ".hidden/c.md", "deep/picture.png", "a.md.outline.json", "book/SUMMARY.md", "book/one.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("# x")
    assert [source.name for source in find_sources(tmp_path)] == ["a.md", "book", "deep/b.md"]
