"""Processes on this machine: for work that is Python's own, which threads would do one after the other."""

from __future__ import annotations

import os
import pickle
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from tempfile import gettempdir
from threading import Event, Lock, Timer
from typing import Any
from uuid import uuid4

from truegain.errors import InputError, Setting
from truegain.executors.base import RETRIES, Done, Item
from truegain.executors.cleanup import TMPDIR, private_folder, start_tracker
from truegain.executors.open_files import need_open_files
from truegain.executors.ordered_map import in_order
from truegain.executors.sending import Packed, do, pack, pack_item
from truegain.executors.undisturbed import undisturbed

_FOLDER = "truegain-task-"
_MEMORY = ("most often memory ran out: use fewer ", Setting("jobs"))
_PATIENCE = 10.0  # seconds: a process that is about to begin takes one or two to do so and to end
_begun: list[Processes] = []
_GUARD = (
    'a Python script must do its work under if __name__ == "__main__": for its processes import it; nor can it come '
    "from standard input"
)


@cache
def processes(workers: int) -> Processes:
    """Return this program's executor with that many processes: begun once, and kept."""
    executor = Processes(workers)
    _begun.append(executor)
    return executor


def runs_in_others() -> bool:
    """Return whether other processes can import what runs here: a script that has no guard would run again in each."""
    path = getattr(sys.modules.get("__main__"), "__file__", None)
    try:
        return path is None or "__main__" in Path(path).read_text("utf-8", "replace")
    except OSError:
        return False


def end_processes() -> None:
    """End all processes, before Python does, which may write to a pipe that a broken pool is just closing."""
    for executor in _begun:
        executor.close()


@dataclass(frozen=True)
class Processes:
    """Processes, begun with the first task and kept for others.

    They are started afresh, not copied from this one: threads of numpy's libraries do not survive a copy.

    Parameters
    ----------
    workers : int
    """

    workers: int = 1
    shares_memory = False

    def map(self, task: Callable[[Item], Done], items: Sequence[Item]) -> Iterator[Done]:
        """See :class:`truegain.executors.base.Executor`."""
        if not items:
            return
        if not self._pools:
            need_open_files(16 + 2 * self.workers, "processes of this command")
        with _written(pack(task, uuid4().hex)) as file:
            yield from in_order(_Work(self, file, items), len(items), self.workers)

    def close(self) -> None:
        """End the processes; the next task begins others."""
        with self._lock:
            pools = [pool for process, pool in self._pools if process == os.getpid()]
            self._pools.clear()
        for pool in pools:
            _end(pool)

    def pool(self) -> ProcessPoolExecutor:
        """Return the processes there are, or new ones."""
        with self._lock:
            if not self._pools or self._pools[0][0] != os.getpid():  # a copy of this process has none
                import multiprocessing

                start_tracker()
                context = multiprocessing.get_context("spawn")
                self._pools[:] = [(os.getpid(), ProcessPoolExecutor(self.workers, context, _begin))]
            return self._pools[0][1]

    def lost(self, pool: ProcessPoolExecutor) -> None:
        """Forget these processes, of which some were ended; another thread may have begun others already.

        Whoever is the first to forget them ends them: two threads at once would close the same pipes twice.
        """
        with self._lock:
            others = [one for one in self._pools if one[1] is not pool]
            is_first = len(others) < len(self._pools)
            self._pools[:] = others
        if is_first:
            _end(pool)

    @cached_property
    def worked(self) -> Event:
        """Event that is set once anything was done."""
        return Event()

    @cached_property
    def _lock(self) -> Lock:
        return Lock()

    @cached_property
    def _pools(self) -> list[tuple[int, ProcessPoolExecutor]]:
        """The one there is, if there is one, and the process that it is of."""
        return []


class _Work:
    """See :class:`truegain.executors.ordered_map.Work`."""

    def __init__(self, executor: Processes, file: str, items: Sequence[Any]) -> None:
        self._executor = executor
        self._file = file
        self._items = items
        self._pool = executor.pool()
        self._waiting: dict[Future[Any], int] = {}
        self._lost: Counter[int] = Counter()

    def begin(self, place: int) -> None:
        item = pack_item(self._items[place])
        try:
            with undisturbed():  # a process may be started: one cut off in its start would complain
                self._waiting[self._pool.submit(_do, self._file, item)] = place
        except BrokenProcessPool:
            self._again([place])

    def ended(self) -> tuple[int, Any]:
        while True:
            for future in wait(self._waiting, return_when=FIRST_COMPLETED).done:
                place = self._waiting.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    self._again([place])
                    break
                self._executor.worked.set()
                return place, result

    def drop(self) -> None:
        for future in self._waiting:
            future.cancel()
        wait(self._waiting)  # the task's file goes now, and whoever is at work may still read it

    def _again(self, places: list[int]) -> None:
        """Begin with other processes what was under way."""
        if any(future.done() and not future.cancelled() and future.exception() is None for future in self._waiting):
            self._executor.worked.set()
        places = sorted([*places, *self._waiting.values()])
        self._waiting.clear()
        self._executor.lost(self._pool)
        self._lost.update(places)
        times = max(self._lost.values())
        # Where not even one item was ever done, it is the start that fails, and will the next time.
        worked = self._executor.worked.is_set()
        if times > (RETRIES if worked else 1):
            raise InputError(
                f"processes of this command were ended from outside, {times} times at the same work",
                hint=_MEMORY if worked else (f"{_GUARD}; or ", *_MEMORY),
            )
        self._pool = self._executor.pool()
        for place in places:
            self.begin(place)


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool; by force if they do not end when they are told to.

    One that a signal ends as it reads from the pool's pipe takes the pipe's lock with it: another that was about to
    begin, and so did not get the signal, would wait for it for ever, and the command for that one.
    """
    workers = list((pool._processes or {}).values())

    def kill() -> None:
        for one in workers:
            one.kill()

    force = Timer(_PATIENCE, kill)
    force.daemon = True
    with suppress(RuntimeError):  # no thread can be had: then without it
        force.start()
    pool.shutdown(cancel_futures=True)
    force.cancel()


@contextmanager
def _written(packed: Packed) -> Iterator[str]:
    """Write a file from which each worker reads the task once; in a folder that only this user can read."""
    _sweep()
    with ExitStack() as ends:
        folder = ends.enter_context(private_folder(_FOLDER))
        ends.enter_context(_locked(folder / "lock"))
        file = folder / "task"
        try:
            file.write_bytes(pickle.dumps(packed, protocol=5))
        except OSError as error:
            raise InputError(
                f"cannot be written: {error.strerror or error}",
                path=str(file),
                hint=TMPDIR,
            ) from error
        yield str(file)


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Hold a lock, which goes with this process however it ends: so that others know whether a folder is in use."""
    try:
        import fcntl
    except ImportError:  # not on this system: nothing is ever swept there
        yield
        return
    new = file.with_name("new")
    with new.open("wb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        new.rename(file)  # locked before it has its name: else another command might sweep the folder between the two
        yield


def _sweep() -> None:
    """Remove folders that commands left which were ended by force."""
    try:
        import fcntl
    except ImportError:
        return
    for lock in Path(gettempdir()).glob(f"{_FOLDER}*/lock"):
        try:
            with lock.open("rb") as stream:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent, ignore_errors=True)
        except OSError:  # somebody's who is at work, or another user's
            continue


def _begin() -> None:
    """Leave interrupts, in a worker, to the command, which ends its workers; end with it, however it ends."""
    import multiprocessing.connection
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    command = multiprocessing.parent_process()

    def end_with_it() -> None:
        if command is not None:
            multiprocessing.connection.wait([command.sentinel])
            os._exit(1)

    Thread(target=end_with_it, daemon=True).start()


@lru_cache(maxsize=1)
def _read(file: str) -> Packed:
    """Read what this command wrote for its own workers."""
    packed: Packed = pickle.loads(Path(file).read_bytes())
    return packed


def _do(file: str, item: bytes) -> Any:
    return do(_read(file), item)
