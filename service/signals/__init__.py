"""The folder is the registry: every module here is a ranking signal. A signal returns a clause, never a search body.

A signal module defines
    NAME: str                                       its name in settings and in `explain`
    SCALE: Scale                                    how its scores become evidence (see below)
    WEIGHT: float                                   default weight; what one unit of it is worth beside the others
    clause(question: Question) -> Clause | None     None when it has nothing to say about this question
Only service.scope makes search bodies, so access and section filters cannot be forgotten in a signal.
"""

import importlib
import pkgutil
import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Protocol, cast

from es_mappings.errors import SettingsError
from service.intents import Direction, IntentKind

_WEIGHT = re.compile(r"\d{1,6}(\.\d{1,6})?")

Scale = Literal[
    "score",  # as it is: BM25, a sum of log odds, whose gaps are comparable from question to question
    "range",  # 1 at the best hit, 0 at the floor of what the leg returned: cosines, whose spread depends on the model
    "top",  # as a share of the best hit's score
    "rank",  # 1 for the first, falling to 0 after the last: an order without scores
    "whole",  # no evidence of its own: its hits hold every word of the question (see service.fusion)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionPlace:
    """A section by its exact key; the document itself has its doc_id as key. `own_only`: without what lies below it."""

    doc_id: str
    key: str
    own_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the signals may use.

    `text` is what to search for, "" when the question only named a place. `vector` is the embedded text, unit length, None
    without an embedder. `direction`: which references a question about references asks for; `has_wish`: an overview is wished
    in some style or length. `labels` and `places` are the sections that the question is about, filtered or not;
    `foreign_labels` are how other documents refer to them. `depth` is the number of candidates asked of each leg.
    """

    text: str
    kind: IntentKind
    vector: tuple[float, ...] | None
    depth: int
    nodes: str | None = None
    direction: Direction = "both"
    has_wish: bool = False
    labels: tuple[str, ...] = ()
    places: tuple[SectionPlace, ...] = ()
    foreign_labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A scored query clause.

    `in_order`: the leg is sorted by reading order instead of by score. `kinds` overrides those in scope. `most`: fewer hits
    than the question's depth are enough.
    """

    query: dict[str, Any]
    in_order: bool = False
    kinds: tuple[str, ...] | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """The `k` nodes whose vectors are nearest to `vector`, found among `candidates` a shard (k <= candidates)."""

    vector: tuple[float, ...]
    k: int
    candidates: int


Clause = Match | Nearest


class Signal(Protocol):
    """The contract of a module in this folder (see above)."""

    NAME: str
    SCALE: Scale
    WEIGHT: float

    def clause(self, question: Question) -> Clause | None: ...


@cache
def signals() -> tuple[Signal, ...]:
    """Every signal in this folder, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found = (cast(Signal, importlib.import_module(f"{__name__}.{name}")) for name in names)
    return tuple(sorted(found, key=lambda signal: signal.NAME))


def read_weights(setting: str) -> dict[str, float]:
    """Weights by signal from "vector=0,lexical=1.5"; raises SettingsError for an unknown signal or a weight that is no number from 0."""
    weights: dict[str, float] = {}
    names = [signal.NAME for signal in signals()]
    for part in filter(None, (part.strip() for part in setting.split(","))):
        name, _, number = (piece.strip() for piece in part.partition("="))
        if name not in names or not _WEIGHT.fullmatch(number):
            raise SettingsError(
                f"SECTIONARY_SIGNAL_WEIGHTS: {part!r} is not SIGNAL=WEIGHT; the signals are {', '.join(names)}, a weight is a number from 0"
            )
        weights[name] = float(number)
    return weights
