"""Protocol of executors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

#: How often work is done again after its worker was lost.
RETRIES = 3

Item = TypeVar("Item")
Done = TypeVar("Done")

_PARTS = 4  # to a worker, so that none waits long for the last of another
_LEAST = 256
_MOST = 20_000


class Executor(Protocol):
    """Executor of pieces of work; their results do not depend on it.

    A task is a pure function: of one item, without a side effect, so that it may be done again if a worker was
    lost. It is handed to every worker once, with all the data it holds; items are sent one by one.
    """

    @property
    def workers(self) -> int:
        """Number of pieces done at a time."""
        ...

    @property
    def shares_memory(self) -> bool:
        """Return whether tasks and items stay in this process: else they are sent, and must be picklable."""
        ...

    def map(self, task: Callable[[Item], Done], items: Sequence[Item]) -> Iterator[Done]:
        """Do the task for every item; give what came of each in their order, with few done ahead.

        An error of a task is raised here, and what waits is dropped. A worker that is lost is replaced, and its items
        are done again, :data:`RETRIES` times.
        """
        ...


def parts_of(first: int, count: int, workers: int) -> list[tuple[int, int]]:
    """Cut resamples ``first`` to ``first + count`` into parts, each its first resample and its length."""
    size = min(max(-(-count // (_PARTS * workers)), _LEAST), _MOST)
    return [(start, min(size, first + count - start)) for start in range(first, first + count, size)]
