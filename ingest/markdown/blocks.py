"""Markdown tokens become blocks: headings with anchors, and text under them in reading order. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from markdown_it.token import Token

from ingest.blocks import Block, BlockKind, Link
from ingest.markdown.components import component_caption, is_component
from ingest.markdown.fragments import fragment_blocks
from ingest.markdown.inlines import render
from ingest.markdown.parsing import parse_inline
from ingest.markdown.rendering import Lines, closing, html_text, render_nested, table_rows
from ingest.markdown.slugs import Slugs

_ANCHOR = re.compile(r"""<\w+[^<>]*?\s(?:id|name)\s*=\s*["']?([^\s"'<>]+)""")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:")


def blocks_of(tokens: Sequence[Token]) -> tuple[Block, ...]:
    """The blocks of one parsed document. Headings inside quotes and lists are text of those."""
    walker = _Walker()
    index = 0
    while index < len(tokens):
        end = closing(tokens, index)
        walker.take(tokens[index], tokens[index + 1 : end])
        index = end + 1
    return tuple(walker.blocks)


@dataclass(slots=True, kw_only=True)
class _Walker:
    blocks: list[Block] = field(default_factory=list)
    slugs: Slugs = field(default_factory=Slugs)
    waiting: list[str] = field(default_factory=list)

    def take(self, token: Token, inner: Sequence[Token]) -> None:
        kind = token.type
        if kind == "heading_open":
            self._heading(int(token.tag[1]), inner[0])
        elif kind == "paragraph_open":
            self._paragraph(inner[0])
        elif kind in ("fence", "code_block"):
            self._add("code", Lines(lines=token.content.rstrip("\n").split("\n")))
        elif kind == "display_math":
            self._add("paragraph", Lines(lines=[token.content]))
        elif kind in ("bullet_list_open", "ordered_list_open"):
            self._add("list", render_nested([token, *inner, Token(kind.replace("open", "close"), "", -1)]))
        elif kind == "blockquote_open":
            self._add("quote", render_nested(inner))
        elif kind == "table_open":
            lines = Lines()
            lines.lines = table_rows(inner, lines)
            self._add("table", lines, header_rows=2)
        elif kind == "html_block":
            self._html(token.content)

    def _heading(self, level: int, inline: Token) -> None:
        inlines = render(inline.children or [], plain=True)
        text = " ".join(inlines.text.split())
        if not text:
            self.waiting += inlines.anchors
            return
        anchors = (*self._waited(), *inlines.anchors, *_marked(inline, "own"), self.slugs.next(text))
        links = tuple(inlines.links)
        self.blocks.append(
            Block(kind="heading", text=text, level=level, source="style", links=links, anchors=tuple(dict.fromkeys(anchors)))
        )

    def _paragraph(self, inline: Token) -> None:
        self._label_before(_marked(inline, "before"))
        children = inline.children or []
        lines = Lines()
        lines.lines = lines.add(render(children))
        lines.anchors += _marked(inline, "own")
        images = [child for child in children if child.type not in ("softbreak", "hardbreak") and child.content.strip()]
        if images and all(child.type == "image" for child in images):
            self._add("caption", lines)
        else:
            self._add("footnote" if _FOOTNOTE.match(lines.text) else "paragraph", lines)

    def _html(self, markup: str) -> None:
        markup = _COMMENT.sub("", markup)
        self.waiting += _ANCHOR.findall(markup)
        if is_component(markup):
            lines = Lines()
            lines.lines = lines.add(render(parse_inline(component_caption(markup))))
            self._add("caption", lines)
            return
        blocks = fragment_blocks(markup)
        if blocks is None:
            self._add("paragraph", Lines(lines=[html_text(markup)]))
        for block in blocks or ():
            own = (*block.anchors, self.slugs.next(block.text)) if block.kind == "heading" else block.anchors
            self.blocks.append(replace(block, anchors=tuple(dict.fromkeys((*self._waited(), *own)))))

    def _add(self, kind: BlockKind, lines: Lines, header_rows: int = 0) -> None:
        text = lines.text
        if not text.strip():
            self.waiting += lines.anchors
            return
        anchors = tuple(dict.fromkeys((*self._waited(), *lines.anchors)))
        links: tuple[Link, ...] = tuple(dict.fromkeys(lines.links))
        self.blocks.append(Block(kind=kind, text=text, links=links, anchors=anchors, header_rows=header_rows))

    def _label_before(self, labels: list[str]) -> None:
        if labels and self.blocks:
            last = self.blocks[-1]
            self.blocks[-1] = replace(last, anchors=(*last.anchors, *labels))
        else:
            self.waiting += labels

    def _waited(self) -> list[str]:
        waited, self.waiting = self.waiting, []
        return waited


def _marked(inline: Token, place: str) -> list[str]:
    return list(inline.meta.get(place, ()))
