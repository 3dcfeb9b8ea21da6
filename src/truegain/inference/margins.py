"""One-sided tests of a gain, for gates: they hold even if the test set lacks the losses that matter.

Each looks upwards: is the gain larger? Its mirror image looks downwards, at the gain with its sign changed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import normal_quantile
from truegain.inference.proportions import PairedShares, Worth, critical_value, tail

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Items up to which p is exact.
MOST_ITEMS = 5_000
#: How many times the skewness of a sample of many-valued gains counts: a sample shows too little of it.
STRENGTH = 1.5

_DENSE, _SPARSE, _FEW_DIFFERING = 2.0, 0.5, 300.0  # ψ per standard error, up to so many differing items and beyond
_HIGHEST, _FINER = 3, 15  # how many ψ are looked around, and by how many more
_FAR, _FURTHER = 7.0, 20  # standard errors and items beyond which a binomial distribution is left out
_AT_ONCE, _STEP = 16, 32
_TIES = 1e-9  # statistics as near as this are the same
_LEAST = 1e-300
_LEAST_P, _MOST_P = 0.94, 0.99  # of alpha: p at a bound, on a coarse grid
_COARSE, _NARROW = 0.4, 0.02  # of the probabilities ψ; of the way to a bound: to know it so well is enough if p jumps
_HALVINGS = 60


@dataclass(frozen=True)
class ExactPairs:
    """Wins and losses of independent items: the exact unconditional test in the order of Tango's statistic.

    p is the largest probability, over the probability ψ that an item differs, of a z as large as the observed one. A
    differing item is a win with probability θ = (ψ + δ) / 2ψ, if δ is the gain. ``size`` is the gain of a win.
    """

    wins: int
    losses: int
    items: int
    size: float = 1.0

    def p(self, gain: float) -> float:
        """Return the p-value of the null hypothesis that the gain is at most this."""
        return exact_p(self.wins, self.losses, self.items, gain / self.size)

    def bound(self, alpha: float, margin: float) -> float:
        """Return the lower bound, of which p is near alpha, and no larger; p itself says if it is above the margin.

        Tango's bound at another level: by as many standard errors as his p was off at the value before.
        """
        pairs = PairedShares(self.wins / self.items, self.losses / self.items, Worth(self.items, math.inf), self.size)
        rejected, kept = -self.size, self.size
        if rejected < margin < kept:
            rejected, kept = (margin, kept) if self.p(margin) <= alpha else (rejected, margin)
        wanted = z = normal_quantile(1.0 - alpha * (_LEAST_P + _MOST_P) / 2.0)
        while kept - rejected > max(_NARROW * (pairs.observed - rejected), _TIES * self.size):
            value = value_at(pairs, z)
            if not rejected < value < kept:
                value = (rejected + kept) / 2.0
            p = exact_p(self.wins, self.losses, self.items, value / self.size, _COARSE)
            if _LEAST_P * alpha <= p <= _MOST_P * alpha:
                return value
            rejected, kept = (value, kept) if p <= _MOST_P * alpha else (rejected, value)
            z = pairs.z(value) + wanted - normal_quantile(min(max(1.0 - p, _TIES), 1.0 - _TIES))
        return (rejected + kept) / 2.0 if rejected == margin else rejected

    def mirrored(self) -> ExactPairs:
        """Swap wins and losses."""
        return replace(self, wins=self.losses, losses=self.wins)


@dataclass(frozen=True)
class SkewedGain:
    """Student's t, or Tango's z held against it, corrected for skewness and for losses that no unit shows.

    The critical value is t + a (2 t² + 1) / 6, with a the skewness towards losses. p is at least (1 − s)^G: so often G
    units lack the losses of R, a share s = (Δ − δ) / (R + Δ), that would bring a gain Δ, at least 0, down to δ.

    Attributes
    ----------
    error, skewness, freedom : float
        Of the gain: its standard error, its skewness times the strength of the correction, and degrees of freedom.
    units : float
        G, the number of equal units that would vary as much.
    largest : float, optional
        R, the largest loss of a unit, if it is known.
    pairs : PairedShares, optional
        If scores have two values.
    slack : float
        Gains as near as this are the same, if nothing varies.
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
        """Return the p-value of the null hypothesis that the gain is at most this."""
        beyond = 0.0 if abs(self.gain - gain) <= self.slack else self.gain - gain
        z = beyond / self.error if self.error > 0.0 else math.copysign(math.inf, beyond) if beyond else 0.0
        seen = skew_p(z if self.pairs is None else self.pairs.z(gain), self.skewness, self.freedom)
        if self.largest is None:
            return seen
        best = max(self.gain, 0.0)
        share = min(max((best - gain) / (self.largest + best), 0.0), 1.0)
        return max(seen, math.pow(1.0 - share, self.units))

    def bound(self, alpha: float, margin: float) -> float:
        """Return the lower bound; it is above the margin if and only if p is at most alpha there."""
        critical = skew_critical(alpha, self.skewness, self.freedom)
        low = self.gain - critical * self.error if self.pairs is None else value_at(self.pairs, critical)
        if self.largest is not None:
            best = max(self.gain, 0.0)
            low = min(low, best - (self.largest + best) * (1.0 - math.pow(alpha, 1.0 / self.units)))
        return margin if abs(low - margin) <= self.slack else low

    def mirrored(self) -> SkewedGain:
        """Change the sign of the gain, and of its skewness."""
        swapped = None if self.pairs is None else replace(self.pairs, wins=self.pairs.losses, losses=self.pairs.wins)
        return replace(self, gain=-self.gain, skewness=-self.skewness, pairs=swapped)


def skew_critical(alpha: float, skewness: float, freedom: float) -> float:
    """Return the critical value of a lower bound: t + a (2 t² + 1) / 6, with a = −skewness if that is above 0."""
    t = critical_value(alpha, freedom)
    return t + max(-skewness, 0.0) * (2.0 * t * t + 1.0) / 6.0


def skew_p(z: float, skewness: float, freedom: float) -> float:
    """Return the tail beyond the t of which z is the critical value, in the form in which nothing cancels."""
    if math.isinf(z):
        return tail(z, freedom)
    a = max(-skewness, 0.0)
    beyond = z - a / 6.0
    return tail(2.0 * beyond / (1.0 + math.sqrt(max(1.0 + 4.0 * a / 3.0 * beyond, 0.0))), freedom)


def value_at(pairs: PairedShares, z: float) -> float:
    """Return the gain that the observed one is beyond by z standard errors, or the end of the range."""
    low, high = pairs.range
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if pairs.z(middle) >= z else (low, middle)
    return high


@lru_cache(maxsize=64)  # the bound asks for the p of the margin again
def exact_p(wins: int, losses: int, items: int, delta: float, density: float = 1.0) -> float:
    """Return the exact p-value of the null hypothesis that the gain is at most δ; ``density`` of the grid of ψ."""
    z = float(tango_z(np.array(wins), np.array(losses), items, delta))
    fewest = fewest_wins(z - _TIES, items, delta)
    differing = differing_probabilities(items, delta, density)
    p = region_probability(fewest, items, delta, differing)
    ends = [(differing[max(at - 1, 0)], differing[min(at + 1, p.size - 1)]) for at in np.argsort(p)[-_HIGHEST:]]
    near = np.sort(np.concatenate([np.linspace(*pair, _FINER) for pair in ends]))
    return min(max(float(p.max()), float(region_probability(fewest, items, delta, near).max())), 1.0)


def tango_z(wins: Ints | Floats, losses: Ints | Floats, items: int | Floats, delta: float) -> Floats:
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

    z rises with wins and falls with losses, so the numbers rise by 0 or 1: those of every ``_STEP``-th bracket all.
    """
    differing = np.arange(items + 1)
    some = differing[::_STEP]
    least = np.repeat(_bisected(z, items, delta, some, np.full(some.size, -1), some + 1), _STEP)[: items + 1]
    return _bisected(z, items, delta, differing, least - 1, least + differing % _STEP)


def _bisected(z: float, items: int, delta: float, differing: Ints, below: Ints, reached: Ints) -> Ints:
    while (inside := reached - below > 1).any():
        middle = (below + reached) // 2
        enough = tango_z(middle, differing - middle, items, delta) >= z
        below, reached = np.where(inside & ~enough, middle, below), np.where(inside & enough, middle, reached)
    return reached


def differing_probabilities(items: int, delta: float, density: float = 1.0) -> Floats:
    """Return probabilities ψ from |δ| to 1, evenly spaced in the arc sine of √ψ, and more densely if few items differ.

    There the probability of a region goes up and down with every item.
    """
    first, last = math.asin(math.sqrt(min(abs(delta), 1.0))), math.pi / 2.0
    middle = max(first, math.asin(math.sqrt(min(_FEW_DIFFERING / items, 1.0))))
    parts = (
        np.linspace(start, stop, 20 + int(density * own * 2.0 * math.sqrt(items) * (stop - start)))
        for start, stop, own in ((first, middle, _DENSE), (middle, last, _SPARSE))
    )
    return np.asarray(np.sin(np.concatenate(list(parts))) ** 2)


def region_probability(fewest: Ints, items: int, delta: float, differing: Floats) -> Floats:
    """Return the probability of at least k(j) wins among j differing items, for every ψ in ascending order.

    F(j) = P(at least k(j) wins | j) follows along the boundary: F(j + 1) = F(j) + θ P(k(j) − 1 wins | j) if k stays the
    same, and F(j) − (1 − θ) P(k(j) wins | j) if it rises.
    """
    found = []
    for first in range(0, differing.size, _AT_ONCE):
        part = np.clip(differing[first : first + _AT_ONCE], _LEAST, 1.0)
        win = np.clip((part + delta) / (2.0 * part), 0.0, 1.0)
        j = _likely(items, part)
        k, wins = fewest[j], _likely(int(j[0]), win)
        same = k[1:] == k[:-1]
        tails = np.where(same[:, None], win, win - 1.0) * _binomial(j[:-1], k[:-1] - same, win)
        tails = np.concatenate((_binomial(j[:1], wins[wins >= k[0]], win).sum(0)[None], tails)).cumsum(0)
        found.append((_binomial(np.array([items]), j, part) * tails).sum(0))
    return np.concatenate(found)


def _likely(count: int, probability: Floats) -> Ints:
    """Return the numbers of successes that are not impossible for all practical purposes, with any probability."""
    reach = _FAR * np.sqrt(count * probability * (1.0 - probability)) + _FURTHER
    low, high = (count * probability - reach).min(), (count * probability + reach).max()
    return np.arange(max(int(low), 0), min(int(high) + 1, count) + 1)


def _binomial(count: Ints, successes: Ints, probability: Floats) -> Floats:
    """Return probabilities of numbers of successes, shape (numbers, probabilities); 0 of what cannot be."""
    table = _log_factorials(int(count.max(initial=0)))
    possible = (successes >= 0) & (successes <= count)
    inside = np.where(possible, successes, 0)
    powers: Floats = np.multiply.outer(inside, np.log(np.maximum(probability, _LEAST)))
    powers += np.multiply.outer(count - inside, np.log1p(-np.minimum(probability, 1.0 - 1e-16)))
    powers += np.where(possible, table[count] - table[inside] - table[count - inside], -np.inf)[:, None]
    return np.exp(powers)


@lru_cache(maxsize=4)
def _log_factorials(most: int) -> Floats:
    return np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, most + 1)))))
