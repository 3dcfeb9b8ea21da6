"""Variances without resampling: the delete-one jackknife over units."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["design_effect", "jackknife_variance"]

Statistic = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def jackknife_variance(units: NDArray[np.float64], statistic: Statistic) -> NDArray[np.float64]:
    """The variance of a statistic of totals, leaving out one unit at a time (Efron and Tibshirani 1993, ch. 11).

    Parameters
    ----------
    units : array (units, columns)
    statistic : callable
        From totals (columns, …) to values (rows, …).
    """
    count = units.shape[0]
    left = statistic((units.sum(0) - units).T)
    deviations = left - left.mean(-1, keepdims=True)
    return np.asarray((count - 1) / count * (deviations**2).sum(-1))


def design_effect(
    segments: NDArray[np.float64], documents: NDArray[np.float64], statistic: Statistic
) -> NDArray[np.float64]:
    """The variance with documents as the units over the variance with segments as the units; NaN where both are 0."""
    by_segment = jackknife_variance(segments, statistic)
    by_document = jackknife_variance(documents, statistic)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(by_document / by_segment)
