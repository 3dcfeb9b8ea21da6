"""Messages to workers: a task with all its data, items, and their results."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting
from truegain.executors.environment import Environment, check_like, here


@dataclass(frozen=True)
class Packed:
    """Task as bytes, with its arrays separate: a cluster's library moves these without a copy, and workers share them.

    It is opened by the task's own process alone, and by workers that this process was connected to.
    """

    name: str
    header: bytes
    arrays: tuple[NDArray[np.uint8], ...]
    made_in: Environment

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Packed) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def size(self) -> int:
        """Number of bytes sent to each worker."""
        return len(self.header) + sum(one.nbytes for one in self.arrays)


@dataclass(frozen=True)
class Failure:
    """An error of a task. It comes back like a result: done again, the task would fail again."""

    error: Exception


def pack(task: object, name: str) -> Packed:
    """Make a task ready to be sent; the name must be no other task's."""
    buffers: list[pickle.PickleBuffer] = []
    header = _dumped(task, buffers.append)
    return Packed(name, header, tuple(np.frombuffer(one.raw(), np.uint8) for one in buffers), here())


def pack_item(item: object) -> bytes:
    """Make an item ready to be sent."""
    return _dumped(item, None)


def _dumped(value: object, keep: Callable[[pickle.PickleBuffer], Any] | None) -> bytes:
    try:
        return pickle.dumps(value, protocol=5, buffer_callback=keep)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"the work cannot be sent to another process: {error}",
            hint=("a metric must be a class at the top of an importable module; or leave out ", Setting("engine")),
        ) from error


def do(packed: Packed, item: bytes) -> Any:
    """Run the task, on a worker, on an item."""
    try:
        return _opened(packed)(pickle.loads(item))
    except Exception as error:
        return Failure(_sendable(error))


@lru_cache(maxsize=1)
def _opened(packed: Packed) -> Callable[[Any], Any]:
    """Open the task once on each worker: what it prepares for the first item serves the others."""
    check_like(packed.made_in)  # a worker may have come when the others had been asked already
    try:
        task: Callable[[Any], Any] = pickle.loads(packed.header, buffers=packed.arrays)
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"a worker cannot read the work that it was sent: {error}",
            hint="install on the workers what is installed here, a metric of your own too",
        ) from error
    return task


def _sendable(error: Exception) -> Exception:
    """Return the error itself if it survives being sent; else one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
