"""Kill -9 while summaries are made: no finished call is repeated, at most those in flight are made twice, the tree ends the same."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from stub_llm import StubModel, StubReply
from summary_books import MemoryStore, book, plan, run_patient, source_of

from es_mappings.sections import short_hash
from es_mappings.settings import Settings
from ingest.summaries.making import Made
from ingest.summaries.mapreduce import Run
from ingest.summaries.opening import open_patient_chat

PARALLEL = 4
KILLS = 4


class FileStore:
    """One line of JSON for each finished piece, on the disk before `keep` returns."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self.made = {}
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            try:
                piece = Made(**json.loads(line))
            except ValueError:  # the line that was being written
                continue
            self.made[piece.source_hash] = piece

    def find(self, hashes: Sequence[str]) -> dict[str, Made]:
        return {digest: self.made[digest] for digest in hashes if digest in self.made}

    def keep(self, made: Made) -> None:
        with self._lock, self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(asdict(made)) + "\n")
            stream.flush()
            os.fsync(stream.fileno())


def make_all(url: str, store: MemoryStore | FileStore) -> Run:
    chat = open_patient_chat(Settings(llm_base_url=url, llm_model="stub-model"))
    assert chat is not None
    return run_patient(plan(book(12, 500), model="stub-model"), chat, store, PARALLEL)


def test_killing_it_costs_no_finished_call_and_the_tree_ends_identical(tmp_path: Path) -> None:
    path = tmp_path / "made.jsonl"
    rng = random.Random(11)
    kills: list[tuple[int, set[str]]] = []
    with StubModel() as stub:
        stub.default = lambda body: StubReply(text=said(body), delay=0.05)
        for _ in range(KILLS):
            before = stub.calls
            child = subprocess.Popen([sys.executable, __file__, stub.url, str(path)])
            deadline = time.monotonic() + 60
            while stub.calls == before and child.poll() is None and time.monotonic() < deadline:
                time.sleep(0.005)
            time.sleep(rng.uniform(0, 0.12))
            child.send_signal(signal.SIGKILL)
            child.wait()
            stored = {made.text for made in FileStore(path).made.values()}
            kills.append((len(stub.bodies), stored))
        resumed = make_all(stub.url, FileStore(path))
        asked = [said(body) for body in stub.bodies]
        for position, stored in kills:
            assert stored.isdisjoint(asked[position:])
        assert len(asked) - len(set(asked)) <= KILLS * PARALLEL
        lines = [json.loads(line)["source_hash"] for line in path.read_text("utf-8").splitlines() if line.endswith("}")]
        assert len(lines) == len(set(lines))  # a stored piece is never made again
        whole = make_all(stub.url, MemoryStore())
    assert [made.text for made in _summaries(resumed)] == [made.text for made in _summaries(whole)]
    assert [made.source_hash for made in _summaries(resumed)] == [made.source_hash for made in _summaries(whole)]


def said(body: dict[str, Any]) -> str:
    """A reply that tells which text was summarised."""
    return f"Summary {short_hash(source_of(body['messages'][1]['content']))}."


def _summaries(done: Run) -> list[Made]:
    found = [done.summary(section) for section in range(len(done.plan.sources))]
    return [made for made in found if isinstance(made, Made)]


if __name__ == "__main__":
    make_all(sys.argv[1], FileStore(Path(sys.argv[2])))
