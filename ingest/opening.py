"""Open what the settings name: the index (starting the local node when no other cluster is named) and the store for writing."""

from collections.abc import Iterator
from contextlib import contextmanager

from es_mappings import node
from es_mappings.access import AccessRegistry
from es_mappings.index import Index, connect
from es_mappings.revisions import Revisions
from es_mappings.settings import Settings
from ingest.embedding import Embedder, open_embedder
from ingest.pipeline import Store
from ingest.sandbox import Limits, ReaderPool
from ingest.summaries.documents import DocumentSummaries
from ingest.summaries.opening import open_patient_chat
from ingest.summaries.policy import summarise_by_policy
from ingest.summaries.shelves import Shelves


@contextmanager
def open_index(settings: Settings) -> Iterator[Index]:
    """The index of the settings. Nothing is created. Raises SettingsError, NodeError when the local node cannot be started."""
    url = settings.es_url or node.start(settings)
    index = Index(connect(settings, url), settings.index_prefix)
    try:
        yield index
    finally:
        index.close()


@contextmanager
def open_store(settings: Settings) -> Iterator[Store]:
    """The index, created where it is missing, with the embedder and the readers. Raises SettingsError on another embedder's index."""
    embedder = open_embedder(settings)
    with open_index(settings) as index, ReaderPool(Limits.of(settings)) as readers:
        index.create(model=embedder.name, dims=embedder.dims)
        revisions, access = Revisions(index, keep_seconds=settings.request_deadline_seconds), AccessRegistry(index)
        yield Store(
            settings=settings,
            index=index,
            revisions=revisions,
            access=access,
            embedder=embedder,
            read=readers.read,
            summarise=summarise_by_policy(open_summaries(settings, index, revisions, access, embedder), settings),
        )


def open_shelves(settings: Settings, index: Index, revisions: Revisions, access: AccessRegistry, embedder: Embedder) -> Shelves:
    """What makes overviews and themes of collections."""
    chat = open_patient_chat(settings)
    return Shelves(index=index, revisions=revisions, access=access, embedder=embedder, settings=settings, chat=chat)


def open_summaries(settings: Settings, index: Index, revisions: Revisions, access: AccessRegistry, embedder: Embedder) -> DocumentSummaries:
    """What makes summaries of stored documents, by the endpoint of the settings or, without one, as extracts."""
    chat = open_patient_chat(settings)
    return DocumentSummaries(index=index, revisions=revisions, access=access, embedder=embedder, settings=settings, chat=chat)
