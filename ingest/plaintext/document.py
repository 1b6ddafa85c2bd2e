"""One plain text as a reading. Pure."""

import re
from collections.abc import Collection, Iterator, Sequence

from ingest.articles import with_articles
from ingest.blocks import Block, Reading, StructureSource
from ingest.headings import split_heading
from ingest.numbering import numbered
from ingest.plaintext.candidates import stands_out
from ingest.plaintext.headings import Heading, find_headings
from ingest.plaintext.layout import lay_out
from ingest.plaintext.titles import merged_titles, within_book
from ingest.plaintext.units import Unit, units_of

_PROPERTY = re.compile(r"(Title|Authors?|Subject|Date|Language|Version|Status|标题|题目|书名|作者|日期)\s*[:：]\s*(\S.*)$", re.IGNORECASE)
_TITLES = frozenset({"title", "标题", "题目", "书名"})
_HEAD_LINES = 40


def read_plaintext(text: str, warnings: Sequence[str] = (), without: Collection[StructureSource] = ()) -> Reading:
    """The reading of one text; `without` names evidence to ignore ("style" for underlines, "numbering", "keyword", "font")."""
    layout = lay_out(text)
    units = within_book(merged_titles([unit for unit in units_of(layout) if unit.text.strip()]))
    headings = find_headings([unit.text for unit in units], [unit.alone for unit in units], [unit.marked for unit in units], without)
    properties = _properties(text)
    title = next((properties.pop(name) for name in list(properties) if name in _TITLES), "") or _title(units, headings)
    blocks = numbered(tuple(_blocks(units, headings)))
    blocks = blocks if "numbering" in without else with_articles(blocks)
    return Reading(title=title, format="text", blocks=blocks, pages=layout.pages, warnings=tuple(warnings), metadata=properties)


def _blocks(units: Sequence[Unit], headings: dict[int, Heading]) -> Iterator[Block]:
    items: list[Unit] = []
    for index, unit in enumerate(units):
        heading = headings.get(index)
        if unit.kind == "list" and not heading:
            items.append(unit)
            continue
        yield from _list(items)
        items = []
        if heading:
            yield from _heading(unit, heading)
        else:
            yield Block(kind=unit.kind, text=unit.text, page=unit.page, header_rows=unit.header_rows, detached=unit.outside)
    yield from _list(items)


def _list(items: Sequence[Unit]) -> Iterator[Block]:
    """Items that stand one after the other are one list."""
    if items:
        yield Block(kind="list", text="\n".join(item.text for item in items), page=items[0].page)


def _heading(unit: Unit, heading: Heading) -> Iterator[Block]:
    shape = Block(
        kind="paragraph", text=unit.text, number=heading.number, page=unit.page, source=heading.source, confidence=heading.confidence
    )
    yield from split_heading(shape, level=heading.level, run_in=heading.run_in)


def _properties(text: str) -> dict[str, str]:
    """`Title: ...` lines near the top."""
    found: dict[str, str] = {}
    for line in text.split("\n", _HEAD_LINES)[:_HEAD_LINES]:
        match = _PROPERTY.match(line.strip())
        if match:
            found.setdefault(match[1].casefold(), match[2].strip())
    return found


def _title(units: Sequence[Unit], headings: dict[int, Heading]) -> str:
    """The first line when it stands alone and is no heading, or the only one of its level, or one by its look; else ""."""
    if not units or not units[0].alone or not stands_out(units[0].text):
        return ""
    own = headings.get(0)
    if own is None:
        return units[0].text
    alone = sum(heading.level <= own.level for heading in headings.values()) == 1
    return units[0].text if own.number is None and (alone or own.source == "font") else ""
