"""Intervals of scores and of differences, from resampled values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import normal_quantile

__all__ = ["Interval", "IntervalMethod", "bootstrap_interval"]

IntervalMethod = Literal["percentile", "normal"]


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
) -> Interval:
    """The interval of a value from its bootstrap resamples.

    Parameters
    ----------
    observed : float
    resampled : array
    level : float
    method : "percentile" or "normal"
        Quantiles of the resampled values; or the observed value plus and minus a normal quantile times their standard
        deviation.
    factor : float
        What deviations from the observed value are multiplied by, see
        :func:`truegain.inference.pvalues.small_sample_factor`.
    """
    tail = (1.0 - level) / 2.0
    if method == "normal":
        reach = normal_quantile(1.0 - tail) * float(resampled.std()) * factor
        return Interval(observed - reach, observed + reach, level, method)
    low, high = np.quantile(resampled, [tail, 1.0 - tail])
    return Interval(
        observed + factor * (float(low) - observed), observed + factor * (float(high) - observed), level, method
    )
