"""Run a plan: calls in parallel under a limit, each finished one stored at once, a failed one named and made by the next run."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Protocol

from es_mappings.errors import BackendError, ModelUnavailable
from es_mappings.tokens import count_tokens
from ingest.summaries.freshness import partial_hash
from ingest.summaries.making import Made, Maker
from ingest.summaries.prompts import Passage
from ingest.summaries.tree import Plan, Step, Unit


class SummaryStore(Protocol):
    """Where finished pieces stay. Both methods are called from several threads."""

    def find(self, hashes: Sequence[str]) -> dict[str, Made]:
        """What is stored under these source hashes."""
        ...

    def keep(self, made: Made) -> None:
        """Store a piece; when this returns, a kill does not lose it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a step has no result: the step that failed (perhaps one below), the error's code and message."""

    step: int
    code: str
    message: str


Outcome = Made | Failure
Progress = Callable[[int, int], None]
"""Called with (calls done, calls needed) in the thread that runs the plan; raising from it stops the run, and what is finished is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What became of each step of a plan (None: not needed, since all that is made from it was there). `requests` were sent."""

    plan: Plan
    outcomes: tuple[Outcome | None, ...]
    requests: int
    reused: int

    def summary(self, section: int) -> Outcome | None:
        """The outcome of a section's own summary; None when there is no text below its heading."""
        final = self.plan.finals[section]
        return None if final is None else self.outcomes[final]


def calls_needed(plan: Plan, store: SummaryStore) -> int:
    """How many calls a run would make now, when none has to be repeated."""
    known = store.find([step.source_hash for step in plan.steps if step.costs_call])
    return sum(plan.steps[i].costs_call and plan.steps[i].source_hash not in known for i in _needed(plan, known))


def run_plan(plan: Plan, maker: Maker, store: SummaryStore, parallel: int, progress: Progress) -> Run:
    """Make every summary of the plan. Failures of the endpoint become outcomes; what `store` or `progress` raises gets out."""
    return _Runner(plan, maker, store, progress).run(parallel)


def _needed(plan: Plan, known: Iterable[str]) -> list[int]:
    """The steps to carry out, in order: those of the finals, and below a call only what its result is not already known without."""
    stored = frozenset(known)
    needed = set[int]()
    waiting = [final for final in plan.finals if final is not None]
    while waiting:
        index = waiting.pop()
        if index in needed:
            continue
        needed.add(index)
        step = plan.steps[index]
        if not (step.costs_call and step.source_hash in stored):
            waiting += [unit.step for unit in step.units if unit.step is not None]
    return sorted(needed)


class _Runner:
    def __init__(self, plan: Plan, maker: Maker, store: SummaryStore, progress: Progress) -> None:
        self._plan, self._maker, self._store, self._progress = plan, maker, store, progress
        self._known = store.find([step.source_hash for step in plan.steps if step.costs_call])
        self._steps = _needed(plan, self._known)
        self._outcomes: list[Outcome | None] = [None] * len(plan.steps)
        self._missing: dict[int, frozenset[str]] = {}
        self._futures: dict[Future[Made], int] = {}
        self._reused = 0

    def run(self, parallel: int) -> Run:
        requests_before = self._maker.requests
        total = sum(self._calls(index) for index in self._steps)
        done = 0
        self._progress(0, total)
        order = self._order()
        with ThreadPoolExecutor(max_workers=parallel, thread_name_prefix="summaries") as pool:
            try:
                self._carry_out(order.get_ready(), order, pool)
                while self._futures:
                    finished, _ = wait(self._futures, return_when=FIRST_COMPLETED)
                    for future in finished:
                        index = self._futures.pop(future)
                        self._settle(index, future)
                        order.done(index)
                        done += 1
                    self._progress(done, total)
                    self._carry_out(order.get_ready(), order, pool)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
        requests = self._maker.requests - requests_before
        return Run(plan=self._plan, outcomes=tuple(self._outcomes), requests=requests, reused=self._reused)

    def _calls(self, index: int) -> bool:
        step = self._plan.steps[index]
        return step.costs_call and step.source_hash not in self._known

    def _order(self) -> TopologicalSorter[int]:
        order = TopologicalSorter[int]()
        for index in self._steps:
            step = self._plan.steps[index]
            known = step.costs_call and step.source_hash in self._known
            order.add(index, *(() if known else (unit.step for unit in step.units if unit.step is not None)))
        order.prepare()
        return order

    def _carry_out(self, ready: Iterable[int], order: TopologicalSorter[int], pool: Executor) -> None:
        """Settle what needs no call, and all that becomes ready by it; begin the calls of the rest."""
        while ready:
            for index in sorted(ready):
                step = self._plan.steps[index]
                if not step.costs_call:
                    self._outcomes[index] = self._assembled(index)
                elif step.source_hash in self._known:
                    self._outcomes[index] = self._known[step.source_hash]
                    self._reused += 1
                elif (prepared := self._prepared(index)) is not None:
                    self._futures[pool.submit(self._make, step, *prepared)] = index
                    continue
                order.done(index)
            ready = order.get_ready()

    def _assembled(self, index: int) -> Outcome:
        """The result of a step without a call: its texts one after the other."""
        step = self._plan.steps[index]
        passages, source_hash, failure = self._inputs(index)
        if not passages:
            assert failure is not None
            return failure
        text = "\n\n".join(passage.text for passage in passages)
        left_out = sum(made.left_out for unit in step.units if isinstance(made := self._result(unit), Made))
        return Made(source_hash=source_hash, text=text, tokens=count_tokens(text), left_out=left_out)

    def _prepared(self, index: int) -> tuple[list[Passage], str] | None:
        """What a call will read and its hash; None when the outcome is known without it."""
        passages, source_hash, failure = self._inputs(index)
        if not passages:
            self._outcomes[index] = failure
            return None
        if self._missing[index]:
            found = self._store.find([source_hash])
            if source_hash in found:
                self._outcomes[index] = found[source_hash]
                self._reused += 1
                return None
        return passages, source_hash

    def _inputs(self, index: int) -> tuple[list[Passage], str, Failure | None]:
        """The passages of a step, the hash of what really goes in, and the first failure among its inputs."""
        step = self._plan.steps[index]
        passages: list[Passage] = []
        missing = frozenset[str]()
        failure: Failure | None = None
        for unit in step.units:
            result = self._result(unit)
            if unit.step is None:
                passages.append(Passage(heading=unit.heading, text=unit.text))
            elif isinstance(result, Made):
                passages.append(Passage(heading=unit.heading, text=result.text))
                missing |= self._missing.get(unit.step, frozenset())
            else:
                assert isinstance(result, Failure)
                failure = failure or result
                missing |= self._missing.get(unit.step, frozenset()) | {self._plan.steps[unit.step].source_hash}
        self._missing[index] = missing
        return passages, partial_hash(step.source_hash, missing), failure

    def _result(self, unit: Unit) -> Outcome | None:
        return None if unit.step is None else self._outcomes[unit.step]

    def _make(self, step: Step, passages: Sequence[Passage], source_hash: str) -> Made:
        made = self._maker.make(step, passages, source_hash)
        self._store.keep(made)
        return made

    def _settle(self, index: int, future: Future[Made]) -> None:
        try:
            self._outcomes[index] = future.result()
        except BackendError as error:
            if not isinstance(error, ModelUnavailable) and error.code not in ("deadline_exceeded", "overloaded"):
                raise  # the store's failure, not the model's
            self._outcomes[index] = Failure(step=index, code=error.code, message=error.message)
