"""References found in passages that were drawn with a seed and labelled by hand (tests/labels/README.md), scored."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from es_mappings.labels import split_document_label
from es_mappings.sections import heading_text
from ingest.blocks import Block
from ingest.chunking import Chunk
from ingest.labelling import label_outline
from ingest.outline import Outline, Section
from ingest.references import References, find_references

LABELS = Path(__file__).parents[2] / "tests" / "labels" / "references"
PASSAGE_KINDS = ("paragraph", "list", "footnote", "quote")
_ID_CHARACTERS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Counts over the passages of a document; `missed` and `wrong` say for a person what was not found or not right."""

    passages: int
    lost: int
    labelled: int
    hits: int
    found: int
    right: int
    missed: tuple[str, ...]
    wrong: tuple[str, ...]

    @property
    def precision(self) -> float:
        """The share of what was found that is labelled."""
        return self.right / max(1, self.found)

    @property
    def recall(self) -> float:
        """The share of the labelled references that were found."""
        return self.hits / max(1, self.labelled)


def score(outline: Outline, labels: Path) -> Result:
    """Hold what is found in the labelled passages of a document against the labels."""
    names = _Names(outline)
    passages = json.loads(labels.read_text())["passages"]
    places = [_place(outline, passage) for passage in passages]
    kept = [(passage, *place) for passage, place in zip(passages, places, strict=True) if place]
    chunks = [_chunk(number, section, block) for number, (_, section, block) in enumerate(kept)]
    judged = [
        _judge(passage, found, names)
        for (passage, _, _), found in zip(kept, find_references(outline, chunks, label_outline(outline)), strict=True)
    ]
    return Result(
        passages=len(passages),
        lost=len(passages) - len(kept),
        labelled=sum(row.labelled for row in judged),
        hits=sum(row.labelled - len(row.missed) for row in judged),
        found=sum(row.right + len(row.wrong) for row in judged),
        right=sum(row.right for row in judged),
        missed=tuple(text for row in judged for text in row.missed),
        wrong=tuple(text for row in judged for text in row.wrong),
    )


def passage_id(text: str) -> str:
    """How a passage is named without being copied: a hash of its first letters."""
    return hashlib.sha256(_squeezed(text)[:_ID_CHARACTERS].encode()).hexdigest()[:12]


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()


def _place(outline: Outline, passage: dict[str, Any]) -> tuple[int, Block] | None:
    """Where a passage stands: by its id; else, when its borders have moved, on its page by the words of its references."""
    blocks = [(i, block) for i, section in enumerate(outline.sections) for block in section.blocks if block.kind in PASSAGE_KINDS]
    for place in blocks:
        if passage_id(place[1].text) == passage["id"]:
            return place
    words = [_squeezed(reference["words"]) for reference in passage["references"]]
    if "page" not in passage or not words:
        return None
    near = [(i, block) for i, block in blocks if block.page and abs(block.page - passage["page"]) <= 1]
    return next(((i, block) for i, block in near if all(word in _squeezed(block.text) for word in words)), None)


def _chunk(ordinal: int, section: int, block: Block) -> Chunk:
    text = block.text
    return Chunk(section=section, ordinal=ordinal, content=text, heading_path="", token_count=0, start=0, end=len(text), links=block.links)


class _Names:
    """The sections by what labels call them: a number ("3.2"), numbers down to it ("IV.B"), a title, or "above > title"."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline

    def ordinals(self, name: str) -> tuple[int, ...]:
        """() when the outline lacks the section: what should lead there is missed. Raises ValueError when a label names several."""
        *above, last = name.split(" > ")
        for names_it in (_by_number, _by_title, _by_beginning):
            ways = [(i, self._way(i)) for i in range(1, len(self._outline.sections))]
            found = [i for i, way in ways if names_it(way, last) and _under(way, above)]
            if len(found) == 1:
                return self._outline.sections[found[0]].ordinals
            if len(found) > 1 and names_it is _by_beginning:
                raise ValueError(f"the label {name!r} names several sections")
        return ()

    def _way(self, index: int) -> list[Section]:
        way = []
        while index:
            way.append(self._outline.sections[index])
            index = way[-1].parent or 0
        return way


def _by_number(way: Sequence[Section], name: str) -> bool:
    numbers = [section.number for section in way if section.number]
    return way[0].number is not None and name in (way[0].number, ".".join(reversed(numbers)))


def _by_title(way: Sequence[Section], name: str) -> bool:
    return name in (way[0].title, heading_text(way[0].number, way[0].title))


def _by_beginning(way: Sequence[Section], name: str) -> bool:
    return way[0].title.startswith(f"{name} ")


def _under(way: Sequence[Section], above: Sequence[str]) -> bool:
    names = [name for section in way[1:] for name in (section.number, section.title)]
    return all(name in names for name in above)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    labelled: int
    missed: tuple[str, ...]
    right: int
    wrong: tuple[str, ...]


def _judge(passage: dict[str, Any], found: References, names: _Names) -> _Judged:
    targets, outside = set(found.targets), list(found.unresolved)
    right, missed = 0, []
    accepted: set[tuple[int, ...]] = set()
    excused: set[str] = set()
    required = [reference for reference in passage["references"] if not reference.get("optional")]
    for reference in passage["references"]:
        wanted = [place for name in reference.get("to", ()) if (place := names.ordinals(name))]
        same = [label for label in outside if _is_same(label, reference.get("label", ""))]
        accepted |= {*wanted, *(names.ordinals(name) for name in reference.get("also", ()))}
        excused |= set(same)
        if reference.get("optional"):
            continue
        if targets.intersection(wanted) or same:
            right += 1
        else:
            missed.append(f"{passage['id']}: {reference['words']}")
    wrong = [
        *(f"{passage['id']}: found {target}" for target in targets - accepted),
        *(f"{passage['id']}: found {label}" for label in outside if label not in excused),
    ]
    return _Judged(labelled=len(required), missed=tuple(missed), right=right, wrong=tuple(wrong))


def _is_same(found: str, labelled: str) -> bool:
    """Whether an unresolved label is the labelled one: the same division, of a document whose title is the same as far as it is said."""
    if not labelled:
        return False
    title, division = split_document_label(found)
    wanted_title, wanted = split_document_label(labelled)
    if labelled.startswith("doc:") and not wanted:
        return not wanted_title or wanted_title in title or division.split(" ")[0] == "paragraph"
    return division == wanted and (not title or not wanted_title or title in wanted_title or wanted_title in title)
