"""What several formats do with headings: take the title from them, or find them by their words alone. Pure."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ingest.blocks import Block, StructureSource


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
    """Blocks without headings, with those that numbers, keywords or capitals tell, as in plain text."""
    from ingest.plaintext.headings import find_headings

    texts = [" ".join(block.text.split()) for block in blocks]
    found = find_headings(texts, [block.kind == "paragraph" for block in blocks], without=without)
    result: list[Block] = []
    for index, block in enumerate(blocks):
        heading = found.get(index)
        if heading is None:
            result.append(block)
        else:
            shape = replace(block, number=heading.number, source=heading.source, confidence=heading.confidence)
            result += split_heading(shape, level=heading.level, run_in=heading.run_in)
    return tuple(result)


def split_heading(block: Block, level: int, run_in: int) -> Iterator[Block]:
    """The block as a heading; with `run_in` only so many characters of it are, and the rest is a paragraph of its own."""
    rest = block.text[run_in:].strip() if run_in else ""
    words = " ".join(block.text[: run_in or None].split())
    yield replace(block, kind="heading", text=words, level=level, links=() if rest else block.links)
    if rest:
        yield replace(block, kind="paragraph", text=rest, level=0, number=None, source="none", confidence=1.0, anchors=())
