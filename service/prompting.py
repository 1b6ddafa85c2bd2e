"""The prompt of an answer: instructions, passages and question put together, and how much room the passages have. Pure."""

from collections.abc import Sequence
from functools import cache
from importlib import resources

from es_mappings.tokens import count_tokens
from ingest.chat import Message
from ingest.prompting import fill
from service.fusion import script_of
from service.packing import render
from service.results import Passage

DECLINE = "NOT_IN_DOCUMENTS"
# Chat templates wrap each message in a few tokens of their own, and the model's tokenizer counts a little differently.
TEMPLATE_TOKENS = 64
_LANGUAGES = {"han": "Chinese (中文)", "other": "the language of the question", None: "the language of the question"}


def answer_messages(question: str, passages: Sequence[Passage]) -> tuple[Message, ...]:
    """The messages that ask for an answer from the passages."""
    rendered = "".join(render(passage.n, _inert(passage.heading), _inert(passage.content)) for passage in passages)
    return (Message(role="user", content=_prompt(question, rendered)),)


def passage_room(question: str, *, window: int, answer_tokens: int) -> int:
    """Tokens (o200k) left for passages in a model's window after instructions, question and answer; at least 0."""
    return max(0, window - answer_tokens - TEMPLATE_TOKENS - count_tokens(_prompt(question, "")))


def is_declined(text: str) -> bool:
    """Whether a reply is the word for "not in the passages", however it is dressed."""
    return text.strip().strip("*`\"'.[]() \n").upper().replace(" ", "_") == DECLINE


def _prompt(question: str, passages: str) -> str:
    slots = {"DECLINE": DECLINE, "LANGUAGE": _LANGUAGES[script_of(question)], "PASSAGES": passages, "QUESTION": _inert(question)}
    return fill(_template(), slots)


def _inert(text: str) -> str:
    """Text that cannot close the block of passages that it stands in."""
    return text.replace("<passages>", "<passages >").replace("</passages>", "</passages >")


@cache
def _template() -> str:
    return resources.files("service").joinpath("prompts", "answer.txt").read_text("utf-8").rstrip("\n")
