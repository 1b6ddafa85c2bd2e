"""The folder is the registry: every module here is a reader, chosen by content first and by suffix second.

A reader module defines
    NAME: str                                  the format's name in records and messages
    SUFFIXES: tuple[str, ...]                  lower case, with the dot
    recognises(sample: Sample) -> bool         the content itself says that it is this format (magic bytes, zip members ...)
    read(path: Path, options: ReadOptions) -> Reading
and may define
    PLAIN: bool = False                        True for formats without a signature of their own (text, Markdown, RST)
    TEXTUAL: bool = False                      True when the content is text that a plain format may quote (HTML)
Readers raise the UnreadableDocument family and nothing else on bad input.
"""

import importlib
import pkgutil
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, Protocol, cast

from es_mappings.errors import DisguisedDocument, EmptyDocument, LimitExceeded, MalformedDocument, MissingDocument, UnsupportedFormat
from ingest.blocks import Reading, StructureSource

HEAD_BYTES = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What a reader may look at to recognise its format: the suffix, the first bytes, the names inside a zip or folder."""

    path: Path
    suffix: str
    head: bytes = b""
    members: frozenset[str] = frozenset()
    is_broken_archive: bool = False
    is_folder: bool = False


SlowStage = Literal["recognising", "looking", "leveling"]
"""Work that takes seconds a step: recognising scanned pages, showing pages to a layout model, asking a language model."""

Announce = Callable[[SlowStage, int, int], None]
"""Called with (stage, steps done, steps in all), first with 0 done."""


def unannounced(stage: SlowStage, done: int, total: int) -> None:
    """Progress that nobody listens to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How to read. `without` names evidence to ignore (structure sources in the plural or singular: bookmarks, styles ...).

    `evidence` names further evidence to ask, comma-separated (`ingest.pdf.evidence`). A reader announces slow stages; each page of
    one may take `page_seconds` of wall and of processor time on top of the usual limits, all together `longest_seconds`.
    `ocr_languages` are Tesseract's names joined by "+".
    """

    without: frozenset[str] = frozenset()
    max_pages: int = 5_000
    max_blocks: int = 200_000
    max_text: int = 20_000_000
    evidence: str = ""
    page_seconds: float = 20
    longest_seconds: float = 7_200
    ocr_languages: str = "eng+chi_sim"
    announce: Announce = unannounced

    def slow_seconds(self, pages: int) -> float:
        """What so many pages of a slow stage may take."""
        return min(self.longest_seconds, pages * self.page_seconds)

    @property
    def ignored(self) -> frozenset[StructureSource]:
        """`without` in the singular, as blocks name their evidence."""
        return frozenset(cast(StructureSource, name.removesuffix("s")) for name in self.without)


class Reader(Protocol):
    """The contract of a module in this folder (see above)."""

    NAME: str
    SUFFIXES: tuple[str, ...]

    def recognises(self, sample: Sample) -> bool: ...

    def read(self, path: Path, options: ReadOptions) -> Reading: ...


@cache
def readers() -> tuple[Reader, ...]:
    """Every reader in this folder, in the order of its name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(cast(Reader, importlib.import_module(f"{__name__}.{name}")) for name in names)


def take_sample(path: Path, max_bytes: int) -> Sample:
    """Look at a file or folder. Raises MissingDocument, EmptyDocument, LimitExceeded."""
    if path.is_dir():
        return Sample(path=path, suffix="", is_folder=True, members=frozenset(p.name for p in path.iterdir()))
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError as error:
        raise MissingDocument(f"{path.name} cannot be opened ({error.strerror}): check the path and its permissions") from None
    if size <= HEAD_BYTES and not head.strip(b"\0 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise EmptyDocument(f"{path.name} is empty: there is nothing to store")
    if size > max_bytes:
        raise LimitExceeded(f"{path.name} has {size:,} bytes, more than {max_bytes:,}: split it or raise SECTIONARY_FILE_MAX_BYTES")
    members: frozenset[str] = frozenset()
    if head.startswith(b"PK"):
        try:
            with zipfile.ZipFile(path) as archive:
                members = frozenset(archive.namelist())
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
            return Sample(path=path, suffix=path.suffix.lower(), head=head, is_broken_archive=True)
    return Sample(path=path, suffix=path.suffix.lower(), head=head, members=members)


def choose_reader(sample: Sample) -> Reader:
    """The reader for this sample. Raises DisguisedDocument when name and content disagree, UnsupportedFormat when none fits."""
    by_content = next((reader for reader in readers() if reader.recognises(sample)), None)
    by_suffix = next((reader for reader in readers() if sample.suffix in reader.SUFFIXES), None)
    name = sample.path.name
    if by_suffix is None:
        if by_content is not None:
            return by_content
        known = ", ".join(sorted({suffix for reader in readers() for suffix in reader.SUFFIXES}))
        raise UnsupportedFormat(f"{name}: no reader knows this kind of file; these are read: {known}")
    if by_content is by_suffix or (by_content is None and getattr(by_suffix, "PLAIN", False)):
        return by_suffix
    if by_content is not None and getattr(by_suffix, "PLAIN", False) and getattr(by_content, "TEXTUAL", False):
        return by_suffix
    if by_content is None and sample.is_broken_archive:
        raise MalformedDocument(f"{name} is damaged: its archive cannot be opened; save it again from its program, or fetch it again")
    if by_content is None:
        raise DisguisedDocument(
            f"{name} is named {sample.suffix} but does not begin like one: it is damaged or another kind of file; "
            "save it again from its program, or give it its true suffix"
        )
    raise DisguisedDocument(
        f"{name} is named {sample.suffix} but its content is {by_content.NAME}: rename it to {by_content.SUFFIXES[0]} and try again"
    )
