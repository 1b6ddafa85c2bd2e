"""Opening a PDF: what is encrypted, damaged, disguised or too long is refused with a reason."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pymupdf

from es_mappings.errors import DisguisedDocument, EncryptedDocument, LimitExceeded, MalformedDocument
from ingest.formats import ReadOptions

_PYMUPDF: Any = pymupdf  # half typed: a strict checker refuses most of its calls

_PYMUPDF.TOOLS.mupdf_display_errors(False)
_PYMUPDF.TOOLS.mupdf_display_warnings(False)


@contextmanager
def open_pdf(path: Path, options: ReadOptions) -> Iterator[Any]:
    """The open pymupdf document. Raises EncryptedDocument, MalformedDocument, DisguisedDocument, LimitExceeded."""
    try:
        document = _PYMUPDF.open(path)
    except (RuntimeError, ValueError, OSError) as error:
        raise MalformedDocument(f"{path.name} cannot be opened as a PDF: it is damaged; save or download it again") from error
    try:
        if document.needs_pass:
            raise EncryptedDocument(f"{path.name} is protected by a password: remove the protection and try again")
        if not document.is_pdf:
            # PyMuPDF opens whatever it recognises, whatever the name says.
            raise DisguisedDocument(f"{path.name} is not a PDF inside: give it its true suffix")
        if len(document) == 0:
            raise MalformedDocument(f"{path.name} has no pages: it is damaged; save or download it again")
        if len(document) > options.max_pages:
            raise LimitExceeded(f"{path.name} has {len(document):,} pages, more than {options.max_pages:,}: split it or raise the limit")
        yield document
    finally:
        document.close()


def properties(document: Any) -> dict[str, str]:
    """The file's own properties that are not empty (title, author, subject, keywords, creator, dates)."""
    metadata = document.metadata or {}
    names = ("title", "author", "subject", "keywords", "creator", "producer", "creationDate", "modDate")
    return {name: str(metadata[name]).strip() for name in names if str(metadata.get(name) or "").strip()}
