"""Where the navigation meets the pages: entries become headings at their place, other heading tags go below them. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.blocks import Block
from ingest.epub.navigation import Entry
from ingest.html.walk import Piece
from ingest.plaintext.families import squeezed

_NEAR = 4
_MOST_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A heading on the pieces from `start` to before `end`; an empty range stands for a label that the page does not show."""

    start: int
    end: int
    label: str
    level: int
    tag: int


def blocks_of(pieces: Sequence[Piece], entries: Sequence[Entry]) -> tuple[Block, ...]:
    """The pieces of all pages as blocks; `pieces` carry anchors "member" and "member#id"."""
    placed = {heading.start: heading for heading in place_entries(pieces, entries)}
    blocks: list[Block] = []
    chapter: Placed | None = None
    index = 0
    while index <= len(pieces):
        heading = placed.get(index)
        if heading:
            chapter = heading
            shown = pieces[heading.start : heading.end]
            text = " ".join(" ".join(piece.text.split()) for piece in shown) or heading.label
            links = tuple(link for piece in shown for link in piece.links)
            anchors = tuple(anchor for piece in shown for anchor in piece.anchors)
            blocks.append(Block(kind="heading", text=text, level=heading.level, source="tag", links=links, anchors=anchors))
            index = heading.end
            if shown:
                continue
        if index < len(pieces):
            blocks.append(_block(pieces[index], chapter))
        index += 1
    return tuple(blocks)


def place_entries(pieces: Sequence[Piece], entries: Sequence[Entry]) -> list[Placed]:
    """Each entry at the piece that shows its words, near where it points; entries that point nowhere are left out."""
    by_anchor: dict[str, int] = {}
    for index, piece in enumerate(pieces):
        for anchor in piece.anchors:
            by_anchor.setdefault(anchor, index)
    found: list[Placed] = []
    used: set[int] = set()
    for entry in entries:
        target = by_anchor.get(f"{entry.member}#{entry.anchor}" if entry.anchor else entry.member, by_anchor.get(entry.member))
        if target is None:
            continue
        start, end = _shown(pieces, target, squeezed(entry.label), used)
        if start in used:
            continue
        used.update(range(start, max(end, start + 1)))
        tag = next((piece.level for piece in pieces[start:end] if piece.level), 0)
        found.append(Placed(start=start, end=end, label=entry.label, level=entry.level, tag=tag))
    return sorted(found, key=lambda heading: heading.start)


def _shown(pieces: Sequence[Piece], target: int, label: str, used: set[int]) -> tuple[int, int]:
    """The pieces that show a label: one, or up to three lines one after the other; the heading tag at the target; or nothing."""
    for start in range(target, min(target + _NEAR, len(pieces))):
        if start in used:
            continue
        words = ""
        for end in range(start, min(start + _MOST_LINES, len(pieces))):
            words += squeezed(pieces[end].text)
            if words and (words == label or (pieces[start].level and len(words) > 5 and words.startswith(label))):
                return start, end + 1
            if not label.startswith(words):
                break
    heading = next((place for place in range(target, min(target + 2, len(pieces))) if pieces[place].level and place not in used), None)
    return (heading, heading + 1) if heading is not None else (target, target)


def _block(piece: Piece, chapter: Placed | None) -> Block:
    block = Block(kind=piece.kind, text=piece.text, links=piece.links, anchors=piece.anchors, header_rows=piece.header_rows)
    if not piece.level:
        return block
    level = piece.level
    if chapter:
        level = chapter.level + max(0 if chapter.tag else 1, piece.level - (chapter.tag or 1))
    return replace(block, text=" ".join(piece.text.split()), level=level, source="tag")
