"""What is fuzzed, a file each: ``check(data)`` takes any bytes, and raises where something is broken.

A target may have ``WORDS``, pieces to build inputs of; ``LONGEST``, the most bytes of an input (4,096 by default); and
``changed(data, generator)``, a way of its own to change an input.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

__all__ = ["load", "names"]


def names() -> list[str]:
    """All targets."""
    return sorted(one.name for one in pkgutil.iter_modules(__path__))


def load(name: str) -> ModuleType:
    """Return the target of that name."""
    return importlib.import_module(f"fuzz.targets.{name}")
