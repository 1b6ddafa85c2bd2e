"""A follow-up rewritten for the search: by the model where there is one and it is quick, else by rules. It never leads to another place."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from functools import cache
from importlib import resources

from es_mappings.errors import SectionaryError
from es_mappings.labels import find_labels
from es_mappings.titles import DocumentTitle
from ingest.chat import Chat, Message
from ingest.prompting import fill
from service.followups import Turn, standalone

# The search waits for it, so it must not cost more than a short answer; then the rules decide.
REWRITE_SECONDS = 8.0
REWRITE_TOKENS = 120
# Of a long conversation the last turns tell what "it" is.
TURNS_READ = 6
ANSWER_CHARACTERS = 400
MOST_CHARACTERS = 500


def rewritten(question: str, earlier: Sequence[Turn], titles: tuple[DocumentTitle, ...], chat: Chat | None) -> str:
    """What to search for in place of a follow-up, "" when the question is searched for as it is."""
    if not earlier:
        return ""
    turns = tuple(earlier[-TURNS_READ:])
    by_rules = standalone(question, turns, titles)
    said = _said(chat, question, turns) if chat else None
    chosen = said if said is not None and _stays(said, (question, by_rules, *(turn.question for turn in turns))) else by_rules
    return "" if chosen.strip() == question.strip() else chosen.strip()


def _said(chat: Chat, question: str, turns: Sequence[Turn]) -> str | None:
    """The model's rewriting; None when it is late, down, or says no question."""
    pool = ThreadPoolExecutor(1)
    try:
        reply = pool.submit(chat.complete, _messages(question, turns), REWRITE_TOKENS).result(REWRITE_SECONDS)
    except (SectionaryError, Late):
        return None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    text = reply.text.strip().strip('"“”')
    return text if text and "\n" not in text and len(text) <= MOST_CHARACTERS else None


def _stays(text: str, known: Sequence[str]) -> bool:
    """Whether a rewriting names no division that the conversation's own questions did not name."""
    return _labels([text]) <= _labels(known)


def _labels(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(label for text in texts for mention in find_labels(text, lenient=True) for label in mention.labels)


def _messages(question: str, turns: Sequence[Turn]) -> tuple[Message, ...]:
    said = "".join(f"Question: {_inert(turn.question)}\nAnswer: {_inert(turn.answer[:ANSWER_CHARACTERS])}\n" for turn in turns)
    return (Message(role="user", content=fill(_template(), {"TURNS": said, "QUESTION": _inert(question)})),)


def _inert(text: str) -> str:
    """Text on one line that cannot close the block that it stands in."""
    return " ".join(text.split()).replace("<conversation>", "<conversation >").replace("</conversation>", "</conversation >")


@cache
def _template() -> str:
    return resources.files("service").joinpath("prompts", "followup.txt").read_text("utf-8").rstrip("\n")
