"""A scripted OpenAI-compatible server on loopback: real HTTP, replies as the test says, every request kept.

with StubModel() as stub:
    stub.say("first reply", StubReply(status=429, headers={"Retry-After": "0"}))   # one reply a call, in order
    stub.default = lambda body: StubReply(text=obey(body))                          # what is said after that
    ... settings: llm_base_url=stub.url ...
    assert stub.calls == 2 and stub.prompts[0]
"""

import hashlib
import json
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import numpy as np


@dataclass(frozen=True, kw_only=True)
class StubReply:
    """What one call answers.

    `delay` seconds pass before the first byte, `piece_delay` before each streamed piece; `raw` is sent instead of any JSON;
    `break_after` cuts the stream (or the body) off after that many pieces (bytes); `usage` False leaves the counts out.
    """

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    piece_delay: float = 0.0
    raw: bytes | None = None
    content_type: str = "application/json"
    break_after: int | None = None
    finish_reason: str = "stop"
    usage: bool = True
    error: dict[str, Any] | None = None


class StubModel:
    """The server; a context manager. `bodies` are the chat requests as received, `seen` all (path, body) pairs."""

    def __init__(self, *, models: tuple[str, ...] = ("stub-model",), dims: int = 8, window: int | None = None) -> None:
        self.models, self.dims, self.window = models, dims, window
        self.bodies: list[dict[str, Any]] = []
        self.seen: list[tuple[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.default: StubReply | Callable[[dict[str, Any]], StubReply] = StubReply(text="stub reply")
        self.embeddings: Callable[[dict[str, Any]], StubReply | None] = lambda body: None
        self.rerank: Callable[[dict[str, Any]], StubReply | None] = lambda body: None
        self.in_flight = self.most_in_flight = 0
        self._script: deque[StubReply] = deque()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        """The base URL, as the settings want it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def calls(self) -> int:
        """How many chat calls came in."""
        return len(self.bodies)

    @property
    def prompts(self) -> list[str]:
        """The whole text of each chat call, roles left out."""
        return ["\n".join(message["content"] for message in body["messages"]) for body in self.bodies]

    def say(self, *replies: str | StubReply) -> None:
        """Queue replies: each chat call takes the next one."""
        self._script.extend(StubReply(text=reply) if isinstance(reply, str) else reply for reply in replies)

    def next_reply(self, body: dict[str, Any]) -> StubReply:
        with self._lock:
            self.bodies.append(body)
            if self._script:
                return self._script.popleft()
        return self.default(body) if callable(self.default) else self.default

    def count(self, change: int) -> None:
        with self._lock:
            self.in_flight += change
            self.most_in_flight = max(self.most_in_flight, self.in_flight)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


def hashed_vector(text: str, dims: int) -> list[float]:
    """A unit vector that depends on the text alone."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    vector = np.random.default_rng(seed).normal(size=dims)
    return [float(value) for value in vector / np.linalg.norm(vector)]


def _handler(stub: StubModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            stub.seen.append((self.path, None))
            stub.headers.append(dict(self.headers))
            more = {} if stub.window is None else {"max_model_len": stub.window}
            self._send_json({"object": "list", "data": [{"id": name, "object": "model", **more} for name in stub.models]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            stub.seen.append((self.path, body))
            stub.headers.append(dict(self.headers))
            stub.count(1)
            try:
                if self.path.endswith("/chat/completions"):
                    self._chat(body, stub.next_reply(body))
                elif self.path.endswith("/embeddings"):
                    self._embed(body)
                elif self.path.endswith("/rerank"):
                    self._plain(stub.rerank(body) or StubReply(status=404))
                else:
                    self._plain(StubReply(status=404, error={"message": "no such path"}))
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
            finally:
                stub.count(-1)

        def _chat(self, body: dict[str, Any], reply: StubReply) -> None:
            if reply.raw is not None or reply.status != 200 or reply.error is not None:
                self._plain(reply)
                return
            time.sleep(reply.delay)
            usage = {
                "prompt_tokens": sum(len(m["content"].split()) for m in body["messages"]),
                "completion_tokens": len(reply.text.split()),
            }
            if body.get("stream"):
                self._stream(reply, usage)
                return
            message = {"role": "assistant", "content": reply.text}
            answer: dict[str, Any] = {
                "id": "1", "object": "chat.completion", "created": 0, "model": body["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": reply.finish_reason}],
            }  # fmt: skip
            if reply.usage:
                answer["usage"] = usage
            self._send_json(answer)

        def _stream(self, reply: StubReply, usage: dict[str, int]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            words = [word + " " for word in reply.text.split(" ")]
            words[-1] = words[-1][:-1]
            for position, word in enumerate(words):
                if reply.break_after == position:
                    return
                time.sleep(reply.piece_delay)
                self._event({"choices": [{"index": 0, "delta": {"content": word}, "finish_reason": None}]})
            self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish_reason}]})
            if reply.usage:
                self._event({"choices": [], "usage": usage})
            self.wfile.write(b"data: [DONE]\n\n")

        def _event(self, value: dict[str, Any]) -> None:
            self.wfile.write(b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n")
            self.wfile.flush()

        def _embed(self, body: dict[str, Any]) -> None:
            reply = stub.embeddings(body)
            if reply is not None:
                self._plain(reply)
                return
            texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
            rows = [{"object": "embedding", "index": i, "embedding": hashed_vector(text, stub.dims)} for i, text in enumerate(texts)]
            self._send_json(
                {"object": "list", "model": body["model"], "data": rows[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}}
            )

        def _plain(self, reply: StubReply) -> None:
            time.sleep(reply.delay)
            data = reply.raw if reply.raw is not None else json.dumps({"error": reply.error or {"message": "scripted"}}).encode()
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            self.send_header("Content-Length", str(len(data)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if reply.piece_delay:
                for byte in data:
                    time.sleep(reply.piece_delay)
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                return
            self.wfile.write(data[: reply.break_after])
            self.close_connection = reply.break_after is not None

        def _send_json(self, value: dict[str, Any]) -> None:
            data = json.dumps(value, ensure_ascii=False).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
