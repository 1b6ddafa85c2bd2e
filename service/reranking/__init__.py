"""A second look at the best hits: the protocol of every reranker and the choice of one by settings. One file here is one reranker.

A reranker module defines `open_reranker(settings, argument)`, where `argument` is what follows ":" in SECTIONARY_RERANKER, and
imports its library only when it is opened. Off by default: docs/decisions/0016-reranking-and-evaluation.md.
"""

import importlib
from collections.abc import Sequence
from typing import Protocol, cast

from es_mappings.errors import SettingsError
from es_mappings.settings import Settings

OFF = "off"
# The name in SECTIONARY_RERANKER and the module here.
RERANKERS = {"endpoint": "endpoint", "tei": "tei", "transformers": "transformers_folder"}


class Reranker(Protocol):
    """A model that reads a question together with a passage."""

    @property
    def name(self) -> str:
        """Model or service, as shown to the operator."""
        ...

    def scores(self, question: str, passages: Sequence[str]) -> tuple[float | None, ...]:
        """How relevant each passage is: finite, larger is better, comparable within one call; None for one that was not judged.

        Raises RerankerUnavailable, Overloaded, or DeadlineExceeded after SECTIONARY_RERANKER_SECONDS.
        """
        ...


class RerankerModule(Protocol):
    """The contract of a module in this folder."""

    def open_reranker(self, settings: Settings, argument: str) -> Reranker: ...


def open_reranker(settings: Settings) -> Reranker | None:
    """The reranker that SECTIONARY_RERANKER names, None when it is off. Raises SettingsError."""
    kind, _, argument = settings.reranker.partition(":")
    if kind == OFF:
        return None
    if kind not in RERANKERS:
        raise SettingsError(f"SECTIONARY_RERANKER: {kind!r} is not one of {', '.join((OFF, *RERANKERS))}")
    module = cast(RerankerModule, importlib.import_module(f"{__name__}.{RERANKERS[kind]}"))
    return module.open_reranker(settings, argument)
