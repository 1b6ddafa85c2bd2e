"""Server-sent events as the HTML standard frames them (section 9.2, text/event-stream). Pure."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

_LINE_END = re.compile(r"\r\n|\r|\n")


def frame(event: str, data: str) -> bytes:
    """One event. Each line of `data` gets a line of its own, so that a reader joins them to the same text (CR and CRLF become LF)."""
    lines = "".join(f"data: {line}\n" for line in _LINE_END.split(data))
    return f"event: {event}\n{lines}\n".encode()


def frames(events: Iterable[tuple[str, Any]]) -> Iterator[bytes]:
    """Events as bytes; text goes as it is, everything else as JSON."""
    for name, data in events:
        yield frame(name, data if isinstance(data, str) else json.dumps(data, ensure_ascii=False))
