"""Several runs of each system: what their scores say about runs that were not made.

A run's score on a test set varies with the segments that the test set happens to have, with the run, and with how the
run happens to do on just these segments. Segments are crossed with runs: all runs are scored on the same ones.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import student_quantile, student_tail
from truegain.inference.intervals import Interval
from truegain.inference.pvalues import Alternative, PValue, counted, degrees_of_freedom, exceeds, rounding
from truegain.inference.variance import jackknife
from truegain.statistics import mean_of_runs

Floats = NDArray[np.float64]

#: Share of the variance over segments below which what is left is rounding.
NOTHING = 1e-12
_PRECISION = 1e-13  # relative, of a p that is found by bisection
#: Regroupings of runs that are enumerated; where there are more, they are drawn.
ENUMERATED = 1_000_000


@dataclass(frozen=True)
class SystemRuns:
    """The runs of one system.

    Attributes
    ----------
    scores : array (runs,)
        On the whole test set.
    left_out : array (runs, units)
        With one unit left out at a time.
    strata : tuple of int, optional
        The number of units of each stratum, in order, if units were drawn within strata.
    """

    scores: Floats
    left_out: Floats
    strata: tuple[int, ...] | None = None

    @property
    def count(self) -> int:
        """The number of runs."""
        return len(self.scores)

    @property
    def variance(self) -> float:
        """Of the scores, over runs: s_test², with count - 1 in its denominator."""
        return _variance(self.scores)

    @property
    def selection_variance(self) -> float:
        """Of the mean score over runs, over segments."""
        return jackknife(self.left_out.mean(0), self.strata)

    @property
    def interaction(self) -> float:
        """Of a run's score around what the runs have in common, over segments: segment × run, for one run.

        The mean over runs of J(run − mean of runs), times m / (m − 1), since the mean of runs holds the run itself.
        """
        if self.count < 2:
            return 0.0
        own = self.left_out - self.left_out.mean(0)
        return sum(jackknife(row, self.strata) for row in own) / (self.count - 1)

    @property
    def doubly_counted(self) -> float:
        """The part of the variance of the mean score that segments and runs both account for."""
        return self.interaction / self.count

    @property
    def run_variance(self) -> float:
        """Variance of runs apart from segments: of the score that a run would have on infinitely many of them."""
        return max(self.variance - self.interaction, 0.0)

    @property
    def segment_variance(self) -> float:
        """Variance that all runs have together, over segments."""
        return max(self.selection_variance - self.doubly_counted, 0.0)


class Spread(NamedTuple):
    """Variance of a difference and its degrees of freedom: the difference is read from Student's t."""

    variance: float
    freedom: float

    def tail(self, distance: float) -> float:
        """Return the one-sided p of a difference."""
        return student_tail(distance / math.sqrt(self.variance), self.freedom)

    def reach(self, tail: float) -> float:
        """Return the difference whose one-sided p this is."""
        return student_quantile(1.0 - tail, self.freedom) * math.sqrt(max(self.variance, 0.0))


class WeightedSpread(NamedTuple):
    """Sum V of two variances with the critical value (V_h t_{k−1} + v_r t_{m−1}) / √V (Cochran and Cox 1950)."""

    units: Spread
    runs: Spread

    @property
    def variance(self) -> float:
        """The sum of both."""
        return self.units.variance + self.runs.variance

    def tail(self, distance: float) -> float:
        """Return the one-sided p of a difference by bisection."""
        if distance < 0.0:
            return 1.0 - self.tail(-distance)
        low, high = 0.0, 0.5
        while high - low > _PRECISION * high and low < (middle := (low + high) / 2.0):
            low, high = (middle, high) if self.reach(middle) > distance else (low, middle)
        return high

    def reach(self, tail: float) -> float:
        """Return the difference whose one-sided p this is."""
        weighted = sum(variance * student_quantile(1.0 - tail, freedom) for variance, freedom in self)
        return weighted / math.sqrt(self.variance)


@dataclass(frozen=True)
class Crossed:
    """The crossed test of two systems.

    Attributes
    ----------
    p : float
    interval : Interval
    selection_variance : float
        V_seg, of the difference of mean scores over segments.
    separate, pooled : Spread or WeightedSpread
        With each system's own variance over runs, and with one for both; the same if samples are matched, or if a
        system has one run and borrows the variance of the other.
    """

    p: float
    interval: Interval
    selection_variance: float
    separate: Spread | WeightedSpread
    pooled: Spread | WeightedSpread

    @property
    def standard_error(self) -> float:
        """Of the difference, over runs and segments: the larger of the two."""
        return math.sqrt(max(self.separate.variance, self.pooled.variance, 0.0))


def crossed_test(
    delta: float,
    old: SystemRuns,
    new: SystemRuns,
    *,
    effective_units: float,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    null_gain: float = 0.0,
) -> Crossed:
    """Test whether the system is better for a new run on new segments.

    V_h = J(δ) − r_A − r_B is the variance over segments of what a system's runs have in common; the variance of δ over
    new runs and segments adds s²/m of either system, separately or pooled. Student's t with degrees of freedom after
    Satterthwaite (1946), for both; p is the larger, the interval the wider of the two. A system with one run borrows
    the variance over runs of the other, see :func:`_borrowed`.

    Parameters
    ----------
    delta : float
        The difference of the mean scores, positive if the system is better.
    old, new : SystemRuns
        Two runs or more of either, left-out values over the same units; scores as they are, whichever way is better.
    effective_units : float
        The number of equal units that would vary as much, less the strata beyond the first.
    alternative : "two-sided", "greater" or "less"
    level : float
        Of the interval.
    null_gain : float
        The difference under the null.
    """
    over_segments = jackknife(new.left_out.mean(0) - old.left_out.mean(0), new.strata)
    over_units = degrees_of_freedom(effective_units)
    if min(old.count, new.count) == 1:
        borrowed = _borrowed(max(old, new, key=lambda one: one.count), over_segments, over_units)
        return read_off(delta, over_segments, borrowed, borrowed, alternative, level, null_gain)
    common = max(over_segments - old.doubly_counted - new.doubly_counted, 0.0)
    parts = [old.variance / old.count, new.variance / new.count]
    freedoms = [old.count - 1.0, new.count - 1.0]
    together = sum(f * one.variance for f, one in zip(freedoms, (old, new), strict=True)) / sum(freedoms)
    pooled_part = together * (1.0 / old.count + 1.0 / new.count)
    separate = _satterthwaite([common, *parts], [over_units, *freedoms], over_segments, over_units)
    pooled = _satterthwaite([common, pooled_part], [over_units, sum(freedoms)], over_segments, over_units)
    return read_off(delta, over_segments, separate, pooled, alternative, level, null_gain)


def _borrowed(several: SystemRuns, over_segments: float, over_units: float) -> Spread | WeightedSpread:
    """Return the variance of the difference between the mean of m runs and one run that varies over runs as they do.

    Over segments V_h = max(J(δ) − r (1 + m), 0), where r is the doubly counted part of the mean of the m runs, and m r
    that of the one run; over runs v_r = s² (1/m + 1).
    """
    m = several.count
    common = max(over_segments - several.doubly_counted * (1.0 + m), 0.0)
    over_runs = several.variance * (1.0 / m + 1.0)
    if common + over_runs <= NOTHING * over_segments:
        return Spread(over_segments, over_units)
    return WeightedSpread(Spread(common, over_units), Spread(over_runs, m - 1.0))


def read_off(
    delta: float,
    over_segments: float,
    separate: Spread | WeightedSpread,
    pooled: Spread | WeightedSpread,
    alternative: Alternative,
    level: float,
    null_gain: float,
) -> Crossed:
    """Return the larger p and the wider interval of two variances with their degrees of freedom."""
    beyond = delta - null_gain
    p = max(float(_t_test(beyond, one, alternative)) for one in (separate, pooled))
    reach = max(one.reach(_tail(alternative, level)) for one in (separate, pooled))
    interval = student_interval(delta, reach, alternative, level)
    return Crossed(p, interval, over_segments, separate, pooled)


def crossed_bound(delta: float, found: Crossed, *, alternative: Literal["greater", "less"], alpha: float) -> float:
    """Return the one-sided bound of the difference at 1 − alpha: the t-tests reject all below (``less``: above) it."""
    reach = max(one.reach(alpha) for one in (found.separate, found.pooled))
    return delta - reach if alternative == "greater" else delta + reach


def _satterthwaite(parts: list[float], freedoms: list[float], fallback: float, fallback_freedom: float) -> Spread:
    """Return the sum of variances and its degrees of freedom; V_seg if they are all 0."""
    variance = sum(parts)
    if variance <= NOTHING * fallback:
        return Spread(fallback, fallback_freedom)
    return Spread(variance, variance**2 / sum(part**2 / freedom for part, freedom in zip(parts, freedoms, strict=True)))


def _t_test(delta: float, spread: Spread | WeightedSpread, alternative: Alternative) -> float:
    if delta == 0.0 and alternative == "two-sided":
        return 1.0
    if spread.variance <= 0.0:
        favoured = delta > 0.0 if alternative == "greater" else delta < 0.0
        return 0.0 if alternative == "two-sided" or favoured else 1.0
    if alternative == "two-sided":
        return min(1.0, 2.0 * spread.tail(abs(delta)))
    return spread.tail(delta if alternative == "greater" else -delta)


def _tail(alternative: Alternative, level: float) -> float:
    """Return the probability beyond an end of an interval."""
    return (1.0 - level) / (2.0 if alternative == "two-sided" else 1.0)


def student_interval(delta: float, reach: float, alternative: Alternative, level: float) -> Interval:
    """Return the gains that a t-test does not reject: both ends, or one if the test is one-sided."""
    low = -math.inf if alternative == "less" else delta - reach
    high = math.inf if alternative == "greater" else delta + reach
    return Interval(low, high, level, "t")


def welch_test(
    old: Floats, new: Floats, *, alternative: Alternative = "two-sided", level: float = 0.95, null_gain: float = 0.0
) -> tuple[float, Interval]:
    """Run Welch's t-test (1947) of run scores, given so that a positive difference is a gain: new runs, this test set.

    If the runs of neither system vary, t is infinite at any number of runs; p is then that of regrouping the runs, and
    the interval has no ends if that cannot reject anything.
    """
    delta, spread = _welch(old, new)
    reach = spread.reach(_tail(alternative, level))
    least = least_regrouping_p(old.size, new.size, alternative)
    if spread.variance == 0.0 and least > (1.0 - level) * (1.0 + 1e-9):  # 1 − 0.9 is less than 0.1
        reach = math.inf
    interval = student_interval(delta, reach, alternative, level)
    beyond = delta - null_gain
    if spread.variance > 0.0:
        return _t_test(beyond, spread, alternative), interval
    same = abs(beyond) <= float(rounding(np.array([old[0], new[0]])).max())
    away = beyond < 0.0 if alternative == "greater" else beyond > 0.0 if alternative == "less" else False
    return 1.0 if same or away else least, interval


def welch_bound(old: Floats, new: Floats, *, alternative: Literal["greater", "less"], alpha: float) -> float:
    """Return the one-sided bound of the difference at 1 − alpha: the test rejects all below (``less``: above) it."""
    delta, spread = _welch(old, new)
    reach = spread.reach(alpha)
    if spread.variance == 0.0 and least_regrouping_p(old.size, new.size, alternative) > alpha:
        reach = math.inf
    return delta - reach if alternative == "greater" else delta + reach


def _welch(old: Floats, new: Floats) -> tuple[float, Spread]:
    """Return the difference, its variance and degrees of freedom."""
    parts = [_variance(one) / one.size for one in (old, new)]
    spread = _satterthwaite(parts, [old.size - 1.0, new.size - 1.0], 0.0, 1.0)
    return float(new.mean() - old.mean()), spread


def _variance(scores: Floats) -> float:
    """Return the variance over runs; 0 of one run or of equal scores, whose mean may be another float."""
    if float(np.ptp(scores)) <= float(rounding(scores).max()):
        return 0.0
    return float(scores.var(ddof=1))


def least_regrouping_p(old: int, new: int, alternative: Alternative) -> float:
    """Return the least p of regrouping these numbers of runs: every run of one system beats every one of the other.

    If both have as many, the regrouping that exchanges them is as far out, on the other side.
    """
    return (2 if alternative == "two-sided" and old == new else 1) / math.comb(old + new, old)


@lru_cache(maxsize=2)
def _regroupings(total: int, first: int) -> NDArray[np.uint8]:
    """Return every choice of the first system's runs among all; the same for every metric."""
    return np.array(list(itertools.combinations(range(total), first)), np.uint8)


def run_permutation_test(
    old: Floats,
    new: Floats,
    *,
    alternative: Alternative = "two-sided",
    magnitude: float,
    draws: NDArray[np.integer[Any]] | None = None,
) -> PValue:
    """Regroup the runs of both systems in every way: new runs, this test set.

    Exact over all C(m_A + m_B, m_A) regroupings; over those drawn if there are too many.

    Parameters
    ----------
    old, new : array
        Run scores, given so that a positive difference is a gain.
    alternative, magnitude
        As in :func:`truegain.inference.pvalues.randomization_test`.
    draws : array (regroupings, m_A), optional
        Which of all runs, the old first, become the old ones; given if there are too many to enumerate.
    """
    scores = np.concatenate([old, new])
    delta = float(new.mean() - old.mean())
    groups = _regroupings(scores.size, old.size) if draws is None else draws
    first = scores[groups].sum(1)
    differences = (scores.sum() - first) / new.size - first / old.size
    reached = exceeds(differences, delta, alternative=alternative, magnitude=magnitude)
    return PValue(int(np.count_nonzero(reached)) / len(groups)) if draws is None else counted(reached)


def score_interval(runs: SystemRuns, *, effective_units: float, level: float = 0.95) -> tuple[Interval, float]:
    """Return the interval of a system's mean score for new runs on new segments, and its standard error.

    As :func:`crossed_test` has it, for one system: what runs have in common varies over
    segments, and s²/m is what the mean over runs varies by; Student's t, degrees of freedom after Satterthwaite (1946).

    Parameters
    ----------
    runs : SystemRuns
        Two or more.
    effective_units : float
        The number of equal units that would vary as much, less the strata beyond the first.
    level : float
    """
    over_units = max(effective_units - 1.0, 0.5)
    parts = [(runs.segment_variance, over_units), (runs.variance / runs.count, runs.count - 1.0)]
    variance = sum(part for part, _ in parts)
    freedom = over_units
    if variance > 0.0:
        freedom = variance**2 / sum(part**2 / own for part, own in parts)
    else:  # runs score the same and have nothing in common: what segments do to the mean is left, as in that test
        variance = runs.selection_variance
    deviation = math.sqrt(variance)
    reach = student_quantile(1.0 - (1.0 - level) / 2.0, freedom) * deviation
    score = float(mean_of_runs(runs.scores))
    return Interval(score - reach, score + reach, level, "t"), deviation
