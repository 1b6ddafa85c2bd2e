"""The links of a PDF and the words that they cover."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import pymupdf

from ingest.blocks import Link
from ingest.pdf.units import Unit
from ingest.pdf.values import Line

_MUPDF: Any = pymupdf.mupdf  # half typed: a strict checker refuses most of its calls
_MAX_LINKS = 20_000
_WORD = re.compile(r"\S+")
_URL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")


class PageLink(NamedTuple):
    """A box on a page, in points, and where it leads ("page:12" or a URL)."""

    x0: float
    y0: float
    x1: float
    y1: float
    target: str


def read_links(document: Any) -> dict[int, list[PageLink]]:
    """The links of a pymupdf document by 1-based page; damaged ones are left out."""
    found: dict[int, list[PageLink]] = defaultdict(list)
    targets: dict[str, str] = {}
    count = 0
    for page in document:
        try:
            # PyMuPDF's own get_links makes an object a link, which costs a tenth of the time that a paper takes as a whole.
            link = _MUPDF.fz_load_links(page.this)
            while link.m_internal and count < _MAX_LINKS:
                uri, box = link.uri(), link.rect()
                if uri not in targets:
                    targets[uri] = _target(document, uri)
                if targets[uri]:
                    found[page.number + 1].append(PageLink(box.x0, box.y0, box.x1, box.y1, targets[uri]))
                    count += 1
                link = link.next()
        except (_MUPDF.FzErrorBase, RuntimeError, ValueError, TypeError, KeyError, AttributeError):
            continue
    return found


def _target(document: Any, uri: str) -> str:
    """Where MuPDF's form of a link leads: a URL as written, a place in this document as its page, "" for other files and nowhere."""
    if not uri.startswith("#"):
        return uri if _URL.match(uri) and not uri.startswith("file:") else ""
    page = document.resolve_link(uri)[0]
    return f"page:{page + 1}" if isinstance(page, int) and page >= 0 else ""


def unit_links(units: Sequence[Unit], links: Mapping[int, Sequence[PageLink]]) -> dict[int, tuple[Link, ...]]:
    """The links of each unit, in order, with the words they cover; a link over two lines is one."""
    found: dict[int, list[Link]] = defaultdict(list)
    for unit in units:
        for line in unit.lines:
            for link in links.get(line.page, ()):
                if link.y0 <= (line.y0 + line.y1) / 2 <= link.y1 and link.x0 < line.x1 and link.x1 > line.x0:
                    words = " ".join(_words(line, link))
                    if words:
                        _add(found[unit.index], Link(text=words, target=link.target))
    return {index: tuple(rows) for index, rows in found.items()}


def _add(rows: list[Link], link: Link) -> None:
    if rows and rows[-1].target == link.target:
        rows[-1] = Link(text=f"{rows[-1].text} {link.text}", target=link.target)
    else:
        rows.append(link)


def _words(line: Line, link: PageLink) -> Iterator[str]:
    """The words whose middle lies in the link's box; where a word stands in its run is judged by usual widths of letters."""
    for run in line.runs:
        text = run.text.rstrip()
        edges = list(accumulate(map(_width, text), initial=0.0))
        scale = (run.x1 - run.x0) / max(0.1, edges[-1])
        for match in _WORD.finditer(text):
            middle = run.x0 + scale * (edges[match.start()] + edges[match.end()]) / 2
            if link.x0 <= middle <= link.x1:
                yield match[0].rstrip(".,;") if match.end() == len(text) else match[0]


def _width(character: str) -> float:
    if character in " iIjlt.,:;'|!()[]fr":
        return 0.55
    return 1.6 if character in "mwMW@%" or character >= "\u2e80" else 1.0
