"""Summaries without a model: the document's own sentences, every chapter in them, the same coverage."""

from summary_books import MemoryStore, book, limits, prose, recipe

from es_mappings.tokens import count_tokens
from ingest.summaries.checkable import outstanding
from ingest.summaries.coverage import coverage_of
from ingest.summaries.extractive import ExtractiveMaker, candidates, extract, extract_by_chapter
from ingest.summaries.making import Made
from ingest.summaries.mapreduce import run_plan
from ingest.summaries.planning import plan_summaries
from ingest.summaries.prompts import Passage
from ingest.summaries.tree import SectionSource, branch_text


def test_an_extract_holds_whole_sentences_of_the_text_in_their_order() -> None:
    text = prose(3_000, 5)
    said = extract([Passage(heading="", text=text)], 200)
    sentences = [sentence.text for sentence in candidates([Passage(heading="", text=said)])]
    flat = " ".join(text.split())
    places = [flat.index(sentence) for sentence in sentences]
    assert places == sorted(places)
    assert 100 < count_tokens(said) <= 200
    assert extract([Passage(heading="", text=text)], 200) == said


def test_what_the_text_is_about_is_chosen_before_asides() -> None:
    text = (
        "The lighthouse keeper tends the lamp of the lighthouse through every winter storm. "
        "Somebody once sold marbles from a blue cart near here on quiet weekdays. "
        "Each evening the keeper climbs the lighthouse and lights the lamp against the storm. "
        "A cousin of the postman owns seven umbrellas of different colours and makes."
    )
    said = extract([Passage(heading="", text=text)], 40)
    assert "lamp" in said
    assert "umbrellas" not in said


def test_what_can_be_checked_and_is_rare_in_a_text_is_not_lost_among_what_is_central() -> None:
    facts = {
        "en": "Nobody but the warden Maria Okafor may open the lock, and never for more than 17 minutes.",
        "zh": "闸门由管理员王建国开启，每次不得超过十七分钟。",
    }
    filler = {
        "en": prose(900, 3),
        "zh": "".join(f"河水沿着{place}缓缓流过，船只载着粮食往来。" for place in "东西南北左右上下内外前后" * 3),
    }
    for language, fact in facts.items():
        middle = len(filler[language]) // 2
        cut = filler[language].rfind("." if language == "en" else "。", 0, middle) + 1
        text = f"{filler[language][:cut]} {fact} {filler[language][cut:]}"
        assert fact in extract([Passage(heading="", text=text)], 200)
        chapters = [Passage(heading=str(i), text=prose(300, i)) for i in range(12)] + [Passage(heading="x", text=text)]
        assert fact in extract_by_chapter(chapters, 700)


def test_where_every_sentence_has_a_figure_figures_tell_nothing_apart() -> None:
    assert outstanding([f"Line {i} sold {i * 37} units in the year." for i in range(30)]) == frozenset()
    plain = ["The boats carry grain along the river.", "People trade cloth in the evening.", "Lamps are lit along the piers."] * 3
    assert outstanding([*plain, "The toll is 17 pence."]) == {9}
    assert outstanding(["It costs 3 euros.", "Nobody pays."]) == frozenset()


def test_a_sentence_that_says_the_same_again_is_passed_over() -> None:
    same = "The harbour master counts the boats of the harbour each morning before breakfast."
    other = "The harbour of the master has a wall of stone, a crane and two sheds for boats."
    said = extract([Passage(heading="", text=f"{same} {same} {other}")], 45)
    assert said.count("counts the boats") == 1
    assert "crane" in said


def test_every_chapter_speaks_under_its_heading() -> None:
    chapters = [Passage(heading=f"Chapter {i}", text=prose(800, i)) for i in range(1, 26)]
    said = extract_by_chapter(chapters, 1_000)
    lines = said.split("\n")
    assert [line.split(":")[0] for line in lines] == [f"Chapter {i}" for i in range(1, 26)]
    assert all(len(line.split(": ", 1)[1]) > 20 for line in lines)


def test_with_thousands_of_chapters_the_headings_are_named_and_the_rest_is_counted() -> None:
    said = extract_by_chapter([Passage(heading=f"Entry {i}", text="Kept in a drawer of the old desk.") for i in range(5_000)], 1_000)
    assert count_tokens(said) < 4_200
    assert said.split("\n")[-1].startswith("... ")
    assert said.startswith("Entry 0\nEntry 1\n")


def test_code_tables_and_fragments_are_not_sentences() -> None:
    code = 'fn main() { let x = 5; println!("{}", x); }'
    prose_line = "A table of two columns precedes this plain sentence about letters."
    text = f"| a | b |\n\n{code}\n\nOk.\n\n{prose_line}"
    assert [sentence.text for sentence in candidates([Passage(heading="", text=text)])] == [prose_line]


def test_text_without_sentences_gives_its_first_lines() -> None:
    text = "\n".join(f"0x{i:04x} -> {i * 7 % 1000:03d};" for i in range(400))
    said = extract([Passage(heading="", text=text)], 100)
    assert said.startswith("0x0000")
    assert count_tokens(said) <= 100


def test_chinese_text_is_extracted_by_its_own_sentences() -> None:
    text = (
        "灯塔看守人整个冬天守护灯塔的灯。" * 1
        + "有人曾在附近卖过玻璃弹珠。"
        + "每天傍晚，看守人登上灯塔点亮灯。"
        + "邮差的表亲有七把雨伞。"
    )
    said = extract([Passage(heading="", text=text)], 40)
    assert "灯塔" in said
    assert "雨伞" not in said


def test_a_book_is_covered_wholly_without_any_request() -> None:
    sources = book(12, 2_000)
    plan = plan_summaries(sources, limits(1_000_000), recipe(model="extractive"))
    done = run_plan(plan, ExtractiveMaker(), MemoryStore(), 1, lambda finished, total: None)
    assert done.requests == 0
    assert coverage_of(done, 0).share == 1.0
    whole = done.summary(0)
    assert isinstance(whole, Made)
    assert all(f"Chapter {i}: " in whole.text for i in range(1, 13))
    assert whole.requests == 0


def test_a_heading_is_no_part_of_the_sentence_below_it() -> None:
    heading = "1.1 When the smell of ammonia is noticed"
    sources = [
        SectionSource(key="d", title="Plan", parent=None),
        SectionSource(key="d/1", title=heading, parent=0, text="Leave the hall at once."),
    ]
    text = branch_text(sources, [[1], []], 0)
    assert [one.text for one in candidates([Passage(heading="", text=text)])] == ["Leave the hall at once."]
