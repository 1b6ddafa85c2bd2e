"""The plan over the heading tree: what costs a call, what does not, and that the number is known before."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from summary_books import MemoryStore, ScriptedChat, book, limits, plan, prose, recipe, run, source_of

from es_mappings.errors import SettingsError
from es_mappings.settings import Settings
from es_mappings.tokens import count_tokens
from ingest.summaries.coverage import coverage_of
from ingest.summaries.freshness import partial_hash, text_hash
from ingest.summaries.making import Made
from ingest.summaries.mapreduce import calls_needed
from ingest.summaries.opening import limits_of
from ingest.summaries.planning import plan_summaries
from ingest.summaries.tree import Plan, SectionSource, heading_line
from ingest.summaries.windows import Limits, even_groups, fitted, paragraphs


def counting() -> ScriptedChat:
    return ScriptedChat(lambda prompt: f"A summary of {len(prompt)} characters.")


def test_a_book_of_25_chapters_of_8000_tokens_takes_26_calls() -> None:
    made = plan(book(25, 8_000))
    assert made.calls == 26
    chat = counting()
    done = run(made, chat)
    assert (len(chat.prompts), done.requests) == (26, 26)


def test_the_default_settings_take_one_call_a_chapter_and_leave_room_for_other_tokenizers() -> None:
    bounds = limits_of(Settings())
    assert plan_summaries(book(25, 8_000), bounds, recipe()).calls == 26
    assert bounds.window < Settings().llm_window
    assert plan_summaries(book(25, 8_000), limits_of(Settings(llm_window=8_192)), recipe()).calls > 26


@pytest.mark.parametrize("method", ["map_reduce", "refine"])
@pytest.mark.parametrize("window", [1_200, 2_048, 8_192, 32_000, 128_000])
def test_the_calls_told_beforehand_are_the_calls_made(window: int, method: str) -> None:
    sources = (
        *book(3, 3_000),
        SectionSource(key="d/4", title="Chapter 4", parent=0, text=prose(900, 40)),
        SectionSource(key="d/4/1", title="4.1", parent=4, text=prose(4_500, 41)),
        SectionSource(key="d/4/2", title="4.2", parent=4, text=prose(60, 42)),
    )
    made, store, chat = plan(sources, window, method), MemoryStore(), counting()
    told = calls_needed(made, store)
    run(made, chat, store)
    assert told == made.calls == len(chat.prompts)
    assert calls_needed(made, store) == 0


@pytest.mark.parametrize("window", [1_200, 2_048, 8_192])
@pytest.mark.parametrize("method", ["map_reduce", "refine"])
def test_no_prompt_with_its_reply_is_longer_than_the_window_even_when_replies_are_as_long_as_allowed(window: int, method: str) -> None:
    made = plan(book(9, 2_500), window, method)
    lengths: list[int] = []

    def longest(prompt: str) -> str:
        lengths.append(count_tokens(prompt) + chat.limits[-1])
        return prose(chat.limits[-1] - 1, len(lengths))

    chat = ScriptedChat(longest)
    done = run(made, chat, parallel=1)
    assert max(lengths) <= window
    assert coverage_of(done, 0).share == 1.0
    assert len(chat.prompts) == made.calls


def test_a_section_under_400_tokens_is_its_own_summary() -> None:
    sources = (*book(2, 1_000), SectionSource(key="d/3", title="Short", parent=0, text=prose(399)))
    made = plan(sources)
    assert made.calls == 3
    summary = run(made, counting()).summary(3)
    assert isinstance(summary, Made)
    assert (summary.text, summary.requests) == (sources[3].text, 0)


def test_a_section_of_400_tokens_is_summarised() -> None:
    assert plan((*book(1, 1_000), SectionSource(key="d/2", title="Long", parent=0, text=prose(400)))).calls == 3


def test_a_section_with_one_subsection_costs_no_call_of_its_own() -> None:
    sources = (
        SectionSource(key="d", title="Book", parent=None),
        SectionSource(key="d/1", title="Part", parent=0, text="A word before."),
        SectionSource(key="d/1/1", title="Chapter", parent=1, text=prose(3_000)),
    )
    made = plan(sources)
    assert made.calls == 1
    done = run(made, ScriptedChat(lambda prompt: "What the chapter says."))
    part, document = done.summary(1), done.summary(0)
    assert isinstance(part, Made)
    assert isinstance(document, Made)
    assert part.text == "A word before.\n\nWhat the chapter says."
    assert document.text == part.text


def test_a_document_of_one_line_is_its_own_summary_and_costs_nothing() -> None:
    sources = (SectionSource(key="d", title="Note", parent=None, text="One line."),)
    done = run(plan(sources), counting())
    summary = done.summary(0)
    assert isinstance(summary, Made)
    assert (summary.text, done.requests) == ("One line.", 0)


def test_a_section_of_short_subsections_shows_them_under_their_headings() -> None:
    sources = (
        SectionSource(key="d", title="Book", parent=None, text="Opening."),
        SectionSource(key="d/1", title="One", parent=0, text="First."),
        SectionSource(key="d/2", title="Empty", parent=0),
        SectionSource(key="d/3", title="Two", parent=0, text="Second."),
    )
    summary = run(plan(sources), counting()).summary(0)
    assert isinstance(summary, Made)
    assert summary.text == "Opening.\n\nOne\n\nFirst.\n\nEmpty\n\nTwo\n\nSecond."
    assert plan(sources).finals[2] is None


def test_a_chapter_longer_than_the_window_is_read_whole_in_parts() -> None:
    sources = book(1, 30_000)
    made = plan(sources, 8_192)
    seen: list[str] = []

    def note(prompt: str) -> str:
        seen.append(source_of(prompt))
        return "Part."

    done = run(made, ScriptedChat(note))
    assert made.calls > 4
    shown = "".join("".join(seen).split())
    for paragraph in sources[1].text.split("\n\n"):
        assert "".join(paragraph.split()) in shown
    assert coverage_of(done, 0).share == 1.0


def test_text_without_any_border_is_still_read_whole() -> None:
    for text in ("字" * 9_000, "x" * 40_000, "😀" * 3_000, "e" + "\u0301" * 4_000):
        pieces = paragraphs(text, 500)
        assert "".join(pieces) == text
        assert max(count_tokens(piece) for piece in pieces) <= 500


def test_ten_thousand_sections_are_planned_and_covered() -> None:
    sources = (
        SectionSource(key="d", title="Register", parent=None),
        *(SectionSource(key=f"d/{i}", title=f"Entry {i}", parent=0, text=f"Entry {i} is kept in drawer {i % 97}.") for i in range(10_000)),
    )
    made = plan(sources, 8_192)
    done = run(made, counting())
    coverage = coverage_of(done, 0)
    assert len(coverage.sections) == 10_001
    assert coverage.share == 1.0
    assert done.requests == made.calls < 60


def test_a_window_smaller_than_the_prompt_is_refused_before_any_call() -> None:
    with pytest.raises(SettingsError, match="SECTIONARY_LLM_WINDOW"):
        fitted(Limits(window=300, overhead=290))


def deep_book() -> list[SectionSource]:
    sources = [SectionSource(key="d", title="Book", parent=None)]
    for chapter in range(1, 6):
        above = len(sources)
        sources.append(SectionSource(key=f"d/{chapter}", title=f"Chapter {chapter}", parent=0, text=prose(450, chapter)))
        sources.extend(
            SectionSource(key=f"d/{chapter}/{i}", title=f"{chapter}.{i}", parent=above, text=prose(700, chapter * 10 + i))
            for i in range(1, 4)
        )
    return sources


def test_one_changed_paragraph_costs_as_many_calls_as_its_section_is_deep() -> None:
    sources, store, chat = deep_book(), MemoryStore(), counting()
    run(plan(sources), chat, store)
    sources[7] = replace(sources[7], text=sources[7].text + " A new sentence stands here.")
    changed = plan(sources)
    assert calls_needed(changed, store) == 3  # the section, its chapter, the document
    before = len(chat.prompts)
    run(changed, chat, store)
    assert len(chat.prompts) - before == 3


def test_a_second_run_makes_no_call() -> None:
    store, chat = MemoryStore(), counting()
    run(plan(deep_book()), chat, store)
    before = len(chat.prompts)
    done = run(plan(deep_book()), chat, store)
    assert (len(chat.prompts) - before, done.requests) == (0, 0)
    assert all(done.summary(i) is not None for i in range(len(deep_book())))


def test_moving_a_chapter_remakes_only_the_document() -> None:
    sources, store = deep_book(), MemoryStore()
    run(plan(sources), counting(), store)
    moved = [sources[0], *sources[5:9], *sources[1:5], *sources[9:]]
    renumbered = [replace(s, parent={5: 1, 1: 5}.get(s.parent or 0, s.parent), key=f"x/{i}") for i, s in enumerate(moved)]
    renumbered[0] = replace(renumbered[0], parent=None)
    assert calls_needed(plan(renumbered), store) == 1


@pytest.mark.parametrize("change", ["model", "prompts", "language"])
def test_another_model_prompt_or_language_makes_every_call_again(change: str) -> None:
    sources, store = deep_book(), MemoryStore()
    first = plan(sources)
    run(first, counting(), store)
    values = {"model": "other", "prompts": ("q",), "language": "zh"}
    other = plan_summaries(sources, limits(), replace(recipe(), **{change: values[change]}))
    assert calls_needed(other, store) == other.calls == first.calls


def test_white_space_and_chunk_borders_make_nothing_stale() -> None:
    assert text_hash("one two\n\nthree") == text_hash("one two three\n")
    assert text_hash("one two") != text_hash("one too")


def test_a_summary_with_missing_pieces_never_has_the_hash_of_a_whole_one() -> None:
    assert partial_hash("h", []) == "h"
    assert partial_hash("h", ["a"]) != "h"
    assert partial_hash("h", ["a", "b"]) == partial_hash("h", ["b", "a"]) != partial_hash("h", ["a"])


def test_a_small_change_leaves_most_groups_of_a_long_section_as_they_were() -> None:
    sources, store = list(book(1, 60_000)), MemoryStore()
    first = plan(sources, 8_192)
    run(first, counting(), store)
    sources[1] = replace(sources[1], text=sources[1].text.replace("\n\n", "\n\nAn added remark. ", 5))
    changed = plan(sources, 8_192)
    assert changed.calls >= 10
    assert calls_needed(changed, store) <= 5


@given(costs=st.lists(st.integers(1, 50), max_size=80), room=st.integers(50, 200), salt=st.integers(0, 9))
def test_groups_hold_everything_once_in_order_and_fit(costs: list[int], room: int, salt: int) -> None:
    marks = [hash((salt, i)) % 1_000 for i in range(len(costs))]
    groups = even_groups(costs, marks, room)
    assert [i for start, end in groups for i in range(start, end)] == list(range(len(costs)))
    assert all(sum(costs[start:end]) <= room for start, end in groups)
    assert len(groups) <= 2 * -(-sum(costs) // room) + 1


def test_a_heading_never_takes_more_than_its_share_of_a_prompt() -> None:
    for title in ("word " * 500, "字" * 900, "😀" * 300):
        assert count_tokens(heading_line(title)) <= 64


@st.composite
def trees(draw: st.DrawFn) -> Sequence[SectionSource]:
    count = draw(st.integers(1, 14))
    sizes = draw(st.lists(st.sampled_from([0, 5, 399, 400, 900, 2_600]), min_size=count, max_size=count))
    sources = [SectionSource(key="d", title="D", parent=None, text=prose(sizes[0], 0) if sizes[0] else "")]
    for i in range(1, count):
        parent = draw(st.integers(max(0, i - 3), i - 1))
        sources.append(SectionSource(key=f"d/{i}", title=f"S{i}", parent=parent, text=prose(sizes[i], i) if sizes[i] else ""))
    return sources


@hypothesis_settings(deadline=None, max_examples=40)
@given(sources=trees(), window=st.sampled_from([1_200, 3_000, 32_000]), method=st.sampled_from(["map_reduce", "refine"]))
def test_any_tree_is_covered_wholly_by_the_calls_planned(sources: Sequence[SectionSource], window: int, method: str) -> None:
    made: Plan = plan(sources, window, method)
    done = run(made, counting(), parallel=2)
    assert done.requests == made.calls
    for index in range(len(sources)):
        coverage = coverage_of(done, index)
        assert coverage.share == 1.0
        assert all(section.included for section in coverage.sections)
        assert (done.summary(index) is None) == (made.branch_tokens[index] == 0)
