"""The chat client for every OpenAI-compatible endpoint (vLLM, Ollama, TGI, llama.cpp, OpenAI ...)."""

from collections.abc import Generator, Sequence
from typing import Any, Self

import openai

from es_mappings.errors import ModelUnavailable
from es_mappings.settings import Settings
from es_mappings.tokens import count_tokens
from ingest.chat import Message, Reply
from ingest.endpoint import Endpoint

# Some models refuse one of these by name; it is then left out or renamed for good.
_ADAPTABLE = ("max_tokens", "temperature", "stream_options")


class OpenAIChat:
    """Chat over `/chat/completions` at temperature 0."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._refused: frozenset[str] = frozenset()

    @classmethod
    def open(cls, settings: Settings) -> Self:
        """The client for the endpoint in the settings; nothing is sent yet."""
        return cls(
            Endpoint(
                base_url=settings.llm_base_url,
                api_key=settings.llm_api_key,
                named_model=settings.llm_model,
                read_seconds=settings.llm_timeout_seconds,
                total_seconds=settings.request_deadline_seconds,
            )
        )

    @property
    def model(self) -> str:
        return self._endpoint.model()

    def window(self) -> int | None:
        """The model's context window as the endpoint tells it, None where it does not."""
        return self._endpoint.window()

    def complete(self, messages: Sequence[Message], max_tokens: int) -> Reply:
        answered = self._create(messages, max_tokens, stream=False)
        with self._endpoint.errors():
            choice = answered.choices[0]
            text, reason = choice.message.content or "", choice.finish_reason
            usage = getattr(answered, "usage", None)
        return _reply(messages, text, reason, usage)

    def stream(self, messages: Sequence[Message], max_tokens: int) -> Generator[str, None, Reply]:
        events = self._create(messages, max_tokens, stream=True)
        said: list[str] = []
        reason: str | None = None
        usage: object = None
        try:
            while True:
                with self._endpoint.errors():
                    event = next(events, None)
                    if event is None:
                        break
                    piece, event_reason, event_usage = _read_event(event)
                reason, usage = event_reason or reason, event_usage or usage
                if piece:
                    said.append(piece)
                    yield piece
        finally:
            events.close()
        if reason is None and usage is None and said:
            raise ModelUnavailable("the endpoint broke off in the middle of its reply: try again")
        return _reply(messages, "".join(said), reason, usage)

    def _create(self, messages: Sequence[Message], max_tokens: int, *, stream: bool) -> Any:
        def request() -> Any:
            return self._endpoint.client.chat.completions.create(**self._body(messages, max_tokens, stream=stream))

        for _ in _ADAPTABLE:
            try:
                return self._endpoint.call(request)
            except ModelUnavailable as error:
                refused = _refused_parameter(error)
                if refused is None or refused in self._refused:
                    raise
                self._refused |= {refused}
        return self._endpoint.call(request)

    def _body(self, messages: Sequence[Message], max_tokens: int, *, stream: bool) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._endpoint.model(),
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "max_completion_tokens" if "max_tokens" in self._refused else "max_tokens": max_tokens,
            "temperature": 0,
            "stream": stream,
        }
        if stream:
            body["stream_options"] = {"include_usage": True}
        return {name: value for name, value in body.items() if name not in self._refused}


def _read_event(event: Any) -> tuple[str, str | None, object]:
    """The text, finish reason and usage of one streamed event; raises AttributeError or TypeError on another shape."""
    choices = event.choices
    if not choices:
        return "", None, getattr(event, "usage", None)
    content = choices[0].delta.content or ""
    if not isinstance(content, str):
        raise TypeError("content is not text")
    return content, choices[0].finish_reason, getattr(event, "usage", None)


def _reply(messages: Sequence[Message], text: str, reason: object, usage: object) -> Reply:
    if not isinstance(text, str) or not text.strip():
        why = (
            "it used all its tokens before it said anything: allow it more (SECTIONARY_LLM_ANSWER_TOKENS, SECTIONARY_SUMMARY_TOKENS)"
            if reason == "length"
            else "check the model"
        )
        raise ModelUnavailable(f"the endpoint answered with nothing: {why}")
    prompt, answer = (getattr(usage, name, None) for name in ("prompt_tokens", "completion_tokens"))
    return Reply(
        text=text,
        prompt_tokens=prompt if isinstance(prompt, int) else sum(count_tokens(message.content) for message in messages),
        answer_tokens=answer if isinstance(answer, int) else count_tokens(text),
        finish_reason=str(reason or "stop"),
    )


def _refused_parameter(error: ModelUnavailable) -> str | None:
    """The optional parameter that an HTTP 400 names as its fault."""
    cause = error.__cause__
    if isinstance(cause, openai.BadRequestError) and cause.param in _ADAPTABLE:
        return cause.param
    return None
