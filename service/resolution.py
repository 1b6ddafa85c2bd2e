"""Which sections a name means: tried as an exact key, a path, a label, then a number; if none fits, which ones are nearest."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from es_mappings.index import Index
from es_mappings.labels import normalise_label, number_labels
from es_mappings.titles import normalise_title
from service.results import SectionView
from service.scope import Scope, headings_body
from service.signals import SectionPlace

MOST_SECTIONS = 500
NEAREST = 5
_FIELDS = ("doc_id", "section_key", "section_path", "title", "number", "own_labels")
_LABEL = re.compile(r"^(?P<before>.*?)(?P<number>[\w.]+)$")
_LETTERED = re.compile(r"(?:part|chapter|section|article|lecture|unit|module) [a-z](?:\.\d+)*")
_WHOLE = {"appendix", "annex"}
_NEIGHBOURS = 25
# Titles less alike than this are not offered as the nearest.
_LEAST_LIKENESS = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """What one name means: sections by key, and, for a label, the label (one term filters all of its sections)."""

    asked: str
    sections: tuple[SectionView, ...]
    label: str | None = None

    @property
    def places(self) -> tuple[SectionPlace, ...]:
        """The sections as a filter needs them; () when the label does it."""
        if self.label is not None:
            return ()
        return tuple(SectionPlace(doc_id=section.doc_id, key=section.section_key) for section in self.sections)


def resolve(index: Index, scope: Scope, names: Sequence[str]) -> tuple[Resolved, ...]:
    """Each name's sections, in order, all names in one request; a name that means none has no sections."""
    if not names:
        return ()
    bodies = [headings_body(scope, _query(name), MOST_SECTIONS, _FIELDS) for name in names]
    return tuple(_chosen(name, response["hits"]["hits"]) for name, response in zip(names, index.msearch(bodies), strict=True))


def nearest(index: Index, scope: Scope, name: str) -> tuple[SectionView, ...]:
    """The sections whose label or title comes nearest to a name that means none, best first, at most 5."""
    labels = _labels(name)
    bodies = [headings_body(scope, {"multi_match": {"query": name, "fields": ["title", "title.single"], "fuzziness": "AUTO"}}, 50, _FIELDS)]
    around = [neighbour for label in labels for neighbour in _neighbours(label)]
    if around:
        bodies.append(headings_body(scope, {"terms": {"own_labels": around}}, MOST_SECTIONS, _FIELDS))
    hits = [hit["_source"] for response in index.msearch(bodies) for hit in response["hits"]["hits"]]
    found = {source["section_key"]: _view(name, source) for source in hits}
    distances = {key: _distance(name, labels, section) for key, section in found.items()}
    near = sorted((key for key in found if distances[key] < 1 - _LEAST_LIKENESS), key=lambda key: (distances[key], key))
    return tuple(found[key] for key in near[:NEAREST])


def _query(name: str) -> dict[str, Any]:
    labels = _labels(name)
    ways: list[dict[str, Any]] = [
        {"term": {"section_key.raw": name}},
        {"match": {"section_path": name}},
        {"term": {"number": _number(name)}},
        {"match_phrase": {"title": name}},
    ]
    if labels:
        ways.append({"terms": {"own_labels": list(labels)}})
    return {"bool": {"should": ways, "minimum_should_match": 1}}


def _label(name: str) -> str | None:
    """The one label that a name is; "section a" is one in its stored form, though in a text "a" would be an article."""
    return normalise_label(name) or (name if _LETTERED.fullmatch(name) else None)


def _labels(name: str) -> tuple[str, ...]:
    """The labels that a name may be: one when it says its kind, several for a bare number, every letter for "the appendix"."""
    label = _label(name)
    if label in _WHOLE:
        return (label, *(f"{label} {number}" for number in (*"abcdefghijklmnopqrstuvwxyz", *map(str, range(1, 27)))))
    return (label,) if label else number_labels(name)


def _number(name: str) -> str:
    return name.strip().rstrip(".、)）")


def _chosen(name: str, hits: Sequence[dict[str, Any]]) -> Resolved:
    """The sections by the first way of naming that fits any: key, path, label, number, what a bare number may mean, title."""
    sources = [hit["_source"] for hit in hits]
    label = _label(name)
    labels = frozenset(_labels(name))
    labelled = [source for source in sources if not labels.isdisjoint(source.get("own_labels", ()))]
    ways = (
        [source for source in sources if source["section_key"] == name],
        [source for source in sources if source["section_path"].casefold() == name.casefold()],
        labelled if label else [],
        [source for source in sources if source.get("number") == _number(name)],
        labelled,
        [source for source in sources if normalise_title(source["title"]) == normalise_title(name)],
    )
    place = next((place for place, found in enumerate(ways) if found), None)
    if place is None:
        return Resolved(asked=name, sections=())
    # A replaced revision's headings stay for a while beside the new ones.
    sections = tuple({source["section_key"]: _view(name, source) for source in ways[place]}.values())
    return Resolved(asked=name, sections=sections, label=label if place == 2 and label not in _WHOLE else None)


def _view(asked: str, source: dict[str, Any]) -> SectionView:
    return SectionView(
        asked=asked,
        doc_id=source["doc_id"],
        section_key=source["section_key"],
        section_path=source["section_path"],
        title=source["title"],
        number=source.get("number"),
        labels=tuple(source.get("own_labels", ())),
    )


def _neighbours(label: str) -> list[str]:
    """Labels of the same kind with numbers near this one's, and the divisions above it ("section 3.9": 3.8, 3.10, 3 ...)."""
    match = _LABEL.match(label)
    if match is None:
        return []
    before, number = match["before"], match["number"]
    head, _, last = number.rpartition(".")
    joint = f"{head}." if head else ""
    if last.isdigit():
        value = int(last)
        around = [str(n) for n in range(max(1, value - _NEIGHBOURS), value + _NEIGHBOURS + 1)]
        # Far beyond the last one there is: the first ones tell how far the numbers go.
        around += [str(n) for n in range(1, _NEIGHBOURS + 1)]
    else:
        around = list("abcdefghijklmnopqrstuvwxyz") if len(last) == 1 else []
    above = [before + head[: end.start()] for end in re.finditer(r"\.|$", head)] if head else []
    return list(dict.fromkeys([*(f"{before}{joint}{near}" for near in around), *above]))


def _distance(name: str, labels: Sequence[str], section: SectionView) -> float:
    """0 to 1: how far a section is from a name, by label where both have one, else by title."""
    by_label = [_label_distance(asked, own) for asked in labels for own in section.labels]
    by_title = 1 - difflib.SequenceMatcher(None, normalise_title(name), normalise_title(section.title)).ratio()
    return min([*by_label, by_title])


def _label_distance(asked: str, own: str) -> float:
    first, second = _LABEL.match(asked), _LABEL.match(own)
    if first is None or second is None or first["before"] != second["before"]:
        return 1.0
    ours, theirs = first["number"].split("."), second["number"].split(".")
    depth = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    if depth == min(len(ours), len(theirs)):  # one lies below the other
        return 0.2 + 0.05 * (abs(len(ours) - len(theirs)) - 1)
    return min(0.65, 0.1 + 0.01 * _gap(ours[depth], theirs[depth]) + 0.25 * (max(len(ours), len(theirs)) - depth - 1))


def _gap(ours: str, theirs: str) -> float:
    if ours.isdigit() and theirs.isdigit():
        return min(9.0, abs(int(ours) - int(theirs)))
    if len(ours) == len(theirs) == 1:
        return min(9.0, abs(ord(ours) - ord(theirs)))
    return 9.0
