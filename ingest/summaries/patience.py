"""When a call is tried again, how long to wait, and when to give the endpoint up.

Waits follow exponential backoff with full jitter (Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog 2015);
a 429 with Retry-After holds back every thread, not only the one that was told.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

from es_mappings.errors import BackendError, DeadlineExceeded, ModelUnavailable, Overloaded
from ingest.chat import Message, Reply

_HOPELESS = frozenset({400, 401, 403, 404, 405, 413, 422})
_EVERYWHERE = frozenset({401, 403, 404, 405})


class Completes(Protocol):
    """The part of `ingest.chat.Chat` that summaries need; it makes one request a call and bounds its time."""

    @property
    def model(self) -> str: ...

    def complete(self, messages: Sequence[Message], max_tokens: int) -> Reply: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """`attempts` for one call; waits double from `first_seconds` up to `longest_seconds`; a longer Retry-After than
    `most_retry_after_seconds` counts as a failure. After `in_a_row` failed calls nothing more is asked in this run."""

    attempts: int = 5
    first_seconds: float = 0.5
    longest_seconds: float = 30.0
    most_retry_after_seconds: float = 120.0
    in_a_row: int = 20


class PatientChat:
    """Asks a chat with patience; safe to use from several threads. `requests` counts what was sent."""

    def __init__(self, chat: Completes, patience: Patience | None = None, sleep: Callable[[float], None] = time.sleep) -> None:
        self._chat, self._patience, self._sleep = chat, patience or Patience(), sleep
        self._lock = Lock()
        self._resume_at = 0.0
        self._failures = 0
        self._given_up = ""
        self.requests = 0

    @property
    def model(self) -> str:
        """The model's name."""
        return self._chat.model

    def ask(self, messages: Sequence[Message], max_tokens: int) -> Reply:
        """The reply. Raises what the last attempt raised; ModelUnavailable, without asking, once the endpoint is given up."""
        for attempt in range(self._patience.attempts):
            self._wait_for_turn()
            try:
                reply = self._chat.complete(messages, max_tokens)
            except (ModelUnavailable, DeadlineExceeded, Overloaded) as error:
                wait = self._wait_after(error, attempt)
                if wait is None:
                    self._note_failure(error)
                    raise
                self._sleep(wait)
            else:
                with self._lock:
                    self._failures = 0
                return reply
        raise AssertionError("the last attempt returns or raises")

    def _wait_for_turn(self) -> None:
        while True:
            with self._lock:
                if self._given_up:
                    raise ModelUnavailable(self._given_up)
                wait = self._resume_at - time.monotonic()
                if wait <= 0:
                    self.requests += 1
                    return
            self._sleep(wait)

    def _wait_after(self, error: BackendError, attempt: int) -> float | None:
        """Seconds until the next attempt, None when there is to be none."""
        if attempt == self._patience.attempts - 1 or _status(error) in _HOPELESS:
            return None
        backoff = random.uniform(0, min(self._patience.longest_seconds, self._patience.first_seconds * 2**attempt))
        asked = error.retry_after_seconds if isinstance(error, Overloaded) else None
        if asked is None:
            return backoff
        if asked > self._patience.most_retry_after_seconds:
            return None
        with self._lock:
            self._resume_at = max(self._resume_at, time.monotonic() + asked)
        return 0.0

    def _note_failure(self, error: BackendError) -> None:
        with self._lock:
            self._failures += 1
            if _status(error) in _EVERYWHERE or _refused(error) or self._failures >= self._patience.in_a_row:
                self._given_up = f"not asked any more in this run: {error.message}"


def _status(error: BackendError) -> int | None:
    status = getattr(error.__cause__, "status_code", None)
    return status if isinstance(status, int) else None


def _refused(error: BackendError) -> bool:
    """Whether nobody listened at the address, after all attempts."""
    return getattr(error.__cause__, "reason", "") == "ConnectError"
