"""Packing, pure: within the budget to the token, whole, in document order, and every hit is in or has a reason."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from es_mappings.tokens import count_tokens
from service.packing import Packed, Surroundings, heading_of, pack, render
from service.results import Hit
from service.side_packing import SideHits, pack_sides


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


questions = st.sampled_from(["", "ab", "词 b"])


@settings(deadline=None)
@given(pieces, st.integers(0, 300), questions)
def test_nothing_is_over_the_budget_and_every_hit_is_in_or_has_a_reason(
    chosen: list[tuple[str, int, int]], budget: int, question: str
) -> None:
    hits = [
        hit(f"h{i}", content=text, section_key=f"d/{section:05d}", section_titles=f"{section} S", ordinal=section * 100 + ordinal)
        for i, (text, section, ordinal) in enumerate(chosen)
    ]
    for surroundings in (Nothing(), Shelf(hits)):
        packed = pack(hits, budget, surroundings, question)
        assert packed.used == sum(passage.tokens for passage in packed.passages) <= budget
        assert count_tokens(rendered(packed)) <= budget
        inside = [id_ for passage in packed.passages for id_ in passage.ids]
        outside = [item.id for item in packed.left_out]
        assert len(inside) == len(set(inside))
        assert sorted(inside + outside) == sorted(one.id for one in hits)
        assert [p.n for p in packed.passages] == list(range(1, len(packed.passages) + 1))
        assert [p.hit.section_key for p in packed.passages] == sorted(p.hit.section_key for p in packed.passages)


kinds = st.sampled_from(["chunk", "chunk", "section", "cluster"])


@st.composite
def shelves(draw: st.DrawFn) -> tuple[list[Hit], list[Hit]]:
    """The chunks and summaries of a small book with references, and some of them as hits."""
    nodes = []
    for i, (text, section, depth, kind) in enumerate(
        draw(st.lists(st.tuples(texts, st.integers(1, 3), st.integers(0, 2), kinds), min_size=1, max_size=14))
    ):
        key = "/".join(["d", f"{section:05d}", *["00001"] * depth])
        nodes.append(
            hit(
                f"n{i}", content=text, kind=kind, section_key=key, section_titles=key, ordinal=i,
                reference_keys=(f"d/{draw(st.integers(1, 3)):05d}",) if draw(st.booleans()) else (),
                source_keys=(f"d/{draw(st.integers(1, 3)):05d}",) if kind == "cluster" else (),
            )
        )  # fmt: skip
    return nodes, draw(st.lists(st.sampled_from(nodes), max_size=10, unique_by=lambda node: node.id))


@settings(deadline=None)
@given(shelves(), st.integers(0, 400), questions)
def test_whatever_is_packed_keeps_its_promises(shelf: tuple[list[Hit], list[Hit]], budget: int, question: str) -> None:
    nodes, hits = shelf
    chunks = [node for node in nodes if node.kind == "chunk"]
    packed = pack(hits, budget, Shelf(chunks), question)
    by_id = {node.id: node for node in nodes}
    inside = [by_id[id_] for passage in packed.passages for id_ in passage.ids]
    # Never over the budget, and nothing that was neither found nor lies around what was found.
    assert count_tokens(rendered(packed)) <= budget
    assert {node.id for node in inside} <= {one.id for one in hits} | {chunk.id for chunk in chunks}
    # Every hit is in, or left out with a reason, once.
    assert sorted([one.id for one in hits if one in inside] + [item.id for item in packed.left_out]) == sorted(one.id for one in hits)
    # What would still fit was not left out for want of room.
    for item in packed.left_out:
        if item.reason == "over_budget":
            alone = by_id[item.id]
            assert packed.used + count_tokens(render(1, heading_of(alone), alone.content)) > budget
    # A summary never stands beside what it was made from.
    for summary in (node for node in inside if node.kind == "section"):
        below = [node for node in inside if node is not summary and node.section_key.startswith(f"{summary.section_key}/")]
        assert below == []
    # Passages of a document in reading order, each text once.
    assert [passage.hit.ordinal for passage in packed.passages] == sorted(passage.hit.ordinal for passage in packed.passages)
    assert len(inside) == len({node.id for node in inside})


sides = st.lists(st.lists(st.tuples(texts, st.integers(0, 30)), max_size=6, unique_by=lambda piece: piece[1]), min_size=2, max_size=4)


@settings(deadline=None)
@given(sides, st.integers(0, 300))
def test_no_side_of_a_comparison_pushes_another_out(given_sides: list[list[tuple[str, int]]], budget: int) -> None:
    found = [
        SideHits(
            hits=tuple(
                hit(f"s{side}-{place}", content=f"{side}{place}{text}", ordinal=ordinal, section_key=f"d/{side:05d}", revision=f"r{side}")
                for place, (text, ordinal) in enumerate(pieces)
            ),
            surroundings=None,
        )
        for side, pieces in enumerate(given_sides)
    ]
    whole = pack_sides(found, budget)
    assert count_tokens(rendered(whole.packed)) <= budget
    assert [passage.n for passage in whole.packed.passages] == list(range(1, len(whole.packed.passages) + 1))
    for side, numbers in zip(found, whole.numbers, strict=True):
        alone = pack(side.hits, budget // len(found), None)
        share = sum(passage.tokens for passage in whole.packed.passages if passage.n in numbers)
        assert share >= alone.used
        assert all(id_.startswith(side.hits[0].id[:3]) for n in numbers for id_ in whole.packed.passages[n - 1].ids)
    inside = {id_ for passage in whole.packed.passages for id_ in passage.ids}
    outside = {item.id for item in whole.packed.left_out}
    assert inside | outside == {one.id for side in found for one in side.hits}
    assert inside & outside == set()


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


def test_a_child_that_does_not_fit_beside_its_summary_puts_it_out() -> None:
    summary = hit("s", kind="section", section_key="d/00001", content="A summary " + "of much " * 10, ordinal=0)
    child = hit("c", section_key="d/00001/00002", content="The text itself " + "at length " * 10)
    budget = max(pack([one], 500, None).used for one in (summary, child))
    packed = pack([summary, child], budget, None)
    assert [passage.hit.id for passage in packed.passages] == ["c"]
    assert [(item.id, item.reason) for item in packed.left_out] == [("s", "covered_by_child")]


def test_a_summary_stays_when_its_child_does_not_fit() -> None:
    summary, child = hit("s", kind="section", content="A summary.", ordinal=0), hit("c", content="word " * 400)
    packed = pack([summary, child], 60, None)
    assert [passage.hit.id for passage in packed.passages] == ["s"]
    assert [(item.id, item.reason) for item in packed.left_out] == [("c", "over_budget")]


def test_a_summary_that_is_the_text_itself_gives_way_to_the_text() -> None:
    summary, text = hit("s", kind="section", content="Just this.", ordinal=0), hit("c", section_key="d/00009", content="Just  this.")
    assert [passage.hit.id for passage in pack([summary, text], 500, None).passages] == ["c"]


@pytest.mark.parametrize("ending", [":", "：", ":**", ": "])
def test_a_text_that_announces_a_list_brings_it(ending: str) -> None:
    filler = "word " * 60
    section = [hit(f"c{i}", ordinal=i, content=f"{filler} number {i}.") for i in range(1, 9)]
    section[3] = hit("c4", ordinal=4, content=f"The following are needed{ending}")
    section[4] = hit("c5", ordinal=5, content=f"At the kiln{ending}")
    section[5] = hit("c6", ordinal=6, content="- gloves\n- goggles")
    (passage,) = pack([section[3]], 60, Shelf(section)).passages
    assert passage.ids == ("c4", "c5", "c6")


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


LONG = " ".join(f"Sentence {n} says nothing in particular about the weather." for n in range(12))


def test_what_is_left_of_the_budget_gets_the_best_sentences_of_the_next_hit() -> None:
    told = f"{LONG} The kiln cools to ninety degrees overnight. Then it is opened. {LONG}"
    hits = [hit("a", ordinal=1), hit("b", ordinal=9, content=told)]
    packed = pack(hits, 130, Nothing(), "How far does the kiln cool?")
    second = packed.passages[1]
    assert "ninety degrees overnight" in second.content
    assert second.content.startswith("…\n")
    assert second.content.endswith("\n…")
    assert all(line in told for line in second.content.strip("…\n").splitlines()), "verbatim"
    assert (second.ids, packed.left_out) == (("b",), ())
    assert packed.used <= 130
    assert [item.reason for item in pack(hits, 130, Nothing()).left_out] == ["over_budget"], "without a question nothing is cut"


def test_nothing_of_a_text_that_shares_no_word_with_the_question_fills_the_budget() -> None:
    packed = pack([hit("a", ordinal=1), hit("b", ordinal=9, content=LONG)], 130, Nothing(), "Who paints porcelain?")
    assert [item.id for item in packed.left_out] == ["b"]
