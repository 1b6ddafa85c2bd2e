"""Other systems for answers, each in its own small file of answer_peers/, in an environment of their own, with our embedder and node."""

import json
import subprocess
import sys
import tempfile
import threading
import uuid
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from _answer_sets import AnswerSet, Asked
from _answer_systems import Passage
from _kept_vectors import KEPT, KeptVectors

from es_mappings.settings import read_settings
from ingest.opening import open_index

HOME = Path(__file__).parents[2] / ".venv-peers-answers"
FOLDER = Path(__file__).parent / "answer_peers"
PEERS = ("plain", "with_langchain", "with_llamaindex", "with_haystack")
# The newest that PyPI had on 30 November 2026.
PACKAGES = (
    "langchain-elasticsearch==1.0.0 langchain-text-splitters==1.1.3 llama-index-core==0.14.25"
    " llama-index-vector-stores-elasticsearch==0.7.0 haystack-ai==3.4.1 elasticsearch-haystack==7.1.0 bpe-openai numpy httpx"
)
# Hits asked of each leg: more than fit any budget here.
DEPTH = 30
LONGEST_SECONDS = 3_600


def peer_answers(
    peer: str, tested: AnswerSet, asked: Sequence[Asked], embedder: KeptVectors, port: int
) -> tuple[dict[str, list[list[Passage]]], dict[str, str]]:
    """What a peer returns to each question, by mode, and the versions of its packages. Its indices are deleted afterwards."""
    _make_environment()
    prefix = f"peer-{uuid.uuid4().hex[:8]}"
    settings = read_settings(home=KEPT / "home", node_port=port, node_heap_mb=1024, index_prefix=prefix)
    with open_index(settings) as index, _serving(embedder) as url, tempfile.TemporaryDirectory() as folder:
        task, out = Path(folder) / "task.json", Path(folder) / "out.json"
        task.write_text(json.dumps(_task(tested, asked, embedder, prefix, url, port)))
        try:
            command = [str(HOME / "bin/python"), str(FOLDER / f"{peer}.py"), str(task), str(out)]
            done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=LONGEST_SECONDS, check=False)
            if done.returncode:
                raise SystemExit(f"{peer} on {tested.name} failed: {done.stderr.strip()[-2000:]}")
            told = json.loads(out.read_text())
        finally:
            index.drop()
    found = {
        mode: [[Passage(source=source, text=text) for source, text in hits] for hits in answers] for mode, answers in told["found"].items()
    }
    return found, told["versions"]


def _task(tested: AnswerSet, asked: Sequence[Asked], embedder: KeptVectors, prefix: str, url: str, port: int) -> dict[str, object]:
    return {
        "es_url": f"http://127.0.0.1:{port}",
        "prefix": prefix,
        "embed_url": url,
        "dims": embedder.dims,
        "depth": DEPTH,
        "documents": [{"name": source.name, "group": source.group, "text": source.text} for source in tested.sources],
        "questions": [[one.text, one.group] for one in asked],
    }


@contextmanager
def _serving(embedder: KeptVectors) -> Iterator[str]:
    """The embedder under test as a service on loopback: {"role", "texts"} in, rows of float32 out."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            rows = (embedder.embed_queries if told["role"] == "query" else embedder.embed_passages)(told["texts"])
            self.send_response(200)
            self.end_headers()
            self.wfile.write(rows.tobytes())

        def log_message(self, *given: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()


def _make_environment() -> None:
    if (HOME / "made").exists():
        return
    print("making .venv-peers-answers", file=sys.stderr, flush=True)
    venv.create(HOME, with_pip=True, clear=True)
    subprocess.run([str(HOME / "bin/python"), "-m", "pip", "install", "-q", *PACKAGES.split()], check=True)
    (HOME / "made").touch()
