"""Talking to a language model: the protocol, and the opening of the one client by settings."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from es_mappings.settings import Settings

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model said.

    Token counts are the endpoint's own where it reports them, else o200k_base counts of the texts. `finish_reason` is
    "stop", "length" (cut at max_tokens), or what else the endpoint says.
    """

    text: str
    prompt_tokens: int
    answer_tokens: int
    finish_reason: str


class Chat(Protocol):
    """A language model behind an endpoint; safe to use from several threads.

    Both calls raise ModelUnavailable (down, wrong key, nonsense reply, nothing said), DeadlineExceeded, Overloaded.
    """

    @property
    def model(self) -> str:
        """The model's name."""
        ...

    def window(self) -> int | None:
        """The model's context window in its own tokens, None where the endpoint does not tell."""
        ...

    def complete(self, messages: Sequence[Message], max_tokens: int) -> Reply:
        """The whole reply of at most `max_tokens` (in the model's tokens)."""
        ...

    def stream(self, messages: Sequence[Message], max_tokens: int) -> Generator[str, None, Reply]:
        """The reply piece by piece (no piece is empty); the generator returns the whole reply."""
        ...


def open_chat(settings: Settings) -> Chat | None:
    """The endpoint of SECTIONARY_LLM_BASE_URL, None when it is not set. Connects at the first call only."""
    if not settings.llm_base_url:
        return None
    from ingest.openai_chat import OpenAIChat  # here: the openai package takes half a second to import

    return OpenAIChat.open(settings)
