"""One OpenAI-compatible endpoint: the client with our limits, its model's name, and its failures as our errors.

The openai package's own client would wait 600 s, follow redirects and read proxy settings from the environment; ours does
neither. Only this module imports `openai`.
"""

import random
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeVar

import httpx2
import openai

from es_mappings.errors import BackendError, DeadlineExceeded, ModelUnavailable, Overloaded

CONNECT_SECONDS = 3.0
ATTEMPTS = 4
FIRST_BACKOFF_SECONDS = 0.5
# What servers call a model's context window in their list of models: vLLM; OpenRouter and others; LM Studio.
_WINDOW_FIELDS = ("max_model_len", "context_length", "max_context_length")
_TRANSIENT = {429, 502, 503, 504}
_Result = TypeVar("_Result")


class _BoundedStream(httpx2.SyncByteStream):
    """A response body that ends with a timeout once the whole request is over its time, however steadily it drips."""

    def __init__(self, stream: httpx2.SyncByteStream, ends_at: float) -> None:
        self._stream, self._ends_at = stream, ends_at

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._stream:
            yield piece
            if time.monotonic() > self._ends_at:
                raise httpx2.ReadTimeout("over the request's time")

    def close(self) -> None:
        self._stream.close()


class _BoundedTransport(httpx2.HTTPTransport):
    """Bounds a whole exchange: no wait for the next byte is longer than the total, and the body is watched."""

    def __init__(self, total_seconds: float) -> None:
        super().__init__(trust_env=False)
        self._total_seconds = total_seconds

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        ends_at = time.monotonic() + self._total_seconds
        response = super().handle_request(request)
        stream = response.stream
        assert isinstance(stream, httpx2.SyncByteStream)
        response.stream = _BoundedStream(stream, ends_at)
        return response


@dataclass(slots=True, kw_only=True, weakref_slot=True)
class Endpoint:
    """An address from the settings, safe to use from several threads.

    `read_seconds` is the longest wait for the first or next piece, `total_seconds` for a whole reply (both at most that plus
    one piece). `attempts` is how often `call` tries. `unavailable` is the error that says that this service cannot be used.
    """

    base_url: str
    api_key: str = field(default="", repr=False)
    named_model: str = ""
    read_seconds: float
    total_seconds: float
    attempts: int = ATTEMPTS
    unavailable: type[BackendError] = ModelUnavailable
    client: openai.OpenAI = field(init=False, repr=False)
    _found_model: str = ""
    _lock: Lock = field(default_factory=Lock, repr=False)

    def __post_init__(self) -> None:
        timeout = httpx2.Timeout(min(self.read_seconds, self.total_seconds), connect=CONNECT_SECONDS)
        self.client = openai.OpenAI(
            base_url=self.base_url,
            api_key=self.api_key or "none",  # servers without keys ignore it; the client insists on one
            max_retries=0,
            timeout=timeout,
            http_client=httpx2.Client(
                transport=_BoundedTransport(self.total_seconds), timeout=timeout, follow_redirects=False, trust_env=False
            ),
        )
        # Whoever holds an endpoint need not close it: its connections end with it.
        weakref.finalize(self, self.client.close)

    def model(self) -> str:
        """The model's name: as set, or the first that the endpoint lists. Raises `unavailable` when it lists none."""
        if self.named_model:
            return self.named_model
        with self._lock:
            if not self._found_model:
                with self.errors():
                    listed = self.client.models.list()
                    names = [entry.id for entry in getattr(listed, "data", None) or () if getattr(entry, "id", "")]
                if not names:
                    raise self.unavailable("the endpoint lists no model at /models: check its address or name the model in the settings")
                self._found_model = str(names[0])
            return self._found_model

    def window(self) -> int | None:
        """The model's context window in its tokens as the endpoint lists it; None where it does not. Raises as `model`."""
        name = self.model()
        with self.errors():
            listed = [entry for entry in self.client.models.list().data if entry.id == name]
        told = [getattr(entry, field, None) for entry in listed for field in _WINDOW_FIELDS]
        return next((value for value in told if isinstance(value, int) and value > 0), None)

    def call(self, request: Callable[[], _Result]) -> _Result:
        """Make a request; overload and lost connections are tried again while the total time allows.

        Waits as the server's Retry-After says, else with full jitter around a doubling backoff. Raises DeadlineExceeded,
        Overloaded (with `retry_after_seconds` when the server named it), or `unavailable`.
        """
        ends_at = time.monotonic() + self.total_seconds
        for attempt in range(self.attempts):
            try:
                with self.errors():
                    return request()
            except BackendError as error:
                wait = _wait_before_retry(error, attempt)
                if wait is None or attempt == self.attempts - 1 or time.monotonic() + wait > ends_at:
                    raise
                time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Failures of the client and of the reply's shape as our errors; no message repeats what was sent or received."""
        try:
            yield
        except openai.APITimeoutError:
            raise DeadlineExceeded(f"the endpoint did not answer within {self.read_seconds:g} s: it is slow or overloaded") from None
        except openai.APIConnectionError as error:
            lost = _Lost(type(error.__cause__).__name__) if error.__cause__ else _Lost("connection")
            raise self.unavailable(f"the endpoint cannot be reached ({lost.reason}): check its address and that it runs") from lost
        except openai.APIStatusError as error:
            raise self._status_error(error) from error
        except httpx2.TimeoutException:
            raise DeadlineExceeded(f"the endpoint did not finish within {self.total_seconds:g} s: it is slow or overloaded") from None
        except (httpx2.HTTPError, httpx2.StreamError) as error:
            raise self.unavailable(f"the endpoint broke off its reply ({type(error).__name__}): try again") from None
        except openai.OpenAIError:
            raise self.unavailable("the endpoint reported an error in its reply: look at its log") from None
        except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
            # The client hands on whatever JSON (or text) came; reading it as a reply is what failed.
            raise self.unavailable(
                f"the endpoint answered, but not as the OpenAI API does ({type(error).__name__}): check its address"
            ) from None

    def _status_error(self, error: openai.APIStatusError) -> BackendError:
        status = error.status_code
        if status in (429, 503) or (status == 529):
            overloaded = Overloaded("the endpoint has too much to do now: try again later")
            overloaded.retry_after_seconds = _retry_after(error.response.headers.get("retry-after"))
            return overloaded
        if status in (401, 403):
            return self.unavailable(f"the endpoint refuses the key (HTTP {status}): check the API key in the settings")
        if status == 404:
            return self.unavailable("the endpoint does not know this path or model (HTTP 404): check the base URL (often it ends in /v1)")
        if status in (400, 413, 422):
            return self.unavailable(f"the endpoint rejects the request (HTTP {status}): check the model's name and its context window")
        return self.unavailable(f"the endpoint failed (HTTP {status}): look at its log")


class _Lost(Exception):
    """A connection that was refused or lost, by the name of its cause."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _wait_before_retry(error: BackendError, attempt: int) -> float | None:
    """Seconds to wait before another attempt; None when trying again is of no use."""
    backoff = random.uniform(0.5, 1.0) * FIRST_BACKOFF_SECONDS * 2**attempt
    if isinstance(error, Overloaded):
        return backoff if error.retry_after_seconds is None else error.retry_after_seconds
    cause = error.__cause__
    if isinstance(cause, openai.APIStatusError):
        return backoff if cause.status_code in _TRANSIENT else None
    if isinstance(cause, _Lost):
        return backoff if cause.reason != "ConnectError" else None  # nobody listens: say so at once
    return None


def _retry_after(header: str | None) -> float | None:
    """Seconds from a Retry-After header of the numeric form (RFC 9110 10.2.3); a date or nonsense counts as none."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None
