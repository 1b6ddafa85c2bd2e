"""A linked table of contents: where it stands, and which places of the page it calls headings. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ingest.html.walk import Piece
from ingest.plaintext.keywords import is_contents

_FEWEST_LINKS = 4
_LINKED_SHARE = 0.4
_TOP_SHARE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """`places` are the pieces of the table itself with its heading; `anchors` what it points to; `end` the piece after it."""

    places: frozenset[int]
    anchors: frozenset[str]
    end: int


NO_CONTENTS = Contents(places=frozenset(), anchors=frozenset(), end=0)


def find_contents(pieces: Sequence[Piece]) -> Contents:
    """The first run of pieces near the top that consist mostly of links into the page, and all anchors that such runs point to."""
    runs: list[list[int]] = [[]]
    for index, piece in enumerate(pieces):
        if _points_inside(piece):
            if runs[-1] and index - runs[-1][-1] > 2:
                runs.append([])
            runs[-1].append(index)
    linked = [(run, _anchors(pieces[place] for place in run)) for run in runs if run]
    listing = [(run, anchors) for run, anchors in linked if len(anchors) >= _FEWEST_LINKS]
    if not listing:
        return NO_CONTENTS
    every = frozenset(anchor for _, anchors in listing for anchor in anchors)
    run = listing[0][0]
    if run[0] > len(pieces) * _TOP_SHARE:
        return Contents(places=frozenset(), anchors=every, end=0)
    first = run[0] - 1 if run[0] and is_contents(pieces[run[0] - 1].text) else run[0]
    return Contents(places=frozenset(range(first, run[-1] + 1)), anchors=every, end=run[-1] + 1)


def _points_inside(piece: Piece) -> bool:
    linked = sum(len(link.text) for link in piece.links if link.target.startswith("#"))
    return linked >= len(piece.text) * _LINKED_SHARE and linked > 0


def _anchors(pieces: Iterable[Piece]) -> frozenset[str]:
    return frozenset(link.target[1:] for piece in pieces for link in piece.links if link.target.startswith("#"))
