"""Engines by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truegain.engines.engine import Engine
from truegain.errors import InputError
from truegain.executors.over import Workers
from truegain.executors.processors import available_jobs

if TYPE_CHECKING:
    from concurrent.futures import Executor

#: The names, as errors and help show them.
ENGINES = ("threads", "torch", "torch:DEVICE", "dask", "dask://HOST:PORT")


def make_engine(name: str | None, jobs: int | None, executor: Executor | None = None) -> Engine:
    """Return an engine by its name, or of an executor; threads by default.

    Parameters
    ----------
    name : str or None
        ``threads``; ``torch``, on a GPU if there is one, or ``torch:cpu``, ``torch:cuda:1``; ``dask`` for a cluster in
        this process, ``dask://host:port`` for one that runs already.
    jobs : int or None
        Threads; by default as many as there are processors.
    executor : concurrent.futures.Executor, optional
        Any other workers.
    """
    jobs = available_jobs(jobs)
    if executor is not None:
        return Engine(Workers(jobs, executor))
    if name is None or name == "threads":
        return Engine(Workers(jobs))
    if name == "torch" or (name.startswith("torch:") and name != "torch:"):
        from truegain.engines.torch import TorchEngine

        return TorchEngine.on(name.partition(":")[2] or None, jobs)
    kind, _, address = name.partition("://")
    if kind == "dask" and (bool(address) or name == kind):
        from truegain.executors.pools import dask

        return Engine(Workers(jobs, dask(_checked(address, name), jobs)))
    raise InputError(f"there is no engine {name[:60]!r}", hint=f"it must be one of {', '.join(ENGINES)}")


def _checked(address: str, name: str) -> str:
    """Return the address of a cluster, ``host:port``; empty if one is to be begun here."""
    host, _, port = address.rpartition(":")
    if address and (not host or not port.isdecimal() or not 0 < int(port) < 65536 or "/" in host):
        raise InputError(f"{name[:60]!r} is not the address of a cluster", hint="it must be like dask://10.0.0.5:8786")
    return address
