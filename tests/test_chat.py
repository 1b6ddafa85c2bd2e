"""The chat client against the scripted server: what it says, what it raises, and how long it waits."""

import threading
import time
from collections.abc import Generator, Iterator

import pytest
from stub_llm import StubModel, StubReply

from es_mappings.errors import BackendError, DeadlineExceeded, ModelUnavailable, Overloaded
from es_mappings.settings import Settings
from ingest.chat import Chat, Message, Reply, open_chat

ASK = (Message(role="system", content="Answer from the context."), Message(role="user", content="Who bought the van?"))


@pytest.fixture
def stub() -> Iterator[StubModel]:
    with StubModel() as server:
        yield server


def chat_for(url: str, **overrides: object) -> Chat:
    settings = Settings(llm_base_url=url, **{"llm_timeout_seconds": 2, "request_deadline_seconds": 4, **overrides})
    chat = open_chat(settings)
    assert chat is not None
    return chat


def drained(stream: Generator[str, None, Reply]) -> tuple[list[str], Reply]:
    pieces = []
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as end:
            return pieces, end.value


def test_without_an_address_there_is_no_model() -> None:
    assert open_chat(Settings(llm_base_url="")) is None


def test_a_reply_carries_text_and_counts(stub: StubModel) -> None:
    stub.say("Mark Lee bought it.")
    reply = chat_for(stub.url).complete(ASK, 50)
    assert reply == Reply(text="Mark Lee bought it.", prompt_tokens=8, answer_tokens=4, finish_reason="stop")
    body = stub.bodies[0]
    assert body["model"] == "stub-model"
    assert body["max_tokens"] == 50
    assert body["messages"][1] == {"role": "user", "content": "Who bought the van?"}


def test_counts_are_made_here_when_the_endpoint_gives_none(stub: StubModel) -> None:
    stub.say(StubReply(text="Mark Lee", usage=False), StubReply(text="Mark Lee", usage=False))
    chat = chat_for(stub.url)
    assert chat.complete(ASK, 50).answer_tokens == 2
    assert drained(chat.stream(ASK, 50))[1].answer_tokens == 2


def test_a_stream_gives_pieces_and_then_the_whole_reply(stub: StubModel) -> None:
    stub.say(StubReply(text="王兰 bought\nit [1].", finish_reason="length"))
    pieces, reply = drained(chat_for(stub.url).stream(ASK, 50))
    assert len(pieces) == 3
    assert "".join(pieces) == reply.text == "王兰 bought\nit [1]."
    assert reply.finish_reason == "length"
    assert reply.answer_tokens == 4


def test_the_first_listed_model_is_used_when_none_is_named(stub: StubModel) -> None:
    stub.models = ("alpha", "beta")
    assert chat_for(stub.url).model == "alpha"
    assert chat_for(stub.url, llm_model="gamma").model == "gamma"
    stub.models = ()
    with pytest.raises(ModelUnavailable, match="lists no model"):
        chat_for(stub.url).complete(ASK, 5)


def test_overload_is_waited_out_as_the_server_asks(stub: StubModel) -> None:
    stub.say(StubReply(status=429, headers={"Retry-After": "0.3"}), "at last")
    began = time.monotonic()
    assert chat_for(stub.url).complete(ASK, 5).text == "at last"
    assert 0.3 <= time.monotonic() - began < 1.5
    assert stub.calls == 2


def test_a_longer_wait_than_the_deadline_is_reported_not_waited(stub: StubModel) -> None:
    stub.default = StubReply(status=429, headers={"Retry-After": "3600"})
    with pytest.raises(Overloaded) as caught:
        chat_for(stub.url).complete(ASK, 5)
    assert caught.value.retry_after_seconds == 3600
    assert stub.calls == 1


@pytest.mark.parametrize(
    ("reply", "error", "calls"),
    [
        (StubReply(status=500), ModelUnavailable, 1),
        (StubReply(status=401), ModelUnavailable, 1),
        (StubReply(status=404), ModelUnavailable, 1),
        (StubReply(status=400, error={"message": "too long: SECRET"}), ModelUnavailable, 1),
        (StubReply(status=302, headers={"Location": "http://127.0.0.1:1/"}), ModelUnavailable, 1),
        (StubReply(raw=b"<html>login</html>", content_type="text/html"), ModelUnavailable, 1),
        (StubReply(raw=b"{}"), ModelUnavailable, 1),
        (StubReply(raw=b"[1, 2]"), ModelUnavailable, 1),
        (StubReply(raw=b"{not json"), ModelUnavailable, 1),
        (StubReply(raw=b'{"choices": []}'), ModelUnavailable, 1),
        (StubReply(raw=b'{"choices": [{"message": {"content": {"a": 1}}}]}'), ModelUnavailable, 1),
        (StubReply(raw=b""), ModelUnavailable, 1),
        (StubReply(text=""), ModelUnavailable, 1),
        (StubReply(text=" \n "), ModelUnavailable, 1),
        (StubReply(text="late", delay=2.5), DeadlineExceeded, 1),
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
def test_a_nonsense_reply_is_a_typed_error_that_repeats_nothing(
    stub: StubModel, reply: StubReply, error: type[BackendError], calls: int, streamed: bool
) -> None:
    stub.default = reply
    chat = chat_for(stub.url)
    with pytest.raises(error) as caught:
        drained(chat.stream(ASK, 5)) if streamed else chat.complete(ASK, 5)
    assert stub.calls == calls
    assert "SECRET" not in caught.value.message
    assert "van" not in caught.value.message


def test_a_stream_that_breaks_off_is_an_error_after_its_pieces(stub: StubModel) -> None:
    stub.say(StubReply(text="one two three", break_after=2))
    stream = chat_for(stub.url).stream(ASK, 5)
    assert next(stream) + next(stream) == "one two "
    with pytest.raises(ModelUnavailable, match="broke off"):
        next(stream)


def test_a_dripping_body_ends_with_the_whole_request_s_time(stub: StubModel) -> None:
    stub.default = StubReply(raw=b" " * 500, piece_delay=0.05)
    began = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        chat_for(stub.url, request_deadline_seconds=1).complete(ASK, 5)
    assert time.monotonic() - began < 2.0


def test_nobody_listening_is_said_at_once() -> None:
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        chat_for("http://127.0.0.1:9/v1").complete(ASK, 5)
    assert time.monotonic() - began < 1.5


def test_a_refused_parameter_is_left_out_from_then_on(stub: StubModel) -> None:
    def fussy(body: dict[str, object]) -> StubReply:
        for name in ("max_tokens", "temperature"):
            if name in body:
                return StubReply(status=400, error={"message": "no", "param": name, "code": "unsupported_parameter"})
        return StubReply(text=f"limit {body['max_completion_tokens']}")

    stub.default = fussy
    chat = chat_for(stub.url)
    assert chat.complete(ASK, 7).text == "limit 7"
    assert chat.complete(ASK, 8).text == "limit 8"
    assert stub.calls == 4


def test_proxy_variables_are_not_obeyed(stub: StubModel, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert chat_for(stub.url).complete(ASK, 5).text == "stub reply"


def test_eight_threads_share_one_client(stub: StubModel) -> None:
    stub.default = lambda body: StubReply(text=str(body["messages"][-1]["content"]), delay=0.1)
    chat = chat_for(stub.url)
    said: dict[int, str] = {}

    def ask(number: int) -> None:
        said[number] = chat.complete((Message(role="user", content=f"echo {number}"),), 5).text

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert said == {number: f"echo {number}" for number in range(8)}
    assert stub.most_in_flight > 1
