"""A docutils tree becomes blocks. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from docutils import nodes

from ingest.blocks import Block, BlockKind, Link
from ingest.rst.directives import CODE, IGNORED, Directive, read_directive
from ingest.rst.inline import Names, anchor_of, names_in, names_of, render
from ingest.rst.parsing import parse
from ingest.rst.rendering import Lines, nested_lines, table_rows

_LISTS = (nodes.bullet_list, nodes.enumerated_list, nodes.definition_list, nodes.field_list, nodes.option_list)
_SKIPPED = (nodes.comment, nodes.substitution_definition, nodes.transition, nodes.pending, nodes.raw, nodes.meta, nodes.decoration)
_DEEPEST = 10


def blocks_of(document: nodes.document) -> tuple[Block, ...]:
    """The blocks of a whole tree in reading order."""
    walk = Walk(names=names_of(document))
    walk.children(document.children, 1)
    return tuple(walk.blocks)


@dataclass(slots=True, kw_only=True)
class Walk:
    """The walk over one tree; `depth` counts directives inside directives, whose text is parsed again."""

    names: Names
    blocks: list[Block] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    depth: int = 0

    def children(self, inner: Iterable[nodes.Node], level: int) -> None:
        """Add nodes that stand one after the other; sections among them are on `level`."""
        for node in inner:
            self.visit(node, level)

    def visit(self, node: nodes.Node, level: int) -> None:
        """Add what a node shows."""
        if isinstance(node, nodes.section):
            self._section(node, level)
        elif isinstance(node, nodes.target):
            if not node.get("refuri"):
                self.waiting += [anchor_of(name) for name in names_in(node)]
        elif isinstance(node, nodes.paragraph):
            self._text("paragraph", node)
        elif isinstance(node, nodes.literal_block | nodes.doctest_block):
            self.add("code", Lines(lines=node.astext().split("\n")))
        elif isinstance(node, nodes.math_block):
            self.add("paragraph", Lines(lines=[node.astext()]))
        elif isinstance(node, _LISTS):
            self.add("list", nested_lines([node], self.names))
        elif isinstance(node, nodes.block_quote | nodes.Admonition | nodes.topic | nodes.sidebar):
            self.add("quote", nested_lines(node.children, self.names))
        elif isinstance(node, nodes.line_block):
            self.add("paragraph", nested_lines([node], self.names))
        elif isinstance(node, nodes.footnote | nodes.citation):
            self._footnote(node)
        elif isinstance(node, nodes.table):
            self._table(node)
        elif isinstance(node, nodes.image):
            self.add("caption", Lines(lines=[str(node.get("alt", ""))]))
        elif isinstance(node, nodes.system_message):
            self._unknown(node, level)
        elif isinstance(node, nodes.caption | nodes.rubric):
            self._text("caption", node)
        elif not isinstance(node, _SKIPPED):
            self.children(node.children, level)

    def add(self, kind: BlockKind, lines: Lines, header_rows: int = 0) -> None:
        """Add a block; anchors that wait for one go to it."""
        text = "\n".join(lines.lines).strip("\n").rstrip()
        self.waiting += lines.anchors
        if text.strip():
            links: tuple[Link, ...] = tuple(dict.fromkeys(lines.links))
            self.blocks.append(Block(kind=kind, text=text, links=links, anchors=self._waited(), header_rows=header_rows))

    def _section(self, node: nodes.section, level: int) -> None:
        inner = list(node.children)
        title = next((child for child in inner if isinstance(child, nodes.title)), None)
        words = render(title, self.names) if title is not None else None
        if words and words.text:
            own = [*node.get("ids", []), *(anchor_of(name) for name in names_in(node))]
            anchors = tuple(dict.fromkeys((*self._waited(), *own, *words.anchors)))
            self.blocks.append(
                Block(kind="heading", text=words.text, level=level, source="style", links=tuple(words.links), anchors=anchors)
            )
        self.children((child for child in inner if child is not title), level + 1)

    def _text(self, kind: BlockKind, node: nodes.Node) -> None:
        lines = Lines()
        lines.lines = lines.take(render(node, self.names))
        self.add(kind, lines)

    def _footnote(self, node: nodes.Element) -> None:
        self.waiting += node.get("ids", [])
        label = next((child.astext() for child in node.children if isinstance(child, nodes.label)), "#")
        lines = nested_lines([child for child in node.children if not isinstance(child, nodes.label)], self.names)
        lines.lines = [f"[{label}] {lines.lines[0]}", *lines.lines[1:]] if lines.lines else []
        self.add("footnote", lines)

    def _table(self, node: nodes.table) -> None:
        for child in node.children:
            if isinstance(child, nodes.title):
                self._text("caption", child)
        lines = Lines()
        lines.lines, header_rows = table_rows(node, lines, self.names)
        self.add("table", lines, header_rows=header_rows)

    def _unknown(self, node: nodes.system_message, level: int) -> None:
        """A directive of another tool comes back as a message that quotes its source."""
        source = next((child.astext() for child in node.children if isinstance(child, nodes.literal_block)), "")
        directive = read_directive(source)
        if directive is None or directive.name in IGNORED or directive.name.startswith("auto") or self.depth >= _DEEPEST:
            return
        if directive.name in CODE:
            self.add("code", Lines(lines=(directive.content or directive.argument).split("\n")))
            return
        self._directive(directive, level)

    def _directive(self, directive: Directive, level: int) -> None:
        if directive.argument:
            self.add("paragraph", Lines(lines=[directive.argument]))
        if directive.content:
            inner = Walk(names=self.names, blocks=self.blocks, waiting=self._waited_list(), depth=self.depth + 1)
            inner.children(parse(directive.content).children, level)
            self.waiting = inner.waiting

    def _waited(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._waited_list()))

    def _waited_list(self) -> list[str]:
        waited, self.waiting = self.waiting, []
        return waited
