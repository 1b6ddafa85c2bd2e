"""`sectionary outline FILE`: the heading tree of a document and how it was found; needs no Elasticsearch."""

from pathlib import Path

import click

from es_mappings.errors import InvalidRequest
from es_mappings.sections import document_id, heading_text, slug_of
from es_mappings.settings import Settings, read_settings
from ingest.chunking import chunk_outline
from ingest.corrections import outline_text, parse_outline_text, write_corrections
from ingest.formats import ReadOptions
from ingest.outline import Outline, build_outline
from ingest.outline_record import outline_record
from ingest.reader import open_reader
from service.cli import emit


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.option("--without", default="", help="Evidence to ignore, comma-separated: bookmarks, styles, numbering, fonts ...")
@click.option("--edit", is_flag=True, help="Correct the outline in your editor; the correction is kept beside the file.")
def command(file: Path, as_json: bool, without: str, edit: bool) -> None:
    """Show the heading tree of FILE, where each heading was found and how sure that is."""
    settings = read_settings()
    options = ReadOptions(without=frozenset(name.strip() for name in without.split(",") if name.strip()))
    if edit:
        _edit(file, settings)
    with open_reader(settings) as read:
        reading = read(file, options)
    outline = build_outline(reading, file.resolve().stem)
    doc_id = document_id("default", file.resolve().name)
    if as_json:
        chunks = chunk_outline(outline, settings.chunk_tokens)
        tokens = [0] * len(outline.sections)
        for chunk in chunks:
            tokens[chunk.section] += chunk.token_count
        emit(outline_record(outline, doc_id, slug_of(outline.title), tokens))
        return
    _show(outline)


def _edit(file: Path, settings: Settings) -> None:
    with open_reader(settings) as read:
        reading = read(file, ReadOptions())
    edited = click.edit(outline_text(reading), extension=".txt")
    if edited is None:
        raise InvalidRequest("the editor was left without saving: the outline stays as it was")
    sidecar = write_corrections(file, parse_outline_text(edited))
    click.echo(f"kept in {sidecar.name}; ingest the file again to use it", err=True)


def _show(outline: Outline) -> None:
    click.secho(outline.title, bold=True)
    pages = f", {outline.pages} pages" if outline.pages else ""
    click.echo(f"{outline.format}{pages}, {len(outline.sections) - 1} headings, found by {outline.structure_source}")
    for section in outline.sections[1:]:
        page = f"  p. {section.page}" if section.page else ""
        doubt = "" if section.confidence >= 0.7 else f"  (by {section.source}, {section.confidence:.0%} sure)"
        line = "  " * section.level + heading_text(section.number, section.title)
        click.echo(line + click.style(page + doubt, dim=True))
    for warning in outline.warnings:
        click.secho(f"note: {warning}", fg="yellow", err=True)
