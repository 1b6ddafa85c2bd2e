"""EPUB files made by the tests."""

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'


def page(body: str) -> str:
    return f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{body}</body></html>'


def nav(items: str) -> str:
    return page(f'<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol>{items}</ol></nav>')


def ncx(points: Sequence[tuple[str, str]]) -> str:
    rows = "".join(f'<navPoint><navLabel><text>{label}</text></navLabel><content src="{target}"/></navPoint>' for label, target in points)
    return f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{rows}</navMap></ncx>'


def write_epub(
    path: Path, pages: Mapping[str, str], navigation: str = "", toc: str = "", extra: Mapping[str, str | bytes] | None = None
) -> Path:
    """An EPUB of these pages in this order, with an EPUB 3 navigation page or an EPUB 2 toc."""
    items = "".join(f'<item id="p{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(pages))
    items += '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>' if navigation else ""
    items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>' if toc else ""
    spine = "".join(f'<itemref idref="p{n}"/>' for n in range(len(pages)))
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Book</dc:title>'
        f'<dc:creator>Me</dc:creator></metadata><manifest>{items}</manifest><spine toc="ncx">{spine}</spine></package>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr("META-INF/container.xml", CONTAINER)
        archive.writestr("OPS/book.opf", opf)
        for name, text in pages.items():
            archive.writestr(f"OPS/{name}", page(text))
        for name, content in {"OPS/nav.xhtml": navigation, "OPS/toc.ncx": toc, **(extra or {})}.items():
            if content:
                archive.writestr(name, content)
    return path
