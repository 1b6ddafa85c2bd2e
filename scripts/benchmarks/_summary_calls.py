"""What summaries cost, counted at a scripted endpoint: calls told and made, failures, parallel calls, kills."""

import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[2] / "tests"
sys.path.insert(0, str(TESTS))

from stub_llm import StubModel, StubReply  # noqa: E402 - the tests' folder comes first
from summary_books import MemoryStore, book, limits, recipe, run_patient, source_of  # noqa: E402
from test_summaries_kill import FileStore, make_all, said  # noqa: E402

from es_mappings.settings import Settings  # noqa: E402
from ingest.chunking import chunk_outline  # noqa: E402
from ingest.cleaning import clean_reading  # noqa: E402
from ingest.formats import ReadOptions, choose_reader, take_sample  # noqa: E402
from ingest.outline import build_outline  # noqa: E402
from ingest.summaries.coverage import coverage_of  # noqa: E402
from ingest.summaries.mapreduce import calls_needed  # noqa: E402
from ingest.summaries.opening import open_patient_chat  # noqa: E402
from ingest.summaries.planning import plan_summaries  # noqa: E402
from ingest.summaries.tree import Plan, SectionSource  # noqa: E402

DOCUMENTS = ("md/rust-book-en", "md/rust-book-zh", "pdf/en-sec-regbi-proposed-408p.pdf", "pdf/en-fed-annual-report-2023-222p.pdf",
             "pdf/zh-lnotes2-227p.pdf", "pdf/de-geotopo-117p.pdf", "docx/doj-ch13-handbook-872p.docx")  # fmt: skip


def sources_of(path: Path) -> tuple[SectionSource, ...]:
    """The sections of a file with their own texts."""
    outline = build_outline(clean_reading(choose_reader(take_sample(path, 10**9)).read(path, ReadOptions())), path.stem)
    texts: dict[int, list[str]] = {}
    for chunk in chunk_outline(outline):
        texts.setdefault(chunk.section, []).append(chunk.content)
    return tuple(
        SectionSource(key=str(i), title=section.title, parent=section.parent, text="\n\n".join(texts.get(i, ())))
        for i, section in enumerate(outline.sections)
    )


def _run(stub: StubModel, plan: Plan, store: MemoryStore, parallel: int = 8, attempts: int = 1) -> Any:
    chat = open_patient_chat(Settings(llm_base_url=stub.url, llm_model="scripted", summary_attempts=attempts))
    assert chat is not None
    return run_patient(plan, chat, store, parallel)


def calls(data: Path) -> list[list[object]]:
    """Rows: document, tokens, sections, calls told, made, made by a second run, made after one changed paragraph, share covered."""
    rows: list[list[object]] = []
    named = [("25 chapters of 8,000 tokens", book(25, 8_000))]
    named += [(name, sources_of(data / name)) for name in DOCUMENTS if (data / name).exists()]
    for name, sources in named:
        plan, store = plan_summaries(sources, limits(32_000), recipe()), MemoryStore()
        with StubModel() as stub:
            stub.default = lambda body: StubReply(text=said(body))
            told = calls_needed(plan, store)
            done = _run(stub, plan, store)
            made = stub.calls
            _run(stub, plan, store)
            again = stub.calls - made
            changed, depth = _changed(sources, plan)
            _run(stub, plan_summaries(changed, limits(32_000), recipe()), store)
            after = stub.calls - made - again
        share = coverage_of(done, 0).share
        rows.append([name, sum(plan.own_tokens), len(sources), told, made, again, f"{after} (depth {depth})", share])
    return rows


def _changed(sources: tuple[SectionSource, ...], plan: Plan) -> tuple[tuple[SectionSource, ...], int]:
    """The sources with one paragraph added to a leaf that a call reads whole, and how many calls lie on its way up."""
    leaf = next(
        i
        for i, final in enumerate(plan.finals)
        if final is not None and plan.steps[final].role == "map" and len(plan.steps[final].units) == 1
    )
    depth, index = 0, leaf
    while True:
        final = plan.finals[index]
        depth += final is not None and plan.steps[final].costs_call
        parent = sources[index].parent
        if parent is None:
            break
        index = parent
    new = replace(sources[leaf], text=sources[leaf].text + "\n\nOne more paragraph stands here.")
    return (*sources[:leaf], new, *sources[leaf + 1 :]), depth


def failures() -> list[list[object]]:
    """Rows: sections, failed, named as missing, calls of the next run, share before and after."""
    sources = book(30, 500)
    failing = {f"[Chapter {i}]" for i in random.Random(3).sample(range(1, 31), 3)}
    plan, store = plan_summaries(sources, limits(32_000), recipe()), MemoryStore()
    with StubModel() as stub:
        stub.default = lambda body: (
            StubReply(status=500)
            if any(source_of(body["messages"][1]["content"]).startswith(h) for h in failing)
            else StubReply(text=said(body))
        )
        done = _run(stub, plan, store)
        covered = coverage_of(done, 0)
        missing = {f"[{sources[row.section].title}]" for row in covered.sections if not row.included}
        before = stub.calls
        stub.default = lambda body: StubReply(text=said(body))
        again = _run(stub, plan, store)
        rows: list[list[object]] = [
            [len(sources) - 1, len(failing), f"{len(missing & failing)} right, {len(missing - failing)} wrong", stub.calls - before,
             covered.share, coverage_of(again, 0).share]
        ]  # fmt: skip
    return rows


def parallel() -> list[list[object]]:
    """Rows: calls in flight, seconds, times as fast as one, at an endpoint that takes 0.5 s."""
    plan = plan_summaries(book(24, 450), limits(32_000), recipe())
    rows: list[list[object]] = []
    for width in (1, 8):
        with StubModel() as stub:
            stub.default = StubReply(text="Said.", delay=0.5)
            began = time.perf_counter()
            _run(stub, plan, MemoryStore(), width)
            seconds = time.perf_counter() - began
        rows.append([width, plan.calls, seconds, float(rows[0][2]) / seconds if rows else 1.0])  # type: ignore[arg-type]
    return rows


def kills(count: int) -> list[list[object]]:
    """Rows: kills, calls needed, calls made, calls made twice, stored calls repeated, whether the tree ends identical."""
    rng = random.Random(1)
    stored_before: list[tuple[int, set[str]]] = []
    with tempfile.TemporaryDirectory() as folder, StubModel() as stub:
        path = Path(folder) / "made.jsonl"
        stub._server.handle_error = lambda *_: None  # type: ignore[method-assign]  # noqa: SLF001  # killed callers are no news here
        stub.default = lambda body: StubReply(text=said(body), delay=0.05)
        for _ in range(count):
            before = stub.calls
            child = subprocess.Popen([sys.executable, str(TESTS / "test_summaries_kill.py"), stub.url, str(path)])
            while stub.calls == before and child.poll() is None:
                time.sleep(0.005)
            time.sleep(rng.uniform(0, 0.08))
            child.send_signal(signal.SIGKILL)
            child.wait()
            stored_before.append((len(stub.bodies), {made.text for made in FileStore(path).made.values()}))
        resumed = make_all(stub.url, FileStore(path))
        asked = [said(body) for body in stub.bodies]
        repeated = sum(len(stored & set(asked[position:])) for position, stored in stored_before)
        whole = make_all(stub.url, MemoryStore())
    texts = [[getattr(done.summary(i), "text", "") for i in range(len(done.plan.sources))] for done in (resumed, whole)]
    return [[count, resumed.plan.calls, len(asked), len(asked) - len(set(asked)), repeated, "yes" if texts[0] == texts[1] else "NO"]]
