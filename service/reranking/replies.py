"""What reranking services answer, in the two shapes that they share. Pure.

    {"results": [{"index": 2, "relevance_score": 0.98}, ...]}     Cohere (v1, v2), Jina, vLLM
    [{"index": 2, "score": 0.98}, ...]                            Text Embeddings Inference (/rerank)

`index` counts the documents sent, from 0; results come best first and may be fewer than were sent.
"""

import math
from typing import Any, TypeGuard

from es_mappings.errors import RerankerUnavailable

_SCORE_FIELDS = ("relevance_score", "score")


def scores_of(reply: Any, count: int) -> tuple[float | None, ...]:
    """The score of each of `count` documents, None for one that the reply leaves out. Raises RerankerUnavailable for any other shape."""
    results = reply.get("results") if isinstance(reply, dict) else reply
    if not isinstance(results, list):
        raise RerankerUnavailable("the reranking service answered, but not with a list of results: check its address")
    scores: list[float | None] = [None] * count
    for result in results:
        index, score = _pair(result)
        if not 0 <= index < count or scores[index] is not None:
            raise RerankerUnavailable("the reranking service answered with indices that do not fit the documents sent: check the model")
        scores[index] = score
    return tuple(scores)


def _pair(result: Any) -> tuple[int, float]:
    fields = result if isinstance(result, dict) else {}
    index = fields.get("index")
    score = next((fields[name] for name in _SCORE_FIELDS if name in fields), None)
    if not _is_number(index, int) or not _is_number(score, int | float):
        raise RerankerUnavailable("the reranking service answered with results that lack an index or a finite score: check the model")
    return index, float(score)


def _is_number(value: Any, kind: Any) -> TypeGuard[Any]:
    return isinstance(value, kind) and not isinstance(value, bool) and math.isfinite(value)
