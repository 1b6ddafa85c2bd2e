"""Plain text files in any encoding."""

from pathlib import Path

from ingest.blocks import Reading
from ingest.formats import ReadOptions, Sample

NAME = "text"
SUFFIXES = (".txt", ".text", ".log")
PLAIN = True


def recognises(sample: Sample) -> bool:
    """Only for a file without a suffix whose first bytes hold no zero byte: nothing else tells plain text."""
    return bool(
        not sample.suffix and sample.head and b"\0" not in sample.head and not sample.head.startswith((b"# ", b"%PDF", b"PK", b"<"))
    )


def read(path: Path, options: ReadOptions) -> Reading:
    """Read one file. Raises EmptyDocument, MalformedDocument."""
    from ingest.decoding import decode
    from ingest.plaintext.document import read_plaintext

    decoded = decode(path.read_bytes(), path.name)
    return read_plaintext(decoded.text, warnings=decoded.warnings, without=options.ignored)
