"""Threads of this process: for work that leaves Python's lock alone, such as products and kernels."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from truegain.executors.base import Done, Item

if TYPE_CHECKING:
    from concurrent.futures import Future

    from threadpoolctl import ThreadpoolController


@dataclass(frozen=True)
class Threads:
    """So many threads.

    Parameters
    ----------
    workers : int
    """

    workers: int = 1
    shares_memory = True

    def map(self, task: Callable[[Item], Done], items: Sequence[Item]) -> Iterator[Done]:
        """See :class:`truegain.executors.base.Executor`."""
        if self.workers <= 1 or len(items) <= 1:
            yield from map(task, items)
            return
        from concurrent.futures import ThreadPoolExecutor

        pool = ThreadPoolExecutor(min(self.workers, len(items)))
        try:
            waiting: deque[Future[Done]] = deque()
            for item in items:
                waiting.append(pool.submit(task, item))
                if len(waiting) > 2 * self.workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep products by BLAS within the thread that asks for them, so that there are no more threads than ours."""
    with _blas().limit(limits=1, user_api="blas"):
        yield


@cache
def _blas() -> ThreadpoolController:
    """Return the BLAS libraries that are loaded; looking for them takes longer than many a resampling."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
