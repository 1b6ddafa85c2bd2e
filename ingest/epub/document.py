"""One EPUB as a reading."""

import posixpath
from dataclasses import replace
from pathlib import Path

from es_mappings.errors import EmptyDocument, LimitExceeded
from ingest.archives import Archive
from ingest.articles import with_articles
from ingest.blocks import Link, Reading
from ingest.epub.headings import blocks_of
from ingest.epub.navigation import Entry, read_navigation
from ingest.epub.package import Package, member_name, read_package
from ingest.formats import ReadOptions
from ingest.html.document import blocks_of as page_blocks
from ingest.html.document import pieces_of
from ingest.html.parsing import parse_xhtml
from ingest.html.walk import Piece
from ingest.numbering import numbered

_MOST_CSS = 500_000


def read_epub(path: Path, options: ReadOptions) -> Reading:
    """Read a book. Raises EmptyDocument, MalformedDocument, LimitExceeded, EncryptedDocument."""
    with Archive(path) as archive:
        package = read_package(archive, path.name)
        entries = read_navigation(archive, package, path.name)
        css = "\n".join(archive.read(sheet).decode(errors="replace") for sheet in package.sheets if sheet in archive)[:_MOST_CSS]
        targets = _targets(entries)
        pieces: list[Piece] = []
        for member in package.spine:
            if member in archive:
                pieces += _page(archive, member, path.name, css, targets.get(member, frozenset()))
                _bound(pieces, path.name, options)
    if not pieces:
        raise EmptyDocument(f"{path.name} shows no text: it may be a book of pictures")
    # Without its own evidence a book is read like one long page.
    own = entries if not {"style", "tag"} & options.ignored else ()
    blocks = blocks_of(pieces, own) if own else page_blocks(pieces, options.ignored)
    return Reading(title=package.title, format="epub", blocks=with_articles(numbered(blocks)), metadata=_properties(package))


def _page(archive: Archive, member: str, name: str, css: str, targets: frozenset[str]) -> list[Piece]:
    """The pieces of one page with anchors and links named from the top of the book."""
    try:
        pieces = pieces_of(parse_xhtml(archive.read(member), name).root, css=css, targets=targets)
    except EmptyDocument:
        return []
    except RecursionError:
        raise LimitExceeded(f"{name} is nested too deeply to be read: convert it to another format") from None
    folder = posixpath.dirname(member)
    placed = []
    for index, piece in enumerate(pieces):
        anchors = tuple(f"{member}#{anchor}" for anchor in piece.anchors)
        links = tuple(Link(text=link.text, target=_target(link.target, folder, member)) for link in piece.links)
        placed.append(replace(piece, anchors=(member, *anchors) if index == 0 else anchors, links=links))
    return placed


def _target(target: str, folder: str, member: str) -> str:
    if "://" in target:
        return target
    file, mark, anchor = target.partition("#")
    return f"{member_name(folder, file) if file else member}{mark}{anchor}"


def _targets(entries: tuple[Entry, ...]) -> dict[str, frozenset[str]]:
    """The ids in each page that the navigation points to."""
    members = {entry.member for entry in entries}
    return {member: frozenset(entry.anchor for entry in entries if entry.member == member) for member in members}


def _bound(pieces: list[Piece], name: str, options: ReadOptions) -> None:
    if len(pieces) > options.max_blocks:
        raise LimitExceeded(f"{name} has more than {options.max_blocks:,} blocks: split it")


def _properties(package: Package) -> dict[str, str]:
    return dict(package.properties)
