"""Several samples of one item: scores of the same id, averaged."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError

__all__ = ["averaged", "averaged_in_order", "say_samples"]


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
    places: dict[str, int] = {}
    items = np.array([places.setdefault(item, len(places)) for item in ids])
    counts = np.bincount(items)
    if counts.max() == 1:
        return tuple(ids), dict(columns), (1, 1)
    rows = np.argsort(items, kind="stable")
    means = {name: averaged_in_order(values[rows], counts) for name, values in columns.items()}
    return tuple(places), means, (int(counts.min()), int(counts.max()))


def averaged_in_order(values: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Average scores that stand item by item, so many of each."""
    if counts.max() == 1:
        return values
    listed, ends = values.tolist(), np.cumsum(counts).tolist()
    return np.array([_mean(listed[end - count : end]) for end, count in zip(ends, counts.tolist(), strict=True)])


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
