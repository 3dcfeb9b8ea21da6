"""All pairs of systems from one set of bootstrap resamples: p-values, plain and adjusted, without storing a difference.

What :func:`truegain.inference.pvalues.bootstrap_test` and :func:`truegain.inference.multiplicity.max_t` do with the
differences of one pair is done here for every pair, piece by piece of the resamples, from the systems' own scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from truegain.inference.multiplicity import STANDARDISING, to_their_tails
from truegain.inference.pvalues import tolerance
from truegain.kernels import missing, run, widest

__all__ = ["AllPairs", "PairCounts", "pairs_of"]

_BLOCK = 4096  # resamples that a thread does at a time
_CACHED = 1 << 16  # scores that are looked through again and again, pair by pair
_WIDEST = 1024

_Part = TypeVar("_Part")
Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]


def pairs_of(systems: int) -> Pairs:
    """The first and the second system of every pair, in the order of :func:`itertools.combinations`."""
    firsts, seconds = np.triu_indices(systems, 1)
    return firsts.astype(np.int64), seconds.astype(np.int64)


@dataclass(frozen=True)
class AllPairs:
    """Every two systems, by the paired bootstrap, shifted by the observed difference.

    Attributes
    ----------
    observed : array (systems,)
    resampled : array (systems, resamples)
        All resamples, or the first of them, which tell the spreads; :meth:`count` takes the others, part by part.
    lower_is_better : bool
        Of the scores: differences are positive where the second system is better.
    factor : float
        What deviations are multiplied by, see :func:`truegain.inference.pvalues.small_sample_factor`.
    freedom : float, optional
        The factor's degrees of freedom, see :func:`truegain.inference.multiplicity.to_their_tails`.
    jobs : int
        Threads. Nothing depends on it.
    progress : callable, optional
        Told how many resamples were gone through.
    """

    observed: NDArray[np.float64]
    resampled: NDArray[np.float64]
    lower_is_better: bool = False
    factor: float = 1.0
    freedom: float | None = None
    jobs: int = 1
    progress: Callable[[int], None] | None = None

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
        """What counts as a tie."""
        firsts, seconds = self.pairs
        sizes = np.abs(self.observed)
        return np.asarray(tolerance(1.0) * np.maximum(sizes[firsts], sizes[seconds]))

    def exceedances(self) -> NDArray[np.int64]:
        """How often each pair's deviation, on either side, is at least as large as its observed difference."""
        return self.count(maxima=False).exceedances

    def max_t(self) -> NDArray[np.float64]:
        """P-values adjusted by the step-down maxT procedure, as :func:`truegain.inference.multiplicity.max_t` does."""
        return self.adjusted(self.count())

    def count(self, resampled: NDArray[np.float64] | None = None, *, maxima: bool = True) -> PairCounts:
        """Count in these resamples, or in those that are held; counts of several parts can be added.

        Parameters
        ----------
        resampled : array (systems, resamples), optional
        maxima : bool
            Also the largest standardised deviations, for :meth:`adjusted`.
        """
        resampled = self.resampled if resampled is None else resampled
        steps = self._steps if maxima else None
        counts = PairCounts.none(self.deltas.size, 0 if steps is None else steps.rising.size)

        def work(pieces: Iterator[NDArray[np.float64]]) -> PairCounts:
            return self._counted(pieces, steps)

        for part in self._blocks(resampled, work):
            counts += part
            if self.progress is not None:
                self.progress(part.resamples)
        return counts

    def adjusted(self, counts: PairCounts) -> NDArray[np.float64]:
        """The p-values of :meth:`max_t`, from counts with maxima."""
        steps = self._steps
        adjusted = np.ones(steps.order.size)
        adjusted[steps.rising] = (counts.maxima + 1) / (counts.resamples + 1)
        adjusted[steps.order] = np.maximum.accumulate(adjusted[steps.order])
        return adjusted

    def wins(self) -> NDArray[np.int64]:
        """How often each pair's deviation is at least as large as its observed difference, in the better one's favour.

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
                _kernels().count_above(scores, worse, better, gains, limits, self.factor, counts)
            return counts

        return np.asarray(np.sum(list(self._blocks(self.resampled, work)), axis=0, dtype=np.int64))

    def spreads(self, most: int | None = None) -> NDArray[np.float64]:
        """The root mean square of each pair's deviations, over the resamples that are held or the first so many."""
        firsts, seconds = self.pairs
        deltas = self.deltas
        held = self.resampled[:, :most]

        def work(pieces: Iterator[NDArray[np.float64]]) -> NDArray[np.float64]:
            squares = np.zeros(firsts.size)
            for scores in pieces:
                _kernels().square_sums(scores, firsts, seconds, deltas, self.factor, squares)
            return squares

        total = np.zeros(firsts.size)
        for part in self._blocks(held, work):  # in order, so that the last bits are always the same
            total += part
        return np.asarray(np.sqrt(total / held.shape[1]))

    @cached_property
    def _steps(self) -> _Steps:
        firsts, seconds = self.pairs
        deltas, slacks, spreads = self.deltas, self.slacks, self.spreads(STANDARDISING)
        varying = spreads > slacks  # else nothing ever differs: the two are the same
        scales = np.divide(1.0, spreads, out=np.zeros(spreads.size), where=varying)
        observed = np.where(varying, (np.abs(deltas) - slacks) * scales, -np.inf)
        observed = to_their_tails(observed, self.freedom)
        order = np.argsort(-observed, kind="stable")
        rising = order[::-1][np.count_nonzero(~varying) :]
        columns: tuple[NDArray[Any], ...] = (firsts, seconds, deltas, scales * self.factor, observed)
        return _Steps(order, rising, tuple(np.ascontiguousarray(one[rising]) for one in columns))

    def _counted(self, pieces: Iterator[NDArray[np.float64]], steps: _Steps | None) -> PairCounts:
        firsts, seconds = self.pairs
        deltas = self.deltas
        limits = np.abs(deltas) - self.slacks
        counts = PairCounts.none(deltas.size, 0 if steps is None else steps.rising.size)
        highest = np.empty(_WIDEST)
        resamples = 0
        for scores in pieces:
            width = scores.shape[1]
            resamples += width
            _kernels().count_pairs(scores, firsts, seconds, deltas, limits, self.factor, counts.exceedances)
            if steps is not None:
                firsts_of, seconds_of, centres, scales, observed = steps.columns
                _kernels().count_maxima(
                    scores, firsts_of, seconds_of, centres, scales, observed, highest[:width], counts.maxima
                )
        return replace(counts, resamples=resamples)

    @property
    def _width(self) -> int:
        """Resamples looked at together: as many as stay in the processor's cache with all systems."""
        return int(np.clip(_CACHED // self.observed.size // 8 * 8, 64, _WIDEST))

    def _pieces(self, resampled: NDArray[np.float64], first: int) -> Iterator[NDArray[np.float64]]:
        """The scores of a block, in pieces, so that higher is better."""
        last = min(first + _BLOCK, resampled.shape[1])
        for start in range(first, last, self._width):
            piece = resampled[:, start : min(start + self._width, last)]
            yield np.negative(piece, order="C") if self.lower_is_better else np.ascontiguousarray(piece)

    def _blocks(
        self, resampled: NDArray[np.float64], work: Callable[[Iterator[NDArray[np.float64]]], _Part]
    ) -> Iterator[_Part]:
        """What is made of each block of resamples, in order."""
        starts = range(0, resampled.shape[1], _BLOCK)
        with ThreadPoolExecutor(max(1, min(self.jobs, len(starts)))) as pool:
            yield from pool.map(lambda start: work(self._pieces(resampled, start)), starts)


@dataclass(frozen=True)
class PairCounts:
    """What was counted in some resamples, pair by pair.

    Attributes
    ----------
    exceedances : array of int
        How often a pair's deviation reached its observed difference.
    maxima : array of int
        How often the largest of this and all less extreme ones did, standardised; the least extreme pair first.
    resamples : int
    """

    exceedances: NDArray[np.int64]
    maxima: NDArray[np.int64]
    resamples: int

    @classmethod
    def none(cls, pairs: int, varying: int) -> PairCounts:
        """Nothing counted yet."""
        return cls(np.zeros(pairs, np.int64), np.zeros(varying, np.int64), 0)

    def __add__(self, other: PairCounts) -> PairCounts:
        return PairCounts(
            self.exceedances + other.exceedances, self.maxima + other.maxima, self.resamples + other.resamples
        )


@dataclass(frozen=True)
class _Steps:
    """The pairs from the least extreme to the most, and what counting their step-down maxima needs."""

    order: NDArray[np.intp]  # of all pairs, the most extreme first
    rising: NDArray[np.intp]  # of those that vary
    columns: tuple[NDArray[Any], ...]  # of these, as the kernel takes them


class _Compiled:
    """The kernels, as they were built for this processor."""

    def __init__(self) -> None:
        self._kernel = widest("pairs")

    def count_pairs(self, *arguments: Any) -> None:
        run(self._kernel.count_pairs, *arguments)

    def count_above(self, *arguments: Any) -> None:
        run(self._kernel.count_above, *arguments)

    def square_sums(self, *arguments: Any) -> None:
        run(self._kernel.square_sums, *arguments)

    def count_maxima(self, *arguments: Any) -> None:
        run(self._kernel.count_maxima, *arguments)


class _Vectorised:
    """The same in numpy, with the same bits, where nothing was compiled."""

    def count_pairs(
        self,
        scores: NDArray[np.float64],
        firsts: NDArray[np.int64],
        seconds: NDArray[np.int64],
        centres: NDArray[np.float64],
        limits: NDArray[np.float64],
        factor: float,
        counts: NDArray[np.int64],
    ) -> None:
        for i, (a, b) in enumerate(zip(firsts, seconds, strict=True)):
            counts[i] += np.count_nonzero(np.abs((scores[b] - scores[a] - centres[i]) * factor) >= limits[i])

    def count_above(
        self,
        scores: NDArray[np.float64],
        firsts: NDArray[np.int64],
        seconds: NDArray[np.int64],
        centres: NDArray[np.float64],
        limits: NDArray[np.float64],
        factor: float,
        counts: NDArray[np.int64],
    ) -> None:
        for i, (a, b) in enumerate(zip(firsts, seconds, strict=True)):
            counts[i] += np.count_nonzero((scores[b] - scores[a] - centres[i]) * factor >= limits[i])

    def square_sums(
        self,
        scores: NDArray[np.float64],
        firsts: NDArray[np.int64],
        seconds: NDArray[np.int64],
        centres: NDArray[np.float64],
        factor: float,
        squares: NDArray[np.float64],
    ) -> None:
        whole = scores.shape[1] // 4 * 4
        for i, (a, b) in enumerate(zip(firsts, seconds, strict=True)):
            values = ((scores[b] - scores[a] - centres[i]) * factor) ** 2
            sums = np.add.accumulate(values[:whole].reshape(-1, 4), axis=0)[-1] if whole else np.zeros(4)
            for value in values[whole:]:
                sums[0] += value
            squares[i] += (sums[0] + sums[1]) + (sums[2] + sums[3])

    def count_maxima(
        self,
        scores: NDArray[np.float64],
        firsts: NDArray[np.int64],
        seconds: NDArray[np.int64],
        centres: NDArray[np.float64],
        scales: NDArray[np.float64],
        observed: NDArray[np.float64],
        highest: NDArray[np.float64],
        counts: NDArray[np.int64],
    ) -> None:
        highest[:] = 0.0
        for i, (a, b) in enumerate(zip(firsts, seconds, strict=True)):
            np.maximum(highest, np.abs((scores[b] - scores[a] - centres[i]) * scales[i]), out=highest)
            counts[i] += np.count_nonzero(highest >= observed[i])


@cache
def _kernels() -> _Compiled | _Vectorised:
    return _Vectorised() if "pairs" in missing() else _Compiled()
