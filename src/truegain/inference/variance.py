"""Variances without resampling: the delete-one jackknife over units."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["design_effect", "jackknife", "jackknife_variance"]

Statistic = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def jackknife(left_out: NDArray[np.float64], strata: tuple[int, ...] | None = None) -> float:
    """Return the delete-one jackknife variance from the values with one unit left out, by stratum if there are strata.

    A unit is left out of all N, so it moves the value by N / (N − 1) times its part; within a stratum of n units such
    parts vary by n / (n − 1) times their squared deviations. The only unit of a stratum cannot vary.
    """
    edges = np.cumsum((0, *(strata or (left_out.size,))))
    whole = (left_out.size - 1) / left_out.size
    total = 0.0
    for first, last in itertools.pairwise(edges.tolist()):
        part = left_out[first:last]
        if part.size > 1:
            total += whole**2 * part.size / (part.size - 1) * float(((part - part.mean()) ** 2).sum())
    return total


def jackknife_variance(units: NDArray[np.float64], statistic: Statistic) -> NDArray[np.float64]:
    """Return the variance of a statistic of totals, leaving out one unit at a time (Efron and Tibshirani 1993, ch. 11).

    Parameters
    ----------
    units : array (units, columns)
    statistic : callable
        From totals (columns, …) to values (rows, …).
    """
    return np.array([jackknife(row) for row in statistic((units.sum(0) - units).T)])


def design_effect(
    segments: NDArray[np.float64], documents: NDArray[np.float64], statistic: Statistic
) -> NDArray[np.float64]:
    """Return the variance with documents as the units over that with segments as the units; NaN if both are 0."""
    by_segment = jackknife_variance(segments, statistic)
    by_document = jackknife_variance(documents, statistic)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(by_document / by_segment)
