"""`sectionary reindex --embedder X`: give the index another embedder while searches and ingests go on."""

import time
from pathlib import Path

import click

from es_mappings.errors import NotFound
from es_mappings.index import Index
from es_mappings.revisions import Revisions
from es_mappings.settings import Settings, read_settings
from ingest.embedding import EMBEDDERS, Embedder, open_embedder
from ingest.embedding.current import spelling
from ingest.opening import open_index
from ingest.reindex_estimate import Estimate, estimate
from ingest.reindexing import Reindexer, ReindexOrder, ReindexOutcome
from service.cli import emit
from service.models.reindex import ReindexReply
from service.progress import progress_display


@click.command()
@click.option("--embedder", help="use, e5, transformers:FOLDER (or FOLDER), openai:MODEL, or the URL of a /v1 with --model.")
@click.option("--model", default="", help="The model's name at that URL.")
@click.option("--rebuild", is_flag=True, help="Build the indices anew with the embedder that they have: no text is embedded again.")
@click.option("--keep-old", is_flag=True, help="Leave the old indices where they are, without an alias.")
@click.option("--dry-run", is_flag=True, help="Tell what there is to do and about how long it takes, and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
def command(embedder: str | None, model: str, rebuild: bool, keep_old: bool, dry_run: bool, as_json: bool) -> None:
    """Build the node indices beside the old ones with another embedder, catch up with what changed, and swap.

    Writers wait for less than two seconds at the swap, searches not at all; running processes go on with the new embedder by
    themselves. A run that was killed is finished by running it again: texts that were embedded are not embedded again.
    """
    if (embedder is None) == (not rebuild):
        raise click.UsageError("name what the index shall have with --embedder, or give --rebuild to keep the embedder that it has")
    began = time.perf_counter()
    with open_index(read_settings()) as index:
        settings = _chosen(read_settings(), index, embedder, model)
        chosen = open_embedder(settings)
        if dry_run:
            reply = _planned(chosen, spelling(settings, chosen), estimate(index, chosen, settings.chunk_tokens, rebuild=rebuild))
        else:
            order = ReindexOrder(embedder=chosen, spelling=spelling(settings, chosen), keep_old=keep_old, rebuild=rebuild)
            outcome = _run(index, settings, order)
            reply = _done(outcome, order, time.perf_counter() - began)
    if as_json:
        emit(reply.model_dump())
    else:
        _show(reply, settings, given=embedder or "")


def _chosen(settings: Settings, index: Index, embedder: str | None, model: str) -> Settings:
    """The settings with the embedder that is asked for."""
    if embedder is None:
        generation = index.generations.current()
        if generation is None:
            raise NotFound("nothing is stored yet: `sectionary ingest PATH` adds documents")
        return settings.model_copy(update={"embedder": generation.embedder or settings.embedder})
    if embedder.startswith(("http://", "https://")):
        return settings.model_copy(update={"embedder": f"openai:{model}", "embedder_base_url": embedder})
    is_folder = embedder.partition(":")[0] not in EMBEDDERS and Path(embedder).expanduser().is_dir()
    return settings.model_copy(update={"embedder": f"transformers:{embedder}" if is_folder else embedder})


def _run(index: Index, settings: Settings, order: ReindexOrder) -> ReindexOutcome:
    keep_seconds = settings.request_deadline_seconds
    revisions = Revisions(index, keep_seconds=keep_seconds)
    reindexer = Reindexer(index=index, revisions=revisions, keep_seconds=keep_seconds, chunk_tokens=settings.chunk_tokens)
    with progress_display(1) as display, display.document(order.embedder.name) as progress:
        return reindexer.run(order, progress)


def _done(outcome: ReindexOutcome, order: ReindexOrder, seconds: float) -> ReindexReply:
    return ReindexReply(
        status="swapped" if outcome.status == "swapped" else "unchanged",
        old_model=outcome.old.model,
        old_dims=outcome.old.dims,
        new_model=outcome.new.model,
        new_dims=outcome.new.dims,
        embedder=order.spelling,
        documents=outcome.documents,
        nodes=outcome.copied.nodes,
        embedded=outcome.copied.embedded,
        reused=outcome.copied.reused,
        rounds=outcome.rounds,
        pauses=[round(pause, 3) for pause in outcome.pauses],
        seconds=round(seconds, 3),
        kept=outcome.old.names.split(",") if order.keep_old and outcome.status == "swapped" else [],
    )


def _planned(embedder: Embedder, spelled: str, found: Estimate) -> ReindexReply:
    return ReindexReply(
        status="planned",
        old_model=found.old.model,
        old_dims=found.old.dims,
        new_model=embedder.name,
        new_dims=embedder.dims,
        embedder=spelled,
        documents=found.documents,
        nodes=found.nodes,
        embedded=found.texts,
        reused=0,
        rounds=0,
        pauses=[],
        seconds=round(found.seconds, 1),
        kept=[],
    )


def _show(reply: ReindexReply, settings: Settings, *, given: str) -> None:
    if reply.status == "unchanged":
        click.echo(f"the index has the embedder {reply.new_model} already: nothing to do")
        return
    counts = f"{reply.documents} documents, {reply.nodes} nodes, {reply.embedded} texts"
    if reply.status == "planned":
        click.echo(f"{reply.old_model} -> {reply.new_model}: {counts} to embed, about {reply.seconds:.0f} s")
        return
    click.secho(f"{reply.old_model} -> {reply.new_model}", bold=True)
    click.echo(f"{counts} embedded, {reply.reused} vectors reused, {reply.seconds:.1f} s; writers waited {reply.pauses[-1]:.2f} s")
    if reply.kept:
        click.echo(f"kept: {', '.join(reply.kept)}")
    if given.startswith("http"):
        address = settings.embedder_base_url
        click.secho(f"processes find the model when they are started with SECTIONARY_EMBEDDER_BASE_URL={address}", fg="yellow")
