"""The lines of a reading that may or may not be headings, with what stands around them, and what becomes of them when they are judged.

Pure. Judging never changes a word: a line is a heading or text, and lists and paragraphs are parted where a heading stands in them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ingest.blocks import Block, Doubt
from ingest.numbering import printed_number

DEEPEST = 12
# How many times likelier a line is a heading when the model says so: as if it were right nine times in ten. Not measured: no model that
# follows instructions was at hand. With the doubts that are asked about (0.12 to 0.88) its word decides.
_TRUST = 9.0
_SUREST = 0.9

Place = tuple[int, int]
"""A line: the index of its block, and its own in the block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtfulLine:
    """One line with its surroundings; `above` are the headings open there as (level, text), from the top level down."""

    place: Place
    text: str
    doubt: Doubt
    page: int | None
    before: str
    after: str
    above: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The blocks without doubts, how many were decided otherwise than by the rules, how many levels could not be where they were put."""

    blocks: tuple[Block, ...]
    changed: int
    refused: int


def doubtful_lines(blocks: Sequence[Block]) -> list[DoubtfulLine]:
    """All lines in doubt, in reading order."""
    found: list[DoubtfulLine] = []
    above: list[tuple[int, str]] = []
    for index, block in enumerate(blocks):
        lines = block.text.split("\n")
        for doubt in block.doubts:
            if doubt.line < len(lines):
                before = lines[doubt.line - 1] if doubt.line else blocks[index - 1].text if index else ""
                last = doubt.line == len(lines) - 1
                after = lines[doubt.line + 1] if not last else blocks[index + 1].text if index + 1 < len(blocks) else ""
                kept = tuple(above if block.kind != "heading" else _open_at(above, block.level))
                text = lines[doubt.line].strip()
                found.append(
                    DoubtfulLine(place=(index, doubt.line), text=text, doubt=doubt, page=block.page, before=before, after=after, above=kept)
                )
        if block.kind == "heading":
            above = [*_open_at(above, block.level), (block.level, block.text)]
    return found


def _open_at(above: Sequence[tuple[int, str]], level: int) -> list[tuple[int, str]]:
    return [heading for heading in above if heading[0] < level]


def settled(blocks: Sequence[Block], levels: Mapping[Place, int]) -> Settled:
    """The blocks with these lines judged: a level from 1 for a heading, 0 for text; lines not named stay as the rules had them.

    A level more than one below the heading before it cannot be; such a line stays as it was, too.
    """
    found: list[Block] = []
    last = changed = refused = 0
    for index, block in enumerate(blocks):
        plain = replace(block, doubts=()) if block.doubts else block
        judged = {doubt.line: (doubt, levels[index, doubt.line]) for doubt in block.doubts if (index, doubt.line) in levels}
        refused += sum(level > last + 1 for _, level in judged.values())
        kept = {line: row for line, row in judged.items() if row[1] <= last + 1}
        parts = [plain]
        if block.kind == "heading" and 0 in kept:
            parts = [_rejudged(plain, *kept[0])]
        elif block.kind != "heading" and any(level for _, level in kept.values()):
            parts = list(_parted(plain, kept))
        changed += parts != [plain] and not (len(parts) == 1 and _is_same(parts[0], plain))
        found += parts
        last = next((part.level for part in reversed(parts) if part.kind == "heading"), last)
    return Settled(blocks=tuple(found), changed=changed, refused=refused)


def _is_same(one: Block, other: Block) -> bool:
    return (one.kind, one.level) == (other.kind, other.level)


def _rejudged(block: Block, doubt: Doubt, level: int) -> Block:
    if level == 0:
        return replace(block, kind="paragraph", level=0, number=None, source="none", confidence=1.0)
    if level == block.level:
        return replace(block, confidence=_confidence(doubt))
    return replace(block, level=level, source="llm", confidence=_confidence(doubt))


def _parted(block: Block, judged: Mapping[int, tuple[Doubt, int]]) -> Iterator[Block]:
    """The text before, each heading, and the text after it; links go with their words, anchors with the first part."""
    lines = block.text.split("\n")
    rest: list[str] = []
    anchors = block.anchors
    for number, line in enumerate([*lines, None]):
        doubt, level = judged.get(number, (None, 0))
        if line is not None and not (doubt and level):
            rest.append(line)
            continue
        if any(text.strip() for text in rest):
            yield _part(block, "\n".join(rest), anchors)
            anchors = ()
        rest = []
        if line is not None and doubt is not None:
            printed = printed_number(line.strip())
            heading = _part(block, line.strip(), anchors)
            anchors = ()
            yield replace(
                heading, kind="heading", level=level, source="llm", confidence=_confidence(doubt),
                number=printed.number if printed and printed.certain else None,
            )  # fmt: skip


def _part(block: Block, text: str, anchors: tuple[str, ...]) -> Block:
    return replace(block, text=text, anchors=anchors, links=tuple(link for link in block.links if link.text in text))


def _confidence(doubt: Doubt) -> float:
    likely = _TRUST * doubt.probability
    return round(min(_SUREST, likely / (likely + 1 - doubt.probability)), 2)
