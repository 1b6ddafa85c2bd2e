"""HTML pages."""

import re
from pathlib import Path

from ingest.blocks import Reading
from ingest.formats import ReadOptions, Sample

NAME = "html"
SUFFIXES = (".html", ".htm", ".xhtml")
TEXTUAL = True
_OPENING = re.compile(rb"(?:<\?xml[^>]*>|<!--.*?-->|\s)*(?:<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])", re.IGNORECASE | re.DOTALL)


def recognises(sample: Sample) -> bool:
    """Whether the first tag is one of a page."""
    return bool(_OPENING.match(sample.head.removeprefix(b"\xef\xbb\xbf")))


def read(path: Path, options: ReadOptions) -> Reading:
    """Read one page. Raises EmptyDocument, MalformedDocument, LimitExceeded."""
    from ingest.html.document import read_html

    return read_html(path.read_bytes(), path.name, options.ignored)
