"""Intervals of scores and of differences, from resampled values."""

from __future__ import annotations

import itertools
import math
from typing import Annotated, Any, get_args

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import normal_cdf, normal_quantile
from truegain.notes import Note
from truegain.rows import Row, field
from truegain.settings import BootstrapInterval, IntervalMethod, ScoreInterval

__all__ = [
    "ALPHAS",
    "INTERVALS",
    "SCORE_TEST",
    "Alpha",
    "BootstrapInterval",
    "Ends",
    "Interval",
    "IntervalKind",
    "IntervalMethod",
    "Level",
    "ScoreInterval",
    "bootstrap_interval",
    "few_resamples_note",
    "normal_overlap",
    "of_bootstrap",
    "overlap",
    "quantiles",
]

#: The kinds of interval.
INTERVALS: tuple[IntervalMethod, ...] = get_args(IntervalMethod)
#: Choices of an interval that leave it to the scores: that of a score test if they have two values.
SCORE_TEST = ("auto", "test")
#: Levels of tests: beyond these 1 - alpha is 1, or a quantile 0, to the digits of a float.
ALPHAS = (1e-9, 0.999)

Alpha = Annotated[float, field("The level of the tests.", ge=ALPHAS[0], le=ALPHAS[1])]
Level = Annotated[float, field("The confidence level of the interval.", ge=1e-4, le=1.0 - 1e-10)]
Ends = Annotated[
    tuple[float | None, float | None],
    field("The lower and the upper end of the interval; null if there is no bound on that side."),
]
IntervalKind = Annotated[
    str,
    field(
        'The kind of interval; "test": the values that a test does not reject; "t": Student\'s; "wilson": Wilson\'s '
        "score interval of a share."
    ),
]


class Interval(Row):
    """An interval of the given confidence level."""

    low: float
    high: float
    level: float
    method: str

    @classmethod
    def of(cls, ends: tuple[float | None, float | None], level: float, method: str) -> Interval:
        """Return the interval that a row has in three fields."""
        low, high = ends
        return cls(-math.inf if low is None else low, math.inf if high is None else high, level, method)

    @property
    def fields(self) -> dict[str, Any]:
        """Return the fields that a row has of it."""
        low, high = (end if math.isfinite(end) else None for end in (self.low, self.high))
        return {"ci": (low, high), "ci_level": self.level, "ci_method": self.method}


def of_bootstrap(method: IntervalMethod | ScoreInterval) -> BootstrapInterval:
    """Return the kind of bootstrap interval if there is no test whose interval it could be."""
    return "percentile" if method == "test" or method == "auto" else method


def bootstrap_interval(
    observed: float,
    resampled: NDArray[np.float64],
    *,
    level: float = 0.95,
    method: BootstrapInterval = "percentile",
    factor: float = 1.0,
    left_out: NDArray[np.float64] | None = None,
) -> Interval:
    """Return the interval of a value from its bootstrap resamples (Efron and Tibshirani 1993, ch. 13 and 14).

    Parameters
    ----------
    observed : float
    resampled : array
    level : float
    method : "percentile", "basic", "bca" or "normal"
        Quantiles of the resampled values; the same mirrored at the observed value; quantiles corrected for bias and for
        acceleration; or the observed value plus and minus a normal quantile times the standard deviation.
    factor : float
        What deviations from the observed value are multiplied by, see
        :func:`truegain.inference.pvalues.small_sample_factor`. ``bca`` has corrections of its own, and goes without.
    left_out : array, optional
        For ``bca``, the values with one unit left out at a time, over the same units that were resampled.
    """
    tail = (1.0 - level) / 2.0
    if method == "normal":
        reach = normal_quantile(1.0 - tail) * float(resampled.std()) * factor
        return Interval(observed - reach, observed + reach, level, method)
    if method == "bca":
        if left_out is None:
            raise ValueError("the acceleration of bca comes from values with one unit left out")
        low, high = quantiles(resampled, _bca_levels(observed, resampled, left_out, tail))
        return Interval(low, high, level, method)
    low, high = (observed + factor * (end - observed) for end in quantiles(resampled, (tail, 1.0 - tail)))
    if method == "basic":
        low, high = 2.0 * observed - high, 2.0 * observed - low
    return Interval(low, high, level, method)


def few_resamples_note(resamples: int, alpha: float, *, way_out: str = "use") -> Note | None:
    """Note that there are too few resamples for one to lie beyond each end of an interval of the level 1 - alpha.

    ``way_out`` is what to do with more of them.
    """
    least = math.ceil(2.0 / alpha - 1e-6) - 1
    if resamples >= least:
        return None
    text = (
        f"With {resamples:,} {'resample' if resamples == 1 else 'resamples'} intervals are too narrow for "
        f"{100 * (1 - alpha):g} %; {way_out} {least:,} resamples or more"
    )
    return Note("few-resamples", text)


def quantiles(values: NDArray[np.float64], levels: tuple[float, ...]) -> list[float]:
    """Return linearly interpolated quantiles; numpy's load its masked arrays, which takes longer than the rest."""
    ordered = np.sort(values)
    found = []
    for level in levels:
        place = level * (ordered.size - 1)
        below = int(place)
        above, share = min(below + 1, ordered.size - 1), place - below
        between = share > 0.0 and ordered[above] != ordered[below]  # infinite values have no difference
        gap = ordered[above] - ordered[below] if between else 0.0
        found.append(float(ordered[below] + share * gap))
    return found


def overlap(first: NDArray[np.float64], second: NDArray[np.float64], *, level: float = 0.95) -> float:
    """Return the overlap of two systems' intervals, from 0 to 1 (Fu et al.): of normals fitted to resampled scores."""
    fits = [(float(one.mean()), float(one.std())) for one in (first, second)]
    return normal_overlap(fits[0], fits[1], level=level)


def normal_overlap(first: tuple[float, float], second: tuple[float, float], *, level: float = 0.95) -> float:
    """Return the overlap of the intervals of two normals, from 0 to 1 (Fu et al.).

    S_overlap is the area under both curves inside both intervals, S_total the area under each inside its own, added up;
    the overlap is S_overlap / (S_total − S_overlap).

    Parameters
    ----------
    first, second : (mean, standard deviation)
    level : float
        Of the intervals.
    """
    reach = normal_quantile(1.0 - (1.0 - level) / 2.0)
    (mean, sd), (other_mean, other_sd) = sorted((first, second))
    if sd == 0.0 or other_sd == 0.0:
        return float(mean == other_mean and sd == other_sd)
    low = max(mean - reach * sd, other_mean - reach * other_sd)
    high = min(mean + reach * sd, other_mean + reach * other_sd)
    if low >= high:
        return 0.0
    edges = [low, *(x for x in _crossings(mean, sd, other_mean, other_sd) if low < x < high), high]
    shared = 0.0
    for a, b in itertools.pairwise(edges):
        areas = (
            normal_cdf((b - centre) / width) - normal_cdf((a - centre) / width)
            for centre, width in ((mean, sd), (other_mean, other_sd))
        )
        shared += min(areas)  # between two crossings one curve is the lower one throughout
    shared = min(shared, level)  # where deviations are of the size of rounding errors, so are the areas
    return shared / (2.0 * level - shared)


def _crossings(mean: float, sd: float, other_mean: float, other_sd: float) -> list[float]:
    """Return the points at which two normal densities are equal, in order."""
    a = 1.0 / other_sd**2 - 1.0 / sd**2
    b = mean / sd**2 - other_mean / other_sd**2
    c = other_mean**2 / other_sd**2 - mean**2 / sd**2 + 2.0 * math.log(other_sd / sd)
    if abs(a) < 1e-12 / sd**2:
        return [-c / (2.0 * b)] if b != 0.0 else []
    root = math.sqrt(max(b * b - a * c, 0.0))
    return sorted(((-b - root) / a, (-b + root) / a))


def _bca_levels(
    observed: float, resampled: NDArray[np.float64], left_out: NDArray[np.float64], tail: float
) -> tuple[float, float]:
    """Return the levels of the resampled quantiles that are the ends of the interval (Efron 1987)."""
    below = (np.count_nonzero(resampled < observed) + 0.5 * np.count_nonzero(resampled == observed)) / resampled.size
    if not 0.0 < below < 1.0:  # the observed value is beyond every resample: there is no correction to make
        return tail, 1.0 - tail
    bias = normal_quantile(below)
    deviations = left_out.mean() - left_out
    spread = float((deviations**2).sum()) ** 1.5
    acceleration = float((deviations**3).sum()) / (6.0 * spread) if spread > 0.0 else 0.0

    def corrected(probability: float) -> float:
        shifted = bias + normal_quantile(probability)
        return normal_cdf(bias + shifted / (1.0 - acceleration * shifted))

    return corrected(tail), corrected(1.0 - tail)
