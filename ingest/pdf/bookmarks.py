"""Embedded bookmarks, checked against what the pages print. Pure but for reading the outline."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ingest.pdf.matching import Found, TitleFinder, bare
from ingest.pdf.units import Unit

_MAX_BOOKMARKS = 20_000
_MAX_DEPTH = 30
_TRUSTED = 0.75  # share of confirmed bookmarks from which the others are kept as unconfirmed
_LYING = 0.34  # share of confirmed bookmarks below which the outline belongs to another text


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """One entry of the outline: `page` is 1-based, `y` in points from the top or None."""

    level: int
    title: str
    page: int
    y: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """A bookmark and where the page prints it; `found` is None for one that nothing contradicts but nothing shows."""

    bookmark: Bookmark
    found: Found | None


def read_bookmarks(document: Any) -> tuple[Bookmark, ...]:
    """The outline of a pymupdf document; entries that point nowhere are left out. A damaged outline gives ()."""
    try:
        rows = document.get_toc(simple=False)
    except (RuntimeError, ValueError, KeyError, IndexError, TypeError, AttributeError):
        return ()
    bookmarks = []
    for row in rows[:_MAX_BOOKMARKS]:
        level, title, page = row[0], " ".join(str(row[1]).split()), row[2]
        target = row[3].get("to") if len(row) > 3 and isinstance(row[3], dict) else None
        if title and isinstance(page, int) and 1 <= page <= len(document):
            y = float(target.y) if target is not None and target.y > 0 else None
            bookmarks.append(Bookmark(level=min(int(level), _MAX_DEPTH), title=title, page=page, y=y))
    return tuple(_without_idle_places(bookmarks))


def _without_idle_places(bookmarks: Sequence[Bookmark]) -> Iterator[Bookmark]:
    """A place that several bookmarks of a page share is that of the page: where its titles stand they do not say."""
    shared = Counter((bookmark.page, bookmark.y) for bookmark in bookmarks)
    for bookmark in bookmarks:
        yield replace(bookmark, y=None) if shared[bookmark.page, bookmark.y] > 1 else bookmark


def check_bookmarks(
    bookmarks: Sequence[Bookmark], finder: TitleFinder, units: Sequence[Unit], unreadable_pages: set[int]
) -> tuple[tuple[Confirmed, ...], tuple[str, ...]]:
    """The bookmarks that the text confirms (or cannot refute), in reading order, and warnings about the others."""
    taken: set[int] = set()
    rows: list[Confirmed] = []
    for bookmark in bookmarks:
        found = _find(bookmark, finder, taken)
        if found is not None:
            taken.update(range(found.start, found.end))
        rows.append(Confirmed(bookmark=bookmark, found=found))
    checkable = [row for row in rows if row.bookmark.page not in unreadable_pages or row.found is not None]
    confirmed = [row for row in checkable if row.found is not None]
    share = len(confirmed) / len(checkable) if checkable else 1.0
    if checkable and share < _LYING:
        return (), (
            f"the bookmarks do not match the text ({len(confirmed)} of {len(checkable)} titles are on their pages) and were ignored",
        )
    if share >= _TRUSTED:
        kept = [row for row in rows if row.found is not None or _may_be_drawn(row.bookmark)]
    else:
        kept = [row for row in rows if row.found is not None or row.bookmark.page in unreadable_pages]
    dropped = len(rows) - len(kept)
    warnings = (f"{dropped} of {len(rows)} bookmarks have titles that are not on their pages and were ignored",) if dropped else ()
    return tuple(sorted(kept, key=lambda row: _place(row, units))), warnings


def _find(bookmark: Bookmark, finder: TitleFinder, taken: set[int]) -> Found | None:
    page = bookmark.page
    near = finder.on_pages(bookmark.title, (page,), taken, bookmark.y)
    if near is not None and near.agreement >= 0.8:
        return near
    around = finder.on_pages(bookmark.title, (page + 1, page - 1), taken)
    if around is not None and (near is None or around.agreement > near.agreement):
        return around
    return near or finder.anywhere(bookmark.title, taken)


def _may_be_drawn(bookmark: Bookmark) -> bool:
    """Nothing on the page is the title, but the page exists and the title is one: it may be drawn as a picture."""
    return len(bare(bookmark.title)) > 1


def _place(row: Confirmed, units: Sequence[Unit]) -> tuple[int, float]:
    if row.found is not None:
        unit = units[row.found.start]
        return unit.page, float(unit.index)
    return row.bookmark.page, -1.0
