"""The outline becomes chunks: pieces of one section each that, with their heading path, stay inside a token limit. Pure.

Stored text and embedded text are two things: `content` is the document's own text, the embedder reads `embedded_text`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from es_mappings.tokens import count_tokens
from ingest.balancing import divide
from ingest.blocks import Block, Link
from ingest.outline import Outline, Section
from ingest.sentences import line_borders, sentence_borders, word_borders
from ingest.splitting import Atom, section_atoms, section_text

DEFAULT_LIMIT = 512
SMALLEST_LIMIT = 32
_PATH_SHARE = 4
_PATH_JOINT = " > "
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A piece of one section.

    `section` is the index in `Outline.sections`, `ordinal` the place among all chunks of the document (from 0).
    `content` is `section_text(...)[start:end]` after `repeated` characters of table header rows that stand in an earlier chunk.
    Between two chunks of a section only white space is left out; with overlap the next one starts before this one's end.
    `heading_path` runs from the document's title to the own heading ("Title > 3 Experiments > 3.1 Data"), perhaps shortened.
    `token_count` counts the content alone. Pages are 1-based or None. `is_fallback`: the text only hangs on the nearest heading.
    """

    section: int
    ordinal: int
    content: str
    heading_path: str
    token_count: int
    start: int
    end: int
    repeated: int = 0
    page_start: int | None = None
    page_end: int | None = None
    is_fallback: bool = False
    links: tuple[Link, ...] = ()
    anchors: tuple[str, ...] = ()


def chunk_outline(outline: Outline, limit: int = DEFAULT_LIMIT, overlap: int = 0) -> tuple[Chunk, ...]:
    """All chunks in reading order; heading path, line end and content have at most `limit` tokens together.

    A block that fits is never cut. `overlap` tokens at most are repeated from the chunk before, in whole sentences or words,
    inside a section only. Raises ValueError for a limit below 32 or an overlap that is negative or above a quarter of the limit.
    """
    if limit < SMALLEST_LIMIT or not 0 <= overlap <= limit // 4:
        raise ValueError(f"a chunk needs a limit of {SMALLEST_LIMIT} tokens or more and an overlap from 0 to a quarter of it")
    chunks: list[Chunk] = []
    for index, section in enumerate(outline.sections):
        if section.blocks:
            chunks.extend(_section_chunks(outline.title, section, index, len(chunks), limit, overlap))
    return tuple(chunks)


def embedded_text(chunk: Chunk) -> str:
    """What the embedder reads: the heading path, a line end, the content."""
    return f"{chunk.heading_path}\n{chunk.content}"


def embedded_again(title: str, headings: Sequence[str], content: str, limit: int = DEFAULT_LIMIT) -> str:
    """What the embedder read for a stored chunk of a document of this title, when chunks were cut at `limit`."""
    return f"{heading_path(title, headings, limit // _PATH_SHARE)}\n{content}"


def heading_path(title: str, headings: Sequence[str], limit: int) -> str:
    """The path within `limit` tokens: levels are dropped from the top ("… > 3.1 Data"); the last heading is cut, never dropped."""
    names = [name for name in (" ".join(text.split()) for text in (title, *headings)) if name]
    names = [name for place, name in enumerate(names) if place == 0 or name != names[place - 1]]
    if not names:
        return _ELLIPSIS
    counts = [count_tokens(_PATH_JOINT + name) for name in names]
    first = len(names) - 1
    room = limit - counts[first] - 1
    while first > 0 and counts[first - 1] <= room:
        first -= 1
        room -= counts[first]
    kept = names[first:] if first == 0 else [_ELLIPSIS, *names[first:]]
    path = _PATH_JOINT.join(kept)
    return path if count_tokens(path) <= limit else _cut_to(names[-1], limit)


def _cut_to(text: str, limit: int) -> str:
    low, high = 1, min(len(text), limit * 40)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(text[:middle].rstrip() + _ELLIPSIS) <= limit:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + _ELLIPSIS


def _section_chunks(title: str, section: Section, index: int, ordinal: int, limit: int, overlap: int) -> Iterator[Chunk]:
    path = heading_path(title, section.headings, limit // _PATH_SHARE)
    budget = limit - count_tokens(path + "\n")
    text = section_text(section.blocks)
    atoms = section_atoms(section.blocks, budget - overlap)
    places = _Places(section.blocks)
    earlier: tuple[int, int] | None = None
    for group in _verified(atoms, text, budget - overlap):
        header = group[0].header
        start = group[0].start
        end = start + len(text[start : group[-1].end].rstrip())
        if earlier and overlap and not header:
            start = _overlapping_start(text, *earlier, overlap, start)
        while text[start] == "\n":
            start += 1
        content = header + text[start:end]
        blocks = section.blocks[group[0].block : group[-1].last_block + 1]
        yield Chunk(
            section=index,
            ordinal=ordinal,
            content=content,
            heading_path=path,
            token_count=count_tokens(content),
            start=start,
            end=end,
            repeated=len(header),
            page_start=min((b.page for b in blocks if b.page is not None), default=section.page),
            page_end=max((p for b in blocks if (p := b.page_end or b.page) is not None), default=section.page),
            is_fallback=index == 0 or all(block.detached for block in blocks),
            links=places.links_between(group[0], group[-1], content),
            anchors=places.anchors_between(group[0], group[-1]),
        )
        ordinal += 1
        earlier = (group[0].start, end)


def _verified(atoms: Sequence[Atom], text: str, budget: int) -> Iterator[Sequence[Atom]]:
    """Groups of atoms whose joined text really is inside the budget: the sum of parts can be a token short of the whole."""
    waiting = [atoms[first:last] for first, last in reversed(divide(atoms, budget))]
    while waiting:
        group = waiting.pop()
        joined = text[group[0].start : group[-1].end]
        if not joined.strip():
            continue
        if len(group) > 1 and count_tokens(group[0].header + joined.rstrip()) > budget:
            middle = len(group) // 2
            waiting += [group[middle:], group[:middle]]
        else:
            yield group


def _overlapping_start(text: str, start: int, end: int, overlap: int, fallback: int) -> int:
    """The earliest sentence, line or word of text[start:end] from which at most `overlap` tokens lead up to its end."""
    tail = text[max(start, end - overlap * 16) : end]
    for borders in (sentence_borders, line_borders, word_borders):
        for border in borders(tail):
            if count_tokens(tail[border:]) < overlap:
                return end - len(tail) + border
    return fallback


class _Places:
    """Which chunk of a section a block's links and anchors belong to."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = blocks
        self._begun: set[int] = set()

    def links_between(self, first: Atom, last: Atom, content: str) -> tuple[Link, ...]:
        """The links of the blocks from one atom to another whose words stand in the content."""
        blocks = self._blocks[first.block : last.last_block + 1]
        return tuple(link for block in blocks for link in block.links if link.text in content or link.text not in block.text)

    def anchors_between(self, first: Atom, last: Atom) -> tuple[str, ...]:
        """The anchors of the blocks that begin here."""
        fresh = [i for i in range(first.block, last.last_block + 1) if i not in self._begun]
        self._begun.update(fresh)
        return tuple(anchor for i in fresh for anchor in self._blocks[i].anchors)
