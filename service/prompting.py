"""The prompt of an answer: instructions, passages and question put together, and how much room the passages have. Pure."""

from collections.abc import Sequence
from functools import cache
from importlib import resources

from es_mappings.tokens import count_tokens
from ingest.chat import Message
from ingest.prompting import fill
from service.fusion import script_of
from service.packing import render
from service.results import IntentView, Passage, SummaryUse

DECLINE = "NOT_IN_DOCUMENTS"
# Chat templates wrap each message in a few tokens of their own, and the model's tokenizer counts a little differently.
TEMPLATE_TOKENS = 64
# What is told besides (service.prompting.notes_of), the follow-up itself not counted: it is in the question's count.
NOTES_TOKENS = 128
_SIDE_CHARACTERS, _NUMBERS_SHOWN = 60, 8
_LANGUAGES = {"han": "Chinese (中文)", "other": "the language of the question", None: "the language of the question"}


def answer_messages(question: str, passages: Sequence[Passage], notes: Sequence[str] = ()) -> tuple[Message, ...]:
    """The messages that ask for an answer from the passages; `notes` tell how to read the question or the passages."""
    rendered = "".join(render(passage.n, _inert(passage.heading), _inert(passage.content)) for passage in passages)
    return (Message(role="user", content=_prompt(question, rendered, notes)),)


def notes_of(intent: IntentView, sides: Sequence[Sequence[int]], summaries: Sequence[SummaryUse]) -> tuple[str, ...]:
    """What the model has to know besides: what a follow-up means, which passages are which side's, which are summaries."""
    notes = []
    if intent.rewritten:
        notes.append(f"The question follows others; on its own it would read: {intent.rewritten}")
    if sides:
        named = zip(intent.sides, sides, strict=True)
        told = "; ".join(f"{side.asked[:_SIDE_CHARACTERS]}: {_numbers(numbers)}" for side, numbers in named)
        notes.append(f"Set these sides beside each other and cite each of them: {told}.")
    stored = [summary.n for summary in summaries if summary.state != "pending"]
    if stored:
        notes.append(f"These passages are summaries: {_numbers(stored)}.")
    if len(stored) < len(summaries):
        notes.append("Of some sections only the beginning is given: say so where it matters.")
    return tuple(notes)


def _numbers(numbers: Sequence[int]) -> str:
    """Passage numbers as the model reads them; of many the first and the last."""
    if not numbers:
        return "none"
    return "".join(f"[{n}]" for n in numbers) if len(numbers) <= _NUMBERS_SHOWN else f"[{numbers[0]}] to [{numbers[-1]}]"


def passage_room(question: str, *, window: int, answer_tokens: int) -> int:
    """Tokens (o200k) left for passages in a model's window after instructions, question and answer; at least 0."""
    return max(0, window - answer_tokens - TEMPLATE_TOKENS - NOTES_TOKENS - count_tokens(_prompt(question, "")))


def is_declined(text: str) -> bool:
    """Whether a reply is the word for "not in the passages", however it is dressed."""
    return text.strip().strip("*`\"'.[]() \n").upper().replace(" ", "_") == DECLINE


def _prompt(question: str, passages: str, notes: Sequence[str] = ()) -> str:
    slots = {"DECLINE": DECLINE, "LANGUAGE": _LANGUAGES[script_of(question)], "PASSAGES": passages, "QUESTION": _inert(question)}
    slots["NOTES"] = "".join(f"{_inert(note)}\n" for note in notes)
    return fill(_template(), slots)


def _inert(text: str) -> str:
    """Text that cannot close the block of passages that it stands in."""
    return text.replace("<passages>", "<passages >").replace("</passages>", "</passages >")


@cache
def _template() -> str:
    return resources.files("service").joinpath("prompts", "answer.txt").read_text("utf-8").rstrip("\n")
