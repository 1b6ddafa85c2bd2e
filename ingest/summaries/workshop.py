"""What making summaries needs, as one value."""

from dataclasses import dataclass

from es_mappings.access import AccessRegistry
from es_mappings.index import Index
from es_mappings.revisions import Revisions
from es_mappings.settings import Settings
from ingest.embedding import Embedder
from ingest.summaries.patience import PatientChat


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """The open index and its parts; `chat` None makes extracts."""

    settings: Settings
    index: Index
    revisions: Revisions
    access: AccessRegistry
    embedder: Embedder
    chat: PatientChat | None
