"""Running a plan: in parallel, with patience, nothing lost, failures named and made good by the next run."""

import random
import time

import pytest
from stub_llm import StubModel, StubReply
from summary_books import MemoryStore, ScriptedChat, book, plan, prose, reply, run, run_patient, source_of

from es_mappings.errors import DeadlineExceeded, ModelUnavailable, Overloaded
from es_mappings.settings import Settings
from es_mappings.tokens import count_tokens
from ingest.chat import Reply
from ingest.summaries.coverage import coverage_of
from ingest.summaries.making import Made
from ingest.summaries.mapreduce import Failure, calls_needed
from ingest.summaries.opening import open_patient_chat
from ingest.summaries.patience import Patience, PatientChat
from ingest.summaries.tree import SectionSource


def summary_of(done: object, section: int = 0) -> Made:
    made = done.summary(section)  # type: ignore[attr-defined]
    assert isinstance(made, Made)
    return made


def test_as_many_calls_are_in_flight_as_allowed_and_no_more() -> None:
    with StubModel() as stub:
        stub.default = StubReply(text="Said.", delay=0.02)
        chat = open_patient_chat(Settings(llm_base_url=stub.url))
        assert chat is not None
        run_patient(plan(book(20, 500), model=chat.model), chat, MemoryStore(), 3)
        assert (stub.calls, stub.most_in_flight) == (21, 3)


def test_failed_sections_are_named_exactly_and_the_next_run_makes_just_those() -> None:
    sources, store = book(30, 500), MemoryStore()
    failing = {f"[Chapter {i}]" for i in random.Random(7).sample(range(1, 31), 3)}

    def answer(prompt: str) -> str:
        if "chapters of one whole document" not in prompt and any(source_of(prompt).startswith(heading) for heading in failing):
            raise ModelUnavailable("the endpoint failed (HTTP 500): look at its log")
        return "Said."

    done = run(plan(sources), ScriptedChat(answer), store)
    coverage = coverage_of(done, 0)
    missing = [section for section in coverage.sections if not section.included]
    assert {f"[{sources[s.section].title}]" for s in missing} == failing
    assert all("HTTP 500" in section.error for section in missing)
    assert coverage.share == pytest.approx(0.9)
    assert summary_of(done).text == "Said."  # there is a summary of what could be had

    failing.clear()
    healed = ScriptedChat(answer)
    again = run(plan(sources), healed, store)
    assert len(healed.prompts) == 4  # the three, and the document that lacked them
    assert coverage_of(again, 0).share == 1.0


def test_a_run_that_fails_again_in_the_same_places_does_not_make_the_document_again() -> None:
    sources, store = book(10, 500), MemoryStore()

    def answer(prompt: str) -> str:
        if source_of(prompt).startswith("[Chapter 3]"):
            raise ModelUnavailable("no")
        return "Said."

    run(plan(sources), ScriptedChat(answer), store)
    second = ScriptedChat(answer)
    done = run(plan(sources), second, store)
    assert len(second.prompts) == 1
    assert not coverage_of(done, 0).sections[3].included


def test_a_failed_part_of_a_long_section_is_named_with_its_number() -> None:
    sources = book(1, 20_000)

    def answer(prompt: str) -> str:
        if sources[1].text[:200] in prompt:
            raise DeadlineExceeded("the endpoint did not answer within 300 s")
        return "Said."

    done = run(plan(sources, 8_192), ScriptedChat(answer))
    section = coverage_of(done, 1).sections[0]
    assert (section.included, section.error) == (False, "part 1: the endpoint did not answer within 300 s")
    assert 0.5 < coverage_of(done, 0).share < 0.8


def test_when_the_last_step_fails_the_sections_keep_their_summaries() -> None:
    def answer(prompt: str) -> str:
        if "whole document" in prompt:
            raise ModelUnavailable("no")
        return "Said."

    done = run(plan(book(3, 500)), ScriptedChat(answer))
    assert isinstance(done.summary(0), Failure)
    assert summary_of(done, 2).text == "Said."
    assert coverage_of(done, 0).share == 0.0
    assert coverage_of(done, 2).share == 1.0


def test_a_finished_call_is_stored_before_the_next_one_of_its_thread_begins() -> None:
    store = MemoryStore()
    seen: list[int] = []
    run(plan(book(6, 500)), ScriptedChat(lambda prompt: seen.append(len(store.kept)) or "Said."), store, parallel=1)
    assert seen == list(range(7))


def test_what_a_stopped_run_finished_is_not_made_again() -> None:
    store, sources = MemoryStore(), book(12, 500)

    class StoppedError(Exception):
        pass

    def stop(done: int, total: int) -> None:
        if done >= 5:
            raise StoppedError

    chat = ScriptedChat(lambda prompt: "Said.")
    with pytest.raises(StoppedError):
        run_patient(plan(sources), PatientChat(chat), store, 2, stop)
    made = len(chat.prompts)
    assert made == len(store.kept) < 13
    run(plan(sources), chat, store)
    assert len(chat.prompts) == 13


def test_an_endpoint_that_is_down_ends_the_run_soon_and_says_so() -> None:
    settings = Settings(llm_base_url="http://127.0.0.1:9/v1", llm_model="m")
    chat = open_patient_chat(settings)
    assert chat is not None
    waits: list[float] = []
    patient = PatientChat(chat._chat, Patience(attempts=3), sleep=waits.append)
    done = run_patient(plan(book(30, 500)), patient, MemoryStore(), 4)
    assert patient.requests < 20
    coverage = coverage_of(done, 0)
    assert coverage.share == 0.0
    assert all("cannot be reached" in section.error for section in coverage.sections[1:])


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (StubReply(text=""), "answered with nothing"),
        (StubReply(raw=b"{not json"), "not as the OpenAI API does"),
        (StubReply(raw=b'{"choices": []}'), "not as the OpenAI API does"),
        (StubReply(status=400), "context window"),
    ],
)
def test_a_bad_reply_is_a_named_failure_and_never_a_summary(bad: StubReply, words: str) -> None:
    with StubModel() as stub:
        stub.default = lambda body: bad if source_of(body["messages"][1]["content"]).startswith("[Chapter 2]") else StubReply(text="Said.")
        patient = open_patient_chat(Settings(llm_base_url=stub.url, summary_attempts=1))
        assert patient is not None
        done = run_patient(plan(book(3, 500)), patient, MemoryStore(), 2)
    sections = coverage_of(done, 0).sections
    assert [section.included for section in sections] == [True, True, False, True]
    assert words in sections[2].error


def test_a_slow_endpoint_is_cut_off_at_the_deadline() -> None:
    with StubModel() as stub:
        stub.default = StubReply(text="Too late.", delay=3)
        chat = open_patient_chat(Settings(llm_base_url=stub.url, summary_call_seconds=0.2, summary_attempts=1))
        assert chat is not None
        began = time.perf_counter()
        done = run_patient(plan(book(2, 500)), chat, MemoryStore(), 2)
        assert time.perf_counter() - began < 2.5
    assert all("did not" in section.error for section in coverage_of(done, 0).sections[1:])


def test_retry_after_of_a_429_holds_back_every_thread() -> None:
    with StubModel() as stub:
        stub.say(StubReply(status=429, headers={"Retry-After": "0.4"}))
        stub.default = StubReply(text="Said.")
        chat = open_patient_chat(Settings(llm_base_url=stub.url, llm_model="m"))
        assert chat is not None
        began = time.perf_counter()
        done = run_patient(plan(book(4, 500)), chat, MemoryStore(), 1)
        assert time.perf_counter() - began >= 0.4
        assert (stub.calls, done.requests) == (6, 6)
    assert coverage_of(done, 0).share == 1.0


class Failing:
    model = "m"

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)

    def complete(self, messages: object, max_tokens: int) -> Reply:
        if self.errors:
            raise self.errors.pop(0)
        return reply("Said.")


def test_waits_grow_and_are_drawn_from_the_full_range() -> None:
    waits: list[list[float]] = []
    for _ in range(200):
        slept: list[float] = []
        PatientChat(Failing(*[DeadlineExceeded("slow")] * 4), Patience(attempts=5), sleep=slept.append).ask((), 10)
        waits.append(slept)
    for attempt, longest in enumerate([0.5, 1.0, 2.0, 4.0]):
        drawn = [slept[attempt] for slept in waits]
        assert max(drawn) <= longest
        assert min(drawn) < longest * 0.1
        assert max(drawn) > longest * 0.9


def test_a_retry_after_beyond_all_patience_is_a_failure() -> None:
    error = Overloaded("busy")
    error.retry_after_seconds = 3_600
    with pytest.raises(Overloaded):
        PatientChat(Failing(error), sleep=lambda seconds: pytest.fail("waited")).ask((), 10)


def test_a_long_reply_is_asked_for_once_more_and_then_kept_whole_and_marked() -> None:
    long, longer = prose(700, 1), prose(800, 2)
    chat = ScriptedChat(lambda prompt: long if "too long" in prompt else longer)
    done = run(plan((SectionSource(key="d", title="D", parent=None, text=prose(2_000)),), 4_000), chat)
    made = summary_of(done)
    assert len(chat.prompts) == 1  # the document may have 1,000 tokens
    assert made.text == longer
    done = run(plan(book(2, 2_000)), chat)
    made = summary_of(done, 1)
    assert (made.text, made.too_long, made.requests) == (long, True, 2)


def test_a_reply_cut_by_the_endpoint_is_replaced_by_a_shorter_one_or_marked() -> None:
    chat = ScriptedChat(lambda prompt: "Whole." if "too long" in prompt else reply("Cut off in the mid", "length"))
    assert summary_of(run(plan(book(2, 600)), chat), 1).text == "Whole."
    stubborn = ScriptedChat(lambda prompt: reply("Cut off in the mid", "length"))
    assert summary_of(run(plan(book(2, 600)), stubborn), 1).cut


def test_summaries_that_run_over_their_limits_are_still_all_read() -> None:
    sources = book(12, 1_000)
    seen: list[str] = []

    def answer(prompt: str) -> str:
        seen.append(source_of(prompt) if prompt.count("[") else "")
        return prose(480, len(seen)) if "one whole document" in prompt else prose(900, len(seen))

    made = plan(sources, 8_192)
    done = run(made, ScriptedChat(answer), parallel=1)
    assert coverage_of(done, 0).share == 1.0
    assert summary_of(done).tokens == 480
    for index in range(1, 13):
        chapter = summary_of(done, index).text
        assert sum(chapter in shown for shown in seen) >= 1
    assert max(count_tokens(shown) for shown in seen) < 8_192


def test_refine_hands_each_step_the_summary_so_far() -> None:
    chat = ScriptedChat(lambda prompt: f"Summary {len(chat.prompts)}.")
    done = run(plan(book(1, 20_000), 8_192, "refine"), chat, parallel=4)
    assert len(chat.prompts) == plan(book(1, 20_000), 8_192, "refine").calls >= 3
    for number, prompt in enumerate(chat.prompts[1:], start=1):
        assert f"[Summary so far]\nSummary {number}." in prompt
    assert summary_of(done, 1).text == f"Summary {len(chat.prompts)}."


def test_calls_of_a_plan_are_told_for_what_is_left_to_do() -> None:
    sources, store = book(5, 500), MemoryStore()
    run(plan(sources), ScriptedChat(lambda prompt: "Said."), store)
    store.made = {digest: made for digest, made in store.made.items() if made is not store.kept[0]}
    assert calls_needed(plan(sources), store) == 1
