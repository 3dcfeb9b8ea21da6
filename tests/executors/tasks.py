"""Tasks for executors: at the top of a module that workers can import."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError

REFUSED = 77


@dataclass(frozen=True)
class Scaled:
    """Every item times the last number, and the process that did it; one item is refused."""

    by: NDArray[np.float64]

    def __call__(self, item: int) -> tuple[float, int]:
        if item == REFUSED:
            raise InputError("no such item", path="there", line=3, hint="take another")
        return item * float(self.by[-1]), os.getpid()


ITSELF = Scaled(np.ones(1))


@dataclass(frozen=True)
class Fatal:
    """Ends its own process for some items, the first so many times."""

    folder: Path
    times: int

    def __call__(self, item: int) -> int:
        if item % 5 == 3:
            for time in range(self.times):
                try:
                    (self.folder / f"{item}.{time}").touch(exist_ok=False)
                except FileExistsError:
                    continue
                os.kill(os.getpid(), signal.SIGKILL)
        return item * item


class Unreadable(Exception):
    """Can be sent, and not be read again."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


@dataclass(frozen=True)
class Odd:
    """Fails with an error that does not survive being sent, in one way or another."""

    def __call__(self, item: int) -> int:
        class Local(Exception):
            pass

        raise Local("of its own") if item == 1 else Unreadable(item, 2)
