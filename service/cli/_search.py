"""What `search` and `ask` share: the options, the request made of them, the open searcher, and how a hit is shown."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click

from es_mappings.access import AccessRegistry
from es_mappings.errors import NotFound
from es_mappings.index import Index
from es_mappings.settings import Settings
from ingest.chat import open_chat
from ingest.embedding import Embedder, open_embedder
from ingest.embedding.current import create_index
from ingest.opening import open_index
from service.answering import Answerer
from service.cli._reader import groups_option
from service.models import bounds
from service.reranking.ordering import open_reranking
from service.results import IntentView, SectionView
from service.searching import Searcher, SearchRequest
from service.signals import read_weights
from service.strategies import AUTO, STRATEGIES

_OPTIONS = (
    click.option("--json", "as_json", is_flag=True, help="Print one JSON value."),
    click.option("--collection", help="Only this collection."),
    click.option("--doc", "documents", multiple=True, help="Only this document, by id, title or alias; may be given several times."),
    click.option(
        "--section",
        "sections",
        multiple=True,
        help="Only this section: key, path, label (chapter 3, 第三章) or number; several: their union.",
    ),
    click.option("--exclude-section", "excluded_sections", multiple=True, help="Leave this section out; may be given several times."),
    click.option("--kind", type=click.Choice(["chunk", "section", "document", "cluster"]), help="Only nodes of this kind."),
    click.option("--size", type=click.IntRange(1, bounds.HITS), default=bounds.HITS_DEFAULT, show_default=True, help="Most hits."),
    click.option(
        "--strategy",
        type=click.Choice([AUTO, *STRATEGIES]),
        default=AUTO,
        show_default=True,
        help="All passages together, down the tree level by level, or by the kind of question.",
    ),
    click.option("--explain", is_flag=True, help="Show each signal's rank and score."),
    groups_option,
)


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the contract to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def request_of(text: str, options: dict[str, Any]) -> SearchRequest:
    """The request that the text and the options make. Raises click's usage error when the text is blank or too long."""
    if not text.strip() or len(text) > bounds.QUERY_CHARACTERS:
        raise click.UsageError(f"the question needs 1 to {bounds.QUERY_CHARACTERS} characters")
    return SearchRequest(query=text, **options)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSearch:
    """An index that is open for questions."""

    index: Index
    access: AccessRegistry
    embedder: Embedder
    searcher: Searcher


@contextmanager
def open_search(settings: Settings) -> Iterator[OpenSearch]:
    """The index and a searcher over it. Raises NotFound while nothing was ever ingested, SettingsError for another embedder's index."""
    # Wrong settings are told before the index is asked.
    chosen = open_embedder(settings) if settings.embedder else None
    reranking, weights = open_reranking(settings), read_weights(settings.signal_weights)
    with open_index(settings) as index:
        if index.meta() is None:
            raise NotFound("nothing is stored yet: `sectionary ingest PATH` adds documents")
        embedder = create_index(settings, index, chosen)
        access = AccessRegistry(index)
        searcher = Searcher(index=index, access=access, embedder=embedder, weights=weights, reranking=reranking)
        yield OpenSearch(index=index, access=access, embedder=embedder, searcher=searcher)


def answerer_of(settings: Settings, opened: OpenSearch) -> Answerer:
    """What answers from an open index, with the model that the settings name."""
    return Answerer(
        index=opened.index,
        access=opened.access,
        embedder=opened.embedder,
        searcher=opened.searcher,
        chat=open_chat(settings),
        settings=settings,
    )


def show_intent(intent: IntentView) -> None:
    """Say in one line what was understood, when something was, and that the tree was walked down, when it was."""
    walked = "down the tree, level by level" if intent.strategy == "traversal" else ""
    said = "; ".join(filter(None, (intent.explanation, walked)))
    if said:
        click.secho(said, fg="cyan")


def show_nothing(reason: str | None, near: tuple[SectionView, ...]) -> None:
    """Say why there is nothing, and what is nearest."""
    click.secho(REASONS.get(reason or "", "nothing was found"), fg="yellow")
    for section in near:
        click.echo(f"  nearest: {section.section_path}")


REASONS = {
    "no_match": "Nothing in the documents matches.",
    "below_threshold": "It is not in the documents: what comes nearest is too weak as evidence.",
    "empty_section": "That section has no text of its own.",
    "no_such_section": "There is no such section.",
    "model_declined": "The model says that the passages do not answer the question.",
}
