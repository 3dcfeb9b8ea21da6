"""Work for engines: designs and data, what is kept of every resample, and the tasks that do it on any worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truegain.engines.totals import Totals
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
