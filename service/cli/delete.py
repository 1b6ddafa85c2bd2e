"""`sectionary delete DOC...`: take documents out of the index."""

import click

from es_mappings.revisions import Revisions
from es_mappings.settings import read_settings
from ingest.opening import open_index
from service.cli import emit
from service.shelf import find_document


@click.command()
@click.argument("documents", nargs=-1, required=True, metavar="DOC...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.option("--collection", help="Look for source names in this collection only.")
def command(documents: tuple[str, ...], as_json: bool, collection: str | None) -> int:
    """Delete documents by id or source name. Those that are not there are listed as missing."""
    settings = read_settings()
    deleted, missing = [], []
    with open_index(settings) as index:
        revisions = Revisions(index, keep_seconds=settings.request_deadline_seconds)
        for name in documents:
            doc_id = find_document(index, name, collection)
            if doc_id is not None and revisions.delete(doc_id):
                deleted.append(doc_id)
            else:
                missing.append(name)
    if as_json:
        emit({"deleted": deleted, "missing": missing})
    else:
        for doc_id in deleted:
            click.echo(f"deleted {doc_id}")
        for name in missing:
            click.secho(f"missing {name}: `sectionary documents` lists what is stored", fg="yellow")
    return 0
