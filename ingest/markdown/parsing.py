"""The CommonMark parser with the few block rules that books need on top; front matter is taken off before."""

import re
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.paragraph import paragraph
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_PROPERTY = re.compile(r"""([A-Za-z][\w.-]*)\s*[:=]\s*(?:"([^"]*)"\s*$|'([^']*)'\s*$|(.*)$)""")
_OTHER_LINE = re.compile(r"\s*(?:#.*|-.*|\[.*|[\]}].*|\s\s.*)?$")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:[ \t]")
# `{#id .class}` (Pandoc, kramdown) and `:label:`id`` (MyST, d2l) at the end of a heading or on a line of their own.
_MARK = r"(?:\{:?[ \t]*[#.][^}\n]*\}|:[a-z]+:`[^`\n]*`|\{[a-z]+\}`[^`\n]*`)"
_TRAILING_MARKS = re.compile(rf"(?:[ \t]*{_MARK})+[ \t]*$")
_MARKS_ALONE = re.compile(rf"[ \t]*{_MARK}(?:[ \t]*{_MARK})*[ \t]*$")
# "[**text**]": d2lbook takes what stands so onto its slides, and prints no brackets.
_SLIDE_MARK = re.compile(r"\[\*\*(?=\S)([^\]\[\n]*?)\*\*\](?![\[(:])")
_LONGEST_MARKS = 300
_LABEL = re.compile(r":(?:eq)?label:`([^`\n]+)`|\{:?[ \t]*#([^\s}]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """The tokens of a document and the properties of its front matter."""

    tokens: list[Token]
    properties: dict[str, str]


def parse(text: str) -> Parsed:
    """Parse one document. Tokens of paragraphs and headings carry the labels found in `meta["before"]` and `meta["own"]`."""
    properties, body = split_front_matter(text)
    return Parsed(tokens=_parser().parse(body), properties=properties)


def parse_inline(text: str) -> list[Token]:
    """The inline tokens of one line of Markdown."""
    return _parser().parseInline(text)[0].children or []


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """The plain `key: value` (or TOML `key = value`) lines of the front matter, and the rest; {} when there is none."""
    match = _FRONT_MATTER.match(text.removeprefix("\ufeff"))
    if not match:
        return {}, text
    properties: dict[str, str] = {}
    for line in match[2].splitlines():
        found = _PROPERTY.match(line)
        if found:
            value = next((group for group in found.groups()[1:] if group), "").strip()
            if value and value[0] not in "[{|>&*":
                properties[found[1]] = value
        elif not _OTHER_LINE.match(line):
            return {}, text
    return properties, text.removeprefix("\ufeff")[match.end() :]


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 40}).enable("table")
    parser.block.ruler.before("reference", "display_math", _display_math, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    parser.block.ruler.before("reference", "footnote_text", _footnote_text, {"alt": ["paragraph"]})
    parser.core.ruler.after("block", "labels", _take_labels)
    return parser


def _display_math(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`$$ ... $$` as one block, so that its lines are no lists or headings."""
    if state.is_code_block(start) or not _line(state, start).startswith("$$"):
        return False
    stop = start
    if _line(state, start).rstrip().count("$$") < 2:
        stop = next((line for line in range(start + 1, end) if "$$" in _line(state, line)), -1)
        if stop < 0 or any(not _line(state, line).strip() for line in range(start, stop)):
            return False
    if silent:
        return True
    token = state.push("display_math", "", 0)
    token.content = "\n".join(_line(state, line).rstrip() for line in range(start, stop + 1))
    token.map = [start, stop + 1]
    state.line = stop + 1
    return True


def _footnote_text(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`[^1]: text` stays text where it stands; CommonMark alone would take `[^1]: word` for a link definition and drop it."""
    if not _FOOTNOTE.match(_line(state, start)):
        return False
    return silent or paragraph(state, start, end, silent)


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _take_labels(state: StateCore) -> None:
    """Move label marks from the texts into `meta`: on leading lines they name the block before, else the block they stand in."""
    opener = Token("", "", 0)
    for token in state.tokens:
        if token.type == "inline":
            token.content = _SLIDE_MARK.sub(r"**\1**", token.content) if "[**" in token.content else token.content
            if opener.type == "heading_open":
                tail = max(0, len(token.content) - _LONGEST_MARKS)
                marks = _TRAILING_MARKS.search(token.content, tail)
                if marks and marks.start() > 0:
                    token.content = token.content[: marks.start()]
                    token.meta = {"own": _labels(marks.group())}
            elif ":`" in token.content or "{" in token.content:
                _take_label_lines(token)
        opener = token


def _take_label_lines(token: Token) -> None:
    kept: list[str] = []
    before: list[str] = []
    own: list[str] = []
    for line in token.content.split("\n"):
        if _MARKS_ALONE.match(line) and not line.strip().startswith((":numref:", ":eqref:", ":ref:", ":cite:")):
            (own if kept else before).extend(_labels(line))
        else:
            kept.append(line)
    if before or own or len(kept) <= token.content.count("\n"):
        token.content = "\n".join(kept)
        token.meta = {"before": before, "own": own}


def _labels(marks: str) -> list[str]:
    return [first or second for first, second in _LABEL.findall(marks)]
