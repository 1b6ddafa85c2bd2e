"""The texts of an overview: stored summaries by id, the nearest allowed ones below where there is none, else the text's beginnings."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from es_mappings.access import AccessRegistry, Reader
from es_mappings.errors import NotFound
from es_mappings.index import Index
from es_mappings.records import Manifest, Node
from es_mappings.settings import Settings
from es_mappings.tokens import count_tokens
from ingest.sentences import sentence_spans
from service.current import hit_of
from service.packing import heading_of, render
from service.planning import Plan
from service.results import CoveredSection, Hit
from service.scope import Scope, branch_body, last_piece_body, own_text_body
from service.shelf import list_documents, readable_manifest
from service.signals import SectionPlace
from service.summarising import recipe_now
from service.summary_reading import Branch, Piece, Row, piece_state

# Documents that an overview of a whole shelf reads; beyond these a question has to name some.
MOST_DOCUMENTS = 24
NOT_READ = "too many documents for one answer: name some of them"
ONLY_BEGINNING = "its summary is not made yet; its beginning was read instead"
NO_ROOM = "its text did not fit the budget"
# Sections of which less than this would be shown give way to others, evenly.
_LEAST_TOKENS = 48
_FIELDS = tuple(name for name in Node.__dataclass_fields__ if name not in ("embedding", "coverage", "metadata"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text that stands for a section: its hit, its state, whether it was stored as a summary, and whether a model wrote it."""

    hit: Hit
    state: str
    is_stored: bool
    is_written: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The texts in reading order and every section with whether it went in.

    `is_whole`: each section asked for has one stored summary of its own. `is_sample`: nothing was stored, beginnings were read.
    """

    texts: tuple[Text, ...] = ()
    coverage: tuple[CoveredSection, ...] = ()
    is_whole: bool = False
    is_sample: bool = False


class Overviews:
    """Reads the texts of overviews from one index, as readers may see them."""

    def __init__(self, *, index: Index, access: AccessRegistry, settings: Settings) -> None:
        self._index, self._access, self._settings = index, access, settings

    def read(self, plan: Plan, scope: Scope, reader: Reader, budget: int) -> Overview:
        """What stands for the sections in `scope` (those of the plan or of one side of it), shortened evenly to `budget` tokens.

        Raises IndexUnavailable, IndexRefused.
        """
        targets, unread = self._targets(plan, scope, reader)
        read = [self._of(manifest, key, plan, reader) for manifest, key in targets]
        texts = _fitted([text for one in read for text in one.texts], budget)
        kept = {text.hit.section_key for text in texts}
        coverage = tuple(_checked(row, one, kept) for one in read for row in one.coverage) + unread
        return Overview(
            texts=texts,
            coverage=coverage,
            is_whole=bool(read) and all(one.is_whole for one in read),
            is_sample=bool(read) and all(one.is_sample for one in read),
        )

    def _targets(self, plan: Plan, scope: Scope, reader: Reader) -> tuple[list[tuple[Manifest, str]], tuple[CoveredSection, ...]]:
        """The documents and section keys to speak about, outermost ones only, and the documents that are too many."""
        unread: tuple[CoveredSection, ...] = ()
        if scope.places is not None:
            sections = [view for view in plan.view.sections if _is_inside(view.section_key, view.labels, scope)]
            keys = [view.section_key for view in sections]
            keys = [key for key in dict.fromkeys(keys) if not any(key.startswith(f"{other}/") for other in keys)]
        elif scope.documents:
            keys = list(scope.documents)
        else:
            listed = list_documents(self._index, self._access, reader, scope.collection)
            keys = [row["doc_id"] for row in listed[:MOST_DOCUMENTS]]
            unread = tuple(
                CoveredSection(key=row["doc_id"], title=row["title"], included=False, error=NOT_READ) for row in listed[MOST_DOCUMENTS:]
            )
        found: dict[str, Manifest] = {}
        for doc_id in dict.fromkeys(key.split("/")[0] for key in keys):
            with suppress(NotFound):  # a name that means nothing to this reader finds nothing, as in a search
                found[doc_id] = readable_manifest(self._index, self._access, reader, doc_id)
        return [(found[doc_id], key) for key in keys if (doc_id := key.split("/")[0]) in found], unread

    def _of(self, manifest: Manifest, key: str, plan: Plan, reader: Reader) -> Overview:
        branch = Branch(self._index, self._access, reader, manifest, key)
        excluded = [view.section_key for view in plan.view.excluded if view.section_key.startswith(f"{key}/")]
        if not branch.is_summarised:
            return self._sampled(branch, manifest, plan, excluded)
        whole = None if excluded else branch.whole()
        pieces = [whole] if whole else list(_without(branch, key, excluded))
        texts = self._texts(pieces, manifest, plan)
        rows = [row for row in branch.covered(pieces) if not _is_below(row.key, excluded)]
        coverage = tuple(CoveredSection(key=row.key, title=row.title, included=row.included, error=row.error) for row in rows)
        return Overview(texts=tuple(texts), coverage=coverage, is_whole=whole is not None)

    def _texts(self, pieces: Sequence[Piece], manifest: Manifest, plan: Plan) -> Iterator[Text]:
        """The pieces as hits: stored ones by id, with their pages; for the others how the section's own text begins."""
        nodes = self._index.mget([piece.node for piece in pieces if piece.node], excludes=("embedding", "coverage", "metadata"))
        stored = {found.id: Node.from_source(found.source) for found in nodes if found}
        ends = self._last_pages([piece for piece in pieces if piece.node], manifest, plan)
        recipe = recipe_now(self._settings, manifest)
        for piece in pieces:
            if piece.node is None:
                yield from self._beginnings([piece.key], manifest, plan, own_only=True)
            elif node := stored.get(piece.node[1]):
                state = piece_state(piece, recipe, bool(self._settings.llm_base_url))
                hit = hit_of(piece.node[1], replace(node, page_end=ends.get(piece.key)), manifest.title, state=state)
                yield Text(hit=hit, state=state, is_stored=True, is_written=piece.coverage.get("mode") == "llm")

    def _last_pages(self, pieces: Sequence[Piece], manifest: Manifest, plan: Plan) -> dict[str, int]:
        """The page on which each piece's section ends, where there are pages."""
        bodies = [last_piece_body(_reading(plan), _place(piece.key), manifest.revision, ["page_start", "page_end"]) for piece in pieces]
        found = zip(pieces, self._index.msearch(bodies), strict=True)
        sources = {piece.key: hit["_source"] for piece, response in found for hit in response["hits"]["hits"]}
        return {key: page for key, source in sources.items() if (page := source.get("page_end") or source.get("page_start"))}

    def _sampled(self, branch: Branch, manifest: Manifest, plan: Plan, excluded: Sequence[str]) -> Overview:
        """How each chapter begins, when nothing is summarised yet."""
        chapters = [row for row in _chapters(branch) if not _is_below(row.key, excluded)]
        texts = self._beginnings([row.key for row in chapters], manifest, plan)
        coverage = tuple(CoveredSection(key=row.key, title=row.title, included=False, error=ONLY_BEGINNING) for row in chapters)
        return Overview(texts=tuple(texts), coverage=coverage, is_sample=True)

    def _beginnings(self, keys: Sequence[str], manifest: Manifest, plan: Plan, *, own_only: bool = False) -> Iterator[Text]:
        scope = _reading(plan)
        if own_only:
            bodies = [own_text_body(scope, key, manifest.revision, None, _FIELDS) for key in keys]
        else:
            bodies = [branch_body(scope, _place(key), manifest.revision, 1, _FIELDS) for key in keys]
        for response in self._index.msearch(bodies):
            for found in response["hits"]["hits"][:1]:
                yield Text(hit=hit_of(found["_id"], Node.from_source(found["_source"]), manifest.title), state="pending", is_stored=False)


def beginning(text: str, most: int) -> str:
    """The first sentences of a text within `most` tokens (o200k), at least one of them; the text itself when it fits."""
    if count_tokens(text) <= most:
        return text
    spans = sentence_spans(text)
    end = spans[0][1] if spans else len(text)
    for _, stop in spans:
        if count_tokens(text[:stop]) > most:
            break
        end = stop
    return text[:end]


def _fitted(texts: Sequence[Text], budget: int) -> tuple[Text, ...]:
    """The texts shortened to even shares where together they are beyond the budget; evenly chosen ones when the shares get too small."""
    if sum(_cost(text.hit) for text in texts) <= budget:
        return tuple(texts)
    most = max(1, budget // _LEAST_TOKENS)
    if len(texts) > most:
        texts = [texts[place * len(texts) // most] for place in range(most)]
    return tuple(_shortened(text, budget // len(texts)) for text in texts)


def _cost(hit: Hit) -> int:
    return count_tokens(render(1, heading_of(hit), hit.content))


def _shortened(text: Text, share: int) -> Text:
    over = _cost(text.hit) - count_tokens(text.hit.content)
    return replace(text, hit=replace(text.hit, content=beginning(text.hit.content, share - over)))


def _chapters(branch: Branch) -> list[Row]:
    """The sections right below a branch, below the one heading that holds all others where there is such a one; itself without any."""
    key = branch.key
    while len(below := branch.children(key)) == 1 and branch.children(below[0].key):
        key = below[0].key
    return branch.children(key) or [row for row in branch.rows if row.key == branch.key]


def _without(branch: Branch, key: str, excluded: Sequence[str]) -> Iterator[Piece]:
    """What stands for a section without some sections below it: no text goes in that was made from these."""
    if _is_below(key, excluded):
        return
    if not any(one.startswith(f"{key}/") for one in excluded):
        yield from branch.parts(key)
        return
    for child in branch.children(key):
        yield from _without(branch, child.key, excluded)


def _checked(row: CoveredSection, one: Overview, kept: set[str]) -> CoveredSection:
    """A row as it is after shortening: what did not fit is not included."""
    if one.is_sample and row.key not in kept and not any(key.startswith(f"{row.key}/") for key in kept):
        return replace(row, error=NO_ROOM)
    return row


def _is_inside(key: str, labels: Sequence[str], scope: Scope) -> bool:
    return any(place.key == key for place in scope.places or ()) or not set(labels).isdisjoint(scope.labels)


def _is_below(key: str, branches: Sequence[str]) -> bool:
    return any(key == branch or key.startswith(f"{branch}/") for branch in branches)


def _reading(plan: Plan) -> Scope:
    """Who reads, and what is left out; the sections are named by each request itself."""
    return replace(plan.scope, places=None, labels=(), documents=(), kinds=("chunk",))


def _place(key: str) -> SectionPlace:
    return SectionPlace(doc_id=key.split("/")[0], key=key)
