"""Directives that docutils does not know: what they hold is text all the same. Pure."""

import re
from dataclasses import dataclass

_HEAD = re.compile(r"\s*\.\.[ \t]+(?:\|[^|]+\|[ \t]+)?([\w:+.-]+?)[ \t]*::[ \t]*(.*)", re.DOTALL)
_OPTION = re.compile(r"[ \t]*:[\w-]+:(?:[ \t].*)?$")
CODE = frozenset({"code-block", "sourcecode", "code", "parsed-literal", "doctest", "testcode", "prompt", "ipython", "productionlist"})
IGNORED = frozenset(
    {
        "toctree", "raw", "include", "literalinclude", "index", "contents", "currentmodule",
        "module", "highlight", "only", "tabularcolumns", "sectionauthor",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """A directive as written: its name, the words on its first lines, and the text under it without its indentation."""

    name: str
    argument: str
    content: str


def read_directive(source: str) -> Directive | None:
    """The directive of a block of source; None when it is something else."""
    match = _HEAD.match(source.expandtabs(8))
    if not match:
        return None
    first, _, rest = match[2].partition("\n")
    lines = rest.split("\n")
    while lines and (_OPTION.match(lines[0])) and lines[0].strip():
        lines.pop(0)
    filled = [line for line in lines if line.strip()]
    depth = min((len(line) - len(line.lstrip()) for line in filled), default=0)
    content = "\n".join(line[depth:] for line in lines).strip("\n")
    return Directive(name=match[1].casefold(), argument=first.strip(), content=content)
