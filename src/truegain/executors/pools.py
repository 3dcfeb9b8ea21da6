"""Workers elsewhere: processes of this machine that end with the command, and Dask."""

from __future__ import annotations

import atexit
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from truegain.errors import InputError, Setting
from truegain.executors.cleanup import private_folder
from truegain.executors.over import Workers, pack

if TYPE_CHECKING:
    from concurrent.futures import Executor, ProcessPoolExecutor

_SECONDS_TO_CONNECT = 5
_NO_LOGS = 100  # a level of logs above all
#: Dask always has servers of pages: these have none, and are out of reach of other machines.
_NO_PAGES: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
_OWN_PORTS = {"dashboard_address": "127.0.0.1:0", "worker_dashboard_address": "127.0.0.1:0"}


@contextmanager
def processes(jobs: int) -> Iterator[Workers]:
    """Give so many processes, begun afresh: threads of numpy's libraries do not survive a copy of this one."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_end_with_the_command)
    try:
        yield Workers(jobs, pool)
    except BaseException:
        _kill(pool)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def can_run_in_processes(data: object) -> bool:
    """Return whether other processes can import what runs here, and be given the data.

    A script without a guard would run again in each, and a metric made of functions typed in a notebook cannot be sent.
    """
    path = getattr(sys.modules.get("__main__"), "__file__", None)
    try:
        guarded = path is None or "__main__" in Path(path).read_text("utf-8", "replace")
        pack(data)
    except (OSError, InputError):
        return False
    return guarded


def _kill(pool: ProcessPoolExecutor) -> None:
    """End the processes now: what they do is not wanted any more."""
    for process in list((pool._processes or {}).values()):
        process.kill()


def _end_with_the_command() -> None:
    """Leave interrupts, in a worker, to the command, which ends its workers; end with it, however it ends."""
    import multiprocessing.connection
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    command = multiprocessing.parent_process()

    def wait_for_its_end() -> None:
        if command is not None:
            multiprocessing.connection.wait([command.sentinel])
            os._exit(1)

    Thread(target=wait_for_its_end, daemon=True).start()


@cache
def dask(address: str, jobs: int) -> Executor:
    """Return an executor of Dask: of the cluster at ``host:port``, or begun here if there is no address.

    One that is begun here is in this process, and nobody else can speak to it: by a port, other users of the machine
    could run programs as this one. A cluster is connected to once; the connection ends with the program.
    """
    loaded_before = "distributed" in sys.modules
    try:
        import dask as library
        import distributed
    except ImportError as error:
        raise InputError(f"Dask is not installed here ({error})", hint="pip install 'truegain[dask]'") from error
    if not loaded_before:
        _silence_logs()
    if not address:
        return _executor_of(_begun_here(jobs))
    try:
        host, _, port = address.rpartition(":")
        socket.create_connection((host.strip("[]"), int(port)), timeout=_SECONDS_TO_CONNECT).close()
        secured = library.config.get("distributed.comm.tls.client.cert", None) is not None
        url = f"{'tls' if secured else 'tcp'}://{address}"
        client = distributed.Client(url, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except Exception as error:  # who knows what answers at that port, and what the library makes of the answer
        raise InputError(
            f"there is no answer from a Dask scheduler at {address} ({type(error).__name__})",
            hint="start one there with: dask scheduler; and check that no firewall blocks it",
        ) from error
    if not client.nthreads():
        raise InputError(
            f"the Dask scheduler at {address} has no workers",
            hint=f"start some, on any machine: dask worker {address} --nthreads 1",
        )
    return _executor_of(client)


def _silence_logs() -> None:
    """Leave it to our errors to say what Dask would log, where the program itself does not use it."""
    import logging

    for name in ("tornado", "asyncio", *logging.root.manager.loggerDict):
        if name.split(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(_NO_LOGS)


def _begun_here(jobs: int) -> Any:
    """Begin Dask in this process; its folder and itself end with the program."""
    import dask as library
    import distributed

    ends = ExitStack()
    here = {"processes": False, "n_workers": 1, "threads_per_worker": jobs, "memory_limit": 0}
    try:
        folder = str(ends.enter_context(private_folder("truegain-dask-")))
        with library.config.set({**_NO_PAGES, "temporary-directory": folder}):
            client = ends.enter_context(distributed.Client(**here, **_OWN_PORTS, set_as_default=False))
    except (OSError, RuntimeError, TimeoutError, MemoryError) as error:
        ends.close()
        said = str(error).strip().split("\n")[0] or type(error).__name__
        raise InputError(
            f"Dask cannot be started here: {said}",
            hint=("see that there is memory, and that files can be opened; or leave out ", Setting("engine")),
        ) from error
    atexit.register(ends.close)
    return client


def _executor_of(client: Any) -> Executor:
    executor: Executor = client.get_executor(pure=False)
    return executor


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=dask.cache_clear)  # a copy of this process has none of its connections
