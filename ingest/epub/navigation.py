"""The tree of headings that an EPUB gives itself: the navigation document of EPUB 3, or the NCX of EPUB 2."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from ingest.archives import Archive
from ingest.epub.package import Package, local_name, member_name, xml
from ingest.html.inline import tag_of, words_of
from ingest.html.parsing import parse_xhtml

_DEEPEST = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the navigation: `level` from 1, `member` and `anchor` say where it points ("" anchor: the top of the file)."""

    label: str
    level: int
    member: str
    anchor: str


def read_navigation(archive: Archive, package: Package, name: str) -> tuple[Entry, ...]:
    """The entries in the order of the book. Raises MalformedDocument."""
    if package.navigation and package.navigation in archive:
        entries = tuple(_from_page(archive, package.navigation, name))
        if entries:
            return entries
    if package.ncx and package.ncx in archive:
        root = xml(archive, package.ncx, name)
        folder = posixpath.dirname(package.ncx)
        points = next((element for element in root.iter(etree.Element) if local_name(element) == "navMap"), None)
        return tuple(_from_ncx(points, folder, 1)) if points is not None else ()
    return ()


def _from_page(archive: Archive, member: str, name: str) -> Iterator[Entry]:
    root = parse_xhtml(archive.read(member), name).root
    navs = list(root.iter("nav"))
    chosen = next((nav for nav in navs if "toc" in nav.get("{http://www.idpf.org/2007/ops}type", nav.get("epub:type") or "")), None)
    if chosen is None and navs:
        chosen = navs[0]
    if chosen is None:
        return
    folder = posixpath.dirname(member)
    for item in chosen.iter("li"):
        label = next((child for child in item if tag_of(child) in ("a", "span")), None)
        depth = sum(ancestor.tag == "li" for ancestor in item.iterancestors()) + 1
        words = words_of(label) if label is not None else ""
        if label is not None and words and depth <= _DEEPEST:
            target = label.get("href") or ""
            place = member_name(folder, target) if target else ""
            yield Entry(label=words, level=depth, member=place, anchor=target.partition("#")[2])


def _from_ncx(points: etree._Element, folder: str, level: int) -> Iterator[Entry]:
    for point in points:
        if not isinstance(point.tag, str) or local_name(point) != "navPoint" or level > _DEEPEST:
            continue
        label = " ".join("".join(str(text) for child in point if local_name(child) == "navLabel" for text in child.itertext()).split())
        target = next((child.get("src", "") for child in point if local_name(child) == "content"), "")
        if label and target:
            yield Entry(label=label, level=level, member=member_name(folder, target), anchor=target.partition("#")[2])
        yield from _from_ncx(point, folder, level + 1)
