"""A folder with a SUMMARY.md as one document: its chapters are files, their place in the list is their level."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from posixpath import normpath

from es_mappings.errors import LimitExceeded, MalformedDocument, UnreadableDocument
from ingest.articles import with_articles
from ingest.blocks import Block, Link, Reading
from ingest.decoding import decode
from ingest.formats import ReadOptions
from ingest.markdown.blocks import blocks_of
from ingest.markdown.includes import Includes, inside
from ingest.markdown.parsing import parse
from ingest.markdown.summary import Entry, parse_summary
from ingest.numbering import numbered, printed_number

SUMMARY = "SUMMARY.md"
BOOK = "book.toml"
_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_FEWEST_FILES = 2
_PAGE = re.compile(r"\.html?$")


def summary_of(folder: Path) -> Path | None:
    """The SUMMARY.md that makes `folder` one book: in the folder, in its `src`, or where its book.toml says; else None.

    A "summary.md" in small letters may be any text, and counts only when it lists two files that are there.
    """
    source = properties_of(folder).get("src", "src")
    candidates = (folder / SUMMARY, folder / source / SUMMARY, folder / "src" / SUMMARY)
    found = next((path for path in candidates if inside(folder, path)), None)
    small = inside(folder, folder / SUMMARY.lower()) if found is None else None
    return small if small is not None and _lists_files(small) else found


def _lists_files(place: Path) -> bool:
    try:
        entries = parse_summary(decode(place.read_bytes(), SUMMARY).text, of_mdbook=False).entries
    except (OSError, UnreadableDocument):
        return False
    return sum(bool(entry.file) and (place.parent / entry.file).is_file() for entry in entries) >= _FEWEST_FILES


def properties_of(folder: Path) -> dict[str, str]:
    """The plain values of `[book]` in book.toml; {} when there is none or it is broken."""
    path = inside(folder, folder / BOOK)
    try:
        book = tomllib.loads(path.read_text(encoding="utf-8"))["book"] if path else {}
        authors = book.get("authors", [])
        values = {key: value for key, value in book.items() if isinstance(value, str)}
        return values | ({"authors": ", ".join(map(str, authors))} if authors else {})
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return {}


def read_book(folder: Path, options: ReadOptions) -> Reading:
    """Read all chapters in the order of the list. Raises MalformedDocument, LimitExceeded."""
    place = summary_of(folder)
    if place is None:
        raise MalformedDocument(f"{folder.name} has no SUMMARY.md that can be read: give single files, or a folder that is a book")
    of_mdbook = place.parent != folder or (folder / BOOK).exists()
    summary = parse_summary(decode(place.read_bytes(), SUMMARY).text, of_mdbook=of_mdbook)
    book = _Book(root=folder, source=place.parent, includes=Includes(root=folder, max_text=options.max_text), max_text=options.max_text)
    for entry in summary.entries:
        book.add(entry)
    properties = properties_of(folder)
    title = properties.pop("title", "") or summary.title
    properties.pop("src", None)
    blocks = with_articles(numbered(book.blocks))
    return Reading(title=title, format="mdbook", blocks=blocks, warnings=tuple(book.all_warnings()), metadata=properties)


@dataclass(slots=True, kw_only=True)
class _Book:
    root: Path
    source: Path
    includes: Includes
    max_text: int
    blocks: list[Block] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    characters: int = 0

    def add(self, entry: Entry) -> None:
        """Append a part or a chapter with all of its file."""
        name = normpath(entry.file.partition("#")[0]) if entry.file else ""
        if name and name in self.read:
            return  # GitBook lists sections of a file as "file.md#section": they come with their file
        self.read.add(name)
        path = inside(self.root, self.source / name) if name else None
        if name and path is None:
            self.warnings.append(f"the chapter file {name} is missing or lies outside the folder")
        anchors = (name,) if name else ()
        heading = Block(
            kind="heading", text=entry.title, level=entry.level, number=_number(entry, entry.title), source="style", anchors=anchors
        )
        self.blocks += self._chapter(entry, name, path, heading) if path else [heading]

    def all_warnings(self) -> list[str]:
        """Sentences about what was left out."""
        warnings = list(self.warnings)
        if self.includes.missing:
            warnings.append(f"{self.includes.missing:,} included files are missing or lie outside the folder")
        listed = {inside(self.root, self.source / name) for name in self.read if name}
        files = [path for path in self.source.rglob("*.md") if path.name != SUMMARY and inside(self.root, path) not in listed]
        if files:
            warnings.append(f"{len(files):,} Markdown files are not listed in SUMMARY.md and were left out")
        return warnings

    def _chapter(self, entry: Entry, name: str, path: Path, heading: Block) -> list[Block]:
        data = path.read_bytes()
        if not data.strip():
            return [heading]
        text = self.includes.expand(decode(data, path.name).text, path.parent)
        self.characters += len(text)
        if self.characters > self.max_text:
            raise LimitExceeded(f"{self.root.name} has more than {self.max_text:,} characters: split the book")
        blocks = [self._placed(block, name) for block in blocks_of(parse(text).tokens)]
        if blocks and blocks[0].kind == "heading":
            own = blocks[0]
            number = _number(entry, own.text)
            heading = replace(own, level=entry.level, number=number, anchors=(*heading.anchors, *own.anchors))
            return [heading, *below(blocks[1:], entry.level, own.level)]
        own_place = next((i for i, block in enumerate(blocks) if block.kind == "heading"), None)
        if own_place is not None and blocks[own_place].text.casefold() == entry.title.casefold():
            # A note stands above the file's own title, which is that of the list.
            own = blocks.pop(own_place)
            heading = replace(heading, anchors=(*heading.anchors, *own.anchors))
            return [heading, *below(blocks, entry.level, own.level)]
        return [heading, *below(blocks, entry.level, None)]

    def _placed(self, block: Block, name: str) -> Block:
        if not block.links and not block.anchors:
            return block
        links = tuple(Link(text=link.text, target=self._target(link.target, name)) for link in block.links)
        return replace(block, links=links, anchors=tuple(f"{name}#{anchor}" for anchor in block.anchors))

    def _target(self, target: str, name: str) -> str:
        """A link as "file.md#anchor" from the book's root; links that leave the book stay as they are."""
        if _ADDRESS.match(target):
            return target
        file, mark, anchor = target.partition("#")
        place = normpath(PurePosixPath(name).parent / file) if file else name
        if file and not place.endswith(".md"):
            page = _PAGE.sub(".md", place)
            candidates = (page, normpath(PurePosixPath(page).parent / "README.md"), f"{place}/README.md")
            place = next((candidate for candidate in candidates if inside(self.root, self.source / candidate)), "")
        return f"{place}{mark}{anchor}" if place and not place.startswith("..") else target


def below(blocks: Sequence[Block], level: int, own: int | None) -> list[Block]:
    """The blocks of a file with every heading below its chapter's `level`, steps between them kept.

    `own` is the level that the file's title has in the file: many books begin each file with "##", and some write later
    headings on the title's own level.
    """
    given = [block.level for block in blocks if block.kind == "heading"]
    if not given:
        return list(blocks)
    base = min(given) - 1 if own is None else min(own, min(given) - 1)
    return [replace(block, level=block.level - base + level) if block.kind == "heading" else block for block in blocks]


def _number(entry: Entry, title: str) -> str | None:
    """The number printed in the heading, else the one that the list gives it."""
    printed = printed_number(title)
    return printed.number if printed and printed.certain else entry.number
