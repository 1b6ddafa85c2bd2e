"""The list of chapters in a SUMMARY.md, as mdBook and GitBook read it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import unquote

from markdown_it.token import Token

from ingest.markdown.inlines import render
from ingest.markdown.parsing import parse
from ingest.markdown.rendering import closing
from ingest.numbering import printed_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A chapter or part. `level` is its heading level (from 1); `file` is relative to the SUMMARY.md, "" for parts and drafts.

    `number` is the position in the numbered list ("4.1") as mdBook prints it, None for parts and for chapters outside the list.
    """

    kind: Literal["part", "chapter"]
    title: str
    level: int
    file: str = ""
    number: str | None = None


@dataclass(slots=True, kw_only=True)
class Summary:
    """What a SUMMARY.md says: the book's title ("" when its first heading is only "Summary") and the entries in order."""

    title: str = ""
    entries: list[Entry] = field(default_factory=list)


_OWN_NAMES = frozenset({"summary", "table of contents", "contents", "目录", "目錄", "目次"})


def parse_summary(text: str, *, of_mdbook: bool) -> Summary:
    """The entries of a SUMMARY.md. Numbers run on through all parts; chapters outside lists stand at the top.

    mdBook shows headings of the first level alone as parts and skips deeper ones; GitBook writes its parts with any. Where most chapters
    carry a number in their own title, their positions are none.
    """
    tokens = parse(text).tokens
    summary = Summary()
    counters: list[int] = []
    in_part = started = False
    index = 0
    while index < len(tokens):
        token, end = tokens[index], closing(tokens, index)
        inner = tokens[index + 1 : end]
        if token.type == "heading_open":
            words = render(inner[0].children or [], plain=True).text
            is_first, started = not started and not summary.entries, True
            if is_first and (token.tag == "h1" or words.strip().casefold() in _OWN_NAMES):
                summary.title = "" if words.strip().casefold() in _OWN_NAMES else words
            elif token.tag == "h1" or not of_mdbook:
                summary.entries.append(Entry(kind="part", title=words, level=1))
                in_part = True
        elif token.type == "paragraph_open":
            links = _links(inner[0])
            summary.entries += [Entry(kind="chapter", title=title, level=1, file=file) for title, file in links]
            in_part = in_part and not links
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            _take_list(inner, (), 2 if in_part else 1, counters, summary.entries)
        index = end + 1
    own = [entry for entry in summary.entries if entry.number and (printed := printed_number(entry.title)) and printed.certain]
    if 2 * len(own) >= sum(entry.number is not None for entry in summary.entries):
        summary.entries = [replace(entry, number=None) for entry in summary.entries]
    return summary


def _take_list(tokens: Sequence[Token], above: tuple[int, ...], level: int, counters: list[int], entries: list[Entry]) -> None:
    """Add the items of one list; `counters` holds how many top-level items earlier lists had, since they are numbered through."""
    ordinal = counters[0] if counters and not above else 0
    index = 0
    while index < len(tokens):
        end = closing(tokens, index)
        ordinal += 1
        number = (*above, ordinal)
        inner = tokens[index + 1 : end]
        place = 0
        while place < len(inner):
            stop = closing(inner, place)
            if inner[place].type == "paragraph_open":
                words = render(inner[place + 1].children or [], plain=True).text
                title, file = next(iter(_links(inner[place + 1])), (words, ""))
                entries.append(Entry(kind="chapter", title=title, level=level, file=file, number=".".join(map(str, number))))
            elif inner[place].type in ("bullet_list_open", "ordered_list_open"):
                _take_list(inner[place + 1 : stop], number, level + 1, [], entries)
            place = stop + 1
        index = end + 1
    if not above:
        counters[:] = [ordinal]


def _links(inline: Token) -> list[tuple[str, str]]:
    """The links of a line as (title, file); a target on the web or none at all makes a draft."""
    found: list[tuple[str, str]] = []
    start = 0
    children = inline.children or []
    for place, child in enumerate(children):
        if child.type == "link_open":
            start = place
        elif child.type == "link_close":
            target = unquote(str(children[start].attrs.get("href", "")))
            title = render(children[start + 1 : place], plain=True).text
            found.append((title, "" if "://" in target else target))
    return [(title, file) for title, file in found if title]
