"""The style sheet: what each style means, resolved along its chain of base styles over the document's defaults."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ingest.word import style_names
from ingest.word.formatting import ParagraphFormat, RunFormat, paragraph_format, run_format
from ingest.word.names import Element, W, child_value

BODY_OUTLINE = 9
_MOST_BASES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """One style as written: its own formatting and the id of its base style ("" when it has none)."""

    id: str
    names: tuple[str, ...]
    kind: str
    base: str = ""
    paragraph: ParagraphFormat = field(default_factory=ParagraphFormat)
    run: RunFormat = field(default_factory=RunFormat)
    marks_first_row: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ParagraphStyle:
    """A paragraph style with all it inherits.

    `level` is the heading level (from 1) that its name, its chain of bases or its outline level gives, None for text; `by_name`
    says that a heading name (not an outline level alone) gave it. `number_chain` are the ids of the style and its bases down to the
    one that refers to a list, each with the list level that it says itself (None for none).
    """

    id: str
    paragraph: ParagraphFormat
    run: RunFormat
    level: int | None = None
    by_name: bool = False
    number_chain: tuple[tuple[str, int | None], ...] = ()
    is_contents: bool = False
    is_title: bool = False
    is_caption: bool = False
    is_quote: bool = False
    is_code: bool = False


class StyleSheet:
    """All styles of a document; resolving is remembered, because thousands of paragraphs share a few styles."""

    def __init__(self, root: Element | None) -> None:
        self._styles: dict[str, Style] = {}
        self._resolved: dict[str, ParagraphStyle] = {}
        self._run_chains: dict[str, RunFormat] = {}
        self._default_paragraph, self._default_run = ParagraphFormat(), RunFormat()
        self.default = ""
        if root is not None:
            self._load(root)

    def paragraph_style(self, style_id: str | None) -> ParagraphStyle:
        """The resolved style of a paragraph; an unknown or missing id gives the default style, a telling id still its level."""
        wanted = style_id or self.default
        known = self._resolved.get(wanted)
        if known is None:
            known = self._resolved[wanted] = self._resolve(wanted)
        return known

    def character_style(self, style_id: str) -> RunFormat:
        """What a character style says along its chain, without the defaults."""
        known = self._run_chains.get(style_id)
        if known is None:
            known = RunFormat()
            for style in reversed(list(self._chain(style_id))):
                known = style.run.over(known)
            self._run_chains[style_id] = known
        return known

    def numbering_of(self, style_id: str) -> str | None:
        """The number id that a (numbering) style refers to, or None."""
        return next((s.paragraph.number_id for s in self._chain(style_id) if s.paragraph.number_id is not None), None)

    def marks_first_row(self, style_id: str) -> bool:
        """Whether a table style sets the first row apart."""
        return any(style.marks_first_row for style in self._chain(style_id))

    def _load(self, root: Element) -> None:
        defaults = root.find(W + "docDefaults")
        if defaults is not None:
            self._default_run = run_format(defaults.find(f"{W}rPrDefault/{W}rPr"))
            self._default_paragraph = paragraph_format(defaults.find(f"{W}pPrDefault/{W}pPr"))
        for element in root.iter(W + "style"):
            style = _read_style(element)
            earlier = self._styles.get(style.id)
            if earlier is not None and earlier.kind == style.kind:
                # Some programs write a style twice; the later one wins where it says something.
                style = replace(
                    style,
                    names=(*style.names, *earlier.names),
                    base=style.base or earlier.base,
                    paragraph=style.paragraph.over(earlier.paragraph),
                    run=style.run.over(earlier.run),
                )
            self._styles[style.id] = style
            if style.kind == "paragraph" and element.get(W + "default") in ("1", "true", "on"):
                self.default = style.id

    def _chain(self, style_id: str) -> Iterator[Style]:
        """The style and its bases, nearest first; a circle ends."""
        seen: set[str] = set()
        while style_id and style_id not in seen and len(seen) < _MOST_BASES:
            seen.add(style_id)
            style = self._styles.get(style_id)
            if style is None:
                return
            yield style
            style_id = style.base

    def _resolve(self, style_id: str) -> ParagraphStyle:
        chain = list(self._chain(style_id))
        if not chain and style_id != self.default:
            chain = list(self._chain(self.default))
        paragraph, run = self._default_paragraph, self._default_run
        for style in reversed(chain):
            paragraph, run = style.paragraph.over(paragraph), style.run.over(run)
        level, by_name = _heading_level(chain if style_id in self._styles else [Style(id=style_id, names=(), kind="paragraph")])
        own = list(chain[0].names if chain else (style_id,))
        chained = [name for style in chain for name in style.names] or own
        is_contents = any(map(style_names.is_contents, own))
        return ParagraphStyle(
            id=style_id,
            paragraph=replace(paragraph, outline=None),
            run=run,
            level=None if is_contents else level,
            by_name=by_name,
            number_chain=_number_chain(chain),
            is_contents=is_contents,
            is_title=any(map(style_names.is_title, chained)) and level is None,
            is_caption=any(map(style_names.is_caption, chained)),
            is_quote=any(map(style_names.is_quote, chained)),
            is_code=any(map(style_names.is_code, chained)),
        )


def _read_style(element: Element) -> Style:
    name = child_value(element, "name") or ""
    aliases = child_value(element, "aliases") or ""
    names = tuple(text for text in (name, *aliases.split(",")) if text.strip())
    return Style(
        id=element.get(W + "styleId") or name,
        names=names,
        kind=element.get(W + "type", "paragraph"),
        base=child_value(element, "basedOn") or "",
        paragraph=paragraph_format(element.find(W + "pPr")),
        run=run_format(element.find(W + "rPr")),
        marks_first_row=any(len(part) > 0 and part.get(W + "type") == "firstRow" for part in element.iter(W + "tblStylePr")),
    )


def _number_chain(chain: list[Style]) -> tuple[tuple[str, int | None], ...]:
    last = next((place for place, style in enumerate(chain) if style.paragraph.number_id is not None), -1)
    return tuple((style.id, style.paragraph.number_level) for style in chain[: last + 1])


def _heading_level(chain: list[Style]) -> tuple[int | None, bool]:
    """The nearest word on the matter: an outline level, or the name of a heading style, along the chain of bases.

    Outline level 9 says "body text" and ends the search: that is how the heading over a table of contents is kept out.
    """
    for place, style in enumerate(chain):
        level = next((found for found in map(style_names.heading_level, (*style.names, style.id)) if found), None)
        if level is not None:
            return level, True
        outline = style.paragraph.outline
        if outline is not None:
            if outline >= BODY_OUTLINE:
                return None, False
            named_base = any(style_names.heading_level(name) for base in chain[place + 1 :] for name in base.names)
            return outline + 1, named_base
    return None, False
