"""Questions that name a place, over ten books in one index: `./scripts/bench places` (drawn with a seed).

Each names a labelled section of a book ("chapter 3 only: ...", "第三章...") in one of the ways that people write it, half of them with
the book's title. Missed: that section is not among those that were read from the question. Outside: a hit that lies in no section of
that label (of that book, where it is named). Vectors mean nothing here, because places do not depend on them.
"""

import random
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from _kept_tables import keep
from _measuring import arguments, machine, markdown

from es_mappings.access import OWNER
from es_mappings.label_numbers import split_label
from es_mappings.settings import read_settings
from ingest.embedding import Vectors
from ingest.opening import open_store
from ingest.pipeline import Order, Store, ingest
from ingest.sources import Source
from service.searching import Searcher, SearchRequest

BOOKS = (
    "md/rust-book-en",
    "md/rust-book-zh",
    "docx/doj-ch13-handbook-872p.docx",
    "docx/zh-seu-thesis-template.docx",
    "pdf/en-ALCE-2col-23p.pdf",
    "pdf/zh-lnotes2-227p.pdf",
    "pdf/de-geotopo-117p.pdf",
    "html/pride-and-prejudice_1342.htm",
    "html/example-10k.html",
    "txt/pep-0484.rst",
)
QUESTIONS = 400
HITS = 20
DIMS = 8
_DIGITS = "零一二三四五六七八九"
_CHINESE = {"chapter": "第{}章", "section": "第{}节", "part": "第{}部分", "appendix": "附录{}"}
ENGLISH_WAYS = (
    "{place} only: what does it say about {topic}?",
    "What does {place}{book} say about {topic}?",
    "In {place}{book}, how is {topic} treated?",
    "according to {place}{book}, what about {topic}",
    "see {place}{book} - what is said there on {topic}?",
    "{topic}, only in {place}{book} please",
)
CHINESE_WAYS = (
    "{book}{place}中关于{topic}是怎么说的？",
    "只看{book}{place}：{topic}",
    "根据{book}{place}，{topic}是什么？",
    "{book}{place}对{topic}有什么要求",
    "请问{book}{place}里{topic}怎么样",
    "在{book}{place}里，{topic}讲了多少？",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A labelled section with text below it."""

    doc_id: str
    title: str
    key: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with the place that it names."""

    text: str
    place: Place
    names_book: bool
    language: str


class Meaningless:
    """Vectors that say nothing."""

    name, dims, max_tokens = "meaningless", DIMS, None

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), DIMS), np.float32) / np.float32(DIMS**0.5)

    def embed_query(self, text: str) -> Vectors:
        row: Vectors = self.embed_passages([text])[0]
        return row


def main() -> None:
    """Ask, count, print and keep the table."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    options = parser.parse_args()
    settings = read_settings(index_prefix=f"bench-{uuid.uuid4().hex[:8]}", summary_policy="by-hand", embedder="use")
    with open_store(settings) as opened:
        store = replace(opened, embedder=Meaningless())
        try:
            store.index.drop()
            store.index.create(model=Meaningless.name, dims=DIMS)
            _fill(store, options.data)
            rows = _measured(store, options.questions)
        finally:
            store.index.drop()
    text = markdown(["questions", "asked", "label missed", "hits", "hits inside", "no hit"], rows)
    print(text)
    keep("places", f"{machine()}\n\n{text}")


def _fill(store: Store, data: Path) -> None:
    for name in BOOKS:
        row = ingest(Order(source=Source(path=data / name, name=name)), store)
        print(f"{name}: {row.status}, {row.sections} sections", flush=True)


def _measured(store: Store, count: int) -> list[list[object]]:
    searcher = Searcher(index=store.index, access=store.access, embedder=store.embedder)
    places = list(_places(store))
    keys: dict[str, list[str]] = {}
    for hit in store.index.scan(store.index.nodes, {"term": {"kind": "section"}}, ["section_key", "own_labels"]):
        for label in hit["_source"].get("own_labels", ()):
            keys.setdefault(label, []).append(hit["_source"]["section_key"])
    rows: list[list[object]] = []
    asked = list(_questions(places, count))
    for language in ("English", "Chinese"):
        for names_book in (True, False):
            mine = [one for one in asked if (one.language, one.names_book) == (language, names_book)]
            missed = hits = inside = empty = 0
            for one in mine:
                result = searcher.search(SearchRequest(query=one.text, size=HITS), OWNER)
                wrong = one.place.key not in {section.section_key for section in result.intent.sections}
                allowed = [one.place.key] if names_book else keys[one.place.label]
                outside = [hit for hit in result.hits if not any(_within(hit.section_key, key) for key in allowed)]
                if wrong or outside:
                    print(f"{'missed' if wrong else 'outside'}: {one.text} ({one.place.title}, {one.place.label})")
                missed, empty = missed + wrong, empty + (not result.hits)
                hits, inside = hits + len(result.hits), inside + len(result.hits) - len(outside)
            name = f"{language}, {'book named' if names_book else 'any of the ten books'}"
            rows.append([name, len(mine), missed, hits, f"{inside / hits:.3f}" if hits else "-", empty])
    return rows


def _places(store: Store) -> Iterator[Place]:
    """Sections whose first own label is spoken (a chapter, section, part or appendix) and unique in its book."""
    titles = {hit["_id"]: hit["_source"]["title"] for hit in store.index.scan(store.index.documents, {"match_all": {}}, ["title"])}
    with_text = {hit["_source"]["section_key"] for hit in store.index.scan(store.index.nodes, {"term": {"kind": "chunk"}}, ["section_key"])}
    fields = ["doc_id", "section_key", "own_labels"]
    found = [hit["_source"] for hit in store.index.scan(store.index.nodes, {"term": {"kind": "section"}}, fields)]
    for source in sorted(found, key=lambda one: one["section_key"]):
        label = next((label for label in source.get("own_labels", ()) if split_label(label)[0] in _CHINESE), None)
        same = [one for one in found if one["doc_id"] == source["doc_id"] and label in one.get("own_labels", ())]
        if label and len(same) == 1 and any(_within(key, source["section_key"]) for key in with_text):
            yield Place(doc_id=source["doc_id"], title=titles[source["doc_id"]], key=source["section_key"], label=label)


def _questions(places: Sequence[Place], count: int) -> Iterator[Asked]:
    drawn = random.Random(1)
    by_book: dict[str, list[Place]] = {}
    for place in places:
        by_book.setdefault(place.doc_id, []).append(place)
    books = sorted(by_book)
    for number in range(count):
        place = drawn.choice(by_book[books[number // 4 % len(books)]])
        kind, value = split_label(place.label)
        names_book = number % 2 == 0
        if number // 2 % 2:
            said = _CHINESE[kind].format(_in_chinese(value) if drawn.random() < 0.5 else value.upper())
            book = f"《{place.title}》" if names_book else ""
            text = drawn.choice(CHINESE_WAYS).format(place=said, book=book, topic=drawn.choice(("规则", "例子", "数据", "定义")))
            yield Asked(text=text, place=place, names_book=names_book, language="Chinese")
        else:
            said = f"{kind} {value.upper()}" if drawn.random() < 0.5 else f"{kind.capitalize()} {value.upper()}"
            book = f' of "{place.title}"' if names_book else ""
            ways = [way for way in ENGLISH_WAYS if "{book}" in way] if names_book else ENGLISH_WAYS
            topic = drawn.choice(("the rules", "the examples", "the data", "the definition"))
            yield Asked(
                text=drawn.choice(ways).format(place=said, book=book, topic=topic), place=place, names_book=names_book, language="English"
            )


def _in_chinese(value: str) -> str:
    """1 to 99 as a Chinese numeral; other numbers as they are."""
    if not value.isdigit() or not 0 < int(value) < 100:
        return value.upper()
    tens, ones = divmod(int(value), 10)
    return f"{'' if tens < 2 else _DIGITS[tens]}{'十' if tens else ''}{_DIGITS[ones] if ones else ''}"


def _within(key: str, branch: str) -> bool:
    return key == branch or key.startswith(f"{branch}/")


if __name__ == "__main__":
    main()
