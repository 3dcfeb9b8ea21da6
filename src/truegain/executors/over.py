"""Work over ranges of numbers, piece by piece: in threads of this process, or on any executor of concurrent.futures."""

from __future__ import annotations

import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from truegain.errors import InputError, Setting
from truegain.executors.processors import one_blas_thread

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Data = TypeVar("Data")
Result = TypeVar("Result")

#: From data and a range of numbers (its first, and the one after its last) to what comes of it. A pure function, and
#: one at the top of a module if it is to be sent to other processes.
Task = Callable[[Data, int, int], Result]

_PIECES = 4  # to a worker, so that none waits long for the last of another
_AHEAD = 2  # pieces to a worker that are under way, so that it never waits for the next
_LOOK_UP, _ALONE = 5, 60  # seconds: between looks at a cluster, and without workers before it is given up

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of mallopt(3)

_unpacked: dict[str, Any] = {}  # in a worker process: the data of the last task


@dataclass(frozen=True)
class Workers:
    """Where work is done: in threads of this process, or by an executor.

    Parameters
    ----------
    jobs : int
        The number of threads.
    executor : concurrent.futures.Executor, optional
        Of processes, of Dask (``client.get_executor()``) or of MPI. It stays open.
    """

    jobs: int = 1
    executor: Executor | None = None

    @property
    def shares_memory(self) -> bool:
        """Return whether work stays in this process: else it is sent, and must be picklable."""
        return self.executor is None

    @property
    def count(self) -> int:
        """Number of pieces done at a time."""
        if self.executor is None:
            return self.jobs
        client = _dask_client(self.executor)
        if client is not None:
            return max(1, sum(map(int, client.nthreads().values())))
        found = getattr(self.executor, "_max_workers", None) or getattr(self.executor, "num_workers", None)
        return int(found or self.jobs)


#: One thread of this process.
HERE = Workers()


@dataclass(frozen=True)
class _Failure:
    """What a task says of its data. It comes back like a result: done again, the task would say it again."""

    error: InputError


def over(
    task: Task[Data, Result], data: Data, first: int, count: int, workers: Workers, *, size: int | None = None
) -> Iterator[Result]:
    """Do a task on numbers ``first`` to ``first + count``; yield the result of each piece, in order.

    The data are sent to workers once, by Dask as a copy to each of them. What the pieces give together does not depend
    on the workers. An error of a piece is raised in its turn, and what waits is dropped.

    Parameters
    ----------
    task : callable
    data : object
    first, count : int
    workers : Workers
    size : int, optional
        Numbers to a piece; by default a few pieces to each worker.
    """
    size = size or max(1, -(-count // (_PIECES * workers.count)))
    end = first + count
    pieces = [(start, min(start + size, end)) for start in range(first, end, size)]
    if workers.executor is not None:
        with one_blas_thread():
            for future in _in_order(_sender(workers.executor, task, data), pieces, _AHEAD * workers.count):
                _await(future, _dask_client(workers.executor))
                yield _received(future)
    elif workers.jobs <= 1 or len(pieces) <= 1:
        for start, stop in pieces:
            yield task(data, start, stop)
    else:
        from concurrent.futures import ThreadPoolExecutor

        pool = ThreadPoolExecutor(min(workers.jobs, len(pieces)))
        try:
            for future in _in_order(lambda *piece: pool.submit(task, data, *piece), pieces, _AHEAD * workers.jobs):
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def for_each(task: Callable[[Data], Result], given: Iterable[Data], workers: Workers) -> Iterator[Result]:
    """Do a task on each of what is given; yield the results, in order.

    Each is sent to one worker alone, and is made no earlier than a worker waits for it.
    """
    executor = workers.executor
    if executor is None:
        yield from map(task, given)
        return
    client = _dask_client(executor)

    def submit(one: Data) -> Future[Any]:
        packed = Packed(pack((_of_one, (task, one))))
        return executor.submit(_done_there, packed if client is None else client.scatter(packed, hash=False), 0, 1)

    with one_blas_thread():
        for future in _in_order(submit, ((one,) for one in given), _AHEAD * workers.count):
            _await(future, client)
            yield _received(future)


def _of_one(data: tuple[Callable[[Data], Result], Data], _: int, __: int) -> Result:
    task, one = data
    return task(one)


def _in_order(
    submit: Callable[..., Future[Any]], pieces: Iterable[tuple[Any, ...]], ahead: int
) -> Iterator[Future[Any]]:
    waiting: deque[Future[Any]] = deque()
    try:
        for piece in pieces:
            waiting.append(submit(*piece))
            if len(waiting) > ahead:
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()
    finally:
        for future in waiting:
            future.cancel()


def _dask_client(executor: Executor) -> Any:
    """Return the client behind an executor of Dask's, else None."""
    return getattr(executor, "_client", None)


def _sender(executor: Executor, task: Task[Any, Any], data: Any) -> Callable[[int, int], Future[Any]]:
    """Send the data, once, and return what sends a piece of the work."""
    name, packed = uuid4().hex, pack((task, data))
    client = _dask_client(executor)
    if client is not None:
        copies = client.scatter(Packed(packed), broadcast=True, hash=False)
        return lambda first, end: executor.submit(_done_there, copies, first, end)
    return lambda first, end: executor.submit(_done_with, name, packed, first, end)


def pack(data: object) -> bytes:
    """Make data ready to be sent to another process, or say why they cannot be."""
    try:
        return pickle.dumps(data, protocol=5)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"the work cannot be sent to another process: {error}",
            hint=("a metric must be a class at the top of an importable module; or leave out ", Setting("engine")),
        ) from error


def _await(future: Future[Any], client: Any) -> None:
    """Wait for the end of a piece; see now and then that Dask, which waits for ever, is still there."""
    from concurrent.futures import wait

    alone = 0
    while client is not None and not wait([future], timeout=_LOOK_UP).done:
        if client.status != "running":
            raise _lost("the scheduler is gone")
        alone = 0 if client.nthreads() else alone + _LOOK_UP
        if alone >= _ALONE:
            raise _lost("the cluster has no workers left")


def _received(future: Future[Any]) -> Any:
    """Return the result of a piece."""
    from concurrent.futures import BrokenExecutor, CancelledError

    try:
        result = future.result()
    except CancelledError as error:
        raise _lost("it was dropped") from error
    except BrokenExecutor as error:
        raise _lost(_first_line(error)) from error
    except Exception as error:
        if type(error).__name__ == "KilledWorker":  # of a library that only those load who use it
            raise _lost(_first_line(error)) from error
        raise
    if isinstance(result, _Failure):
        raise result.error
    return result


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0] or type(error).__name__


def _lost(said: str) -> InputError:
    return InputError(
        f"work was lost with the workers that did it: {said}",
        hint=(
            "see the logs of the workers; most often memory ran out: use fewer ",
            Setting("jobs"),
            ", or more memory",
        ),
    )


class Packed:
    """Data on their way to the workers of Dask, which open them once: to pass on bytes keeps no worker busy."""

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        self._lock = Lock()
        self._opened: tuple[Task[Any, Any], Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Packed, (self.packed,)

    def opened(self) -> tuple[Task[Any, Any], Any]:
        """Return the task and its data."""
        with self._lock:
            if self._opened is None:
                self._opened = pickle.loads(self.packed)
            return self._opened


def _done_there(packed: Packed, first: int, end: int) -> Any:
    """Do a piece of the work on a worker of Dask."""
    task, data = packed.opened()
    return _done(task, data, first, end)


def _done(task: Task[Any, Any], data: Any, first: int, end: int) -> Any:
    """Do a piece of the work on a worker, in one thread."""
    _keep_freed_memory()
    try:
        with one_blas_thread():
            return task(data, first, end)
    except InputError as error:
        return _Failure(error)


@cache
def _keep_freed_memory() -> None:
    """Let the C library keep up to 64 MB that are free, as it does by default, for the arrays that come next.

    Dask has its workers give back whatever is free at once. To take it anew for every chunk of resamples, and to have
    the system clear it, costs as much as a third of the work.
    """
    import ctypes

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_TRIM_THRESHOLD, 64 << 20)
        mallopt(_MMAP_THRESHOLD, 32 << 20)


def _done_with(name: str, packed: bytes, first: int, end: int) -> Any:
    """Do a piece of the work in another process, which opens the data once."""
    if name not in _unpacked:
        _unpacked.clear()
        _unpacked[name] = pickle.loads(packed)
    task, data = _unpacked[name]
    return _done(task, data, first, end)
