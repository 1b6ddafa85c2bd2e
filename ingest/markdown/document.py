"""One Markdown text as a reading: its title, its properties, its blocks. Pure."""

import re
from collections.abc import Collection, Sequence

from ingest.articles import with_articles
from ingest.blocks import Reading, StructureSource
from ingest.headings import headed_by_words, opening_title, unmarked
from ingest.markdown.blocks import blocks_of
from ingest.markdown.parsing import parse
from ingest.numbering import numbered

# "##标题" and "#　标题": no headings by CommonMark, which wants an ASCII blank, but in many texts there are no others.
_TIGHT = re.compile(r"##{0,5}(?:　|(?=[^\s#!]))")
_TIGHT_LINE = re.compile(r"^(#{1,6})(?:　|(?=[^\s#!]))", re.MULTILINE)
_FEWEST_TIGHT = 2


def read_markdown(text: str, warnings: Sequence[str] = (), without: Collection[StructureSource] = ()) -> Reading:
    """The reading of one text. Without "style" the heading marks are ignored; without headings, words and numbers may tell them."""
    parsed = parse(text)
    blocks = numbered(blocks_of(parsed.tokens))
    if not any(block.kind == "heading" for block in blocks) and sum(bool(_TIGHT.match(block.text)) for block in blocks) >= _FEWEST_TIGHT:
        blocks = numbered(blocks_of(parse(_TIGHT_LINE.sub(r"\1 ", text)).tokens))
    properties = dict(parsed.properties)
    title = properties.pop("title", "") or opening_title(blocks)
    if "style" in without:
        blocks = unmarked(blocks)
    if not any(block.kind == "heading" for block in blocks):
        blocks = headed_by_words(blocks, without)
    blocks = blocks if "numbering" in without else with_articles(blocks)
    return Reading(title=title, format="markdown", blocks=blocks, warnings=tuple(warnings), metadata=properties)
