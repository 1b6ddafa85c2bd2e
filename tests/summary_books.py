"""Generated books, a memory store and a scripted chat for the tests of summaries."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache

from es_mappings.tokens import count_tokens
from ingest.chat import Message, Reply
from ingest.summaries.freshness import Recipe
from ingest.summaries.making import ChatMaker, Made
from ingest.summaries.mapreduce import Progress, Run, SummaryStore, run_plan
from ingest.summaries.patience import Patience, PatientChat
from ingest.summaries.planning import plan_summaries
from ingest.summaries.prompts import overhead_tokens
from ingest.summaries.tree import Plan, SectionSource
from ingest.summaries.windows import Limits, fitted

_SENTENCE = (
    "the river keeps its course while small boats carry grain from one bank to another and people on both sides trade "
    "cloth tools and stories until evening when lamps are lit along wooden piers so that late travellers find their way"
)
_WORDS = _SENTENCE.split()


@cache
def prose(tokens: int, seed: int = 0) -> str:
    """Paragraphs of plain words with exactly `tokens` tokens, different for each seed."""
    rng = random.Random(seed)
    text = ""
    while (missing := tokens - count_tokens(text)) > 0:
        if missing > 200:
            sentences = [" ".join(rng.choices(_WORDS, k=rng.randint(8, 16))).capitalize() + "." for _ in range(missing // 16)]
            text = "\n\n".join([text, *(" ".join(sentences[i : i + 6]) for i in range(0, len(sentences), 6))]).lstrip()
        elif missing > 20:
            text += " " + " ".join(rng.choices(_WORDS, k=missing // 2)).capitalize() + "."
        else:
            text += " so"
    assert count_tokens(text) == tokens
    return text


def book(chapters: int, tokens: int, title: str = "The Book") -> tuple[SectionSource, ...]:
    """A document whose chapters are leaves of `tokens` tokens each."""
    leaves = [SectionSource(key=f"d/{i:05}", title=f"Chapter {i}", parent=0, text=prose(tokens, i)) for i in range(1, chapters + 1)]
    return (SectionSource(key="d", title=title, parent=None), *leaves)


def limits(window: int = 32_000) -> Limits:
    return fitted(Limits(window=window, overhead=overhead_tokens()))


def recipe(method: str = "map_reduce", model: str = "scripted", language: str = "") -> Recipe:
    return Recipe(model=model, prompts=("p",), language=language, method=method, summary_tokens=500, document_tokens=1_000)


def plan(sources: Sequence[SectionSource], window: int = 32_000, method: str = "map_reduce", model: str = "scripted") -> Plan:
    return plan_summaries(sources, limits(window), recipe(method, model))


class MemoryStore:
    """A store in a dictionary; `kept` lists what was stored in order."""

    def __init__(self) -> None:
        self.made: dict[str, Made] = {}
        self.kept: list[Made] = []
        self._lock = threading.Lock()

    def find(self, hashes: Sequence[str]) -> dict[str, Made]:
        with self._lock:
            return {digest: self.made[digest] for digest in hashes if digest in self.made}

    def keep(self, made: Made) -> None:
        with self._lock:
            self.made[made.source_hash] = made
            self.kept.append(made)


class ScriptedChat:
    """Answers by a function of the prompt's text, which may raise; `delay` seconds a call."""

    def __init__(self, answer: Callable[[str], str | Reply], delay: float = 0.0, model: str = "scripted") -> None:
        self._answer, self._delay, self.model = answer, delay, model
        self.prompts: list[str] = []
        self.limits: list[int] = []
        self._lock = threading.Lock()

    def complete(self, messages: Sequence[Message], max_tokens: int) -> Reply:
        prompt = "\n".join(message.content for message in messages)
        with self._lock:
            self.prompts.append(prompt)
            self.limits.append(max_tokens)
        time.sleep(self._delay)
        answer = self._answer(prompt)
        return answer if isinstance(answer, Reply) else reply(answer)


def reply(text: str, finish_reason: str = "stop") -> Reply:
    return Reply(text=text, prompt_tokens=1, answer_tokens=1, finish_reason=finish_reason)


def run(plan: Plan, chat: ScriptedChat, store: MemoryStore | None = None, parallel: int = 4, patience: Patience | None = None) -> Run:
    patient = PatientChat(chat, patience or Patience(attempts=1), sleep=lambda seconds: None)
    return run_patient(plan, patient, store or MemoryStore(), parallel)


def run_patient(plan: Plan, patient: PatientChat, store: SummaryStore, parallel: int, progress: Progress = lambda done, total: None) -> Run:
    """Run a plan with a chat that has its own patience."""
    return run_plan(plan, ChatMaker(patient, plan.limits, plan.recipe.language), store, parallel, progress)


def source_of(prompt: str) -> str:
    """What stands in a prompt's fence."""
    return prompt.rsplit("\n<<<SOURCE ", 1)[1].split("\n", 1)[1].rsplit("\n<<<END", 1)[0]
