"""Open what the settings name: the index (starting the local node when no other cluster is named) and the store for writing."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from es_mappings import node
from es_mappings.access import AccessRegistry
from es_mappings.index import Index, connect
from es_mappings.revisions import Revisions
from es_mappings.settings import Settings
from ingest.embedding.current import create_index
from ingest.pipeline import Store
from ingest.reader import open_reader
from ingest.summaries.documents import DocumentSummaries
from ingest.summaries.opening import open_patient_chat
from ingest.summaries.policy import summarise_by_policy
from ingest.summaries.workshop import Workshop


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
    with open_index(settings) as index, open_reader(settings) as read:
        embedder = create_index(settings, index)
        revisions, access = Revisions(index, keep_seconds=settings.request_deadline_seconds), AccessRegistry(index)
        store = Store(settings=settings, index=index, revisions=revisions, access=access, embedder=embedder, read=read)
        yield replace(store, summarise=summarise_by_policy(DocumentSummaries(workshop_of(store)), settings))


def workshop_of(store: Store) -> Workshop:
    """What making summaries needs, from an open store; the endpoint is that of its settings."""
    return Workshop(
        settings=store.settings,
        index=store.index,
        revisions=store.revisions,
        access=store.access,
        embedder=store.embedder,
        chat=open_patient_chat(store.settings),
    )
