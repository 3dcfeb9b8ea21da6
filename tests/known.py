"""Values that may be missing of other results, and must be there in a test."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")


def known(value: Value | None) -> Value:
    """Return a value that must be there."""
    assert value is not None
    return value
