"""First difference of two sequences."""

from __future__ import annotations

from collections.abc import Sequence


def first_difference(one: Sequence[object], other: Sequence[object]) -> int:
    """Return the first place at which two sequences differ, or the end of the shorter one if it begins the other."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
