"""Threads of this process."""

from __future__ import annotations

import pytest

from truegain.executors.threads import Threads


def test_few_chunks_wait_at_a_time() -> None:
    started: list[int] = []

    def work(item: int) -> int:
        started.append(item)
        return item

    parts = Threads(2).map(work, range(1000))
    assert next(parts) == 0
    assert len(started) <= 7
    assert list(parts) == list(range(1, 1000))


def test_what_waits_is_dropped_when_the_work_stops() -> None:
    started: list[int] = []

    def work(item: int) -> int:
        started.append(item)
        if item == 3:
            raise KeyboardInterrupt
        return item

    with pytest.raises(KeyboardInterrupt):
        list(Threads(2).map(work, range(1000)))
    assert len(started) < 20
