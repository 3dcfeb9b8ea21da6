"""Scores near the ends of their range: intervals and tests that hold where next to nothing varies.

Few failures say little of how failures vary, so what was seen of them cannot be the measure: a score test takes the
variance that the null hypothesis implies. All it has to know is how many independent items of two values the data are
worth. Independent items are worth their number; items in clusters, or several samples of an item, their number over
the design effect.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import normal_quantile, normal_tail, student_quantile, student_tail
from truegain.inference.intervals import Interval
from truegain.inference.pvalues import Alternative

#: Clusters off the commonest value, with fewer of which their correlation cannot be estimated.
FEW = 5
#: Share of odd units below which a rare, large deviation of a score may hide behind small ones.
RARE = 0.05
#: Of the items of a cluster, where it cannot be estimated.
CORRELATION = 0.5

_HALVINGS = 60
_NEAR = 1e-12  # of the items: a gap as small as this is rounding


class Worth(NamedTuple):
    """The number of independent items that data are worth.

    Attributes
    ----------
    items : float
        The number of independent items with two values.
    freedom : float
        The degrees of freedom of their variance; infinite if it is that of two values.
    assumed : bool
        Whether the correlation within clusters is assumed, wholly or in part.
    """

    items: float
    freedom: float
    assumed: bool = False


def effective_items(
    item_variance: float, variance: float, *, outcomes: float, clusters: float, odd: int, freedom: float
) -> Worth:
    """Return what clusters of two-valued outcomes are worth.

    The design effect is d = n V / v₁, at least 1. Until ``FEW`` clusters are odd it leans on that of the correlation ρ
    = 0.5: s d + (1 − s) max(1 + (m − 1) ρ, d), with s = odd / ``FEW``, and m outcomes in a cluster.

    Parameters
    ----------
    item_variance : float
        v₁, of one outcome.
    variance : float
        V, of the mean over all clusters.
    outcomes : float
        n, of all clusters together.
    clusters : float
        The number of equal clusters that would vary as much.
    odd : int
        The clusters that are not wholly at the commonest value.
    freedom : float
        The degrees of freedom of V.
    """
    size = outcomes / clusters
    observed = max(outcomes * variance / item_variance, 1.0) if item_variance > 0.0 else 1.0
    share = min(odd / FEW, 1.0)
    leant = max(1.0 + (size - 1.0) * CORRELATION, observed)
    return Worth(outcomes / (share * observed + (1.0 - share) * leant), freedom, assumed=share < 1.0 and size > 1.0)


def tail(z: float, freedom: float) -> float:
    """Return the probability of a z or more, by Student's t, or by the normal of infinite degrees of freedom."""
    if math.isinf(z):
        return 0.0 if z > 0.0 else 1.0
    return normal_tail(z) if math.isinf(freedom) else student_tail(z, freedom)


def critical_value(alpha: float, freedom: float) -> float:
    """Return the z that has alpha beyond it."""
    return normal_quantile(1.0 - alpha) if math.isinf(freedom) else student_quantile(1.0 - alpha, freedom)


@dataclass(frozen=True)
class Share:
    """The share of items that have the upper one of two values.

    Attributes
    ----------
    share : float
        p̂.
    worth : Worth
    low, high : float
        The two values.
    """

    share: float
    worth: Worth
    low: float = 0.0
    high: float = 1.0

    def interval(self, alpha: float) -> Interval:
        """Return the shares π that |p̂ − π| / √(π (1 − π) / N) does not reject (Wilson 1927), with Student's t."""
        t = critical_value(alpha / 2.0, self.worth.freedom)
        spread = t * t / self.worth.items
        middle = (self.share + spread / 2.0) / (1.0 + spread)
        half = math.sqrt(self.share * (1.0 - self.share) * spread + spread * spread / 4.0) / (1.0 + spread)
        least = 0.0 if self.share <= 0.0 else max(middle - half, 0.0)
        most = 1.0 if self.share >= 1.0 else min(middle + half, 1.0)
        size = self.high - self.low
        return Interval(self.low + least * size, self.low + most * size, 1.0 - alpha, "wilson")


class ScoreTest(ABC):
    """A test by a statistic z(δ): how far the observed value is beyond δ, in standard errors if δ is the true one."""

    @property
    @abstractmethod
    def observed(self) -> float:
        """The observed value."""

    @property
    @abstractmethod
    def range(self) -> tuple[float, float]:
        """The least and the greatest value."""

    @property
    @abstractmethod
    def freedom(self) -> float:
        """The degrees of freedom of Student's t that z is held against."""

    @abstractmethod
    def z(self, value: float) -> float:
        """Return how far the observed value is beyond this one, in standard errors if this is the true one."""

    def p(self, value: float, alternative: Alternative = "two-sided") -> float:
        """Return the p-value of the null hypothesis that this is the true value."""
        z = self.z(value)
        if alternative == "two-sided":
            return min(1.0, 2.0 * tail(abs(z), self.freedom))
        return tail(z if alternative == "greater" else -z, self.freedom)

    def interval(
        self, alpha: float, alternative: Alternative = "two-sided", *, marks: Sequence[float] = ()
    ) -> Interval:
        """Return the values that the test keeps; of ``marks`` it is the p-value itself that decides."""
        low, high = -math.inf, math.inf
        if alternative != "less":
            low = self._end(self.range[0], alpha, alternative, marks)
        if alternative != "greater":
            high = self._end(self.range[1], alpha, alternative, marks)
        return Interval(low, high, 1.0 - alpha, "test")

    def _end(self, limit: float, alpha: float, alternative: Alternative, marks: Sequence[float]) -> float:
        """Return the last value that is kept on the way from the observed one to a limit."""
        kept, rejected = self.observed, limit
        way = math.copysign(1.0, limit - kept)
        ahead = [mark for mark in {*marks, limit} if way * (mark - kept) > 0.0 and way * (limit - mark) >= 0.0]
        for mark in sorted(ahead, key=lambda mark: way * mark):
            if self.p(mark, alternative) <= alpha:
                rejected = mark
                break
            kept = mark
        critical = critical_value(alpha / 2.0 if alternative == "two-sided" else alpha, self.freedom)
        for _ in range(_HALVINGS):
            middle = (kept + rejected) / 2.0
            if middle != rejected and abs(self.z(middle)) < critical:
                kept = middle
            else:
                rejected = middle
        return kept


@dataclass(frozen=True)
class PairedShares(ScoreTest):
    """Items that one of two systems wins and the other loses, of scores with two values (Tango 1998).

    Attributes
    ----------
    wins, losses : float
        Shares of all items; of several samples, of all pairings of a sample of one with a sample of the other.
    worth : Worth
    size : float
        The difference between the two values.
    """

    wins: float
    losses: float
    worth: Worth
    size: float = 1.0

    @property
    def observed(self) -> float:
        """The gain."""
        return (self.wins - self.losses) * self.size

    @property
    def range(self) -> tuple[float, float]:
        """All lost, and all won."""
        return -self.size, self.size

    @property
    def freedom(self) -> float:
        """Those of the worth."""
        return self.worth.freedom

    def z(self, value: float) -> float:
        """Return (b − c − δ) √N / √(2 q + δ (1 − δ)), with q the most likely probability of a loss if δ is the gain.

        2 q² + L q − c δ (1 − δ) = 0, with L = (2 − b + c) δ − b − c, and b and c the shares of wins and losses.
        """
        delta = value / self.size
        beyond = self.wins - self.losses - delta
        if abs(beyond) <= _NEAR:
            return 0.0
        linear = (2.0 - self.wins + self.losses) * delta - self.wins - self.losses
        product = 2.0 * self.losses * delta * (1.0 - delta)
        root = math.sqrt(max(linear * linear + 4.0 * product, 0.0))
        # Two forms of one root, so that nothing cancels.
        lost = product / (root + linear) if linear > 0.0 else (root - linear) / 4.0
        variance = 2.0 * lost + delta * (1.0 - delta)
        if variance <= 0.0:  # nothing varies: no item differs, or all do
            return math.copysign(math.inf, beyond)
        return beyond * math.sqrt(self.worth.items / variance)


@dataclass(frozen=True)
class BoundedMean(ScoreTest):
    """The mean of values in a range, of which so few units vary that others, not observed, may be at its end.

    If the mean is δ, a share s = |x̄ − δ| / D of units is at the end of the range that lies beyond δ, D away from x̄. The
    variance is then (1 − s) V + s (1 − s) D² / G. Of two values this is the variance of Wilson's interval.

    Attributes
    ----------
    mean : float
        x̄.
    variance : float
        V, of x̄.
    units : float
        G.
    degrees : float
        Of freedom.
    low, high : float
        The range.
    """

    mean: float
    variance: float
    units: float
    degrees: float
    low: float
    high: float

    @property
    def observed(self) -> float:
        """The mean."""
        return self.mean

    @property
    def range(self) -> tuple[float, float]:
        """Both ends."""
        return self.low, self.high

    @property
    def freedom(self) -> float:
        """Those of the variance."""
        return self.degrees

    def z(self, value: float) -> float:
        """Return (x̄ − δ) over the standard error if δ is the mean."""
        beyond = self.mean - value
        if abs(beyond) <= _NEAR * (self.high - self.low):
            return 0.0
        distance = abs(self.mean - (self.low if beyond > 0.0 else self.high))
        share = min(abs(beyond) / distance, 1.0) if distance > 0.0 else 1.0
        variance = (1.0 - share) * (self.variance + share * distance * distance / self.units)
        return beyond / math.sqrt(variance) if variance > 0.0 else math.copysign(math.inf, beyond)


def odd_units(values: NDArray[np.float64], units: NDArray[np.int64]) -> int:
    """Count the units that are not wholly at the commonest value."""
    ordered = np.sort(values)  # np.unique loads masked arrays, which takes longer than a comparison
    first = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    commonest = ordered[first[np.diff(first, append=ordered.size).argmax()]]
    away = np.sort(units[values != commonest])
    return int(away.size and 1 + np.count_nonzero(np.diff(away)))
