"""Open what the settings name and put the service's parts together; the embedder and the model are opened once a process."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import metadata
from typing import Any

from es_mappings import node
from es_mappings.access import AccessRegistry, Reader
from es_mappings.errors import BackendError, IndexUnavailable
from es_mappings.index import Index, connect
from es_mappings.records import Manifest
from es_mappings.settings import Settings
from ingest.chat import open_chat
from ingest.embedding import open_embedder
from ingest.embedding.current import IndexEmbedder, check_setting, create_index
from ingest.summaries.opening import open_patient_chat
from service.answering import Answerer, AnswerRequest
from service.followups import Turn
from service.installation import DISTRIBUTION
from service.job_store import JobStore
from service.models.requests import AnswerBody, SearchBody
from service.models.requests import Turn as HistoryTurn
from service.models.summaries import SummaryQuery
from service.reranking.ordering import open_reranking
from service.searching import Searcher, SearchRequest
from service.services import About, Event, Services
from service.shelf import readable_manifest
from service.shelf_summaries import ShelfSummaries
from service.signals import read_weights
from service.spool import Spool
from service.suffixes import read_suffixes
from service.summarising import Summaries, Wish
from service.summary_status import summary_status


def open_services(settings: Settings) -> Services:
    """The services of one process. Raises SettingsError and, when no cluster is named and the local node cannot run, NodeError."""
    url = settings.es_url or node.start(settings)
    index = Index(connect(settings, url), settings.index_prefix)
    access = AccessRegistry(index)
    chosen = open_embedder(settings)
    embedder = IndexEmbedder(index, settings, chosen)
    searcher = Searcher(
        index=index, access=access, embedder=embedder, weights=read_weights(settings.signal_weights), reranking=open_reranking(settings)
    )
    chat = open_chat(settings)
    answerer = Answerer(index=index, access=access, embedder=embedder, searcher=searcher, chat=chat, settings=settings)

    def search(body: SearchBody, reader: Reader) -> dict[str, Any]:
        return searcher.search(search_request(body), reader).as_json()

    def answer(body: AnswerBody, reader: Reader) -> Iterator[Event]:
        return answerer.events(AnswerRequest(search=search_request(body), budget=body.budget, earlier=turns(body.history)), reader)

    summaries = Summaries(
        index=index, access=access, settings=settings, chat=open_patient_chat(settings, within_seconds=settings.request_deadline_seconds)
    )
    shelf_summaries = ShelfSummaries(index=index, access=access, summaries=summaries)

    def summary(doc_id: str, query: SummaryQuery, reader: Reader) -> dict[str, Any]:
        manifest = readable_manifest(index, access, reader, doc_id)
        wish = Wish(style=query.style, length=query.length, language=query.language)
        return summaries.read(reader, manifest, query.section, wish).as_json()

    def overview(collection: str, reader: Reader) -> dict[str, Any]:
        return shelf_summaries.overview(reader, collection).as_json()

    def may_read(reader: Reader, manifest: Manifest) -> bool:
        return access.allows(reader, manifest.access)

    def embedder_name() -> str:
        with contextlib.suppress(BackendError):
            return embedder.name
        return chosen.name

    # At the start only: later a reindex may give the index another embedder, and the process goes on with that.
    prepare = once(lambda: create_index(settings, index, chosen))
    fits = once(lambda: check_setting(settings, index, chosen))
    return Services(
        index=index,
        access=access,
        jobs=JobStore(index),
        spool=Spool(settings.home / "spool"),
        search=search,
        answer=answer,
        summary=summary,
        overview=overview,
        summary_status=lambda reader: summary_status(index, access, settings, reader).as_json(),
        may_read=may_read,
        prepare=prepare,
        probe=lambda: probe(index, embedder, fits),
        about=About(
            version=metadata.version(DISTRIBUTION),
            embedder=embedder_name,
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


def turns(history: Sequence[HistoryTurn]) -> tuple[Turn, ...]:
    """The questions of a conversation, each with the answers that followed it."""
    found: list[Turn] = []
    for message in history:
        if message.role == "user":
            found.append(Turn(question=message.content))
        elif found:
            found[-1] = replace(found[-1], answer=f"{found[-1].answer}\n{message.content}".strip())
    return tuple(turn for turn in found if turn.question.strip())


def probe(index: Index, embedder: IndexEmbedder, fits: Callable[[], None]) -> str:
    """The server's version, when it answers and the embedder of its index is at hand; else raises IndexUnavailable or SettingsError."""
    version = str(index.server()["version"]["number"])
    if index.generations.current(fresh=True) is None:
        raise IndexUnavailable(
            "there is no index yet: the worker makes it when it starts (`sectionary serve`, or `python -m service.worker`)"
        )
    fits()
    embedder.now()
    return version


def once(act: Callable[[], object]) -> Callable[[], None]:
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
