"""What an engine does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from truegain.engines.pairs import PairCounts, PairQuestion
from truegain.executors.base import Executor
from truegain.resampling.design import Design
from truegain.resampling.units import UnitTable
from truegain.statistics import Block, SystemScores, check_defined

__all__ = ["Engine", "Reduce", "Report", "count_by_scores", "side_by_side"]

#: From totals (columns, resamples) to what is kept of them (rows, resamples). An instance of a class at the top of a
#: module, where it is to be sent to other processes.
Reduce = Callable[[NDArray[np.float64]], NDArray[np.float64]]

#: Told how many resamples were done.
Report = Callable[[int], None]

_PIECE = 10_000  # resamples of which scores are held at once


class Engine(Protocol):
    """Something that computes the totals of many resamples."""

    @property
    def executor(self) -> Executor:
        """Where statistics of segments are computed."""
        ...

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
        """Reduce the totals of resamples ``first`` to ``first + resamples``; the result does not depend on the chunks.

        Totals are exact. ``reduce`` must treat every resample alone. Gives an array (rows, resamples); parts made one
        after the other are, side by side, what would have been made at once.
        """
        ...

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
        """Reduce the sums of statistics (units, runs, k) whose runs are dealt out anew in every unit.

        ``reduce`` gets sums (resamples, runs, k), and gives an array (rows, resamples).
        """
        ...

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
        """Count pairs of systems in resamples ``first`` to ``first + resamples``, one question a metric.

        The counts are those of :func:`count_by_scores`, to the last one.
        """
        ...


def side_by_side(parts: Iterable[NDArray[np.float64]], resamples: int, progress: Report | None) -> NDArray[np.float64]:
    """Parts (rows, some resamples), one after the other, as one array (rows, resamples)."""
    result: NDArray[np.float64] | None = None
    place = 0
    for part in parts:
        if result is None:
            result = np.empty((part.shape[0], resamples))
        result[:, place : place + part.shape[1]] = part
        place += part.shape[1]
        if progress is not None:
            progress(part.shape[1])
    if result is None:
        raise ValueError("at least one resample is needed")
    return result


def count_by_scores(
    engine: Engine,
    design: Design,
    table: UnitTable,
    blocks: Sequence[Block],
    questions: Sequence[PairQuestion],
    resamples: int,
    progress: Report | None = None,
    *,
    first: int = 0,
    jobs: int = 1,
) -> list[PairCounts]:
    """Count in scores that numpy made, a piece of the resamples at a time: what every engine's counts are held to."""
    counts = [question.nothing for question in questions]
    reduce = SystemScores(tuple(blocks))
    for start in range(first, first + resamples, _PIECE):
        size = min(_PIECE, first + resamples - start)
        scores = engine.resample(design, table, size, reduce, first=start)
        parts = scores.reshape(len(questions), -1, size)
        for block, part in zip(blocks, parts, strict=True):
            check_defined(part, block)
        counts = [
            before + question.count(part, jobs) for before, question, part in zip(counts, questions, parts, strict=True)
        ]
        if progress is not None:
            progress(size * len(questions))
    return counts
