"""Which documents the given paths stand for, by which names, and the hash that tells whether one has changed."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from es_mappings.errors import EmptyDocument, MissingDocument
from ingest.formats import readers

BOOK_FILE = "SUMMARY.md"
SIDECAR_ENDINGS = (".outline.json", ".headings.txt", ".access.json")
_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One document to read: a file, or a folder that is one book.

    `name` is the source name that makes the document's id: the path relative to the folder given, or the file's own name.
    `origin` is the folder that was given ("" for a single file).
    """

    path: Path
    name: str
    origin: str = ""


def find_sources(path: Path) -> tuple[Source, ...]:
    """The documents of one path: itself when it is a file or a book, else every file of a known format below it, sorted.

    Hidden files and folders and sidecars are passed over. Raises MissingDocument when there is no such path, EmptyDocument
    when a folder holds nothing that can be read.
    """
    if not path.exists():
        raise MissingDocument(f"{path} does not exist: check the spelling and the folder")
    if path.is_file() or is_book(path):
        return (Source(path=path, name=path.resolve().name),)
    suffixes = frozenset(suffix for reader in readers() for suffix in reader.SUFFIXES)
    origin = str(path.resolve())
    found = tuple(Source(path=item, name=item.relative_to(path).as_posix(), origin=origin) for item in _walk(path, suffixes))
    if not found:
        raise EmptyDocument(f"{path} holds no file of a known format ({', '.join(sorted(suffixes))})")
    return found


def is_book(folder: Path) -> bool:
    """Whether a folder is one document: an mdBook or GitBook with a SUMMARY.md in it or in its `src`."""
    return folder.is_dir() and ((folder / BOOK_FILE).is_file() or (folder / "src" / BOOK_FILE).is_file())


def _walk(folder: Path, suffixes: frozenset[str]) -> Iterator[Path]:
    for item in sorted(folder.iterdir()):
        if item.name.startswith(".") or item.is_symlink():
            continue
        if item.is_dir():
            if is_book(item):
                yield item
            else:
                yield from _walk(item, suffixes)
        elif item.suffix.lower() in suffixes and not item.name.endswith(SIDECAR_ENDINGS):
            yield item


def content_hash(path: Path) -> str:
    """SHA-256 (hex) of what is read: the file and its sidecars, or every file of a book with its name.

    Raises MissingDocument when a file cannot be opened.
    """
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    digest = hashlib.sha256()
    for file in [*files, *_sidecars(path)]:
        name = file.relative_to(path).as_posix() if file.is_relative_to(path) else file.name[len(path.name) :]
        digest.update(f"{len(name)}:{name}:".encode("utf-8", "surrogatepass"))
        digest.update(_file_digest(file))
    return digest.hexdigest()


def _sidecars(path: Path) -> Sequence[Path]:
    return [sidecar for ending in SIDECAR_ENDINGS if (sidecar := path.with_name(path.name + ending)).is_file()]


def _file_digest(file: Path) -> bytes:
    digest = hashlib.sha256()
    try:
        with file.open("rb") as stream:
            while block := stream.read(_READ_BYTES):
                digest.update(block)
    except OSError as error:
        raise MissingDocument(f"{file.name} cannot be opened ({error.strerror}): check its permissions") from None
    return digest.digest()
