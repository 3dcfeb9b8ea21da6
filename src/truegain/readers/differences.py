"""Where two sequences part."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["first_difference"]


def first_difference(one: Sequence[object], other: Sequence[object]) -> int:
    """The first place at which two sequences differ; the end of the shorter one where that is all of it."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
