"""What several formats do with headings: take the title from them, or find them by their words alone. Pure."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ingest.blocks import Block, StructureSource

_ALL_BOLD = re.compile(r"(\*\*|__)(?P<words>(?!\s)[^*_\n]{1,100})\1[:：]?")
_BOLD = 0.7


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


def headed_by_words(blocks: Sequence[Block], without: Collection[StructureSource] = ()) -> tuple[Block, ...]:
    """Blocks without headings, with those that numbers, keywords, bold lines or capitals tell, as in plain text."""
    from ingest.numbering import printed_number
    from ingest.plaintext.headings import find_headings

    bold = {} if "font" in without else _bold_lines(blocks)
    texts = [bold.get(index) or " ".join(block.text.split()) for index, block in enumerate(blocks)]
    # Bold lines with numbers are told apart by those; without, bold is their mark.
    marks = ["bold" if index in bold else None for index in range(len(blocks))]
    if sum(printed_number(text) is not None for text in bold.values()) * 2 > len(bold):
        marks = []
    found = find_headings(texts, [block.kind == "paragraph" for block in blocks], marks, without)
    result: list[Block] = []
    for index, block in enumerate(blocks):
        heading = found.get(index)
        if heading is None:
            result.append(block)
        else:
            shape = replace(block, text=bold.get(index, block.text), number=heading.number)
            if heading.source == "style":
                shape = replace(shape, source="font", confidence=_BOLD)
            else:
                shape = replace(shape, source=heading.source, confidence=heading.confidence)
            result += split_heading(shape, level=heading.level, run_in=heading.run_in)
    return tuple(result)


def _bold_lines(blocks: Sequence[Block]) -> dict[int, str]:
    """The words of short Markdown paragraphs that are bold as a whole and have text below them."""
    found = {
        i: match["words"].rstrip(":：") for i, b in enumerate(blocks) if b.kind == "paragraph" and (match := _ALL_BOLD.fullmatch(b.text))
    }
    return {i: words for i, words in found.items() if words.strip() and i + 1 < len(blocks) and i + 1 not in found}


def split_heading(block: Block, level: int, run_in: int) -> Iterator[Block]:
    """The block as a heading; with `run_in` only so many characters of it are, and the rest is a paragraph of its own."""
    rest = block.text[run_in:].strip() if run_in else ""
    words = " ".join(block.text[: run_in or None].split())
    yield replace(block, kind="heading", text=words, level=level, links=() if rest else block.links)
    if rest:
        yield replace(block, kind="paragraph", text=rest, level=0, number=None, source="none", confidence=1.0, anchors=())
