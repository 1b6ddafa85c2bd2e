"""Where the links of a document lead inside it: anchors, files of a book, pages. Pure."""

from collections import Counter
from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote

from es_mappings.labels import document_label
from es_mappings.titles import normalise_title
from ingest.blocks import Link
from ingest.outline import Outline

_DOCUMENT_SUFFIXES = frozenset({".md", ".markdown", ".html", ".htm", ".docx", ".pdf", ".epub", ".rst", ".txt"})

# Files that are called after nothing: their folder has the name.
_NAMELESS = frozenset({"", ".", "..", "index", "_index", "readme", "default", "home", "summary"})


class Anchors:
    """The sections of an outline by anchor and by page."""

    def __init__(self, outline: Outline) -> None:
        self._sections: dict[str, int] = {}
        for index, section in enumerate(outline.sections):
            blocks = ([section.heading] if section.heading else []) + list(section.blocks)
            for block in blocks:
                for anchor in block.anchors:
                    self._sections.setdefault(anchor.removeprefix("#"), index)
        on_page = Counter(section.page for section in outline.sections[1:] if section.page is not None)
        self._pages: Mapping[int, int] = {
            section.page: index for index, section in enumerate(outline.sections) if index and section.page and on_page[section.page] == 1
        }

    def section_of(self, link: Link) -> int | None:
        """The index of the section that a link leads to; None for other documents, unknown anchors and pages with several headings."""
        kind, _, page = link.target.partition(":")
        if kind == "page" and page.isdigit():
            return self._pages.get(int(page))
        target = unquote(link.target).removeprefix("./")
        file, _, anchor = target.partition("#")
        # An anchor that has gone leaves its file, as a browser does.
        for candidate in (target if file else anchor, file or anchor.lower()):
            if candidate in self._sections:
                return self._sections[candidate]
        return None


def linked_document(link: Link) -> str | None:
    """The document label of a link to another file ("../ops/manual.md#x" gives "doc:manual"); None for addresses and other targets."""
    file = unquote(link.target).partition("#")[0]
    path = PurePosixPath(file)
    if ":" in file or file.startswith("//") or path.suffix.lower() not in _DOCUMENT_SUFFIXES:
        return None
    names = [path.stem, *(parent.name for parent in path.parents)]
    title = normalise_title(next((name for name in names if name.lower() not in _NAMELESS), ""))
    return document_label(title) if title else None
