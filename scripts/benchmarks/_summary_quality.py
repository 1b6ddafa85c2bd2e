"""What summaries keep: planted facts by position and by check, and stories against what people wrote about them."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from _kept_plot import kept_plot
from _rouge import rouge
from _summary_calls import TESTS
from _tiny_model import WINDOW, tiny_model
from planted_facts import STATES, planted_book, summary_text
from stub_llm import StubModel, StubReply
from summary_books import MemoryStore, limits, prose, recipe, run_patient, source_of

from es_mappings.settings import Settings, read_settings
from es_mappings.tokens import count_tokens
from ingest.claims.evidence import Evidence
from ingest.claims.statements import key_points, statements
from ingest.claims.support import missing, unsupported
from ingest.embedding import Embedder, open_embedder
from ingest.sentences import sentence_spans
from ingest.summaries.documents import unheard
from ingest.summaries.extractive import ExtractiveMaker, extract
from ingest.summaries.making import Made
from ingest.summaries.mapreduce import run_plan
from ingest.summaries.opening import limits_of, open_patient_chat, recipe_of
from ingest.summaries.planning import plan_summaries
from ingest.summaries.prompts import Passage
from ingest.summaries.tree import SectionSource
from ingest.summaries.works import extract_limits

assert TESTS.is_dir()
SUMMARY_TOKENS = 500
ATTENTION_TOKENS = 1_500
PLOT = Path(__file__).parents[2] / "docs" / "kept-facts.svg"
SECTION_TOKENS = 1_000
# A model of 270 million parameters on one busy core writes seven tokens a second.
MODEL_TOKENS, RETRIEVED_TOKENS = 250, 1_500


def checks(seeds: int = 20) -> list[list[object]]:
    """Rows: language, check, precision, recall on books of planted facts with known deletions and distortions."""
    rows: list[list[object]] = []
    for language in ("en", "zh"):
        counts = {"missing points": [0, 0, 0], "unsupported sentences": [0, 0, 0]}
        for seed in range(100, 100 + seeds):
            book = planted_book(language, seed)
            source, said = Evidence(statements([p.text for p in book])), statements([summary_text(book, language)])
            lost = {i for i, p in enumerate(book) if p.state in STATES[2:]}
            _count(counts["missing points"], lost, {gap.section for gap in missing(said, source)})
            wrong = {p.said for p in book if p.state == "distorted"}
            _count(counts["unsupported sentences"], wrong, {fault.sentence for fault in unsupported(said, source)})
        rows += [[language, name, right / (right + false), right / (right + unseen)] for name, (right, false, unseen) in counts.items()]
    return rows


def _count(counts: list[int], gold: set[object] | set[int] | set[str], found: set[object] | set[int] | set[str]) -> None:
    for place, amount in enumerate((len(gold & found), len(found - gold), len(gold - found))):  # type: ignore[operator]
        counts[place] += amount


def kept_by_position() -> list[list[object]]:
    """Rows: way, facts kept in sections 1-10, 11-20, 21-30, 31-40, all, calls; the plot of all 40 goes to docs/kept-facts.svg.

    The endpoint is scripted: it says back the checkable sentences of the first and last 1,500 tokens of what it is shown and
    sees nothing between, a crude stand-in for models that lose the middle. What it shows is which facts reach such a model.
    """
    book = planted_book("en", 7)
    texts = [f"{planted.text}\n\n{prose(SECTION_TOKENS - count_tokens(planted.text), i)}" for i, planted in enumerate(book)]
    chunks = [piece for text in texts for piece in text.split("\n\n")]
    embedder = open_embedder(read_settings())
    said_by: dict[str, tuple[str, int]] = {}
    for name in ("one single call", "the 30 best chunks, one call", "the tree"):
        with StubModel() as stub:
            stub.default = lambda body: StubReply(text=_attentive(source_of(body["messages"][1]["content"])))
            said_by[name] = (_said(name, stub, texts, chunks, embedder), stub.calls)
    plan = plan_summaries(_sections(texts), extract_limits(read_settings()), recipe(model="extractive"))
    done = run_plan(plan, ExtractiveMaker(), MemoryStore(), 1, unheard)
    whole = done.summary(0)
    said_by["extracts, no model"] = (whole.text if isinstance(whole, Made) else "", 0)
    kept = {name: [planted.fact in said for planted in book] for name, (said, _) in said_by.items()}
    PLOT.write_text(kept_plot(kept), "utf-8")
    return [[name, *_quarters(kept[name]), made] for name, (_, made) in said_by.items()]


def _said(name: str, stub: StubModel, texts: Sequence[str], chunks: Sequence[str], embedder: Embedder) -> str:
    if name == "the tree":
        sources, window = _sections(texts), 32_000
    else:
        read = list(texts)
        if "chunks" in name:
            scores = embedder.embed_passages(chunks) @ embedder.embed_query("Summarise the whole book.")
            read = [chunks[i] for i in sorted(sorted(range(len(chunks)), key=lambda i: -scores[i])[:30])]
        sources, window = (SectionSource(key="d", title="Book", parent=None, text="\n\n".join(read)),), 200_000
    bounds = limits(window)
    if name != "the tree":
        bounds = type(bounds)(window=window, overhead=bounds.overhead, summary=8_000, document=8_000, short=1, call=window)
    chat = open_patient_chat(Settings(llm_base_url=stub.url, llm_model="scripted"))
    assert chat is not None
    done = run_patient(plan_summaries(sources, bounds, recipe()), chat, MemoryStore(), 8)
    whole = done.summary(0)
    return whole.text if isinstance(whole, Made) else ""


def _sections(texts: Sequence[str]) -> tuple[SectionSource, ...]:
    root = SectionSource(key="d", title="Book", parent=None)
    return (root, *(SectionSource(key=f"d/{i}", title=f"Section {i + 1}", parent=0, text=text) for i, text in enumerate(texts)))


def _attentive(text: str) -> str:
    """The sentences with a number, name, denial or exception near either end of a text."""
    spans = [text[start:end] for start, end in sentence_spans(text)]
    seen: list[str] = []
    for ordered in (spans, list(reversed(spans))):
        used = 0
        for span in ordered:
            used += count_tokens(span)
            if used > ATTENTION_TOKENS:
                break
            seen.append(span)
    chosen = [span for span in dict.fromkeys(spans) if span in set(seen)]
    found = statements(chosen)
    telling = {found[point.statement].text for point in key_points(found)}
    return " ".join(span for span in chosen if any(text in span for text in telling)) or "Nothing checkable."


def _quarters(kept: Sequence[bool]) -> list[object]:
    return [f"{sum(kept[i : i + 10])}/10" for i in range(0, 40, 10)] + [f"{sum(kept)}/40"]


def stories(data: Path, model_stories: int) -> list[list[object]]:
    """Rows: way, stories, ROUGE-1, -2, -L of whole-plot summaries of 500 tokens against four by people."""
    lines = (data / "qa/squality-v1-3-dev.jsonl").read_text("utf-8").splitlines()
    told = [json.loads(line) for line in lines]
    texts = [re.sub(r"[ \t]+", " ", story["document"]) for story in told]
    people = [[answer["response_text"] for answer in story["questions"][0]["responses"]] for story in told]
    embedder = open_embedder(read_settings())
    ways: dict[str, Callable[[str], str]] = {
        "first sentences": lambda text: _filled(_sentences(text)),
        "top-k retrieval: sentences nearest to the question": lambda text: _nearest(text, embedder),
        "extracts (the default without a model)": lambda text: extract([Passage(heading="", text=text)], SUMMARY_TOKENS),
    }
    rows = [_scored(name, way, texts, people) for name, way in ways.items()]
    if model_stories:
        few = [texts[:model_stories], people[:model_stories]]
        rows += [_scored(f"{name}, first {model_stories}", way, few[0], few[1]) for name, way in ways.items()]  # type: ignore[arg-type]
        with tiny_model() as url:
            by_model: dict[str, Callable[[str], str]] = {
                "top-k retrieval, one call": lambda text: _by_model(_nearest(text, embedder, RETRIEVED_TOKENS), url),
                "tree": lambda text: _by_model(text, url),
            }
            rows += [
                _scored(f"{name} by Gemma 3 270M (base), first {model_stories}", way, few[0], few[1])  # type: ignore[arg-type]
                for name, way in by_model.items()
            ]
    return rows


def _scored(name: str, way: Callable[[str], str], texts: Sequence[str], people: Sequence[Sequence[str]]) -> list[object]:
    scores = [rouge(way(text), references) for text, references in zip(texts, people, strict=True)]
    return [name, len(scores), *(sum(score[i] for score in scores) / len(scores) for i in range(3))]


def _by_model(text: str, url: str) -> str:
    settings = Settings(
        llm_base_url=url,
        llm_model="gemma-3-270m",
        llm_window=WINDOW,
        summary_tokens=120,
        summary_document_tokens=MODEL_TOKENS,
        summary_attempts=1,
        summary_call_seconds=900,
    )
    chat = open_patient_chat(settings)
    assert chat is not None
    bounds = limits_of(settings)
    plan = plan_summaries(
        (SectionSource(key="d", title="Story", parent=None, text=text),), bounds, recipe_of(settings, "gemma-3-270m", bounds, "en")
    )
    whole = run_patient(plan, chat, MemoryStore(), 1).summary(0)
    assert isinstance(whole, Made), whole  # an empty summary would be scored as a bad one
    return whole.text


def _sentences(text: str) -> list[str]:
    return [" ".join(text[start:end].split()) for start, end in sentence_spans(text)]


def _filled(sentences: Sequence[str]) -> str:
    kept: list[str] = []
    used = 0
    for sentence in sentences:
        used += count_tokens(sentence)
        if used > SUMMARY_TOKENS:
            break
        kept.append(sentence)
    return " ".join(kept)


def _nearest(text: str, embedder: Embedder, most: int = SUMMARY_TOKENS) -> str:
    sentences = [sentence for sentence in _sentences(text) if len(sentence.split()) > 5]
    scores = embedder.embed_passages(sentences) @ embedder.embed_query("What is the plot of the story?")
    chosen: list[int] = []
    used = 0
    for index in sorted(range(len(sentences)), key=lambda i: -scores[i]):
        if used + count_tokens(sentences[index]) <= most:
            chosen.append(index)
            used += count_tokens(sentences[index])
    return " ".join(sentences[i] for i in sorted(chosen))
