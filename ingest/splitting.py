"""A section's text becomes atoms: pieces that a chunk takes whole. Pure.

Blocks are joined by one empty line. A block that fits is one atom; a longer one falls into rows, items, lines or sentences,
these into clauses, words and at last characters. Atoms touch: each ends where the next begins, separators included.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from es_mappings.tokens import count_tokens
from ingest.blocks import Block, BlockKind
from ingest.sentences import character_borders, clause_borders, item_borders, line_borders, sentence_borders, word_borders

JOINT = "\n\n"
# What it costs to cut before an atom, against a chunk's squared relative shortage (0..1): the weaker the border, the dearer.
_CUT_BLOCK, _CUT_LEAD_IN, _CUT_UNIT, _CUT_CLAUSE, _CUT_WORD, _CUT_CHARACTER, _CUT_CAPTION = 0.0, 0.3, 0.1, 0.4, 0.8, 1.5, 4.0
# Smaller neighbours are joined before the cuts are chosen, so that no more than about 2 * 24 atoms compete for a chunk.
_SMALLEST_SHARE = 24

Borders = Callable[[str], list[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """A piece of a section's text: offsets, its first and last block, tokens with separators, the cost of a chunk that begins here.

    `header` is what a chunk that begins here repeats (the table's header rows with a line end, or "").
    """

    start: int
    end: int
    block: int
    last_block: int
    tokens: int
    cut: float
    header: str = ""
    header_tokens: int = 0


def section_text(blocks: Sequence[Block]) -> str:
    """All content of a section: its blocks joined by an empty line."""
    return JOINT.join(block.text for block in blocks)


def section_atoms(blocks: Sequence[Block], budget: int) -> list[Atom]:
    """The atoms of a section; none has more than `budget` tokens, a repeated header included."""
    atoms: list[Atom] = []
    offset = 0
    for index, block in enumerate(blocks):
        text = block.text if index == len(blocks) - 1 else block.text + JOINT
        cut = _cut_before(blocks[index - 1], block) if index else 0.0
        tokens = count_tokens(text)
        if tokens <= budget:
            atoms.append(Atom(start=offset, end=offset + len(text), block=index, last_block=index, tokens=tokens, cut=cut))
        else:
            atoms.extend(_block_atoms(block, text, index, offset, cut, budget))
        offset += len(text)
    return _joined_small(atoms, budget // _SMALLEST_SHARE)


def _cut_before(above: Block, block: Block) -> float:
    if "caption" in (above.kind, block.kind) and {above.kind, block.kind} & {"table", "code"}:
        return _CUT_CAPTION
    if block.kind in ("list", "table", "code") and above.text.rstrip().endswith((":", "：")):
        return _CUT_LEAD_IN
    return _CUT_BLOCK


def _block_atoms(block: Block, text: str, index: int, offset: int, cut: float, budget: int) -> Iterator[Atom]:
    header, header_end = _table_header(block, budget)
    header_tokens = count_tokens(header) if header else 0
    room = budget - header_tokens
    position = 0
    for number, (piece_end, tokens, cost) in enumerate(_pieces(text, _ladder(block.kind, room), room)):
        repeats = bool(header) and position >= header_end
        yield Atom(
            start=offset + position,
            end=offset + piece_end,
            block=index,
            last_block=index,
            tokens=tokens,
            # The first rows stay with the header, else a chunk would end in a header without rows.
            cut=cut if number == 0 else _CUT_CAPTION if header and position <= header_end else cost,
            header=header if repeats else "",
            header_tokens=header_tokens if repeats else 0,
        )
        position = piece_end


def _table_header(block: Block, budget: int) -> tuple[str, int]:
    """The header rows with their line end and the offset of the first row after them; ("", 0) when none is to be repeated."""
    if block.kind != "table" or not block.header_rows:
        return "", 0
    lines = block.text.splitlines(keepends=True)
    header = "".join(lines[: block.header_rows])
    if len(lines) <= block.header_rows or count_tokens(header) > budget // 3:
        return "", 0
    return header, len(header)


def _ladder(kind: BlockKind, budget: int) -> list[tuple[Borders, float]]:
    """The ways to cut a block of this kind, the best first, each with the cost of its cuts."""
    sentences: list[tuple[Borders, float]] = [(sentence_borders, _CUT_UNIT), (clause_borders, _CUT_CLAUSE)]
    rest: list[tuple[Borders, float]] = [
        (word_borders, _CUT_WORD),
        (partial(character_borders, run=max(1, min(16, budget // 8))), _CUT_CHARACTER),
        (partial(character_borders, run=1), _CUT_CHARACTER),
    ]
    if kind == "code":
        return [(line_borders, _CUT_UNIT), *rest]
    if kind == "table":
        return [(line_borders, _CUT_UNIT), *sentences, *rest]
    if kind == "list":
        return [(item_borders, _CUT_UNIT), *sentences, *rest]
    return [*sentences, *rest]


def _pieces(text: str, ladder: Sequence[tuple[Borders, float]], budget: int) -> Iterator[tuple[int, int, float]]:
    """(end, tokens, cost of a cut before it) of the pieces of a text; a piece over the budget is cut by the next step."""
    borders, cost = ladder[0]
    edges = [0, *borders(text), len(text)]
    for start, end in pairwise(edges):
        piece = text[start:end]
        tokens = count_tokens(piece)
        if tokens <= budget or len(ladder) == 1:
            yield end, tokens, cost
            continue
        for number, (inner_end, inner_tokens, inner_cost) in enumerate(_pieces(piece, ladder[1:], budget)):
            yield start + inner_end, inner_tokens, inner_cost if number else cost


def _joined_small(atoms: Sequence[Atom], smallest: int) -> list[Atom]:
    """Neighbours of at most `smallest` tokens together become one atom, unless the border between them is a better one to cut."""
    joined: list[Atom] = []
    for atom in atoms:
        above = joined[-1] if joined else None
        if above and above.tokens + atom.tokens <= smallest and atom.cut >= above.cut:
            joined[-1] = replace(above, end=atom.end, last_block=atom.last_block, tokens=above.tokens + atom.tokens)
        else:
            joined.append(atom)
    return joined
