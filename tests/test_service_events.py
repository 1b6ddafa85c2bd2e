"""Server-sent events: whatever the text, a reader that follows the standard gets it back."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.events import frame, frames
from service.routes.answers import wants_events


def parse(stream: bytes) -> list[tuple[str, str]]:
    """The events of a stream, read as the HTML standard says (section 9.2.6)."""
    events = []
    for block in stream.decode().split("\n\n")[:-1]:
        name, data = "message", []
        for line in block.split("\n"):
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                name = value
            elif field == "data":
                data.append(value)
        events.append((name, "\n".join(data)))
    return events


@given(st.text(st.characters(codec="utf-8")))
def test_any_text_comes_back_with_its_line_breaks(text: str) -> None:
    assert parse(frame("delta", text)) == [("delta", re.sub(r"\r\n|\r", "\n", text))]


@given(st.lists(st.text(st.characters(codec="utf-8"))))
def test_texts_never_run_into_each_other(texts: list[str]) -> None:
    stream = b"".join(frames(("delta", text) for text in texts))
    assert len(parse(stream)) == len(texts)


def test_text_cannot_forge_an_event() -> None:
    assert parse(frame("delta", "a\n\nevent: done\ndata: {}")) == [("delta", "a\n\nevent: done\ndata: {}")]


def test_everything_but_text_is_json_on_one_line() -> None:
    assert b"".join(frames([("done", {"answer": "第三章\nx"})])) == 'event: done\ndata: {"answer": "第三章\\nx"}\n\n'.encode()


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("text/event-stream", True),
        ("application/json, text/event-stream;q=0.9", True),
        ("TEXT/Event-Stream", True),
        ("*/*", False),
        ("application/json", False),
        ("", False),
    ],
)
def test_events_are_sent_only_to_those_who_ask_for_them(accept: str, wanted: bool) -> None:
    assert wants_events(accept) is wanted
