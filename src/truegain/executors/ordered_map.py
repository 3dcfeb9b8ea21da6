"""The order of results, wherever and whenever they are made: few ahead, and given one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from truegain.executors.sending import Failure

_AT_WORK = 2  # items to a worker that are sent ahead, so that it never waits for the next
_HELD = 8  # items to a worker that are sent or done; what is done waits here for its turn


class Work(Protocol):
    """The items of one task, on their way to workers and back."""

    def begin(self, place: int) -> None:
        """Send an item, by its place among all."""
        ...

    def ended(self) -> tuple[int, Any]:
        """Wait for any item that was begun; give its place and what came of it."""
        ...

    def drop(self) -> None:
        """Forget what is still on its way."""
        ...


def in_order(work: Work, count: int, workers: int) -> Iterator[Any]:
    """Begin the items 0 to ``count`` and give their results in that order; an error of the task is raised in its turn.

    Parameters
    ----------
    work : Work
        Dropped at the end, whatever the end is.
    count, workers : int
    """
    done: dict[int, Any] = {}
    begun = given = 0
    try:
        while given < count:
            while begun < count and begun - given - len(done) < _AT_WORK * workers and begun - given < _HELD * workers:
                work.begin(begun)
                begun += 1
            place, result = work.ended()
            done[place] = result
            while given in done:
                result = done.pop(given)
                if isinstance(result, Failure):
                    raise result.error
                yield result
                given += 1
    finally:
        work.drop()
