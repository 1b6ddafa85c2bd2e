"""One step becomes one summary: asked in a fence, checked, made shorter once when it is too long, never cut."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from es_mappings.errors import ModelUnavailable
from es_mappings.tokens import count_tokens
from ingest.chat import Message, Reply
from ingest.summaries.injection import LEFT_OUT, defused, echoed_instruction, plain_text
from ingest.summaries.patience import PatientChat
from ingest.summaries.prompts import TEMPLATES, Passage, joined, language_name, length_words, messages
from ingest.summaries.tree import Step
from ingest.summaries.windows import UNIT_TOKENS, Limits, even_groups

# The template to ask for a shorter text may be longer than the others' room allows for.
_SHORTEN = "summary_shorten"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A summary or a part of one, with what it was made from.

    `requests` is how many requests it took (0: no call needed). `left_out` are tokens of source text that address a model
    and were not shown to it. `too_long`: two replies ran over the limit, the shorter is kept whole. `cut`: the reply ended
    at the endpoint's own limit, so its last sentence may be missing.
    """

    source_hash: str
    text: str
    tokens: int
    requests: int = 0
    left_out: int = 0
    too_long: bool = False
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How to ask: the template, the longest reply in tokens, the language's code (None: that of the text), further slots."""

    template: str
    limit: int
    language: str | None = None
    slots: tuple[tuple[str, str], ...] = ()


class Maker(Protocol):
    """Makes the steps of a plan that need more than putting texts together; used from several threads."""

    @property
    def model(self) -> str:
        """Who makes them, for the recipe."""
        ...

    @property
    def requests(self) -> int:
        """How many requests were sent so far."""
        ...

    def make(self, step: Step, passages: Sequence[Passage], source_hash: str) -> Made:
        """The result of one step. Raises ModelUnavailable, DeadlineExceeded, Overloaded."""
        ...


class ChatMaker:
    """Makes summaries by asking a language model. `language` is an ISO 639-1 code or a name; "" follows the text."""

    def __init__(self, chat: PatientChat, limits: Limits, language: str = "") -> None:
        self._chat, self._limits, self._language = chat, limits, language

    @property
    def model(self) -> str:
        """The endpoint's model."""
        return self._chat.model

    @property
    def requests(self) -> int:
        """How many requests were sent so far, repeated ones among them."""
        return self._chat.requests

    def make(self, step: Step, passages: Sequence[Passage], source_hash: str) -> Made:
        """The result of one step."""
        asking = Asking(template=TEMPLATES[step.role], limit=step.limit, language=self._language or None)
        return self._within_room(asking, passages, source_hash)

    def _within_room(self, asking: Asking, passages: Sequence[Passage], source_hash: str) -> Made:
        """Make a summary; when earlier replies ran over their limits so that they do not fit together, groups come first."""
        room = self._limits.room(asking.limit)
        costs = [count_tokens(p.text) + count_tokens(p.heading) + UNIT_TOKENS for p in passages]
        if sum(costs) <= room:
            return make_summary(self._chat, asking, passages, source_hash, self._limits)
        if max(costs) > room:
            raise ModelUnavailable("a summary below this one is longer than the model's window: use a model that keeps to its length")
        first = replace(asking, template=TEMPLATES["reduce"], limit=self._limits.summary)
        shorter: list[Passage] = []
        requests = 0
        for start, end in even_groups(costs, [0] * len(costs), room):
            made = make_summary(self._chat, first, passages[start:end], "", self._limits)
            shorter.append(Passage(heading=passages[start].heading, text=made.text))
            requests += made.requests
        if len(shorter) >= len(passages):
            raise ModelUnavailable("the model's summaries are too long to be taken together: use a model that keeps to its length")
        made = self._within_room(asking, shorter, source_hash)
        return replace(made, requests=made.requests + requests)


def make_summary(chat: PatientChat, asking: Asking, passages: Sequence[Passage], source_hash: str, limits: Limits) -> Made:
    """Ask for one summary. Raises ModelUnavailable (also when nothing was said or an instruction in the text was obeyed),
    DeadlineExceeded, Overloaded."""
    shown, left_out = _defused(passages)
    reply = chat.ask(_messages(asking, shown), asking.limit)
    requests = 1
    source = joined(shown)
    instruction = echoed_instruction(reply.text, source)
    if instruction:
        shown = [Passage(heading=p.heading, text=p.text.replace(instruction, LEFT_OUT)) for p in shown]
        left_out += count_tokens(instruction)
        reply = chat.ask(_messages(asking, shown), asking.limit)
        requests += 1
        if echoed_instruction(reply.text, source):
            raise ModelUnavailable("the model repeated an instruction of the text instead of summarising it: nothing was kept")
    text = _said(reply, source)
    tokens, cut = count_tokens(text), reply.finish_reason == "length"
    too_long = False
    if cut or tokens > asking.limit:
        shorter = _shorter(chat, asking, text, limits)
        requests += shorter is not None
        if shorter is not None and (cut, tokens) > (shorter[1], count_tokens(shorter[0])):
            text, cut = shorter
            tokens = count_tokens(text)
        too_long = tokens > asking.limit
    return Made(source_hash=source_hash, text=text, tokens=tokens, requests=requests, left_out=left_out, too_long=too_long, cut=cut)


def _messages(asking: Asking, passages: Sequence[Passage]) -> tuple[Message, ...]:
    tokens = count_tokens(joined(passages))
    slots = {"LANGUAGE": language_name(asking.language), "WORDS": length_words(asking.limit, tokens, asking.language)}
    return messages(asking.template, passages, {**slots, **dict(asking.slots)})


def _defused(passages: Sequence[Passage]) -> tuple[list[Passage], int]:
    shown: list[Passage] = []
    left_out = 0
    for passage in passages:
        text, removed = defused(passage.text)
        heading, removed_heading = defused(passage.heading)
        left_out += count_tokens(removed) + count_tokens(removed_heading)
        shown.append(Passage(heading=heading, text=text))
    return shown, left_out


def _said(reply: Reply, source: str) -> str:
    text = plain_text(reply.text, source)
    if not text:
        raise ModelUnavailable("the model said nothing: look at its log, or try another model")
    return text


def _shorter(chat: PatientChat, asking: Asking, text: str, limits: Limits) -> tuple[str, bool] | None:
    """A shorter version and whether it was cut too; None when the text does not fit the window, so that nobody can shorten it."""
    if count_tokens(text) > limits.room(asking.limit):
        return None
    shorten = Asking(template=_SHORTEN, limit=asking.limit, language=asking.language)
    reply = chat.ask(_messages(shorten, [Passage(heading="", text=text)]), asking.limit)
    shorter = plain_text(reply.text, text)
    return (shorter, reply.finish_reason == "length") if shorter else None
