"""The embedder of the index, whichever that is by now: a reindex may give the index another one while this process runs."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from es_mappings.errors import EmbedderUnavailable, SettingsError
from es_mappings.generations import Generation
from es_mappings.index import Index
from es_mappings.settings import Settings
from ingest.embedding import DEFAULT_EMBEDDER, Embedder, Vectors, open_embedder


class IndexEmbedder:
    """Embeds with the model that the vectors of the index were made with; looked up when it is used, at most half a second old.

    Vectors of two calls may come from two models: `now` gives one model for several calls, `query_vector` says which indices a
    vector is good for.
    """

    def __init__(self, index: Index, settings: Settings, opened: Embedder | None = None) -> None:
        self._index, self._settings = index, settings
        self._opened = opened
        self._lock = Lock()

    def now(self) -> Embedder:
        """The embedder of the current generation, opened when it is new. Raises SettingsError, EmbedderUnavailable."""
        generation = self._index.generations.current()
        with self._lock:
            if self._opened is None or (generation is not None and self._opened.name != generation.model):
                self._opened = self._open(generation)
            return self._opened

    def _open(self, generation: Generation | None) -> Embedder:
        spelled = (generation.embedder if generation else "") or self._settings.embedder
        embedder = open_embedder(self._settings.model_copy(update={"embedder": spelled}))
        if generation is not None and embedder.name != generation.model:
            raise SettingsError(
                f"the index was made with the embedder {generation.model}, {spelled or DEFAULT_EMBEDDER!r} is {embedder.name} here: "
                "set SECTIONARY_EMBEDDER as before, or give the index another model with `sectionary reindex --embedder`"
            )
        return embedder

    @property
    def name(self) -> str:
        """The model of the index; nothing is opened for it."""
        generation = self._index.generations.current()
        return generation.model if generation else self.now().name

    @property
    def dims(self) -> int:
        generation = self._index.generations.current()
        return generation.dims if generation else self.now().dims

    @property
    def max_tokens(self) -> int | None:
        return self._usable().max_tokens

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._usable().embed_passages(texts)

    def embed_query(self, text: str) -> Vectors:
        return self._usable().embed_query(text)

    def _usable(self) -> Embedder:
        """A model that this process cannot open is down for it, as a service that does not answer is."""
        try:
            return self.now()
        except SettingsError as error:
            raise EmbedderUnavailable(error.message) from None


def create_index(settings: Settings, index: Index, chosen: Embedder | None = None) -> IndexEmbedder:
    """Make what is missing of the index, for the embedder of the settings where there is none yet; returns the index's embedder.

    `chosen` is the embedder of the settings, if it is open already. Raises SettingsError when SECTIONARY_EMBEDDER names another
    model than the index has, and when that cannot be opened.
    """
    generation = index.generations.current(fresh=True)
    if generation is None or settings.embedder:
        chosen = chosen or open_embedder(settings)
        index.create(model=chosen.name, dims=chosen.dims, embedder=spelling(settings, chosen))
        return IndexEmbedder(index, settings, chosen)
    embedder = IndexEmbedder(index, settings)
    embedder.now()
    index.create(model=generation.model, dims=generation.dims, embedder=generation.embedder)
    return embedder


def check_setting(settings: Settings, index: Index, chosen: Embedder) -> None:
    """Raises SettingsError when SECTIONARY_EMBEDDER is set and `chosen`, which it opened, is not the model of the index."""
    generation = index.generations.current()
    if settings.embedder and generation is not None and generation.model != chosen.name:
        raise SettingsError(
            f"the index was made with the embedder {generation.model}, SECTIONARY_EMBEDDER says {chosen.name}: "
            "set it as before or leave it empty, or give the index another model with `sectionary reindex --embedder`"
        )


def spelling(settings: Settings, opened: Embedder) -> str:
    """How another process opens this embedder: a folder by its whole path, a service's model by the name that it was found under."""
    kind, _, argument = (settings.embedder or DEFAULT_EMBEDDER).partition(":")
    if kind == "openai":
        return opened.name.partition(" ")[0]
    return f"{kind}:{Path(argument).expanduser().resolve()}" if kind == "transformers" else kind


def one_model(embedder: Embedder) -> Embedder:
    """The same model for several calls, whatever happens to the index meanwhile."""
    if not isinstance(embedder, IndexEmbedder):
        return embedder
    try:
        return embedder.now()
    except SettingsError as error:
        raise EmbedderUnavailable(error.message) from None


def query_vector(index: Index, embedder: Embedder, text: str) -> tuple[Vectors, str | None]:
    """A question's vector, and the indices whose vectors it may be compared with. Raises EmbedderUnavailable."""
    while True:
        before = index.generations.current()
        vector = embedder.embed_query(text)
        if index.generations.current() == before:
            return vector, before.names if before else None
