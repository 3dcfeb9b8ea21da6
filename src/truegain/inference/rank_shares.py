"""From the gains of pairs of systems to the share of pairs with such a gain that people rank the same way.

Two systems without a difference are ranked by chance, so the share is one half at a gain of 0; its log odds are taken
to grow in proportion to the gain. Pairs share systems, and are not independent: the variance of the slope is one over
systems.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from truegain.inference.all_pairs import pairs_of
from truegain.inference.distributions import student_quantile

#: Fewer systems are too few to be a sample of systems.
FEWEST_SYSTEMS = 6

_STEEPEST = 200.0  # log odds per median gain: no penalised slope is steeper
_HALVINGS = 60

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RankedPairs:
    """Every two systems of a test set: the size of their difference, and whether people rank them the same way.

    Attributes
    ----------
    metric, human : array (systems,)
        Scores of systems; higher is better.
    """

    metric: Array
    human: Array

    @cached_property
    def gains(self) -> Array:
        """The size of the difference in the metric of each pair."""
        first, second = pairs_of(self.metric.size)
        return np.abs(self.metric[first] - self.metric[second])

    @cached_property
    def same(self) -> Array:
        """1 if people rank a pair the same way, 0 if the other way round, one half if they find both equal."""
        first, second = pairs_of(self.metric.size)
        sides = np.sign(self.metric[first] - self.metric[second]) * np.sign(self.human[first] - self.human[second])
        return np.asarray((1.0 + sides) / 2.0)

    def variance(self, terms: Array) -> float:
        """Return the variance over systems of a sum of terms of pairs, by leaving one system out."""
        systems = self.metric.size
        first, second = pairs_of(systems)
        own = np.bincount(first, terms, systems) + np.bincount(second, terms, systems)
        return systems * (systems - 1) / (systems - 2) ** 2 * float(((own - own.mean()) ** 2).sum())


class RankShares:
    """Share of pairs that people rank the same way, by the gain; test sets are strata."""

    def __init__(self, sets: Sequence[RankedPairs]) -> None:
        self.sets = sets
        gains = np.concatenate([own.gains for own in sets])
        self.largest = float(gains.max())
        self.unit = float(np.median(gains[gains > 0.0]))  # a pair without a difference tells nothing
        self.freedom = sum(own.metric.size - 1 for own in sets)

    def at(self, gains: Sequence[float], level: float) -> list[tuple[float, float, float]]:
        """Return the share at each gain, and its interval: Student's, of the slope."""
        slope = self._slope()
        reach = student_quantile((1.0 + level) / 2.0, self.freedom) * self._error(slope)
        ends = (slope, slope - reach, slope + reach)
        shares = _share(np.array(ends) * np.array(gains)[:, None] / self.unit)
        return [(float(share), float(low), float(high)) for share, low, high in shares]

    def _slope(self) -> float:
        """Return the slope by maximum likelihood with Firth's penalty, which keeps it finite if all pairs agree."""
        x = np.concatenate([own.gains for own in self.sets]) / self.unit
        same = np.concatenate([own.same for own in self.sets])
        low, high = -_STEEPEST, _STEEPEST
        for _ in range(_HALVINGS):
            middle = (low + high) / 2.0
            share = _share(middle * x)
            weights = share * (1.0 - share)
            information = float((x**2 * weights).sum())
            penalty = 0.5 * float((x**3 * weights * (1.0 - 2.0 * share)).sum())
            # Without information left, the penalty alone is felt, and points towards 0.
            score = float((x * (same - share)).sum()) + penalty / information if information > 1e-12 else -middle
            low, high = (middle, high) if score > 0.0 else (low, middle)
        return (low + high) / 2.0

    def _error(self, slope: float) -> float:
        """Return the standard error of the slope over systems; no less than that of independent pairs."""
        variance = information = 0.0
        for own in self.sets:
            x = own.gains / self.unit
            share = _share(slope * x)
            variance += own.variance(x * (own.same - share))
            information += float((x**2 * share * (1.0 - share)).sum())
        return math.sqrt(max(variance, information)) / information


def _share(log_odds: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(np.clip(-log_odds, -700.0, 700.0))))
