"""A chunk and a heading with its summary, and for each analyzer and query type that we use a query over them with what it must find."""

from typing import Any

DIMS = 4
TEXTS = {"node-1": "Running Cafés: a door stays open for ninety seconds.", "node-2": "库门最多开九十秒。"}
FIRST, BOTH, NONE = ["node-1"], sorted(TEXTS), list[str]()

# Analyzer of the mappings -> field, terms that must find a node, terms that must find none.
ANALYZERS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "section_text": ("content", ("run", "cafe", "九十", "门最"), ("running", "门")),
    "section_single": ("content.single", ("run", "cafe", "门"), ("九十",)),
    "section_path": ("section_path", ("doc", "doc/1 doors", "doc/1 doors/1.1 times"), ("doc/1", "doors")),
}

_CHAPTER = {"terms": {"section_labels": ["chapter 1"]}}
# Query type -> a query of that type, as the product builds it, and the ids that it must find.
QUERIES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "bool": ({"bool": {"filter": [_CHAPTER], "must_not": [{"term": {"kind": "section"}}]}}, FIRST),
    "term": ({"term": {"section_labels": "chapter 1"}}, FIRST),
    "terms": (_CHAPTER, FIRST),
    "exists": ({"exists": {"field": "content"}}, BOTH),
    "range": ({"range": {"ordinal": {"gt": 0, "lt": 2}}}, FIRST),
    "match_all": ({"match_all": {}}, BOTH),
    "match": ({"match": {"section_path": "DOC/1 Doors"}}, FIRST),
    "match_phrase": ({"match_phrase": {"title": "Door 1"}}, FIRST),
    "match_none": ({"match_none": {}}, NONE),
    "constant_score": ({"constant_score": {"filter": _CHAPTER, "boost": 1.0}}, FIRST),
    "dis_max": ({"dis_max": {"queries": [_CHAPTER, {"match_none": {}}]}}, FIRST),
    "multi_match": (
        {"multi_match": {"query": "running doors", "fields": ["title^3", "section_titles^2", "content"], "type": "cross_fields"}},
        BOTH,
    ),
}


def nodes() -> dict[str, dict[str, Any]]:
    """The nodes by id, as they are stored."""
    return {id_: _node(number, text) for number, (id_, text) in enumerate(TEXTS.items(), 1)}


def near(vector: list[float]) -> dict[str, Any]:
    """A kNN search that is filtered to the first chapter."""
    return {"knn": {"field": "embedding", "query_vector": vector, "k": 2, "num_candidates": 10, "filter": [_CHAPTER]}}


def _node(number: int, text: str) -> dict[str, Any]:
    return {
        "collection": "doctor",
        "doc_id": "doc",
        "kind": "chunk" if number == 1 else "section",
        "ordinal": number,
        "title": f"Door {number}",
        "content": text,
        "section_path": f"doc/{number} Doors/{number}.1 Times",
        "section_key": f"doc/{number:05d}/00001",
        "section_labels": [f"chapter {number}"],
        "access": "public",
        "embedding": [1.0, 0.0, 0.0, number / 10],
    }
