"""Trees without headings: texts in clusters, clusters in clusters, until one call can read the rest; and the plan for them.

The shape is settled before any summary is made, so that its calls are known: a cluster stands for the mean of its members'
vectors, not, as in RAPTOR, for the vector of a summary that is not written yet.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from es_mappings.sections import joined_hash
from es_mappings.tokens import count_tokens
from ingest.summaries.clustering import Clusters, Vectors, neighbours, soft_clusters
from ingest.summaries.freshness import Recipe, made_hash, text_hash
from ingest.summaries.tree import HEADING_TOKENS, Plan, Role, SectionSource, Step, Unit, heading_line
from ingest.summaries.windows import UNIT_TOKENS, Limits, even_groups

# Neighbours are taken together up to this many tokens, however large the window is: smaller pieces lose less (see `Limits`).
GROUP_TOKENS = 8_000
_HEADING = HEADING_TOKENS + UNIT_TOKENS
# A level with more nodes than this share of those below is no gain; neighbours are then taken together instead.
_GAIN = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Members by number: leaves come first (0 .. leaves - 1), clusters after them in the order of their making. Level from 1."""

    level: int
    members: tuple[int, ...]


def contiguous_clusters(tokens: Sequence[int], marks: Sequence[int], limits: Limits) -> tuple[Cluster, ...]:
    """Neighbours together, for the fewest calls. `marks` are as for `windows.even_groups`."""
    room = min(GROUP_TOKENS, limits.room(limits.summary))

    def group(numbers: Sequence[int], sizes: Sequence[int]) -> Clusters:
        groups = even_groups(sizes, [marks[number] if number < len(marks) else 0 for number in numbers], max(room, *sizes))
        return tuple(tuple(range(start, end)) for start, end in groups)

    return _grown(tokens, limits, group)


def raptor_clusters(vectors: Vectors, tokens: Sequence[int], limits: Limits, seed: int = 0) -> tuple[Cluster, ...]:
    """Clusters by meaning; a text may belong to several. `vectors` has a row for each of `tokens`."""
    points = {number: np.asarray(row, dtype=np.float64) for number, row in enumerate(vectors)}

    def group(numbers: Sequence[int], sizes: Sequence[int]) -> Clusters:
        return soft_clusters(np.stack([points[number] for number in numbers]), sizes, limits.room(limits.summary), seed)

    def made(number: int, members: Sequence[int]) -> None:
        points[number] = np.mean([points[member] for member in members], axis=0)

    return _grown(tokens, limits, group, made)


def _grown(
    tokens: Sequence[int],
    limits: Limits,
    group: Callable[[Sequence[int], Sequence[int]], Clusters],
    made: Callable[[int, Sequence[int]], None] = lambda number, members: None,  # noqa: ARG005 - only RAPTOR needs to know
) -> tuple[Cluster, ...]:
    """Levels of clusters until what is left fits one call. A group of one stays what it is, a node in several groups too."""
    clusters: list[Cluster] = []
    current = list(range(len(tokens)))
    level = 0
    while True:
        sizes = [(tokens[number] if number < len(tokens) else limits.summary) + _HEADING for number in current]
        if len(current) < 2 or sum(sizes) <= limits.room(limits.document):
            return tuple(clusters)
        groups = group(current, sizes)
        if len(groups) > len(current) * _GAIN:
            groups = neighbours(sizes, range(len(sizes)), limits.room(limits.summary))
        if len(groups) == len(current):
            return tuple(clusters)  # not two texts fit together: the last call reads what is left in groups
        level += 1
        above: list[int] = []
        for rows in groups:
            members = tuple(current[row] for row in rows)
            if len(members) > 1:
                clusters.append(Cluster(level=level, members=members))
                made(len(tokens) + len(clusters) - 1, members)
            above.append(len(tokens) + len(clusters) - 1 if len(members) > 1 else members[0])
        current = list(dict.fromkeys(above))


def plan_clusters(
    document: SectionSource, leaves: Sequence[SectionSource], clusters: Sequence[Cluster], limits: Limits, recipe: Recipe
) -> Plan:
    """The plan of a document that has leaves instead of sections: a summary of each cluster, and of the whole.

    `sources` of the plan are the document, the leaves, the clusters (their keys are the document's with "~" and a number).
    """
    return _ClusterPlanner(document, leaves, clusters, limits, recipe).plan()


def plan_themes(leaves: Sequence[SectionSource], clusters: Sequence[Cluster], owner: SectionSource, limits: Limits, recipe: Recipe) -> Plan:
    """The plan of themes over texts: a summary of each cluster, none of the whole. `owner` is what the themes hang on."""
    return _ClusterPlanner(owner, leaves, clusters, limits, recipe, role="theme").plan()


class _ClusterPlanner:
    def __init__(
        self,
        document: SectionSource,
        leaves: Sequence[SectionSource],
        clusters: Sequence[Cluster],
        limits: Limits,
        recipe: Recipe,
        role: Role = "reduce",
    ) -> None:
        self._document, self._leaves, self._clusters = document, leaves, clusters
        self._limits, self._recipe, self._role = limits, recipe, role
        self._tokens = [count_tokens(leaf.text) for leaf in leaves]
        self._steps: list[Step] = []
        self._step_of: dict[int, int] = {}

    def plan(self) -> Plan:
        for number, leaf in enumerate(self._leaves):
            if self._tokens[number]:
                self._step_of[number] = len(self._steps)
                self._steps.append(self._leaf_step(number, leaf))
        for place, cluster in enumerate(self._clusters):
            self._step_of[len(self._leaves) + place] = len(self._steps)
            self._steps.append(self._call(1 + len(self._leaves) + place, cluster.members, self._role, self._limits.summary))
        numbers = range(len(self._leaves) + len(self._clusters))
        whole = None if self._role == "theme" else self._whole()
        own = (0, *self._tokens, *(0 for _ in self._clusters))
        return Plan(
            sources=(self._document, *self._leaves, *map(self._source, range(len(self._clusters)))),
            steps=tuple(self._steps),
            finals=(whole, *(self._step_of.get(number) for number in numbers)),
            own_tokens=own,
            branch_tokens=(sum(own), *own[1:]),
            limits=self._limits,
            recipe=self._recipe,
        )

    def _source(self, place: int) -> SectionSource:
        return SectionSource(key=f"{self._document.key}~{place + 1}", title="", parent=0, kind="cluster")

    def _leaf_step(self, number: int, leaf: SectionSource) -> Step:
        unit = Unit(section=number + 1, heading="", tokens=self._tokens[number], text=leaf.text, weight=self._tokens[number])
        source_hash = made_hash("text", heading_line(leaf.title), text_hash(leaf.text), ())
        return Step(section=number + 1, role="text", units=(unit,), limit=unit.tokens, source_hash=source_hash)

    def _whole(self) -> int | None:
        """The step of the document: over what is in no cluster, or carried up when that is one thing."""
        inside = {member for cluster in self._clusters for member in cluster.members}
        top = [number for number in sorted(self._step_of) if number not in inside]
        if not top:
            return None
        if len(top) == 1:
            unit = self._unit(top[0])
            step = self._steps[self._step_of[top[0]]]
            source_hash = made_hash("carry", heading_line(self._document.title), "", [step.source_hash])
            self._steps.append(Step(section=0, role="carry", units=(unit,), limit=step.limit, source_hash=source_hash))
        else:
            self._steps.append(self._call(0, top, "document", self._limits.document))
        return len(self._steps) - 1

    def _call(self, section: int, members: Sequence[int], role: Role, limit: int) -> Step:
        units = tuple(self._unit(number) for number in members if number in self._step_of)
        read = [
            joined_hash(unit.heading, self._steps[self._step_of[number]].source_hash) for number, unit in zip(members, units, strict=True)
        ]
        source_hash = made_hash(f"{self._recipe.hash} {role}", heading_line(self._document.title), "", read)
        return Step(section=section, role=role, units=units, limit=limit, source_hash=source_hash)

    def _unit(self, number: int) -> Unit:
        step = self._step_of[number]
        heading = heading_line(self._leaves[number].title) if number < len(self._leaves) else ""
        return Unit(section=number + 1, heading=heading, step=step, tokens=self._steps[step].limit + count_tokens(heading) + UNIT_TOKENS)
