"""Raw HTML blocks in Markdown that are more than a tag around text: tables, headings, lists. Pure."""

import re

from es_mappings.errors import UnreadableDocument
from ingest.blocks import Block

_STRUCTURED = re.compile(r"<(?:table|h[1-6]|ul|ol|dl|pre|blockquote|details|figure|div|p)\b", re.IGNORECASE)
_VOID = re.compile(r"<(?:p|div)\b[^>]*>\s*$", re.IGNORECASE)


def fragment_blocks(markup: str) -> list[Block] | None:
    """The blocks of a piece of HTML; None when it has no structure, so that its words are enough."""
    if not _STRUCTURED.search(markup) or _VOID.fullmatch(markup.strip()):
        return None
    from ingest.html.document import pieces_of
    from ingest.html.parsing import parse_text

    try:
        pieces = pieces_of(parse_text(markup, "the HTML block"))
    except (UnreadableDocument, RecursionError):
        return None
    return [
        Block(
            kind=piece.kind,
            text=" ".join(piece.text.split()) if piece.level else piece.text,
            level=piece.level,
            source="tag" if piece.level else "none",
            header_rows=piece.header_rows,
            links=piece.links,
            anchors=piece.anchors,
        )
        for piece in pieces
    ]
