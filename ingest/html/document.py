"""One page as a reading: pieces become blocks, headings by tag where the page has them, by look where it has not."""

import re
from collections.abc import Collection, Sequence, Set
from dataclasses import replace
from statistics import median

from lxml.html import HtmlElement

from es_mappings.errors import EmptyDocument, LimitExceeded
from ingest.articles import with_articles
from ingest.blocks import Block, Reading, StructureSource
from ingest.html.boilerplate import Boilerplate, content_root
from ingest.html.inline import InlineReader, target_of, words_of
from ingest.html.parsing import parse_page
from ingest.html.styled import styled_headings
from ingest.html.styles import Sheet
from ingest.html.walk import Piece, Walk
from ingest.numbering import numbered

_PROPERTIES = {
    "author": "author",
    "description": "description",
    "date": "date",
    "dc.creator": "author",
    "dc.date": "date",
    "keywords": "keywords",
}
_FEWEST_TAGS = 2
# "report.htm", "acme-20231231": what filing programs write for want of a title.
_FILE_NAME = re.compile(r"[\w.-]+\.[a-z]{2,5}|[a-z]+[-_]\d{6,8}\w*")
_TITLE_PIECES = 40
# How Word and Google Docs name the paragraph of the title in pages that they save.
_TITLE_CLASSES = frozenset({"MsoTitle", "title", "Title"})


def read_html(data: bytes, name: str, without: Collection[StructureSource] = ()) -> Reading:
    """The reading of one page. Without "style" or "tag" its heading tags are ignored. Raises EmptyDocument, LimitExceeded."""
    page = parse_page(data, name)
    try:
        pieces = pieces_of(page.root)
    except RecursionError:
        raise LimitExceeded(f"{name} is nested too deeply to be read: flatten it or convert it to text") from None
    if not pieces:
        raise EmptyDocument(f"{name} shows no text: there is nothing to store")
    blocks = numbered(blocks_of(pieces, without))
    blocks = blocks if "numbering" in without else with_articles(blocks)
    properties = _properties(page.root)
    return Reading(title=_title(page.root, blocks, pieces), format="html", blocks=blocks, warnings=page.warnings, metadata=properties)


def pieces_of(root: HtmlElement, css: str = "", targets: Set[str] = frozenset()) -> list[Piece]:
    """What the page shows, in reading order; `css` are style sheets outside of it, `targets` ids that others point to."""
    content = content_root(root)
    sheet = Sheet("\n".join([css, *(style.text or "" for style in root.iter("style"))]))
    linked = {target.partition("#")[2] for link in root.iter("a") if "#" in (target := target_of(link))}
    walk = Walk(inline=InlineReader(sheet=sheet, boilerplate=Boilerplate(content), targets=linked | targets))
    walk.visit(content)
    walk.flush()
    return walk.pieces


def blocks_of(pieces: Sequence[Piece], without: Collection[StructureSource] = ()) -> tuple[Block, ...]:
    """The pieces as blocks with their headings."""
    tagged = [piece for piece in pieces if piece.level]
    if len(tagged) >= _FEWEST_TAGS and not {"style", "tag"} & set(without):
        return tuple(_block(piece, level) for piece, level in zip(pieces, _tag_levels(pieces), strict=True))
    plain = [replace(piece, kind="paragraph", level=0) if piece.level else piece for piece in pieces]
    return styled_headings(plain if {"style", "tag"} & set(without) else pieces, without)


def _tag_levels(pieces: Sequence[Piece]) -> list[int]:
    """The levels of the tags; where all headings are h1, the sectioning elements around them tell (HTML 5.1 outline)."""
    tagged = [piece for piece in pieces if piece.level]
    depths = {piece.sections for piece in tagged}
    if all(piece.level == 1 for piece in tagged) and len(depths) > 1:
        return [1 + piece.sections - min(depths) if piece.level else 0 for piece in pieces]
    return [piece.level for piece in pieces]


def _block(piece: Piece, level: int) -> Block:
    text = " ".join(piece.text.split()) if level else piece.text
    source: StructureSource = "tag" if level else "none"
    return Block(
        kind=piece.kind, text=text, level=level, source=source, header_rows=piece.header_rows, links=piece.links, anchors=piece.anchors
    )


def _title(root: HtmlElement, blocks: Sequence[Block], pieces: Sequence[Piece]) -> str:
    """The page's title; the one main heading where the title only adds the name of the site to it."""
    title = " ".join((root.findtext(".//title") or "").split())
    title = "" if _FILE_NAME.fullmatch(title) else title
    title = title or next((words_of(p) for p in root.iter("p") if _TITLE_CLASSES & set(p.get("class", "").split())), "")
    mains = [block.text for block in blocks if block.level == 1]
    if len(mains) == 1 and (not title or title.casefold().startswith(mains[0].casefold())):
        return mains[0]
    return title or _largest_line(pieces)


def _largest_line(pieces: Sequence[Piece]) -> str:
    """The line in the largest type near the top, when it is clearly larger than what follows."""
    top = [piece for piece in pieces[:_TITLE_PIECES] if piece.kind in ("paragraph", "heading") and len(piece.text) < 150]
    largest = max(top, key=lambda piece: piece.look.size, default=None)
    usual = median(piece.look.size for piece in pieces)
    return " ".join(largest.text.split()) if largest and largest.look.size >= usual * 1.3 else ""


def _properties(root: HtmlElement) -> dict[str, str]:
    found: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = _PROPERTIES.get((meta.get("name") or "").casefold())
        if name and meta.get("content"):
            found.setdefault(name, meta.get("content") or "")
    language = next((html.get("lang") for html in root.iter("html") if html.get("lang")), None)
    return found | ({"language": language} if language else {})
