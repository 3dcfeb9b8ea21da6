"""Workers of Dask: processes that it starts on this machine, or a cluster that runs already."""

from __future__ import annotations

import atexit
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from truegain.errors import InputError
from truegain.executors.base import Done, Item
from truegain.executors.environment import check, here
from truegain.executors.order import in_order
from truegain.executors.sending import Failure, Packed, do, pack, pack_item

__all__ = ["RETRIES", "Dask"]

#: How often an item is done again after its worker was lost.
RETRIES = 3

_SECONDS_TO_CONNECT = 5
_SECONDS_WITHOUT_WORKERS = 60
_LEAVE_INTERRUPTS = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"  # the command ends its workers
_NO_PAGES: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
_LOOK_UP = 5  # seconds without a result, after which it is asked whether there are workers


@dataclass(frozen=True)
class Dask:
    """A cluster of Dask, begun or connected to with the first task.

    Parameters
    ----------
    jobs : int
        Worker processes on this machine, where no address is given.
    address : str, optional
        ``host:port`` of the scheduler of a cluster that runs already.
    """

    jobs: int = 1
    address: str | None = None
    shares_memory = False

    @property
    def workers(self) -> int:
        """See :class:`truegain.executors.base.Executor`."""
        return self.jobs if self.address is None else max(1, sum(self._client.nthreads().values()))

    def map(self, task: Callable[[Item], Done], items: Sequence[Item]) -> Iterator[Done]:
        """See :class:`truegain.executors.base.Executor`."""
        if not items:
            return
        work = _Work(self, pack(task, uuid4().hex), items)
        try:
            for result in in_order(len(items), self.workers, work.begin, work.ended):
                if isinstance(result, Failure):
                    raise result.error
                yield result
        finally:
            work.drop()

    def close(self) -> None:
        """End what was begun; a cluster that ran before runs on."""
        if self._open:
            atexit.unregister(self.close)
            self._open.pop()[1].close()

    @property
    def where(self) -> str:
        """For messages."""
        return "Dask on this machine" if self.address is None else f"the Dask scheduler at {self.address}"

    @property
    def _client(self) -> Any:
        if self._open and self._open[0][0].status != "running":
            self.close()
        if not self._open:
            self._open.append(self._connected())
            atexit.register(self.close)
        return self._open[0][0]

    @cached_property
    def _open(self) -> list[tuple[Any, ExitStack]]:
        """The client there is, if there is one, and what ends it."""
        return []

    def _connected(self) -> tuple[Any, ExitStack]:
        _load()
        with ExitStack() as ends:
            client = self._begun(ends) if self.address is None else self._found(ends)
            check(client.run(here, on_error="return"))
            return client, ends.pop_all()

    def _begun(self, ends: ExitStack) -> Any:
        """A cluster on this machine: not to be reached from others, nor by its other users, who have no key."""
        import dask
        from distributed import Client, LocalCluster, Security

        folder = ends.enter_context(TemporaryDirectory(prefix="truegain-dask-", ignore_cleanup_errors=True))
        with dask.config.set({**_NO_PAGES, "temporary-directory": folder}):
            cluster = LocalCluster(
                n_workers=self.jobs,
                threads_per_worker=1,
                host="127.0.0.1",
                security=Security.temporary(),
                dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False},
                silence_logs=_NOTHING,
                memory_limit=0,
                local_directory=folder,
                preload=[_LEAVE_INTERRUPTS],
            )
        ends.enter_context(cluster)
        return ends.enter_context(Client(cluster, set_as_default=False))

    def _found(self, ends: ExitStack) -> Any:
        import dask
        from distributed import Client

        secured = dask.config.get("distributed.comm.tls.client.cert", None) is not None
        address = f"{'tls' if secured else 'tcp'}://{self.address}"
        try:
            _greet(address)
            client = ends.enter_context(Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False))
        except Exception as error:  # who knows what answers at that port, and what the library makes of the answer
            raise InputError(
                f"there is no answer from {self.where} ({type(error).__name__})",
                hint="start one there with: dask scheduler; and see that no firewall is between",
            ) from error
        if not client.nthreads():
            raise InputError(
                f"{self.where} has no workers",
                hint=f"start some, on any machine: dask worker {self.address} --nthreads 1",
            )
        return client


def _greet(address: str) -> None:
    """See that it is a scheduler that answers, within seconds; a client that fails to connect cannot be ended."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from distributed import Security
    from distributed.core import rpc

    async def greeting() -> None:
        async with rpc(address, connection_args=Security().get_connection_args("client")) as scheduler:
            await asyncio.wait_for(scheduler.identity(n_workers=0), _SECONDS_TO_CONNECT)

    with ThreadPoolExecutor(1) as aside:  # a notebook has a loop of its own in this thread
        aside.submit(asyncio.run, greeting()).result()


_NOTHING = 100  # a level of logs above all


def _load() -> None:
    """Import the library; what it would log is told in our own words, unless the program uses it already."""
    own = "distributed" not in sys.modules
    try:
        import cryptography  # noqa: F401
        import distributed  # noqa: F401
    except ImportError as error:
        raise InputError(f"Dask is not installed here ({error})", hint="pip install 'truegain[dask]'") from error
    if own:
        import logging

        for name in ("distributed", "tornado", "asyncio", *logging.root.manager.loggerDict):
            if name.split(".")[0] in ("distributed", "tornado", "asyncio"):
                logging.getLogger(name).setLevel(_NOTHING)


class _Work:
    """The items of one task, on their way."""

    def __init__(self, executor: Dask, packed: Packed, items: Sequence[Any]) -> None:
        self._executor = executor
        self._client = executor._client
        self._packed = packed
        self._items = items
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._places: dict[Any, int] = {}
        self._lost: Counter[int] = Counter()
        self._data = self._scattered()

    def begin(self, place: int) -> None:
        """Send an item to whichever worker is free."""
        import dask

        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"}):
            future = self._client.submit(
                do,
                self._data,
                pack_item(self._items[place]),
                key=f"truegain-{self._packed.name}-{place}-{self._lost[place]}",
                retries=RETRIES,
                pure=False,
            )
        self._places[future] = place
        future.add_done_callback(self._ended.put)

    def ended(self) -> tuple[int, Any]:
        """Wait for an item; one that was lost with its worker is sent again."""
        from distributed import KilledWorker

        while True:
            future = self._next()
            place = self._places.pop(future)
            try:
                if not future.cancelled():
                    return place, future.result()
            except KilledWorker:
                raise InputError(
                    f"workers of {self._executor.where} were ended from outside, {RETRIES + 1} times at the same work",
                    hint="most often memory ran out: use fewer workers on a machine",
                ) from None
            except (OSError, CancelledError):
                pass
            self._again(place)

    def drop(self) -> None:
        """Forget what waits."""
        with suppress(Exception):  # the scheduler may be gone
            if self._client.status == "running":
                self._client.cancel(list(self._places), force=True)
        self._places.clear()
        self._data = None

    def _next(self) -> Any:
        waited = 0
        while True:
            try:
                return self._ended.get(timeout=_LOOK_UP)
            except Empty:
                self._see_that_it_runs()
                waited = 0 if self._client.nthreads() else waited + _LOOK_UP
                if waited >= _SECONDS_WITHOUT_WORKERS:
                    raise InputError(
                        f"{self._executor.where} has had no workers for {waited} seconds",
                        hint="start workers, and give the command again",
                    ) from None

    def _again(self, place: int) -> None:
        """What was lost is sent again: the item, and the data where they were lost too."""
        self._see_that_it_runs()
        self._lost[place] += 1
        if self._lost[place] > RETRIES:
            raise InputError(
                f"the same work was lost {RETRIES + 1} times by {self._executor.where}",
                hint="see the logs of its workers; most often memory ran out",
            )
        if self._data.status != "finished":
            self._data = self._scattered()
        self.begin(place)

    def _scattered(self) -> Any:
        """The task, on every worker."""
        for tries_left in reversed(range(RETRIES + 1)):
            try:
                return self._client.scatter(self._packed, broadcast=True, hash=False)
            except Exception as error:  # a worker was lost just now: whatever the library makes of it
                self._see_that_it_runs()
                if not tries_left:
                    raise InputError(
                        f"the data cannot be sent to the workers of {self._executor.where}: "
                        f"{type(error).__name__}: {error}",
                        hint="see the logs of its workers; most often memory ran out",
                    ) from error
        raise AssertionError  # pragma: no cover

    def _see_that_it_runs(self) -> None:
        if self._client.status != "running":
            raise InputError(
                f"{self._executor.where} is not there any more", hint="start it, and give the command again"
            )
