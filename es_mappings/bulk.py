"""Bulk writing with every item accounted for. Pure but for the `send` and `wait` that are passed in.

The client's own bulk helper raises at the first rejected item and does not send lost requests again (elasticsearch-py
issue 864; measured), so the loop is ours: ids are deterministic, sending an action twice is harmless.
"""

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from es_mappings.errors import IndexUnavailable

CHUNK_ACTIONS = 500
CHUNK_BYTES = 8_000_000
RETRIES = 6
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One line pair of a bulk request: `operation` is index, create, update or delete; `body` is None for delete."""

    operation: str
    index: str
    id: str
    body: dict[str, Any] | None = None

    def lines(self) -> tuple[dict[str, Any], ...]:
        """The objects to send, one or two."""
        head = {self.operation: {"_index": self.index, "_id": self.id}}
        return (head,) if self.body is None else (head, self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """An item that was not written: its id, the HTTP status and the reason's type, never its content."""

    id: str
    status: int
    reason: str


Send = Callable[[Sequence[dict[str, Any]]], list[dict[str, Any]]]


def write_all(actions: Iterable[Action], send: Send, wait: Callable[[float], None]) -> tuple[int, tuple[Rejection, ...]]:
    """Write every action; returns how many were written and what was rejected for good.

    `send` gets the lines of one request and returns its `items`; it raises IndexUnavailable when the connection is lost.
    Items answered 429 or 503 and lost requests are sent again, 6 times at most, after a wait that doubles from 0.5 s up to
    30 s with full jitter. Raises IndexUnavailable when the connection stays lost.
    """
    written = 0
    rejections: list[Rejection] = []
    for batch in _batches(actions):
        done, refused = _write_batch(batch, send, wait)
        written += done
        rejections.extend(refused)
    return written, tuple(rejections)


def _write_batch(batch: list[Action], send: Send, wait: Callable[[float], None]) -> tuple[int, list[Rejection]]:
    written = 0
    rejections: list[Rejection] = []
    attempt = 0
    while batch:
        again: list[Action] = []
        refused: list[Rejection] = []
        try:
            items = send([line for action in batch for line in action.lines()])
        except IndexUnavailable:
            if attempt == RETRIES:
                raise
            again = batch
        else:
            for action, item in zip(batch, items, strict=True):
                outcome = item[action.operation]
                status = int(outcome["status"])
                if status < 300 or (action.operation == "delete" and status == 404):
                    written += 1
                    continue
                refused.append(Rejection(id=action.id, status=status, reason=_reason(outcome)))
                if status in (429, 503) and attempt < RETRIES:
                    again.append(action)
                    refused.pop()
        rejections.extend(refused)
        batch = again
        if batch:
            wait(random.uniform(0, min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2**attempt)))
            attempt += 1
    return written, rejections


def _reason(outcome: dict[str, Any]) -> str:
    error = outcome.get("error")
    return str(error.get("type", "unknown")) if isinstance(error, dict) else "unknown"


def _batches(actions: Iterable[Action]) -> Iterator[list[Action]]:
    batch: list[Action] = []
    size = 0
    for action in actions:
        length = len(json.dumps(action.body)) if action.body is not None else 100
        if batch and (len(batch) == CHUNK_ACTIONS or size + length > CHUNK_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(action)
        size += length
    if batch:
        yield batch
