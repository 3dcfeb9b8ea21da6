"""All pairs of systems from one set of bootstrap resamples: p-values, plain and adjusted, without storing a difference.

What :func:`truegain.inference.pvalues.bootstrap_test` and :func:`truegain.inference.multiplicity.max_t` do with the
differences of one pair is done here for every pair, piece by piece of the resamples, from the systems' own scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.inference.pvalues import tolerance
from truegain.kernels import missing, run, widest

__all__ = ["AllPairs", "pairs_of"]

_BLOCK = 4096  # resamples that a thread does at a time
_CACHED = 1 << 16  # scores that are looked through again and again, pair by pair
_WIDEST = 1024

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
    lower_is_better : bool
        Of the scores: differences are positive where the second system is better.
    factor : float
        What deviations are multiplied by, see :func:`truegain.inference.pvalues.small_sample_factor`.
    jobs : int
        Threads. Nothing depends on it.
    progress : callable, optional
        Told how many resamples were gone through.
    """

    observed: NDArray[np.float64]
    resampled: NDArray[np.float64]
    lower_is_better: bool = False
    factor: float = 1.0
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
        firsts, seconds = self.pairs
        deltas = self.deltas
        limits = np.abs(deltas) - self.slacks

        def work(first: int) -> NDArray[np.int64]:
            counts = np.zeros(firsts.size, np.int64)
            for scores in self._pieces(first):
                _kernels().count_pairs(scores, firsts, seconds, deltas, limits, self.factor, counts)
            return counts

        return np.asarray(np.sum(list(self._blocks(work)), axis=0, dtype=np.int64))

    def spreads(self) -> NDArray[np.float64]:
        """The root mean square of each pair's deviations."""
        firsts, seconds = self.pairs
        deltas = self.deltas

        def work(first: int) -> NDArray[np.float64]:
            squares = np.zeros(firsts.size)
            for scores in self._pieces(first):
                _kernels().square_sums(scores, firsts, seconds, deltas, self.factor, squares)
            return squares

        total = np.zeros(firsts.size)
        for part in self._blocks(work):  # in order, so that the last bits are always the same
            total += part
        return np.asarray(np.sqrt(total / self.resampled.shape[1]))

    def max_t(self) -> NDArray[np.float64]:
        """P-values adjusted by the step-down maxT procedure, as :func:`truegain.inference.multiplicity.max_t` does."""
        firsts, seconds = self.pairs
        deltas, slacks, spreads = self.deltas, self.slacks, self.spreads()
        varying = spreads > slacks  # else nothing ever differs: the two are the same
        scales = np.divide(1.0, spreads, out=np.zeros(spreads.size), where=varying)
        observed = np.where(varying, (np.abs(deltas) - slacks) * scales, -np.inf)
        order = np.argsort(-observed, kind="stable")
        rising = order[::-1][np.count_nonzero(~varying) :]
        olds, news = np.ascontiguousarray(firsts[rising]), np.ascontiguousarray(seconds[rising])
        centres, scale, far = (np.ascontiguousarray(one[rising]) for one in (deltas, scales * self.factor, observed))

        def work(first: int) -> NDArray[np.int64]:
            counts = np.zeros(rising.size, np.int64)
            highest = np.empty(self._width)
            for scores in self._pieces(first):
                _kernels().count_maxima(scores, olds, news, centres, scale, far, highest[: scores.shape[1]], counts)
            return counts

        adjusted = np.ones(firsts.size)
        counts = np.sum(list(self._blocks(work)), axis=0, dtype=np.int64)
        adjusted[rising] = (counts + 1) / (self.resampled.shape[1] + 1)
        adjusted[order] = np.maximum.accumulate(adjusted[order])
        return adjusted

    @property
    def _width(self) -> int:
        """Resamples looked at together: as many as stay in the processor's cache with all systems."""
        return int(np.clip(_CACHED // self.observed.size // 8 * 8, 64, _WIDEST))

    def _pieces(self, first: int) -> Iterator[NDArray[np.float64]]:
        """The scores of a block, in pieces, so that higher is better."""
        last = min(first + _BLOCK, self.resampled.shape[1])
        for start in range(first, last, self._width):
            piece = self.resampled[:, start : min(start + self._width, last)]
            yield np.negative(piece, order="C") if self.lower_is_better else np.ascontiguousarray(piece)

    def _blocks(self, work: Callable[[int], Any]) -> Iterator[Any]:
        total = self.resampled.shape[1]
        starts = range(0, total, _BLOCK)
        with ThreadPoolExecutor(max(1, min(self.jobs, len(starts)))) as pool:
            for start, part in zip(starts, pool.map(work, starts), strict=True):
                if self.progress is not None:
                    self.progress(min(_BLOCK, total - start))
                yield part


class _Compiled:
    """The kernels, as they were built for this processor."""

    def __init__(self) -> None:
        self._kernel = widest("pairs")

    def count_pairs(self, *arguments: Any) -> None:
        run(self._kernel.count_pairs, *arguments)

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
