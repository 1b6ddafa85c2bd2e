"""A shelf of small books written here, ingested into a test's own index, with the searcher over it."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from es_mappings.access import OWNER, Reader, rule_for
from es_mappings.settings import Settings, read_settings
from ingest.opening import open_store
from ingest.pipeline import Order, Row, Store, ingest
from ingest.sources import Source
from service.results import SearchResult
from service.searching import Searcher, SearchRequest

HANDBOOK = """# Kiln Handbook

## 1 Safety

Wear gloves and goggles at the kiln. Nobody works alone after six in the evening.

### 1.1 Fire

The extinguisher hangs beside the door. Section 3.2 says how to cool the kiln in an emergency.

## 2 Loading

Stack the shelves from the bottom. Leave two fingers of space around each pot.

## 3 Firing

The first firing goes to 900 degrees. The glaze firing goes to 1240 degrees.

### 3.1 Warming up

Heat by 60 degrees an hour until the water has left the clay.

### 3.2 Cooling

Keep the kiln closed until it is below 120 degrees. Opening it earlier cracks the pots.

## 4 Empty so far

## Appendix A Suppliers

Clay comes from Meridian Earth in Stoke. Error code KX-4471 means a broken thermocouple.
"""

CHINESE = """# 茶园手册

## 第一章 采摘

春茶在清明前采摘。每天早上六点开始，十点以前结束。

## 第二章 炒制

锅温保持在二百二十度。炒制时间不超过八分钟，参见第三章。

## 第三章 储存

茶叶装入锡罐，放在阴凉干燥的地方。湿度不得高于百分之五十。
"""

NUMBERS = "# Counting Book\n\n" + "\n".join(
    f"## {n} Topic number {n}\n\nThe unit here is called quantum-{n}. It is used for measuring.\n" for n in range(1, 35)
)


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """An open store with its searcher."""

    store: Store
    searcher: Searcher
    folder: Path

    def put(self, name: str, text: str, *, groups: tuple[str, ...] = (), collection: str = "default") -> Row:
        """Ingest a text under a file name."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        order = Order(source=Source(path=path, name=name), collection=collection, access=rule_for(groups) if groups else None)
        row = ingest(order, self.store, lambda *_: None)
        assert row.error is None, row.error
        return row

    def search(self, query: str, reader: Reader = OWNER, **options: object) -> SearchResult:
        """Search as the owner or a reader."""
        return self.searcher.search(SearchRequest(query=query, **options), reader)  # type: ignore[arg-type]


@contextmanager
def open_shelf(settings: Settings, folder: Path) -> Iterator[Shelf]:
    """A shelf in the test's index with the built-in embedder; empty."""
    with open_store(settings) as store:
        yield Shelf(store=store, searcher=Searcher(index=store.index, access=store.access, embedder=store.embedder), folder=folder)


@contextmanager
def filled_shelf(node_url: str, folder: Path) -> Iterator[Shelf]:
    """The handbook and the tea book in an index of their own, for the tests of a whole module that change nothing."""
    settings = read_settings(es_url=node_url, index_prefix=f"test-{uuid.uuid4().hex[:12]}", home=folder / "home")
    with open_shelf(settings, folder) as shelf:
        try:
            shelf.put("handbook.md", HANDBOOK)
            shelf.put("tea.md", CHINESE)
            shelf.put("numbers.md", NUMBERS)
            yield shelf
        finally:
            shelf.store.index.drop()
