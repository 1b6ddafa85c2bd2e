"""What `sectionary doctor` looks at. Each module here examines one part and says, for each finding, what to do."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from es_mappings.settings import Settings

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One finding: `fail` means that something will not work, `warn` that something is missing which may be wanted."""

    name: str
    state: State
    message: str


def ok(name: str, message: str) -> Check:
    return Check(name=name, state="ok", message=message)


def warn(name: str, message: str) -> Check:
    return Check(name=name, state="warn", message=message)


def fail(name: str, message: str) -> Check:
    return Check(name=name, state="fail", message=message)


def examine(settings: Settings) -> Iterator[Check]:
    """All checks, as they are made; the cluster is touched only below a throw-away prefix."""
    from service.checks import cluster, machine, models, summaries  # here: they need the names above

    yield from machine.examine(settings)
    yield from models.examine(settings)
    yield from cluster.examine(settings)
    yield from summaries.examine(settings)
