"""A person's outline beside a document wins over everything that was detected, and survives every new ingest.

The sidecar is `NAME.outline.json` (a list of {"level", "title", "page"?, "number"?}) or `NAME.headings.txt` (the words of one heading a
line, optional leading "#" for its level). Reading it is the only IO here; finding and applying are pure.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from es_mappings.errors import MalformedDocument
from es_mappings.sections import is_typed
from ingest.blocks import Block, Reading
from ingest.cleaning import clean_line
from ingest.headings import unmarked

OUTLINE_ENDING = ".outline.json"
WORDS_ENDING = ".headings.txt"
MOST_BYTES = 5_000_000
MOST_HEADINGS = 50_000
DEEPEST = 12
_LEVEL = re.compile(r"#{0,12}")
_KNOWN = re.compile(r"(number|page)\s+(\S.*)")
_NOISE = re.compile(r"[\W_]+")
_GUIDE = """\
// The headings of this document, one a line; the number of # is the level.
// Delete a line to make it text. Add a line with the words of a paragraph to make that a heading.
// At the end of a line may stand <number 3.2; page 12>. Lines that begin with // are not read.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One heading as a person wants it: `level` from 1, or 0 for "as it was found"; `page` 1-based."""

    title: str
    level: int = 0
    page: int | None = None
    number: str | None = None


def sidecar_of(path: Path) -> Path | None:
    """The correction beside a file or folder, or None."""
    candidates = (path.with_name(path.name + ending) for ending in (OUTLINE_ENDING, WORDS_ENDING))
    return next((sidecar for sidecar in candidates if sidecar.is_file()), None)


def read_corrections(path: Path) -> tuple[Correction, ...] | None:
    """The correction of a document, None when it has none. Raises MalformedDocument when the sidecar is out of shape."""
    sidecar = sidecar_of(path)
    if sidecar is None:
        return None
    try:
        if sidecar.stat().st_size > MOST_BYTES:
            raise MalformedDocument(f"{sidecar.name} is larger than {MOST_BYTES:,} bytes: it cannot be a list of headings")
        text = sidecar.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise MalformedDocument(
            f"{sidecar.name} cannot be read as UTF-8: save it again, or remove it to use the detected headings"
        ) from None
    found = _from_json(text, sidecar.name) if sidecar.name.endswith(OUTLINE_ENDING) else parse_outline_text(text)
    if len(found) > MOST_HEADINGS:
        raise MalformedDocument(f"{sidecar.name} lists more than {MOST_HEADINGS:,} headings")
    return found


def write_corrections(path: Path, corrections: Sequence[Correction]) -> Path:
    """Write `NAME.outline.json` beside the document; the name of the file written."""
    rows = [
        {"level": item.level or 1, "title": item.title}
        | ({"number": item.number} if item.number else {})
        | ({"page": item.page} if item.page else {})
        for item in corrections
    ]
    sidecar = path.with_name(path.name + OUTLINE_ENDING)
    sidecar.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return sidecar


def outline_text(reading: Reading) -> str:
    """The headings of a reading for a person to edit; `parse_outline_text` reads it back."""
    lines = []
    for block in reading.blocks:
        if block.kind == "heading":
            known = [f"number {block.number}"] if block.number and not is_typed(block.number, block.text) else []
            known += [f"page {block.page}"] if block.page else []
            lines.append(f"{'#' * block.level} {block.text}" + (f" <{'; '.join(known)}>" if known else ""))
    return _GUIDE + "".join(f"{line}\n" for line in lines)


def parse_outline_text(text: str) -> tuple[Correction, ...]:
    """The headings of an edited outline or a word list; empty lines and lines that begin with "//" are left out."""
    lines = (line.strip() for line in text.splitlines())
    return tuple(item for line in lines if not line.startswith("//") and (item := _from_line(line)).title)


def _from_line(line: str) -> Correction:
    marks = _LEVEL.match(line)
    level = len(marks[0]) if marks else 0
    words, _, inner = line[level:].removesuffix(">").rpartition("<")
    parts = [_KNOWN.fullmatch(part.strip()) for part in inner.split(";")] if line.endswith(">") else [None]
    known = {part[1]: part[2] for part in parts if part}
    if len(known) != len(parts):
        words, known = line[level:], {}
    page = known.get("page", "")
    whole = int(page) if page.isascii() and page.isdigit() else None
    return Correction(title=clean_line(words), level=level, page=whole, number=known.get("number"))


def apply_corrections(reading: Reading, corrections: Sequence[Correction]) -> Reading:
    """The reading with exactly these headings, marked `manual`; what else was a heading is text. Those not found are warnings."""
    blocks = list(unmarked(reading.blocks))
    levels = [block.level for block in reading.blocks]
    numbers = [block.number for block in reading.blocks]
    result: list[Block] = []
    warnings = list(reading.warnings)
    position = 0
    for ordinal, item in enumerate(corrections, 1):
        place = next((index for index in range(position, len(blocks)) if _matches(blocks[index], item)), None)
        if place is None:
            warnings.append(f"heading {ordinal} of the correction was not found in the text after the one before it: check its words")
            continue
        result += blocks[position:place]
        shape = replace(blocks[place], number=item.number or numbers[place])
        before, heading, rest = _cut(shape, item, levels[place])
        result += [*before, heading]
        # What stands after the words in the same block may hold the next heading.
        blocks[place : place + 1] = rest
        levels[place : place + 1] = [0] * len(rest)
        numbers[place : place + 1] = [None] * len(rest)
        position = place
    return replace(reading, blocks=(*result, *blocks[position:]), warnings=tuple(warnings))


def _matches(block: Block, item: Correction) -> bool:
    if item.page is not None and block.page is not None and abs(block.page - item.page) > 1:
        return False
    wanted = _squeezed(item.title)
    if block.kind in ("table", "code"):
        return False
    return any(_squeezed(line) == wanted for line in (block.text, *block.text.split("\n"))) or _runs_in(block.text, item.title) > 0


def _cut(block: Block, item: Correction, found_level: int) -> tuple[list[Block], Block, list[Block]]:
    """The block parted into what stands before the heading's words, the heading, and what stands after them."""
    lines = block.text.split("\n")
    wanted = _squeezed(item.title)
    words, before, after = item.title, "", ""
    if _squeezed(block.text) != wanted:
        line = next((index for index, text in enumerate(lines) if _squeezed(text) == wanted), None)
        if line is not None:
            before, after = "\n".join(lines[:line]), "\n".join(lines[line + 1 :])
        else:
            after = block.text[_runs_in(block.text, item.title) :]
    from ingest.numbering import printed_number

    printed = printed_number(words)
    number = block.number or (printed.number if printed and printed.certain else None)
    level = min(item.level or found_level or 1, DEEPEST)
    heading = replace(block, kind="heading", text=words, level=level, number=number, source="manual", confidence=1.0, header_rows=0)
    plain = replace(block, number=None, anchors=(), links=())
    return list(_texts(plain, before)), heading, list(_texts(plain, after))


def _texts(block: Block, text: str) -> Iterator[Block]:
    if text.strip():
        yield replace(block, text=text.strip("\n ") if block.kind != "list" else text.strip("\n"))


def _runs_in(text: str, title: str) -> int:
    """How many characters at the start of a text are the title, when a mark or a blank ends it there; 0 when it does not start so."""
    if len(title) < len(text) and text[: len(title)].casefold() == title.casefold() and not text[len(title)].isalnum():
        return len(title)
    return 0


def _squeezed(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _NOISE.sub("", plain) or plain.strip()


def _from_json(text: str, name: str) -> tuple[Correction, ...]:
    try:
        rows = json.loads(text)
        return tuple(_from_row(row) for row in rows)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        shape = '[{"level": 1, "title": "Introduction"}, ...]'
        raise MalformedDocument(f"{name} must be a list like {shape}: correct it, or remove it to use the detected headings") from None


def _from_row(row: Any) -> Correction:
    level, title, page, number = row["level"], clean_line(row["title"]), row.get("page"), row.get("number")
    whole = type(level) is int and 1 <= level <= DEEPEST and (page is None or (type(page) is int and page > 0))
    if not whole or not title or not (number is None or isinstance(number, str)):
        raise ValueError("a row is out of shape")
    return Correction(title=title, level=level, page=page, number=clean_line(number) if number else None)
