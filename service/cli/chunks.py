"""`sectionary chunks FILE`: the pieces that would be stored; needs no Elasticsearch."""

from pathlib import Path

import click

from es_mappings.sections import document_id, section_key, section_path, slug_of
from es_mappings.settings import read_settings
from ingest.formats import ReadOptions
from ingest.parts import take_apart
from ingest.reader import open_reader
from service.cli import emit


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines, one a chunk.")
def command(file: Path, as_json: bool) -> None:
    """Show the chunks of FILE with the section that each lies in."""
    settings = read_settings()
    with open_reader(settings) as read:
        parts = take_apart(file, read, ReadOptions(), settings, file.resolve().stem).parts
    doc_id, slug = document_id("default", file.resolve().name), slug_of(parts.outline.title)
    for chunk in parts.chunks:
        section = parts.outline.sections[chunk.section]
        path = section_path(slug, section.headings)
        if as_json:
            emit(
                {
                    "section_path": path,
                    "section_key": section_key(doc_id, section.ordinals),
                    "title": section.title,
                    "content": chunk.content,
                    "token_count": chunk.token_count,
                    "page_start": chunk.page_start,
                    "page_end": chunk.page_end,
                    "is_fallback": chunk.is_fallback,
                }
            )
            continue
        page = f", page {chunk.page_start}" if chunk.page_start else ""
        fallback = ", hangs on the nearest heading" if chunk.is_fallback else ""
        click.secho(f"{path} ({chunk.token_count} tokens{page}{fallback})", bold=True)
        click.echo(chunk.content + "\n")
