"""Every call that the tests send to Elasticsearch, reduced to what a licence, a version or an administrator may refuse."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs/reference/elasticsearch.md"
QUERY_TYPES = frozenset(
    [
        "bool",
        "boosting",
        "combined_fields",
        "constant_score",
        "dis_max",
        "distance_feature",
        "exists",
        "function_score",
        "fuzzy",
        "geo_distance",
        "has_child",
        "has_parent",
        "ids",
        "intervals",
        "knn",
        "match",
        "match_all",
        "match_bool_prefix",
        "match_none",
        "match_phrase",
        "match_phrase_prefix",
        "more_like_this",
        "multi_match",
        "nested",
        "percolate",
        "pinned",
        "prefix",
        "query_string",
        "range",
        "rank_feature",
        "regexp",
        "retriever",
        "rrf",
        "script",
        "script_score",
        "semantic",
        "simple_query_string",
        "span_near",
        "span_term",
        "sparse_vector",
        "term",
        "terms",
        "terms_set",
        "text_expansion",
        "weighted_tokens",
        "wildcard",
        "wrapper",
    ]
)
_OPERATIONS = frozenset(
    [
        "_msearch",
        "_mget",
        "_bulk",
        "_search",
        "_refresh",
        "_pit",
        "_mapping",
        "_analyze",
        "_aliases",
        "_doc",
        "_create",
        "_delete",
        "_health",
        "_settings",
    ]
)


def shape_of(method: str, target: str) -> str:
    """`POST /{index}/_doc/{id}`: names of indices and ids replaced, the query string left out."""
    parts = [part for part in target.split("?")[0].split("/") if part]
    shaped = []
    for position, part in enumerate(parts):
        if part.startswith("_"):
            shaped.append(part)
        else:
            shaped.append("{id}" if position and parts[position - 1] in _OPERATIONS else "{index}")
    return f"{method} /{'/'.join(shaped)}"


def query_types_in(body: object) -> set[str]:
    """The query types named anywhere in a body, as keys with an object below them."""
    return {key for key, value in _pairs(body) if key in QUERY_TYPES and isinstance(value, dict | list)}


def _pairs(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, bytes | str):
        for line in (value.decode() if isinstance(value, bytes) else value).splitlines():
            if line.startswith("{"):
                yield from _pairs(json.loads(line))
    elif isinstance(value, dict):
        for key, below in value.items():
            if key not in ("mappings", "settings", "_source", "doc", "properties"):
                yield key, below
                yield from _pairs(below)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _pairs(item)


def documented() -> set[str]:
    """The calls and query types that the reference page lists in back quotes at the start of a table row."""
    return set(re.findall(r"^\| `([^`]+)` \|", PAGE.read_text("utf-8"), re.MULTILINE))


class Recorder:
    """Wraps the client's transport; keeps the shapes of all searches and writes."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def record(self, method: str, target: str, body: Any) -> None:
        """Note one call."""
        shape = shape_of(method, target)
        self.seen.add(shape)
        if "search" in shape or "_delete" in shape:
            self.seen |= query_types_in(body)
