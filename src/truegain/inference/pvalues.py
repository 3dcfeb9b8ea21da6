"""P-values of resampling tests, with their Monte-Carlo uncertainty."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import beta_quantile, normal_quantile, student_quantile
from truegain.notes import Note
from truegain.rows import Number, Proportion, Row, field
from truegain.settings import Alternative

__all__ = [
    "Alternative",
    "Bounds",
    "Exceedances",
    "MonteCarlo",
    "PValue",
    "Probability",
    "Resamples",
    "bootstrap_test",
    "clopper_pearson",
    "counted",
    "degrees_of_freedom",
    "exceeds",
    "few_differing_notes",
    "magnitude_of",
    "randomization_test",
    "rounding",
    "small_sample_factor",
    "tolerance",
    "undecided_counts",
]

_TOLERANCE = 1e-9
_ROUNDING = 2.0**-45  # of a score: hundreds of times what a logarithm or a quotient is off by


Probability = Annotated[Proportion, field("The p-value, not adjusted.")]
Exceedances = Annotated[
    Number, field("The number of resamples at least as far out; 0 if p follows from a known distribution.")
]
Resamples = Annotated[Number, field("The number of resamples behind the p-value.")]
Bounds = Annotated[
    tuple[Proportion, Proportion] | None,
    field("The confidence sequence of a sequential test, which holds at any number of resamples."),
]
MonteCarlo = Annotated[
    tuple[Proportion, Proportion],
    field("Interval of p for infinitely many resamples: 95 % Clopper–Pearson, or the confidence sequence."),
]


class PValue(Row):
    """P-value and its precision.

    ``p`` is (exceedances + 1) / (resamples + 1) for recommended Monte-Carlo tests, so never 0. ``exceedances`` and
    ``resamples`` are both 0 if nothing was drawn: the p-value is exact, or follows from a known distribution.
    """

    p: Probability
    exceedances: Exceedances = 0
    resamples: Resamples = 0
    sequence: Bounds = None

    @property
    def interval(self) -> tuple[float, float]:
        """Interval of p for infinitely many resamples: 95 % Clopper–Pearson, or the confidence sequence."""
        if self.sequence is not None:
            return self.sequence
        if self.resamples == 0:
            return self.p, self.p
        return clopper_pearson(self.exceedances, self.resamples)

    @property
    def fields(self) -> dict[str, Any]:
        """Return the fields that a row has of it."""
        return {"p": self.p, "exceedances": self.exceedances, "resamples": self.resamples, "p_sequence": self.sequence}


def randomization_test(
    delta: float, swapped: NDArray[np.float64], *, alternative: Alternative = "two-sided", magnitude: float
) -> PValue:
    """Run approximate randomization (Noreen 1989; Riezler and Maxwell 2005), signed.

    Parameters
    ----------
    delta : float
        The observed difference, positive if the system is better than the baseline.
    swapped : array
        The differences after random swaps of the two systems' outputs.
    alternative : "two-sided", "greater" or "less"
    magnitude : float
        See :func:`magnitude_of`: differences within 1e-9 of it count as ties, and ties as exceedances.
    """
    return counted(exceeds(swapped, delta, alternative=alternative, magnitude=magnitude))


def bootstrap_test(
    delta: float,
    resampled: NDArray[np.float64],
    *,
    alternative: Alternative = "two-sided",
    magnitude: float,
    factor: float = 1.0,
    null_gain: float = 0.0,
) -> PValue:
    """Run the paired bootstrap, shifted to the null by the observed difference (Efron and Tibshirani 1993).

    Parameters
    ----------
    delta : float
        The observed difference, positive if the system is better than the baseline.
    resampled : array
        The differences of the bootstrap resamples.
    alternative, magnitude
        As in :func:`randomization_test`.
    factor : float
        What the deviations are multiplied by, see :func:`small_sample_factor`.
    null_gain : float
        The difference under the null: the deviations are held against what the observed one is beyond it.
    """
    null = (resampled - delta) * factor
    return counted(exceeds(null, delta - null_gain, alternative=alternative, magnitude=magnitude))


def exceeds(
    null: NDArray[np.float64], delta: float, *, alternative: Alternative, magnitude: float
) -> NDArray[np.bool_]:
    """Return, for each difference under the null, whether it is at least as far out as the observed one."""
    slack = tolerance(magnitude)
    if alternative == "two-sided":
        return np.abs(null) >= abs(delta) - slack
    return null >= delta - slack if alternative == "greater" else null <= delta + slack


def tolerance(magnitude: float) -> float:
    """Return the tolerance below which two differences of that magnitude are the same."""
    return _TOLERANCE * abs(magnitude)


def rounding(score: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what floating-point arithmetic may change in scores of that size."""
    return np.asarray(_ROUNDING * np.abs(score))


def magnitude_of(delta: float, rounded: float) -> float:
    """Return the magnitude that ties are relative to: the observed difference, not the scores, which may be far larger.

    Parameters
    ----------
    delta : float
    rounded : float
        What rounding may change in the two scores: differences within it are always the same.
    """
    return abs(delta) + rounded / _TOLERANCE


def counted(reached: NDArray[np.bool_]) -> PValue:
    """Return the p-value of resamples of which these are as far out: the observed difference counts as one of them."""
    count = int(np.count_nonzero(reached))
    total = int(reached.size)
    return PValue((count + 1) / (total + 1), count, total)


@lru_cache(maxsize=4096)  # a result asks again once its digits are cut
def clopper_pearson(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact interval of a proportion (Clopper and Pearson 1934)."""
    return _lower_end(successes, trials, level), _upper_end(successes, trials, level)


def _lower_end(successes: int, trials: int, level: float) -> float:
    # Of no success the lower end is 0, of no failure the upper 1: so are quantiles of a beta with one parameter 0.
    return beta_quantile((1.0 - level) / 2.0, successes, trials - successes + 1)


def _upper_end(successes: int, trials: int, level: float) -> float:
    return beta_quantile(1.0 - (1.0 - level) / 2.0, successes + 1, trials - successes)


@lru_cache(maxsize=1)  # all metrics and groups of a ranking ask for the same
def undecided_counts(resamples: int, alpha: float, level: float = 0.95) -> range:
    """Return the exceedances whose Clopper–Pearson interval holds alpha: other resamples may decide otherwise.

    Both ends rise with the count, so that the first and the last are found by bisection.
    """
    counts = range(resamples + 1)
    first = bisect_right(counts, alpha, key=lambda count: _upper_end(count, resamples, level))
    behind = bisect_right(counts, alpha, key=lambda count: _lower_end(count, resamples, level))
    return range(first, behind)


def degrees_of_freedom(effective_number: float, strata: int = 1) -> float:
    """Return the degrees of freedom of a variance over units; never 0, even if a single unit has all the weight."""
    return max(effective_number - strata, 0.5)


def small_sample_factor(units: float, effective_number: float, level: float = 0.95, strata: int = 1) -> float:
    """Return the factor that bootstrap deviations are multiplied by, for few or unequal units.

    The bootstrap's variance is too small by (n - 1) / n, and its tails are those of a normal when a Student with k - 1
    degrees of freedom is due, k being the effective number of units; every further stratum takes one more away. Without
    it the test rejects 7 % of true nulls at 30 equal units and 10 % at 30 unequal documents; see docs/statistics.md.
    """
    if units <= strata:
        return 1.0
    probability = 1.0 - (1.0 - level) / 2.0
    freedom = degrees_of_freedom(effective_number, strata)
    return math.sqrt(units / (units - strata)) * student_quantile(probability, freedom) / normal_quantile(probability)


def straddling(
    what: str, ends: tuple[float, float], alpha: float, *, more: str = "use more resamples to decide"
) -> Note:
    """Note that other resamples may decide otherwise; ``more`` is what to do about it."""
    low, high = ends
    said = f"the Monte-Carlo error of {what}"
    many = f"{said} straddles {alpha:.3g}; {more}"
    return Note("straddling", f"{said} ({low:.4f} to {high:.4f}) straddles {alpha:.3g}; {more}", summary=many)


def few_differing_notes(differing: int, count: int, unit: str, alternative: str, alpha: float) -> tuple[Note, ...]:
    """Say so if too few of ``count`` units differ for a small p-value."""
    if differing == 0:
        return (Note("same", f"the two have the same statistics on every {unit}"),)
    smallest = (2 if alternative == "two-sided" else 1) * 2.0**-differing
    if smallest > alpha:
        text = f"only {differing} of {count:,} {unit}s differ, so no exact p of randomization is below {smallest:.3g}"
        few = f"so few {unit}s differ that no exact p of randomization is below {alpha:g}"
        return (Note("few-differing", text, summary=few),)
    return ()


#: The probability that any decision is wrong.
ERROR = 1e-3
#: Resamples before the first look; every further look doubles them.
FIRST = 1_000
#: No more resamples than these.
CAP = 1_000_000


def confidence_sequence(exceedances: int, resamples: int, error: float = ERROR) -> tuple[float, float]:
    """Return the values of p with B(c + 1, r − c + 1) / (p^c (1 − p)^(r − c)) < 1 / error."""
    c, r = exceedances, resamples
    mixture = math.lgamma(c + 1) + math.lgamma(r - c + 1) - math.lgamma(r + 2)
    limit = mixture + math.log(error)

    def passes(p: float) -> bool:
        return _log_power(p, c) + _log_power(1.0 - p, r - c) > limit

    centre = c / r
    return _edge(0.0, centre, passes), _edge(1.0, centre, passes)


def _log_power(base: float, exponent: int) -> float:
    if exponent == 0:
        return 0.0
    return exponent * math.log(base) if base > 0.0 else -math.inf


def _edge(outer: float, inner: float, passes: Callable[[float], bool]) -> float:
    """Bisect between a value that need not pass and one that does; return the outer side of the edge."""
    if passes(outer):
        return outer
    for _ in range(60):
        middle = 0.5 * (outer + inner)
        if passes(middle):
            inner = middle
        else:
            outer = middle
    return outer


def stages(cap: int = CAP) -> list[int]:
    """Return after how many resamples to look: 1,000, 2,000, 4,000, … and the cap."""
    looks = []
    size = FIRST
    while size < cap:
        looks.append(size)
        size *= 2
    return [*looks, cap]
