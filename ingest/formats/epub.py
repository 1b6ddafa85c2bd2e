"""EPUB books."""

from pathlib import Path

from ingest.blocks import Reading
from ingest.formats import ReadOptions, Sample

NAME = "epub"
SUFFIXES = (".epub",)


def recognises(sample: Sample) -> bool:
    """By the type that an EPUB states in its first member, or by its container file (EPUB OCF 3.3, section 4.2)."""
    return b"mimetypeapplication/epub+zip" in sample.head[:100] or "META-INF/container.xml" in sample.members


def read(path: Path, options: ReadOptions) -> Reading:
    """Read a book. Raises EmptyDocument, MalformedDocument, LimitExceeded, EncryptedDocument."""
    from ingest.epub.document import read_epub

    return read_epub(path, options)
