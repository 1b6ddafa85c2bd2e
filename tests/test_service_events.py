"""Server-sent events: whatever the text, a reader that follows the standard gets it back."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from staged_service import parse_events

from service.events import frame, frames
from service.routes.answers import wants_events


@given(st.text(st.characters(codec="utf-8")))
def test_any_text_comes_back_with_its_line_breaks(text: str) -> None:
    assert parse_events(frame("delta", text)) == [("delta", re.sub(r"\r\n|\r", "\n", text))]


@given(st.lists(st.text(st.characters(codec="utf-8"))))
def test_texts_never_run_into_each_other(texts: list[str]) -> None:
    stream = b"".join(frames(("delta", text) for text in texts))
    assert len(parse_events(stream)) == len(texts)


def test_text_cannot_forge_an_event() -> None:
    assert parse_events(frame("delta", "a\n\nevent: done\ndata: {}")) == [("delta", "a\n\nevent: done\ndata: {}")]


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
