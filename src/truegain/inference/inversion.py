"""Intervals that agree with their tests: the gains that a test does not reject, from the resamples that it has.

Each resample counts as an exceedance at some gains of the null hypothesis and not at others. Those at which it counts
are an interval around the observed gain, so two numbers say all of it: the least and the greatest. A gain is kept if
enough resamples count at it, and the ends of what is kept are order statistics of these numbers.

Swaps. Under a gain δ the system has δ more than the baseline on every unit, in proportion to the unit's weight. With a
share h of the weight swapped, the swapped difference is D − δ(1 − 2h), and it counts if it is as far out as Δ − δ. The
comparison at δ = 0 is the very one that the p-value makes, so the two cannot disagree about zero.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from truegain.inference.intervals import Interval
from truegain.inference.pvalues import Alternative

Floats = NDArray[np.float64]


class Swapped(NamedTuple):
    """Differences after random swaps.

    Attributes
    ----------
    differences : array (resamples,)
    shares : array (resamples,), optional
        The share of the weight of all units that was swapped, exactly 0 and 1 if none and all of it was. None if
        units have no weights by which a gain could be shared out.
    """

    differences: Floats
    shares: Floats | None


class Reach(NamedTuple):
    """For each resample, the gains at which it counts: from ``low`` on below the observed gain, up to ``high`` above.

    One of them is None for a one-sided test, which rejects on one side only.
    """

    low: Floats | None
    high: Floats | None

    def at(self, gain: float, delta: float) -> NDArray[np.bool_]:
        """Return whether each resample counts if the gain of the null hypothesis is this, and the observed delta."""
        if self.low is not None and (self.high is None or gain < delta):
            return np.asarray(self.low <= gain)
        assert self.high is not None
        return np.asarray(self.high >= gain)


def swapped_reach(
    delta: float, differences: Floats, shares: Floats, *, alternative: Alternative = "two-sided", slack: float
) -> Reach:
    """Return the gains at which swaps count.

    Parameters
    ----------
    delta : float
        The observed difference.
    differences, shares : arrays
        See :class:`Swapped`.
    alternative : "two-sided", "greater" or "less"
    slack : float
        The tolerance of the p-value: what is within it is as far out.
    """
    if delta == 0.0 and not differences.any():
        slack = 0.0  # nothing differs, so there is no rounding to allow for
    # The tolerance is taken off before a difference is added: the sign is then that of the p-value's comparison.
    low = high = None
    if alternative != "less":
        low = _over(delta - slack - differences, shares, -math.inf)
        if alternative == "two-sided":
            low = np.minimum(low, _over(delta - slack + differences, 1.0 - shares, -math.inf))
    if alternative != "greater":
        high = _over(delta + slack - differences, shares, math.inf)
        if alternative == "two-sided":
            high = np.maximum(high, _over(delta + slack + differences, 1.0 - shares, math.inf))
    return Reach(low, high)


def _over(distance: Floats, share: Floats, outward: float) -> Floats:
    """Divide by twice a share; with a share of 0 a swap counts at all gains, or at none."""
    met = distance <= 0.0 if outward < 0.0 else distance >= 0.0
    limits = np.where(met, outward, -outward)
    return np.divide(distance, 2.0 * share, out=limits, where=share > 0.0)


def drawn_reach(delta: float, deviations: Floats, *, alternative: Alternative = "two-sided", slack: float) -> Reach:
    """Return the gains at which resamples of the bootstrap count: those within a deviation of the observed gain.

    Parameters
    ----------
    delta : float
    deviations : array (resamples,)
        Of the resampled differences from the observed one, with the factor for few units.
    alternative, slack
        As in :func:`swapped_reach`.
    """
    if delta == 0.0 and not deviations.any():
        slack = 0.0  # nothing differs, so there is no rounding to allow for
    if alternative == "two-sided":
        sizes = np.abs(deviations)
        return Reach(delta - slack - sizes, delta + slack + sizes)
    if alternative == "greater":
        return Reach(delta - slack - deviations, None)
    return Reach(None, delta + slack - deviations)


def kept_from(alpha: float, resamples: int) -> int:
    """Return the least number of exceedances at which p is above alpha."""
    needed = max(int(alpha * (resamples + 1)) - 1, 0)
    while (needed + 1) / (resamples + 1) <= alpha:
        needed += 1
    return needed


@dataclass
class Inversion:
    """Collector of the gains that a test keeps, resample by resample.

    Attributes
    ----------
    alpha : float
        The level of the test.
    most : int
        The most resamples that there will be: no more of them is held than the ends can depend on.
    """

    alpha: float
    most: int
    resamples: int = 0
    _lows: list[Floats] = field(default_factory=list)
    _highs: list[Floats] = field(default_factory=list)

    def add(self, reach: Reach) -> None:
        """Take in further resamples."""
        size = 0
        for held, one, sign in ((self._lows, reach.low, 1.0), (self._highs, reach.high, -1.0)):
            if one is not None:
                size = one.size
                held.append(sign * one)
                held[:] = [_least(np.concatenate(held), kept_from(self.alpha, self.most))]
        self.resamples += size

    def interval(self) -> Interval | None:
        """Return the interval of the gains that are kept, with infinite ends if none is rejected; None of nothing."""
        if self.resamples == 0:
            return None
        needed = kept_from(self.alpha, self.resamples)
        low, high = (_end(held, needed) for held in (self._lows, self._highs))
        return Interval(low, -high, 1.0 - self.alpha, "test")


def _least(values: Floats, count: int) -> Floats:
    return np.partition(values, count - 1)[:count] if 0 < count < values.size else values


def _end(held: list[Floats], needed: int) -> float:
    if not held or needed == 0:
        return -math.inf
    return float(np.partition(held[0], needed - 1)[needed - 1])


def inverted(reach: Reach, alpha: float) -> Interval:
    """Return the interval of the gains that a test keeps, from all of its resamples at once."""
    ends = reach.high if reach.low is None else reach.low
    assert ends is not None
    kept = Inversion(alpha, ends.size)
    kept.add(reach)
    return kept.interval() or Interval(-math.inf, math.inf, 1.0 - alpha, "test")


def exact_interval(reach: Reach, probability: Floats, alpha: float) -> Interval:
    """Return the interval of the gains that an exact test keeps.

    Parameters
    ----------
    reach : Reach
        Of every point of the distribution.
    probability : array
        Of the points.
    alpha : float
    """

    def end(values: Floats | None) -> float:
        if values is None:
            return -math.inf
        order = np.argsort(values, kind="stable")
        kept = np.searchsorted(np.cumsum(probability[order]), alpha, side="right")
        return float(values[order[min(int(kept), order.size - 1)]])

    high = end(None if reach.high is None else -reach.high)
    return Interval(end(reach.low), -high, 1.0 - alpha, "test")
