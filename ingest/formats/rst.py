"""reStructuredText files."""

from pathlib import Path

from ingest.blocks import Reading
from ingest.formats import ReadOptions, Sample

NAME = "rst"
SUFFIXES = (".rst", ".rest")
PLAIN = True


def recognises(sample: Sample) -> bool:
    """Only for a file without a suffix that opens with an overlined title or a directive: else its name tells it."""
    return not sample.suffix and sample.head.startswith((b"====", b".. "))


def read(path: Path, options: ReadOptions) -> Reading:
    """Read one file; files that it wants to include are left out. Raises EmptyDocument, MalformedDocument, LimitExceeded."""
    from ingest.decoding import decode
    from ingest.rst.document import read_rst

    decoded = decode(path.read_bytes(), path.name)
    return read_rst(decoded.text, path.name, warnings=decoded.warnings, without=options.ignored)
