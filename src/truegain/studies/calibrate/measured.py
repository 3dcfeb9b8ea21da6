"""How often did a test reject, and what does that show of its level?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from truegain.inference.intervals import quantiles
from truegain.inference.pvalues import clopper_pearson

__all__ = ["LEVELS", "TOLERATED", "Measured", "Power", "Rate", "Verdict"]

#: The levels at which rejections are counted.
LEVELS = (0.01, 0.05, 0.10)
#: A test keeps its level if a rate above this many times the level is excluded.
TOLERATED = 1.5
_QUANTILES = 101
_STEP = 100  # datasets: how finely the number needed is told

Verdict = Literal["keeps its level", "no excess found", "too often", "too rarely"]


@dataclass(frozen=True)
class Rate:
    """How often a test rejected at a level."""

    level: float
    rejections: int
    repetitions: int

    @property
    def rate(self) -> float:
        """The share of rejections."""
        return self.rejections / self.repetitions

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Its 95 % Clopper–Pearson interval."""
        return clopper_pearson(self.rejections, self.repetitions)

    @property
    def verdict(self) -> Verdict:
        """What the interval shows: a rate above the level, below it, not materially above it, or none of these."""
        low, high = self.interval
        if low > self.level:
            return "too often"
        if high < self.level:
            return "too rarely"
        return "keeps its level" if high <= TOLERATED * self.level else "no excess found"

    @property
    def needed(self) -> int:
        """Return the number of datasets, in hundreds, at which this rate, and a rate at the level, would settle it.

        That is some thousands at most: no rate lies both near the level and near what is tolerated.
        """
        count = self.repetitions
        while True:
            count += _STEP - count % _STEP
            found = (Rate(self.level, round(rate * count), count).verdict for rate in (self.rate, self.level))
            if "no excess found" not in found:
                return count


def _rates(p: tuple[float, ...]) -> tuple[Rate, ...]:
    return tuple(Rate(level, sum(one <= level for one in p), len(p)) for level in LEVELS)


@dataclass(frozen=True)
class Measured:
    """P-values of a test on datasets without a difference."""

    metric: str
    test: str
    p: tuple[float, ...]

    @cached_property
    def rates(self) -> tuple[Rate, ...]:
        """Rejections at each of :data:`LEVELS`."""
        return _rates(self.p)

    @property
    def size(self) -> Rate:
        """Rejections at 5 %."""
        return self.rates[1]

    @property
    def verdict(self) -> Verdict:
        """What the rate at 5 % shows.

        At the other levels only what is beyond a 99.9 % interval counts: three looks would else be wrong too often.
        """
        beyond = (clopper_pearson(rate.rejections, rate.repetitions, 0.999)[0] > rate.level for rate in self.rates)
        return "too often" if any(beyond) else self.size.verdict

    @property
    def needed(self) -> int | None:
        """Return the number of datasets that would settle whether the level is kept; None if this one did."""
        return self.size.needed if self.verdict == "no excess found" else None

    @cached_property
    def quantiles(self) -> tuple[float, ...]:
        """Quantiles 0, .01, …, 1 of the p-values, for a plot against those of a uniform variable."""
        levels = tuple(np.linspace(0.0, 1.0, _QUANTILES).tolist())
        return tuple(quantiles(np.array(self.p), levels))


@dataclass(frozen=True)
class Power:
    """P-values of a test on datasets with a known gain: the one asked for, and the mean of what was made."""

    metric: str
    test: str
    gain: float
    reached: float
    p: tuple[float, ...]

    @cached_property
    def rates(self) -> tuple[Rate, ...]:
        """Rejections at each of :data:`LEVELS`."""
        return _rates(self.p)
