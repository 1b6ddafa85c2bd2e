"""What runs across the documents of a collection: its overview over their summaries, and themes over those of their sections.

Both are kept as documents of their own, so that they are committed whole and replaced whole; pieces are kept by what they
were made from, so a changed document costs its own path through the overview and the themes that it touches.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from es_mappings.access import Rule, conjunction
from es_mappings.derived import DerivedKind, derived_id
from es_mappings.errors import NotFound, WriteRejected
from es_mappings.records import PUBLIC, Manifest, Node
from es_mappings.revisions import node_id
from es_mappings.sections import short_hash, slug_of
from es_mappings.tokens import count_tokens
from ingest.summaries.clustering import soft_clusters
from ingest.summaries.clusters import Cluster, contiguous_clusters, plan_clusters, plan_themes
from ingest.summaries.coverage import Coverages
from ingest.summaries.extractive import MODEL as EXTRACTIVE
from ingest.summaries.extractive import ExtractiveMaker
from ingest.summaries.making import ChatMaker, Made, Maker
from ingest.summaries.mapreduce import Progress, Run, run_plan
from ingest.summaries.members import Member, documents_of, runs_across, sections_of
from ingest.summaries.opening import limits_of, recipe_of
from ingest.summaries.pieces import PieceStore
from ingest.summaries.tree import Plan, SectionSource
from ingest.summaries.windows import Limits
from ingest.summaries.works import extract_limits
from ingest.summaries.workshop import Workshop

MOST_MEMBERS = 1_000
# A theme takes in at most this many tokens of summaries: one call, and not so many places that it says nothing.
THEME_TOKENS = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfOutcome:
    """What became of an overview or of themes: the id they are kept under, nodes written, requests sent, the share covered."""

    doc_id: str
    nodes: int
    requests: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """What is to be made: members, clusters of them by number, and the plan."""

    members: Sequence[Member]
    clusters: Sequence[Cluster]
    plan: Plan


class Shelves:
    """Makes the overview and the themes of a collection; a workshop without a chat makes extracts."""

    def __init__(self, workshop: Workshop) -> None:
        self._index, self._revisions, self._access = workshop.index, workshop.revisions, workshop.access
        self._embedder, self._settings, self._chat = workshop.embedder, workshop.settings, workshop.chat

    def overview(self, collection: str, progress: Progress) -> ShelfOutcome:
        """Make the overview of a collection from its documents' summaries. Raises NotFound when no document has one."""
        return self._revisions.swaps.outlast(lambda _: self._made(collection, "overview", self._overview_order, progress))

    def themes(self, collection: str, progress: Progress) -> ShelfOutcome:
        """Make the themes of a collection: clusters of section summaries that run over several chapters or documents.

        Raises NotFound when there are no summaries of sections.
        """
        return self._revisions.swaps.outlast(lambda _: self._made(collection, "themes", self._themes_order, progress))

    def _overview_order(self, collection: str) -> _Order:
        members = documents_of(self._index, collection)
        limits = self._limits()
        tokens = [count_tokens(member.text) for member in members]
        marks = [int(short_hash(member.doc_id), 16) for member in members]
        clusters = contiguous_clusters(tokens, marks, replace(limits, call=min(limits.call, THEME_TOKENS * 2)))
        owner = SectionSource(key=derived_id(collection, "overview"), title=f"Overview of {collection}", parent=None)
        recipe = recipe_of(self._settings, self._model(), limits, None)
        plan = plan_clusters(owner, [_source(member, member.title) for member in members], clusters, limits, recipe)
        return _Order(members=members, clusters=clusters, plan=plan)

    def _themes_order(self, collection: str) -> _Order:
        members = sections_of(self._index, collection)
        limits = self._limits()
        clusters = [Cluster(level=1, members=rows) for rows in self._themes_of(members) if runs_across(members, rows)]
        owner = SectionSource(key=derived_id(collection, "themes"), title=f"Themes of {collection}", parent=None)
        recipe = recipe_of(self._settings, self._model(), limits, None)
        plan = plan_themes([_source(member, member.place) for member in members], clusters, owner, limits, recipe)
        return _Order(members=members, clusters=clusters, plan=plan)

    def _themes_of(self, members: Sequence[Member]) -> list[tuple[int, ...]]:
        """Clusters by meaning; with SECTIONARY_SUMMARY_THEMES_WITHIN_ACCESS of members under one and the same rule only."""
        shelves: dict[str, list[int]] = {}
        for row, member in enumerate(members):
            shelves.setdefault(member.access if self._settings.summary_themes_within_access else "", []).append(row)
        found: list[tuple[int, ...]] = []
        for rows in shelves.values():
            vectors = np.array([members[row].vector for row in rows])
            sizes = [count_tokens(members[row].text) for row in rows]
            found += [tuple(rows[i] for i in group) for group in soft_clusters(vectors, sizes, THEME_TOKENS)]
        return sorted(found)

    def _made(self, collection: str, kind: DerivedKind, order: Callable[[str], _Order], progress: Progress) -> ShelfOutcome:
        """Claim first, then read: a document that goes or gets other readers meanwhile takes the claim with it."""
        draft = self._draft(collection, kind)
        claim = self._revisions.claim(draft)
        try:
            ordered = order(collection)
            if not ordered.members:
                raise NotFound(f"nothing in the collection {collection} has a summary yet: `sectionary summary DOC` makes them")
            plan = ordered.plan
            pieces = PieceStore(self._index, draft.doc_id)
            maker: Maker = ChatMaker(self._chat, plan.limits, plan.recipe.language) if self._chat else ExtractiveMaker()
            run = run_plan(plan, maker, pieces, self._settings.summary_parallel, progress)
            nodes = self._nodes(claim.revision, draft, kind, ordered, run)
            self._revisions.write(self._with_vectors(nodes))
            whole, final = run.summary(0), plan.finals[0]
            complete = final is None or (isinstance(whole, Made) and whole.source_hash == plan.steps[final].source_hash)
            facts = replace(claim.manifest, state="ready", sections=len(nodes), summary_state="fresh" if complete else "partial")
            self._revisions.commit(claim, facts, {"sections": []})
        except BaseException:
            self._revisions.discard(claim)
            raise
        pieces.drop_all_but(frozenset(step.source_hash for step in plan.steps), claim.revision)
        share = Coverages(run).of(0).share if kind == "overview" else 1.0
        return ShelfOutcome(doc_id=draft.doc_id, nodes=len(nodes), requests=run.requests, share=share)

    def _draft(self, collection: str, kind: DerivedKind) -> Manifest:
        """The manifest; open to all, because each node is guarded by the rules of what it was made from."""
        title = f"{kind.capitalize()} of {collection}"
        return Manifest(
            doc_id=derived_id(collection, kind),
            collection=collection,
            source=f"({kind})",
            title=title,
            slug=slug_of(title),
            format=kind,
            access=PUBLIC,
            is_restricted=True,
        )

    def _nodes(self, revision: str, draft: Manifest, kind: DerivedKind, ordered: _Order, run: Run) -> list[Node]:
        members, clusters = ordered.members, ordered.clusters

        def id_of(number: int) -> str:
            if number < len(members):
                return members[number].id
            return node_id(_node(draft, revision, "cluster", number - len(members)))

        def leaves(number: int) -> list[int]:
            if number < len(members):
                return [number]
            return sorted({leaf for member in clusters[number - len(members)].members for leaf in leaves(member)})

        nodes: list[Node] = []
        for place, cluster in enumerate(clusters):
            made = run.summary(1 + len(members) + place)
            if isinstance(made, Made):
                below = [members[i] for i in leaves(len(members) + place)]
                shape = replace(_node(draft, revision, "cluster", place), level=cluster.level)
                nodes.append(self._filled(shape, made, below, [id_of(number) for number in cluster.members], kind, {}))
        whole = run.summary(0)
        if kind == "overview" and isinstance(whole, Made):
            inside = {member for cluster in clusters for member in cluster.members}
            top = [number for number in range(len(members) + len(clusters)) if number not in inside]
            covered = Coverages(run).of(0)
            failed = [{"key": members[row.section - 1].doc_id, "error": row.error} for row in covered.sections if not row.included]
            coverage = {"share": covered.share, "failed": failed, "requests": whole.requests}
            shape = replace(_node(draft, revision, "document", 0), level=9)
            nodes.append(self._filled(shape, whole, members, [id_of(number) for number in top], kind, coverage))
        return nodes

    def _filled(
        self, shape: Node, made: Made, below: Sequence[Member], child_ids: Sequence[str], kind: DerivedKind, coverage: dict[str, Any]
    ) -> Node:
        mode = "llm" if self._chat else "extractive"
        keys = list(dict.fromkeys([*(member.doc_id for member in below), *(member.key for member in below)]))
        return replace(
            shape,
            content=made.text,
            token_count=made.tokens,
            source_hash=made.source_hash,
            child_ids=tuple(child_ids[:MOST_MEMBERS]),
            source_keys=tuple(keys[:MOST_MEMBERS]),
            access=self._conjunction({key for member in below for key in (member.access, member.document_access)}),
            coverage={"wanted": made.source_hash, "mode": mode} | coverage,
            metadata={"layer": "theme" if kind == "themes" else "tree"},
        )

    def _with_vectors(self, nodes: Sequence[Node]) -> list[Node]:
        if not nodes:
            return []
        rows = self._embedder.embed_passages([node.content for node in nodes])
        return [replace(node, embedding=tuple(float(value) for value in row)) for node, row in zip(nodes, rows, strict=True)]

    def _conjunction(self, keys: set[str]) -> str:
        rules: list[Rule] = []
        for key in keys:
            rule = self._access.rule(key)
            if rule is None:
                raise WriteRejected("the rule of who may read a document is lost: ingest it again with --access")
            rules.append(rule)
        return self._access.register(conjunction(rules))

    def _limits(self) -> Limits:
        return limits_of(self._settings) if self._chat else extract_limits(self._settings)

    def _model(self) -> str:
        return self._chat.model if self._chat else EXTRACTIVE


def _source(member: Member, heading: str) -> SectionSource:
    return SectionSource(key=member.id, title=heading, parent=0, text=member.text, access=member.access, kind="leaf")


def _node(draft: Manifest, revision: str, kind: Any, ordinal: int) -> Node:
    return Node(
        collection=draft.collection,
        doc_id=draft.doc_id,
        revision=revision,
        kind=kind,
        level=1,
        ordinal=ordinal,
        title=draft.title,
        section_path=draft.slug,
        section_key=draft.doc_id,
        ingested_at=datetime.now(UTC).isoformat(),
    )
