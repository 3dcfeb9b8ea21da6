"""Thresholds: from the standard errors of all pairs of systems to the gain that is usually significant.

Berg-Kirkpatrick, Burkett and Klein (2012, section 3.1) read it off the pairs whose p is near the level. There may be
few: here every pair gives the gain at which it would be significant, and the band is shown next to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import normal_quantile
from truegain.inference.pvalues import small_sample_factor

#: The share of pairs that a usual gain suffices for.
USUAL = 0.95
#: P-values near the level, as shares of it: from .04 to .06 at .05.
BAND = (0.8, 1.2)
#: Fewer pairs than these have no percentile worth showing.
FEWEST_IN_BAND = 10

_AT_ONCE = 1 << 22  # weights of pairs that are held


def percentile(values: NDArray[np.float64], share: float = USUAL) -> float:
    """Return the value that a share of them does not pass, by linear interpolation."""
    return float(np.quantile(values, share))


def in_band(p: NDArray[np.float64], alpha: float) -> NDArray[np.bool_]:
    """Return which p-values are near the level, ends included."""
    slack = 1e-12
    return np.asarray((p >= BAND[0] * alpha - slack) & (p <= BAND[1] * alpha + slack))


def drawn_percentiles(
    values: NDArray[np.float64],
    firsts: NDArray[np.int64],
    seconds: NDArray[np.int64],
    counts: NDArray[np.float64],
    share: float = USUAL,
) -> NDArray[np.float64]:
    """Return the percentile over the pairs of systems drawn with replacement.

    Two copies of a system are no pair; a pair of systems drawn twice and three times counts six times.

    Parameters
    ----------
    values : array (pairs,)
        Of each pair.
    firsts, seconds : array (pairs,)
        Its systems.
    counts : array (draws, systems)
        How often each system was drawn.

    Returns
    -------
    array (draws,)
        Not a number if no pair is left.
    """
    order = np.argsort(values, kind="stable")
    ranked, one, other = values[order], firsts[order], seconds[order]
    found = np.full(len(counts), np.nan)
    step = max(1, _AT_ONCE // max(1, values.size))
    for start in range(0, len(counts) if values.size else 0, step):
        drawn = counts[start : start + step]
        reached = np.cumsum(drawn[:, one] * drawn[:, other], axis=1)
        total = reached[:, -1]
        some = total > 0
        place = (total[some] - 1.0) * share
        below = np.floor(place)
        low, high = (ranked[_position(reached[some], at)] for at in (below, np.minimum(below + 1.0, total[some] - 1.0)))
        part = np.full(len(drawn), np.nan)
        part[some] = low + (high - low) * (place - below)
        found[start : start + step] = part
    return found


def _position(reached: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the positions of these places, counted from 0, in rows of cumulative weights."""
    return np.asarray((reached <= places[:, None]).sum(1))


def drawn_interval(
    observed: float, drawn: NDArray[np.float64], systems: int, *, ratio: bool, level: float = 0.95
) -> tuple[float, float] | tuple[None, None]:
    """Return the interval for other systems, from draws of these; None if most draws had no pair.

    A high percentile of few systems' pairs is too low on average, and its draws spread too little: the middle of the
    draws covers the truth in half of the cases at ten systems. A normal interval, corrected for bias and for the number
    of systems as means are, covers it in 80 to 90 % (docs/threshold.md).

    Parameters
    ----------
    observed : float
    drawn : array (draws,)
        Not a number if a draw had no pair.
    systems : int
    ratio : bool
        Whether values are positive and compared by their ratios: the interval is then made of logarithms.
    """
    defined = drawn[np.isfinite(drawn) & ((drawn > 0.0) | (not ratio))]  # no ratio to what does not vary
    if defined.size < max(2, drawn.size / 2) or (ratio and observed <= 0.0):
        return None, None
    centre = math.log(observed) if ratio else observed
    values = np.log(defined) if ratio else defined
    reach = normal_quantile((1.0 + level) / 2.0) * float(values.std()) * small_sample_factor(systems, systems, level)
    middle = 2.0 * centre - float(values.mean())
    low, high = min(middle - reach, centre), max(middle + reach, centre)
    return (math.exp(low), math.exp(high)) if ratio else (low, high)


def fitted_root(sizes: Sequence[int], gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the c of gain = c/√size, by least squares of logarithms; ``gains`` may have leading axes."""
    return np.asarray(np.exp((np.log(gains) + 0.5 * np.log(np.array(sizes, float))).mean(-1)))


def fitted_exponent(sizes: Sequence[int], gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the b of gain = c·size^−b, by least squares of logarithms; one half if the gain falls as 1/√size."""
    places = np.log(np.array(sizes, float))
    places = places - places.mean()
    return np.asarray(-(np.log(gains) * places).sum(-1) / (places**2).sum())


def share_of_pairs(gains: NDArray[np.float64], p: NDArray[np.float64], threshold: float, alpha: float) -> list[int]:
    """Count the pairs that gain at least the threshold, the significant ones of these, and both for the other pairs."""
    enough, shown = gains >= threshold, p <= alpha
    return [int(np.count_nonzero(one)) for one in (enough, enough & shown, ~enough, ~enough & shown)]
