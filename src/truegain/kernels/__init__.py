"""The few hot loops, compiled where there was a compiler; the same files run as plain Python where there was not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["compiled", "missing", "run"]


def missing() -> list[str]:
    """The kernels that run as plain Python here."""
    from importlib.machinery import EXTENSION_SUFFIXES
    from pathlib import Path

    room = Path(__file__).parent
    names = sorted(path.stem for path in room.glob("[!_]*.py"))
    return [name for name in names if not any((room / f"{name}{suffix}").exists() for suffix in EXTENSION_SUFFIXES)]


def compiled() -> bool:
    """Whether every kernel is compiled."""
    return not missing()


def run(kernel: Callable[..., Any], *arguments: Any) -> Any:
    """Call a kernel with arrays as memory views: the compiled form takes them, and to the plain form they give ints."""
    return kernel(*(memoryview(one.data) if isinstance(one, np.ndarray) else one for one in arguments))
