"""Hits become passages within a token budget. Pure: what lies around a hit is asked of `Surroundings`.

In rank order each hit goes in if it fits; the first few take the rest of their sections along when that fits as well, then all of
them a list that they introduce, the rest of their sections, what they refer to, and their neighbours. Pieces that touch become one
passage; passages stand in document order, each below its heading path. What is packed beats a summary of it, a text counts once.
Only at the end the next hits are cut, to the sentences that say most about the question; what is left out is named with its reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Protocol

from es_mappings.tokens import count_tokens
from ingest.chunking import heading_path
from service.excerpts import excerpt, telling
from service.results import Hit, LeftOut, Passage

# Hits whose whole section is taken before the next hits are looked at: a judgement, not measured (docs/decisions/0009-answers.md).
SECTIONS_FIRST = 2
# A section takes at most this share of what is left, so that one long section does not push everything else out.
SECTION_SHARE = 0.5
REFERENCES_FOLLOWED = 3
HEADING_TOKENS = 64
# Less room than this is left empty.
LEAST_EXCERPT = 60
SUMMARY_KINDS = frozenset({"section", "document", "cluster"})
_CHILD_BEATS = "covered_by_child"


class Surroundings(Protocol):
    """The text around hits, as far as the reader may see it and of the same revision as the hit; every list in reading order."""

    def sections(self, hits: Sequence[Hit]) -> Mapping[str, Sequence[Hit]]:
        """For each hit, by id, the chunks of its section's own text; of a very long section those near the hit."""
        ...

    def referred(self, hits: Sequence[Hit]) -> Mapping[str, Sequence[Hit]]:
        """For each of the hits' reference_keys the first chunks of the section that it leads to."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """The passages in document order, numbered from 1, what was left out, and the tokens that the passages take (o200k)."""

    passages: tuple[Passage, ...]
    left_out: tuple[LeftOut, ...]
    used: int


@dataclass(slots=True)
class _Pack:
    """What has been packed so far: pieces by section, and what it costs, counted as it will be rendered."""

    budget: int
    used: int = 0
    pieces: dict[str, dict[int, Hit]] = field(default_factory=dict)
    costs: dict[str, int] = field(default_factory=dict)

    def has(self, hit: Hit) -> bool:
        return hit.ordinal in self.pieces.get(_place(hit), {})

    def all(self) -> Iterator[Hit]:
        """Every piece."""
        for pieces in self.pieces.values():
            yield from pieces.values()

    def summaries(self) -> list[Hit]:
        """The pieces that are summaries."""
        return [piece for piece in self.all() if piece.kind in SUMMARY_KINDS]

    def remove(self, hit: Hit) -> None:
        """Take a summary out again."""
        place = _place(hit)
        del self.pieces[place]
        self.used -= self.costs.pop(place)

    def add(self, hits: Sequence[Hit], most: int | None = None) -> bool:
        """Add pieces of one section if they fit (within `most` more tokens); all of them or none."""
        place = _place(hits[0])
        now = self.pieces.get(place, {})
        after = now | {hit.ordinal: hit for hit in hits if hit.ordinal not in now}
        cost = sum(_cost(run) for run in _runs(after))
        more = cost - self.costs.get(place, 0)
        if self.used + more > self.budget or (most is not None and more > most):
            return False
        self.pieces[place], self.costs[place] = after, cost
        self.used += more
        return True


def pack(hits: Sequence[Hit], budget: int, surroundings: Surroundings | None, question: str = "") -> Packed:
    """Pack hits (best first) into `budget` tokens; every hit is in a passage or left out with a reason.

    Without surroundings nothing but the hits goes in: texts that are whole as they are, such as summaries. Without a question
    nothing is cut.
    """
    packed = _Pack(budget)
    kept, left_out = _once(hits)
    chunks = [hit for hit in kept if hit.kind not in SUMMARY_KINDS]
    around = surroundings.sections(chunks) if chunks and surroundings else {}
    for place, hit in enumerate(kept):
        if not packed.has(hit) and not _take(packed, hit):
            continue
        if place < SECTIONS_FIRST:
            _take_section(packed, hit, around, share=SECTION_SHARE)
    for hit in kept:  # again, because a child that came in later may have put its summary out and left room
        if not packed.has(hit) and not _take(packed, hit):
            left_out.append(LeftOut(id=hit.id, reason=_CHILD_BEATS if _is_told(packed, hit) else "over_budget"))
    chosen = [hit for hit in kept if packed.has(hit)]
    for hit in chosen:
        _take_list(packed, hit, around)
    for hit in chosen:
        _take_section(packed, hit, around, share=1.0)
    if surroundings:
        _follow_references(packed, chosen, surroundings)
    for hit in chosen:
        _take_neighbours(packed, hit, around)
    _take_excerpts(packed, [hit for hit in chunks if not packed.has(hit)], telling(question, [hit.content for hit in chunks]))
    passages = _numbered(packed, hits)
    inside = {id_ for passage in passages for id_ in passage.ids}
    # A double may have come in after all, as part of a whole section.
    left_out = [item for item in left_out if item.id not in inside]
    return Packed(passages=passages, left_out=tuple(left_out), used=sum(passage.tokens for passage in passages))


def render(n: int, heading: str, content: str) -> str:
    """A passage as the model reads it; its token count is what it takes of the budget."""
    return f"[{n}] {heading}\n{content}\n\n"


def heading_of(hit: Hit) -> str:
    """The heading path of a hit, the document's title first, shortened from the top to 64 tokens."""
    return heading_path(hit.doc_title, hit.section_titles.split(" / ") if hit.section_titles else [], HEADING_TOKENS)


def _once(hits: Sequence[Hit]) -> tuple[list[Hit], list[LeftOut]]:
    """The hits without the same text again; a text that is its own summary stays as the text."""
    of_chunks = {_plain(hit) for hit in hits if hit.kind not in SUMMARY_KINDS}
    seen: set[str] = set()
    kept: list[Hit] = []
    left_out: list[LeftOut] = []
    for hit in hits:
        text = _plain(hit)
        if text in seen or (hit.kind in SUMMARY_KINDS and text in of_chunks):
            left_out.append(LeftOut(id=hit.id, reason="duplicate"))
        else:
            seen.add(text)
            kept.append(hit)
    return kept, left_out


def _plain(hit: Hit) -> str:
    return " ".join(hit.content.split())


def _take(packed: _Pack, hit: Hit) -> bool:
    """Add a hit; what is packed already beats a summary of it, and a text that comes puts the summaries made from it out."""
    if _is_told(packed, hit):
        return False
    summaries = [other for other in packed.summaries() if _is_source(hit, other)]
    for other in summaries:
        packed.remove(other)
    if packed.add([hit]):
        return True
    for other in summaries:
        packed.add([other])
    return False


def _is_told(packed: _Pack, hit: Hit) -> bool:
    """Whether a summary's section has a text of its own, or a summary of a part of it, among the packed ones."""
    return hit.kind in SUMMARY_KINDS and any(_is_source(piece, hit) for piece in packed.all() if piece.id != hit.id)


def _is_source(piece: Hit, summary: Hit) -> bool:
    """Whether a summary was made from this piece: it lies in its section's branch, or is a member of its cluster."""
    if summary.kind == "cluster":
        return any(_within(piece.section_key, key) or key == piece.id for key in summary.source_keys)
    return piece.doc_id == summary.doc_id and _within(piece.section_key, summary.section_key)


def _within(key: str, branch: str) -> bool:
    return key == branch or key.startswith(f"{branch}/")


def _place(hit: Hit) -> str:
    """Pieces of one text are kept together: the chunks of a section; a summary stands alone."""
    return f"{hit.revision} {hit.section_key}" if hit.kind == "chunk" else hit.id


def _take_section(packed: _Pack, hit: Hit, around: Mapping[str, Sequence[Hit]], share: float) -> None:
    """The whole section around a hit, when it fits into this share of what is left."""
    section = around.get(hit.id, ())
    if hit.kind == "chunk" and len(section) > 1 and not all(packed.has(piece) for piece in section):
        packed.add(section, int((packed.budget - packed.used) * share))


def _take_list(packed: _Pack, hit: Hit, around: Mapping[str, Sequence[Hit]]) -> None:
    """What follows a text that ends by announcing it ("the following items:", "如下："), as long as it announces more."""
    section = around.get(hit.id, ()) if hit.kind == "chunk" else ()
    for before, after in pairwise(section):
        if packed.has(before) and not packed.has(after) and before.ordinal >= hit.ordinal and _announces(before):
            packed.add([after])


def _announces(hit: Hit) -> bool:
    return hit.content.rstrip(" \t\n*_").endswith((":", "："))


def _take_neighbours(packed: _Pack, hit: Hit, around: Mapping[str, Sequence[Hit]]) -> None:
    section = around.get(hit.id, ()) if hit.kind == "chunk" else ()
    for before, after in pairwise(section):
        if hit.id in (before.id, after.id):
            packed.add([before, after])


def _take_excerpts(packed: _Pack, hits: Sequence[Hit], weights: Mapping[str, float]) -> None:
    """Of the next hits what says most about the question, while there is room for a few sentences."""
    for hit in hits:
        room = packed.budget - packed.used - count_tokens(render(1, heading_of(hit), ""))
        if not weights or room < LEAST_EXCERPT:
            return
        part = excerpt(hit.content, room, weights)
        if part and not any(_is_source(hit, summary) for summary in packed.summaries()):
            packed.add([replace(hit, content=part)])


def _follow_references(packed: _Pack, chosen: Sequence[Hit], surroundings: Surroundings) -> None:
    pointing = [hit for hit in chosen if hit.reference_keys]
    if not pointing or packed.used >= packed.budget:
        return
    targets = surroundings.referred(pointing)
    followed = 0
    for hit in pointing:
        for key in hit.reference_keys:
            pieces = [piece for piece in targets.get(key, ()) if not packed.has(piece)]
            if pieces and followed < REFERENCES_FOLLOWED and packed.add(pieces):
                followed += 1


def _runs(pieces: Mapping[int, Hit]) -> list[list[Hit]]:
    """Pieces of one section in reading order, those that touch together."""
    runs: list[list[Hit]] = []
    for ordinal in sorted(pieces):
        if runs and runs[-1][-1].ordinal == ordinal - 1:
            runs[-1].append(pieces[ordinal])
        else:
            runs.append([pieces[ordinal]])
    return runs


def _cost(run: Sequence[Hit]) -> int:
    # Numbers of up to three digits are one token each, so the final number does not change the count.
    return count_tokens(render(1, heading_of(run[0]), _joined(run)))


def _joined(run: Sequence[Hit]) -> str:
    """The text of neighbours as one; what a piece repeats of the one before (overlap) is given once."""
    text = run[0].content
    for before, after in pairwise(run):
        text += _without_overlap(before.content, after.content)
    return text


def _without_overlap(before: str, after: str) -> str:
    for length in range(min(len(before), len(after)), 19, -1):
        if before.endswith(after[:length]):
            return after[length:]
    return f"\n{after}"


def _numbered(packed: _Pack, hits: Sequence[Hit]) -> tuple[Passage, ...]:
    """The passages in document order: documents by their best hit, then as they read."""
    rank = {hit.id: place for place, hit in enumerate(hits)}
    first_of: dict[str, int] = {}
    for hit in hits:
        first_of.setdefault(hit.doc_id, rank[hit.id])
    runs = [run for pieces in packed.pieces.values() for run in _runs(pieces)]
    runs.sort(key=lambda run: (first_of.get(run[0].doc_id, len(rank)), run[0].doc_id, run[0].ordinal, run[0].id))
    return tuple(_passage(n, run, rank) for n, run in enumerate(runs, 1))


def _passage(n: int, run: Sequence[Hit], rank: Mapping[str, int]) -> Passage:
    lead = min(run, key=lambda hit: (rank.get(hit.id, len(rank)), hit.ordinal))
    heading, content = heading_of(lead), _joined(run)
    pages = [page for hit in run for page in (hit.page_start, hit.page_end) if page is not None]
    return Passage(
        n=n,
        hit=lead,
        content=content,
        heading=heading,
        page_start=min(pages, default=None),
        page_end=max(pages, default=None),
        tokens=count_tokens(render(n, heading, content)),
        ids=tuple(hit.id for hit in run),
    )
