"""The few hot loops, compiled if there was a compiler; else the same files run as plain Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from truegain.version import missing

__all__ = ["compiled", "missing", "run", "widest"]


@cache
def compiled() -> bool:
    """Return whether every kernel is compiled; looked up once, as resamplings ask thousands of times."""
    return not missing()


@cache
def widest(name: str) -> ModuleType:
    """Import a kernel as built for wide vectors, if it was and the processor has them; else as it is."""
    if _has_avx2():
        try:
            return import_module(f"truegain.kernels._{name}_avx2")
        except ImportError:  # not built: another compiler, or none
            pass
    return import_module(f"truegain.kernels.{name}")


def _has_avx2() -> bool:
    """Return whether numpy found AVX2; if it does not say, the plain build serves everywhere."""
    for home in ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath"):
        try:
            return bool(import_module(home).__cpu_features__.get("AVX2", False))
        except (ImportError, AttributeError):
            continue
    return False


def run(kernel: Callable[..., Any], *arguments: Any) -> Any:
    """Call a kernel with arrays as memory views: the compiled form takes them, and to the plain form they give ints."""
    return kernel(*(memoryview(one.data) if isinstance(one, np.ndarray) else one for one in arguments))
