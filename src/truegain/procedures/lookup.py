"""From a test's name to the test."""

from __future__ import annotations

from importlib import import_module

from truegain.errors import one_of
from truegain.procedures.base import Procedure
from truegain.registry import TESTS

__all__ = ["procedure"]


def procedure(name: str) -> Procedure:
    """Return the test of that name."""
    if name not in TESTS:
        raise one_of("test", name, list(TESTS))
    module, attribute = TESTS[name].target.split(":")
    found: Procedure = getattr(import_module(module), attribute)
    return found
