"""The summaries of stored documents: told beforehand, made once, and in between what is there is shown for what it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from es_mappings.errors import ModelUnavailable, NotFound
from es_mappings.records import Manifest
from ingest.summaries.extractive import ExtractiveMaker
from ingest.summaries.making import ChatMaker, Made, Maker
from ingest.summaries.mapreduce import Failure, Progress, Run, SummaryStore, calls_needed, run_plan
from ingest.summaries.pieces import PieceStore
from ingest.summaries.prompts import Passage
from ingest.summaries.reading import read_document
from ingest.summaries.tree import Step
from ingest.summaries.works import Work, work_for
from ingest.summaries.workshop import Workshop
from ingest.summaries.writing import Desk, older_summary, write_summaries


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What making the summaries of a document takes now: requests when none has to be repeated, of how many in all."""

    doc_id: str
    calls: int
    calls_in_all: int
    sections: int
    tokens: int
    mode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a document's summaries: the state on the manifest, requests sent, sections without a new summary and why."""

    doc_id: str
    state: str
    requests: int
    failed: tuple[tuple[str, str], ...] = ()


class DocumentSummaries:
    """Makes and stores the summaries of documents; a workshop without a chat makes extracts."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self._index, self._revisions, self._chat = workshop.index, workshop.revisions, workshop.chat

    def outlook(self, doc_id: str) -> Outlook:
        """What `make` would do; nothing is made. Raises NotFound, ModelUnavailable, SettingsError."""
        work, pieces = self._open(doc_id)
        calls = calls_needed(work.plan, pieces) if work.mode == "llm" else 0
        return Outlook(
            doc_id=doc_id,
            calls=calls,
            calls_in_all=work.plan.calls if work.mode == "llm" else 0,
            sections=sum(source.kind == "section" for source in work.plan.sources),
            tokens=work.plan.branch_tokens[0],
            mode=work.mode,
        )

    def settle(self, doc_id: str) -> Outcome:
        """Give every section what is there already: summaries of unchanged sections are fresh at once, older ones shown as stale.

        No request is sent. Raises NotFound, ModelUnavailable (when the endpoint must be asked for its model's name).
        """
        return self._revisions.swaps.amend(lambda: self._settle(doc_id))

    def _settle(self, doc_id: str) -> Outcome:
        work, pieces = self._open(doc_id)
        return self._carried_out(work, pieces, _NothingMade(work.plan.recipe.model), unheard)

    def make(self, doc_id: str, progress: Progress | None = None) -> Outcome:
        """Make what is missing or stale; a failed piece is named and made by the next call of this. Finished ones are never repeated.

        Raises NotFound, SettingsError, and the errors of the index; failures of the endpoint are in the outcome.
        """
        return self._revisions.swaps.amend(lambda: self._make(doc_id, progress))

    def _make(self, doc_id: str, progress: Progress | None) -> Outcome:
        work, pieces = self._open(doc_id)
        if work.mode == "llm":
            if calls_needed(work.plan, pieces):
                self._carried_out(work, pieces, _NothingMade(work.plan.recipe.model), unheard)
            assert self._chat is not None
            maker: Maker = ChatMaker(self._chat, work.plan.limits, work.plan.recipe.language)
            outcome = self._carried_out(work, pieces, maker, progress or unheard)
        else:
            outcome = self._carried_out(work, Nowhere(), ExtractiveMaker(), progress or unheard, pieces)
        if outcome.state == "fresh":
            pieces.drop_all_but(frozenset(step.source_hash for step in work.plan.steps), work.document.manifest.revision)
        return outcome

    def _open(self, doc_id: str) -> tuple[Work, PieceStore]:
        manifest = self._manifest(doc_id)
        document = read_document(self._index, manifest)
        work = work_for(document, self._workshop.settings, self._chat.model if self._chat else None)
        pieces = PieceStore(self._index, doc_id)
        finals = zip(document.sections, work.plan.finals, strict=False)
        pieces.place({work.plan.steps[final].source_hash: node.place for node, final in finals if final is not None})
        return work, pieces

    def _manifest(self, doc_id: str) -> Manifest:
        manifest = self._revisions.manifest(doc_id)
        if manifest is None or not manifest.revision:
            raise NotFound("there is no such document: `sectionary documents` lists what is stored")
        return manifest

    def _carried_out(self, work: Work, store: SummaryStore, maker: Maker, progress: Progress, pieces: PieceStore | None = None) -> Outcome:
        parallel = self._workshop.settings.summary_parallel if work.mode == "llm" else 1
        run = run_plan(work.plan, maker, store, parallel, progress)
        kept = pieces or store
        assert isinstance(kept, PieceStore)
        write_summaries(Desk(index=self._index, access=self._workshop.access, embedder=self._workshop.embedder, pieces=kept), work, run)
        state = _state(run, kept, work)
        manifest = work.document.manifest
        after = self._revisions.manifest(manifest.doc_id)
        if after is not None and after.revision == manifest.revision:  # also when the state stays: a reindex sees that nodes changed
            self._revisions.update(manifest.doc_id, summary_state=state)
        return Outcome(doc_id=manifest.doc_id, state=state, requests=run.requests, failed=tuple(_failures(run)))


class Nowhere:
    """Keeps nothing: extracts cost less to make again than to store."""

    def find(self, hashes: Sequence[str]) -> dict[str, Made]:  # noqa: ARG002 - the protocol's
        """Nothing."""
        return {}

    def keep(self, made: Made) -> None:
        """Nothing happens."""


class _NothingMade:
    """Makes nothing, so that a run finds what is stored and names the rest."""

    requests = 0

    def __init__(self, model: str) -> None:
        self.model = model

    def make(self, step: Step, passages: Sequence[Passage], source_hash: str) -> Made:  # noqa: ARG002 - the protocol's
        raise ModelUnavailable("not made yet: `sectionary summary DOC` makes it")


def unheard(done: int, total: int) -> None:
    """Progress that nobody listens to."""


def _state(run: Run, pieces: PieceStore, work: Work) -> str:
    """fresh: all is there and up to date; partial: a document's summary with pieces missing; stale: an older one; pending: none."""
    whole = run.summary(0)
    if whole is None:
        return "none"
    if isinstance(whole, Made):
        final = run.plan.finals[0]
        assert final is not None
        complete = whole.source_hash == run.plan.steps[final].source_hash
        return "fresh" if complete and not any(True for _ in _failures(run)) else "partial"
    return "stale" if older_summary(work, pieces, 0) else "pending"


def _failures(run: Run) -> list[tuple[str, str]]:
    """The sections whose own step failed, and why."""
    found = []
    for section, source in enumerate(run.plan.sources):
        outcome = run.summary(section)
        if isinstance(outcome, Failure):
            found.append((source.key, outcome.message))
    return found


Summarise = Callable[[str], Outcome]
