"""Footnotes and endnotes: their texts by the keys under which the body refers to them."""

from collections.abc import Callable, Iterable, Iterator

from ingest.word.names import Element, W
from ingest.word.pieces import Paragraph, Piece

_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})


def note_texts(root: Element, kind: str, read: Callable[[Element], Iterable[Piece]]) -> Iterator[tuple[str, tuple[Piece, ...]]]:
    """("footnote:3", pieces) for each real note of a footnotes or endnotes part; `kind` is "footnote" or "endnote"."""
    for note in root.iter(W + kind):
        if note.get(W + "type") in _SEPARATORS:
            continue
        pieces = tuple(piece for piece in read(note) if not isinstance(piece, Paragraph) or piece.text.strip())
        if pieces:
            yield f"{kind}:{note.get(W + 'id', '')}", pieces
