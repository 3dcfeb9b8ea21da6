"""Resamples spread over workers that share no memory with this process: other processes, other machines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.engines.base import Reduce, Report, side_by_side
from truegain.engines.blas import BlasEngine
from truegain.engines.pairs import PairCounts, PairQuestion
from truegain.executors.base import Executor, parts_of
from truegain.resampling.design import Design
from truegain.resampling.units import UnitTable
from truegain.statistics import Block

__all__ = ["SpreadEngine"]

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
        self,
        design: Design,
        table: UnitTable,
        resamples: int,
        reduce: Reduce,
        progress: Report | None = None,
        *,
        first: int = 0,
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`."""
        return self._reduced(_Resampling(design, table, reduce), first, resamples, progress)

    def deal(
        self,
        seed: int,
        values: NDArray[np.int64],
        resamples: int,
        reduce: Reduce,
        progress: Report | None = None,
        *,
        first: int = 0,
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`."""
        return self._reduced(_Dealing(seed, values, reduce), first, resamples, progress)

    def count(
        self,
        design: Design,
        table: UnitTable,
        blocks: Sequence[Block],
        questions: Sequence[PairQuestion],
        resamples: int,
        progress: Report | None = None,
        *,
        first: int = 0,
    ) -> list[PairCounts]:
        """See :class:`truegain.engines.base.Engine`."""
        counts = [question.nothing for question in questions]
        task = _Counting(design, table, tuple(blocks), tuple(questions))
        for found in self.executor.map(task, parts_of(first, resamples, self.executor.workers)):
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
class _Resampling:
    design: Design
    table: UnitTable
    reduce: Reduce

    def __call__(self, part: _Part) -> NDArray[np.float64]:
        first, count = part
        return BlasEngine().resample(self.design, self.table, count, self.reduce, first=first)


@dataclass(frozen=True)
class _Dealing:
    seed: int
    values: NDArray[np.int64]
    reduce: Reduce

    def __call__(self, part: _Part) -> NDArray[np.float64]:
        first, count = part
        return BlasEngine().deal(self.seed, self.values, count, self.reduce, first=first)


@dataclass(frozen=True)
class _Counting:
    design: Design
    table: UnitTable
    blocks: tuple[Block, ...]
    questions: tuple[PairQuestion, ...]

    def __call__(self, part: _Part) -> list[PairCounts]:
        first, count = part
        return BlasEngine().count(self.design, self.table, self.blocks, self.questions, count, first=first)
