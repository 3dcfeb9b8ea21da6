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
from truegain.executors.over import HERE, Workers, over
from truegain.executors.processors import BLAS_THREAD, need, one_blas_thread
from truegain.resampling.design import Design
from truegain.resampling.units import UnitTable
from truegain.statistics import Block, check_defined, system_scores

if TYPE_CHECKING:
    from truegain.engines.pairs import PairCounts, PairQuestion

#: From the sums of some resamples to what is kept of them (rows, resamples), every resample alone. A function at the
#: top of a module, with its data by ``functools.partial``, where it is to be sent to other processes.
Reduce = Callable[[NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True)
class Resampling:
    """Draw or swap units; ``reduce`` gets their totals (columns, resamples)."""

    design: Design
    table: UnitTable
    reduce: Reduce


@dataclass(frozen=True)
class Dealing:
    """Permutation of runs in every unit: statistics (units, runs, k); ``reduce`` gets (resamples, runs, k)."""

    seed: int
    values: NDArray[np.int64]
    reduce: Reduce


@dataclass(frozen=True)
class Counting:
    """Draw units, and count pairs of systems by their scores: one question per metric."""

    design: Design
    table: UnitTable
    blocks: tuple[Block, ...]
    questions: tuple[PairQuestion, ...]


def reduced(data: tuple[Totals, Reduce], first: int, end: int) -> NDArray[np.float64]:
    """Make resamples ``first`` up to ``end``, as many at once as stay in the cache, and keep what ``reduce`` gives."""
    totals, reduce = data
    return np.concatenate([reduce(totals(start, stop)) for start, stop in _chunks(totals, first, end)], axis=1)


def counted(data: tuple[Totals, tuple[Block, ...], tuple[PairQuestion, ...]], first: int, end: int) -> list[PairCounts]:
    """Count pairs in resamples ``first`` up to ``end`` by the scores of all systems."""
    totals, blocks, questions = data
    counts = [question.nothing for question in questions]
    for start, stop in _chunks(totals, first, end):
        scores = system_scores(blocks, totals(start, stop)).reshape(len(blocks), -1, stop - start)
        for m, (block, question) in enumerate(zip(blocks, questions, strict=True)):
            check_defined(scores[m], block)
            counts[m] += question.count(scores[m])
    return counts


def _chunks(totals: Totals, first: int, end: int) -> Iterator[tuple[int, int]]:
    for start in range(first, end, totals.chunk):
        yield start, min(start + totals.chunk, end)


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
