"""Replacing a document: no search sees neither or a mixture, and a killed writer leaves the old version or the new one."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from es_mappings.access import OWNER
from es_mappings.settings import Settings
from ingest.opening import open_store
from ingest.pipeline import Order, Row, Store, ingest
from ingest.sources import Source
from service.searching import Searcher, SearchRequest

SECTIONS = 12


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    with open_store(settings) as opened:
        yield opened


def version(folder: Path, word: str) -> Path:
    path = folder / "manual.md"
    sections = "".join(f"## {i} Pump {i}\n\nThe valve of pump {i} opens at {word} bar.\n\n" for i in range(1, SECTIONS + 1))
    path.write_text(f"# Manual\n\n{sections}", "utf-8")
    return path


def put(store: Store, path: Path) -> Row:
    return ingest(Order(source=Source(path=path, name=path.name)), store)


def searcher_over(store: Store) -> Searcher:
    return Searcher(index=store.index, access=store.access, embedder=store.embedder)


def words_seen(searcher: Searcher) -> set[str]:
    result = searcher.search(SearchRequest(query="valve of pump opens at bar", size=SECTIONS), OWNER)
    assert len(result.hits) == SECTIONS, result.reason
    return {hit.content.split()[-2] for hit in result.hits}


def test_every_search_during_a_replacement_sees_one_whole_version(store: Store, tmp_path: Path) -> None:
    put(store, version(tmp_path, "red"))
    searcher = searcher_over(store)
    seen: list[set[str]] = []
    faults: list[Exception] = []
    stop = threading.Event()

    def search_all_the_time() -> None:
        while not stop.is_set():
            try:
                seen.append(words_seen(searcher))
            except Exception as error:  # noqa: BLE001  # told to the test's own thread
                faults.append(error)
                return

    thread = threading.Thread(target=search_all_the_time)
    thread.start()
    try:
        for word in ("blue", "green", "red", "blue"):
            assert put(store, version(tmp_path, word)).status == "updated"
    finally:
        stop.set()
        thread.join()
    assert faults == []
    assert len(seen) > 4
    assert [words for words in seen if len(words) != 1] == []
    assert words_seen(searcher) == {"blue"}


def test_of_two_writers_at_once_one_version_is_left_whole(store: Store, tmp_path: Path) -> None:
    paths = []
    for word in ("red", "blue", "green"):
        (tmp_path / word).mkdir()
        paths.append(version(tmp_path / word, word))
    rows: list[Row] = []
    threads = [threading.Thread(target=lambda path=path: rows.append(put(store, path))) for path in paths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert any(row.error is None for row in rows)
    assert {row.error[0] for row in rows if row.error} <= {"revision_conflict"}
    assert len(words_seen(searcher_over(store))) == 1


def test_a_writer_killed_at_any_moment_leaves_old_or_new_and_the_next_run_finishes(
    store: Store, settings: Settings, tmp_path: Path
) -> None:
    put(store, version(tmp_path, "red"))
    searcher = searcher_over(store)
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("SECTIONARY_")},
        "SECTIONARY_ES_URL": settings.es_url,
        "SECTIONARY_INDEX_PREFIX": settings.index_prefix,
        "SECTIONARY_HOME": str(settings.home),
        "SECTIONARY_REQUEST_DEADLINE_SECONDS": "0.001",
    }
    command = [sys.executable, "-c", "from service.cli import main; main()", "ingest", str(tmp_path / "manual.md")]
    began = time.monotonic()
    version(tmp_path, "blue")
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=120)
    whole_run = time.monotonic() - began
    assert words_seen(searcher) == {"blue"}
    moments = random.Random(20261130)
    for word in ("green", "yellow", "white"):
        version(tmp_path, word)
        before = words_seen(searcher)
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(moments.uniform(0.3, 1.0) * whole_run)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert words_seen(searcher) in (before, {word})
        subprocess.run(command, env=environment, check=True, capture_output=True, timeout=120)
        assert words_seen(searcher) == {word}
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=120)
    store.index.refresh(store.index.nodes)
    revisions = {hit["_source"]["revision"] for hit in store.index.scan(store.index.nodes, {"match_all": {}}, ["revision"])}
    assert len(revisions) == 1, "the nodes of killed and replaced revisions are swept"
