"""`sectionary documents`: what is stored, as the reader may see it."""

import click

from es_mappings.access import AccessRegistry
from es_mappings.settings import read_settings
from ingest.opening import open_index
from service.cli import emit
from service.cli._reader import groups_option, reader_of
from service.shelf import list_documents


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.option("--collection", help="Only this collection.")
@groups_option
def command(as_json: bool, collection: str | None, groups: str | None) -> None:
    """List the documents with how their structure was found."""
    with open_index(read_settings()) as index:
        found = list_documents(index, AccessRegistry(index), reader_of(groups), collection)
    if as_json:
        emit({"documents": found})
        return
    if not found:
        click.echo("nothing is stored yet: `sectionary ingest PATH` adds documents")
    for manifest in found:
        pages = f", {manifest['pages']} pages" if manifest["pages"] else ""
        click.secho(f"{manifest['doc_id']}  {manifest['title']}", bold=True)
        click.echo(
            f"    {manifest['source']} ({manifest['format']}{pages}, {manifest['sections']} sections, {manifest['chunks']} chunks, "
            f"structure by {manifest['structure_source']}, collection {manifest['collection']}, access {manifest['access']})"
        )
