"""Texts become vectors: the protocol of every embedder and the choice of one by settings. One file here is one embedder.

An embedder module defines `open_embedder(settings, argument)`, where `argument` is what follows ":" in SECTIONARY_EMBEDDER,
and imports its library only when it is opened, so nothing is loaded that is not used.
"""

import importlib
from collections.abc import Sequence
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from es_mappings.errors import SettingsError
from es_mappings.settings import Settings

Vectors = npt.NDArray[np.float32]

# The name in SECTIONARY_EMBEDDER and the module here (not called like the library that it imports).
DEFAULT_EMBEDDER = "use"
EMBEDDERS = {"use": "use", "e5": "e5", "transformers": "transformers_folder", "openai": "openai_api"}


class Embedder(Protocol):
    """A model that turns texts into vectors of unit length; equal names mean interchangeable vectors."""

    @property
    def name(self) -> str:
        """Model and version, as kept in the index's `_meta`: vectors of different names are never compared."""
        ...

    @property
    def dims(self) -> int:
        """Number of dimensions of every vector."""
        ...

    @property
    def max_tokens(self) -> int | None:
        """The model's own limit in its own tokens, prefixes included; longer texts are split and averaged. None: no limit."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Stored texts -> float32 (len(texts), dims), finite rows of unit length. Raises EmbedderUnavailable."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """A question -> float32 (dims,), finite and of unit length. Raises EmbedderUnavailable."""
        ...


class EmbedderModule(Protocol):
    """The contract of a module in this folder."""

    def open_embedder(self, settings: Settings, argument: str) -> Embedder: ...


def open_embedder(settings: Settings) -> Embedder:
    """The embedder that SECTIONARY_EMBEDDER names; empty: the built-in one. Raises SettingsError, EmbedderUnavailable."""
    kind, _, argument = (settings.embedder or DEFAULT_EMBEDDER).partition(":")
    if kind not in EMBEDDERS:
        raise SettingsError(f"SECTIONARY_EMBEDDER: {kind!r} is not one of {', '.join(EMBEDDERS)}")
    module = cast(EmbedderModule, importlib.import_module(f"{__name__}.{EMBEDDERS[kind]}"))
    return module.open_embedder(settings, argument)
