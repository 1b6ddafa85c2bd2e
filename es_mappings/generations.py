"""Generations of the node indices: the vectors of one embedder lie in a pair of indices of their own, and aliases say which pair counts.

A pair is `PREFIX-nodes-v1-000001` (chunks) and `PREFIX-nodes-headings-v1-000001` (headings, documents, clusters). The next one is
built beside it and takes over all aliases in one atomic step. That step also takes away the alias `PREFIX-nodes-next-RUN`,
without which it fails: whoever removes that alias first has stopped a swap that came too late.
"""

import re
import time
from dataclasses import dataclass
from threading import Lock
from typing import Any

import elasticsearch
from elasticsearch import Elasticsearch

from es_mappings.door import door

# How long a process goes on with a generation that it looked up; a swap keeps writers waiting this long after it, so that
# nobody still reads the old generation when the first document is written to the new one alone.
CACHE_SECONDS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """A pair of node indices and whose vectors they hold.

    `embedder` is how to open it, as in SECTIONARY_EMBEDDER; "" in an index of before this was kept. `headings` is "" where there
    is no such index yet.
    """

    number: int
    chunks: str
    headings: str
    model: str
    dims: int
    embedder: str = ""

    @property
    def names(self) -> str:
        """Both indices, as a search takes them."""
        return ",".join(filter(None, (self.chunks, self.headings)))

    def home_of(self, kind: str) -> str:
        """The index that a node of this kind lies in."""
        return self.chunks if kind == "chunk" or not self.headings else self.headings


class Generations:
    """The node indices of a prefix. Every method raises IndexUnavailable or IndexRefused. Safe to use from several threads."""

    def __init__(self, client: Elasticsearch, prefix: str) -> None:
        self._client = client
        self._nodes = f"{prefix}-nodes"
        self._headings = f"{prefix}-nodes-headings"
        self._next = f"{prefix}-nodes-next"
        self._own = re.compile(rf"{re.escape(self._nodes)}(?P<headings>-headings)?-v\d+-(?P<number>\d{{6}})")
        self._lock = Lock()
        self._found: Generation | None = None
        self._found_at = float("-inf")

    def current(self, *, fresh: bool = False) -> Generation | None:
        """The generation that the aliases point to, at most CACHE_SECONDS old unless `fresh`; None while there is no index."""
        with self._lock:
            if fresh or self._found is None or time.monotonic() - self._found_at > CACHE_SECONDS:
                asked_at = time.monotonic()
                self._found = self._read()
                self._found_at = asked_at
            return self._found

    def _read(self) -> Generation | None:
        found = self._stored(self._nodes)
        return found[-1] if found else None

    def stored(self) -> tuple[Generation, ...]:
        """Every generation that has indices, oldest first, whether an alias points to it or not."""
        return self._stored(f"{self._nodes}-*")

    def _stored(self, expression: str) -> tuple[Generation, ...]:
        with door():
            try:
                found = self._client.indices.get_mapping(index=expression).body
            except elasticsearch.NotFoundError:
                return ()
        own = [match for name in found if (match := self._own.fullmatch(name))]
        headings = {int(match["number"]): match.string for match in own if match["headings"]}
        metas = {match.string: found[match.string]["mappings"].get("_meta", {}) for match in own}
        generations = (
            _generation(int(match["number"]), match.string, headings.get(int(match["number"]), ""), metas[match.string])
            for match in own
            if not match["headings"]
        )
        return tuple(sorted(generations, key=lambda generation: generation.number))

    def beside(self, number: int, version: int, body: dict[str, Any]) -> Generation:
        """Make the indices of a generation that no alias points to; those that are there already stay as they are."""
        chunks, headings = (f"{alias}-v{version}-{number:06d}" for alias in (self._nodes, self._headings))
        for name in (chunks, headings):
            self.create(name, body)
        return _generation(number, chunks, headings, body["mappings"]["_meta"])

    def create(self, name: str, body: dict[str, Any], aliases: dict[str, Any] | None = None) -> None:
        """Make one index, unless another process was first."""
        with door():
            try:
                self._client.indices.create(index=name, settings=body["settings"], mappings=body["mappings"], aliases=aliases)
            except elasticsearch.BadRequestError as error:
                if error.error != "resource_already_exists_exception":
                    raise

    def offer(self, new: Generation, run: str) -> None:
        """Allow the swap to `new` that this run is about to make, until `withdraw`."""
        self._change([{"add": {"index": new.chunks, "alias": f"{self._next}-{run}"}}])

    def withdraw(self) -> None:
        """Stop a swap that was allowed and has not happened; from now on it fails."""
        with door():
            remove = {"remove": {"index": f"{self._nodes}-*", "alias": f"{self._next}-*"}}
            self._client.options(ignore_status=404).indices.update_aliases(actions=[remove])

    def swap(self, old: Generation, new: Generation, run: str) -> None:
        """Let every alias point to `new` instead of `old`, at once and all or none. Raises IndexRefused when the swap was withdrawn."""
        actions: list[dict[str, Any]] = [
            {"remove": {"index": new.chunks, "alias": f"{self._next}-{run}", "must_exist": True}},
            {"remove": {"index": old.chunks, "alias": self._nodes, "must_exist": True}},
            {"add": {"index": new.chunks, "alias": self._nodes, "is_write_index": True}},
            {"add": {"index": new.headings, "alias": self._nodes, "is_write_index": False}},
            {"add": {"index": new.headings, "alias": self._headings, "is_write_index": True}},
        ]
        if old.headings:
            actions += [{"remove": {"index": old.headings, "alias": alias, "must_exist": True}} for alias in (self._nodes, self._headings)]
        self._change(actions)

    def _change(self, actions: list[dict[str, Any]]) -> None:
        with door():
            self._client.indices.update_aliases(actions=actions)

    def drop(self, generation: Generation) -> None:
        """Delete the indices of a generation; whoever still searches it gets IndexRefused."""
        with door():
            self._client.options(ignore_status=404).indices.delete(index=list(filter(None, (generation.chunks, generation.headings))))


def _generation(number: int, chunks: str, headings: str, meta: dict[str, Any]) -> Generation:
    return Generation(
        number=number,
        chunks=chunks,
        headings=headings,
        model=str(meta.get("model", "")),
        dims=int(meta.get("dims", 0)),
        embedder=str(meta.get("embedder", "")),
    )
