"""Intervals of scores and of differences, from resampled values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import normal_cdf, normal_quantile

__all__ = ["INTERVALS", "Interval", "IntervalMethod", "bootstrap_interval", "quantiles"]

IntervalMethod = Literal["percentile", "basic", "bca", "normal"]
#: The kinds of bootstrap interval.
INTERVALS: tuple[IntervalMethod, ...] = ("percentile", "basic", "bca", "normal")


@dataclass(frozen=True)
class Interval:
    """An interval of the given confidence level."""

    low: float
    high: float
    level: float
    method: IntervalMethod


def bootstrap_interval(
    observed: float,
    resampled: NDArray[np.float64],
    *,
    level: float = 0.95,
    method: IntervalMethod = "percentile",
    factor: float = 1.0,
    left_out: NDArray[np.float64] | None = None,
) -> Interval:
    """The interval of a value from its bootstrap resamples (Efron and Tibshirani 1993, ch. 13 and 14).

    Parameters
    ----------
    observed : float
    resampled : array
    level : float
    method : "percentile", "basic", "bca" or "normal"
        Quantiles of the resampled values; the same mirrored at the observed value; quantiles corrected for bias and for
        acceleration; or the observed value plus and minus a normal quantile times the standard deviation.
    factor : float
        What deviations from the observed value are multiplied by, see
        :func:`truegain.inference.pvalues.small_sample_factor`. ``bca`` has corrections of its own, and goes without.
    left_out : array, optional
        For ``bca``, the values with one unit left out at a time, over the same units that were resampled.
    """
    tail = (1.0 - level) / 2.0
    if method == "normal":
        reach = normal_quantile(1.0 - tail) * float(resampled.std()) * factor
        return Interval(observed - reach, observed + reach, level, method)
    if method == "bca":
        if left_out is None:
            raise ValueError("the acceleration of bca comes from values with one unit left out")
        low, high = quantiles(resampled, _bca_levels(observed, resampled, left_out, tail))
        return Interval(low, high, level, method)
    low, high = (observed + factor * (end - observed) for end in quantiles(resampled, (tail, 1.0 - tail)))
    if method == "basic":
        low, high = 2.0 * observed - high, 2.0 * observed - low
    return Interval(low, high, level, method)


def quantiles(values: NDArray[np.float64], levels: tuple[float, ...]) -> list[float]:
    """Quantiles with linear interpolation; numpy's own load its masked arrays, which takes longer than all the rest."""
    ordered = np.sort(values)
    found = []
    for level in levels:
        place = level * (ordered.size - 1)
        below = int(place)
        above = min(below + 1, ordered.size - 1)
        found.append(float(ordered[below] + (place - below) * (ordered[above] - ordered[below])))
    return found


def _bca_levels(
    observed: float, resampled: NDArray[np.float64], left_out: NDArray[np.float64], tail: float
) -> tuple[float, float]:
    """Which quantiles of the resampled values are the ends; (0, 1) and the like where all values are the same."""
    below = (np.count_nonzero(resampled < observed) + 0.5 * np.count_nonzero(resampled == observed)) / resampled.size
    if not 0.0 < below < 1.0:  # the observed value is beyond every resample: there is no correction to make
        return tail, 1.0 - tail
    bias = normal_quantile(below)
    deviations = left_out.mean() - left_out
    spread = float((deviations**2).sum()) ** 1.5
    acceleration = float((deviations**3).sum()) / (6.0 * spread) if spread > 0.0 else 0.0

    def corrected(probability: float) -> float:
        shifted = bias + normal_quantile(probability)
        return normal_cdf(bias + shifted / (1.0 - acceleration * shifted))

    return corrected(tail), corrected(1.0 - tail)
