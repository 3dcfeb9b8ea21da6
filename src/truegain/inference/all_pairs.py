"""All pairs of systems from one set of bootstrap resamples: p-values, plain and adjusted, without storing a difference.

What :func:`truegain.inference.pvalues.bootstrap_test` and :func:`truegain.inference.multiplicity.max_t` do with the
differences of one pair is done here for every pair, piece by piece of the resamples, from the systems' own scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from truegain.engines.pairs import PairCounts, PairQuestion, Steps, in_pieces, kernels
from truegain.inference.multiplicity import STANDARDISING, to_their_tails
from truegain.inference.pvalues import magnitude_of, rounding, tolerance

Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]


def pairs_of(systems: int) -> Pairs:
    """Return the first and the second system of every pair, in the order of :func:`itertools.combinations`."""
    firsts, seconds = np.triu_indices(systems, 1)
    return firsts.astype(np.int64), seconds.astype(np.int64)


@dataclass(frozen=True)
class AllPairs:
    """Every two systems, by the paired bootstrap, shifted by the observed difference.

    Attributes
    ----------
    observed : array (systems,)
    resampled : array (systems, resamples)
        All resamples, or the first of them, which give the spreads; :meth:`count` takes the others, part by part.
    lower_is_better : bool
        Direction of the scores: differences are positive if the second system is better.
    factor : float
        What deviations are multiplied by, see :func:`truegain.inference.pvalues.small_sample_factor`.
    freedom : float, optional
        The factor's degrees of freedom, see :func:`truegain.inference.multiplicity.to_their_tails`.
    jobs : int
        Threads. Nothing depends on it.
    progress : callable, optional
        Called with the number of resamples counted.
    rounded : array (systems,), optional
        What rounding may change in the scores; by default what scoring exact sums does.
    """

    observed: NDArray[np.float64]
    resampled: NDArray[np.float64]
    lower_is_better: bool = False
    factor: float = 1.0
    freedom: float | None = None
    jobs: int = 1
    progress: Callable[[int], None] | None = None
    rounded: NDArray[np.float64] | None = None

    @property
    def pairs(self) -> Pairs:
        """First and second systems."""
        return pairs_of(self.observed.size)

    @property
    def deltas(self) -> NDArray[np.float64]:
        """Observed differences."""
        firsts, seconds = self.pairs
        scores = -self.observed if self.lower_is_better else self.observed
        return np.asarray(scores[seconds] - scores[firsts])

    @property
    def slacks(self) -> NDArray[np.float64]:
        """Largest difference that counts as a tie, for each pair."""
        firsts, seconds = self.pairs
        rounded = rounding(self.observed) if self.rounded is None else self.rounded
        larger = np.maximum(rounded[firsts], rounded[seconds])
        both = zip(self.deltas.tolist(), larger.tolist(), strict=True)
        return np.array([tolerance(magnitude_of(delta, own)) for delta, own in both])

    def exceedances(self) -> NDArray[np.int64]:
        """Count how often each pair's deviation, on either side, is at least its observed difference."""
        return self.count(maxima=False).exceedances

    def max_t(self) -> NDArray[np.float64]:
        """Return p-values adjusted by step-down maxT, as by :func:`truegain.inference.multiplicity.max_t`."""
        return self.adjusted(self.count())

    def question(self, *, maxima: bool = True) -> PairQuestion:
        """Return what is to be counted of the resampled scores.

        Parameters
        ----------
        maxima : bool
            Also the largest standardised deviations, for :meth:`adjusted`.
        """
        deltas = self.deltas
        steps = self._steps.columns if maxima else None
        return PairQuestion(*self.pairs, deltas, np.abs(deltas) - self.slacks, self.factor, self.lower_is_better, steps)

    def count(self, *, maxima: bool = True) -> PairCounts:
        """Count in the resamples that are held; counts of others, by the same question, can be added."""
        question = self.question(maxima=maxima)
        counts = question.nothing
        for part in question.parts(self.resampled, self.jobs):
            counts += part
            if self.progress is not None:
                self.progress(part.resamples)
        return counts

    def adjusted(self, counts: PairCounts) -> NDArray[np.float64]:
        """Return the p-values of :meth:`max_t`, from counts with maxima."""
        steps = self._steps
        adjusted = np.ones(steps.order.size)
        adjusted[steps.columns.pairs] = (counts.maxima + 1) / (counts.resamples + 1)
        adjusted[steps.order] = np.maximum.accumulate(adjusted[steps.order])
        return adjusted

    def wins(self) -> NDArray[np.int64]:
        """Count how often each pair's deviation favours the better system by at least the observed difference.

        The pair is taken so that its difference is positive, as Berg-Kirkpatrick et al. (2012) do: a one-sided test of
        whether the system with the better score is better.
        """
        firsts, seconds = self.pairs
        deltas = self.deltas
        turned = deltas < 0.0
        worse, better = np.where(turned, seconds, firsts), np.where(turned, firsts, seconds)
        gains = np.abs(deltas)
        limits = gains - self.slacks

        def work(pieces: Iterator[NDArray[np.float64]]) -> NDArray[np.int64]:
            counts = np.zeros(firsts.size, np.int64)
            for scores in pieces:
                kernels().count_above(scores, worse, better, gains, limits, self.factor, counts)
            return counts

        parts = in_pieces(self.resampled, work, jobs=self.jobs, lower_is_better=self.lower_is_better)
        return np.asarray(sum(parts, np.zeros(firsts.size, np.int64)))

    def spreads(self, most: int | None = None) -> NDArray[np.float64]:
        """Return the root mean square of each pair's deviations, over all or the first ``most`` resamples held."""
        firsts, seconds = self.pairs
        deltas = self.deltas
        held = self.resampled[:, :most]

        def work(pieces: Iterator[NDArray[np.float64]]) -> NDArray[np.float64]:
            squares = np.zeros(firsts.size)
            for scores in pieces:
                kernels().square_sums(scores, firsts, seconds, deltas, self.factor, squares)
            return squares

        total = np.zeros(firsts.size)
        # In order, so that the last bits are always the same.
        for part in in_pieces(held, work, jobs=self.jobs, lower_is_better=self.lower_is_better):
            total += part
        return np.asarray(np.sqrt(total / held.shape[1]))

    @cached_property
    def _steps(self) -> _Stepping:
        firsts, seconds = self.pairs
        deltas, slacks, spreads = self.deltas, self.slacks, self.spreads(STANDARDISING)
        varying = spreads > slacks  # else nothing ever differs: the two are the same
        scales = np.divide(1.0, spreads, out=np.zeros(spreads.size), where=varying)
        observed = np.where(varying, (np.abs(deltas) - slacks) * scales, -np.inf)
        observed = to_their_tails(observed, self.freedom)
        order = np.argsort(-observed, kind="stable")
        rising = np.ascontiguousarray(order[::-1][np.count_nonzero(~varying) :])
        scaling = scales * self.factor
        steps = Steps(rising, firsts[rising], seconds[rising], deltas[rising], scaling[rising], observed[rising])
        return _Stepping(order, steps)


@dataclass(frozen=True)
class _Stepping:
    """The pairs from the most extreme to the least, and what counting their step-down maxima needs."""

    order: NDArray[np.intp]  # of all pairs, the most extreme first
    columns: Steps  # of those that vary, the least extreme first
