"""Profiles: from the standard errors of pairs of systems to the probability that a reported gain is significant.

A gain g is significant at level α if the standard error of its difference is at most g / z_α. The error is unknown if
there are no outputs; here it is predicted from pairs of other systems on the same test set. Errors grow with the gain,
because a good and a poor system have less in common: log errors are regressed on gains, pairs near the gain first.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

#: A profile with fewer pairs predicts nothing.
FEWEST_PAIRS = 10
#: No gain is predicted above so many times the largest gain of a profile.
FARTHEST_GAIN = 2.0
#: No test set is predicted that is more than so many times larger or smaller than that of the profile.
FARTHEST_SIZE = 4.0

_REACH = 5.0  # median errors; gains beyond them have much the same errors
_NEAR = 2.0  # median errors: the width of the neighbourhood of a gain
_SMOOTH = 0.3  # of the standard deviation of residuals
_LOGISTIC = 1.702  # times which a logistic curve is closest to the normal one
_AT_ONCE = 1 << 21  # residuals that are held
_CERTAIN = 1e-6  # from 0 and 1: closer shares have the same log odds


def significant_share(
    gains: NDArray[np.float64],
    errors: NDArray[np.float64],
    reported: float,
    needed: float,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return the share of pairs with a gain of this size whose standard error would be small enough.

    Log errors are fitted by a straight line over gains, up to five median errors, with normal weights around the
    reported gain; the share is that of the weighted residuals, smoothed.

    Parameters
    ----------
    gains, errors : array (pairs,)
        Of the profile; errors are positive.
    reported : float
        The gain.
    needed : float
        The largest standard error at which it is significant, in the errors of the profile.
    weights : array (draws, pairs), optional
        How often each pair counts, draw by draw; by default once, in one draw.

    Returns
    -------
    array (draws,)
        Not a number if no pair counts.
    """
    counts = np.ones((1, gains.size)) if weights is None else weights
    unit = float(np.median(errors))
    places, place = np.minimum(gains / unit, _REACH), min(reported / unit, _REACH)
    logs = np.log(errors)
    # Counted from the place of the gain, so that the line there is its intercept.
    places = places - place
    near = np.exp(-0.5 * (places / _NEAR) ** 2)
    found = np.full(len(counts), np.nan)
    step = max(1, _AT_ONCE // gains.size)
    for start in range(0, len(counts), step):
        given = counts[start : start + step] * near
        total = given.sum(1)
        some = total > 0.0
        shares = given[some] / total[some, None]
        middle, height = shares @ places, shares @ logs
        spread = shares @ places**2 - middle**2
        rise = shares @ (places * logs) - middle * height
        slope = np.where(spread > 1e-12, rise / np.where(spread > 1e-12, spread, 1.0), 0.0)
        line = height - slope * middle
        residuals = logs - line[:, None] - slope[:, None] * places
        width = _SMOOTH * np.sqrt((shares * residuals**2).sum(1)) + 1e-9
        above = (math.log(needed) - line)[:, None] - residuals
        part = np.full(len(given), np.nan)
        # Shares add up to 1 but for rounding.
        part[some] = np.minimum((shares * _smooth_step(above / width[:, None])).sum(1), 1.0)
        found[start : start + step] = part
    return found


def drawn_weights(
    firsts: NDArray[np.int64], seconds: NDArray[np.int64], counts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how often each pair counts in draws of systems; ``counts`` are (draws, systems)."""
    return np.asarray(counts[:, firsts] * counts[:, seconds])


def log_odds(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log odds of shares, finite for 0 and 1."""
    inside = np.clip(shares, _CERTAIN, 1.0 - _CERTAIN)
    return np.asarray(np.log(inside) - np.log1p(-inside))


def _smooth_step(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(np.clip(-_LOGISTIC * x, -50.0, 50.0))))
