"""Whether summaries change how passages rank: the same questions searched before and after the summaries of their documents are made."""

import json
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from es_mappings.access import OWNER
from es_mappings.sections import document_id
from es_mappings.settings import read_settings
from ingest.opening import open_store, workshop_of
from ingest.pipeline import Order, Store, ingest
from ingest.sources import Source
from ingest.summaries.documents import DocumentSummaries
from service.searching import Searcher, SearchRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A question, the document that it is limited to ("": all), and the numbers of the sections that answer it."""

    text: str
    document: str
    gold: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Set:
    """Documents as (name, texts of their sections), and questions; `headings` tells a section's heading."""

    documents: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    asked: tuple[_Asked, ...]


def ranking(data: Path) -> list[list[object]]:
    """Rows: set, questions, summaries made, hit@1 without and with them, the move, questions whose first hit changed."""
    rows: list[list[object]] = []
    for name, load in SETS.items():
        measured = load(data / "qa")
        with _shelf(measured) as store:
            searcher = Searcher(index=store.index, access=store.access, embedder=store.embedder)
            before = [_first(searcher, asked) for asked in measured.asked]
            made = _summarise(store)
            after = [_first(searcher, asked) for asked in measured.asked]
        right = [sum(found in asked.gold for found, asked in zip(firsts, measured.asked, strict=True)) for firsts in (before, after)]
        total = len(measured.asked)
        changed = sum(one != other for one, other in zip(before, after, strict=True))
        rows.append(
            [name, total, made, f"{right[0] / total:.4f}", f"{right[1] / total:.4f}", f"{(right[1] - right[0]) / total:+.4f}", changed]
        )
    return rows


@contextmanager
def _shelf(measured: _Set) -> Iterator[Store]:
    """The documents in indices of their own, without summaries."""
    settings = read_settings(index_prefix=f"bench-{uuid.uuid4().hex[:8]}", summary_policy="by-hand", llm_base_url="")
    with tempfile.TemporaryDirectory() as folder, open_store(settings) as store:
        try:
            for name, sections in measured.documents:
                path = Path(folder) / f"{name}.md"
                path.write_text("\n\n".join(f"# {heading}\n\n{_flat(text)}" for heading, text in sections), "utf-8")
                row = ingest(Order(source=Source(path=path, name=name)), store)
                assert row.sections == len(sections), f"{name}: {row.error} {row.sections}"
            yield store
        finally:
            store.index.drop()


def _summarise(store: Store) -> int:
    """Make the summaries of every document; returns how many nodes have one."""
    makers = DocumentSummaries(workshop_of(store))
    for hit in list(store.index.scan(store.index.documents, {"match_all": {}}, ["doc_id"])):
        makers.make(str(hit["_id"]))
    kinds = {"bool": {"filter": [{"terms": {"kind": ["section", "document", "cluster"]}}, {"range": {"token_count": {"gt": 0}}}]}}
    return sum(1 for _ in store.index.scan(store.index.nodes, kinds, ["kind"]))


def _first(searcher: Searcher, asked: _Asked) -> int:
    """The number of the section of the first hit, 0 for none."""
    documents = (document_id("default", asked.document),) if asked.document else ()
    hits = searcher.search(SearchRequest(query=asked.text, documents=documents, size=1), OWNER).hits
    return int(hits[0].section_key.split("/")[1]) if hits else 0


def _flat(text: str) -> str:
    """One line, so that nothing in it is taken for a heading."""
    return f"\u200b{' '.join(text.split())}"


def _cmrc(qa: Path) -> _Set:
    """Every paragraph of CMRC 2018 dev (Cui et al. 2019) is a section of one document; its title is the heading."""
    sections: list[tuple[str, str]] = []
    asked: list[_Asked] = []
    for entry in json.loads((qa / "cmrc2018_dev.squad.json").read_text("utf-8"))["data"]:
        for paragraph in entry["paragraphs"]:
            sections.append((entry["title"] or "无题", paragraph["context"]))
            asked += [_Asked(text=question["question"], document="", gold=frozenset({len(sections)})) for question in paragraph["qas"]]
    return _Set(documents=(("cmrc", tuple(sections)),), asked=tuple(asked))


def _policyqa(qa: Path) -> _Set:
    """Each privacy policy of PolicyQA dev (Ahmad et al. 2020) is a document, searched alone; each of its segments is a section."""
    documents: list[tuple[str, tuple[tuple[str, str], ...]]] = []
    asked: list[_Asked] = []
    for policy in json.loads((qa / "policyqa-dev.json").read_text("utf-8"))["data"]:
        sections: Sequence[tuple[str, str]] = [(f"Segment {i}", p["context"]) for i, p in enumerate(policy["paragraphs"], 1)]
        documents.append((policy["title"], tuple(sections)))
        answering: dict[str, set[int]] = {}
        for number, paragraph in enumerate(policy["paragraphs"], 1):
            for question in paragraph["qas"]:
                answering.setdefault(question["question"], set()).add(number)
        asked += [
            _Asked(text=question["question"], document=policy["title"], gold=frozenset(answering[question["question"]]))
            for paragraph in policy["paragraphs"]
            for question in paragraph["qas"]
        ]
    return _Set(documents=tuple(documents), asked=tuple(asked))


SETS: dict[str, Callable[[Path], _Set]] = {"CMRC 2018 dev, all questions": _cmrc, "PolicyQA dev, all questions": _policyqa}
