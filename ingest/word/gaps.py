"""Headings that an author forgot to mark: "第二章" in bold between a 第一章 and a 第三章 that have heading styles. Pure."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from ingest.numbering import Printed, printed_number
from ingest.word.body_look import BodyText, stands_out
from ingest.word.candidates import candidate_of
from ingest.word.pieces import Paragraph, Piece


def forgotten_levels(stated: Mapping[int, int], pieces: Sequence[Piece], excluded: Collection[int], body: BodyText) -> dict[int, int]:
    """Places and levels of headings that continue the numbers of stated ones (given alike) and stand out from the text.

    Only numbers that name themselves count (第二章, Chapter 2, Appendix B) and decimals ("3.2"): a bold "2." may be an item of a list.
    """
    numbers = {place: found for place in stated if (found := _number(pieces[place]))}
    levels: dict[str, int] = {}
    for place, number in sorted(numbers.items()):
        levels.setdefault(number.family, stated[place])
    forgotten: dict[int, Printed] = {}
    for place, piece in enumerate(pieces) if levels else ():
        if place in stated or place in excluded or not isinstance(piece, Paragraph) or not stands_out(piece.look, body.look):
            continue
        found = _number(piece)
        candidate = candidate_of(place, piece, body, with_numbers=True) if found is not None and found.family in levels else None
        if found is not None and candidate is not None and not candidate.is_weak:
            forgotten[place] = found
    return {place: levels[forgotten[place].family] for place in _continuing(numbers, _with_own_text(forgotten, stated, pieces))}


def _number(piece: Piece) -> Printed | None:
    """The number that a paragraph begins with, typed or computed by Word, when it is beyond doubt."""
    if not isinstance(piece, Paragraph):
        return None
    marker = piece.marker
    text = " ".join(piece.words.split())
    text = f"{marker.text.strip()} {text}" if marker is not None and not marker.is_bullet else text
    found = printed_number(text)
    return found if found is not None and found.certain and found.values and found.end < len(text) else None


def _with_own_text(forgotten: Mapping[int, Printed], stated: Collection[int], pieces: Sequence[Piece]) -> dict[int, Printed]:
    """Without lines of a list of contents, which follow one another, and repeated labels right above a stated heading."""
    filled = [place for place, piece in enumerate(pieces) if not isinstance(piece, Paragraph) or piece.words]
    kept = dict(forgotten)
    for place, following in pairwise(filled):
        if place in forgotten and following in stated:
            kept.pop(place, None)
        elif place in forgotten and following in forgotten and forgotten[place].family == forgotten[following].family:
            kept.pop(place, None)
            kept.pop(following, None)
    return kept


def _continuing(numbers: Mapping[int, Printed], forgotten: Mapping[int, Printed]) -> set[int]:
    """The places whose number is one more than that of the nearest heading of their family above, or one less than that below."""
    kept: set[int] = set()
    for order, step in ((sorted(forgotten), 1), (sorted(forgotten, reverse=True), -1)):
        for place in order:
            known = {p: n for p, n in numbers.items() if n.family == forgotten[place].family}
            known |= {p: forgotten[p] for p in kept if forgotten[p].family == forgotten[place].family}
            nearest = max((p for p in known if p < place), default=None) if step > 0 else min((p for p in known if p > place), default=None)
            if nearest is not None and _is_next(known[nearest], forgotten[place], step):
                kept.add(place)
    return kept


def _is_next(known: Printed, number: Printed, step: int) -> bool:
    return (*known.values[:-1], known.values[-1] + step) == number.values
