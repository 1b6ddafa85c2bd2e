"""Chunks: inside one section, inside the limit, nothing lost, cut where a reader would cut."""

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from es_mappings.tokens import count_tokens
from ingest.blocks import Block, Link, Reading
from ingest.chunking import Chunk, chunk_outline, embedded_text, heading_path
from ingest.outline import Outline, build_outline
from ingest.splitting import section_text

SENTENCE = "The retry waits twice as long after every failure, and gives up after six attempts. "
SATZ = "第三章讨论了重试策略：每次失败后等待时间加倍，六次之后放弃。"


def outline_of(*blocks: Block, title: str = "Handbook") -> Outline:
    return build_outline(Reading(title=title, format="test", blocks=blocks), "file")


def heading(text: str, level: int = 1, number: str | None = None) -> Block:
    return Block(kind="heading", text=text, level=level, number=number)


def paragraph(text: str, **fields: object) -> Block:
    return Block(kind="paragraph", text=text, **fields)  # type: ignore[arg-type]


def table(rows: int, words: int = 6) -> Block:
    lines = ["| key | meaning |", "| --- | --- |", *(f"| row {i} | {'value ' * words}|" for i in range(rows))]
    return Block(kind="table", text="\n".join(lines), header_rows=2)


def covered(outline: Outline, chunks: tuple[Chunk, ...]) -> None:
    """Every character of every section that is not white space stands in exactly one chunk, in order."""
    for index, section in enumerate(outline.sections):
        text = section_text(section.blocks)
        position = 0
        for chunk in (c for c in chunks if c.section == index):
            assert chunk.start >= position
            assert not text[position : chunk.start].strip()
            assert chunk.content[chunk.repeated :] == text[chunk.start : chunk.end]
            position = chunk.end
        assert not text[position:].strip()


words = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=12)
texts = st.one_of(
    st.lists(words, min_size=1, max_size=40).map(" ".join),
    st.integers(1, 40).map(lambda n: SENTENCE * n),
    st.integers(1, 40).map(lambda n: SATZ * n),
    st.integers(1, 400).map(lambda n: "x" * n),
).filter(lambda text: bool(text.strip()))
blocks = st.one_of(
    st.builds(Block, kind=st.sampled_from(["paragraph", "quote", "caption", "footnote", "code"]), text=texts),
    st.builds(heading, words.filter(lambda t: bool(t.strip())), st.integers(1, 7)),
    st.integers(1, 40).map(table),
    st.lists(texts, min_size=1, max_size=6).map(lambda items: Block(kind="list", text="\n".join(f"- {i}" for i in items))),
)


@settings(deadline=None, max_examples=150)
@given(st.lists(blocks, max_size=12), st.sampled_from([32, 48, 96, 512]))
def test_chunks_stay_inside_the_limit_and_together_hold_every_character_once(given_blocks, limit):
    outline = outline_of(*given_blocks)
    chunks = chunk_outline(outline, limit)
    covered(outline, chunks)
    for place, chunk in enumerate(chunks):
        assert chunk.ordinal == place
        assert count_tokens(embedded_text(chunk)) <= limit
        assert chunk.token_count == count_tokens(chunk.content)
        assert chunk.content.strip()


@settings(deadline=None, max_examples=80)
@given(st.lists(blocks, max_size=8), st.sampled_from([64, 128]))
def test_overlap_repeats_only_the_end_of_the_chunk_before_in_the_same_section(given_blocks, limit):
    outline = outline_of(*given_blocks)
    chunks = chunk_outline(outline, limit, overlap=limit // 5)
    for before, after in itertools.pairwise(chunks):
        if before.section == after.section and after.start < before.end:
            assert before.start < after.start
            text = section_text(outline.sections[after.section].blocks)
            assert count_tokens(text[after.start : before.end]) <= limit // 5
    assert all(count_tokens(embedded_text(chunk)) <= limit for chunk in chunks)


def test_overlap_begins_at_a_sentence():
    outline = outline_of(heading("A"), paragraph(SENTENCE * 60))
    chunks = chunk_outline(outline, 256, overlap=40)
    assert len(chunks) > 1
    for before, after in itertools.pairwise(chunks):
        assert after.start < before.end
        assert after.content.startswith("The retry")


def test_a_chunk_never_crosses_a_heading_and_carries_the_whole_path():
    outline = outline_of(heading("Experiments", number="3"), paragraph("one"), heading("Data", 2, "3.1"), paragraph("two"))
    chunks = chunk_outline(outline)
    assert [c.content for c in chunks] == ["one", "two"]
    assert [c.heading_path for c in chunks] == ["Handbook > 3 Experiments", "Handbook > 3 Experiments > 3.1 Data"]
    assert embedded_text(chunks[1]) == "Handbook > 3 Experiments > 3.1 Data\ntwo"


def test_a_path_that_is_too_long_loses_its_top_and_keeps_the_own_heading():
    deep = [f"Level {i} with a heading of some length" for i in range(40)]
    path = heading_path("Book", deep, 60)
    assert count_tokens(path) <= 60
    assert path.startswith("… > ")
    assert path.endswith(deep[-1])
    cut = heading_path("Book", ["word " * 500], 60)
    assert 40 <= count_tokens(cut) <= 60
    assert cut.startswith("word word")
    assert cut.endswith("…")


def test_the_title_is_not_said_twice_when_the_first_heading_repeats_it():
    assert heading_path("The  Book", ["The Book", "One"], 100) == "The Book > One"


def test_a_block_that_fits_is_never_cut_and_long_ones_are_cut_in_even_parts_at_sentences():
    outline = outline_of(heading("A"), paragraph("Short. Two sentences."), paragraph(SENTENCE * 36), paragraph("End. Really."))
    chunks = chunk_outline(outline, 512)
    assert len(chunks) == 2
    assert all(chunk.content.endswith(".") for chunk in chunks)
    sizes = [chunk.token_count for chunk in chunks]
    assert min(sizes) > 0.7 * max(sizes)


@pytest.mark.parametrize("unit", [SENTENCE, SATZ])
def test_no_section_ends_in_a_tiny_chunk(unit):
    for count in range(10, 90, 7):
        chunks = chunk_outline(outline_of(heading("A"), paragraph(unit * count)), 256)
        if len(chunks) > 1:
            assert min(c.token_count for c in chunks) > 90


def test_a_long_table_is_cut_between_rows_and_repeats_its_header():
    outline = outline_of(heading("A"), table(120))
    chunks = chunk_outline(outline, 256)
    assert len(chunks) > 2
    for chunk in chunks:
        lines = chunk.content.splitlines()
        assert lines[:2] == ["| key | meaning |", "| --- | --- |"]
        assert all(line.startswith("| row") and line.endswith("|") for line in lines[2:])
    covered(outline, chunks)


def test_a_caption_stays_with_its_table():
    caption = Block(kind="caption", text="Table 4: waiting times")
    for filler in range(2, 40, 3):
        chunks = chunk_outline(outline_of(heading("A"), paragraph(SENTENCE * filler), caption, table(8)), 256)
        (holder,) = [c for c in chunks if "Table 4" in c.content]
        assert "| key | meaning |" in holder.content


def test_code_is_cut_between_lines_and_keeps_its_indentation():
    code = "\n".join(f"    if step == {i}:\n        return compute({i}, deep=True)" for i in range(80))
    chunks = chunk_outline(outline_of(heading("A"), Block(kind="code", text=code)), 256)
    assert len(chunks) > 2
    assert "\n".join(chunk.content for chunk in chunks) == code


def test_a_list_is_cut_between_items():
    items = "\n".join(f"{i}. {SENTENCE}\n   And more of it." for i in range(1, 40))
    chunks = chunk_outline(outline_of(heading("A"), Block(kind="list", text=items)), 256)
    assert len(chunks) > 2
    assert all(re.match(r"\d+\. ", chunk.content) for chunk in chunks)


def test_combined_characters_are_never_torn():
    family = "👩‍👩‍👧‍👦"
    chunks = chunk_outline(outline_of(heading("A"), paragraph(family * 60 + "e\u0301" * 300)), 64)
    assert len(chunks) > 2
    assert all(not chunk.content.startswith(("\u200d", "\u0301")) and not chunk.content.endswith("\u200d") for chunk in chunks)


def test_text_without_a_heading_of_its_own_is_marked():
    headed = chunk_outline(outline_of(paragraph("before"), heading("A"), paragraph("under"), paragraph("box", detached=True)))
    assert [(c.content, c.is_fallback) for c in headed] == [("before", True), ("under\n\nbox", False)]
    assert [c.is_fallback for c in chunk_outline(outline_of(heading("A"), paragraph("box", detached=True)))] == [True]
    plain = chunk_outline(outline_of(*(paragraph(SENTENCE * 5) for _ in range(30))))
    assert len(plain) > 3
    assert all(chunk.is_fallback and chunk.heading_path == "Handbook" for chunk in plain)


def test_pages_links_and_anchors_follow_their_blocks():
    link = Link(text="section 9", target="#nine")
    outline = outline_of(
        heading("A"),
        paragraph(SENTENCE * 20, page=3, page_end=4, anchors=("start",)),
        paragraph(SENTENCE * 20 + "See section 9.", page=5, links=(link,)),
    )
    first, second = chunk_outline(outline, 400)
    assert (first.page_start, first.page_end, second.page_start, second.page_end) == (3, 4, 5, 5)
    assert (first.links, second.links) == ((), (link,))
    assert (first.anchors, second.anchors) == (("start",), ())


def test_a_limit_that_cannot_work_is_refused():
    with pytest.raises(ValueError, match="limit"):
        chunk_outline(outline_of(), 16)
    with pytest.raises(ValueError, match="overlap"):
        chunk_outline(outline_of(), 512, overlap=300)
