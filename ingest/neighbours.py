""" "The next section", "上一章": which section that is, seen from where it is said. Pure.

Writers mean the next numbered section as often as the next heading ("3.1 > Constants: ... types, in the next section" means 3.2). Where
the two differ, the words around the mention decide; where these are silent, nothing is resolved.
"""

import re
from collections.abc import Sequence

from es_mappings.label_numbers import split_label
from es_mappings.label_words import FUNCTION_WORDS
from ingest.labelling import SectionLabels
from ingest.outline import Outline
from ingest.sentences import sentence_spans

_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]{4,}")
_CHINESE = re.compile(r"[\u3400-\u9fff]+")


class Neighbours:
    """The sections before and after each section of an outline."""

    def __init__(self, outline: Outline, labels: Sequence[SectionLabels]) -> None:
        self._outline = outline
        self._labels = labels
        self._children: dict[int | None, list[int]] = {}
        for index, section in enumerate(outline.sections):
            self._children.setdefault(section.parent, []).append(index)

    def chapter(self, kind: str, here: int, step: int) -> int | None:
        """The division of a kind (chapter, appendix ...) before (-1) or after (+1) the one around a section."""
        mine = next((i for i in self._way_up(here) if any(split_label(label)[0] == kind for label in self._labels[i].own)), None)
        return None if mine is None else self._sibling(mine, step)

    def section(self, here: int, step: int, sentence: str) -> int | None:
        """The section before (-1) or after (+1); `sentence` is the one that says so. None when that is not clear."""
        below = self._children.get(here, []) if step > 0 else []
        around = self._beside(here, step)
        numbered = next((i for i in self._way_up(here) if self._is_numbered(i)), None)
        counted = self._sibling(numbered, step) if numbered is not None else None
        candidates = [i for i in dict.fromkeys((*below[:1], around, counted)) if i is not None]
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        words = _words(sentence)
        shared = [len(words & self._telling_words(i, candidates)) for i in candidates]
        best = max(shared)
        return candidates[shared.index(best)] if best and shared.count(best) == 1 else None

    def _beside(self, here: int, step: int) -> int | None:
        """The next heading that is not below this one, but no chapter: one level up only while there is one above."""
        for index in self._way_up(here):
            if (sibling := self._sibling(index, step)) is not None:
                is_chapter = index != here and self._outline.sections[index].parent == 0
                return None if is_chapter else sibling
        return None

    def _is_numbered(self, index: int) -> bool:
        kinds = {split_label(label)[0] for label in self._labels[index].own}
        return "section" in kinds and "chapter" not in kinds

    def _sibling(self, index: int, step: int) -> int | None:
        siblings = self._children[self._outline.sections[index].parent]
        place = siblings.index(index) + step
        return siblings[place] if 0 <= place < len(siblings) else None

    def _way_up(self, index: int) -> list[int]:
        """A section and those above it, the document left out."""
        way = []
        while index:
            way.append(index)
            index = self._outline.sections[index].parent or 0
        return way

    def _telling_words(self, index: int, candidates: Sequence[int]) -> set[str]:
        """The words of a title that the titles of the other candidates do not have."""
        others = [_words(self._outline.sections[i].title) for i in candidates if i != index]
        return _words(self._outline.sections[index].title).difference(*others)


def sentence_around(text: str, position: int) -> str:
    """The sentence of a text in which a position lies."""
    return next((text[start:end] for start, end in sentence_spans(text) if start <= position < end), text)


def _words(text: str) -> set[str]:
    """Words of four letters or more, cut to five so that endings do not count, and pairs of Chinese characters; no function words."""
    words = {word.lower().removesuffix("s")[:5] for word in _WORD.findall(text) if word.lower() not in FUNCTION_WORDS}
    pairs = {run[i : i + 2] for run in _CHINESE.findall(text) for i in range(len(run) - 1)}
    return words | pairs
