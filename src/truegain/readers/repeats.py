"""Several samples of one item: scores of the same id, averaged."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError

__all__ = ["averaged", "say_samples"]


def averaged(
    ids: Sequence[str], columns: Mapping[str, NDArray[np.float64]]
) -> tuple[tuple[str, ...], dict[str, NDArray[np.float64]], tuple[int, int]]:
    """Average scores over rows of one id: samples of one item are not independent segments.

    Parameters
    ----------
    ids : sequence of str
        One for each row.
    columns : mapping of str to array

    Returns
    -------
    ids : tuple of str
        Each once, in the order in which they first occur.
    columns : dict of str to array
        Means. The sum of an item is rounded once, so the order of its rows does not matter.
    samples : tuple of two ints
        The least and the most rows of an item.
    """
    rows: dict[str, list[int]] = {}
    for row, item in enumerate(ids):
        rows.setdefault(item, []).append(row)
    counts = [len(own) for own in rows.values()]
    if max(counts) == 1:
        return tuple(ids), dict(columns), (1, 1)
    means = {name: np.array([_mean(values[own].tolist()) for own in rows.values()]) for name, values in columns.items()}
    return tuple(rows), means, (min(counts), max(counts))


def _mean(values: list[float]) -> float:
    """Return the mean, which is the value itself if there is only one."""
    if min(values) == max(values):
        return values[0]
    try:
        return math.fsum(values) / len(values)
    except OverflowError:
        raise InputError(f"scores such as {max(values, key=abs):g} are too large to be averaged") from None


def say_samples(items: int, samples: tuple[int, int]) -> str:
    """Return how many items and samples there are, in words: ``144 items × 5 samples``."""
    least, most = samples
    each = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    return f"{items:,} item{'s' if items != 1 else ''} × {each} samples"
