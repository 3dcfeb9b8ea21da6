"""What clusters of any library have in common: one connection, made when it is needed; and when losses are too many."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest

from truegain.errors import InputError
from truegain.executors.base import RETRIES
from truegain.executors.cluster import LOOK_UP, Cluster, Losses
from truegain.executors.ordered_map import Work
from truegain.executors.sending import Packed


@dataclass(frozen=True)
class Told(Cluster):
    """Connects to nothing, and says what it did."""

    said: list[str] = field(default_factory=list)
    workers = 2
    where = "nowhere"

    def _connected(self, ends: ExitStack) -> Any:
        self.said.append("begun")
        ends.callback(self.said.append, "ended")
        if self.address == "refused":
            raise InputError("refused")
        return self.said

    def _runs(self, library: Any) -> bool:
        return bool(library[-1] != "lost")

    def _work(self, packed: Packed, items: Sequence[Any]) -> Work:
        raise NotImplementedError


def test_one_connection_until_it_is_closed() -> None:
    cluster = Told()
    assert cluster.said == []
    assert cluster.library is cluster.library is cluster.said
    assert cluster.said == ["begun"]
    cluster.close()
    cluster.close()
    assert cluster.said == ["begun", "ended"]
    assert cluster.library
    assert cluster.said == ["begun", "ended", "begun"]
    cluster.close()


def test_another_connection_where_one_was_lost() -> None:
    cluster = Told()
    cluster.library.append("lost")
    assert cluster.library[1:] == ["lost", "ended", "begun"]
    cluster.close()


def test_what_was_begun_is_ended_where_connecting_fails() -> None:
    cluster = Told(1, "refused")
    with pytest.raises(InputError):
        _ = cluster.library
    assert cluster.said == ["begun", "ended"]


def test_a_copy_of_the_process_leaves_the_connection_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Told()
    assert cluster.library == ["begun"]
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert cluster.library == ["begun", "begun"]
    cluster.close()
    assert cluster.said == ["begun", "begun", "ended"]


def test_an_item_that_is_lost_too_often() -> None:
    losses = Losses("the cluster")
    for time in range(RETRIES):
        losses.again(5)
        assert losses.times(5) == time + 1
    losses.again(6)
    with pytest.raises(InputError, match=f"the same work was lost {RETRIES + 1} times by the cluster"):
        losses.again(5)


def test_a_minute_without_workers() -> None:
    losses = Losses("the cluster")
    seconds = 0
    while seconds < 60 - LOOK_UP:
        seconds = losses.waited(seconds, workers=False)
    assert losses.waited(seconds, workers=True) == 0
    with pytest.raises(InputError, match="the cluster has had no workers for 60 seconds"):
        losses.waited(seconds, workers=False)
