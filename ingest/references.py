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
from es_mappings.titles import normalise_title
from ingest.anchors import Anchors, linked_document
from ingest.chunking import Chunk
from ingest.labelling import SectionLabels
from ingest.outline import Outline

_QUOTED = re.compile(
    r"[\"“「『]([^\"“”「」『』]{2,120})[\"”」』]\s*(?:\w+\s+)?(?:sub)?(?:section|chapter|appendix|一?[章节節]|部分|小节|附录|附錄)",
    re.IGNORECASE,
)
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
    """The document labels among `labels`, looked up in a registry of normalised titles and aliases (es_mappings.titles)."""
    found = []
    for label in labels:
        title, section = split_document_label(label)
        if title:
            found.append(Resolution(label=label, doc_ids=tuple(registry.get(title, ())), section=section))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    label: str
    section: int | None


class _Finder:
    def __init__(self, outline: Outline, labels: Sequence[SectionLabels]) -> None:
        self._outline = outline
        self._labels = labels
        self._anchors = Anchors(outline)
        self._own_title = normalise_title(outline.title)
        self._children: dict[int | None, list[int]] = {}
        self._by_label: dict[str, list[int]] = {}
        self._by_title: dict[str, list[int]] = {}
        for index, section in enumerate(outline.sections):
            self._children.setdefault(section.parent, []).append(index)
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
        for mention in find_labels(chunk.content):
            for label in mention.labels:
                found = self._mentioned(mention, label, chunk.section)
                if found.section is not None or mention.document or mention.kind in _CERTAIN_KINDS:
                    yield found
        for match in _QUOTED.finditer(chunk.content):
            sections = self._by_title.get(normalise_title(match[1]), [])
            if len(sections) == 1:
                yield self._at(sections[0])
        for match in _SEEN_DOCUMENT.finditer(chunk.content):
            yield _Found(label=document_label(normalise_title(match[1])), section=None)
        for link in chunk.links:
            section = self._anchors.section_of(link)
            if section:
                yield self._at(section)
            elif section is None and (document := linked_document(link)):
                yield _Found(label=document, section=None)

    def _at(self, section: int) -> _Found:
        """A reference that names its section by title or link: its label is the section's own first one, if it has any."""
        own = self._labels[section].own
        return _Found(label=own[0] if own else "", section=section)

    def _mentioned(self, mention: LabelMention, label: str, here: int) -> _Found:
        if mention.document and mention.document != self._own_title and mention.document not in self._by_title:
            return _Found(label=document_label(mention.document, label), section=None)
        if mention.relative in ("previous", "next"):
            neighbour = self._neighbour(label, here, step=-1 if mention.relative == "previous" else 1)
            return _Found(label="", section=None) if neighbour is None else self._at(neighbour)
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

    def _neighbour(self, kind: str, here: int, step: int) -> int | None:
        """The section before or after the chunk's own chapter (or section) among its siblings."""
        way = [index for index in self._way_up(here) if index]
        mine = next((i for i in way if any(split_label(label)[0] == kind for label in self._labels[i].own)), None)
        if mine is None or (kind == "section" and mine != here and len(self._children[self._outline.sections[here].parent]) > 1):
            return None  # below a numbered section "the next section" may be the next heading as well
        siblings = self._children[self._outline.sections[mine].parent]
        place = siblings.index(mine) + step
        return siblings[place] if 0 <= place < len(siblings) else None
