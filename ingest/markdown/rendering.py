"""Nested Markdown (lists, quotes, tables) as lines of readable text. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token

from ingest.blocks import Link
from ingest.markdown.inlines import Inlines, render
from ingest.markdown.slugs import slug

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


@dataclass(slots=True, kw_only=True)
class Lines:
    """Lines of text with the links and anchors found on the way."""

    lines: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)

    def add(self, inlines: Inlines) -> list[str]:
        self.links += inlines.links
        self.anchors += inlines.anchors
        return inlines.text.split("\n") if inlines.text else []

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip("\n")


def closing(tokens: Sequence[Token], start: int) -> int:
    """The index of the token that closes the one at `start`."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += tokens[index].nesting
        if depth == 0:
            return index
    return len(tokens) - 1


def render_nested(tokens: Sequence[Token]) -> Lines:
    """The lines of a run of block tokens: items with their markers, inner blocks indented under them."""
    result = Lines()
    result.lines = _lines(tokens, result)
    return result


def table_rows(tokens: Sequence[Token], result: Lines) -> list[str]:
    """A table as Markdown rows; the second is the separator."""
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            cell = " ".join(result.add(render(token.children or [])))
            rows[-1].append(cell.replace("|", "\\|"))
    written = [f"| {' | '.join(row)} |" for row in rows]
    return [written[0], f"|{' --- |' * len(rows[0])}", *written[1:]] if written else []


def html_text(markup: str) -> str:
    """The words of raw HTML between Markdown, without comments and tags."""
    return _TAG.sub("", _COMMENT.sub("", markup)).strip()


def _lines(tokens: Sequence[Token], result: Lines) -> list[str]:
    lines: list[str] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        end = closing(tokens, index)
        inner = tokens[index + 1 : end]
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lines += _list_lines(inner, result)
        elif token.type == "blockquote_open":
            lines += [f"> {line}".rstrip() for line in _lines(inner, result)]
        elif token.type == "table_open":
            lines += table_rows(inner, result)
        elif token.type == "inline":
            lines += result.add(render(token.children or []))
        elif token.type == "heading_open":
            words = result.add(render(inner[0].children or [], plain=True))
            result.anchors.append(slug(" ".join(words)))
            lines += words
        elif token.type in ("fence", "code_block", "display_math"):
            lines += token.content.rstrip("\n").split("\n")
        elif token.type == "html_block":
            lines += [line for line in html_text(token.content).split("\n") if line.strip()]
        elif token.nesting == 1:
            lines += _lines(inner, result)
        index = end + 1
    return lines


def _list_lines(tokens: Sequence[Token], result: Lines) -> list[str]:
    lines: list[str] = []
    index = 0
    while index < len(tokens):
        end = closing(tokens, index)
        token = tokens[index]
        marker = f"{token.info}{token.markup}" if token.info else token.markup
        inner = _lines(tokens[index + 1 : end], result) or [""]
        indent = " " * (len(marker) + 1)
        lines.append(f"{marker} {inner[0]}".rstrip())
        lines += [f"{indent}{line}" if line else "" for line in inner[1:]]
        index = end + 1
    return lines
