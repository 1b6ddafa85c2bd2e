"""One Markdown text as a reading: its title, its properties, its blocks. Pure."""

from collections.abc import Collection, Sequence

from ingest.articles import with_articles
from ingest.blocks import Reading, StructureSource
from ingest.headings import headed_by_words, opening_title, unmarked
from ingest.markdown.blocks import blocks_of
from ingest.markdown.parsing import parse
from ingest.numbering import numbered


def read_markdown(text: str, warnings: Sequence[str] = (), without: Collection[StructureSource] = ()) -> Reading:
    """The reading of one text. Without "style" the heading marks are ignored; without headings, words and numbers may tell them."""
    parsed = parse(text)
    blocks = numbered(blocks_of(parsed.tokens))
    properties = dict(parsed.properties)
    title = properties.pop("title", "") or opening_title(blocks)
    if "style" in without:
        blocks = unmarked(blocks)
    if not any(block.kind == "heading" for block in blocks):
        blocks = headed_by_words(blocks, without)
    blocks = blocks if "numbering" in without else with_articles(blocks)
    return Reading(title=title, format="markdown", blocks=blocks, warnings=tuple(warnings), metadata=properties)
