"""`sectionary ingest PATH...`: read documents and make them searchable; exit code 0 only if everything given is."""

from pathlib import Path

import click

from es_mappings.access import Rule, rule_for
from es_mappings.errors import InvalidRequest, SectionaryError
from es_mappings.sections import document_id
from es_mappings.settings import read_settings
from ingest.opening import open_store
from ingest.pipeline import Order, Row, Store, ingest
from ingest.sources import Source, find_sources
from service.cli import FAILED, emit, fail
from service.progress import ProgressDisplay, progress_display


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines, one a document.")
@click.option("--collection", default="default", show_default=True, help="The shelf to put the documents on.")
@click.option("--access", help="Groups that may read the documents, comma-separated; without it everyone may.")
@click.option("--source", help="Source name instead of the file's name (one document only).")
@click.option("--id", "doc_id", help="Document id instead of one made from collection and source (one document only).")
@click.option("--prune", is_flag=True, help="Delete documents that came from a folder given here and are no longer in it.")
def command(
    paths: tuple[Path, ...], as_json: bool, collection: str, access: str | None, source: str | None, doc_id: str | None, prune: bool
) -> int:
    """Read files, folders and books (a folder with a SUMMARY.md is one document) and store them with their heading tree.

    Unchanged files are skipped; changed ones are replaced without a moment in which a search sees neither or a mixture.
    """
    if not collection.strip() or len(collection) > 200:
        raise InvalidRequest("a collection needs a name of 1 to 200 characters")
    rule = rule_for(access.split(",")) if access is not None else None
    sources, failures = _sources(paths, collection)
    if (source or doc_id) and len(sources) + len(failures) != 1:
        raise InvalidRequest("--source and --id name one document: give one file, or a folder that is one book")
    if source or doc_id:
        sources = [Source(path=item.path, name=source or item.name, origin="") for item in sources]
    rows = list(failures)
    for row in failures:
        _print(row, as_json)
    if sources:
        with open_store(read_settings()) as store, progress_display(len(sources)) as display:
            for item in sources:
                row = _ingest_one(item, collection, rule, doc_id or "", store, display)
                rows.append(row)
                with display.paused():
                    _print(row, as_json)
            store.revisions.sweep()
            if prune:
                _prune(paths, sources, store)
    failed = [row for row in rows if row.error]
    if not failed:
        return 0
    first = failed[0].error
    assert first is not None
    code, message = first
    others = f" (and {len(failed) - 1} more of {len(rows)} documents failed)" if len(failed) > 1 else ""
    return fail(code, message + others, FAILED)


def _sources(paths: tuple[Path, ...], collection: str) -> tuple[list[Source], list[Row]]:
    found: list[Source] = []
    failures: list[Row] = []
    for path in paths:
        try:
            found.extend(find_sources(path))
        except SectionaryError as error:
            doc_id = document_id(collection, path.name)
            failures.append(Row(doc_id=doc_id, title=path.stem, path=str(path), status="failed", error=(error.code, error.message)))
    return found, failures


def _ingest_one(item: Source, collection: str, rule: Rule | None, doc_id: str, store: Store, display: ProgressDisplay) -> Row:
    with display.document(item.name) as progress:
        return ingest(Order(source=item, collection=collection, access=rule, doc_id=doc_id), store, progress)


def _prune(paths: tuple[Path, ...], sources: list[Source], store: Store) -> None:
    kept = {(source.origin, source.name) for source in sources}
    for path in paths:
        if not path.is_dir():
            continue
        for hit in list(store.index.scan(store.index.documents, {"term": {"origin": str(path.resolve())}})):
            manifest = hit["_source"]
            if (manifest["origin"], manifest["source"]) not in kept:
                store.revisions.delete(manifest["doc_id"])
                click.echo(f"deleted {manifest['source']}: it is no longer in {path}", err=True)


def _print(row: Row, as_json: bool) -> None:
    if as_json:
        emit(row.as_json())
        return
    colour = {"failed": "red", "unchanged": "bright_black"}.get(row.status, "green")
    detail = f": {row.error[1]}" if row.error else f"  {row.title}  ({row.sections} sections, {row.chunks} chunks, {row.seconds:.1f} s)"
    click.echo(click.style(f"{row.status:9}", fg=colour) + f" {row.path}{detail}")
    for warning in row.warnings:
        click.secho(f"          note: {warning}", fg="yellow")
