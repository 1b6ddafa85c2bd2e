"""The headings of a text without tags: candidates, families, levels, one after the other. Pure; other formats use it as a last resort."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ingest.blocks import StructureSource
from ingest.plaintext.candidates import Candidate, candidate_of
from ingest.plaintext.families import accepted, lone_lines, orderly, squeezed, without_contents
from ingest.plaintext.keywords import is_contents
from ingest.plaintext.levels import levels_of

_CONFIDENCE = {"keyword": 0.8, "capitals": 0.6, "line": 0.5}
_MARKED_CONFIDENCE = 0.95
_OUTNUMBERED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading found at one place: `run_in` is how much of a longer text it takes, 0 for the whole."""

    level: int
    number: str | None
    source: StructureSource
    confidence: float
    run_in: int = 0


def find_headings(
    texts: Sequence[str], alone: Sequence[bool], marks: Sequence[str | None] = (), without: Collection[StructureSource] = ()
) -> dict[int, Heading]:
    """The headings among the pieces of a text, by index; only pieces that stand alone can be one.

    `marks` names the underline of each piece (None for none); from two marked pieces on, marks alone tell the headings, unless
    numbered ones outnumber them by far.
    `without` names evidence to ignore.
    """
    marked = [
        Candidate(index=index, family=f"mark {mark}", source="style")
        for index, mark in enumerate(marks)
        if mark and "style" not in without and not is_contents(texts[index])
    ]
    places = {candidate.index for candidate in marked}
    found = (candidate_of(index, text) for index, text in enumerate(texts) if alone[index] and index not in places)
    unmarked = [candidate for candidate in found if candidate and candidate.source not in without]
    unmarked = accepted(without_contents(unmarked, texts), texts)
    numbered = sum(candidate.source == "numbering" for candidate in unmarked)
    if numbered > _OUTNUMBERED * len(marked) >= 2 * _OUTNUMBERED:
        candidates = unmarked
    elif len(marked) >= 2:
        candidates = marked
    else:
        candidates = sorted([*marked, *unmarked], key=lambda candidate: candidate.index)
    if all(candidate.source == "keyword" for candidate in candidates) and "font" not in without:
        places = {candidate.index for candidate in candidates}
        lines = [line for line in lone_lines(texts, alone) if line.index not in places]
        candidates = sorted([*candidates, *lines], key=lambda candidate: candidate.index)
    levels = levels_of(candidates, [squeezed(texts[candidate.index]) for candidate in candidates])
    trust = _trust(candidates)
    return {
        candidate.index: Heading(
            level=level,
            number=candidate.number,
            source=candidate.source,
            confidence=trust[candidate.family],
            run_in=candidate.run_in,
        )
        for candidate, level in zip(candidates, levels, strict=True)
    }


def _trust(candidates: Sequence[Candidate]) -> dict[str, float]:
    """How sure each family is: numbers that run without a break 0.9, else 0.75, a single one 0.7; see the table for the rest."""
    members = {
        family: [candidate for candidate in candidates if candidate.family == family] for family in Counter(c.family for c in candidates)
    }
    trust = {}
    for family, group in members.items():
        if family.startswith("mark "):
            trust[family] = _MARKED_CONFIDENCE
        elif family in _CONFIDENCE:
            trust[family] = _CONFIDENCE[family]
        else:
            trust[family] = 0.7 if len(group) == 1 else 0.9 if orderly(group) > 0.9 else 0.75
    return trust
