"""Level by level: the best documents, below them the best sections, and so on down; then the chunks inside the branches that are left.

A branch is as good as the best heading or summary in it: where a level has summaries they are ranked by words and meaning, where
it has none its titles speak. Each level is one `_msearch` in the scope of the search itself, so access, section and document
filters hold on every level, and the result only ever narrows that scope.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from es_mappings.index import Index
from service.fusion import fuse
from service.legs import clauses_of, leg_of
from service.results import SectionView
from service.scope import Scope, tree_body
from service.signals import Question, SectionPlace

# Branches kept on each level, and the most levels below the documents.
BREADTH = 5
MOST_LEVELS = 6
# Headings and summaries ranked on a level.
HEADINGS = 200
_SIGNALS = frozenset({"lexical", "vector"})


def narrowed(index: Index, scope: Scope, question: Question, sections: Sequence[SectionView], weights: Mapping[str, float]) -> Scope:
    """The scope narrowed to the branches that a walk down from its documents (or its sections) keeps; itself when no heading tells.

    The text that stands right under a heading on the way stays in, too. Raises IndexUnavailable, IndexRefused.
    """
    frontier = tuple(section.section_key for section in sections) if scope.places is not None else ()
    scores: dict[str, float] = dict.fromkeys(frontier, 0.0)
    passed: list[SectionPlace] = []
    for _ in range(MOST_LEVELS):
        here = scope if not frontier else replace(scope, places=tuple(_place(key) for key in frontier), labels=())
        found = _best_below(_ranked(index, here, question, weights), frontier)
        expanded = {parent for child in found if (parent := _parent(child, frontier)) is not None}
        if not found:
            break
        passed += [replace(_place(key), own_only=True) for key in expanded]
        scores = {key: score for key, score in scores.items() if key not in expanded} | found
        frontier = tuple(sorted(scores, key=lambda key: (-scores[key], key))[:BREADTH])
        scores = {key: scores[key] for key in frontier}
    if not frontier:
        return scope
    return replace(scope, places=(*(_place(key) for key in frontier), *passed), labels=())


def _ranked(index: Index, scope: Scope, question: Question, weights: Mapping[str, float]) -> list[tuple[str, float]]:
    """Section keys of headings and summaries with their fused scores."""
    clauses = [(signal, clause) for signal, clause in clauses_of(replace(question, depth=HEADINGS), weights) if signal.NAME in _SIGNALS]
    responses = index.msearch([tree_body(scope, clause, HEADINGS) for _, clause in clauses], question.nodes)
    keys: dict[str, str] = {}
    legs = []
    for (signal, _), response in zip(clauses, responses, strict=True):
        hits = response["hits"]["hits"]
        keys |= {hit["_id"]: hit["fields"]["section_key.raw"][0] for hit in hits}
        legs.append(leg_of(signal, weights, hits, HEADINGS))
    return [(keys[one.hit.id], one.score) for one in fuse(legs, question.text)]


def _best_below(ranked: Sequence[tuple[str, float]], frontier: Sequence[str]) -> dict[str, float]:
    """For each branch one level below the frontier the best score in it; documents when there is no frontier yet."""
    found: dict[str, float] = {}
    for key, score in ranked:
        parts = key.split("/")
        if not frontier:
            child = parts[0]
        else:
            parent = _parent(key, frontier)
            if parent is None:
                continue
            child = "/".join(parts[: parent.count("/") + 2])
        found[child] = max(found.get(child, 0.0), score)
    return found


def _parent(key: str, frontier: Sequence[str]) -> str | None:
    """The branch of the frontier that a key lies below."""
    return next((branch for branch in frontier if key.startswith(f"{branch}/")), None)


def _place(key: str) -> SectionPlace:
    return SectionPlace(doc_id=key.split("/")[0], key=key)
