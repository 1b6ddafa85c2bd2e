"""Open what the settings name and put the service's parts together; the embedder and the model are opened once a process."""

import threading
from collections.abc import Callable, Iterator
from importlib import metadata
from typing import Any

from es_mappings import node
from es_mappings.access import AccessRegistry, Reader
from es_mappings.errors import IndexUnavailable, SettingsError
from es_mappings.index import Index, connect
from es_mappings.records import Manifest
from es_mappings.settings import Settings
from ingest.chat import open_chat
from ingest.embedding import Embedder, open_embedder
from service.answering import Answerer, AnswerRequest
from service.installation import DISTRIBUTION
from service.job_store import JobStore
from service.models.requests import AnswerBody, SearchBody
from service.searching import Searcher, SearchRequest
from service.services import About, Event, Services
from service.signals import read_weights
from service.spool import Spool
from service.suffixes import read_suffixes


def open_services(settings: Settings) -> Services:
    """The services of one process. Raises SettingsError and, when no cluster is named and the local node cannot run, NodeError."""
    url = settings.es_url or node.start(settings)
    index = Index(connect(settings, url), settings.index_prefix)
    access = AccessRegistry(index)
    embedder = open_embedder(settings)
    searcher = Searcher(index=index, access=access, embedder=embedder, weights=read_weights(settings.signal_weights))
    chat = open_chat(settings)
    answerer = Answerer(index=index, access=access, embedder=embedder, searcher=searcher, chat=chat, settings=settings)

    def search(body: SearchBody, reader: Reader) -> dict[str, Any]:
        return searcher.search(search_request(body), reader).as_json()

    def answer(body: AnswerBody, reader: Reader) -> Iterator[Event]:
        return answerer.events(AnswerRequest(search=search_request(body), budget=body.budget), reader)

    def may_read(reader: Reader, manifest: Manifest) -> bool:
        return access.allows(reader, manifest.access)

    return Services(
        index=index,
        access=access,
        jobs=JobStore(index),
        spool=Spool(settings.home / "spool"),
        search=search,
        answer=answer,
        may_read=may_read,
        prepare=once(lambda: index.create(model=embedder.name, dims=embedder.dims)),
        probe=lambda: probe(index, embedder),
        about=About(
            version=metadata.version(DISTRIBUTION),
            embedder=embedder.name,
            model=(settings.llm_model or "default") if chat else None,
            formats=read_suffixes(),
        ),
    )


def search_request(body: SearchBody) -> SearchRequest:
    """What the search is asked for a request's body."""
    return SearchRequest(
        query=body.query,
        collection=body.collection,
        documents=body.documents,
        sections=body.sections,
        excluded_sections=body.excluded_sections,
        kind=body.kind,
        size=body.size,
        strategy=body.strategy,
        explain=body.explain,
    )


def probe(index: Index, embedder: Embedder) -> str:
    """The server's version, when it answers and its index fits the embedder; else raises IndexUnavailable or SettingsError."""
    version = str(index.server()["version"]["number"])
    meta = index.meta()
    if meta is None:
        raise IndexUnavailable(
            "there is no index yet: the worker makes it when it starts (`sectionary serve`, or `python -m service.worker`)"
        )
    if (meta.get("model"), meta.get("dims")) != (embedder.name, embedder.dims):
        raise SettingsError(
            f"the index was made with the embedder {meta.get('model')}, the settings say {embedder.name}: "
            "set SECTIONARY_EMBEDDER as before, or run `sectionary reindex`"
        )
    return version


def once(act: Callable[[], None]) -> Callable[[], None]:
    """A function that acts at its first call only, whichever thread that comes from; after a failure the next call tries again."""
    lock = threading.Lock()
    done = threading.Event()

    def call() -> None:
        if done.is_set():
            return
        with lock:
            if not done.is_set():
                act()
                done.set()

    return call
