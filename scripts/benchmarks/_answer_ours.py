"""The product itself as a system of `scripts/bench answers`: documents go through the whole ingest, questions through the whole search."""

import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from _answer_sets import AnswerSet, Asked, Source
from _answer_systems import Passage
from _kept_vectors import KEPT, KeptVectors

from es_mappings.access import OWNER
from es_mappings.sections import document_id
from es_mappings.settings import read_settings
from ingest.opening import open_store
from ingest.pipeline import Order, Store, ingest
from ingest.sources import Source as File
from service.packing import pack
from service.results import Hit, SearchResult
from service.scope import Scope
from service.searching import Searcher, SearchRequest
from service.strategies import AUTO
from service.surroundings import StoredSurroundings

# The legs alone, and together as they are by default.
MODES: Mapping[str, Mapping[str, float]] = {
    "words": {"vector": 0.0},
    "vectors": {"lexical": 0.0, "exact": 0.0},
    "fused": {},
}
HITS = 24
COLLECTION = "bench"
PORT = 9377


class Ours:
    """One set ingested with one embedder and one chunk size."""

    def __init__(self, store: Store, tested: AnswerSet) -> None:
        self.store = store
        self._searcher = Searcher(index=store.index, access=store.access, embedder=store.embedder)
        self.documents = {group: document_id(COLLECTION, _file_name(group)) for group in _grouped(tested)}
        self._names = {(self.documents[_group(source)], _unit(source)): source.name for source in tested.sources}

    def found(self, asked: Asked, mode: str, size: int, strategy: str = AUTO) -> list[Passage]:
        """The first `size` hits."""
        return [self._passage(hit, hit.content) for hit in self._search(asked, mode, size, strategy).hits]

    def packed(self, asked: Asked, mode: str, budget: int, strategy: str = AUTO) -> list[Passage]:
        """The passages that an answer within the budget would be made from."""
        found = self._search(asked, mode, HITS, strategy)
        around = StoredSurroundings(self.store.index, Scope(access=None, collection=COLLECTION))
        packed = pack(found.hits, budget, around, found.intent.text)
        return [self._passage(passage.hit, passage.content) for passage in packed.passages]

    def _search(self, asked: Asked, mode: str, size: int, strategy: str) -> SearchResult:
        documents = (self.documents[asked.group],) if asked.group else ()
        request = SearchRequest(
            query=asked.text, collection=COLLECTION, documents=documents, size=size, weights=MODES[mode], strategy=strategy
        )
        return self._searcher.search(request, OWNER)

    def _passage(self, hit: Hit, text: str) -> Passage:
        """Units of one document are told apart by their heading."""
        name = self._names.get((hit.doc_id, hit.title)) or self._names.get((hit.doc_id, ""))
        return Passage(source=name or "", text=text)


@contextmanager
def open_ours(tested: AnswerSet, embedder: KeptVectors, kind: str, chunk_tokens: int, *, summaries: bool = False) -> Iterator[Ours]:
    """The set, ingested where it is not yet; what was ingested stays for the next run (in .cache, on a node of its own).

    `summaries`: with extracts as summaries of every section, in indices of their own.
    """
    prefix = f"answers-{tested.name}-{kind}-{chunk_tokens}{'-summaries' if summaries else ''}"
    settings = read_settings(
        home=KEPT / "home",
        node_port=PORT,
        node_heap_mb=1024,
        index_prefix=prefix,
        embedder=kind,
        chunk_tokens=chunk_tokens,
        summary_policy="at-once" if summaries else "by-hand",
    )
    with open_store(settings) as opened, tempfile.TemporaryDirectory() as folder:
        store = replace(opened, embedder=embedder)
        _fill(store, tested, Path(folder))
        store.index.refresh(store.index.nodes, store.index.documents)
        yield Ours(store, tested)


def _fill(store: Store, tested: AnswerSet, folder: Path) -> None:
    for group, sources in _grouped(tested).items():
        name = _file_name(group)
        path = sources[0].folder or folder / name
        if sources[0].folder is None:
            path.write_text(_markdown(sources), encoding="utf-8")
        row = ingest(Order(source=File(path=path, name=name), collection=COLLECTION, title=group), store)
        if row.status == "failed":
            raise SystemExit(f"{group}: {row.error}")


def _grouped(tested: AnswerSet) -> dict[str, list[Source]]:
    groups: dict[str, list[Source]] = {}
    for source in tested.sources:
        groups.setdefault(_group(source), []).append(source)
    return groups


def _group(source: Source) -> str:
    return source.group or source.name


def _unit(source: Source) -> str:
    """The heading of a unit inside a document of several; "" when the document is the unit."""
    return source.title if source.group and source.group != source.name and source.title else ""


def _markdown(sources: Sequence[Source]) -> str:
    if len(sources) == 1:
        return sources[0].text
    return "\n\n".join(f"## {source.title}\n\n{source.text}" for source in sources)


def _file_name(group: str) -> str:
    """A name that says nothing: a document without a title of its own is not to be found by its file."""
    return f"d{zlib.crc32(group.encode()):08x}.md"
