"""Nested reStructuredText (lists, quotes, tables) as lines of readable text. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from docutils import nodes

from ingest.blocks import Link
from ingest.rst.inline import Inlines, Names, render


@dataclass(slots=True, kw_only=True)
class Lines:
    """Lines of text with the links and anchors found on the way."""

    lines: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)

    def take(self, inlines: Inlines) -> list[str]:
        """The lines of some inline text; its links are kept here."""
        self.links += inlines.links
        self.anchors += inlines.anchors
        return inlines.text.split("\n") if inlines.text else []


def nested_lines(inner: Iterable[nodes.Node], names: Names) -> Lines:
    """The lines of nodes that stand one after the other."""
    result = Lines()
    result.lines = [line for node in inner for line in _lines(node, result, names)]
    return result


def table_rows(table: nodes.Node, result: Lines, names: Names) -> tuple[list[str], int]:
    """A table as Markdown rows, and how many of them are its head with the separator."""
    head = [_row(row, result, names) for part in table.findall(nodes.thead) for row in part.children]
    body = [_row(row, result, names) for part in table.findall(nodes.tbody) for row in part.children]
    width = max((len(row) for row in [*head, *body]), default=0)
    rows = [[*row, *[""] * (width - len(row))] for row in [*head, *body]]
    written = [f"| {' | '.join(row)} |" for row in rows]
    if head:
        written.insert(len(head), f"|{' --- |' * width}")
    return written, len(head) + 1 if head else 0


def _row(row: nodes.Node, result: Lines, names: Names) -> list[str]:
    cells: list[str] = []
    for entry in row.children:
        text = " ".join(line.strip() for child in entry.children for line in _lines(child, result, names) if line.strip())
        cells += [text.replace("|", "\\|"), *[""] * int(entry.get("morecols", 0) if isinstance(entry, nodes.Element) else 0)]
    return cells


def _lines(node: nodes.Node, result: Lines, names: Names) -> list[str]:
    def inner(nested: Iterable[nodes.Node]) -> list[str]:
        return [line for child in nested for line in _lines(child, result, names)]

    if isinstance(node, nodes.bullet_list):
        return [line for item in node.children for line in _marked("-", inner(item.children))]
    if isinstance(node, nodes.enumerated_list):
        start = int(node.get("start", 1))
        mark = node.get("suffix", ".") or "."
        return [line for n, item in enumerate(node.children, start) for line in _marked(f"{_ordinal(n, node)}{mark}", inner(item.children))]
    if isinstance(node, nodes.definition_list_item):
        term = " : ".join(
            " ".join(result.take(render(child, names))) for child in node.children if isinstance(child, nodes.term | nodes.classifier)
        )
        return [term, *(f"  {line}" for child in node.children if isinstance(child, nodes.definition) for line in inner(child.children))]
    if isinstance(node, nodes.field | nodes.option_list_item):
        name, body = node.children[0].astext(), inner(node.children[1].children)
        return _marked(f"{name}:" if isinstance(node, nodes.field) else name, body)
    if isinstance(node, nodes.line):
        return result.take(render(node, names)) or [""]
    if isinstance(node, nodes.literal_block | nodes.doctest_block | nodes.math_block):
        return node.astext().split("\n")
    if isinstance(node, nodes.table):
        return table_rows(node, result, names)[0]
    if isinstance(node, nodes.block_quote):
        return [f"  {line}" for line in inner(node.children)]
    if isinstance(node, nodes.TextElement):
        return result.take(render(node, names))
    return [] if isinstance(node, nodes.comment | nodes.system_message | nodes.raw) else inner(node.children)


def _marked(marker: str, lines: list[str]) -> list[str]:
    if not lines:
        return [marker]
    indent = " " * (len(marker) + 1)
    return [f"{marker} {lines[0]}", *(f"{indent}{line}" if line else "" for line in lines[1:])]


def _ordinal(number: int, node: nodes.enumerated_list) -> str:
    kind = str(node.get("enumtype", "arabic"))
    if kind.endswith("alpha") and number <= 26:
        letter = chr(ord("a") + number - 1)
        return letter.upper() if kind.startswith("upper") else letter
    return str(number)
