"""HTML pages."""

import re
from pathlib import Path

from ingest.blocks import Reading
from ingest.formats import ReadOptions, Sample

NAME = "html"
SUFFIXES = (".html", ".htm", ".xhtml")
TEXTUAL = True
_TAGS = rb"!doctype\s+html|html|head|body|title|meta|div|p|h[1-6]|table|ul|ol|dl|article|section|main|span|center|font|header|nav|pre|link"
_OPENING = re.compile(rb"(?:<\?xml[^>]*>|<!--(?:(?!-->).)*-->|\s)*<(?:" + _TAGS + rb")[\s>/]", re.IGNORECASE | re.DOTALL)
_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def recognises(sample: Sample) -> bool:
    """Whether the first tag is one of a page; under an HTML suffix any text with a tag in it is one."""
    wide = _WIDE.get(sample.head[:2])
    head = sample.head[2:].decode(wide, "replace").encode() if wide else sample.head.removeprefix(b"\xef\xbb\xbf")
    if _OPENING.match(head):
        return True
    return sample.suffix in SUFFIXES and b"<" in head and b"\0" not in head and not head.startswith((b"%PDF", b"PK", b"{\\rtf"))


def read(path: Path, options: ReadOptions) -> Reading:
    """Read one page. Raises EmptyDocument, MalformedDocument, LimitExceeded."""
    from ingest.html.document import read_html

    return read_html(path.read_bytes(), path.name, options.ignored)
