"""Tasks at the top of a module, as workers elsewhere need them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError

REFUSED = 77


def squares(factor: int, first: int, end: int) -> tuple[list[int], int]:
    """Squares times a factor, and the process that made them; one number is refused."""
    if first <= REFUSED < end:
        raise InputError("no such number", path="there", line=3, hint="take another")
    return [factor * number * number for number in range(first, end)], os.getpid()


def scaled(values: NDArray[np.float64], first: int, end: int) -> NDArray[np.float64]:
    """Numbers times the last of large data."""
    found: NDArray[np.float64] = values[-1] * np.arange(first, end, dtype=np.float64)
    return found


def fatal(folder: Path, first: int, end: int) -> int:
    """End its own process the first time that it is asked for the number 3."""
    if first == 3:
        try:
            (folder / "killed").touch(exist_ok=False)
        except FileExistsError:
            return first
        os.kill(os.getpid(), signal.SIGKILL)
    return first


def always_fatal(_: None, first: int, end: int) -> int:
    """End its own process."""
    os.kill(os.getpid(), signal.SIGKILL)
    return first


def slow(_: int, first: int, __: int) -> int:
    """Take a minute for every number but the first."""
    time.sleep(60.0 * (first > 0))
    return first
