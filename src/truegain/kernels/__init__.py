"""The few hot loops, compiled where there was a compiler; the same files run as plain Python where there was not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

__all__ = ["compiled", "missing", "run", "widest"]


def missing() -> list[str]:
    """The kernels that run as plain Python here."""
    from importlib.machinery import EXTENSION_SUFFIXES
    from pathlib import Path

    room = Path(__file__).parent
    names = sorted(path.stem for path in room.glob("[!_]*.py"))
    return [name for name in names if not any((room / f"{name}{suffix}").exists() for suffix in EXTENSION_SUFFIXES)]


@cache
def compiled() -> bool:
    """Whether every kernel is compiled; it is looked up once, for resamplings ask by the thousand."""
    return not missing()


@cache
def widest(name: str) -> ModuleType:
    """A kernel as it was built for wide vectors, where it was and the processor has them; else as it is."""
    if _has_avx2():
        try:
            return import_module(f"truegain.kernels._{name}_avx2")
        except ImportError:  # not built: another compiler, or none
            pass
    return import_module(f"truegain.kernels.{name}")


def _has_avx2() -> bool:
    """What numpy found out about the processor; where it does not tell, the plain build serves everywhere."""
    for home in ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath"):
        try:
            return bool(import_module(home).__cpu_features__.get("AVX2", False))
        except (ImportError, AttributeError):
            continue
    return False


def run(kernel: Callable[..., Any], *arguments: Any) -> Any:
    """Call a kernel with arrays as memory views: the compiled form takes them, and to the plain form they give ints."""
    return kernel(*(memoryview(one.data) if isinstance(one, np.ndarray) else one for one in arguments))
