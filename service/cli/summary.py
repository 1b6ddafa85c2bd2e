"""`sectionary summary DOC`: the stored summary of a document or a section; what is missing is made first, by its owner."""

from dataclasses import replace
from typing import Any

import click

from es_mappings.access import AccessRegistry, Reader
from es_mappings.errors import ModelUnavailable, NotFound
from es_mappings.index import Index
from es_mappings.records import Manifest
from es_mappings.revisions import Revisions
from es_mappings.settings import Settings, read_settings
from ingest.embedding.current import create_index
from ingest.opening import open_index
from ingest.summaries.documents import DocumentSummaries, unheard
from ingest.summaries.opening import open_patient_chat
from ingest.summaries.policy import told
from ingest.summaries.shelves import Shelves
from ingest.summaries.workshop import Workshop
from service.cli import emit
from service.cli._reader import groups_option, reader_of
from service.progress import progress_display
from service.shelf_summaries import ShelfSummaries
from service.summarising import Summaries, Wish
from service.summary_results import SummaryResult

MISSING_SHOWN = 10


@click.command()
@click.argument("document", metavar="[DOC]", required=False)
@click.option("--section", help="Only this section: key, path, label (chapter 3, 第三章) or number.")
@click.option("--style", default="", help="Audience, focus or tone, in your words: one call over the chapters' summaries, then kept.")
@click.option("--length", type=click.IntRange(30, 8000), help="Most tokens; as --style.")
@click.option("--language", default="", help="Language of the summary (zh, en ... or its name); as --style.")
@click.option("--dry-run", is_flag=True, help="Tell how many calls to the model making what is missing would take, and make nothing.")
@click.option("--stored", is_flag=True, help="Show what is stored, however old, and make nothing.")
@click.option("--collection", help="The shelf that DOC is on; without DOC: the overview of this shelf.")
@click.option("--themes", is_flag=True, help="Without DOC: make the themes that run across the collection's chapters and documents.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@groups_option
def command(
    document: str | None, collection: str | None, dry_run: bool, stored: bool, themes: bool, as_json: bool, groups: str | None, **asked: Any
) -> None:
    """Show the summary of DOC (id, source name or title): every chapter in it, with what it covers and what is missing.

    Summaries are read back by id, not searched for; a stored one costs no call. The owner's call makes what is missing or
    out of date first; with --groups, or --stored, nothing is made.
    """
    if document is None and (collection is None or dry_run or any(asked.values())):
        raise click.UsageError("name a document, or only a --collection for the overview of it")
    settings, reader = read_settings(), reader_of(groups)
    with open_index(settings) as index:
        if index.meta() is None:
            raise NotFound("nothing is stored yet: `sectionary ingest PATH` adds documents")
        desk = _Desk(settings, index, reader, may_make=reader.owner and not stored)
        if dry_run:
            assert document is not None
            _tell_outlook(desk, document, collection, as_json)
            return
        if document is None:
            result = desk.overview(str(collection), themes=themes)
        else:
            wish = Wish(style=asked["style"], length=asked["length"], language=asked["language"])
            result = desk.document(document, collection, asked["section"], wish)
    if as_json:
        emit(result.as_json())
    else:
        _show(result)


class _Desk:
    """What one call of the command needs; the embedder is opened only when something is made."""

    def __init__(self, settings: Settings, index: Index, reader: Reader, *, may_make: bool) -> None:
        self._settings, self._index, self._reader, self._may_make = settings, index, reader, may_make
        self._access = AccessRegistry(index)
        self._chat = open_patient_chat(settings)
        self.summaries = Summaries(index=index, access=self._access, settings=settings, chat=self._chat)

    def document(self, name: str, collection: str | None, section: str | None, wish: Wish) -> SummaryResult:
        """The summary of a document; what is missing is made first."""
        manifest = self.summaries.find(self._reader, name, collection)
        calls = 0
        notes: tuple[str, ...] = ()
        if self._may_make and self.summaries.read(self._reader, manifest, section).state != "fresh":
            calls, notes = self._make(manifest)
        result = self.summaries.read(self._reader, manifest, section, wish)
        return replace(result, llm_calls=result.llm_calls + calls, notes=(*result.notes, *notes))

    def overview(self, collection: str, *, themes: bool) -> SummaryResult:
        """The overview of a collection, made first when it is missing or old; with its themes when they are asked for."""
        shelf = ShelfSummaries(index=self._index, access=self._access, summaries=self.summaries)
        result = shelf.overview(self._reader, collection)
        calls = 0
        notes: tuple[str, ...] = ()
        if self._may_make:
            shelves = Shelves(self._workshop())
            if result.state != "fresh":
                calls = shelves.overview(collection, unheard).requests
            if themes:
                made = shelves.themes(collection, unheard)
                calls, notes = calls + made.requests, (f"{made.nodes} themes are stored: `sectionary search --kind cluster` finds them",)
            result = shelf.overview(self._reader, collection)
        return replace(result, llm_calls=calls, notes=notes)

    def find(self, name: str, collection: str | None) -> Manifest:
        """The document, if the reader may know of it."""
        return self.summaries.find(self._reader, name, collection)

    def makers(self) -> DocumentSummaries:
        """What makes the summaries of documents."""
        return DocumentSummaries(self._workshop())

    def _workshop(self) -> Workshop:
        embedder = create_index(self._settings, self._index)
        revisions = Revisions(self._index, keep_seconds=self._settings.request_deadline_seconds)
        return Workshop(
            settings=self._settings, index=self._index, revisions=revisions, access=self._access, embedder=embedder, chat=self._chat
        )

    def _make(self, manifest: Manifest) -> tuple[int, tuple[str, ...]]:
        """Make what is missing; returns the requests and what a person should know."""
        try:
            with progress_display(1) as display, display.document(manifest.title) as progress:
                outcome = self.makers().make(manifest.doc_id, lambda done, total: progress("summarising", done, total))
        except ModelUnavailable as error:
            return 0, (f"what is missing could not be made: {error.message}",)
        note = told(outcome)
        return outcome.requests, (note,) if note else ()


def _tell_outlook(desk: _Desk, name: str, collection: str | None, as_json: bool) -> None:
    manifest = desk.find(name, collection)
    outlook = desk.makers().outlook(manifest.doc_id)
    shown = {
        "doc_id": outlook.doc_id,
        "title": manifest.title,
        "mode": outlook.mode,
        "llm_calls": outlook.calls,
        "llm_calls_in_all": outlook.calls_in_all,
        "sections": outlook.sections,
        "source_tokens": outlook.tokens,
    }
    if as_json:
        emit(shown)
        return
    calls = f"{outlook.calls} of {outlook.calls_in_all} calls" if outlook.mode == "llm" else "no call (extracts, no model is configured)"
    click.echo(f"{manifest.title}: {calls} for {outlook.sections} sections, {outlook.tokens:,} tokens")


def _show(result: SummaryResult) -> None:
    click.secho(result.title, bold=True)
    click.echo(f"\n{result.summary or 'There is no summary yet.'}\n")
    kind = {"llm": "written by a model", "extractive": "extracted sentences", "verbatim": "the text itself"}.get(result.mode, "mixed")
    parts = ", put together from parts" if result.from_parts else ""
    click.secho(f"{kind}{parts}; {result.state}; covers {result.share:.1%} of the text; {result.llm_calls} calls", fg="cyan")
    for row in result.sections:
        if not row.included:
            click.secho(f"  not in it: {row.title} ({row.error})", fg="yellow")
    for fault in result.faults:
        click.secho(f"  without support ({fault['reason']}): {fault['sentence']}", fg="yellow")
    for title, sentence in list(dict.fromkeys((point["title"], point["sentence"]) for point in result.missing))[:MISSING_SHOWN]:
        click.secho(f"  not mentioned, {title}: {' '.join(sentence.split())}", dim=True)
    if result.missing_total > MISSING_SHOWN:
        click.secho(f"  ... {result.missing_total} numbers, names, denials and exceptions of the text are not mentioned", dim=True)
    for note in result.notes:
        click.secho(f"  note: {note}", fg="yellow")
