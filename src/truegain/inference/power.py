"""Power: how likely a test is to show a gain that is there, and what it takes for it to be likely."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import normal_quantile, student_quantile
from truegain.inference.noncentral import t_test_power
from truegain.inference.replicas import SystemRuns
from truegain.inference.variance import jackknife

Floats = NDArray[np.float64]

_NODES = 48
_FEWER_NODES, _MANY = 8, 20.0  # with so many degrees of freedom, an estimate varies little
_BINS = 400  # of thresholds, from one to e times as much
_FREEDOMS = np.geomspace(1.0, 1e4, 400)  # no part has fewer, and so no sum of parts


@cache
def _variance_nodes(freedom: float) -> tuple[Floats, Floats]:
    """Return quadrature nodes and weights of an estimated variance over the true one, χ²/freedom.

    The root is nearly normal with a standard deviation of √½, whatever the degrees of freedom. If there are many of
    these, the few nodes of Gauss and Laguerre are as good (Golub and Welsch 1969).
    """
    if freedom > _MANY:
        shape = freedom / 2.0 - 1.0
        k = np.arange(_FEWER_NODES, dtype=np.float64)
        off = np.sqrt(k[1:] * (k[1:] + shape))
        places, vectors = np.linalg.eigh(np.diag(2.0 * k + 1.0 + shape) + np.diag(off, -1))  # reads the lower half
        return places / (freedom / 2.0), vectors[0] ** 2
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    roots = 0.5 * (math.sqrt(freedom) + 6.0) * (nodes + 1.0)
    share = weights * roots ** (freedom - 1.0) * np.exp(-(roots**2) / 2.0)
    return roots**2 / freedom, share / share.sum()


@cache
def _critical_values(probability: float) -> Floats:
    return np.array([student_quantile(probability, freedom) for freedom in _FREEDOMS.tolist()])


def _critical(freedom: Floats, tail: float) -> Floats:
    """Return Student's quantiles, interpolated in a table."""
    values = _critical_values(1.0 - tail)
    return np.interp(np.log(freedom), np.log(_FREEDOMS), values)


def _normal_cdf(x: Floats) -> Floats:
    """Return the normal distribution function, interpolated in a table."""
    places, values = _normal_table()
    return np.interp(x, places, values)


@cache
def _normal_table() -> tuple[Floats, Floats]:
    places = np.linspace(-8.0, 8.0, 4001)
    cdf = NormalDist().cdf
    return places, np.array([cdf(place) for place in places.tolist()])


@dataclass(frozen=True)
class Plan:
    """Variance of a difference by its sources, from a pilot, and for other numbers of runs and units.

    Attributes
    ----------
    common : float
        V_h, over units: of what a system's runs have in common.
    runs : (float, float)
        σ²_run of either system: of scores on infinitely many units.
    interactions : (float, float)
        ρ of either system: segment × run, for one run on the pilot's units.
    units : float
        The effective number of units of the pilot.
    """

    common: float
    runs: tuple[float, float]
    interactions: tuple[float, float]
    units: float

    def power(
        self,
        gain: float,
        counts: tuple[int, int],
        *,
        units: float | None = None,
        alpha: float = 0.05,
        one_sided: bool = False,
    ) -> float:
        """Return the probability that the test is significant: the crossed test with two runs or more of either system.

        The difference is normal. What the test takes for its variance is not known beforehand: with few runs it varies
        much, and a test with the degrees of freedom that it has on average would seem to have far more power than it
        has. So its threshold is averaged over the estimates that may come: the larger one of both t-tests and of the
        claim about these runs.

        With one run of a system only that claim can be made, and the gain is that of these runs: a t-test over units.
        """
        if self.spread(counts, units=units) == 0.0:
            return 1.0 if gain != 0.0 else 0.0
        return self._test(counts, units, alpha, one_sided).power(abs(gain))

    def detectable(
        self,
        counts: tuple[int, int],
        *,
        power: float = 0.8,
        units: float | None = None,
        alpha: float = 0.05,
        one_sided: bool = False,
    ) -> float:
        """Return the minimum detectable gain: the least that is shown with the given power."""
        spread = self.spread(counts, units=units)
        if spread == 0.0:
            return 0.0
        test = self._test(counts, units, alpha, one_sided)
        if test.power(0.0) >= power:
            return 0.0
        low, high = 0.0, spread
        while test.power(high) < power:
            low, high = high, 2.0 * high
        while high - low > 1e-9 * high:
            middle = 0.5 * (low + high)
            low, high = (low, middle) if test.power(middle) >= power else (middle, high)
        return high

    def spread(self, counts: tuple[int, int], *, units: float | None = None) -> float:
        """Return the standard error of the difference: over new runs and units; over units if a system has one run."""
        over_units, per_run, inner = self._parts(counts, units)
        if min(counts) < 2:
            return math.sqrt(over_units + inner)
        return math.sqrt(over_units + sum(one / count for one, count in zip(per_run, counts, strict=True)))

    def _parts(self, counts: tuple[int, int], units: float | None) -> tuple[float, list[float], float]:
        """Return the variances over units, of one run of either system, and of segment × run in all."""
        ratio = 1.0 if units is None else self.units / units
        per_run = [run + inner * ratio for run, inner in zip(self.runs, self.interactions, strict=True)]
        inner = sum(one * ratio / count for one, count in zip(self.interactions, counts, strict=True))
        return self.common * ratio, per_run, inner

    def _test(self, counts: tuple[int, int], units: float | None, alpha: float, one_sided: bool) -> _Test:
        spread = self.spread(counts, units=units)
        freedom = max((self.units if units is None else units) - 1.0, 1.0)
        if min(counts) < 2:
            return _Paired(spread, freedom, alpha, one_sided)
        over_units, per_run, inner = self._parts(counts, units)
        tail = alpha if one_sided else alpha / 2.0
        freedoms = [freedom, *(count - 1.0 for count in counts)]
        # In units of the spread, so that no square of a variance is too small or too large for a float.
        (common, s_old, s_new), weights = _estimates(freedoms, [one / spread**2 for one in (over_units, *per_run)])
        parts = [s_old / counts[0], s_new / counts[1]]
        pooled = (freedoms[1] * s_old + freedoms[2] * s_new) / (freedoms[1] + freedoms[2])
        pooled_part = pooled * (1.0 / counts[0] + 1.0 / counts[1])
        separate = _threshold([common, *parts], freedoms, tail)
        together = _threshold([common, pooled_part], [freedoms[0], freedoms[1] + freedoms[2]], tail)
        fixed_runs = normal_quantile(1.0 - tail) * np.sqrt(common + inner / spread**2)
        thresholds = np.maximum(np.maximum(separate, together), fixed_runs)
        return _Crossed(spread, *_gathered(thresholds.ravel(), weights.ravel()), one_sided)


class _Test(Protocol):
    def power(self, gain: float) -> float: ...


@dataclass(frozen=True)
class _Paired:
    """A t-test over units."""

    spread: float
    freedom: float
    alpha: float
    one_sided: bool

    def power(self, gain: float) -> float:
        return t_test_power(gain / self.spread, self.freedom, alpha=self.alpha, one_sided=self.one_sided)


@dataclass(frozen=True)
class _Crossed:
    """A test whose threshold, in units of the spread, is one of many, each with its probability."""

    spread: float
    thresholds: Floats
    weights: Floats
    one_sided: bool

    def power(self, gain: float) -> float:
        shift = gain / self.spread
        beyond = _normal_cdf(shift - self.thresholds)
        if not self.one_sided:
            beyond = beyond + _normal_cdf(-shift - self.thresholds)
        return float((self.weights * beyond).sum())


def _estimates(freedoms: list[float], variances: list[float]) -> tuple[list[Floats], Floats]:
    """Return all combinations of what three variances may be estimated as, and how probable each is."""
    nodes = [_variance_nodes(freedom) for freedom in freedoms]
    values = np.meshgrid(*(v * ratios for (ratios, _), v in zip(nodes, variances, strict=True)), indexing="ij")
    weights = np.einsum("i,j,k->ijk", *(weights for _, weights in nodes))
    return list(values), weights


def _gathered(thresholds: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Merge thresholds near to each other into their mean: many gains may be asked about."""
    bins = (np.log(thresholds / thresholds.min()) * _BINS).astype(np.intp)
    shares: Floats = np.bincount(bins, weights).astype(np.float64)
    sums = np.bincount(bins, weights * thresholds)
    held = shares > 0.0
    return sums[held] / shares[held], shares[held]


def _threshold(parts: list[Floats], freedoms: list[float], tail: float) -> Floats:
    """Return the smallest significant difference of a t-test with Satterthwaite's degrees of freedom."""
    variance: Floats = np.sum(parts, axis=0)
    inverse: Floats = np.sum([(part / variance) ** 2 / f for part, f in zip(parts, freedoms, strict=True)], axis=0)
    return _critical(1.0 / inverse, tail) * np.sqrt(variance)


def plan_of(old: SystemRuns, new: SystemRuns, effective_units: float) -> Plan:
    """Return the variances of the difference of two systems, from their runs."""
    over_segments = jackknife(new.left_out.mean(0) - old.left_out.mean(0), new.strata)
    return Plan(
        common=max(over_segments - old.doubly_counted - new.doubly_counted, 0.0),
        runs=(old.run_variance, new.run_variance),
        interactions=(old.interaction, new.interaction),
        units=effective_units,
    )


def runs_needed(
    plan: Plan,
    gain: float,
    *,
    power: float = 0.8,
    units: float | None = None,
    alpha: float = 0.05,
    one_sided: bool = False,
    most: int = 1000,
) -> int | None:
    """Return the fewest runs of each system that show a gain with the given power; None if no number does.

    With ever more runs the variance over units remains: if that alone is too large, only more units help.
    """

    def enough(count: int) -> bool:
        return plan.power(gain, (count, count), units=units, alpha=alpha, one_sided=one_sided) >= power

    return _fewest(enough, 2, most)


def units_needed(
    plan: Plan,
    gain: float,
    counts: tuple[int, int],
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    one_sided: bool = False,
    share: float = 1.0,
    most: int = 100_000_000,
) -> int | None:
    """Return the fewest units that show a gain with the given power; None if no number does.

    With ever more units the variance of runs remains: if that alone is too large, only more runs help.

    Parameters
    ----------
    share : float
        How many effective units a unit is: what ``plan.units`` is over their number, if units are not equal.
    """

    def enough(count: int) -> bool:
        return plan.power(gain, counts, units=count * share, alpha=alpha, one_sided=one_sided) >= power

    return _fewest(enough, 2, most)


def _fewest(enough: Callable[[int], bool], least: int, most: int) -> int | None:
    """Return the least number that is enough, for a condition that more never breaks."""
    if enough(least):
        return least
    low = high = least
    while not enough(high):
        if high == most:
            return None
        low, high = high, min(4 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
