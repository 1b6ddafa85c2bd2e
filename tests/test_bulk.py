"""Bulk writing: everything is written or accounted for."""

from collections.abc import Sequence
from typing import Any

import pytest

from es_mappings.bulk import CHUNK_ACTIONS, Action, write_all
from es_mappings.errors import IndexUnavailable


def actions(count: int) -> list[Action]:
    return [Action(operation="index", index="nodes", id=str(i), body={"content": str(i)}) for i in range(count)]


class Cluster:
    """Answers bulk requests from a script of statuses by id; keeps what was written."""

    def __init__(self, statuses: dict[str, list[int]], lost: int = 0) -> None:
        self.statuses = statuses
        self.lost = lost
        self.written: list[str] = []
        self.requests: list[int] = []

    def send(self, lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        ids = [line["index"]["_id"] for line in lines if "index" in line]
        self.requests.append(len(ids))
        if self.lost:
            self.lost -= 1
            raise IndexUnavailable("lost")
        items = []
        for id_ in ids:
            status = self.statuses[id_].pop(0) if self.statuses.get(id_) else 201
            if status < 300:
                self.written.append(id_)
            items.append({"index": {"_id": id_, "status": status, "error": {"type": "why", "reason": "the secret text"}}})
        return items


def test_a_refused_item_is_sent_again_alone_and_the_others_are_not() -> None:
    cluster = Cluster({"3": [429, 429]})
    assert write_all(actions(5), cluster.send, lambda _: None) == (5, ())
    assert cluster.requests == [5, 1, 1]
    assert sorted(cluster.written) == ["0", "1", "2", "3", "4"]


def test_an_item_that_can_never_be_written_is_reported_by_id_and_reason_without_its_text() -> None:
    cluster = Cluster({"1": [400]})
    written, rejected = write_all(actions(3), cluster.send, lambda _: None)
    assert written == 2
    assert [(item.id, item.status, item.reason) for item in rejected] == [("1", 400, "why")]
    assert cluster.requests == [3]


def test_a_lost_request_is_sent_again_whole() -> None:
    cluster = Cluster({}, lost=2)
    assert write_all(actions(4), cluster.send, lambda _: None) == (4, ())
    assert cluster.requests == [4, 4, 4]


def test_a_cluster_that_stays_away_is_an_error_after_bounded_waits() -> None:
    waits: list[float] = []
    with pytest.raises(IndexUnavailable):
        write_all(actions(1), Cluster({}, lost=99).send, waits.append)
    assert len(waits) == 6
    assert sum(waits) <= 0.5 * 63


def test_an_item_refused_every_time_ends_as_a_rejection() -> None:
    _, rejected = write_all(actions(1), Cluster({"0": [429] * 20}).send, lambda _: None)
    assert [item.status for item in rejected] == [429]


def test_large_writes_are_cut_into_bounded_requests() -> None:
    cluster = Cluster({})
    write_all(actions(CHUNK_ACTIONS * 2 + 1), cluster.send, lambda _: None)
    assert cluster.requests == [CHUNK_ACTIONS, CHUNK_ACTIONS, 1]
