"""Packing, pure: within the budget to the token, whole, in document order, and every hit is in or has a reason."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from es_mappings.tokens import count_tokens
from service.packing import Packed, Surroundings, heading_of, pack, render
from service.results import Hit


def hit(name: str, **changes: object) -> Hit:
    values: dict[str, object] = {
        "id": name, "doc_id": "d", "doc_title": "Book", "kind": "chunk", "section_path": "book/1 One", "section_key": "d/00001",
        "section_titles": "1 One", "number": "1", "title": "1 One", "content": f"Text of {name}.", "page_start": None, "page_end": None,
        "is_fallback": False, "structure_source": "style", "structure_confidence": 1.0, "state": "current", "score": 1.0,
        "token_count": 5, "ordinal": 1, "revision": "r", **changes,
    }  # fmt: skip
    return Hit(**values)  # type: ignore[arg-type]


class Nothing:
    """No surroundings."""

    def sections(self, hits: Sequence[Hit]) -> Mapping[str, Sequence[Hit]]:
        return {}

    def referred(self, hits: Sequence[Hit]) -> Mapping[str, Sequence[Hit]]:
        return {}


class Shelf:
    """Surroundings from a list of all chunks."""

    def __init__(self, chunks: Sequence[Hit]) -> None:
        self.chunks = chunks

    def sections(self, hits: Sequence[Hit]) -> Mapping[str, Sequence[Hit]]:
        return {one.id: [chunk for chunk in self.chunks if chunk.section_key == one.section_key] for one in hits}

    def referred(self, hits: Sequence[Hit]) -> Mapping[str, Sequence[Hit]]:
        return {key: [c for c in self.chunks if c.section_key == key] for one in hits for key in one.reference_keys}


def rendered(packed: Packed) -> str:
    return "".join(render(passage.n, passage.heading, passage.content) for passage in packed.passages)


texts = st.text(st.sampled_from("ab 词。的\n#|é🙂"), min_size=1, max_size=120).filter(str.strip)
pieces = st.lists(st.tuples(texts, st.integers(1, 4), st.integers(0, 30)), max_size=12, unique_by=lambda piece: piece[1:])


@settings(deadline=None)
@given(pieces, st.integers(0, 300))
def test_nothing_is_over_the_budget_and_every_hit_is_in_or_has_a_reason(chosen: list[tuple[str, int, int]], budget: int) -> None:
    hits = [
        hit(f"h{i}", content=text, section_key=f"d/{section:05d}", section_titles=f"{section} S", ordinal=section * 100 + ordinal)
        for i, (text, section, ordinal) in enumerate(chosen)
    ]
    for surroundings in (Nothing(), Shelf(hits)):
        packed = pack(hits, budget, surroundings)
        assert packed.used == sum(passage.tokens for passage in packed.passages) <= budget
        assert count_tokens(rendered(packed)) <= budget
        inside = [id_ for passage in packed.passages for id_ in passage.ids]
        outside = [item.id for item in packed.left_out]
        assert len(inside) == len(set(inside))
        assert sorted(inside + outside) == sorted(one.id for one in hits)
        assert [p.n for p in packed.passages] == list(range(1, len(packed.passages) + 1))
        assert [p.hit.section_key for p in packed.passages] == sorted(p.hit.section_key for p in packed.passages)


def test_the_whole_section_around_a_hit_comes_as_one_passage_when_it_fits() -> None:
    section = [hit(f"c{i}", ordinal=i, content=f"Sentence number {i}.") for i in range(1, 6)]
    (passage,) = pack([section[2]], 500, Shelf(section)).passages
    assert passage.content == "\n".join(f"Sentence number {i}." for i in range(1, 6))
    assert (passage.hit.id, passage.ids) == ("c3", ("c1", "c2", "c3", "c4", "c5"))


def test_neighbours_come_when_the_section_does_not_fit() -> None:
    section = [hit(f"c{i}", ordinal=i, content=f"Sentence number {i} " + "word " * 30) for i in range(1, 21)]
    (passage,) = pack([section[9]], 150, Shelf(section)).passages
    assert "c10" in passage.ids
    assert 2 <= len(passage.ids) <= 4


def test_what_does_not_fit_is_named_and_smaller_hits_behind_it_still_come() -> None:
    big, small = hit("big", content="word " * 400, ordinal=1), hit("small", section_key="d/00002", ordinal=9)
    packed = pack([big, small], 60, Nothing())
    assert [passage.hit.id for passage in packed.passages] == ["small"]
    assert [(item.id, item.reason) for item in packed.left_out] == [("big", "over_budget")]


def test_a_text_counts_once() -> None:
    packed = pack([hit("a", ordinal=1), hit("b", ordinal=7, content=" Text  of a. ")], 500, Nothing())
    assert [(item.id, item.reason) for item in packed.left_out] == [("b", "duplicate")]


def test_a_child_beats_its_summary_and_a_stranger_does_not() -> None:
    summary = hit("s", kind="section", section_key="d/00001", content="A summary.", ordinal=0)
    child, stranger = hit("c", section_key="d/00001/00002"), hit("x", section_key="d/00010")
    assert [item.reason for item in pack([summary, child], 500, Nothing()).left_out] == ["covered_by_child"]
    assert pack([summary, stranger], 500, Nothing()).left_out == ()


def test_references_are_followed_when_room_is_left() -> None:
    target = hit("t", section_key="d/00007", section_titles="7 Target", ordinal=70, content="What is referred to.")
    pointing = hit("p", reference_keys=("d/00007",))
    packed = pack([pointing], 500, Shelf([pointing, target]))
    assert [passage.hit.id for passage in packed.passages] == ["p", "t"]
    assert len(pack([pointing], count_tokens(rendered(pack([pointing], 500, Nothing()))), Shelf([pointing, target])).passages) == 1


def test_passages_stand_in_document_order_with_the_best_document_first() -> None:
    hits = [
        hit("b9", doc_id="b", ordinal=9, section_key="b/1"),
        hit("a5", doc_id="a", ordinal=5, section_key="a/1", content="other"),
        hit("b2", doc_id="b", ordinal=2, section_key="b/0", content="third"),
    ]
    assert [passage.hit.id for passage in pack(hits, 500, Nothing()).passages] == ["b2", "b9", "a5"]


def test_an_overlap_between_neighbours_is_given_once() -> None:
    shared = "these words stand in both of the pieces."
    first, second = hit("a", ordinal=1, content=f"Begin, {shared}"), hit("b", ordinal=2, content=f"{shared} End.")
    (passage,) = pack([first, second], 500, Nothing()).passages
    assert passage.content == f"Begin, {shared} End."


def test_each_passage_has_its_heading_path_and_pages() -> None:
    first = hit("a", ordinal=1, page_start=4, page_end=4, section_titles="3 Data / 3.1 Sets")
    second = hit("b", ordinal=2, page_start=5, page_end=6, section_titles="3 Data / 3.1 Sets", content="More.")
    (passage,) = pack([first, second], 500, Nothing()).passages
    assert passage.heading == "Book > 3 Data > 3.1 Sets"
    assert (passage.page_start, passage.page_end) == (4, 6)
    long = hit("c", section_titles=" / ".join(f"level {n} with a very long title indeed" for n in range(30)))
    assert count_tokens(heading_of(long)) <= 64


def test_surroundings_is_what_packing_asks_for() -> None:
    surroundings: Surroundings = Shelf([])
    assert pack([], 100, surroundings) == Packed(passages=(), left_out=(), used=0)
    with pytest.raises(AttributeError):
        pack([], 100, surroundings).used = 3  # type: ignore[misc]
