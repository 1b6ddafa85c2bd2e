"""Which sections a summary covers, which are missing and why, and the share of source tokens that went in. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.summaries.making import Made
from ingest.summaries.mapreduce import Failure, Run
from ingest.summaries.tree import children_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionCoverage:
    """One section below (or the one that is) a summary. `included` is False when any of its own text is missing, for `error`.

    `tokens` are those of its own text, `reached` how many of them went into the summary.
    """

    section: int
    tokens: int
    reached: int
    error: str = ""

    @property
    def included(self) -> bool:
        """Whether all of its own text went in."""
        return self.reached == self.tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What one summary covers: every section of its branch in reading order, and the share of tokens in 0..1.

    `left_out` are tokens of sentences that address a model; they count as not covered.
    """

    sections: tuple[SectionCoverage, ...]
    left_out: int = 0

    @property
    def share(self) -> float:
        """Source tokens that went in, of all; 1.0 when there is no source text."""
        total = sum(section.tokens for section in self.sections)
        reached = sum(section.reached for section in self.sections)
        return max(0, reached - self.left_out) / total if total else 1.0


def coverage_of(run: Run, section: int) -> Coverage:
    """The coverage of a section's summary; everything is missing when there is none."""
    return Coverages(run).of(section)


def branch(section: int, below: Sequence[Sequence[int]]) -> list[int]:
    """A section and all below it in reading order."""
    found: list[int] = []
    waiting = [section]
    while waiting:
        index = waiting.pop()
        found.append(index)
        waiting.extend(reversed(below[index]))
    return found


class Coverages:
    """The coverage of every summary of one run."""

    def __init__(self, run: Run) -> None:
        self._run, self._plan = run, run.plan
        self._below = children_of(run.plan.sources)

    def of(self, section: int) -> Coverage:
        """The coverage of one section's summary."""
        reached: dict[int, int] = {}
        errors: dict[int, str] = {}
        left_out = 0
        final = self._plan.finals[section]
        # Below a summary from which nothing is missing, a failure of this run does not matter: it was made by an earlier one.
        waiting: list[tuple[int, str, bool]] = [] if final is None else [(final, "", False)]
        while waiting:
            index, error, whole = waiting.pop()
            step = self._plan.steps[index]
            outcome = self._run.outcomes[index]
            if isinstance(outcome, Failure) and not error and not whole:
                error = self._reason(index, outcome)
            if isinstance(outcome, Made) and not error:
                whole = whole or outcome.source_hash == step.source_hash
                left_out += outcome.left_out if step.costs_call else 0
            if step.role == "text":
                for inner in branch(step.section, self._below):
                    self._note(inner, 0 if error else self._plan.own_tokens[inner], error, reached, errors)
                continue
            for unit in step.units:
                if unit.step is None:
                    self._note(unit.section, 0 if error else unit.weight, error, reached, errors)
                else:
                    waiting.append((unit.step, error, whole))
        rows = [self._row(index, reached.get(index, 0), errors.get(index, "")) for index in branch(section, self._below)]
        return Coverage(sections=tuple(rows), left_out=left_out)

    def _row(self, index: int, reached: int, error: str) -> SectionCoverage:
        tokens = self._plan.own_tokens[index]
        # Pieces of a text have not exactly as many tokens as the whole: without an error, all went in.
        went_in = tokens if not error else min(reached, tokens - 1) if tokens else 0
        return SectionCoverage(section=index, tokens=tokens, reached=went_in, error=error if tokens else "")

    def _reason(self, index: int, failure: Failure) -> str:
        """The failure in words, with the place where it happened when that is another section."""
        failed = self._plan.steps[failure.step]
        part = f"part {failed.part}: " if failed.part else ""
        title = self._plan.sources[failed.section].title
        where = f"the summary of “{title}”: " if failed.section != self._plan.steps[index].section else ""
        return f"{where}{part}{failure.message}"

    @staticmethod
    def _note(section: int, tokens: int, error: str, reached: dict[int, int], errors: dict[int, str]) -> None:
        reached[section] = reached.get(section, 0) + tokens
        if error:
            errors.setdefault(section, error)
