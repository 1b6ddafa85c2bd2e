"""Several rankings become one, on most sets above the best of them (measured; docs/decisions/0008-fusion.md). Pure.

Reciprocal rank fusion throws away how sure each ranking is: on CMRC it turns hit@1 0.986 and 0.67 into 0.86. Here evidence is
added instead. BM25 is a sum of log odds and counts as it is; cosines have no scale of their own, so the spread between the
best hit and the floor of the leg is worth a fixed number of BM25 units. Two facts about the question change that:
- some node holds every word of it (it is a keyword, not a question): the vectors only break ties;
- a hit is in another script than the question: shared words are accidents (names, code), so they count little.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from service.signals import Scale

# The rank whose score is the floor of a "range" leg: fixed, so that deeper legs do not change the order above it.
FLOOR_RANK = 50
# A leg of fewer hits than this says little about the spread of its scores and is worth less in proportion.
FULL_RANGE_HITS = 10
# Share of a "range" leg's weight that is left for keywords.
KEYWORD_SHARE = 1 / 24
# Share of a "score" leg's evidence that is left for a hit in another script than the question's.
FOREIGN_SHARE = 0.1
HAN_LANGUAGES = frozenset({"zh", "ja"})
_HAN_SHARE = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class LegHit:
    """A node that one leg returned, with what breaks ties and tells its script."""

    id: str
    score: float
    doc_id: str = ""
    ordinal: int = 0
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """The hits of one signal, best first. `weight` 0 switches a leg off; `is_full`: it was cut at the number asked for."""

    name: str
    scale: Scale
    weight: float
    hits: tuple[LegHit, ...]
    is_full: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What one leg says for a node: rank from 1, the leg's own score, the weight used, and the evidence that was added."""

    rank: int
    score: float
    weight: float
    evidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A node in the fused order; `score` is the sum of its evidence, comparable within one question only."""

    hit: LegHit
    score: float
    signals: Mapping[str, Evidence]


def fuse(legs: Sequence[Leg], question: str, most: int | None = None) -> tuple[Ranked, ...]:
    """The nodes of all legs, most evidence first, at most `most`; ties go by document, reading order, id: equal input, equal order."""
    is_keyword = any(leg.scale == "whole" and leg.hits for leg in legs)
    script = script_of(question)
    weighed = [(leg, *_weighed(leg, is_keyword=is_keyword, script=script)) for leg in legs]
    totals: dict[str, float] = {}
    hits: dict[str, LegHit] = {}
    for leg, weight, units in weighed:
        for hit, unit in zip(leg.hits, units, strict=True):
            hits.setdefault(hit.id, hit)
            totals[hit.id] = totals.get(hit.id, 0.0) + weight * unit
    best = sorted(hits.values(), key=lambda hit: (-totals[hit.id], hit.doc_id, hit.ordinal, hit.id))[:most]
    # What is shown of each leg is made for these alone: most of the two hundred candidates are never looked at.
    shown: dict[str, dict[str, Evidence]] = {hit.id: {} for hit in best}
    for leg, weight, units in weighed:
        for rank, (hit, unit) in enumerate(zip(leg.hits, units, strict=True), 1):
            if hit.id in shown:
                shown[hit.id][leg.name] = Evidence(rank=rank, score=hit.score, weight=weight, evidence=weight * unit)
    return tuple(Ranked(hit=hit, score=totals[hit.id], signals=shown[hit.id]) for hit in best)


def script_of(text: str) -> str | None:
    """ "han" when a quarter of the letters are Han, "other" when there are other letters, None without letters."""
    letters = sum(character.isalpha() for character in text)
    han = sum("\u3400" <= character <= "\u9fff" for character in text)
    if not letters:
        return None
    return "han" if han >= _HAN_SHARE * letters else "other"


def _weighed(leg: Leg, *, is_keyword: bool, script: str | None) -> tuple[float, list[float]]:
    """The weight of a leg for this question and its scores on its scale."""
    weight = leg.weight
    if leg.scale == "range":
        weight *= min(1.0, len(leg.hits) / FULL_RANGE_HITS) * (KEYWORD_SHARE if is_keyword else 1.0)
    return weight, _units(leg, None if is_keyword else script)


def _units(leg: Leg, script: str | None) -> list[float]:
    """The scores of a leg on its scale, in the order of its hits."""
    scores = [hit.score for hit in leg.hits]
    if not scores or leg.scale == "whole":
        return [0.0] * len(scores)
    if leg.scale == "score":
        own = [hit.score * _script_share(hit, script) for hit in leg.hits]
        # What a full leg left out has at most the evidence of its last hit: count from there, not from nothing.
        floor = min(own) if leg.is_full else 0.0
        return [score - floor for score in own]
    top = scores[0]
    if leg.scale == "top":
        return [score / top if top else 0.0 for score in scores]
    if leg.scale == "rank":
        return [1 - place / len(scores) for place in range(len(scores))]
    floor = scores[min(FLOOR_RANK, len(scores)) - 1]
    return [max(0.0, (score - floor) / (top - floor)) if top > floor else 0.0 for score in scores]


def _script_share(hit: LegHit, script: str | None) -> float:
    if script is None or hit.language is None:
        return 1.0
    return 1.0 if (script == "han") == (hit.language in HAN_LANGUAGES) else FOREIGN_SHARE
