"""PDF: bookmarks checked against the text, printed contents, numbering and type find the headings; `ingest.pdf` alone imports `pymupdf`."""

from pathlib import Path

from ingest.blocks import Reading
from ingest.formats import ReadOptions, Sample

NAME = "pdf"
SUFFIXES = (".pdf",)


def recognises(sample: Sample) -> bool:
    """The header may stand anywhere in the first 1,024 bytes (PDF 1.7, annex H, note 13)."""
    return b"%PDF-" in sample.head[:1024]


def read(path: Path, options: ReadOptions) -> Reading:
    """Read a PDF. Raises EncryptedDocument, MalformedDocument, LimitExceeded, NeedsOcr."""
    from ingest.pdf.reading import read_pdf

    return read_pdf(path, options)
