"""The text of one paragraph: runs, fields, links, notes and boxes, with tracked changes accepted and hidden text left out."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ingest.blocks import Link
from ingest.word.fields import FieldStack, Instruction
from ingest.word.formatting import RunFormat, run_format
from ingest.word.formulas import formula_text
from ingest.word.names import MC, VAL, Element, M, R, W, chosen_alternative
from ingest.word.package import Relationship
from ingest.word.pieces import Findings, note_mark
from ingest.word.styles import ParagraphStyle, StyleSheet
from ingest.word.symbols import symbol, unmapped

_SMALLEST_SEEN = 1.0
_WHITE = "ffffff"


@dataclass(slots=True)
class Inline:
    """What was read of a paragraph; `tally` counts the visible characters of each formatting, `spans` their order."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    tally: Counter[RunFormat] = field(default_factory=Counter)
    spans: list[tuple[RunFormat, int]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    break_before: bool = False
    break_after: bool = False
    has_sequence: bool = False
    in_contents: bool = False

    @property
    def text(self) -> str:
        """All the text so far."""
        return "".join(self.parts)

    def append(self, text: str) -> None:
        """Go on with `text`."""
        self.parts.append(text)
        self.length += len(text)

    def since(self, place: int) -> str:
        """The text from a place on, without joining what stands before."""
        first, length = len(self.parts), self.length
        while first > 0 and length > place:
            first -= 1
            length -= len(self.parts[first])
        return "".join(self.parts[first:])[place - length :]


class InlineReader:
    """Reads paragraphs one after the other; fields may go on from one to the next."""

    def __init__(self, styles: StyleSheet, links: dict[str, Relationship], fields: FieldStack, findings: Findings) -> None:
        self._styles = styles
        self._links = links
        self._fields = fields
        self._findings = findings
        self._formats: dict[tuple[str, str, RunFormat], RunFormat] = {}
        self._now = Inline()
        self._style = styles.paragraph_style(None)
        self._on_shade = False
        self._after_formula = 0
        self._readers: dict[str, Callable[[Element], None]] = {
            W + "r": self._run,
            W + "hyperlink": self._hyperlink,
            W + "fldSimple": self._simple_field,
            W + "bookmarkStart": self._bookmark,
            W + "sdt": self._content_control,
            M + "oMath": self._formula,
            M + "oMathPara": self._formula,
            MC + "AlternateContent": self._alternative,
            **dict.fromkeys((W + name for name in ("ins", "moveTo", "smartTag", "customXml", "dir", "bdo")), self._children),
        }
        self._run_readers: dict[str, Callable[[Element, RunFormat], None]] = {
            MC + "AlternateContent": self._run_alternative,
            W + "br": self._break,
            W + "sym": self._symbol,
            W + "ruby": self._ruby,
            **dict.fromkeys((W + "footnoteReference", W + "endnoteReference"), self._note),
            **dict.fromkeys((W + "drawing", W + "pict", W + "object"), self._drawing),
        }

    def read(self, paragraphs: list[Element], style: ParagraphStyle, *, on_shade: bool) -> Inline:
        """The text of a paragraph (several when deleted paragraph marks joined them). `on_shade`: white letters are seen."""
        self._now, self._style, self._on_shade = Inline(), style, on_shade
        self._after_formula = 0
        self._fields.next_paragraph()
        self._now.in_contents = self._fields.in_contents
        for paragraph in paragraphs:
            self._children(paragraph)
        return self._now

    def _children(self, element: Element) -> None:
        for child in element:
            reader = self._readers.get(child.tag)
            if reader is not None:
                reader(child)

    def _run(self, run: Element) -> None:
        properties = run.find(W + "rPr")
        fmt = self._format(properties)
        for child in run:
            tag = child.tag
            if tag == _TEXT:
                self._add(child.text or "", fmt)
            elif tag == _FIELD_MARK:
                self._field_mark(child)
            elif tag == _CODE:
                self._fields.code(child.text or "")
            else:
                sign = _SIGNS.get(tag)
                if sign is not None:
                    self._add(sign, fmt)
                elif tag in self._run_readers:
                    self._run_readers[tag](child, fmt)

    def _format(self, properties: Element | None) -> RunFormat:
        direct = run_format(properties)
        style_id = ""
        if properties is not None:
            named = properties.find(W + "rStyle")
            style_id = "" if named is None else named.get(VAL, "")
        key = (self._style.id, style_id, direct)
        known = self._formats.get(key)
        if known is None:
            base = self._style.run
            known = direct.over(self._styles.character_style(style_id).toggled_over(base) if style_id else base).seen
            self._formats[key] = known
        return known

    def _add(self, text: str, fmt: RunFormat) -> None:
        if not text or not self._fields.shows:
            self._now.in_contents |= bool(text.strip()) and self._fields.in_contents
            return
        if fmt.hidden:
            self._findings.hidden_characters += len(text)
            return
        if self._is_invisible(fmt):
            self._findings.invisible_characters += len(text.strip())
            return
        text = unmapped(text, fmt.font or "")
        self._now.append(text)
        seen = len(text) - text.count(" ")
        self._now.tally[fmt] += seen
        self._now.spans.append((fmt, len(text)))

    def _is_invisible(self, fmt: RunFormat) -> bool:
        if fmt.size is not None and fmt.size <= _SMALLEST_SEEN:
            return True
        return fmt.colour == _WHITE and not fmt.shaded and not self._on_shade

    def _field_mark(self, mark: Element) -> None:
        kind = mark.get(W + "fldCharType")
        if kind == "begin":
            self._fields.begin()
        elif kind == "separate":
            self._fields.separate(self._now.length)
        elif kind == "end":
            self._close(*self._fields.end())

    def _close(self, instruction: Instruction, start: int) -> None:
        self._now.has_sequence |= instruction.kind == "SEQ"
        if instruction.target:
            self._link(instruction.target, start)

    def _link(self, target: str, start: int) -> None:
        covered = self._now.since(start).strip()
        if covered and self._fields.shows:
            self._now.links.append(Link(text=covered, target=target))

    def _simple_field(self, element: Element) -> None:
        self._fields.begin()
        self._fields.code(element.get(W + "instr", ""))
        self._fields.separate(self._now.length)
        self._children(element)
        self._close(*self._fields.end())

    def _hyperlink(self, element: Element) -> None:
        start = self._now.length
        self._children(element)
        relationship = self._links.get(element.get(R + "id", ""))
        address = relationship.target if relationship is not None and relationship.external else ""
        anchor = element.get(W + "anchor")
        target = address + (f"#{anchor}" if anchor else "")
        if target:
            self._link(target, start)

    def _bookmark(self, element: Element) -> None:
        self._now.anchors.extend(bookmark_names(element))

    def _formula(self, element: Element) -> None:
        text = formula_text(element)
        # Formulas side by side are apart on the page, without a character between them.
        joint = " " if self._after_formula and self._now.length == self._after_formula else ""
        self._add(joint + text, self._format(None))
        self._after_formula = self._now.length

    def _alternative(self, element: Element) -> None:
        branch = chosen_alternative(element)
        if branch is not None:
            self._children(branch)

    def _run_alternative(self, element: Element, fmt: RunFormat) -> None:
        branch = chosen_alternative(element)
        for child in () if branch is None else branch:
            if child.tag in self._run_readers:
                self._run_readers[child.tag](child, fmt)
            elif child.tag == _TEXT:
                self._add(child.text or "", fmt)

    def _break(self, element: Element, fmt: RunFormat) -> None:
        if element.get(W + "type") == "page":
            if any(part.strip() for part in self._now.parts):
                self._now.break_after = True
            else:
                self._now.break_before = True
        elif self._now.length:
            self._add("\n", fmt)

    def _symbol(self, element: Element, fmt: RunFormat) -> None:
        self._add(symbol(element.get(W + "font", ""), element.get(W + "char")), fmt)

    def _ruby(self, element: Element, _: RunFormat) -> None:
        base = element.find(W + "rubyBase")
        if base is not None:
            self._children(base)

    def _note(self, element: Element, _: RunFormat) -> None:
        kind = "endnote" if element.tag == W + "endnoteReference" else "footnote"
        if self._fields.shows:
            key = f"{kind}:{element.get(W + 'id', '')}"
            self._now.notes.append(key)
            self._now.append(note_mark(self._findings.note_number(key)))

    def _drawing(self, element: Element, _: RunFormat) -> None:
        boxes = list(_outermost_boxes(element))
        self._now.boxes.extend(boxes)
        if not boxes:
            self._findings.pictures += 1

    def _content_control(self, element: Element) -> None:
        content = element.find(W + "sdtContent")
        # A placeholder ("Click to enter text") is the program's text, not the author's.
        if content is not None and element.find(f"{W}sdtPr/{W}showingPlcHdr") is None:
            self._children(content)


def bookmark_names(element: Element) -> list[str]:
    """The name of a bookmark that begins, or none for Word's own mark of the last edit."""
    name = element.get(W + "name")
    return [name] if name and name != "_GoBack" else []


def _outermost_boxes(element: Element) -> Iterator[Element]:
    """The contents of text boxes in a drawing; of alternatives one, and boxes in boxes come with the outer one."""
    for child in element:
        if child.tag == _BOX:
            yield child
        elif child.tag == MC + "AlternateContent":
            branch = chosen_alternative(child)
            if branch is not None:
                yield from _outermost_boxes(branch)
        else:
            yield from _outermost_boxes(child)


_TEXT, _FIELD_MARK, _CODE, _BOX = W + "t", W + "fldChar", W + "instrText", W + "txbxContent"
_SIGNS = {W + "tab": "\t", W + "ptab": "\t", W + "cr": "\n", W + "noBreakHyphen": "-", W + "softHyphen": ""}
