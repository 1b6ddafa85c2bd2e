"""The app with a scripted search and answer, for tests of everything around them. With an index it is the real store."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from es_mappings.access import AccessRegistry, Reader
from es_mappings.errors import NotFound, SectionaryError
from es_mappings.index import Index, connect
from es_mappings.records import Manifest
from es_mappings.settings import Settings
from service.app import create_app
from service.job_store import JobStore
from service.models.requests import AnswerBody, SearchBody
from service.models.summaries import SummaryQuery
from service.services import About, Event, Services
from service.spool import Spool

INTENT = {
    "kind": "plain",
    "documents": [],
    "sections": [],
    "excluded": [],
    "text": "leave",
    "explanation": "",
    "strategy": "collapsed",
    "sides": [],
    "rewritten": "",
}
HIT = {
    "id": "n1",
    "doc_id": "d1",
    "doc_title": "Handbook",
    "kind": "chunk",
    "section_path": "handbook/3 Leave",
    "section_key": "d1/00003",
    "number": "3",
    "title": "Leave",
    "content": "Thirty days a year.",
    "page_start": 4,
    "page_end": 4,
    "is_fallback": False,
    "structure_source": "style",
    "structure_confidence": 1.0,
    "state": "current",
    "score": 2.5,
}
PASSAGE = {**HIT, "n": 1, "tokens": 6, "ids": ["n1"]}
ANSWER = {
    "question": "How long is leave?",
    "answer": "Thirty days.\nEvery year. [1]",
    "abstained": False,
    "reason": None,
    "mode": "extractive",
    "citations": [
        {
            "n": 1,
            "id": "n1",
            "doc_id": "d1",
            "doc_title": "Handbook",
            "section_path": "handbook/3 Leave",
            "page": 4,
            "quote": "Thirty days a year.",
        }
    ],
    "passages": [PASSAGE],
    "left_out": [],
    "tokens": {"budget": 4000, "used": 6, "prompt": 0, "answer": 0},
    "intent": INTENT,
    "nearest": [],
    "unsupported": [],
    "summaries": [],
    "coverage": [],
    "sides": [],
    "references": [],
    "confidence": 0.8,
    "degraded": [],
}


SUMMARY = {
    "doc_id": "d1",
    "title": "Handbook",
    "section_key": "d1",
    "summary": "Thirty days of leave a year.",
    "mode": "llm",
    "state": "fresh",
    "coverage": {"share": 1.0, "sections": [{"key": "d1/00003", "title": "Leave", "tokens": 6, "included": True, "error": None}]},
    "unsupported": [],
    "faults": [],
    "missing": [],
    "missing_total": 0,
    "from_parts": False,
    "made_at": "2026-01-02T03:04:05+00:00",
    "notes": [],
    "llm_calls": 0,
}
SUMMARY_STATUS = {
    "policy": "at-once",
    "next_run": None,
    "documents": {"fresh": 1, "partial": 0, "stale": 0, "pending": 0},
    "themes": "by-hand",
    "themes_next_run": None,
}


class Script:
    """What the staged search and answer do, and what they were asked; `failure` makes both raise, an answer after its first event."""

    def __init__(self) -> None:
        self.asked: list[tuple[SearchBody, Reader]] = []
        self.failure: Exception | None = None

    def search(self, body: SearchBody, reader: Reader) -> dict[str, Any]:
        self.asked.append((body, reader))
        if self.failure:
            raise self.failure
        took = {"embed": 1.0, "search": 2.0, "fetch": 1.0, "rerank": 0.0, "total": 4.0}
        return {"intent": INTENT, "reason": None, "nearest": [], "took_ms": took, "hits": [HIT], "degraded": []}

    def summary(self, doc_id: str, query: SummaryQuery, reader: Reader) -> dict[str, Any]:
        if self.failure:
            raise self.failure
        if doc_id != "d1":
            raise NotFound("there is no such document")
        return {**SUMMARY, "section_key": query.section or "d1"}

    def answer(self, body: AnswerBody, reader: Reader) -> Iterator[Event]:
        self.asked.append((body, reader))
        yield "passages", {"passages": [PASSAGE], "intent": INTENT}
        if self.failure:
            raise self.failure
        yield "delta", "Thirty days.\nEvery"
        yield "delta", " year. [1]"
        yield "done", ANSWER


def staged_services(settings: Settings, script: Script, index: Index | None = None) -> Services:
    """Services around the script; without an index nothing may touch Elasticsearch (its address answers nobody)."""
    opened = index or Index(connect(settings, "http://127.0.0.1:9"), settings.index_prefix)
    access = AccessRegistry(opened)

    def may_read(reader: Reader, manifest: Manifest) -> bool:
        return access.allows(reader, manifest.access)

    def probe() -> str:
        if isinstance(script.failure, SectionaryError):
            raise script.failure
        return "9.9.9"

    return Services(
        index=opened,
        access=access,
        jobs=JobStore(opened),
        spool=Spool(Path(settings.home) / "spool"),
        search=script.search,
        answer=script.answer,
        summary=script.summary,
        overview=lambda collection, reader: {**SUMMARY, "title": f"Overview of {collection}"},
        summary_status=lambda reader: SUMMARY_STATUS,
        may_read=may_read,
        prepare=lambda: None,
        probe=probe,
        about=About(version="0.0.0", embedder=lambda: "staged", model=None, formats=(".md", ".txt")),
    )


def staged_app(settings: Settings, script: Script, index: Index | None = None) -> Flask:
    """The app over staged services."""
    app = create_app(settings, staged_services(settings, script, index))
    app.testing = False  # faults must be handled as in production
    return app


def owner_client(app: Flask) -> FlaskClient:
    """A client on loopback."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = "127.0.0.1"
    return client


def parse_events(stream: bytes) -> list[tuple[str, str]]:
    """The events of a stream, read as the HTML standard says (section 9.2.6)."""
    events = []
    for block in stream.decode().split("\n\n")[:-1]:
        name, data = "message", []
        for line in block.split("\n"):
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                name = value
            elif field == "data":
                data.append(value)
        events.append((name, "\n".join(data)))
    return events
