"""Where resamples are made: in threads of this process, or by workers elsewhere. The numbers are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truegain.engines.totals import DealtSums, Totals, totals_of
from truegain.engines.work import Counting, Dealing, Resampling, counted, reduced
from truegain.executors.blas_threads import one_blas_thread
from truegain.executors.over import HERE, Workers, over
from truegain.memory_check import BLAS_THREAD, need

if TYPE_CHECKING:
    from truegain.engines.pairs import PairCounts

#: Told how many resamples were done.
Report = Callable[[int], None]

_FEWEST, _MOST = 256, 5_000  # resamples to a piece of work: each has its own tables, and keeps what comes of it


@dataclass(frozen=True)
class Engine:
    """Something that makes many resamples; what it gives does not depend on how they are cut into pieces.

    Parameters
    ----------
    workers : Workers
    chunk : int, optional
        Resamples to a piece of work; by default as many as suit the workers.
    """

    workers: Workers = HERE
    chunk: int | None = None

    def resample(
        self, work: Resampling, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """Reduce the exact totals of resamples ``first`` to ``first + resamples``; an array (rows, resamples)."""
        return self._reduce(self.totals(work), work, resamples, progress, first)

    def deal(
        self, work: Dealing, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """Reduce the sums of runs that are permuted in every unit; an array (rows, resamples)."""
        return self._reduce(self.deals(work), work, resamples, progress, first)

    def count(
        self, work: Counting, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> list[PairCounts]:
        """Count pairs of systems, metric by metric, in resamples ``first`` to ``first + resamples``."""
        totals = self.totals(work)
        size = self._size(totals.chunk, resamples)
        counts = [question.nothing for question in work.questions]
        with self.ready(totals, resamples, size):
            data = totals, work.blocks, work.questions
            for piece in over(counted, data, first, resamples, self.workers, size=size):
                counts = [before + more for before, more in zip(counts, piece, strict=True)]
                if progress is not None:
                    progress(sum(more.resamples for more in piece))
        return counts

    def totals(self, work: Resampling | Counting) -> Totals:
        """Return how totals of the work's table are made."""
        return totals_of(work.table, work.design)

    def deals(self, work: Dealing) -> Totals:
        """Return how sums of runs that are dealt out are made."""
        return DealtSums(work.seed, work.values)

    @contextmanager
    def ready(self, totals: Totals, resamples: int, size: int) -> Iterator[None]:
        """Keep BLAS within each thread, and see that it has memory, if it may be asked for products."""
        if not totals.multiplies:
            yield
            return
        _see_that_blas_has_room(min(self.workers.jobs, -(-resamples // size)))
        with one_blas_thread():
            yield

    def _reduce(
        self, totals: Totals, work: Resampling | Dealing, resamples: int, progress: Report | None, first: int
    ) -> NDArray[np.float64]:
        size = self._size(totals.chunk, resamples)
        with self.ready(totals, resamples, size):
            pieces = over(reduced, (totals, work.reduce), first, resamples, self.workers, size=size)
            return side_by_side(pieces, resamples, progress)

    def _size(self, chunk: int, resamples: int) -> int:
        """Return how many resamples make a piece: a chunk for a thread, a few pieces for a worker elsewhere."""
        if self.chunk is not None:
            return self.chunk
        if self.workers.shares_memory:
            return min(chunk, max(_FEWEST, -(-resamples // self.workers.jobs)))
        return int(np.clip(-(-resamples // (4 * self.workers.count)), _FEWEST, _MOST))


@cache
def _see_that_blas_has_room(threads: int) -> None:
    """Check once for a number of threads that memory suffices: BLAS keeps what it has."""
    need(BLAS_THREAD * threads)


def side_by_side(pieces: Iterable[NDArray[np.float64]], resamples: int, progress: Report | None) -> NDArray[np.float64]:
    """Join pieces (rows, some resamples), one after the other, into one array (rows, resamples)."""
    result: NDArray[np.float64] | None = None
    place = 0
    for piece in pieces:
        if result is None:
            result = np.empty((piece.shape[0], resamples))
        result[:, place : place + piece.shape[1]] = piece
        place += piece.shape[1]
        if progress is not None:
            progress(piece.shape[1])
    if result is None:
        raise ValueError("at least one resample is needed")
    return result
