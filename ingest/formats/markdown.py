"""Markdown files."""

from pathlib import Path

from ingest.blocks import Reading
from ingest.formats import ReadOptions, Sample

NAME = "markdown"
SUFFIXES = (".md", ".markdown", ".mdown", ".mkd")
PLAIN = True


def recognises(sample: Sample) -> bool:
    """Only for a file without a suffix that opens with a heading: Markdown is plain text, else its name tells it."""
    return not sample.suffix and sample.head.startswith(b"# ")


def read(path: Path, options: ReadOptions) -> Reading:
    """Read one file. Raises EmptyDocument, MalformedDocument."""
    from ingest.decoding import decode
    from ingest.markdown.document import read_markdown

    decoded = decode(path.read_bytes(), path.name)
    return read_markdown(decoded.text, warnings=decoded.warnings, without=options.ignored)
