"""One-sided tests of a gain, for gates: they hold where the losses that matter may be missing from the sample.

Independent wins and losses have an exact test. For clusters, and scores of many values, Student's t is corrected for
skewness; within a known range p is at least the probability that no unit shows a loss as large as the range allows, if
there are as many as would matter.

Every test looks upwards: is the gain larger? Its mirror image looks downwards, at the gain with its sign changed.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import normal_quantile
from truegain.inference.proportions import PairedShares, Worth, critical_value, tail

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Counts = Ints | Floats

#: Items up to which p is exact.
MOST_ITEMS = 5_000
#: How many times the skewness of a sample of many-valued gains counts: a sample shows too little of it.
STRENGTH = 1.5

_DENSE, _SPARSE = 2.0, 0.5  # probabilities that an item differs per standard error,
_FEW_DIFFERING = 300.0  # up to so many expected items, and beyond
_HIGHEST, _FINER = 3, 15  # how many of them are looked around, and by how many more
_TIES = 1e-9  # statistics as near as this are the same
_FAR, _FURTHER = 7.0, 20  # standard errors, and items more, beyond which a binomial distribution is left out
_AT_ONCE = 16
_SLACK = 0.04  # of alpha, by which p at a bound may be below it
_NARROW = 1e-4  # of the way from the observed gain to the bound, within which it is enough to know it
_HALVINGS = 60
_LEAST = 1e-300  # probability of which there is a logarithm


class MarginTest(ABC):
    """A test whether the gain is above a given one."""

    @abstractmethod
    def p(self, gain: float) -> float:
        """Return the p-value of the null hypothesis that the gain is at most this."""

    @abstractmethod
    def bound(self, alpha: float, margin: float) -> float:
        """Return the lower bound of the gain; it is above the margin if and only if p is at most alpha there."""

    @abstractmethod
    def mirrored(self) -> MarginTest:
        """Return the test of the gain with its sign changed."""


@dataclass(frozen=True)
class ExactPairs(MarginTest):
    """The exact unconditional test of independent wins and losses, in the order of Tango's statistic.

    p is the largest probability, over the probability ψ that an item differs, of a z as large as the observed one. A
    differing item is a win with probability θ = (ψ + δ) / 2ψ, if δ is the gain.

    Attributes
    ----------
    wins, losses, items : int
    size : float
        The gain of a win.
    """

    wins: int
    losses: int
    items: int
    size: float = 1.0

    def p(self, gain: float) -> float:
        """See :class:`MarginTest`."""
        return exact_p(self.wins, self.losses, self.items, gain / self.size)

    def bound(self, alpha: float, margin: float) -> float:
        """Return a gain of which p is 0.96 alpha to alpha; on which side of the margin it is, p there decides.

        Tango's bound at another level: by as many standard errors as his p was off at the value before.
        """
        rejected, kept = -self.size, self.size
        if rejected < margin < kept:
            rejected, kept = (margin, kept) if self.p(margin) <= alpha else (rejected, margin)
        wanted = normal_quantile(1.0 - alpha * (1.0 - _SLACK / 2.0))
        z = wanted
        while kept - rejected > max(_NARROW * (self._pairs.observed - rejected), _TIES * self.size):
            value = value_at(self._pairs, z)
            if not rejected < value < kept:
                value = (rejected + kept) / 2.0
            p = exact_p(self.wins, self.losses, self.items, value / self.size)
            if (1.0 - _SLACK) * alpha <= p <= alpha:
                return value
            rejected, kept = (value, kept) if p <= alpha else (rejected, value)
            z = self._pairs.z(value) + wanted - normal_quantile(min(max(1.0 - p, _TIES), 1.0 - _TIES))
        return (rejected + kept) / 2.0 if rejected == margin else rejected

    def mirrored(self) -> ExactPairs:
        """Swap wins and losses."""
        return replace(self, wins=self.losses, losses=self.wins)

    @property
    def _pairs(self) -> PairedShares:
        shares = self.wins / self.items, self.losses / self.items
        return PairedShares(*shares, Worth(float(self.items), math.inf), self.size)


@lru_cache(maxsize=64)  # the bound asks for the p of the margin again
def exact_p(wins: int, losses: int, items: int, delta: float) -> float:
    """Return the exact p-value of the null hypothesis that the gain is at most δ."""
    z = float(tango_z(np.array(wins), np.array(losses), items, delta))
    fewest = fewest_wins(z - _TIES, items, delta)
    differing = differing_probabilities(items, delta)
    found = region_probability(fewest, items, delta, differing)
    near = [
        np.linspace(differing[max(at - 1, 0)], differing[min(at + 1, differing.size - 1)], _FINER)
        for at in np.argsort(found)[-_HIGHEST:]
    ]
    nearby = region_probability(fewest, items, delta, np.unique(np.concatenate(near)))
    return min(max(float(found.max()), float(nearby.max())), 1.0)


@dataclass(frozen=True)
class SkewedGain(MarginTest):
    """Student's t, or Tango's statistic with it, corrected for skewness towards losses and for losses not seen.

    The critical value is t + a (2 t² + 1) / 6, with a the skewness towards losses (Cornish and Fisher 1938). p is at
    least (1 − (Δ − δ) / (R + Δ))^G: so often G units show none of the losses of R that would bring a gain of Δ, at
    least 0, down to δ.

    Attributes
    ----------
    gain, error : float
        Δ and its standard error.
    skewness : float
        Of Δ, times its strength.
    units, freedom : float
        The number of equal units that would vary as much, and the degrees of freedom.
    largest : float, optional
        R, the largest loss of a unit, if it is known.
    pairs : PairedShares, optional
        If scores have two values.
    slack : float
        Gains as near as this are the same.
    """

    gain: float
    error: float
    skewness: float
    units: float
    freedom: float
    largest: float | None = None
    pairs: PairedShares | None = None
    slack: float = 0.0

    def p(self, gain: float) -> float:
        """See :class:`MarginTest`."""
        return max(skew_p(self._z(gain), self.skewness, self.freedom), self.unseen_p(gain))

    def bound(self, alpha: float, margin: float) -> float:
        """See :class:`MarginTest`."""
        critical = skew_critical(alpha, self.skewness, self.freedom)
        seen = self.gain - critical * self.error if self.pairs is None else value_at(self.pairs, critical)
        if self.largest is not None:
            best = max(self.gain, 0.0)
            seen = min(seen, best - (self.largest + best) * (1.0 - alpha ** (1.0 / self.units)))
        return margin if abs(seen - margin) <= self.slack else seen

    def mirrored(self) -> SkewedGain:
        """Change the sign of the gain, and of its skewness."""
        pairs = self.pairs
        swapped = None if pairs is None else replace(pairs, wins=pairs.losses, losses=pairs.wins)
        return replace(self, gain=-self.gain, skewness=-self.skewness, pairs=swapped)

    def unseen_p(self, gain: float) -> float:
        """Return the probability of not seeing the losses that would bring the gain down to this; 0 without a range."""
        if self.largest is None:
            return 0.0
        best = max(self.gain, 0.0)
        share = (best - gain) / (self.largest + best)
        return math.pow(1.0 - min(max(share, 0.0), 1.0), self.units)

    def _z(self, gain: float) -> float:
        if self.pairs is not None:
            return self.pairs.z(gain)
        beyond = self.gain - gain
        if abs(beyond) <= self.slack:
            return 0.0
        return beyond / self.error if self.error > 0.0 else math.copysign(math.inf, beyond)


def skew_critical(alpha: float, skewness: float, freedom: float) -> float:
    """Return the critical value of a lower bound: t + a (2 t² + 1) / 6, with a = −skewness if that is above 0."""
    t = critical_value(alpha, freedom)
    return t + max(-skewness, 0.0) * (2.0 * t * t + 1.0) / 6.0


def skew_p(z: float, skewness: float, freedom: float) -> float:
    """Return the tail beyond the t of which z is the critical value, in the form in which nothing cancels."""
    if math.isinf(z):
        return 0.0 if z > 0.0 else 1.0
    a = max(-skewness, 0.0)
    beyond = z - a / 6.0
    return tail(2.0 * beyond / (1.0 + math.sqrt(max(1.0 + 4.0 * a / 3.0 * beyond, 0.0))), freedom)


def value_at(pairs: PairedShares, z: float) -> float:
    """Return the gain beyond which the observed one is by z standard errors, or the end of the range."""
    low, high = pairs.range
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if pairs.z(middle) >= z else (low, middle)
    return high


def tango_z(wins: Counts, losses: Counts, items: int | Floats, delta: float) -> Floats:
    """Return :meth:`truegain.inference.proportions.PairedShares.z` of many counts."""
    beyond = wins - losses - items * delta
    linear = (2 * items - wins + losses) * delta - wins - losses
    product = 2.0 * losses * delta * (1.0 - delta)
    root = np.sqrt(np.maximum(linear * linear + 4.0 * items * product, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        lost = np.where(linear > 0.0, product / (root + linear), (root - linear) / (4.0 * items))
        variance = items * (2.0 * lost + delta * (1.0 - delta))
        z = np.where(variance > 0.0, beyond / np.sqrt(variance), np.copysign(np.inf, beyond))
    return np.where(np.abs(beyond) <= 1e-12 * items, 0.0, z)


def fewest_wins(z: float, items: int, delta: float) -> Ints:
    """Return, for each number of differing items, the fewest wins with such a z; one more than there are if none has.

    z rises with wins and falls with losses, so that the numbers rise by 0 or 1.
    """
    differing = np.arange(items + 1)
    below, reached = np.full(items + 1, -1), differing + 1
    while (reached - below > 1).any():
        middle = (below + reached) // 2
        inside = reached - below > 1
        enough = tango_z(middle, differing - middle, items, delta) >= z
        below, reached = np.where(inside & ~enough, middle, below), np.where(inside & enough, middle, reached)
    return reached


def differing_probabilities(items: int, delta: float) -> Floats:
    """Return probabilities ψ from |δ| to 1, evenly spaced in standard errors: in the arc sine of √ψ.

    Where few items differ, the probability of a region goes up and down with every item.
    """
    first, last = math.asin(math.sqrt(min(abs(delta), 1.0))), math.pi / 2.0
    middle = max(first, math.asin(math.sqrt(min(_FEW_DIFFERING / items, 1.0))))
    dense, sparse = (
        np.linspace(start, stop, 20 + int(density * 2.0 * math.sqrt(items) * (stop - start)))
        for start, stop, density in ((first, middle, _DENSE), (middle, last, _SPARSE))
    )
    return np.sin(np.concatenate((dense, sparse[1:]))) ** 2


def region_probability(fewest: Ints, items: int, delta: float, differing: Floats) -> Floats:
    """Return the probability of at least k(j) wins among j differing items, for every ψ in ascending order.

    P(at least k(j) wins | j) follows along the boundary: with one item more, and θ the probability of a win,
    F(j + 1) = F(j) + θ P(k(j) − 1 wins | j) if k stays the same, F(j) − (1 − θ) P(k(j) wins | j) if it rises.
    """
    found = [
        _part_probability(fewest, items, delta, np.clip(differing[first : first + _AT_ONCE], _LEAST, 1.0))
        for first in range(0, differing.size, _AT_ONCE)
    ]
    return np.concatenate(found)


def _part_probability(fewest: Ints, items: int, delta: float, differing: Floats) -> Floats:
    win = np.clip((differing + delta) / (2.0 * differing), 0.0, 1.0)
    j = _window(items, differing)
    first, k = j[0], fewest[j]
    wins = _window(first, win)
    wins = wins[wins >= k[0]]
    steps = np.empty((j.size, differing.size))
    steps[0] = np.exp(_log_binomial(np.full(wins.size, first), wins, win)).sum(0)
    same = k[1:] == k[:-1]
    # Both terms are a number of arrangements times θ^k (1 − θ)^(j + 1 − k).
    ways = np.where(same, _log_choose(j[:-1], k[:-1] - 1), _log_choose(j[:-1], k[:-1]))
    steps[1:] = np.where(same, 1.0, -1.0)[:, None] * np.exp(_log_powers(ways, k[:-1], j[1:] - k[:-1], win))
    tails = np.cumsum(steps, 0)
    return np.asarray((np.exp(_log_binomial(np.full(j.size, items), j, differing)) * tails).sum(0))


def _window(count: int, probability: Floats) -> Ints:
    """Return the numbers of successes in so many trials that are not impossible for all practical purposes."""
    reach = _FAR * np.sqrt(count * probability * (1.0 - probability)) + _FURTHER
    low, high = (count * probability - reach).min(), (count * probability + reach).max()
    return np.arange(max(int(low), 0), min(int(high) + 1, count) + 1)


def _log_binomial(count: Ints, successes: Ints, probability: Floats) -> Floats:
    return _log_powers(_log_choose(count, successes), successes, count - successes, probability)


def _log_powers(ways: Floats, successes: Ints, failures: Ints, probability: Floats) -> Floats:
    """Return the logarithms of ways · p^successes (1 − p)^failures, shape (numbers, probabilities)."""
    powers: Floats = np.multiply.outer(successes, np.log(np.clip(probability, _LEAST, 1.0)))
    powers += np.multiply.outer(failures, np.log1p(-np.clip(probability, 0.0, 1.0 - 1e-16)))
    powers += ways[:, None]
    return powers


def _log_choose(count: Ints, chosen: Ints) -> Floats:
    """Return the logarithms of binomial coefficients; minus infinity if there are not as many to choose from."""
    table = _log_factorials(int(count.max(initial=0)))
    possible = (chosen >= 0) & (chosen <= count)
    inside = np.where(possible, chosen, 0)
    return np.where(possible, table[count] - table[inside] - table[count - inside], -np.inf)


@lru_cache(maxsize=4)
def _log_factorials(most: int) -> Floats:
    return np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, most + 1)))))
