"""Ratings by several people: variances clustered by document and by rater, and how far raters agree.

Both documents and raters are samples of those that could have been taken. Ratings of one document depend on each other,
and so do ratings by one rater.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.inference.pvalues import Alternative, degrees_of_freedom
from truegain.inference.replicas import Crossed, Spread, read_off

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: The share of V_both that is in V_rater for its units alone, if raters are many; docs/methods/raters.md.
_SHARED = 0.15


@dataclass(frozen=True)
class Ratings:
    """The ratings of one system, one after the other.

    Attributes
    ----------
    scores : array (ratings,)
    segments, raters : array (ratings,)
        Numbers from 0.
    """

    scores: Floats
    segments: Ints
    raters: Ints

    @property
    def weights(self) -> Floats:
        """The share that each rating has in the mean over segments of the mean over raters."""
        counts = np.bincount(self.segments)
        return 1.0 / (counts[self.segments] * np.count_nonzero(counts))

    def deviations(self, strata: Ints) -> Floats:
        """Return what each rating adds to the score, less what it would if all of its segment's stratum were the same.

        Parameters
        ----------
        strata : array (segments,)
            The number of each segment's stratum.
        """
        weights, of_rating = self.weights, strata[self.segments]
        means = np.bincount(of_rating, weights * self.scores) / np.maximum(np.bincount(of_rating, weights), 1e-300)
        return np.asarray(weights * (self.scores - means[of_rating]))


@dataclass(frozen=True)
class TwoWay:
    """The variance of a gain, by what varies.

    Attributes
    ----------
    units, raters, both : float
        Clustered by unit, by rater, and by what one rater said of one unit.
    effective_units, effective_raters : float
        The numbers of equal ones that would vary as much: 1 / Σ w², with w the share that each has in the gain.
    strata : int
        Units are drawn within them.
    """

    units: float
    raters: float
    both: float
    effective_units: float
    effective_raters: float
    strata: int = 1

    @property
    def unbounded(self) -> float:
        """V_unit + V_rater − V_both (Cameron, Gelbach and Miller 2011), which may be negative by chance."""
        return self.units + self.raters - self.both

    @property
    def variance(self) -> float:
        """V_unit + V_rater − V_both, or V_unit or V_rater if one of them is larger."""
        return max(self.unbounded, self.units, self.raters)

    @property
    def freedom(self) -> float:
        """The degrees of freedom after Satterthwaite (1946), of the raters' part of the variance and the rest.

        The number of raters less one, whatever their part in the variance, leaves no power with few raters. Their
        number itself, not the effective one, is too many if some rated far more than others. V_rater holds some of what
        each rater's units vary by, so a little is taken off it, as simulated: nothing with three raters or fewer,
        which would reject too often.
        """
        if self.variance <= 0.0:
            return degrees_of_freedom(self.effective_units, self.strata)
        shared = _SHARED * max(1.0 - 3.0 / self.effective_raters, 0.0)
        of_raters = max(self.raters - shared * self.both, 0.0) / self.variance
        freedoms = degrees_of_freedom(self.effective_units, self.strata), degrees_of_freedom(self.effective_raters)
        return 1.0 / ((1.0 - of_raters) ** 2 / freedoms[0] + of_raters**2 / freedoms[1])


def two_way(old: Ratings, new: Ratings, units: Ints, strata: Sequence[int] = ()) -> TwoWay:
    """Cluster what each rating adds to the gain, by unit and by rater; each part is multiplied by G / (G − 1).

    Parameters
    ----------
    old, new : Ratings
    units : array (segments,)
        The number of each segment's unit, stratum by stratum.
    strata : sequence of int, optional
        The number of units of each stratum; by default all are in one.
    """
    sizes = np.array(strata or (int(units.max()) + 1,))
    stratum = np.repeat(np.arange(sizes.size), sizes)
    deviations = np.concatenate([-old.deviations(stratum[units]), new.deviations(stratum[units])])
    weights = np.concatenate([old.weights, new.weights])
    of_unit = units[np.concatenate([old.segments, new.segments])]
    of_rater = np.concatenate([old.raters, new.raters])
    by_unit, by_rater, by_both = (
        _sums(deviations, groups) for groups in (of_unit, of_rater, of_unit * (of_rater.max() + 1) + of_rater)
    )
    factors = (sizes / np.maximum(sizes - 1, 1))[stratum[np.unique(of_unit)]]
    return TwoWay(
        float(factors @ by_unit**2),
        float(by_rater @ by_rater) * by_rater.size / (by_rater.size - 1.0),
        float(by_both @ by_both) * by_both.size / (by_both.size - 1.0),
        _effective(weights, of_unit),
        _effective(weights, of_rater),
        sizes.size,
    )


def _sums(values: Floats, groups: Ints) -> Floats:
    return np.asarray(np.bincount(np.unique(groups, return_inverse=True)[1], values), np.float64)


def _effective(weights: Floats, groups: Ints) -> float:
    shares = _sums(weights, groups)
    return float(shares.sum() ** 2 / (shares @ shares))


def raters_test(
    delta: float, found: TwoWay, *, alternative: Alternative = "two-sided", level: float = 0.95, null_gain: float = 0.0
) -> Crossed:
    """Test whether the system is better for new raters of new units: Student's t.

    Parameters
    ----------
    delta : float
        The gain.
    found : TwoWay
        Of three raters or more: with two, up to 12 % of true nulls are rejected at 5 %.
    alternative, level, null_gain
        As in :func:`truegain.inference.replicas.crossed_test`.
    """
    of_both = Spread(found.variance, found.freedom)
    return read_off(delta, found.units, of_both, of_both, alternative, level, null_gain)


def standardised(systems: list[Ratings]) -> list[Ratings]:
    """Return scores less their rater's mean over all systems, in the rater's standard deviations; 0 if these are 0."""
    scores, raters = (np.concatenate([getattr(one, name) for one in systems]) for name in ("scores", "raters"))
    counts = np.maximum(np.bincount(raters), 1)
    means = np.bincount(raters, scores) / counts
    spreads = np.sqrt(np.bincount(raters, (scores - means[raters]) ** 2) / np.maximum(counts - 1, 1))
    spreads[spreads <= 1e-12 * np.maximum(np.abs(means), 1.0)] = np.inf
    return [
        Ratings((one.scores - means[one.raters]) / spreads[one.raters], one.segments, one.raters) for one in systems
    ]


def krippendorff_alpha(scores: Floats, items: Ints) -> float | None:
    """Return Krippendorff's alpha of scores on an interval scale; None if no item has two ratings, or all are equal.

    Parameters
    ----------
    scores : array (ratings,)
    items : array (ratings,)
        What was rated: the output of one system for one segment.
    """
    _, places, counts = np.unique(items, return_inverse=True, return_counts=True)
    several = counts[places] > 1
    scores, places = scores[several], places[several]
    if not scores.size or scores.min() == scores.max():
        return None
    means = np.bincount(places, scores, minlength=counts.size) / counts
    within = (scores - means[places]) ** 2 * counts[places] / (counts[places] - 1.0)
    return float(1.0 - (within.sum() / scores.size) / scores.var(ddof=1))


def same_order(systems: list[Ratings]) -> tuple[int, int]:
    """Count how often two raters put two outputs for one segment in the same order, and how often they could.

    A tie is an order of its own.
    """
    segments = 1 + max(int(one.segments.max()) for one in systems)
    raters = 1 + max(int(one.raters.max()) for one in systems)
    same = possible = 0
    tables = [_table(one, segments, raters) for one in systems]
    for place, second in enumerate(tables):
        for first in tables[:place]:
            orders = np.sign(second - first)
            of_segment = np.stack([(orders == sign).sum(1) for sign in (-1.0, 0.0, 1.0)])
            rated = of_segment.sum(0)
            same += int((of_segment * (of_segment - 1)).sum()) // 2
            possible += int((rated * (rated - 1)).sum()) // 2
    return same, possible


def _table(one: Ratings, segments: int, raters: int) -> NDArray[Any]:
    """Return scores by segment and rater; a rater's several scores are averaged, and NaN is none."""
    cells = one.segments * raters + one.raters
    counts = np.bincount(cells, minlength=segments * raters)
    with np.errstate(invalid="ignore"):
        found = np.bincount(cells, one.scores, minlength=segments * raters) / counts
    return found.reshape(segments, raters)
