"""One document, written in every textual format, comes back the same: headings, levels, text."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from epub_books import ncx, write_epub
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from read_documents import read

from ingest.cleaning import clean_reading
from ingest.outline import repaired_levels
from ingest.plaintext.layout import width


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A heading and what stands under it."""

    level: int
    title: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...]


VOCABULARY = "stone river cloud lamp quiet green 山川 河流 明月 été naïve Überfluss mountain window harbour"
WORDS = st.sampled_from(VOCABULARY.split(" "))
TITLES = st.lists(WORDS, min_size=1, max_size=4).map(lambda words: " ".join(words).capitalize())
SENTENCES = st.lists(WORDS, min_size=12, max_size=30).map(lambda words: " ".join(words).capitalize() + ".")
PARTS = st.builds(
    Part,
    level=st.integers(1, 4),
    title=TITLES,
    paragraphs=st.lists(SENTENCES, min_size=1, max_size=3).map(tuple),
    items=st.lists(TITLES, min_size=2, max_size=3).map(tuple) | st.just(()),
)


@st.composite
def documents(draw: st.DrawFn) -> tuple[Part, ...]:
    """Two to seven parts with different titles, levels without gaps."""
    parts = draw(st.lists(PARTS, min_size=2, max_size=7, unique_by=lambda part: part.title.casefold()))
    levels = repaired_levels([part.level for part in parts])
    return tuple(Part(level=level, title=p.title, paragraphs=p.paragraphs, items=p.items) for level, p in zip(levels, parts, strict=True))


def as_markdown(parts: Sequence[Part]) -> str:
    def one(part: Part) -> str:
        items = "".join(f"- {item}\n" for item in part.items)
        return f"{'#' * part.level} {part.title}\n\n" + "".join(f"{text}\n\n" for text in part.paragraphs) + f"{items}\n"

    return "".join(one(part) for part in parts)


def as_html(parts: Sequence[Part]) -> str:
    def one(part: Part) -> str:
        items = "<ul>" + "".join(f"<li>{item}</li>" for item in part.items) + "</ul>" if part.items else ""
        return f"<h{part.level}>{part.title}</h{part.level}>" + "".join(f"<p>{text}</p>" for text in part.paragraphs) + items

    return f"<html><body>{''.join(one(part) for part in parts)}</body></html>"


def as_rst(parts: Sequence[Part]) -> str:
    def one(part: Part) -> str:
        items = "".join(f"- {item}\n" for item in part.items)
        line = "=-~^"[part.level - 1] * width(part.title)
        return f"{part.title}\n{line}\n\n" + "".join(f"{text}\n\n" for text in part.paragraphs) + f"{items}\n"

    return "".join(one(part) for part in parts)


def outcome(path: Path) -> list[tuple[int, str]]:
    """(level, text) of every block, levels repaired as the outline does; lists with the marker that Markdown gave them."""
    blocks = clean_reading(read(path)).blocks
    levels = iter(repaired_levels([block.level for block in blocks if block.level]))
    return [(next(levels) if block.level else 0, block.text) for block in blocks]


def expected(parts: Sequence[Part]) -> list[tuple[int, str]]:
    rows: list[tuple[int, str]] = []
    for part in parts:
        rows += [(part.level, part.title), *((0, text) for text in part.paragraphs)]
        rows += [(0, "\n".join(f"- {item}" for item in part.items))] if part.items else []
    return rows


WRITERS: dict[str, Callable[[Sequence[Part]], str]] = {"a.md": as_markdown, "a.html": as_html, "a.rst": as_rst, "a.txt": as_rst}


@pytest.mark.parametrize("name", sorted(WRITERS))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(parts=documents())
def test_a_document_comes_back_the_same_from_every_format(name: str, parts: tuple[Part, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(WRITERS[name](parts), encoding="utf-8")
        assert outcome(path) == expected(parts)


@settings(max_examples=15, deadline=None)
@given(parts=documents())
def test_a_document_comes_back_the_same_from_a_book(parts: tuple[Part, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        pages = {f"{n}.xhtml": as_html([part]).removeprefix("<html><body>").removesuffix("</body></html>") for n, part in enumerate(parts)}
        tops = [(part.title, f"{n}.xhtml") for n, part in enumerate(parts) if part.level == 1]
        path = write_epub(Path(folder) / "a.epub", pages, toc=ncx(tops))
        assert outcome(path) == expected(parts)


@settings(max_examples=15, deadline=None)
@given(parts=documents())
def test_a_document_comes_back_the_same_from_a_folder_of_chapters(parts: tuple[Part, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        chapters = [number for number, part in enumerate(parts) if part.level == 1]
        lines = []
        for start, end in zip(chapters, [*chapters[1:], len(parts)], strict=True):
            (Path(folder) / f"{start}.md").write_text(as_markdown(parts[start:end]), encoding="utf-8")
            lines.append(f"- [{parts[start].title}]({start}.md)\n")
        (Path(folder) / "SUMMARY.md").write_text("".join(lines), encoding="utf-8")
        assert outcome(Path(folder)) == expected(parts)
