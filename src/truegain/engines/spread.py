"""Resamples spread over workers that share no memory with this process: other processes, other machines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.engines.base import Report, side_by_side
from truegain.engines.blas import BlasEngine
from truegain.engines.pairs import PairCounts
from truegain.engines.work import Counting, Dealing, Resampling
from truegain.executors.base import Executor, parts_of

_Part = tuple[int, int]  # the first resample, and how many


@dataclass(frozen=True)
class SpreadEngine:
    """Every worker does parts of the resamples with one thread; the data are sent to it once for each resampling.

    Parameters
    ----------
    executor : Executor
    """

    executor: Executor

    def resample(
        self, work: Resampling, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`."""
        return self._reduced(_Reduced(work), first, resamples, progress)

    def deal(
        self, work: Dealing, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`."""
        return self._reduced(_Dealt(work), first, resamples, progress)

    def count(
        self, work: Counting, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> list[PairCounts]:
        """See :class:`truegain.engines.base.Engine`."""
        counts = [question.nothing for question in work.questions]
        for found in self.executor.map(_Counted(work), parts_of(first, resamples, self.executor.workers)):
            counts = [before + part for before, part in zip(counts, found, strict=True)]
            if progress is not None:
                progress(sum(part.resamples for part in found))
        return counts

    def _reduced(
        self, task: Callable[[_Part], NDArray[np.float64]], first: int, resamples: int, progress: Report | None
    ) -> NDArray[np.float64]:
        parts = self.executor.map(task, parts_of(first, resamples, self.executor.workers))
        return side_by_side(parts, resamples, progress)


@dataclass(frozen=True)
class _Reduced:
    work: Resampling

    def __call__(self, part: _Part) -> NDArray[np.float64]:
        first, count = part
        return BlasEngine().resample(self.work, count, first=first)


@dataclass(frozen=True)
class _Dealt:
    work: Dealing

    def __call__(self, part: _Part) -> NDArray[np.float64]:
        first, count = part
        return BlasEngine().deal(self.work, count, first=first)


@dataclass(frozen=True)
class _Counted:
    work: Counting

    def __call__(self, part: _Part) -> list[PairCounts]:
        first, count = part
        return BlasEngine().count(self.work, count, first=first)
