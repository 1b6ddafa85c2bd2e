"""Blocks become the heading tree. Pure: levels are repaired without inventing headings, and every block lands in one section."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from es_mappings.sections import heading_text
from ingest.blocks import Block, Reading, StructureSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One heading with the blocks under it, or, as the first of an outline, the document itself (level 0, no heading).

    `ordinals` are the positions (from 1) among the siblings, from the top level down; `headings` the texts on the same way;
    both are () for the document. `parent` is the index of the section above in `Outline.sections` (None for the document).
    `blocks` are those of this heading alone, without its subsections, the heading itself left out.
    """

    ordinals: tuple[int, ...]
    headings: tuple[str, ...]
    title: str
    number: str | None
    level: int
    parent: int | None
    page: int | None
    source: StructureSource
    confidence: float
    blocks: tuple[Block, ...]
    heading: Block | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """The tree in reading order; `sections[0]` is the document itself and holds what stands before the first heading."""

    title: str
    format: str
    pages: int | None
    sections: tuple[Section, ...]
    structure_source: StructureSource
    warnings: tuple[str, ...] = ()

    def children(self, index: int) -> Iterator[int]:
        """The indexes of the sections right below one, in order."""
        return (i for i, section in enumerate(self.sections) if section.parent == index)


def build_outline(reading: Reading, title: str) -> Outline:
    """The outline of what a reader yielded. `title` names the document when the reading has no title of its own."""
    headings = [block for block in reading.blocks if block.kind == "heading"]
    levels = iter(repaired_levels([block.level for block in headings]))
    drafts = [_Draft(heading=None, level=0, parent=None, ordinals=(), headings=())]
    open_drafts = [0]
    for block in reading.blocks:
        if block.kind != "heading":
            drafts[-1].blocks.append(block)
            continue
        level = next(levels)
        while drafts[open_drafts[-1]].level >= level:
            open_drafts.pop()
        parent = open_drafts[-1]
        above = drafts[parent]
        above.children += 1
        drafts.append(
            _Draft(
                heading=block,
                level=level,
                parent=parent,
                ordinals=(*above.ordinals, above.children),
                headings=(*above.headings, heading_text(block.number, block.text)),
            )
        )
        open_drafts.append(len(drafts) - 1)
    top = reading.title or title
    return Outline(
        title=top,
        format=reading.format,
        pages=reading.pages,
        sections=tuple(draft.section(top) for draft in drafts),
        structure_source=main_source(headings),
        warnings=reading.warnings,
    )


def repaired_levels(levels: Sequence[int]) -> list[int]:
    """Levels without gaps: a heading is at most one below the one above it, and siblings as given stay siblings.

    [1, 3, 3, 2] becomes [1, 2, 2, 2]; [2, 1, 2] becomes [1, 1, 2]; depth is the number of open headings of lower given level.
    """
    stack: list[int] = []
    repaired = []
    for level in levels:
        while stack and stack[-1] >= level:
            stack.pop()
        stack.append(level)
        repaired.append(len(stack))
    return repaired


def main_source(headings: Sequence[Block]) -> StructureSource:
    """The evidence that found most of the headings; `none` when there are none."""
    counts = Counter(block.source for block in headings)
    return counts.most_common(1)[0][0] if counts else "none"


@dataclass(slots=True, kw_only=True)
class _Draft:
    heading: Block | None
    level: int
    parent: int | None
    ordinals: tuple[int, ...]
    headings: tuple[str, ...]
    children: int = 0
    blocks: list[Block] = field(default_factory=list)

    def section(self, document_title: str) -> Section:
        heading = self.heading
        first_page = self.blocks[0].page if self.blocks else None
        return Section(
            ordinals=self.ordinals,
            headings=self.headings,
            title=heading.text if heading else document_title,
            number=heading.number if heading else None,
            level=self.level,
            parent=self.parent,
            page=heading.page if heading else first_page,
            source=heading.source if heading else "none",
            confidence=heading.confidence if heading else 1.0,
            blocks=tuple(self.blocks),
            heading=heading,
        )
