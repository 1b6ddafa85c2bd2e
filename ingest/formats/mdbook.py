"""Folders with a SUMMARY.md (mdBook, GitBook): one document, its chapters are files."""

from pathlib import Path

from ingest.blocks import Reading
from ingest.formats import ReadOptions, Sample

NAME = "mdbook"
SUFFIXES: tuple[str, ...] = ()


def recognises(sample: Sample) -> bool:
    """Whether the folder holds a SUMMARY.md of its own or under its source folder."""
    if not sample.is_folder:
        return False
    from ingest.markdown.book import summary_of

    return summary_of(sample.path) is not None


def read(path: Path, options: ReadOptions) -> Reading:
    """Read the whole book. Raises MalformedDocument, LimitExceeded."""
    from ingest.markdown.book import read_book

    return read_book(path, options)
