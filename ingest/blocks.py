"""What every reader yields: blocks in reading order, headings among them with the evidence that found them. Pure values."""

from dataclasses import dataclass, field
from typing import Literal

BlockKind = Literal["heading", "paragraph", "list", "table", "code", "quote", "caption", "footnote"]

StructureSource = Literal[
    "manual",  # a person's correction
    "style",  # Word heading style, Markdown or RST heading
    "outline_level",  # Word outline level without a heading style
    "bookmark",  # PDF bookmark that the page text confirms
    "tag",  # HTML h1-h6, ARIA heading, EPUB navigation
    "numbering",  # a family of typed or computed numbers
    "font",  # size, weight, spacing, position
    "keyword",  # 摘要, Abstract, References ...
    "layout_model",
    "llm",
    "none",  # no structure was found
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link inside a block: the words it covers and where it points.

    `target` is `#anchor` (same document), `file.md#anchor` or a URL as written, or `page:12` (1-based page of this PDF).
    """

    text: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A line of a block of which the rules are not sure whether it is a heading.

    `line` counts the block's lines from 0, `probability` in 0..1 is the rules' that it is a heading, `size` is its type size in sizes of
    the body text, `look` says in single words how else it is set off ("bold", "centred", "spaced" ...).
    """

    line: int = 0
    probability: float
    size: float = 1.0
    look: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One piece of a document in reading order.

    Shapes: `text` never is empty after stripping. A heading has `level` >= 1 (as the format gives it; the outline repairs
    gaps), everything else level 0. `number` is the heading's number as printed or as Word computes it ("3.2", "第三章",
    "IV", "Appendix A"), without trailing punctuation; a number typed in the heading stays in `text` too, an automatic one is
    only here. `page` and `page_end` are 1-based, None where the format has no pages. `confidence` is in 0..1. A table is
    Markdown rows ("| a | b |"), of which the first `header_rows` (0 when none; the separator row counts) repeat in each
    piece. A list keeps its markers and indentation, one item a line. `detached` marks text whose place in the outline is a
    guess (text boxes, floats, notes). `doubts` are there only when somebody is going to be asked about them (`ingest.leveling`).
    """

    kind: BlockKind
    text: str
    level: int = 0
    number: str | None = None
    page: int | None = None
    page_end: int | None = None
    source: StructureSource = "none"
    confidence: float = 1.0
    header_rows: int = 0
    detached: bool = False
    links: tuple[Link, ...] = ()
    anchors: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reader made of one document.

    `title` is the document's own title ("" when it has none; the caller then takes the file name). `pages` is the page
    count or None. `warnings` are sentences for a person. `metadata` holds short properties of the file (author, date ...).
    `aliases` are other names by which texts refer to the document.
    """

    title: str
    format: str
    blocks: tuple[Block, ...]
    pages: int | None = None
    warnings: tuple[str, ...] = ()
    metadata: dict[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
