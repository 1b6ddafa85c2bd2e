"""One reStructuredText as a reading. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from docutils import nodes

from es_mappings.errors import LimitExceeded
from ingest.articles import with_articles
from ingest.blocks import Block, Reading, StructureSource
from ingest.headings import headed_by_words, opening_title, unmarked
from ingest.numbering import numbered
from ingest.plaintext.document import read_plaintext
from ingest.rst.blocks import blocks_of
from ingest.rst.parsing import parse, split_header

# The time that docutils takes for one paragraph grows with the square of its marks.
_LONGEST_PARAGRAPH = 50_000


def read_rst(text: str, name: str, warnings: Sequence[str] = (), without: Collection[StructureSource] = ()) -> Reading:
    """The reading of one text. Raises LimitExceeded when it is nested beyond what docutils can follow."""
    if any(len(paragraph) > _LONGEST_PARAGRAPH for paragraph in text.split("\n\n")):
        told = f"{name} has a paragraph of more than {_LONGEST_PARAGRAPH:,} characters and was read as plain text"
        return replace(read_plaintext(text, warnings=(*warnings, told), without=without), format="rst")
    header, body = split_header(text)
    try:
        document = parse(body)
        blocks = numbered(blocks_of(document))
    except RecursionError:
        raise LimitExceeded(f"{name} is nested too deeply to be read: flatten it or convert it to text") from None
    properties = {key.casefold(): value for key, value in header.items()} or _fields(document)
    title = properties.pop("title", "") or opening_title(blocks)
    if "style" in without:
        blocks = unmarked(blocks)
    if not any(block.kind == "heading" for block in blocks):
        blocks = headed_by_words(blocks, without)
    blocks = blocks if "numbering" in without else with_articles(blocks)
    if header:
        lines = "\n".join(f"{key}: {value}" for key, value in header.items())
        blocks = (Block(kind="list", text=lines), *blocks)
    aliases = (f"PEP {properties['pep']}",) if properties.get("pep", "").isdigit() else ()
    return Reading(title=title, format="rst", blocks=blocks, warnings=tuple(warnings), metadata=properties, aliases=aliases)


def _fields(document: nodes.document) -> dict[str, str]:
    """The fields (":Author: ...") that open a text."""
    opening = [node for node in document.children if not isinstance(node, nodes.comment | nodes.target)]
    if opening and isinstance(opening[0], nodes.section):
        opening = [child for child in opening[0].children if not isinstance(child, nodes.title)]
    if not opening or not isinstance(opening[0], nodes.field_list):
        return {}
    return {field.children[0].astext().casefold(): " ".join(field.children[1].astext().split()) for field in opening[0].children}
