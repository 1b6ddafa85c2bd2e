"""The sample texts as values: a title and blocks, read from the plain Markdown that texts/ is written in."""

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

_NUMBER = re.compile(r"^(?:(?P<word>Chapter|Appendix) \w+|第\w+章|附录\w|\d+(?:\.\d+)*)\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading of level 1 or 2; `number` is what stands before its title, as written ("Chapter 3", "3.1", "附录A")."""

    level: int
    number: str
    title: str

    @property
    def is_appendix(self) -> bool:
        return self.number.startswith(("Appendix", "附录"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedList:
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of cells; the first row holds the column names."""

    rows: tuple[tuple[str, ...], ...]


Block = Heading | Paragraph | NumberedList | Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    title: str
    blocks: tuple[Block, ...]


def parse(text: str) -> Sample:
    """The sample that a text describes."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    title, blocks = "", []
    position = 0
    while position < len(tokens):
        end = _closing(tokens, position)
        part = tokens[position : end + 1]
        match part[0].type:
            case "heading_open" if part[0].tag == "h1":
                title = part[1].content
            case "heading_open":
                number = _NUMBER.match(part[1].content)
                written = number.group().strip() if number else ""
                blocks.append(Heading(level=int(part[0].tag[1]) - 1, number=written, title=part[1].content[len(written) :].strip()))
            case "paragraph_open":
                blocks.append(Paragraph(text=part[1].content))
            case "ordered_list_open":
                blocks.append(NumberedList(items=tuple(token.content for token in part if token.type == "inline")))
            case "table_open":
                cells = [token.content for token in part if token.type == "inline"]
                width = len([token for token in part if token.type == "th_open"])
                blocks.append(Table(rows=tuple(tuple(cells[i : i + width]) for i in range(0, len(cells), width))))
            case other:
                raise ValueError(f"the samples do not use {other}")
        position = end + 1
    return Sample(title=title, blocks=tuple(blocks))


def _closing(tokens: list[Token], start: int) -> int:
    depth = 0
    for position in range(start, len(tokens)):
        depth += tokens[position].nesting
        if depth == 0:
            return position
    raise ValueError("unbalanced Markdown")
