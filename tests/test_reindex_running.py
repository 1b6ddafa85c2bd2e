"""A reindex beside writers and readers in other processes and threads: nothing is lost or torn, no search fails, nobody waits long."""

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from stub_llm import StubModel
from switching_models import switching_models, with_model

from es_mappings.access import OWNER, Reader, rule_for
from es_mappings.generations import Generation
from es_mappings.settings import Settings
from ingest.opening import open_store
from ingest.pipeline import Order, Store, ingest
from ingest.sources import Source
from service.searching import Searcher, SearchRequest

SECTIONS, DOCUMENTS, DELETED, CLOSED = 6, 8, 2, 2
WORDS = ("red", "blue", "green", "white", "black", "brown")


@pytest.fixture
def stub() -> Iterator[StubModel]:
    with switching_models() as service:
        yield service


@pytest.fixture
def store(settings: Settings, stub: StubModel) -> Iterator[Store]:
    with open_store(with_model(settings, stub, "m8")):
        pass
    with open_store(with_model(settings, stub)) as opened:
        yield opened


def command(settings: Settings, stub: StubModel, *arguments: str) -> subprocess.Popen[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SECTIONARY_")}
    own = {
        "SECTIONARY_ES_URL": settings.es_url,
        "SECTIONARY_INDEX_PREFIX": settings.index_prefix,
        "SECTIONARY_HOME": str(settings.home),
        "SECTIONARY_EMBEDDER_BASE_URL": stub.url,
        "SECTIONARY_REQUEST_DEADLINE_SECONDS": "1",
    }
    line = [sys.executable, "-c", "from service.cli import main; main()", *arguments]
    return subprocess.Popen(line, env=kept | own, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


def write(folder: Path, name: str, word: str) -> Path:
    """A manual of which every section says the same word."""
    path = folder / f"{name}.md"
    sections = "".join(f"## {i} Pump {i}\n\nThe valve of pump {i} of {name} opens at {word} bar.\n\n" for i in range(1, SECTIONS + 1))
    path.write_text(f"# Manual {name}\n\n{sections}", "utf-8")
    return path


def put(store: Store, path: Path, *groups: str) -> None:
    row = ingest(Order(source=Source(path=path, name=path.name), access=rule_for(groups)), store)
    assert row.error is None, row.error


def chunks(store: Store) -> dict[str, list[tuple[str, int]]]:
    """The words and the dimensions of the current chunks of each document, by source name."""
    index = store.index
    index.refresh(index.nodes, index.documents)
    current = {hit["_id"]: hit["_source"] for hit in index.scan(index.documents, {"exists": {"field": "revision"}})}
    found: dict[str, list[tuple[str, int]]] = {source["source"]: [] for source in current.values()}
    for hit in index.scan(index.nodes, {"term": {"kind": "chunk"}}, ["doc_id", "revision", "content", "embedding"]):
        source = hit["_source"]
        if source["doc_id"] in current and source["revision"] == current[source["doc_id"]]["revision"]:
            found[current[source["doc_id"]]["source"]].append((source["content"].split()[-2], len(source["embedding"])))
    return found


class Throughout:
    """Runs things again and again in threads until told to stop; what they raise is told at the end."""

    def __init__(self, *acts: Callable[[], None]) -> None:
        self.faults: list[BaseException] = []
        self.times: list[float] = []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(act,)) for act in acts]

    def _run(self, act: Callable[[], None]) -> None:
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                act()
            except BaseException as error:  # noqa: BLE001  # told to the test's own thread
                self.faults.append(error)
                return
            self.times.append(time.monotonic() - began)

    def __enter__(self) -> "Throughout":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()


@pytest.fixture
def waited(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long each writer of this process waited until no swap was going on, in seconds."""
    found: list[float] = []
    settled = store.revisions.swaps.settled

    def timed() -> Generation:
        began = time.monotonic()
        generation = settled()
        found.append(time.monotonic() - began)
        return generation

    monkeypatch.setattr(store.revisions.swaps, "settled", timed)
    return found


def test_nothing_is_lost_while_documents_come_change_go_and_are_closed(
    store: Store, stub: StubModel, tmp_path: Path, waited: list[float]
) -> None:
    for number in range(DOCUMENTS):
        put(store, write(tmp_path, f"m{number}", "red"))
    searcher = Searcher(index=store.index, access=store.access, embedder=store.embedder)
    expected = {f"m{number}.md": "red" for number in range(DOCUMENTS)}
    moments = random.Random(20261130)
    latest: dict[str, str] = {}

    def change_one() -> None:
        name = f"m{moments.randrange(DELETED + CLOSED, DOCUMENTS)}"
        word = moments.choice(WORDS)
        put(store, write(tmp_path, name, word))
        latest[f"{name}.md"] = word

    def search_one() -> None:
        asked = SearchRequest(query="The valve of pump opens at bar", documents=(doc_ids["m7.md"],), size=SECTIONS)
        result = searcher.search(asked, OWNER)
        assert result.degraded == ()
        assert len(result.hits) == SECTIONS
        assert len({hit.content.split()[-2] for hit in result.hits}) == 1, "two versions in one result"

    doc_ids = {hit["_source"]["source"]: hit["_id"] for hit in store.index.scan(store.index.documents, {"match_all": {}})}
    with Throughout(change_one, search_one) as others:
        process = command(store.settings, stub, "reindex", "--embedder", "openai:m12", "--json")
        for number in range(DELETED):
            assert store.revisions.delete(doc_ids[f"m{number}.md"])
            del expected[f"m{number}.md"]
        for number in range(DELETED, DELETED + CLOSED):
            put(store, tmp_path / f"m{number}.md", "staff")
        reply = json.loads(finished(process))
    assert others.faults == []
    assert reply["status"] == "swapped"
    assert reply["pauses"][-1] < 2
    expected |= latest
    found = chunks(store)
    assert {name: {word for word, _ in rows} for name, rows in found.items()} == {name: {word} for name, word in expected.items()}
    assert {(len(rows), size) for rows in found.values() for _, size in rows} == {(SECTIONS, 12)}
    assert max(waited) < 2, "no writer waits longer for a swap"
    guest = searcher.search(SearchRequest(query="pump of m2", size=50), Reader())
    assert {hit.doc_title for hit in guest.hits}.isdisjoint({f"Manual m{number}" for number in range(DELETED + CLOSED)})
    closed = [hit["_source"]["access"] for hit in store.index.scan(store.index.nodes, {"term": {"doc_id": doc_ids["m3.md"]}}, ["access"])]
    assert "public" not in closed


def test_a_reindex_killed_at_any_moment_leaves_a_whole_index_and_is_finished_by_the_next(
    store: Store, stub: StubModel, tmp_path: Path
) -> None:
    for number in range(DOCUMENTS):
        put(store, write(tmp_path, f"m{number}", "red"))
    searcher = Searcher(index=store.index, access=store.access, embedder=store.embedder)

    def search_one() -> None:
        result = searcher.search(SearchRequest(query="valve of pump opens at bar", size=40), OWNER)
        assert (result.degraded, len(result.hits)) == ((), 40)

    def change_one() -> None:
        put(store, write(tmp_path, "m7", "blue"))
        put(store, write(tmp_path, "m7", "white"))

    with Throughout(search_one, change_one) as others:
        moments = random.Random(7)
        for dims in (10, 12):
            process = command(store.settings, stub, "reindex", "--embedder", f"openai:m{dims}")
            number = store.index.generations.stored()[-1].number
            while store.index.generations.stored()[-1].number == number and process.poll() is None:
                time.sleep(0.02)
            time.sleep(moments.uniform(0.0, 1.5))  # it copies, catches up, pauses, swaps
            process.kill()
            process.communicate()
            if dims == 10:  # the lease of the first one ends now, that of the second when it does
                store.revisions.swaps.change(lambda state: replace(state, lease_until=None))
        finished(command(store.settings, stub, "reindex", "--embedder", "openai:m12"))
    assert others.faults == []
    found = chunks(store)
    assert {size for rows in found.values() for _, size in rows} == {12}
    assert {len(rows) for rows in found.values()} == {SECTIONS}
    assert len(store.index.generations.stored()) == 1
