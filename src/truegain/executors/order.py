"""The order of results, wherever and whenever they are made: few ahead, and given one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["in_order"]

_AT_WORK = 2  # items to a worker that are sent ahead, so that it never waits for the next
_HELD = 8  # items to a worker that are sent or done; what is done waits here for its turn


def in_order(
    count: int, workers: int, begin: Callable[[int], None], ended: Callable[[], tuple[int, Any]]
) -> Iterator[Any]:
    """Begin the items 0 to ``count`` and give their results in that order.

    Parameters
    ----------
    count, workers : int
    begin : callable
        Sends an item by its place.
    ended : callable
        Waits for any that was begun; gives its place and its result.
    """
    done: dict[int, Any] = {}
    begun = given = 0
    while given < count:
        while begun < count and begun - given - len(done) < _AT_WORK * workers and begun - given < _HELD * workers:
            begin(begun)
            begun += 1
        place, result = ended()
        done[place] = result
        while given in done:
            yield done.pop(given)
            given += 1
