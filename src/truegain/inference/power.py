"""Power: how likely the crossed test is to show a gain that is there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import normal_quantile, student_quantile

__all__ = ["Plan", "runs_needed"]

Floats = NDArray[np.float64]

_NODES = 48
_FREEDOMS = np.geomspace(0.5, 1e4, 400)


@cache
def _variance_nodes(freedom: float) -> tuple[Floats, Floats]:
    """What an estimated variance may be, over the true one, and how probably: χ²/freedom, by quadrature in its root.

    The root is nearly normal with a standard deviation of √½, whatever the degrees of freedom.
    """
    centre = math.sqrt(freedom)
    low, high = max(0.0, centre - 6.0), centre + 6.0
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    roots = 0.5 * (high - low) * nodes + 0.5 * (high + low)
    log_density = (freedom - 1.0) * np.log(roots) - roots**2 / 2.0
    share = weights * np.exp(log_density - log_density.max())
    return roots**2 / freedom, share / share.sum()


@cache
def _critical_values(probability: float) -> Floats:
    return np.array([student_quantile(probability, freedom) for freedom in _FREEDOMS.tolist()])


def _critical(freedom: Floats, alpha: float) -> Floats:
    """Student's quantiles, between those of a table."""
    values = _critical_values(1.0 - alpha / 2.0)
    return np.interp(np.log(freedom), np.log(_FREEDOMS), values)


def _normal_cdf(x: Floats) -> Floats:
    """Vectorised, between the values of a table."""
    places, values = _normal_table()
    return np.interp(x, places, values)


@cache
def _normal_table() -> tuple[Floats, Floats]:
    places = np.linspace(-8.0, 8.0, 4001)
    cdf = NormalDist().cdf
    return places, np.array([cdf(place) for place in places.tolist()])


@dataclass(frozen=True)
class Plan:
    """What the variance of a difference is made of, from a pilot; and what it would be with other numbers.

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

    def power(self, gain: float, counts: tuple[int, int], *, units: float | None = None, alpha: float = 0.05) -> float:
        """The probability that the crossed test, two-sided, is significant, with two runs or more of either system.

        The difference is normal. What the test takes for its variance is not known beforehand: with few runs it varies
        much, and a test with the degrees of freedom that it has on average would seem to have far more power than it
        has. So its threshold is averaged over the estimates that may come: the larger one of both t-tests and of the
        claim about these runs.
        """
        n = self.units if units is None else units
        ratio = self.units / n
        over_units = self.common * ratio
        per_run = [run + inner * ratio for run, inner in zip(self.runs, self.interactions, strict=True)]
        inner = sum(one * ratio / count for one, count in zip(self.interactions, counts, strict=True))
        freedoms = [max(n - 1.0, 1.0), *(count - 1.0 for count in counts)]
        (common, s_old, s_new), weights = _estimates(freedoms, [over_units, *per_run])
        parts = [s_old / counts[0], s_new / counts[1]]
        pooled = (freedoms[1] * s_old + freedoms[2] * s_new) / (freedoms[1] + freedoms[2])
        pooled_part = pooled * (1.0 / counts[0] + 1.0 / counts[1])
        separate = _threshold([common, *parts], freedoms, alpha)
        together = _threshold([common, pooled_part], [freedoms[0], freedoms[1] + freedoms[2]], alpha)
        fixed_runs = normal_quantile(1.0 - alpha / 2.0) * np.sqrt(common + inner)
        threshold = np.maximum(np.maximum(separate, together), fixed_runs)
        spread = math.sqrt(over_units + sum(one / count for one, count in zip(per_run, counts, strict=True)))
        if spread == 0.0:
            return 1.0 if gain != 0.0 else 0.0
        beyond = _normal_cdf((abs(gain) - threshold) / spread) + _normal_cdf((-abs(gain) - threshold) / spread)
        return float((weights * beyond).sum())


def _estimates(freedoms: list[float], variances: list[float]) -> tuple[list[Floats], Floats]:
    """All combinations of what three variances may be estimated as, and how probable each is."""
    nodes = [_variance_nodes(freedom) for freedom in freedoms]
    values = np.meshgrid(*(v * ratios for (ratios, _), v in zip(nodes, variances, strict=True)), indexing="ij")
    weights = np.einsum("i,j,k->ijk", *(weights for _, weights in nodes))
    return list(values), weights


def _threshold(parts: list[Floats], freedoms: list[float], alpha: float) -> Floats:
    """How large a difference must be for a t-test with Satterthwaite's degrees of freedom."""
    variance = sum(parts[1:], start=parts[0])
    square = parts[0] ** 2 / freedoms[0]
    for part, freedom in zip(parts[1:], freedoms[1:], strict=True):
        square = square + part**2 / freedom
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = np.where(square > 0.0, variance**2 / square, freedoms[0])
    return _critical(effective, alpha) * np.sqrt(variance)


def runs_needed(
    plan: Plan, gain: float, *, power: float = 0.8, units: float | None = None, alpha: float = 0.05, most: int = 1000
) -> int | None:
    """The fewest runs of each system that show a gain with the given power; None where no number does.

    With ever more runs the variance over units remains: where that alone is too large, only more units help.
    """
    if plan.power(gain, (most, most), units=units, alpha=alpha) < power:
        return None
    if plan.power(gain, (2, 2), units=units, alpha=alpha) >= power:
        return 2
    low, high = 2, most
    while high - low > 1:
        middle = (low + high) // 2
        if plan.power(gain, (middle, middle), units=units, alpha=alpha) >= power:
            high = middle
        else:
            low = middle
    return high
