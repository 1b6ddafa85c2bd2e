"""A reindex beside writers and readers: `./scripts/bench reindex [--documents N] [--every SECONDS]`.

CMRC trial paragraphs are documents. Another process reindexes them from the built-in embedder to e5 and back; meanwhile this one
replaces a document every so many seconds in one thread and searches in another without a pause. "Writers' longest wait" is the
longest time that any claim or commit of this process waited for a swap.
"""

import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from _kept_tables import keep
from _measuring import arguments, machine, markdown, percentile

from es_mappings.access import OWNER
from es_mappings.generations import Generation
from es_mappings.settings import Settings, read_settings
from ingest.opening import open_store
from ingest.pipeline import Order, Store, ingest
from ingest.sources import Source
from service.searching import Searcher, SearchRequest

DIRECTIONS = ("e5", "use")


def main() -> None:
    """Ingest, reindex there and back under load, print."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--every", type=float, default=1.0)
    options = parser.parse_args()
    settings = read_settings(index_prefix=f"bench-{uuid.uuid4().hex[:8]}", summary_policy="by-hand", request_deadline_seconds=2)
    texts, questions = _texts(options.data, options.documents)
    rows: list[list[object]] = []
    with open_store(settings) as store, tempfile.TemporaryDirectory() as folder:
        try:
            for number, text in enumerate(texts):
                _put(store, Path(folder), number, text)
            rows += [_under_load(store, settings, Path(folder), texts, questions, embedder, options.every) for embedder in DIRECTIONS]
        finally:
            store.index.drop()
    head = ["to", "nodes", "texts embedded", "s", "rounds", "attempts", "pause with the swap s", "writers' longest wait s"]
    head += ["ingests meanwhile (failed)", "searches meanwhile (failed)", "search p50 / p95 / longest ms"]
    text = f"{machine()}\n\n{markdown(head, rows)}"
    print(text)
    keep("reindex", text)


def _texts(data: Path, most: int) -> tuple[list[str], list[str]]:
    entries = json.loads((data / "qa" / "cmrc2018_trial.squad.json").read_text("utf-8"))["data"]
    paragraphs = [paragraph for entry in entries for paragraph in entry["paragraphs"]][:most]
    return [one["context"] for one in paragraphs], [question["question"] for one in paragraphs for question in one["qas"]]


def _put(store: Store, folder: Path, number: int, text: str) -> bool:
    path = folder / f"paragraph-{number}.md"
    path.write_text(text, "utf-8")
    return ingest(Order(source=Source(path=path, name=path.name)), store).error is None


def _under_load(
    store: Store, settings: Settings, folder: Path, texts: list[str], questions: list[str], embedder: str, every: float
) -> list[object]:
    searcher = Searcher(index=store.index, access=store.access, embedder=store.embedder)
    drawn, serial = random.Random(4), itertools.count()

    def write() -> bool:
        time.sleep(every)
        number = drawn.randrange(len(texts))
        return _put(store, folder, number, f"{texts[number]}\n\nVersion {next(serial)}.")

    def search() -> bool:
        result = searcher.search(SearchRequest(query=random.choice(questions)), OWNER)
        return bool(result.hits) and not result.degraded

    with _timed_waits(store) as waits, _throughout(write) as writes, _throughout(search) as searches:
        reply = _reindex(settings, embedder)
    times = [seconds * 1000 for _, seconds in searches]
    return [
        embedder,
        reply["nodes"],
        reply["embedded"],
        reply["seconds"],
        reply["rounds"],
        len(reply["pauses"]),
        reply["pauses"][-1],
        max(waits),
        f"{len(writes)} ({sum(not done for done, _ in writes)})",
        f"{len(searches)} ({sum(not done for done, _ in searches)})",
        f"{statistics.median(times):.0f} / {percentile(times, 0.95):.0f} / {max(times):.0f}",
    ]


def _reindex(settings: Settings, embedder: str) -> dict[str, object]:
    environment = {
        **os.environ,
        "SECTIONARY_HOME": str(settings.home),
        "SECTIONARY_NODE_PORT": str(settings.node_port),
        "SECTIONARY_INDEX_PREFIX": settings.index_prefix,
        "SECTIONARY_REQUEST_DEADLINE_SECONDS": str(settings.request_deadline_seconds),
    }
    command = [sys.executable, "-c", "from service.cli import main; main()", "reindex", "--embedder", embedder, "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    reply: dict[str, object] = json.loads(done.stdout)
    return reply


@contextmanager
def _timed_waits(store: Store) -> Iterator[list[float]]:
    """How long each look at the pause took, waiting included."""
    waits: list[float] = []
    settled = store.revisions.swaps.settled

    def timed() -> Generation:
        began = time.monotonic()
        generation = settled()
        waits.append(time.monotonic() - began)
        return generation

    store.revisions.swaps.settled = timed  # type: ignore[method-assign]  # a measuring instrument
    try:
        yield waits
    finally:
        store.revisions.swaps.settled = settled  # type: ignore[method-assign]


@contextmanager
def _throughout(act: Callable[[], bool]) -> Iterator[list[tuple[bool, float]]]:
    """Do something again and again while the block runs: whether it succeeded, and how long it took."""
    done: list[tuple[bool, float]] = []
    stop = threading.Event()

    def run() -> None:
        while not stop.is_set():
            began = time.monotonic()
            try:
                succeeded = act()
            except Exception as error:  # noqa: BLE001  # counted
                print(f"failed: {type(error).__name__}", file=sys.stderr)
                succeeded = False
            done.append((succeeded, time.monotonic() - began))

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield done
    finally:
        stop.set()
        thread.join()


if __name__ == "__main__":
    main()
