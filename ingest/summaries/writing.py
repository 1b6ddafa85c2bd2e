"""What was made goes into the nodes: headings and the document get their summary in place, clusters become nodes of their own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from es_mappings.access import AccessRegistry, Rule, conjunction
from es_mappings.bulk import Action
from es_mappings.errors import WriteRejected
from es_mappings.index import Index
from es_mappings.records import Node
from es_mappings.revisions import node_id
from es_mappings.tokens import count_tokens
from ingest.embedding import Embedder
from ingest.summaries.checks import Findings, SourceCheck
from ingest.summaries.coverage import Coverages, branch
from ingest.summaries.extractive import MODEL as EXTRACTIVE
from ingest.summaries.making import Made
from ingest.summaries.mapreduce import Failure, Run
from ingest.summaries.naming import with_chapters_named
from ingest.summaries.pieces import PieceStore
from ingest.summaries.reading import StoredNode, mean_vector
from ingest.summaries.tree import carried, children_of
from ingest.summaries.works import Work

MOST_MEMBERS = 1_000
# Ordinals of clusters: those of a tree count from 0, summaries of branches with restricted sections from here.
BRANCH_ORDINAL = 1_000_000
BRANCH_LAYER = "branch"
_EMBEDDED_AT_ONCE = 64
# Beyond this a check of every extract would take longer than making it; what a model wrote is always checked.
CHECKED_EXTRACT_TOKENS = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What writing needs."""

    index: Index
    access: AccessRegistry
    embedder: Embedder
    pieces: PieceStore


def write_summaries(desk: Desk, work: Work, run: Run) -> None:
    """Write every summary of a run into its node; where there is none now, an outdated one stays and is called so.

    Raises WriteRejected, IndexUnavailable, EmbedderUnavailable; running it again writes the same.
    """
    writer = _Writer(desk, work, run)
    actions = [*writer.headings(), *writer.clusters()]
    done, rejected = desk.index.bulk(actions)
    if rejected:
        raise WriteRejected(
            f"{len(rejected)} of {done + len(rejected)} summaries were rejected ({rejected[0].status} {rejected[0].reason}): try again"
        )
    desk.index.refresh(desk.index.nodes)


def older_summary(work: Work, pieces: PieceStore, section: int) -> Made | None:
    """The last summary that was made for a section's heading path, in this revision of the document or one before."""
    made_for = work.plan.steps[carried(work.plan, section)].section
    nodes = work.document.sections
    return pieces.newest_at(nodes[made_for].place) if made_for < len(nodes) else None


class _Writer:
    def __init__(self, desk: Desk, work: Work, run: Run) -> None:
        self._desk, self._work, self._run = desk, work, run
        self._plan = run.plan
        self._below = children_of(self._plan.sources)
        tokens = self._plan.branch_tokens[0]
        self._checked = work.mode == "llm" or tokens <= CHECKED_EXTRACT_TOKENS
        self._check = SourceCheck(self._plan.sources) if self._checked else None
        self._coverages = Coverages(run)
        self._rules: dict[frozenset[str], str] = {}
        self._found: dict[int, Findings] = {}
        self._model = desk.embedder.name
        self._vectors = self._embedded()

    def headings(self) -> Iterator[Action]:
        """The updates of the document's and the sections' nodes."""
        nodes = self._work.document.sections[:1] if self._work.clusters else self._work.document.sections
        for section, node in enumerate(nodes):
            if self._plan.branch_tokens[section] == 0:
                continue
            shown = self._shown(section)
            body: dict[str, Any] = {"coverage": self._coverage(section, shown)}
            if shown is not None:
                vector = self._vectors.get(shown.source_hash) or self._desk.pieces.vector(shown, self._model) or self._mean(section)
                text = self._named(section, shown)
                body |= {"content": text, "token_count": count_tokens(text), "source_hash": shown.source_hash}
                body |= {"child_ids": self._children(section)} | ({"embedding": list(vector)} if vector else {})
            access = self._access(section)
            if access == node.access:
                yield Action(operation="update", index=self._desk.index.alias_of(node.index), id=node.id, body={"doc": body})
            else:
                yield self._branch_node(section, node, access, body)

    def _branch_node(self, section: int, heading: StoredNode, access: str, body: dict[str, Any]) -> Action:
        """A summary that fewer people may read than its heading, as a node of its own: who may see the heading still finds it."""
        manifest = self._work.document.manifest
        shape = Node(
            collection=manifest.collection,
            doc_id=manifest.doc_id,
            revision=manifest.revision,
            kind="cluster",
            level=heading.level,
            ordinal=BRANCH_ORDINAL + section,
            title=heading.title,
            section_path=heading.path,
            section_key=heading.key,
            source_keys=(heading.key,),
            access=access,
            ingested_at=datetime.now(UTC).isoformat(),
            language=manifest.language,
            metadata={"layer": BRANCH_LAYER},
        )
        return Action(operation="index", index=self._desk.index.headings, id=node_id(shape), body=shape.to_source() | body)

    def _shown(self, section: int) -> Made | None:
        """The summary to show: the one just made, else the last one that was made for this place."""
        made = self._run.summary(section)
        return made if isinstance(made, Made) else older_summary(self._work, self._desk.pieces, section)

    def _named(self, section: int, made: Made) -> str:
        """The text of a summary; that of the whole document names every chapter of which something went in."""
        step = self._plan.steps[carried(self._plan, section)]
        if step.role != "document" or self._work.mode == "extractive":
            return made.text
        reached = {row.section for row in self._coverages.of(step.section).sections if row.reached}
        chapters = [child for child in self._below[step.section] if reached.intersection(branch(child, self._below))]
        headings = [self._plan.sources[child].title for child in chapters if self._plan.sources[child].kind == "section"]
        return with_chapters_named(made.text, headings, self._work.document.manifest.language)

    def _coverage(self, section: int, shown: Made | None) -> dict[str, Any]:
        final = self._plan.finals[section]
        assert final is not None
        step, outcome = self._plan.steps[final], self._run.outcomes[final]
        covered = self._coverages.of(section)
        failed = [row for row in covered.sections if not row.included]
        record: dict[str, Any] = {
            "wanted": step.source_hash,
            "recipe": self._plan.recipe.hash if self._costs(final) else "",
            "mode": self._work.mode if self._costs(final) else "verbatim",
            "share": round(covered.share, 6),
            "failed": [{"key": self._key(row.section), "error": row.error} for row in failed],
            "left_out": covered.left_out,
            "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        if isinstance(outcome, Failure):
            record["error"] = outcome.message
        if isinstance(outcome, Made):
            record |= {"too_long": outcome.too_long, "cut": outcome.cut, "requests": outcome.requests}
            if self._check is not None and self._costs(final):
                record |= self._findings(self._check, carried(self._plan, section), outcome.text).as_json()
        if shown is not None and shown is not outcome:
            record["shown_is_older"] = True
        return record

    def _findings(self, check: SourceCheck, step: int, text: str) -> Findings:
        """What a step's result lost and added; the sections that only carry it on share them."""
        if step not in self._found:
            found = check.findings(self._plan.steps[step].section, text)
            # An extract has no sentence but the document's own.
            self._found[step] = replace(found, unsupported=()) if self._work.mode == "extractive" else found
        return self._found[step]

    def _costs(self, final: int) -> bool:
        """Whether a model had (or would have) a hand in a summary: itself, or in one that it carries on."""
        step = self._plan.steps[final]
        return step.costs_call or any(self._costs(unit.step) for unit in step.units if unit.step is not None)

    def _key(self, section: int) -> str:
        source = self._plan.sources[section]
        return source.key if source.kind == "section" else self._plan.sources[0].key

    def _access(self, section: int) -> str:
        """The key of the conjunction of everything a summary is made from."""
        return self._conjunction(frozenset(self._plan.sources[inner].access for inner in branch(section, self._below)))

    def _conjunction(self, keys: frozenset[str]) -> str:
        if len(keys) == 1:
            return next(iter(keys))
        if keys not in self._rules:
            rules: list[Rule] = []
            for key in keys:
                rule = self._desk.access.rule(key)
                if rule is None:
                    raise WriteRejected("the rule of who may read a section is lost: ingest the document again with --access")
                rules.append(rule)
            self._rules[keys] = self._desk.access.register(conjunction(rules))
        return self._rules[keys]

    def _children(self, section: int) -> list[str]:
        if self._work.clusters:
            return [self._member_id(number) for number in self._top_members()][:MOST_MEMBERS]
        document = self._work.document
        chunks = [document.chunks[i].id for i in document.chunks_of[section]]
        return [*chunks, *(document.sections[child].id for child in self._below[section])][:MOST_MEMBERS]

    def _mean(self, section: int) -> tuple[float, ...] | None:
        document = self._work.document
        if self._work.clusters:
            return mean_vector(document.chunks)
        return mean_vector([document.chunks[i] for inner in branch(section, self._below) for i in document.chunks_of[inner]])

    def _embedded(self) -> dict[str, tuple[float, ...]]:
        """The vectors of what a model wrote or was extracted: stored ones, and new ones, which are stored. The others take the mean."""
        wanted: dict[str, tuple[Made, str]] = {}
        for section, final in enumerate(self._plan.finals):
            outcome = None if final is None else self._run.outcomes[final]
            if final is not None and isinstance(outcome, Made) and self._plan.steps[final].costs_call:
                wanted[outcome.source_hash] = (outcome, f"{self._plan.sources[section].title}\n{outcome.text}")
        known = {digest: vector for digest, (made, _) in wanted.items() if (vector := self._desk.pieces.vector(made, self._model))}
        new = [pair for digest, pair in wanted.items() if digest not in known]
        for start in range(0, len(new), _EMBEDDED_AT_ONCE):
            part = new[start : start + _EMBEDDED_AT_ONCE]
            rows = self._desk.embedder.embed_passages([text for _, text in part])
            vectors = [tuple(float(value) for value in row) for row in rows]
            known |= {made.source_hash: vector for (made, _), vector in zip(part, vectors, strict=True)}
            if self._plan.recipe.model != EXTRACTIVE:  # an extract costs less to make again than to keep
                self._desk.pieces.keep_vectors([(made, vector) for (made, _), vector in zip(part, vectors, strict=True)], self._model)
        return known

    def clusters(self) -> Iterator[Action]:
        """The nodes of clusters, and the deletion of those of an earlier tree."""
        manifest, index = self._work.document.manifest, self._desk.index
        kept: set[str] = set()
        for place, cluster in enumerate(self._work.clusters):
            section = 1 + len(self._work.document.chunks) + place
            made = self._run.summary(section)
            if not isinstance(made, Made):
                continue
            node = self._cluster_node(place, cluster.level, section, made)
            kept.add(node_id(node))
            yield Action(operation="index", index=index.headings, id=node_id(node), body=node.to_source())
        mine = [{"term": {"doc_id": manifest.doc_id}}, {"term": {"revision": manifest.revision}}, {"term": {"kind": "cluster"}}]
        for hit in list(index.scan(index.nodes, {"bool": {"filter": mine}}, ["metadata"])):
            if hit["_id"] not in kept and hit["_source"].get("metadata", {}).get("layer") == "tree":
                yield Action(operation="delete", index=hit["_index"], id=hit["_id"])

    def _cluster_node(self, place: int, level: int, section: int, made: Made) -> Node:
        manifest = self._work.document.manifest
        leaves = self._leaves(section - 1)
        vector = self._vectors.get(made.source_hash) or mean_vector([self._work.document.chunks[i] for i in leaves])
        return Node(
            collection=manifest.collection,
            doc_id=manifest.doc_id,
            revision=manifest.revision,
            kind="cluster",
            level=level,
            ordinal=place,
            title=manifest.title,
            section_path=manifest.slug,
            section_key=manifest.doc_id,
            content=made.text,
            child_ids=tuple(self._member_id(number) for number in self._work.clusters[place].members[:MOST_MEMBERS]),
            source_keys=tuple(self._work.document.chunks[i].id for i in leaves[:MOST_MEMBERS]),
            access=self._conjunction(frozenset(self._work.document.chunks[i].access for i in leaves)),
            embedding=vector,
            source_hash=made.source_hash,
            ingested_at=datetime.now(UTC).isoformat(),
            language=manifest.language,
            token_count=made.tokens,
            coverage={"wanted": made.source_hash, "recipe": self._plan.recipe.hash, "mode": self._work.mode},
            metadata={"layer": "tree"},
        )

    def _leaves(self, number: int) -> list[int]:
        """The chunks below a node of the cluster tree, each once, in reading order."""
        leaves = len(self._work.document.chunks)
        found: set[int] = set()
        waiting = [number]
        while waiting:
            current = waiting.pop()
            if current < leaves:
                found.add(current)
            else:
                waiting.extend(self._work.clusters[current - leaves].members)
        return sorted(found)

    def _top_members(self) -> Sequence[int]:
        inside = {member for cluster in self._work.clusters for member in cluster.members}
        everything = range(len(self._work.document.chunks) + len(self._work.clusters))
        return [number for number in everything if number not in inside]

    def _member_id(self, number: int) -> str:
        manifest, leaves = self._work.document.manifest, len(self._work.document.chunks)
        if number < leaves:
            return self._work.document.chunks[number].id
        place = number - leaves
        shape = Node(
            collection="", doc_id=manifest.doc_id, revision=manifest.revision, kind="cluster", level=0, ordinal=place,
            title="", section_path="", section_key="",
        )  # fmt: skip
        return node_id(shape)
