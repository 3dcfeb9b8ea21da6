"""Protocol of engines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from truegain.engines.work import Counting, Dealing, Resampling
from truegain.executors.base import Executor
from truegain.statistics import SystemScores, check_defined

if TYPE_CHECKING:
    from truegain.engines.pairs import PairCounts

#: Told how many resamples were done.
Report = Callable[[int], None]

_PIECE = 10_000  # resamples of which scores are held at once


class Engine(Protocol):
    """Something that computes the totals of many resamples."""

    @property
    def executor(self) -> Executor:
        """Executor that computes statistics of segments."""
        ...

    def resample(
        self, work: Resampling, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """Reduce the totals of resamples ``first`` to ``first + resamples``; the result does not depend on the chunks.

        Totals are exact. Gives an array (rows, resamples); parts made one after the other are, side by side, what would
        have been made at once.
        """
        ...

    def deal(
        self, work: Dealing, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """Reduce the sums of runs that are permuted in every unit; an array (rows, resamples)."""
        ...

    def count(
        self, work: Counting, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> list[PairCounts]:
        """Count pairs of systems in resamples ``first`` to ``first + resamples``.

        The counts are those of :func:`count_by_scores`, to the last one.
        """
        ...


def side_by_side(parts: Iterable[NDArray[np.float64]], resamples: int, progress: Report | None) -> NDArray[np.float64]:
    """Join parts (rows, some resamples), one after the other, into one array (rows, resamples)."""
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
    work: Counting,
    resamples: int,
    progress: Report | None = None,
    *,
    first: int = 0,
    jobs: int = 1,
) -> list[PairCounts]:
    """Count in scores that numpy made, a piece of the resamples at a time: what every engine's counts are held to."""
    counts = [question.nothing for question in work.questions]
    scoring = Resampling(work.design, work.table, SystemScores(work.blocks))
    for start in range(first, first + resamples, _PIECE):
        size = min(_PIECE, first + resamples - start)
        scores = engine.resample(scoring, size, first=start)
        parts = scores.reshape(len(work.questions), -1, size)
        for block, part in zip(work.blocks, parts, strict=True):
            check_defined(part, block)
        counts = [
            before + question.count(part, jobs)
            for before, question, part in zip(counts, work.questions, parts, strict=True)
        ]
        if progress is not None:
            progress(size * len(work.questions))
    return counts
