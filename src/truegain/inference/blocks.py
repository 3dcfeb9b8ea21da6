"""Length of the blocks of the stationary bootstrap."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_FEWEST = 9  # values: with fewer, not every autocorrelation that is looked at exists
_RUN = 5  # small autocorrelations in a row: Politis and White's max(5, √log₁₀ n), for every n below 10²⁵


def optimal_block_length(series: NDArray[np.float64]) -> float:
    """Return the mean block length with the least mean squared error of the mean's variance (Politis and White 2004).

    With the constant of the stationary bootstrap corrected by Patton, Politis and White (2009): (2G²/D)^⅓ · n^⅓, where
    D = 2g², g = Σ λ(k/M) R(k) is the spectral density at zero and G = Σ λ(k/M) |k| R(k) how far dependence reaches;
    R are autocovariances and λ is the flat-top window. M is twice the lag from which on five autocorrelations in a row
    are small. The length is at most min(3√n, n/3), rounded up.

    Parameters
    ----------
    series : array
        Values in order; of a difference of scores, its jackknife pseudo-values.

    Returns
    -------
    float
        At least 1, which is the ordinary bootstrap: for a constant series too, and for fewer than nine values.
    """
    count = int(series.size)
    if count < _FEWEST or np.ptp(series) == 0.0:
        return 1.0
    farthest = math.ceil(math.sqrt(count)) + _RUN
    deviations = series - series.mean()
    products = np.array([deviations[lag:] @ deviations[: count - lag] for lag in range(farthest + 1)])
    width = _window_width(deviations, products)
    lags = np.arange(1, width + 1)
    window = np.minimum(1.0, 2.0 * (1.0 - lags / width))
    covariances = products[1 : width + 1] / count
    density = float(products[0] / count + 2.0 * (window @ covariances))
    reach = float(2.0 * (window * lags) @ covariances)
    longest = math.ceil(min(3.0 * math.sqrt(count), count / 3.0))
    if density == 0.0:
        return float(longest) if reach else 1.0
    ratio = reach / density
    return min(math.pow(max(ratio * ratio * count, 1.0), 1.0 / 3.0), float(longest))


def _window_width(deviations: NDArray[np.float64], products: NDArray[np.float64]) -> int:
    """Return twice the first lag of a run of small autocorrelations, or the farthest lag if there is no such run."""
    count, farthest = deviations.size, products.size - 1
    squares = deviations**2
    # A product is held against the two parts of the series that it joins, each less one value: with other norms the
    # choice would differ, now and then, from that of arch, the program in common use.
    joined = count - 1 - np.arange(1, farthest)
    norms = np.sqrt(np.cumsum(squares)[joined - 1] * np.cumsum(squares[::-1])[joined - 1])
    critical = 2.0 * math.sqrt(math.log10(count) / count)
    small = np.abs(products[1:-1]) < critical * norms
    runs = np.lib.stride_tricks.sliding_window_view(small, _RUN).all(1)
    if not runs.any():
        return farthest
    return min(2 * (int(runs.argmax()) + 1), farthest)
