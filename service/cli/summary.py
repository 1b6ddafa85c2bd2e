"""`sectionary summary DOC`: the stored summary of a document or a section; what is missing is made first, by its owner."""

from typing import Any

import click

from es_mappings.access import AccessRegistry
from es_mappings.errors import ModelUnavailable, NotFound
from es_mappings.index import Index
from es_mappings.records import Manifest
from es_mappings.revisions import Revisions
from es_mappings.settings import Settings, read_settings
from ingest.embedding import open_embedder
from ingest.opening import open_index, open_summaries
from ingest.summaries.documents import DocumentSummaries
from ingest.summaries.opening import open_patient_chat
from ingest.summaries.policy import told
from service.cli import emit
from service.cli._reader import groups_option, reader_of
from service.progress import progress_display
from service.summarising import Summaries, Wish
from service.summary_results import SummaryResult

MISSING_SHOWN = 10


@click.command()
@click.argument("document", metavar="DOC")
@click.option("--section", help="Only this section: key, path, label (chapter 3, 第三章) or number.")
@click.option("--style", default="", help="Audience, focus or tone, in your words: one call over the chapters' summaries, then kept.")
@click.option("--length", type=click.IntRange(30, 8000), help="Most tokens; as --style.")
@click.option("--language", default="", help="Language of the summary (zh, en ... or its name); as --style.")
@click.option("--dry-run", is_flag=True, help="Tell how many calls to the model making what is missing would take, and make nothing.")
@click.option("--stored", is_flag=True, help="Show what is stored, however old, and make nothing.")
@click.option("--collection", help="The shelf that the document is on, when it is given by source name or title.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@groups_option
def command(
    document: str,
    section: str | None,
    style: str,
    length: int | None,
    language: str,
    dry_run: bool,
    stored: bool,
    collection: str | None,
    as_json: bool,
    groups: str | None,
) -> None:
    """Show the summary of DOC (id, source name or title): every chapter in it, with what it covers and what is missing.

    Summaries are read back by id, not searched for; a stored one costs no call. The owner's call makes what is missing or
    out of date first; with --groups, or --stored, nothing is made.
    """
    settings, reader = read_settings(), reader_of(groups)
    with open_index(settings) as index:
        if index.meta() is None:
            raise NotFound("nothing is stored yet: `sectionary ingest PATH` adds documents")
        access = AccessRegistry(index)
        summaries = Summaries(index=index, access=access, settings=settings, chat=open_patient_chat(settings))
        manifest = summaries.find(reader, document, collection)
        if dry_run:
            _tell_outlook(_makers(settings, index, access), manifest, as_json)
            return
        notes: tuple[str, ...] = ()
        calls = 0
        if reader.owner and not stored and summaries.read(reader, manifest, section).state != "fresh":
            calls, notes = _make(_makers(settings, index, access), manifest)
        result = summaries.read(reader, manifest, section, Wish(style=style, length=length, language=language))
    shown = result.as_json() | {"llm_calls": result.llm_calls + calls, "notes": [*result.notes, *notes]}
    if as_json:
        emit(shown)
    else:
        _show(result, shown)


def _makers(settings: Settings, index: Index, access: AccessRegistry) -> DocumentSummaries:
    embedder = open_embedder(settings)
    index.create(model=embedder.name, dims=embedder.dims)
    return open_summaries(settings, index, Revisions(index, keep_seconds=settings.request_deadline_seconds), access, embedder)


def _make(makers: DocumentSummaries, manifest: Manifest) -> tuple[int, tuple[str, ...]]:
    """Make what is missing; returns the requests and what a person should know."""
    try:
        with progress_display(1) as display, display.document(manifest.title) as progress:
            outcome = makers.make(manifest.doc_id, lambda done, total: progress("summarising", done, total))
    except ModelUnavailable as error:
        return 0, (f"what is missing could not be made: {error.message}",)
    note = told(outcome)
    return outcome.requests, (note,) if note else ()


def _tell_outlook(makers: DocumentSummaries, manifest: Manifest, as_json: bool) -> None:
    outlook = makers.outlook(manifest.doc_id)
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


def _show(result: SummaryResult, shown: dict[str, Any]) -> None:
    click.secho(result.title, bold=True)
    click.echo(f"\n{result.summary or 'There is no summary yet.'}\n")
    kind = {"llm": "written by a model", "extractive": "extracted sentences", "verbatim": "the text itself"}.get(result.mode, "mixed")
    parts = ", put together from parts" if result.from_parts else ""
    click.secho(f"{kind}{parts}; {result.state}; covers {result.share:.1%} of the text; {shown['llm_calls']} calls", fg="cyan")
    for row in result.sections:
        if not row.included:
            click.secho(f"  not in it: {row.title} ({row.error})", fg="yellow")
    for fault in result.faults:
        click.secho(f"  without support ({fault['reason']}): {fault['sentence']}", fg="yellow")
    for point in result.missing[:MISSING_SHOWN]:
        click.secho(f"  not mentioned, {point['title']}: {point['sentence']}", dim=True)
    if result.missing_total > MISSING_SHOWN:
        click.secho(f"  ... {result.missing_total} numbers, names, denials and exceptions of the text are not mentioned", dim=True)
    for note in shown["notes"]:
        click.secho(f"  note: {note}", fg="yellow")
