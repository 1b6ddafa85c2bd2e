"""What a search sends to Elasticsearch, and the same sent again without the product around it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from es_mappings.access import OWNER
from es_mappings.index import Index
from service.searching import Searcher, SearchRequest


class RecordingIndex(Index):
    """The same index, keeping what is sent through it."""

    def __init__(self, index: Index) -> None:
        super().__init__(index._client, index.prefix)  # noqa: SLF001  # the same client on purpose
        self.sent: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def msearch(self, *given: Any, **named: Any) -> list[dict[str, Any]]:
        self.sent.append(("msearch", given, named))
        return super().msearch(*given, **named)

    def mget(self, *given: Any, **named: Any) -> list[Any]:
        self.sent.append(("mget", given, named))
        return super().mget(*given, **named)


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Milliseconds of each query: the whole search less the embedding of the question, and its requests alone."""

    whole: tuple[float, ...]
    raw: tuple[float, ...]

    @property
    def ours(self) -> tuple[float, ...]:
        """What the product adds to the requests, query by query."""
        return tuple(whole - raw for whole, raw in zip(self.whole, self.raw, strict=True))


def interleaved(searcher: Searcher, recording: RecordingIndex, requests: Sequence[SearchRequest], warm_up: int) -> Times:
    """Each request is searched whole, and the very `_msearch` and `_mget` that it sent are sent again by the same client, parsing
    included. The two take turns at being first, so that neither finds the caches of Elasticsearch warmer than the other."""
    whole, raw = [], []
    for place, request in enumerate(requests):
        if place % 2:
            recording.sent.clear()
            searcher.search(request, OWNER)
            again = _sent_again(recording)
            spent = _searched(searcher, recording, request)
        else:
            spent = _searched(searcher, recording, request)
            again = _sent_again(recording)
        if place >= warm_up:
            whole.append(spent)
            raw.append(again)
    return Times(whole=tuple(whole), raw=tuple(raw))


def _searched(searcher: Searcher, recording: RecordingIndex, request: SearchRequest) -> float:
    recording.sent.clear()
    began = time.perf_counter()
    result = searcher.search(request, OWNER)
    return (time.perf_counter() - began) * 1000 - result.took.embed


def _sent_again(recording: RecordingIndex) -> float:
    sent = list(recording.sent)
    began = time.perf_counter()
    for name, given, named in sent:
        getattr(Index, name)(recording, *given, **named)
    return (time.perf_counter() - began) * 1000
