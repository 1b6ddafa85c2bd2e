"""Every API, analyzer and query type that we use, tried on the cluster of the settings below a throw-away prefix.

What the cluster lacks or this account may not do shows as the step that fails, before a document is lost to it. The list is
docs/reference/elasticsearch.md; a test holds that all of it is tried here. Analyzers are proven by the terms that find a text, as
a search meets them, and not by the `_analyze` API, which the product does not call.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from es_mappings import node
from es_mappings.bulk import Action
from es_mappings.errors import RevisionConflict, SectionaryError
from es_mappings.index import Index, connect
from es_mappings.settings import Settings
from service.checks import Check, fail, ok
from service.checks.probes import ANALYZERS, DIMS, QUERIES, TEXTS, near, nodes

OLDEST_SERVER = 9


def examine(settings: Settings) -> Iterator[Check]:
    """One check a step, up to the first that fails; the throw-away indices are deleted whatever happens."""
    try:
        index = Index(connect(settings, node.url(settings)), f"{settings.index_prefix}-doctor-{secrets.token_hex(4)}")
    except SectionaryError as error:
        yield fail("elasticsearch", error.message)
        return
    try:
        for name, step in STEPS.items():
            check = _tried(name, step, index)
            yield check
            if check.state == "fail":
                return
    finally:
        with suppress(SectionaryError):
            index.drop()
        index.close()


def _tried(name: str, step: Callable[[Index], str | None], index: Index) -> Check:
    """`step` returns what is wrong, None when all is well."""
    try:
        fault = step(index)
    except SectionaryError as error:
        fault = error.message
    return fail(name, fault) if fault else ok(name, "works")


def _differs(what: str, found: object, wanted: object) -> str | None:
    if found == wanted:
        return None
    return f"{what}: expected {wanted}, got {found}; this cluster does not behave as an official Elasticsearch {OLDEST_SERVER}"


def _server(index: Index) -> str | None:
    version = str(index.server()["version"]["number"])
    if int(version.partition(".")[0]) < OLDEST_SERVER:
        return f"version {version} is too old: {OLDEST_SERVER}.0 or newer is needed"
    return None


def _create(index: Index) -> str | None:
    index.create(model="doctor", dims=DIMS)
    return _differs("the vector dimensions kept in _meta", (index.meta() or {}).get("dims"), DIMS)


def _write(index: Index) -> str | None:
    actions = (Action(operation="index", index=index.home_of(body["kind"]), id=id_, body=body) for id_, body in nodes().items())
    written, rejected = index.bulk(actions)
    index.refresh(index.nodes)
    return _differs("documents written in bulk", (written, [rejection.reason for rejection in rejected]), (len(TEXTS), []))


def _analyze(index: Index) -> str | None:
    asked = [(field, term) for field, found, missed in ANALYZERS.values() for term in (*found, *missed)]
    responses = index.msearch([{"query": {"term": {field: term}}, "_source": False} for field, term in asked])
    finding = {pair for pair, response in zip(asked, responses, strict=True) if response["hits"]["hits"]}
    return _differs("terms that find a text", finding, {(field, term) for field, found, _ in ANALYZERS.values() for term in found})


def _control(index: Index) -> str | None:
    first = index.put(index.documents, "doc", {"doc_id": "doc", "title": "one"}, expect=None)
    second = index.put(index.documents, "doc", {"doc_id": "doc", "title": "two"}, expect=first)
    try:
        index.put(index.documents, "doc", {"doc_id": "doc", "title": "three"}, expect=first)
    except RevisionConflict:
        index.remove(second)
        return _differs("a record that was removed", index.get(index.documents, "doc"), None)
    return "a write with an old sequence number was accepted: two writers could overwrite each other"


def _search(index: Index) -> str | None:
    responses = index.msearch([{"query": query, "_source": False} for query, _ in QUERIES.values()])
    return _differs(
        "what queries find", dict(zip(QUERIES, map(_ids, responses), strict=True)), {kind: ids for kind, (_, ids) in QUERIES.items()}
    )


def _vector_search(index: Index) -> str | None:
    (response,) = index.msearch([{**near([1.0, 0.0, 0.0, 0.2]), "_source": False}])
    return _differs("kNN filtered by section, where the nearest vector is outside", _ids(response), ["node-1"])


def _ids(response: dict[str, Any]) -> list[str]:
    return sorted(hit["_id"] for hit in response["hits"]["hits"])


def _read(index: Index) -> str | None:
    home = {hit["_id"]: hit["_index"] for hit in index.search(index.nodes, {"query": {"term": {"doc_id": "doc"}}})}
    if len(set(home.values())) != 2:  # chunks and headings
        return _differs("indices behind the alias of the nodes", sorted(home.values()), "one for chunks, one for headings")
    stored = index.mget([(home["node-2"], "node-2"), (home["node-2"], "node-9")], excludes=("embedding",))
    return _differs("_mget", [item.source["content"] if item else None for item in stored], [TEXTS["node-2"], None])


def _scan(index: Index) -> str | None:
    hits = index.scan(index.nodes, {"match_all": {}}, source=["embedding"], page_size=1)
    found = sorted((hit["_id"], len(hit["_source"]["embedding"])) for hit in hits)
    return _differs("point in time with search_after, vectors included", found, [(id_, DIMS) for id_ in sorted(TEXTS)])


def _delete(index: Index) -> str | None:
    deleted = index.delete_matching(index.nodes, {"term": {"doc_id": "doc"}})
    return _differs("deletes by point in time and bulk", deleted, len(TEXTS))


def _swap(index: Index) -> str | None:
    old = index.generations.current(fresh=True)
    assert old is not None
    new = index.build_beside(old.number + 1, model="doctor", dims=DIMS, embedder="doctor")
    index.generations.offer(new, "doctor")
    index.generations.swap(old, new, "doctor")
    return _differs("what the aliases point to after a swap", index.generations.current(fresh=True), new)


def _drop(index: Index) -> str | None:
    index.drop()
    return _differs("an index that was deleted", index.exists(index.documents), False)


STEPS: dict[str, Callable[[Index], str | None]] = {
    "elasticsearch": _server,
    "create indices and aliases": _create,
    "bulk write": _write,
    "analyzers": _analyze,
    "optimistic concurrency": _control,
    "queries": _search,
    "vector search": _vector_search,
    "real-time reads": _read,
    "scan": _scan,
    "delete": _delete,
    "swap aliases": _swap,
    "drop indices": _drop,
}
