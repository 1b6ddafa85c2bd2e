"""The sets of `scripts/bench answers`: documents, questions and where their gold lies. Nothing here searches.

Every set is halved by a checksum of what its questions are about: settings are chosen on "dev", tables show "report".
"""

import csv
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from _answer_spans import Span, folded, span_of
from _rust_books import cross_language

LABELS = Path(__file__).parent / "labels" / "quality_evidence.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A document as every system gets it: Markdown. `group` is what a question is filtered to ("": nothing).

    `folder`: a book that is read from its files; `text` is then what those files say, one after the other.
    """

    name: str
    text: str
    group: str = ""
    title: str = ""
    folder: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, the group that it is filtered to ("": everywhere) and the spans that answer it; `answer` where only words are known."""

    text: str
    group: str = ""
    gold: tuple[Span, ...] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSet:
    """`hits` k: is a gold span among the first k hits; `budget`: how much of the gold is in so many tokens of context."""

    name: str
    sources: tuple[Source, ...]
    dev: tuple[Asked, ...]
    report: tuple[Asked, ...]
    hits: tuple[int, ...] = ()
    budget: int = 0


def is_report(about: str) -> bool:
    """Which half what a question is about belongs to."""
    return bool(zlib.crc32(about.encode()) & 1)


def load_set(name: str, data: Path) -> AnswerSet:
    """The set of this name from the folder of the measuring documents."""
    return SETS[name](data / "qa")


def _half(asked: Sequence[tuple[str, Asked]], *, report: bool) -> tuple[Asked, ...]:
    return tuple(one for about, one in asked if is_report(about) is report)


def _cmrc(qa: Path, *, titles: bool) -> AnswerSet:
    """Each paragraph is a document; its questions are answered by it and no other."""
    sources, asked = [], []
    for entry in json.loads((qa / "cmrc2018_dev.squad.json").read_text("utf-8"))["data"]:
        for paragraph in entry["paragraphs"]:
            text = paragraph["context"]
            whole = f"# {entry['title']}\n\n{text}" if titles else text
            sources.append(Source(name=paragraph["id"], text=whole, title=entry["title"] if titles else ""))
            gold = (Span(source=paragraph["id"], start=0, end=len(whole)),)
            asked += [(paragraph["id"], Asked(text=question["question"], gold=gold)) for question in paragraph["qas"]]
    name = "cmrc" if titles else "cmrc-untitled"
    return AnswerSet(name=name, sources=tuple(sources), dev=_half(asked, report=False), report=_half(asked, report=True), hits=(1, 5))


def _policyqa(qa: Path) -> AnswerSet:
    """Each segment of a policy is one unit; gold is every segment of that policy that answers the same question."""
    sources, asked = [], []
    for policy in json.loads((qa / "policyqa-dev.json").read_text("utf-8"))["data"]:
        group = policy["title"]
        answering: dict[str, list[Span]] = {}
        for number, segment in enumerate(policy["paragraphs"], 1):
            name = f"{group} {number}"
            sources.append(Source(name=name, text=segment["context"], group=group, title=f"Segment {number}"))
            for question in segment["qas"]:
                answering.setdefault(question["question"], []).append(Span(source=name, start=0, end=len(segment["context"])))
        for segment in policy["paragraphs"]:
            texts = [question["question"] for question in segment["qas"]]
            asked += [(group, Asked(text=text, group=group, gold=tuple(answering[text]))) for text in texts]
    return AnswerSet(
        name="policyqa", sources=tuple(sources), dev=_half(asked, report=False), report=_half(asked, report=True), hits=(1, 10)
    )


def _policyqa_named(qa: Path) -> AnswerSet:
    """The same, with the policy only named in the question."""
    filtered = _policyqa(qa)
    named = {half: tuple(_naming(one) for one in getattr(filtered, half)) for half in ("dev", "report")}
    return replace(filtered, name="policyqa-named", dev=named["dev"], report=named["report"])


def _naming(one: Asked) -> Asked:
    return replace(one, text=f"{one.text.rstrip('?')} in the privacy policy of {one.group}?", group="")


def _chroma(qa: Path) -> AnswerSet:
    """Five corpora; gold are the characters that a question was written from."""
    folder = qa / "chroma-chunk-eval"
    sources = {path.stem: path.read_text("utf-8") for path in sorted((folder / "corpora").glob("*.md"))}
    asked = []
    with (folder / "questions_df.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            corpus = row["corpus_id"]
            gold = tuple(Span(source=corpus, start=ref["start_index"], end=ref["end_index"]) for ref in json.loads(row["references"]))
            asked.append((row["question"], Asked(text=row["question"], group=corpus, gold=gold)))
    documents = tuple(Source(name=name, text=text, group=name) for name, text in sources.items())
    return AnswerSet(name="chroma", sources=documents, dev=_half(asked, report=False), report=_half(asked, report=True), budget=1_300)


def _qasper(qa: Path) -> AnswerSet:
    """Papers; what is known of the gold is the words of the answer. Section names stand on lines of their own."""
    papers: dict[str, str] = {}
    asked = []
    for line in (qa / "leval-qasper-scientific_qa.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        name = papers.setdefault(row["input"], f"paper-{len(papers) + 1}")
        asked += [
            (name, Asked(text=question, group=name, answer=answer))
            for question, answer in zip(row["instructions"], row["outputs"], strict=True)
        ]
    sources = tuple(Source(name=name, text=_with_headings(text), group=name) for text, name in papers.items())
    unique = {(about, one.text): (about, one) for about, one in asked}
    asked = list(unique.values())
    return AnswerSet(name="qasper", sources=sources, dev=_half(asked, report=False), report=_half(asked, report=True), budget=2_000)


def _with_headings(text: str) -> str:
    """Section names (short lines without a closing mark) as Markdown headings, for every system alike; paragraphs apart."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return "\n\n".join(f"## {line}" if len(line) <= 80 and line[-1] not in ".:;,?!" else line for line in lines)


def _quality(qa: Path) -> AnswerSet:
    """Stories; gold is the evidence of 60 questions, labelled by hand before anything was tuned: all of them are "report"."""
    rows = [json.loads(line) for line in (qa / "leval-quality.jsonl").read_text("utf-8").splitlines()]
    texts = [folded(row["input"]) for row in rows]
    sources = tuple(Source(name=f"story-{number}", text=text, group=f"story-{number}") for number, text in enumerate(texts))
    asked = []
    for label in json.loads(LABELS.read_text("utf-8")):
        number = label["story"]
        gold = tuple(span_of(sources[number].name, texts[number], quote["from"], quote["to"]) for quote in label["evidence"])
        if gold:  # what the story never says cannot be found in it
            stem = rows[number]["instructions"][label["question"]].split("\n")[0].strip()
            asked.append(Asked(text=stem, group=sources[number].name, gold=gold))
    return AnswerSet(name="quality", sources=sources, dev=(), report=tuple(asked), budget=2_000)


def _rust(qa: Path) -> AnswerSet:
    """Two books of equal structure: a heading, or how a section begins, in one language finds that section in the other."""
    books, questions = cross_language(qa.parent / "md")
    sources = tuple(Source(name=name, text=text, group=name, folder=qa.parent / "md" / name) for name, text in books.items())
    asked = tuple(Asked(text=text, group=gold.source, gold=(gold,)) for text, gold in questions)
    return AnswerSet(name="rust", sources=sources, dev=(), report=asked, hits=(1, 5))


SETS: Mapping[str, Callable[[Path], AnswerSet]] = {
    "cmrc": lambda qa: _cmrc(qa, titles=True),
    "cmrc-untitled": lambda qa: _cmrc(qa, titles=False),
    "policyqa": _policyqa,
    "policyqa-named": _policyqa_named,
    "chroma": _chroma,
    "qasper": _qasper,
    "quality": _quality,
    "rust": _rust,
}
