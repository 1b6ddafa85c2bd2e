"""One Markdown text as a reading: its title, its properties, its blocks. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from ingest.blocks import Block, Reading
from ingest.markdown.blocks import blocks_of
from ingest.markdown.parsing import parse
from ingest.numbering import numbered


def read_markdown(text: str, warnings: Sequence[str] = (), without: Collection[str] = ()) -> Reading:
    """The reading of one text. Without "styles" the heading marks count as plain paragraphs."""
    parsed = parse(text)
    blocks = numbered(blocks_of(parsed.tokens))
    properties = dict(parsed.properties)
    title = properties.pop("title", "") or opening_title(blocks)
    if "styles" in without or "style" in without:
        blocks = unmarked(blocks)
    return Reading(title=title, format="markdown", blocks=blocks, warnings=tuple(warnings), metadata=properties)


def opening_title(blocks: Sequence[Block]) -> str:
    """The first block when it is a heading and the only one of the top level, else ""."""
    if not blocks or blocks[0].kind != "heading":
        return ""
    top = min(block.level for block in blocks if block.kind == "heading")
    alone = sum(block.kind == "heading" and block.level == top for block in blocks) == 1
    return blocks[0].text if alone and blocks[0].level == top else ""


def unmarked(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The headings as paragraphs, so that only their words can tell what they are."""
    return tuple(
        replace(block, kind="paragraph", level=0, number=None, source="none") if block.kind == "heading" else block for block in blocks
    )
