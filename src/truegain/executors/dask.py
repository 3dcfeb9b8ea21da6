"""Workers of Dask: processes that it starts on this machine, or a cluster that runs already."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from truegain.errors import InputError
from truegain.executors.base import RETRIES
from truegain.executors.cleanup import private_folder, start_tracker
from truegain.executors.cluster import (
    LOOK_UP,
    SECONDS_TO_CONNECT,
    Cluster,
    Losses,
    cannot_be_started,
    knock,
    need_memory,
)
from truegain.executors.environment import check, here
from truegain.executors.open_files import need_open_files
from truegain.executors.sending import Packed, do, pack_item

_WORKER = 512 << 20  # more than this process has: with less, a worker may start, get no thread, and wait for ever
_LEAVE_INTERRUPTS = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"  # the command ends its workers
_NO_PAGES: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
_NOTHING = 100  # a level of logs above all


@dataclass(frozen=True)
class Dask(Cluster):
    """A cluster of Dask, spoken to by its client; the address is that of its scheduler."""

    @property
    def workers(self) -> int:
        """See :class:`truegain.executors.base.Executor`."""
        return self.jobs if self.address is None else max(1, sum(self.library.nthreads().values()))

    @property
    def where(self) -> str:
        """The cluster, for messages."""
        return "Dask on this machine" if self.address is None else f"the Dask scheduler at {self.address}"

    def _connected(self, ends: ExitStack) -> Any:
        _load()
        client = self._begun(ends) if self.address is None else self._found(ends, self.address)
        check(client.run(here, on_error="return"))
        return client

    def _runs(self, library: Any) -> bool:
        # A worker of our own that is lost while it starts is not started again: where all are gone, so is the cluster.
        return library.status == "running" and (self.address is not None or bool(library.nthreads()))

    def _work(self, packed: Packed, items: Sequence[Any]) -> _Work:
        return _Work(self.library, packed, items, self.where)

    def _begun(self, ends: ExitStack) -> Any:
        """Begin a cluster on this machine, out of reach of other machines and of other users, who have no key."""
        import dask
        from distributed import Client, LocalCluster, Security

        need_open_files(32 + 16 * self.jobs, self.where)
        need_memory(_WORKER, self.where)
        start_tracker()
        folder = str(ends.enter_context(private_folder("truegain-dask-")))
        try:
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
        except (OSError, RuntimeError, TimeoutError, MemoryError) as error:
            raise cannot_be_started(self.where, error) from error
        ends.enter_context(cluster)
        return ends.enter_context(Client(cluster, set_as_default=False))

    def _found(self, ends: ExitStack, address: str) -> Any:
        import dask
        from distributed import Client

        secured = dask.config.get("distributed.comm.tls.client.cert", None) is not None
        url = f"{'tls' if secured else 'tcp'}://{address}"
        try:
            knock(address)
            _greet(url)
            client = ends.enter_context(Client(url, timeout=SECONDS_TO_CONNECT, set_as_default=False))
        except Exception as error:  # who knows what answers at that port, and what the library makes of the answer
            raise InputError(
                f"there is no answer from {self.where} ({type(error).__name__})",
                hint="start one there with: dask scheduler; and check that no firewall blocks it",
            ) from error
        if not client.nthreads():
            raise InputError(
                f"{self.where} has no workers",
                hint=f"start some, on any machine: dask worker {address} --nthreads 1",
            )
        return client


def _greet(url: str) -> None:
    """Check that it is a scheduler that answers, within seconds; a client that fails to connect cannot be ended."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from distributed import Security
    from distributed.core import rpc

    async def greeting() -> None:
        async with rpc(url, connection_args=Security().get_connection_args("client")) as scheduler:
            await asyncio.wait_for(scheduler.identity(n_workers=0), SECONDS_TO_CONNECT)

    with ThreadPoolExecutor(1) as aside:  # a notebook has a loop of its own in this thread
        aside.submit(asyncio.run, greeting()).result()


def _load() -> None:
    """Import the library; replace its logs by our own messages, unless the program uses it already."""
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
    """See :class:`truegain.executors.ordered_map.Work`."""

    def __init__(self, client: Any, packed: Packed, items: Sequence[Any], where: str) -> None:
        self._client = client
        self._packed = packed
        self._items = items
        self._where = where
        self._losses = Losses(where)
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._places: dict[Any, int] = {}
        self._data = self._scattered()

    def begin(self, place: int) -> None:
        import dask

        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"}):
            future = self._client.submit(
                do,
                self._data,
                pack_item(self._items[place]),
                key=f"truegain-{self._packed.name}-{place}-{self._losses.times(place)}",
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
                raise self._losses.killed() from None
            except (OSError, CancelledError):
                pass
            self._again(place)

    def drop(self) -> None:
        with suppress(Exception):  # the scheduler may be gone
            if self._client.status == "running":
                self._client.cancel(list(self._places), force=True)
        self._places.clear()
        self._data = None

    def _next(self) -> Any:
        waited = 0
        while True:
            try:
                return self._ended.get(timeout=LOOK_UP)
            except Empty:
                self._see_that_it_runs()
                waited = self._losses.waited(waited, workers=bool(self._client.nthreads()))

    def _again(self, place: int) -> None:
        """Send again what was lost: the item, and the data if they were lost too."""
        self._see_that_it_runs()
        self._losses.again(place)
        if self._data.status != "finished":
            self._data = self._scattered()
        self.begin(place)

    def _scattered(self) -> Any:
        """Send the task to every worker."""
        tries = 0
        while True:
            try:
                return self._client.scatter(self._packed, broadcast=True, hash=False)
            except Exception as error:  # a worker was lost just now: whatever the library makes of it
                self._see_that_it_runs()
                tries += 1
                if tries > RETRIES:
                    raise InputError(
                        f"the data cannot be sent to the workers of {self._where}: {type(error).__name__}: {error}",
                        hint="see the logs of its workers; most often memory ran out",
                    ) from error

    def _see_that_it_runs(self) -> None:
        if self._client.status != "running":
            raise self._losses.gone()
