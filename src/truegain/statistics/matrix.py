"""The matrix of statistics: what its columns are, and the scores of their sums."""

from __future__ import annotations

import itertools
import operator
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.metrics.base import Metric


@dataclass(frozen=True)
class Block:
    """Columns of one metric: those of every run, system by system, k to a run.

    Attributes
    ----------
    key : str
        The metric's name in the study: ``bleu``, ``bleu:tokenize=intl``.
    metric : Metric
    start : int
        Its first column.
    run_counts : tuple of int
        The number of runs of each system.
    samples : tuple of tuples of int
        The training sample of each run of each system, numbered from 0; empty if none is known.
    """

    key: str
    metric: Metric
    start: int
    run_counts: tuple[int, ...]
    samples: tuple[tuple[int, ...], ...] = ()

    @property
    def width(self) -> int:
        """The number of columns of a run."""
        return len(self.metric.statistic_names)

    @property
    def columns(self) -> slice:
        """All columns of the metric."""
        return slice(self.start, self.start + self.width * sum(self.run_counts))

    def run_columns(self, run: int) -> slice:
        """Return the columns of one run, counted over all systems."""
        first = self.start + self.width * run
        return slice(first, first + self.width)

    def system_columns(self, system: int) -> slice:
        """Return the columns of the runs of one system."""
        first = self.start + self.width * sum(self.run_counts[:system])
        return slice(first, first + self.width * self.run_counts[system])

    def run_scores(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Score each run: totals (columns of whole runs, …) to scores (runs, …)."""
        runs = totals.reshape(-1, self.width, *totals.shape[1:])
        return self.metric.score(np.moveaxis(runs, 1, -1))

    def run_slopes(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives of each run's score in its totals, shape (runs, width); not a number if not known."""
        runs = totals.reshape(-1, self.width)
        slopes = getattr(self.metric, "slopes", None)
        return np.full(runs.shape, np.nan) if slopes is None else np.asarray(slopes(runs))

    def system_scores(self, run_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Average over the runs of each system: (runs, …) to (systems, …)."""
        if all(count == 1 for count in self.run_counts):
            return run_scores
        edges = itertools.pairwise(np.cumsum((0, *self.run_counts)))
        return np.stack([mean_of_runs(run_scores[a:b], self.samples_of(s)) for s, (a, b) in enumerate(edges)])

    def samples_of(self, system: int) -> tuple[int, ...]:
        """Return the training sample of each run of a system; empty if none is known."""
        return self.samples[system] if self.samples else ()


def run_scores(blocks: Sequence[Block], totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Score totals of all columns (columns, resamples): scores of runs (metrics × runs, resamples)."""
    return np.concatenate([block.run_scores(totals[block.columns]) for block in blocks])


def system_scores(blocks: Sequence[Block], totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Score totals of all columns (columns, resamples): scores of systems (metrics × systems, resamples)."""
    return np.concatenate([block.system_scores(block.run_scores(totals[block.columns])) for block in blocks])


def check_defined(values: NDArray[np.float64], block: Block) -> None:
    """Refuse a metric that is not defined on some resamples (the last axis): they would count for nothing."""
    undefined = int((~np.isfinite(values)).reshape(-1, values.shape[-1]).any(0).sum())
    if undefined:
        raise InputError(
            f"{block.metric.label} is not defined on {undefined:,} of {values.shape[-1]:,} resamples",
            hint="the metric's score must be a finite number for any sum of statistics",
        )


def mean_of_runs(scores: NDArray[np.float64], samples: Sequence[int] = ()) -> NDArray[np.float64]:
    """Average over the first axis: the mean over training samples of the means of their runs.

    Parameters
    ----------
    scores : array (runs, …)
    samples : sequence of int
        The training sample of each run; by default every run counts the same.
    """
    return np.asarray(nested_mean(scores, samples))


def nested_mean(scores: Any, samples: Sequence[int] = ()) -> Any:
    """Average arrays or tensors in order: numpy's order depends on the shape, and so would the bits."""
    if len(set(Counter(samples).values())) > 1:  # if every sample has as many runs, they count the same
        groups = [[one for one, own in zip(scores, samples, strict=True) if own == k] for k in sorted(set(samples))]
        return nested_mean([nested_mean(group) for group in groups])
    return reduce(operator.add, scores) / len(scores)


@dataclass(frozen=True)
class SegmentStatistics:
    """The matrix of statistics and the index of its columns.

    Attributes
    ----------
    values : array of float64, shape (segments, columns)
        Whole numbers for most metrics; float64 holds them exactly. In a scratch file if they are too large to be held.
    blocks : tuple of Block
        One per metric.
    """

    values: NDArray[np.float64]
    blocks: tuple[Block, ...]

    @cached_property
    def totals(self) -> NDArray[np.float64]:
        """The sum of every column."""
        return np.asarray(self.values.sum(0))
