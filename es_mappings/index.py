"""The only door to Elasticsearch: no other module imports its client, and no call here needs more than the Basic licence."""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import resources
from typing import Any

from elasticsearch import Elasticsearch

from es_mappings.bulk import Action, Rejection, write_all
from es_mappings.door import door
from es_mappings.errors import IndexRefused, IndexUnavailable, InvalidRequest, SettingsError
from es_mappings.generations import Generation, Generations
from es_mappings.settings import Settings

SCHEMA_VERSION = 1
PAGE_SIZE = 1_000
KEEP_ALIVE = "1m"
RECORDS = ("documents", "outlines", "rules", "jobs", "summaries")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """One stored record as a real-time read gives it, with what optimistic concurrency needs to replace it."""

    id: str
    index: str
    source: dict[str, Any]
    seq_no: int
    primary_term: int


def connect(settings: Settings, url: str) -> Elasticsearch:
    """A client for `url` with the credentials of the settings; nothing is sent yet."""
    options: dict[str, Any] = {"request_timeout": settings.es_timeout_seconds}
    if settings.es_api_key:
        options["api_key"] = settings.es_api_key
    elif settings.es_user:
        options["basic_auth"] = (settings.es_user, settings.es_password)
    if settings.es_ca_file:
        options["ca_certs"] = settings.es_ca_file
    try:
        return Elasticsearch(url, **options)
    except (ValueError, OSError) as error:
        raise SettingsError(f"SECTIONARY_ES_URL or SECTIONARY_ES_CA_FILE cannot be used: {error}") from None


class Index:
    """The indices of one prefix. Every method raises IndexUnavailable or IndexRefused; nothing else of the client gets out.

    `nodes` is an alias over all nodes, which lie in two indices of the same mapping: chunks in `PREFIX-nodes-v1-000001`, headings,
    documents and clusters with their summaries in `PREFIX-nodes-headings-v1-000001`, for which `headings` is an alias. Each index
    has word statistics of its own, so what summaries say never changes how chunks rank (measured in docs/benchmarks.md).
    The records lie in `PREFIX-documents` and so on.
    """

    def __init__(self, client: Elasticsearch, prefix: str) -> None:
        self._client = client
        self.prefix = prefix
        self.nodes = f"{prefix}-nodes"
        self.headings = f"{prefix}-nodes-headings"
        self.documents = f"{prefix}-documents"
        self.outlines = f"{prefix}-outlines"
        self.rules = f"{prefix}-rules"
        self.jobs = f"{prefix}-jobs"
        self.summaries = f"{prefix}-summaries"
        self.reindex = f"{prefix}-reindex"
        self.generations = Generations(client, prefix)

    def create(self, *, model: str, dims: int, embedder: str = "") -> None:
        """Create what is missing; `embedder` is how to open the model, as in SECTIONARY_EMBEDDER.

        Raises SettingsError when the node index was made for another model.
        """
        meta = {"project": "sectionary", "schema_version": SCHEMA_VERSION, "model": model, "dims": dims}
        body = node_mapping(dims, meta | {"embedder": embedder})
        current = self.meta()
        if current is None:
            self.generations.create(f"{self.nodes}-v{SCHEMA_VERSION}-000001", body, {self.nodes: {"is_write_index": True}})
            current = self.meta() or meta
        wrong = {name: current.get(name) for name, value in meta.items() if current.get(name) != value}
        if wrong:
            raise SettingsError(
                f"the index {self.nodes} was made with {wrong}, the settings say { ({name: meta[name] for name in wrong}) }: "
                "set SECTIONARY_EMBEDDER as before or leave it empty, or give the index another model with `sectionary reindex --embedder`"
            )
        if not self.exists(self.headings):
            aliases = {self.headings: {"is_write_index": True}, self.nodes: {"is_write_index": False}}
            self.generations.create(f"{self.headings}-v{SCHEMA_VERSION}-000001", body, aliases)
        missing = [name for name in RECORDS if not self.exists(f"{self.prefix}-{name}")]
        with ThreadPoolExecutor(len(RECORDS)) as pool:  # each waits for its shard: at once they take half the time
            list(pool.map(lambda name: self.generations.create(f"{self.prefix}-{name}", mapping(name)), missing))

    def build_beside(self, number: int, *, model: str, dims: int, embedder: str) -> Generation:
        """The node indices of a generation that no alias points to, made where they are missing. Raises InvalidRequest on its dims."""
        meta = {"project": "sectionary", "schema_version": SCHEMA_VERSION, "model": model, "dims": dims, "embedder": embedder}
        return self.generations.beside(number, SCHEMA_VERSION, node_mapping(dims, meta))

    def meta(self) -> dict[str, Any] | None:
        """The `_meta` of the node index (project, schema_version, model, dims, embedder), or None when there is no index yet."""
        with door():
            if not self._client.indices.exists(index=self.nodes):
                return None
            found = self._client.indices.get_mapping(index=self.nodes).body
        return dict(next(iter(found.values()))["mappings"].get("_meta", {}))

    def home_of(self, kind: str) -> str:
        """Where a node of this kind is written, and read by its id: `nodes` stands for two indices and takes no id."""
        return self.nodes if kind == "chunk" else self.headings

    def alias_of(self, node_index: str) -> str:
        """Where a node that was found in this index is written, whichever generation counts by then."""
        return self.headings if node_index.startswith(self.headings) else self.nodes

    def exists(self, index: str) -> bool:
        """Whether an index or alias of this name exists."""
        with door():
            return bool(self._client.indices.exists(index=index))

    def msearch(self, bodies: Sequence[dict[str, Any]], index: str | None = None) -> list[dict[str, Any]]:
        """The raw responses of one `_msearch` over the nodes (or `index`), one a body, in order."""
        if not bodies:
            return []
        searches: list[dict[str, Any]] = []
        for body in bodies:
            searches += ({"index": index or self.nodes}, body)
        with door():
            responses: list[dict[str, Any]] = self._client.msearch(searches=searches).body["responses"]
        for response in responses:
            if "error" in response:
                kind = response["error"].get("type", "unknown")
                if response.get("status") in (429, 503):
                    raise IndexUnavailable(f"Elasticsearch could not finish a search ({kind}): try again in a moment")
                raise IndexRefused(f"Elasticsearch refused a search ({kind}): run `sectionary doctor`")
        return responses

    def search(self, index: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        """The hits (`_id`, `_score`, `_source` ...) of one search."""
        hits: list[dict[str, Any]] = self.msearch([body], index)[0]["hits"]["hits"]
        return hits

    def scan(
        self, index: str, query: dict[str, Any], source: bool | list[str] = True, *, page_size: int = PAGE_SIZE
    ) -> Iterator[dict[str, Any]]:
        """Every hit of a query as of one moment; vectors are left out unless asked for by name.

        What fits one page takes one request; more is read by point in time and search_after.
        """
        fetch: dict[str, Any] | bool = {"includes": source, "exclude_vectors": False} if isinstance(source, list) else source
        hits = self.search(index, {"query": query, "size": page_size, "sort": ["_doc"], "_source": fetch, "track_total_hits": False})
        if len(hits) < page_size:
            yield from hits
            return
        with door():
            pit = str(self._client.open_point_in_time(index=index, keep_alive=KEEP_ALIVE).body["id"])
        after: list[Any] | None = None
        try:
            while True:
                with door():
                    page = self._client.search(
                        pit={"id": pit, "keep_alive": KEEP_ALIVE},
                        query=query,
                        size=page_size,
                        sort=["_shard_doc"],
                        search_after=after,
                        source=fetch,
                        track_total_hits=False,
                    ).body
                pit = page["pit_id"]
                hits = page["hits"]["hits"]
                yield from hits
                if len(hits) < page_size:
                    return
                after = hits[-1]["sort"]
        finally:
            with door():
                self._client.options(ignore_status=404).close_point_in_time(id=pit)

    def mget(self, pairs: Sequence[tuple[str, str]], excludes: Sequence[str] = ()) -> list[Stored | None]:
        """Real-time reads of (index, id) pairs in one request, in order; None where there is none."""
        if not pairs:
            return []
        asked: list[dict[str, Any]] = [{"_index": index, "_id": id_} for index, id_ in pairs]
        with door():
            found = self._client.mget(docs=asked, source_excludes=list(excludes) or None).body["docs"]
        return [_stored(item) if item.get("found") else None for item in found]

    def get(self, index: str, id_: str) -> Stored | None:
        """One real-time read."""
        return self.mget([(index, id_)])[0]

    def put(self, index: str, id_: str, source: dict[str, Any], *, expect: Stored | None, refresh: bool = False) -> Stored:
        """Write one record: in place of `expect` if that still is the newest, or as new when `expect` is None.

        Raises RevisionConflict when another writer was first. `refresh` waits until searches see it.
        """
        condition: dict[str, Any] = {"op_type": "create"}
        if expect is not None:
            condition = {"if_seq_no": expect.seq_no, "if_primary_term": expect.primary_term}
        with door():
            done = self._client.index(index=index, id=id_, document=source, refresh=refresh, **condition).body
        return Stored(id=id_, index=done["_index"], source=source, seq_no=done["_seq_no"], primary_term=done["_primary_term"])

    def remove(self, stored: Stored, *, refresh: bool = False) -> None:
        """Delete one record if it still is the one that was read. Raises RevisionConflict."""
        with door():
            self._client.options(ignore_status=404).delete(
                index=stored.index, id=stored.id, if_seq_no=stored.seq_no, if_primary_term=stored.primary_term, refresh=refresh
            )

    def bulk(self, actions: Iterable[Action]) -> tuple[int, tuple[Rejection, ...]]:
        """Write actions; returns how many were written and which were rejected. See es_mappings.bulk."""
        return write_all(actions, self._send_bulk, time.sleep)

    def _send_bulk(self, lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        with door():
            items: list[dict[str, Any]] = self._client.bulk(operations=list(lines)).body["items"]
        return items

    def delete_matching(self, index: str, query: dict[str, Any]) -> int:
        """Delete everything that a query finds, by point in time and bulk (never `_delete_by_query`); returns how many."""
        self.refresh(index)
        found = self.scan(index, query, source=False)
        done, rejected = self.bulk(Action(operation="delete", index=hit["_index"], id=hit["_id"]) for hit in found)
        if rejected:
            raise IndexUnavailable(f"{len(rejected)} of {done + len(rejected)} deletes were rejected ({rejected[0].reason}): try again")
        self.refresh(index)
        return done

    def refresh(self, *indices: str) -> None:
        """Make what was written visible to searches."""
        with door():
            self._client.indices.refresh(index=list(indices))

    def drop(self) -> None:
        """Delete every index of this prefix; for tests and for a person who says so."""
        with door():
            names = list(self._client.indices.get(index=f"{self.prefix}-*").body)
            if names:
                self._client.indices.delete(index=names)

    def server(self) -> dict[str, Any]:
        """Name, version and cluster of the server that answers."""
        with door():
            return dict(self._client.info().body)

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()


def mapping(name: str) -> dict[str, Any]:
    """The settings and mappings of one kind of record, as in NAME.json beside this file."""
    body: dict[str, Any] = json.loads(resources.files("es_mappings").joinpath(f"{name}.json").read_text("utf-8"))
    return body


def node_mapping(dims: int, meta: dict[str, Any]) -> dict[str, Any]:
    """The node index for vectors of `dims` dimensions (1 to 4,096) with its `_meta`."""
    if not 1 <= dims <= 4096:
        raise InvalidRequest(f"an embedding of {dims} dimensions cannot be indexed: Elasticsearch takes 1 to 4096")
    body = mapping("nodes")
    body["mappings"]["properties"]["embedding"]["dims"] = dims
    body["mappings"]["_meta"] = meta
    return body


def _stored(item: dict[str, Any]) -> Stored:
    return Stored(
        id=item["_id"], index=item["_index"], source=item.get("_source", {}), seq_no=item["_seq_no"], primary_term=item["_primary_term"]
    )
