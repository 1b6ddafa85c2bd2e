"""What each chunk refers to: divisions named in its text, headings named in quotes, links. Pure.

A reference is kept as a label ("section 3.2"), and as a target when exactly one section of the document has it; ambiguous and missing
ones stay labels alone and so stay visible. A place in another document is "doc:TITLE > LABEL"; `resolve` finds it among the titles
and aliases known at the time of reading, so a document that arrives later is found, too.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from es_mappings.label_numbers import label_fallbacks, qualify, split_label
from es_mappings.labels import LabelMention, document_label, find_labels, split_document_label
from es_mappings.titles import documents_called, normalise_title
from ingest.anchors import Anchors, linked_document
from ingest.chunking import Chunk
from ingest.labelling import SectionLabels
from ingest.neighbours import Neighbours, sentence_around
from ingest.outline import Outline

_TITLE = r"[\"“「『](?P<title>[^\"“”「」『』]{2,120})[\"”」』]"
_QUOTED = (
    re.compile(rf"{_TITLE}\s*(?:\w+\s+)?(?:sub)?(?:section|chapter|appendix|一?[章节節]|部分|小节|附录|附錄)", re.IGNORECASE),
    re.compile(rf"(?:\b(?:sub)?(?:section|chapter|appendix)|[章节節]|部分|小节)[,，]?\s*{_TITLE}", re.IGNORECASE),
)
# Links that lead to no section, though one is around their target: marks of notes and citations, figures, tables, pages.
_NO_SECTION = re.compile(
    r"[\d\s,;()\[\]*†‡¶–-]+"
    r"|(?:fig(?:ure)?s?|tab(?:le)?s?|box|listings?|eq(?:uation)?s?|(?:foot|end)?notes?|pages?|pp?|[图圖表例式页頁]|公式|代码|脚注)\.?\s*\(?[\w.–-]*\)?",
    re.IGNORECASE,
)
# Labels of figures, tables, equations and listings, as authors begin them.
_NO_DIVISION = re.compile(r"(?:fig|tab|tbl|eq|img|lst|listing|code|alg|thm)[a-z]*[_:.-]", re.IGNORECASE)
# How far from a quoted title the chapter may stand that it is said to be in: "the “Slices” section of Chapter 4".
_NEAR_TITLE = 40
_SEEN_DOCUMENT = re.compile(
    r"(?:参见|參見|详见|詳見|参阅|参考|请见|另见|见|見)\s*《([^《》]{1,100})》(?!\s*(?:的|中|中的)?\s*(?:第|附录|§|\d))"
)

# "The first part of the output", "vol. 36", "module 2": no references in a document without such divisions.
_CERTAIN_KINDS = frozenset({"chapter", "section", "appendix", "annex", "article", "lecture", "clause", "paragraph"})


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """The references of one chunk.

    `labels`: all of them, in the order of the text. `targets`: the ordinals (`Section.ordinals`) of the sections of this document
    that they lead to. `unresolved`: those of the labels that lead to none here: missing, ambiguous, or in another document.
    """

    labels: tuple[str, ...] = ()
    targets: tuple[tuple[int, ...], ...] = ()
    unresolved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """A document label looked up: the ids of the documents with that title or alias (none: missing, several: ambiguous), and the
    label inside ("" for the whole document)."""

    label: str
    doc_ids: tuple[str, ...]
    section: str


def find_references(outline: Outline, chunks: Sequence[Chunk], labels: Sequence[SectionLabels]) -> tuple[References, ...]:
    """The references of each chunk, in order; a chunk's mention of its own section is none."""
    finder = _Finder(outline, labels)
    return tuple(finder.references_of(chunk) for chunk in chunks)


def resolve(labels: Sequence[str], registry: Mapping[str, Sequence[str]]) -> tuple[Resolution, ...]:
    """The document labels among `labels`, looked up in a registry of titles and aliases (`es_mappings.titles.title_registry`)."""
    found = []
    for label in labels:
        title, section = split_document_label(label)
        if title:
            found.append(Resolution(label=label, doc_ids=documents_called(title, registry), section=section))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    label: str
    section: int | None


def _is_title_line(mention: LabelMention, text: str) -> bool:
    """Whether a mention in capitals is all that stands on its line: "CHAPTER 7" there is a title or a running head."""
    line = text[text.rfind("\n", 0, mention.start) + 1 : mention.end]
    following = text[mention.end : mention.end + 1]
    return line.strip().isupper() and line.strip() == text[mention.start : mention.end].strip() and following in ("", "\n")


class _Finder:
    def __init__(self, outline: Outline, labels: Sequence[SectionLabels]) -> None:
        self._outline = outline
        self._labels = labels
        self._anchors = Anchors(outline)
        self._own_title = normalise_title(outline.title)
        self._neighbours = Neighbours(outline, labels)
        self._by_label: dict[str, list[int]] = {}
        self._by_title: dict[str, list[int]] = {}
        for index, section in enumerate(outline.sections):
            for label in labels[index].own:
                self._by_label.setdefault(label, []).append(index)
            if index:
                self._by_title.setdefault(normalise_title(section.title), []).append(index)

    def references_of(self, chunk: Chunk) -> References:
        found = [one for one in self._all(chunk) if one.section != chunk.section]
        targets = dict.fromkeys(self._outline.sections[one.section].ordinals for one in found if one.section is not None)
        resolved = {one.label for one in found if one.section is not None}
        labels = tuple(dict.fromkeys(one.label for one in found if one.label))
        unresolved = tuple(label for label in labels if label not in resolved)
        return References(labels=labels, targets=tuple(targets), unresolved=unresolved)

    def _all(self, chunk: Chunk) -> Iterator[_Found]:
        mentions = [mention for mention in find_labels(chunk.content) if not _is_title_line(mention, chunk.content)]
        for mention in mentions:
            for label in mention.labels:
                found = self._mentioned(mention, label, chunk.section, chunk.content)
                if found.section is not None or mention.document or mention.kind in _CERTAIN_KINDS:
                    yield found
        for pattern in _QUOTED:
            for match in pattern.finditer(chunk.content):
                section = self._titled(match, mentions, chunk.section)
                if section is not None:
                    yield self._at(section)
        for match in _SEEN_DOCUMENT.finditer(chunk.content):
            yield _Found(label=document_label(normalise_title(match[1])), section=None)
        for link in chunk.links:
            if _NO_SECTION.fullmatch(link.text.strip()):
                continue
            section = self._anchors.section_of(link)
            if section:
                yield self._at(section)
            elif section is None and (document := linked_document(link)):
                yield _Found(label=document, section=None)
            elif section is None and link.target == f"#{link.text}" and not _NO_DIVISION.match(link.text):
                # A cross reference by label (`:numref:` and its like) to a place that is not in this document.
                yield _Found(label=link.target, section=None)

    def _at(self, section: int) -> _Found:
        """A reference that names its section by title or link: its label is the section's own first one, if it has any."""
        own = self._labels[section].own
        return _Found(label=own[0] if own else "", section=section)

    def _titled(self, match: re.Match[str], mentions: Sequence[LabelMention], here: int) -> int | None:
        """The one section with a quoted title; of several the one in the chapter named beside it, or in the chunk's own."""
        sections = self._by_title.get(normalise_title(match["title"]), [])
        if len(sections) < 2:
            return sections[0] if sections else None
        near = {
            label
            for mention in mentions
            if mention.start < match.end() + _NEAR_TITLE and mention.end > match.start() - _NEAR_TITLE
            for label in mention.labels
        }
        inside = [index for index in sections if near.intersection(self._labels[index].inherited)]
        nearest = inside or self._nearest(sections, here)
        return nearest[0] if len(nearest) == 1 else None

    def _mentioned(self, mention: LabelMention, label: str, here: int, content: str) -> _Found:
        if mention.document and mention.document != self._own_title and mention.document not in self._by_title:
            return _Found(label=document_label(mention.document, label), section=None)
        if mention.relative in ("previous", "next"):
            step = -1 if mention.relative == "previous" else 1
            said = sentence_around(content, mention.start)
            near = self._neighbours.section(here, step, said) if label == "section" else self._neighbours.chapter(label, here, step)
            return _Found(label=f"{mention.relative} {label}", section=None) if near is None else self._at(near)
        if mention.relative:
            label = self._inside(mention.relative, label, here)
        return _Found(label=label, section=self._section_of(label, mention, here))

    def _section_of(self, label: str, mention: LabelMention, here: int) -> int | None:
        """The one section with a label, or with what it falls back to; of several the one that shares the chunk's chapter or part."""
        for candidate in (label, *label_fallbacks(label)):
            sections = [index for index in self._by_label.get(candidate, ()) if not self._differs(index, mention)]
            if len(sections) > 1:
                sections = self._nearest(sections, here)
            if sections:
                return sections[0] if len(sections) == 1 else None
        return self._local(label, here) if mention.style == "letter" else None

    def _local(self, label: str, here: int) -> int | None:
        """The section that "Section C" or "Section D.2" means inside chapter 4: 4.C, seen from the deepest section that has one."""
        number = split_label(label)[1]
        for outer in reversed(self._labels[here].inherited):
            sections = self._by_label.get(f"section {split_label(outer)[1]}.{number}", ())
            if len(sections) == 1:
                return sections[0]
        return None

    def _differs(self, index: int, mention: LabelMention) -> bool:
        """ "Section 3" is not the heading "III.": within a document one style is kept, the other numbers a law."""
        return {self._labels[index].style, mention.style} == {"digits", "roman"}

    def _nearest(self, sections: Sequence[int], here: int) -> list[int]:
        """Those of several sections that share the deepest section above with a chunk's section."""
        above = self._way_up(here)
        depths = [next((above.index(i) for i in self._way_up(index) if i in above), len(above)) for index in sections]
        nearest = min(depths)
        return [index for index, depth in zip(sections, depths, strict=True) if depth == nearest]

    def _way_up(self, index: int) -> list[int]:
        way = [index]
        while (parent := self._outline.sections[way[-1]].parent) is not None:
            way.append(parent)
        return way

    def _inside(self, kind: str, label: str, here: int) -> str:
        """The label of a division inside the chunk's own one of a kind: section 2 "of this chapter", in chapter 3, is section 3.2."""
        for outer in reversed(self._labels[here].inherited):
            if split_label(outer)[0] == kind:
                nested = qualify(outer, label) or (self._deeper(outer, label) if kind == "section" else None)
                if nested and nested in self._by_label:
                    return nested
        return f"this {kind} {label}"

    def _deeper(self, outer: str, label: str) -> str | None:
        kind, number = split_label(label)
        return f"{outer}.{number}" if kind == "section" and "." not in number else None
