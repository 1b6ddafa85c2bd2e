"""The titles by which documents may be named, kept for a few seconds for each scope of reading."""

import time
from threading import Lock

from es_mappings.derived import NOT_DERIVED
from es_mappings.index import Index
from es_mappings.titles import DocumentTitle
from service.scope import Scope, reader_filters

KEPT_SECONDS = 2.0
MOST_TITLES = 5_000
MOST_SCOPES = 200
_FIELDS = ["doc_id", "title", "aliases", "source", "slug"]

_ScopeKey = tuple[tuple[str, ...] | None, str | None]


class KnownTitles:
    """Titles, aliases, source names and slugs of the committed documents; what a reader may not see never helps to read a question."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._kept: dict[_ScopeKey, tuple[float, tuple[DocumentTitle, ...]]] = {}
        self._lock = Lock()

    def of(self, scope: Scope, *, fresh: bool = False) -> tuple[DocumentTitle, ...]:
        """The titles within the scope's access and collection, at most 2 s old (or read now); the newest 5,000 documents."""
        key = (scope.access, scope.collection)
        now = time.monotonic()
        with self._lock:
            kept = self._kept.get(key)
        if kept and not fresh and now - kept[0] < KEPT_SECONDS:
            return kept[1]
        titles = self._read(scope)
        with self._lock:
            if len(self._kept) >= MOST_SCOPES:
                self._kept.clear()
            self._kept[key] = (now, titles)
        return titles

    def _read(self, scope: Scope) -> tuple[DocumentTitle, ...]:
        query = {"bool": {"filter": [*reader_filters(scope), {"exists": {"field": "revision"}}, NOT_DERIVED]}}
        body = {"query": query, "size": MOST_TITLES, "sort": [{"updated_at": "desc"}], "_source": _FIELDS, "track_total_hits": False}
        return tuple(
            DocumentTitle(
                doc_id=source["doc_id"],
                title=source.get("title", ""),
                aliases=(*source.get("aliases", ()), source.get("source", ""), source.get("slug", "")),
            )
            for source in (hit["_source"] for hit in self._index.search(self._index.documents, body))
        )
