"""Processes on this machine: for work that is Python's own, which threads would do one after the other."""

from __future__ import annotations

import os
import pickle
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

from truegain.errors import InputError
from truegain.executors.base import Done, Item

__all__ = ["RETRIES", "Processes"]

#: How often work is begun again after a worker was lost.
RETRIES = 3

_FOLDER = "truegain-task-"


@dataclass(frozen=True)
class Processes:
    """So many processes, begun with the first task and kept for others.

    They are begun anew, not copied from this one: threads of numpy's libraries do not survive a copy.

    Parameters
    ----------
    workers : int
    """

    workers: int = 1
    shares_memory = False

    def map(self, task: Callable[[Item], Done], items: Sequence[Item]) -> Iterator[Done]:
        """See :class:`truegain.executors.base.Executor`."""
        done: dict[int, Done] = {}
        given = 0
        packed = _packed(task)
        _sweep()
        with TemporaryDirectory(prefix=f"{_FOLDER}{os.getpid()}-") as folder:
            file = Path(folder) / "task"
            file.write_bytes(packed)
            for tries_left in reversed(range(RETRIES + 1)):
                missing = [i for i in range(given, len(items)) if i not in done]
                try:
                    for place, result in self._done(str(file), items, missing):
                        done[place] = result
                        while given in done:
                            yield done.pop(given)
                            given += 1
                    return
                except BrokenProcessPool:
                    self._pools.pop().shutdown(cancel_futures=True)
                    if not tries_left:
                        raise InputError(
                            f"processes of this command were ended from outside, {RETRIES + 1} times in a row",
                            hint="most often memory ran out: use fewer --jobs",
                        ) from None

    def _done(self, task: str, items: Sequence[Item], places: Sequence[int]) -> Iterator[tuple[int, Any]]:
        """The results of these items, as they come; an item waits for its turn here, not in the queue."""
        pool = self._pool
        waiting: dict[Future[Any], int] = {}
        rest = iter(places)
        try:
            while True:
                for place in rest:
                    waiting[pool.submit(_do, task, items[place])] = place
                    if len(waiting) > 2 * self.workers:
                        break
                if not waiting:
                    return
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(future), future.result()
        finally:
            for future in waiting:
                future.cancel()
            wait(waiting)  # the task's file goes now, and whoever is at work may still read it

    @property
    def _pool(self) -> ProcessPoolExecutor:
        if not self._pools:
            import multiprocessing

            context = multiprocessing.get_context("spawn")
            self._pools.append(ProcessPoolExecutor(self.workers, context, _leave_interrupts))
        return self._pools[0]

    @cached_property
    def _pools(self) -> list[ProcessPoolExecutor]:
        """The one there is, if there is one."""
        return []


def _sweep() -> None:
    """Remove what commands left that were ended by force: their folders name a process that is no more."""
    for folder in Path(gettempdir()).glob(f"{_FOLDER}*"):
        number = folder.name.removeprefix(_FOLDER).partition("-")[0]
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (ValueError, OverflowError, PermissionError):  # not one of ours, or another user's at work
            continue


def _packed(task: object) -> bytes:
    try:
        return pickle.dumps(task)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"the work cannot be sent to another process: {error}",
            hint="a metric must be a class at the top of an importable module; or leave out --engine processes",
        ) from error


def _leave_interrupts() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command itself is interrupted, and ends its workers


@lru_cache(maxsize=1)
def _task(file: str) -> Callable[[Any], Any]:
    """What this command wrote for its own workers."""
    task: Callable[[Any], Any] = pickle.loads(Path(file).read_bytes())
    return task


def _do(file: str, item: Any) -> Any:
    return _task(file)(item)
