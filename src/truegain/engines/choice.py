"""Engines by name."""

from __future__ import annotations

import os
from functools import cache

from truegain.engines.base import Engine
from truegain.engines.blas import BlasEngine
from truegain.errors import InputError

#: The names, as errors and help show them.
ENGINES = ("threads", "processes", "torch", "torch:DEVICE", "dask", "dask://HOST:PORT", "ray", "ray://HOST:PORT")


def make_engine(engine: Engine | str | None, jobs: int) -> Engine:
    """Return an engine by its name; threads by default. An engine object is returned as it is.

    Parameters
    ----------
    engine : Engine, str or None
        ``threads``; ``processes``; ``torch``, on a GPU if there is one, or ``torch:cpu``, ``torch:cuda:1``;
        ``dask`` and ``ray`` for a cluster on this machine, ``dask://host:port`` and ``ray://host:port`` for one that
        runs already.
    jobs : int
        Threads, or workers on this machine.
    """
    if engine is not None and not isinstance(engine, str):
        return engine
    return _made("threads" if engine is None else engine, jobs)


@cache
def _made(name: str, jobs: int) -> Engine:
    """Make an engine, once: a cluster takes seconds to begin."""
    if name == "threads":
        return BlasEngine(jobs=jobs)
    if name == "processes":
        from truegain.engines.spread import SpreadEngine
        from truegain.executors.processes import processes

        return SpreadEngine(processes(jobs))
    if name == "torch" or (name.startswith("torch:") and name != "torch:"):
        from truegain.engines.torch import TorchEngine

        return TorchEngine.on(name.partition(":")[2] or None, jobs)
    kind, _, address = name.partition("://")
    if kind in ("dask", "ray") and (bool(address) or name == kind):
        from truegain.engines.spread import SpreadEngine
        from truegain.executors.base import Executor

        cluster: Executor
        if kind == "dask":
            from truegain.executors.dask import Dask

            cluster = Dask(jobs, _checked(name, address))
        else:
            from truegain.executors.ray import Ray

            cluster = Ray(jobs, _checked(name, address))
        return SpreadEngine(cluster)
    raise InputError(f"there is no engine {name[:60]!r}", hint=f"it must be one of {', '.join(ENGINES)}")


def _checked(name: str, address: str) -> str | None:
    """Return the address of a cluster, ``host:port``; None if one is to be begun on this machine."""
    if not address:
        return None
    kind, usual = name.partition(":")[0], {"dask": "8786", "ray": "10001"}
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536 or "/" in host:
        raise InputError(
            f"{name[:60]!r} is not the address of a cluster", hint=f"it must be like {kind}://10.0.0.5:{usual[kind]}"
        )
    return address


if hasattr(os, "register_at_fork"):
    # A copy of this process has neither its threads nor its connections: it begins others when it needs them.
    os.register_at_fork(after_in_child=_made.cache_clear)
