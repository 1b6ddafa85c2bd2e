"""From sections to the plan of calls, known before the first is made. Pure.

leaf sections -> sections -> chapters -> document, along the heading tree. No call for a section of fewer than 400 tokens
(its text is its summary) or with one subsection and little more (that one's summary is its own). What is too large for one
call is taken in groups of neighbours, whose summaries are then taken together.
"""

from collections.abc import Sequence

from es_mappings.sections import joined_hash
from es_mappings.tokens import count_tokens
from ingest.summaries.freshness import Recipe, made_hash, text_hash
from ingest.summaries.tree import HEADING_TOKENS, Plan, Role, SectionSource, Step, Unit, branch_text, children_of, heading_line
from ingest.summaries.windows import UNIT_TOKENS, Limits, even_groups, paragraphs

SO_FAR = "Summary so far"


def plan_summaries(sources: Sequence[SectionSource], limits: Limits, recipe: Recipe) -> Plan:
    """The plan for one document. `limits` come from `windows.fitted`."""
    return _Planner(tuple(sources), limits, recipe).plan()


class _Planner:
    def __init__(self, sources: tuple[SectionSource, ...], limits: Limits, recipe: Recipe) -> None:
        self._sources, self._limits, self._recipe = sources, limits, recipe
        self._below = children_of(sources)
        self._own = [count_tokens(source.text) for source in sources]
        self._branch = list(self._own)
        for index in range(len(sources) - 1, 0, -1):
            parent = sources[index].parent
            assert parent is not None
            self._branch[parent] += self._branch[index]
        self._whole = self._section_of_the_whole()
        self._steps: list[Step] = []
        self._finals: list[int | None] = [None] * len(sources)

    def plan(self) -> Plan:
        for index in range(len(self._sources) - 1, -1, -1):
            if self._branch[index]:
                self._steps.append(self._final(index))
                self._finals[index] = len(self._steps) - 1
        return Plan(
            sources=self._sources,
            steps=tuple(self._steps),
            finals=tuple(self._finals),
            own_tokens=tuple(self._own),
            branch_tokens=tuple(self._branch),
            limits=self._limits,
            recipe=self._recipe,
        )

    def _section_of_the_whole(self) -> int:
        """The section whose subsections are the chapters: below the document, as long as one heading holds all the rest."""
        index = 0
        while self._own[index] < self._limits.short:
            below = [child for child in self._below[index] if self._branch[child]]
            if len(below) != 1 or not any(self._branch[child] for child in self._below[below[0]]):
                break
            index = below[0]
        return index

    def _final(self, index: int) -> Step:
        """The step that gives a section's summary; the parts that it needs are put before it."""
        children = [child for child in self._below[index] if self._finals[child] is not None]
        own = self._own_units(index)
        below = [self._result(child) for child in children]
        known = [self._steps[unit.step].source_hash for unit in below if unit.step is not None]
        if self._branch[index] < self._limits.short:
            units = self._branch_unit(index)
            return Step(section=index, role="text", units=units, limit=units[0].tokens, source_hash=self._hash("text", index, known))
        if len(children) == 1 and self._carries(index, below[0]):
            units = (*own, *below)
            limit = sum(unit.tokens for unit in units) if own else self._limit_of(below[0])
            return Step(section=index, role="carry", units=units, limit=limit, source_hash=self._hash("carry", index, known))
        role: Role = "map" if not children else "document" if index == self._whole else "reduce"
        limit = self._limits.document if index in (0, self._whole) else self._limits.summary
        units, role = self._narrowed(index, (*own, *below), limit, role)
        return Step(section=index, role=role, units=units, limit=limit, source_hash=self._hash(f"{self._recipe.hash} {role}", index, known))

    def _carries(self, index: int, below: Unit) -> bool:
        """Whether one subsection's summary, after a short text, will do for the whole section."""
        if self._own[index] == 0:
            return True
        together = self._own[index] + below.tokens
        summary = self._limits.document if below.section == self._whole else self._limits.summary
        room = min(summary + HEADING_TOKENS + self._limits.short, self._limits.room(self._limits.document) // 2)
        return self._own[index] < self._limits.short and together <= room

    def _hash(self, how: str, index: int, children: Sequence[str]) -> str:
        source = self._sources[index]
        return made_hash(how, heading_line(source.title), text_hash(source.text), children)

    def _branch_unit(self, index: int) -> tuple[Unit, ...]:
        text = branch_text(self._sources, self._below, index)
        return (Unit(section=index, heading="", tokens=count_tokens(text), text=text, weight=self._branch[index]),)

    def _own_units(self, index: int) -> tuple[Unit, ...]:
        if not self._own[index]:
            return ()
        heading = heading_line(self._sources[index].title)
        tokens = self._own[index] + count_tokens(heading) + UNIT_TOKENS
        return (Unit(section=index, heading=heading, tokens=tokens, text=self._sources[index].text, weight=self._own[index]),)

    def _result(self, child: int) -> Unit:
        return self._unit_of(child, heading_line(self._sources[child].title), self._finals[child])

    def _unit_of(self, section: int, heading: str, step: int | None) -> Unit:
        assert step is not None
        return Unit(section=section, heading=heading, step=step, tokens=self._steps[step].limit + count_tokens(heading) + UNIT_TOKENS)

    def _limit_of(self, unit: Unit) -> int:
        assert unit.step is not None
        return self._steps[unit.step].limit

    def _narrowed(self, index: int, units: tuple[Unit, ...], limit: int, role: Role) -> tuple[tuple[Unit, ...], Role]:
        """The units that the last call reads: all of them, or results of parts when they do not fit together."""
        if self._recipe.method == "refine":
            return self._chained(index, units, limit, role)
        part = 0
        room = self._limits.room(self._limits.summary)
        while sum(unit.tokens for unit in units) > self._limits.room(limit):
            split = self._split(units, room)
            merged: list[Unit] = []
            for start, end in even_groups([u.tokens for u in split], [_mark(u) for u in split], room):
                if end - start == 1 and split[start].step is not None:
                    merged.append(split[start])
                    continue
                part += 1
                step = self._add_part(index, split[start:end], part, _role(split[start:end], index), self._limits.summary)
                merged.append(self._unit_of(index, f"{heading_line(self._sources[index].title)} ({part})", step))
            units = tuple(merged)
            role = "document" if role == "document" else "reduce"
        return units, role

    def _chained(self, index: int, units: tuple[Unit, ...], limit: int, role: Role) -> tuple[tuple[Unit, ...], Role]:
        """As `_narrowed`, one after the other: each step reads the summary so far and the next group."""
        if sum(unit.tokens for unit in units) <= self._limits.room(limit):
            return units, role
        room = self._limits.room(limit) - limit - count_tokens(SO_FAR) - UNIT_TOKENS
        split = self._split(units, room)
        groups = even_groups([u.tokens for u in split], [_mark(u) for u in split], room)
        chain: tuple[Unit, ...] = ()
        for part, (start, end) in enumerate(groups[:-1], start=1):
            step = self._add_part(index, (*chain, *split[start:end]), part, "refine" if chain else _role(split[start:end], index), limit)
            chain = (self._unit_of(index, SO_FAR, step),)
        return (*chain, *split[groups[-1][0] :]), "refine"

    def _split(self, units: Sequence[Unit], room: int) -> list[Unit]:
        """The units with long texts in paragraphs."""
        result: list[Unit] = []
        for unit in units:
            if unit.step is not None:
                result.append(unit)
                continue
            extra = unit.tokens - unit.weight
            for piece in paragraphs(unit.text, room - extra):
                weight = count_tokens(piece)
                result.append(Unit(section=unit.section, heading=unit.heading, tokens=weight + extra, text=piece, weight=weight))
        return result

    def _add_part(self, index: int, units: Sequence[Unit], part: int, role: Role, limit: int) -> int:
        read = [text_hash(unit.text) if unit.step is None else self._steps[unit.step].source_hash for unit in units]
        headings = [unit.heading for unit in units]
        source_hash = joined_hash("part", self._recipe.hash, role, *headings, *read)
        self._steps.append(Step(section=index, role=role, units=tuple(units), limit=limit, source_hash=source_hash, part=part))
        return len(self._steps) - 1


def _role(units: Sequence[Unit], index: int) -> Role:
    return "map" if all(unit.step is None and unit.section == index for unit in units) else "reduce"


def _mark(unit: Unit) -> int:
    return int(joined_hash(unit.heading, unit.text)[:8], 16)
