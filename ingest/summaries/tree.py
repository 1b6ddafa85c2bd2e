"""The tree of summaries as values: sections to summarise, the steps that do it, and the plan of them all. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from es_mappings.records import PUBLIC
from es_mappings.tokens import count_tokens
from ingest.summaries.freshness import Recipe
from ingest.summaries.windows import Limits

Role = Literal["text", "carry", "map", "reduce", "document", "refine", "theme"]
SourceKind = Literal["section", "leaf", "cluster"]
# A heading stands before each text in a prompt; two of them with their summaries must fit the smallest window.
HEADING_CHARACTERS = 160
HEADING_TOKENS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionSource:
    """One section to summarise: its own text without its subsections', the index of the section above, its access key.

    The first of a document is the document itself (`parent` None); a parent stands before its children. Of kind `leaf` are
    texts that are no section (a chunk of a document without headings, another document), of kind `cluster` those made of them.
    """

    key: str
    title: str
    parent: int | None
    text: str = ""
    access: str = PUBLIC
    kind: SourceKind = "section"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One thing that a call reads: a text known now, or (with `step`) what an earlier step gives.

    `heading` stands before it in the prompt ("" for the go-on of the same section). `tokens` is its cost at most, heading
    included; `weight` the tokens of source text in it (0 for a step's result).
    """

    section: int
    heading: str
    tokens: int
    text: str = ""
    weight: int = 0
    step: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One summary or a part of one. `part` counts from 1 within a section; 0 is the section's own summary.

    Roles `text` and `carry` cost no call. `limit` is the longest result in tokens. `source_hash` names what it is made from.
    """

    section: int
    role: Role
    units: tuple[Unit, ...]
    limit: int
    source_hash: str
    part: int = 0

    @property
    def costs_call(self) -> bool:
        """Whether a model is asked."""
        return self.role not in ("text", "carry")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Steps in an order in which each finds its inputs made; `finals[i]` is the step of section i's summary, None without text.

    `own_tokens` and `branch_tokens` count the source text of each section alone and with all below it.
    """

    sources: tuple[SectionSource, ...]
    steps: tuple[Step, ...]
    finals: tuple[int | None, ...]
    own_tokens: tuple[int, ...]
    branch_tokens: tuple[int, ...]
    limits: Limits
    recipe: Recipe

    @property
    def calls(self) -> int:
        """How many calls make everything, when none has to be repeated."""
        return sum(step.costs_call for step in self.steps)

    def children(self) -> list[list[int]]:
        """The sections right below each section, in order."""
        return children_of(self.sources)


def children_of(sources: Sequence[SectionSource]) -> list[list[int]]:
    """The indexes right below each section, in order."""
    below: list[list[int]] = [[] for _ in sources]
    for index, source in enumerate(sources):
        if source.parent is not None:
            below[source.parent].append(index)
    return below


def carried(plan: Plan, section: int) -> int:
    """The step whose result a section's summary is: its own, or, where that only carries one on, the one below."""
    index = plan.finals[section]
    assert index is not None
    while plan.steps[index].role == "carry" and len(plan.steps[index].units) == 1:
        below = plan.steps[index].units[0].step
        assert below is not None
        index = below
    return index


def heading_line(title: str) -> str:
    """A heading as it stands in a prompt: one line of at most 160 characters and 64 tokens."""
    line = " ".join(title.split())[:HEADING_CHARACTERS]
    while count_tokens(line) > HEADING_TOKENS:
        line = line[: len(line) * 3 // 4]
    return line


def branch_text(sources: Sequence[SectionSource], below: Sequence[Sequence[int]], index: int) -> str:
    """All text of a section in reading order, subsections under their headings; a heading is no part of the sentence below it."""
    parts = [sources[index].text.strip()]
    parts += [f"{heading_line(sources[child].title)}\n\n{branch_text(sources, below, child)}".strip() for child in below[index]]
    return "\n\n".join(part for part in parts if part)
