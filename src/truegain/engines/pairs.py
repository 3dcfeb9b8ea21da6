"""All pairs of systems: what is counted of their resampled scores, without storing a difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from truegain.executors.over import Workers, over
from truegain.kernels import missing, run, widest

_BLOCK = 4096  # resamples that a thread does at a time
_CACHED = 1 << 16  # scores that are looked through again and again, pair by pair
_WIDEST = 1024

_Part = TypeVar("_Part")


@dataclass(frozen=True)
class Steps:
    """The pairs that vary, from the least extreme to the most, for counting their step-down maxima.

    Attributes
    ----------
    pairs : array of int
        Their numbers among all pairs of the question.
    firsts, seconds : arrays of int
    centres : array
        What is taken from the difference, second less first.
    scales : array
        What deviations are multiplied by, so that all pairs' have one spread.
    observed : array
        What the largest deviation so far is held against.
    """

    pairs: NDArray[np.intp]
    firsts: NDArray[np.int64]
    seconds: NDArray[np.int64]
    centres: NDArray[np.float64]
    scales: NDArray[np.float64]
    observed: NDArray[np.float64]


@dataclass(frozen=True)
class PairQuestion:
    """Question of how often the deviation of each pair of systems is large.

    Attributes
    ----------
    firsts, seconds : arrays of int
        The systems of each pair.
    centres : array
        Observed differences, second less first, so that higher is better.
    limits : array
        What a deviation counts from, on either side.
    factor : float
        What deviations are multiplied by.
    lower_is_better : bool
        Of the scores; their sign is turned then.
    steps : Steps, optional
        For the largest standardised deviations as well.
    """

    firsts: NDArray[np.int64]
    seconds: NDArray[np.int64]
    centres: NDArray[np.float64]
    limits: NDArray[np.float64]
    factor: float
    lower_is_better: bool
    steps: Steps | None = None

    @property
    def nothing(self) -> PairCounts:
        """Counts before the first resample."""
        return PairCounts.none(self.centres.size, 0 if self.steps is None else self.steps.observed.size)

    def parts(self, scores: NDArray[np.float64], jobs: int) -> Iterator[PairCounts]:
        """Count in scores (systems, resamples), part by part."""
        return in_pieces(scores, self._counted, jobs=jobs, lower_is_better=self.lower_is_better)

    def count(self, scores: NDArray[np.float64], jobs: int = 1) -> PairCounts:
        """Count in scores (systems, resamples)."""
        return sum(self.parts(scores, jobs), self.nothing)

    def _counted(self, pieces: Iterator[NDArray[np.float64]]) -> PairCounts:
        counts = self.nothing
        resamples = 0
        for scores in pieces:
            resamples += scores.shape[1]
            kernels().count_pairs(
                scores, self.firsts, self.seconds, self.centres, self.limits, self.factor, counts.exceedances
            )
            if (steps := self.steps) is not None:
                columns = (steps.firsts, steps.seconds, steps.centres, steps.scales, steps.observed)
                kernels().count_maxima(scores, *columns, counts.maxima)
        return replace(counts, resamples=resamples)


def in_pieces(
    scores: NDArray[np.float64],
    work: Callable[[Iterator[NDArray[np.float64]]], _Part],
    *,
    jobs: int,
    lower_is_better: bool,
) -> Iterator[_Part]:
    """Yield the result of each block of resamples, in order; work gets scores in pieces, so that higher is better."""
    # As many at a time as stay in the processor's cache with all systems.
    width = int(np.clip(_CACHED // len(scores) // 8 * 8, 64, _WIDEST))

    def pieces(first: int, end: int) -> Iterator[NDArray[np.float64]]:
        for start in range(first, end, width):
            piece = scores[:, start : min(start + width, end)]
            yield np.negative(piece, order="C") if lower_is_better else np.ascontiguousarray(piece)

    def counted(_: None, first: int, end: int) -> _Part:
        return work(pieces(first, end))

    return over(counted, None, 0, scores.shape[1], Workers(jobs), size=_BLOCK)


@dataclass(frozen=True)
class PairCounts:
    """Counts over some resamples, pair by pair.

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
        """Return counts of no resample."""
        return cls(np.zeros(pairs, np.int64), np.zeros(varying, np.int64), 0)

    def __add__(self, other: PairCounts) -> PairCounts:
        return PairCounts(
            self.exceedances + other.exceedances, self.maxima + other.maxima, self.resamples + other.resamples
        )


_Values = NDArray[np.float64]
_Numbers = NDArray[np.int64]


class _Compiled:
    """The loops of :mod:`truegain.kernels.pairs`, as they were built for this processor."""

    def __init__(self) -> None:
        self._built = widest("pairs")
        self.count_above = partial(run, self._built.count_above)
        self.square_sums = partial(run, self._built.square_sums)

    def count_pairs(self, scores: _Values, *arguments: Any) -> None:
        *columns, counts = arguments
        run(self._built.count_pairs, scores, *columns, *_room(scores), counts)

    def count_maxima(self, scores: _Values, *arguments: Any) -> None:
        *columns, counts = arguments
        highest, reached = np.empty(scores.shape[1]), np.empty(scores.shape[1], np.int64)
        changes = np.empty(np.size(counts) + 1, np.int64)
        run(self._built.count_maxima, scores, *columns, *_room(scores), highest, reached, changes, counts)


def _room(scores: _Values) -> tuple[NDArray[np.float32], _Values, _Values]:
    """Return work space for copies of the scores."""
    systems, width = scores.shape
    return np.empty((systems + 1, width), np.float32), np.empty((systems + 1, 3)), np.empty(width)


class _Vectorised:
    """Loops over pairs in numpy, with the same bits, if nothing was compiled."""

    def count_pairs(self, *given: Any) -> None:
        self._count(np.abs, *given)

    def count_above(self, *given: Any) -> None:
        self._count(np.asarray, *given)

    def _count(
        self,
        size: Callable[[_Values], _Values],
        scores: _Values,
        firsts: _Numbers,
        seconds: _Numbers,
        centres: _Values,
        limits: _Values,
        factor: float,
        counts: _Numbers,
    ) -> None:
        for i, values in _deviations(scores, firsts, seconds, centres):
            counts[i] += np.count_nonzero(size(values * factor) >= limits[i])

    def square_sums(
        self, scores: _Values, firsts: _Numbers, seconds: _Numbers, centres: _Values, factor: float, squares: _Values
    ) -> None:
        whole = scores.shape[1] // 4 * 4
        for i, deviations in _deviations(scores, firsts, seconds, centres):
            values = (deviations * factor) ** 2
            sums = np.add.accumulate(values[:whole].reshape(-1, 4), axis=0)[-1] if whole else np.zeros(4)
            for value in values[whole:]:
                sums[0] += value
            squares[i] += (sums[0] + sums[1]) + (sums[2] + sums[3])

    def count_maxima(
        self,
        scores: _Values,
        firsts: _Numbers,
        seconds: _Numbers,
        centres: _Values,
        scales: _Values,
        observed: _Values,
        counts: _Numbers,
    ) -> None:
        highest = np.zeros(scores.shape[1])
        for i, values in _deviations(scores, firsts, seconds, centres):
            np.maximum(highest, np.abs(values * scales[i]), out=highest)
            counts[i] += np.count_nonzero(highest >= observed[i])


def _deviations(
    scores: _Values, firsts: _Numbers, seconds: _Numbers, centres: _Values
) -> Iterator[tuple[int, _Values]]:
    """Yield the number of each pair, and its differences less their centre."""
    for i, (a, b) in enumerate(zip(firsts, seconds, strict=True)):
        yield i, scores[b] - scores[a] - centres[i]


@cache
def kernels() -> _Compiled | _Vectorised:
    """Return the loops over pairs that are available here."""
    return _Vectorised() if "pairs" in missing() else _Compiled()
