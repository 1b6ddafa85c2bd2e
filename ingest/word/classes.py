"""Candidates that look alike are one class, and a class is a level of headings or none: what a single line hides, many show. Pure."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ingest.word.body_look import is_running_text
from ingest.word.candidates import Candidate
from ingest.word.pieces import Look, Paragraph, Piece, Table

_ACCEPTED = 2.0
_ALONE = 3.5
_SAME_NEIGHBOUR = 0.5
_MOST_REPEATED = 0.3
_FEWEST_DISTINCT = 0.15
_BEFORE_TABLES = 0.6
_TEXT_SHARE = 0.3
_SHORT_DOCUMENT = 3_000
_COVER_LINES = 4
_ENOUGH_STRONG = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingClass:
    """Candidates of one look, in reading order. `score` is the mean of how far they stand out; `look` that of the first."""

    members: tuple[Candidate, ...]
    look: Look
    family: str
    score: float

    @property
    def first(self) -> int:
        """Where the class appears first."""
        return self.members[0].place

    @property
    def depth(self) -> int:
        """The parts of its decimal numbers, 0 without."""
        return self.members[0].depth

    @property
    def keyword_share(self) -> float:
        """How many of its members are usual headings (Abstract, 参考文献)."""
        return sum(member.is_keyword for member in self.members) / len(self.members)


def heading_classes(
    candidates: Sequence[Candidate], pieces: Sequence[Piece], *, with_styles: bool, body_styles: Collection[str]
) -> list[HeadingClass]:
    """The classes that head sections; those of labels, captions, cover lines and list items are left out."""
    groups: dict[tuple[object, ...], list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(_key(candidate, with_styles, body_styles), []).append(candidate)
    followers = _followers(pieces)
    text = sum(len(piece.text) for piece in pieces if isinstance(piece, Paragraph))
    cover = _cover_lines(candidates, groups, pieces)
    kept = []
    for group in groups.values():
        inside = [member for member in group if member.place not in cover]
        strong = [member for member in inside if not member.is_weak]
        if strong and _heads_sections(strong, followers, pieces, text):
            score = sum(member.score for member in strong) / len(strong)
            inside = inside if len(strong) >= _ENOUGH_STRONG else strong
            kept.append(HeadingClass(members=tuple(inside), look=inside[0].paragraph.look, family=inside[0].family, score=score))
    return kept


def _key(candidate: Candidate, with_styles: bool, body_styles: Collection[str]) -> tuple[object, ...]:
    """A style of its own makes a class; without one, the look does. Numbers of another kind part a class."""
    style = candidate.paragraph.style.id
    if with_styles and style not in body_styles:
        return (style, candidate.family)
    look = candidate.paragraph.look
    return (look.size, look.bold, look.italic, look.caps, look.underline, look.centred, candidate.family)


def _followers(pieces: Sequence[Piece]) -> list[int | None]:
    """For each piece the place of the next one that is not empty."""
    following: list[int | None] = [None] * len(pieces)
    nearest: int | None = None
    for place in range(len(pieces) - 1, -1, -1):
        following[place] = nearest
        piece = pieces[place]
        if isinstance(piece, Table) or piece.text.strip():
            nearest = place
    return following


def _cover_lines(
    candidates: Sequence[Candidate],
    groups: Mapping[tuple[object, ...], Sequence[Candidate]],
    pieces: Sequence[Piece],
) -> set[int]:
    """The candidates of a cover: lines on pages of their own before the first text, number or usual heading.

    What stands right above the first text stays when its look comes again further on.
    """
    candidates = [candidate for candidate in candidates if not candidate.is_weak]
    firsts = [candidate.place for candidate in candidates if candidate.family or candidate.is_keyword]
    firsts += [place for place, piece in enumerate(pieces) if isinstance(piece, Paragraph) and is_running_text(piece)][:1]
    end = min(firsts, default=0)
    lines = [place for place, piece in enumerate(pieces[:end]) if isinstance(piece, Paragraph) and piece.text.strip()]
    pages = [place for place, piece in enumerate(pieces[: end + 1]) if isinstance(piece, Paragraph) and piece.after_break]
    if len(lines) < _COVER_LINES or not any(place > lines[0] for place in pages):
        return set()
    recurring = {member.place for group in groups.values() for member in group if any(m.place >= end for m in group)}
    cover = {candidate.place for candidate in candidates if candidate.place < end}
    for place in reversed(lines):
        if place not in recurring or place not in cover:
            break
        cover.discard(place)
    return cover


def _heads_sections(group: Sequence[Candidate], followers: Sequence[int | None], pieces: Sequence[Piece], text: int) -> bool:
    score = sum(member.score for member in group) / len(group)
    # One "3.2.1" stands in a chain of numbers and needs no second of its kind.
    several = len(group) > 1 or group[0].depth > 1
    if score < (_ACCEPTED if several else _ALONE) or not (several or _is_strong(group[0])):
        return False
    places = {member.place for member in group}
    before_tables = sum(_is_table(pieces, followers[place]) for place in places)
    if len(group) > 1 and before_tables >= _BEFORE_TABLES * len(group) and not group[0].family:
        return False
    neighbours = sum(followers[place] in places for place in places)
    if len(group) >= 4 and group[0].depth < 2 and neighbours > _SAME_NEIGHBOUR * len(group):
        return False
    texts = Counter(" ".join(member.paragraph.text.split()) for member in group)
    if len(group) >= 6 and not group[0].family and texts.most_common(1)[0][1] > _MOST_REPEATED * len(group):
        return False
    if len(group) >= 4 and len(texts) < _FEWEST_DISTINCT * len(group):
        return False
    return text < _SHORT_DOCUMENT or sum(len(member.paragraph.text) for member in group) <= _TEXT_SHARE * text


def _is_strong(candidate: Candidate) -> bool:
    """Whether one candidate alone can be believed: a number, a usual heading, bold type, or kept with what follows."""
    look = candidate.paragraph.look
    return bool(candidate.family) or candidate.is_keyword or look.bold or look.keep_next


def _is_table(pieces: Sequence[Piece], place: int | None) -> bool:
    return place is not None and isinstance(pieces[place], Table)
