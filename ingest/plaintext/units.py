"""Groups of lines become units: what may be a heading stands alone, the rest is running text, lists or verse. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingest.blocks import BlockKind
from ingest.lines import joined
from ingest.numbering import printed_number
from ingest.plaintext.keywords import keyword_of
from ingest.plaintext.layout import Layout, Line, is_rule, width

_MARKER = re.compile(r"\s*(?:[-*+•·‣▪◦●○–—]|\(?\d{1,3}[.)、]|\(?[a-zA-Z][.)]|[①-⑳])\s+\S")
_COLUMNS = re.compile(r"\S {3,}\S.*\S {3,}\S|\t.*\t")
_GAP = re.compile(r"[^\s.!?。！？…:：;；] {2,}\S|\S\t+\S")
_RULED = re.compile(r"[=\-+|]{2,}(?: +[=\-+|]{2,})+$")
_TABLE_ROW = re.compile(r"\s*\|.*\|\s*$")
_SENTENCE_END = re.compile(r"[.!?。！？…:：;；,，、][\"'”’)\]」』]*$")
_WIKI = re.compile(r"(={1,6})\s+(\S.*)(?<=\s)\1$")
_FRAMED = re.compile(r"([*=~#_+-]{2,})\s+(\S.*\S)\s+\1$")
_ATX = re.compile(r"(#{1,6})\s+(\S.*)$")
_LETTERS = re.compile(r"[^\W\d_]{2}|[\u3400-\u9fff]")
_SHORT = 0.75
# How far the text of a manual page is set in below its headings.
_INDENTED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A piece of text with what its place says: `marked` is the level key of an underline or mark, None without.

    `alone` is True when nothing else stands in its group: the place of a heading. `page` is 1-based or None. `outside` marks what
    is no part of the book itself.
    """

    text: str
    kind: BlockKind = "paragraph"
    alone: bool = False
    marked: str | None = None
    page: int | None = None
    header_rows: int = 0
    outside: bool = False


def units_of(layout: Layout) -> Iterator[Unit]:
    """The units of a text in order; rules that underline nothing are left out."""
    for group in layout.groups:
        lines = list(group.lines)
        while lines:
            taken, unit = _next(lines, layout.wrap, first=len(lines) == len(group.lines))
            lines = lines[taken:]
            if unit:
                yield unit


def _next(lines: Sequence[Line], wrap: int | None, first: bool) -> tuple[int, Unit | None]:
    """The first unit of the lines and how many of them it takes."""
    marked = _marked(lines)
    if marked:
        return marked
    page = lines[0].page
    if is_rule(lines[0].bare):
        return 1, None
    rows = _rows(lines) if wrap is None else 0
    if rows:
        return rows, _running(lines[:rows], wrap)
    if wrap is None and not _TABLE_ROW.match(lines[0].text):
        return 1, Unit(text=lines[0].bare, kind=_kind(lines[0].text), alone=True, page=page)
    opening = _opening(lines, wrap or 0) if first else 0
    if opening:
        text = joined("\n".join(line.bare for line in lines[:opening]))
        return opening, Unit(text=text, kind=_kind(text), alone=True, page=page)
    stop = next((place for place in range(1, len(lines) - 1) if is_rule(lines[place + 1].bare) and _marked(lines[place:])), len(lines))
    return stop, _running(lines[:stop], wrap)


def _rows(lines: Sequence[Line]) -> int:
    """How many lines at the start are rows of a table in columns; 0 when they are too few to tell. Below a rule "3.4   m" is one, too."""
    count, ruled = 0, False
    for line in lines:
        ruled = ruled or bool(_RULED.match(line.bare))
        if not (_is_row(line.bare) or (ruled and _GAP.search(line.bare))):
            break
        count += 1
    return count if count >= 3 or (count == 2 and ruled) else 0


def _is_row(text: str) -> bool:
    """Whether a line has columns; a gap after a number alone is that of a heading."""
    number = printed_number(text)
    end = number.end if number else 0
    return bool(_RULED.match(text) or _GAP.search(text[:end].rstrip()) or _GAP.search(text[end:]))


def _kind(line: str) -> BlockKind:
    return "list" if _MARKER.match(line) else "paragraph"


def _marked(lines: Sequence[Line]) -> tuple[int, Unit] | None:
    """A line that is underlined (perhaps overlined), set in `== marks ==`, or alone behind #; with the number of lines used."""
    first = lines[0].bare
    page = lines[0].page
    framed = _FRAMED.match(first) if not _WIKI.match(first) else None
    if framed and _LETTERS.search(framed[2]):
        return 1, Unit(text=framed[2], alone=True, marked=f"frame{framed[1]}", page=page)
    wiki = _WIKI.match(first) or (_ATX.match(first) if len(lines) == 1 else None)
    if wiki:
        return 1, Unit(text=wiki[2].rstrip("= "), alone=True, marked=f"depth{len(wiki[1])}", page=page)
    if len(lines) >= 3 and is_rule(first) and first[0] == lines[2].bare[:1] and is_rule(lines[2].bare) and not is_rule(lines[1].bare):
        return 3, Unit(text=lines[1].bare, alone=True, marked=f"over{first[0]}", page=page)
    if len(lines) >= 2 and _underlines(lines[1].bare, first) and abs(_indent(lines[1].text) - _indent(lines[0].text)) <= 2:
        return 2, Unit(text=first, alone=True, marked=f"under{lines[1].bare[0]}", page=page)
    return None


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _underlines(rule: str, text: str) -> bool:
    """Whether a rule belongs to the words above: one much longer or shorter than they are divides the text instead."""
    if not is_rule(rule) or is_rule(text) or text[0] in "|+#{}<;/" or _COLUMNS.search(text) or not _LETTERS.search(text):
        return False
    return 0.5 * width(text) <= len(rule) <= width(text) + 4


def _opening(lines: Sequence[Line], wrap: int) -> int:
    """How many lines at the start of a group may be a heading: the whole short group, or a clear heading right above its text."""
    first = lines[0].bare
    if len(lines) == 1:
        return 1 if width(first) <= wrap * 1.2 else 0
    if first.isupper() and not _indent(lines[0].text) and _indent(lines[1].text) >= _INDENTED:
        return 1
    clear = ((found := printed_number(first)) is not None and found.certain) or keyword_of(first) is not None
    if not clear or (_MARKER.match(lines[1].text) and found is not None and found.family.startswith("decimal0")):
        return 0
    if any((other := printed_number(line.bare)) is not None and other.certain for line in lines[1:3]):
        return 0
    if len(lines) <= 3 and all(width(line.bare) <= wrap * _SHORT and not _SENTENCE_END.search(line.bare) for line in lines):
        return len(lines)
    if len(lines) <= 3 and found is not None and all(len(line.bare) <= wrap for line in lines) and not _SENTENCE_END.search(lines[-1].bare):
        return len(lines)
    return 1 if width(first) <= wrap * _SHORT and not _SENTENCE_END.search(first) else 0


def _running(lines: Sequence[Line], wrap: int | None) -> Unit:
    """Running text: a list keeps its items, verse and columns keep their lines, all else is joined."""
    page = lines[0].page
    texts = [line.text.rstrip() for line in lines]
    if all(_TABLE_ROW.match(text) for text in texts) and len(texts) > 1:
        header = 2 if re.fullmatch(r"[\s|:+-]+", texts[1]) else 0
        return Unit(text="\n".join(text.strip() for text in texts), kind="table", page=page, header_rows=header)
    if len(texts) > 1 and (
        sum(bool(_COLUMNS.search(text)) for text in texts) * 2 > len(texts)
        or (wrap is None and all(_is_row(text.strip()) for text in texts))
    ):
        return Unit(text=_dedented(texts), kind="code", page=page)
    if _MARKER.match(texts[0]) and (len(texts) == 1 or sum(bool(_MARKER.match(text)) for text in texts) > 1):
        return Unit(text=_items(texts), kind="list", page=page)
    broken = wrap is not None and len(texts) > 2 and all(width(text) < wrap * 0.6 for text in texts)
    if broken:
        return Unit(text=_dedented(texts), page=page)
    return Unit(text=joined("\n".join(line.bare for line in lines)), page=page)


def _items(texts: Sequence[str]) -> str:
    """One item a line: wrapped lines are joined to theirs, indentation between items is kept."""
    items: list[str] = []
    for text in texts:
        if not items or _MARKER.match(text):
            items.append(text)
        else:
            items[-1] = f"{items[-1]}\n{text.strip()}"
    depth = min(len(item) - len(item.lstrip()) for item in items)
    return "\n".join(item[depth:].split("\n")[0] if "\n" not in item else _joined_item(item[depth:]) for item in items)


def _joined_item(item: str) -> str:
    indent = len(item) - len(item.lstrip())
    return " " * indent + joined(item.strip())


def _dedented(texts: Sequence[str]) -> str:
    spaced = [text.expandtabs(4) for text in texts]
    depth = min(len(text) - len(text.lstrip()) for text in spaced)
    return "\n".join(text[depth:] for text in spaced)
