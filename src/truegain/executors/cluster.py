"""Base of clusters of any library: a connection that is kept, and words for workers that are lost."""

from __future__ import annotations

import atexit
import os
import socket
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from uuid import uuid4

from truegain.errors import InputError, Setting
from truegain.executors.base import RETRIES, Done, Item
from truegain.executors.ordered_map import Work, in_order
from truegain.executors.sending import Packed, pack
from truegain.executors.undisturbed import undisturbed
from truegain.memory_check import need

#: Within which a cluster at an address must answer.
SECONDS_TO_CONNECT = 5

#: Seconds without a result, after which it is asked whether there are workers.
LOOK_UP = 5

_SECONDS_WITHOUT_WORKERS = 60


class _Connection(NamedTuple):
    process: int  # that made it
    library: Any
    ends: ExitStack


@dataclass(frozen=True)
class Cluster(ABC):
    """A cluster, begun or connected to with the first task.

    Parameters
    ----------
    jobs : int
        Worker processes on this machine, if no address is given.
    address : str, optional
        ``host:port`` of a cluster that runs already.
    """

    jobs: int = 1
    address: str | None = None
    shares_memory = False

    @property
    @abstractmethod
    def workers(self) -> int:
        """See :class:`truegain.executors.base.Executor`."""

    @property
    @abstractmethod
    def where(self) -> str:
        """The cluster, for messages."""

    def map(self, task: Callable[[Item], Done], items: Sequence[Item]) -> Iterator[Done]:
        """See :class:`truegain.executors.base.Executor`."""
        if items:
            yield from in_order(self._work(pack(task, uuid4().hex), items), len(items), self.workers)

    def close(self) -> None:
        """End what was begun; a cluster that ran before runs on."""
        if self._open:
            atexit.unregister(self.close)
            connection = self._open.pop()
            if connection.process == os.getpid():  # a copy of this process has no part in its connections
                with undisturbed():
                    connection.ends.close()

    @property
    def library(self) -> Any:
        """Handle of the library, connected."""
        if self._open and not (self._open[0].process == os.getpid() and self._runs(self._open[0].library)):
            self.close()
        if not self._open:
            with undisturbed():  # what is half begun cannot be ended
                with ExitStack() as ends:
                    library = self._connected(ends)
                    self._open.append(_Connection(os.getpid(), library, ends.pop_all()))
                atexit.register(self.close)
        return self._open[0].library

    @cached_property
    def _open(self) -> list[_Connection]:
        """The connection there is, if there is one."""
        return []

    @abstractmethod
    def _connected(self, ends: ExitStack) -> Any:
        """Connect, and return the library's handle; add to ``ends`` how to end what was begun."""

    @abstractmethod
    def _runs(self, library: Any) -> bool:
        """Return whether a connection that was made is still there."""

    @abstractmethod
    def _work(self, packed: Packed, items: Sequence[Any]) -> Work:
        """Return a task and its items, none of them begun."""


def knock(address: str) -> None:
    """Check that anything listens at ``host:port``: else the libraries would try for seconds."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host.strip("[]"), int(port)), timeout=SECONDS_TO_CONNECT).close()


def cannot_be_started(where: str, error: BaseException) -> InputError:
    """Return the error for a cluster on this machine that a library failed to start."""
    return InputError(
        f"{where} cannot be started: {first_line(error)}",
        hint=("see that there is memory, and room in /dev/shm; or take another ", Setting("engine")),
    )


def need_memory(size: int, where: str) -> None:
    """Refuse to start a cluster on this machine without so many bytes of address space."""
    try:
        need(size)
    except MemoryError as error:
        raise cannot_be_started(where, MemoryError("there is not enough memory")) from error


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says."""
    return str(error).strip().split("\n")[0] or type(error).__name__


class Losses:
    """Losses of a task: workers, items and waiting time; too many are raised.

    Parameters
    ----------
    where : str
        The cluster, for messages.
    """

    def __init__(self, where: str) -> None:
        self._where = where
        self._times: Counter[int] = Counter()

    def times(self, place: int) -> int:
        """Return how often an item was lost."""
        return self._times[place]

    def again(self, place: int) -> None:
        """Count a lost item that is to be sent again."""
        self._times[place] += 1
        if self._times[place] > RETRIES:
            raise InputError(
                f"the same work was lost {RETRIES + 1} times by {self._where}",
                hint="see the logs of its workers; most often memory ran out",
            )

    def waited(self, seconds: int, *, workers: bool) -> int:
        """Return for how long there have been no workers, after looking once more."""
        seconds = 0 if workers else seconds + LOOK_UP
        if seconds >= _SECONDS_WITHOUT_WORKERS:
            raise InputError(
                f"{self._where} has had no workers for {seconds} seconds",
                hint="start workers, and give the command again",
            )
        return seconds

    def killed(self) -> InputError:
        """Return the error for a library that has tried again by itself."""
        return InputError(
            f"workers of {self._where} were ended from outside, {RETRIES + 1} times at the same work",
            hint="most often memory ran out: use fewer workers on a machine",
        )

    def gone(self) -> InputError:
        """Return the error for a cluster that cannot be reached any more."""
        return InputError(f"{self._where} is not there any more", hint="start it, and give the command again")
