"""Observed scores of runs, systems and segments, what units contribute to them, and scores with one unit left out."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truegain.cache import digest_lines
from truegain.corpus import Corpus
from truegain.experiment.clip_intervals import Limits, limits_of
from truegain.experiment.units import strata_taken
from truegain.inference.pvalues import degrees_of_freedom, rounding
from truegain.inference.results import TestSet
from truegain.inference.variance import (
    block_skewness,
    block_variance,
    cluster_skewness,
    cluster_variance,
    cluster_variances,
)
from truegain.metrics.base import Metric
from truegain.metrics.lookup import distinct_labels
from truegain.resampling.units import Units, UnitTable
from truegain.scratch import stretches
from truegain.statistics import Block, SegmentStatistics

if TYPE_CHECKING:
    from truegain.inference.replicas import SystemRuns

Floats = NDArray[np.float64]

_STEP = 1e-5  # share of a total by which it is moved to see what a unit contributes


@dataclass(frozen=True)
class Observed:
    """A corpus scored under metrics, and the units that it is a sample of."""

    corpus: Corpus
    statistics: SegmentStatistics
    units: Units

    @cached_property
    def table(self) -> UnitTable:
        """The statistics of the units, exact."""
        return UnitTable.build(self.statistics.values, self.units)

    @cached_property
    def run_scores(self) -> list[NDArray[np.float64]]:
        """Observed scores of the runs, metric by metric."""
        totals = self.table.totals
        return [block.run_scores(totals[block.columns]) for block in self.statistics.blocks]

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """Observed scores, shape (metrics, systems)."""
        return self._means(np.stack(self.run_scores))

    @cached_property
    def rounding(self) -> NDArray[np.float64]:
        """Largest change that rounding may make in the scores, shape (metrics, systems)."""
        sizes = self.table.sizes
        loss = np.zeros(sizes.size) if self.table.loss is None else self.table.loss
        return np.stack(
            [
                rounding_of(block, scores, sizes[block.columns], loss[block.columns])
                for block, scores in zip(self.statistics.blocks, self.run_scores, strict=True)
            ]
        )

    def table_of(self, block: Block, systems: Sequence[int]) -> UnitTable:
        """Return the statistics of some systems under a metric, each with one scale, so that they can be exchanged."""
        columns = np.concatenate([np.r_[block.system_columns(s)] for s in systems])
        kinds = np.tile(np.arange(block.width), columns.size // block.width)
        return UnitTable.build(self.statistics.values[:, columns], self.units, kinds)

    def weights(self, m: int, *systems: int) -> Floats:
        """Return what each segment counts for in the scores of some systems: its part of what a metric divides by.

        All runs of the systems are added up, so that one weight serves all; 1 if the metric does not say.
        """
        block = self.statistics.blocks[m]
        denominator = getattr(block.metric, "denominator", None)
        if denominator is None:
            return np.ones(len(self.statistics.values))
        weights = np.zeros(len(self.statistics.values))
        for s in systems:
            columns = block.system_columns(s)
            for first in range(columns.start, columns.stop, block.width):
                for place in denominator:
                    weights += self.statistics.values[:, first + place]
        return weights

    def limits(self, m: int, *systems: int) -> Limits:
        """Return the limits of the scores of some systems under a metric."""
        block = self.statistics.blocks[m]
        return limits_of(block.metric, [self.statistics.values[:, block.system_columns(s)] for s in systems])

    def _means(self, run_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn scores of runs (metrics, runs, …) into scores of systems (metrics, systems, …)."""
        blocks = self.statistics.blocks
        if all(count == 1 for count in blocks[0].run_counts):
            return run_scores
        return np.stack([block.system_scores(one) for block, one in zip(blocks, run_scores, strict=True)])

    @cached_property
    def left_out_runs(self) -> NDArray[np.float64]:
        """Scores of runs with one unit left out at a time, shape (metrics, runs, units): what the jackknife needs."""
        blocks = self.statistics.blocks
        found = np.empty((len(blocks), sum(blocks[0].run_counts), self.units.count))
        every = self.table.values.sum(0)
        for units in stretches(self.units.count):
            totals = ((every - self.table.values[units]) * self.table.scale).T
            found[..., units] = [block.run_scores(totals[block.columns]) for block in blocks]
        return found

    @cached_property
    def left_out(self) -> NDArray[np.float64]:
        """Scores of systems, one unit left out at a time, shape (metrics, systems, units)."""
        return self._means(self.left_out_runs)

    @cached_property
    def run_contributions(self) -> NDArray[np.float64]:
        """Derivatives of the scores of runs in the weights of the units, shape (metrics, runs, units).

        Of a mean, each unit's sum of (y − ȳ) / N, and nearly that of any other score that varies little: the variance
        of their sum is the score's. Not finite if a metric is not defined next to the observed totals.
        """
        return np.stack([_contributions(block, self.table) for block in self.statistics.blocks])

    @cached_property
    def contributions(self) -> NDArray[np.float64]:
        """Derivatives of the scores of systems, the means over their runs, shape (metrics, systems, units)."""
        return self._means(self.run_contributions)

    def contributions_to(self, m: int, *systems: int) -> Floats | None:
        """Return what each unit contributes to a system's score, or to the difference of two.

        None if the score has no derivative here.
        """
        parts = self.contributions[m, systems[-1]]
        if len(systems) == 2:
            parts = parts - self.contributions[m, systems[0]]
        return np.asarray(parts) if np.isfinite(parts).all() else None

    def standard_error(self, m: int, *systems: int) -> float | None:
        """Return the standard error of a system's score, or of the difference of two, over units; the runs stay.

        By CR1, :func:`truegain.inference.variance.cluster_variance`, or of blocks as the stationary bootstrap has it.
        None if there are too few units, or if the score has no derivative here.
        """
        return self._standard_error(m, systems, self.units.mean_length)

    def block_ratio(self, m: int, *systems: int) -> float:
        """Return how many times as large as over single segments the standard error of blocks is; 1 if not known."""
        of_blocks, of_segments = (self._standard_error(m, systems, one) for one in (self.units.mean_length, None))
        return of_blocks / of_segments if of_blocks and of_segments else 1.0

    def _standard_error(self, m: int, systems: Sequence[int], length: float | None) -> float | None:
        parts = self.contributions_to(m, *systems)
        if parts is None:
            return None
        variance = cluster_variance(parts, self.units.strata) if length is None else block_variance(parts, length)
        return None if variance is None else math.sqrt(variance)

    def skewness(self, m: int, baseline: int, system: int) -> float:
        """Return the skewness of the difference of two scores over the same units; 0 if it has no derivative here."""
        parts = self.contributions_to(m, baseline, system)
        length = self.units.mean_length
        if parts is None:
            return 0.0
        return cluster_skewness(parts, self.units.strata) if length is None else block_skewness(parts, length)

    def standard_errors(self, m: int, pairs: Sequence[tuple[int, int]]) -> list[float | None]:
        """Return the standard errors of the differences of many pairs, as :meth:`standard_error` has them."""
        if self.units.mean_length is not None:
            return [self.standard_error(m, *pair) for pair in pairs]
        found: list[float | None] = []
        for baseline, group in itertools.groupby(pairs, itemgetter(0)):
            parts = self.contributions[m][[other for _, other in group]] - self.contributions[m, baseline]
            finite = np.isfinite(parts).all(-1)
            variances = cluster_variances(parts[finite], self.units.strata)
            known = iter(() if variances is None else np.sqrt(variances).tolist())
            found += [next(known, None) if one else None for one in finite.tolist()]
        return found

    def runs_of(self, m: int, system: int) -> SystemRuns:
        """Return the runs of a system under a metric, as the variances over runs and units need them."""
        from truegain.inference.replicas import SystemRuns

        first = sum(self.statistics.blocks[m].run_counts[:system])
        last = first + self.statistics.blocks[m].run_counts[system]
        strata = self.units.strata if len(self.units.strata) > 1 else None
        return SystemRuns(self.run_scores[m][first:last], self.left_out_runs[m, first:last], strata)

    def replica_scores(self, m: int, system: int) -> NDArray[np.float64]:
        """Return the observed scores of the runs of a system, or of its training samples if they are known."""
        block = self.statistics.blocks[m]
        first = sum(block.run_counts[:system])
        scores, samples = self.run_scores[m][first : first + block.run_counts[system]], block.samples_of(system)
        return scores if not samples else np.array([scores[np.equal(samples, k)].mean() for k in sorted(set(samples))])

    def replicas_of(self, m: int, system: int) -> SystemRuns:
        """Return what a claim about new runs rests on: the means of training samples if these are known, else runs."""
        samples = self.statistics.blocks[m].samples_of(system)
        runs = self.runs_of(m, system)
        if not samples:
            return runs
        from truegain.inference.training_samples import sample_means

        return sample_means(runs, samples)

    @cached_property
    def segment_run_scores(self) -> list[NDArray[np.float64]]:
        """Scores of single segments, metric by metric, shape (runs, segments).

        Not finite if a metric has no score for a segment.
        """
        found = []
        for block in self.statistics.blocks:
            values = self.statistics.values[:, block.columns]
            metric: Metric = getattr(block.metric, "for_segments", block.metric)
            scores = np.empty((sum(block.run_counts), len(values)))
            for rows in stretches(len(values)):
                scores[:, rows] = metric.score(values[rows].reshape(rows.stop - rows.start, -1, block.width)).T
            found.append(scores)
        return found

    @cached_property
    def segment_scores(self) -> list[NDArray[np.float64]]:
        """The same as means over the runs of each system, shape (systems, segments)."""
        return [
            block.system_scores(scores)
            for block, scores in zip(self.statistics.blocks, self.segment_run_scores, strict=True)
        ]

    @property
    def effective_units(self) -> float:
        """The number of equal units that would vary as much; every stratum beyond the first takes one away."""
        return self.units.effective_number - (len(self.units.strata) - 1)

    @property
    def metric_labels(self) -> dict[str, str]:
        """The names of the metrics, by their keys."""
        return distinct_labels({block.key: block.metric for block in self.statistics.blocks})

    @property
    def freedom(self) -> float:
        """The degrees of freedom of what is resampled, by the effective number of units."""
        if self.units.mean_length is not None:
            return degrees_of_freedom(self.units.count / self.units.mean_length)
        return degrees_of_freedom(self.units.effective_number, strata_taken(self.units))

    def testset(self, development: Corpus | None = None) -> TestSet:
        """Return what was tested on, and what was read, for the development set as well."""
        corpus = self.corpus
        return TestSet(
            name=corpus.name,
            segments=corpus.segments,
            references=len(corpus.references),
            documents=None if corpus.documents is None else len(set(corpus.documents)),
            domains=None if corpus.domains is None else len(set(corpus.domains)),
            fingerprint=_fingerprint(corpus, [block.metric for block in self.statistics.blocks]),
            inputs=corpus.inputs.beside(None if development is None else development.inputs),
        )


def _fingerprint(corpus: Corpus, metrics: Sequence[Metric]) -> str:
    whole = hashlib.blake2b(digest_size=8)
    if any("source" in getattr(metric, "needs", ()) for metric in metrics):
        whole.update(digest_lines(corpus.sources or ()))
    for reference in corpus.references:
        whole.update(digest_lines(reference))
    for system in corpus.systems:
        for run in system.runs:
            whole.update(digest_lines(run.outputs or ()))
            for column, values in run.scores.items():
                whole.update(column.encode() + values.tobytes())
            for column, samples in run.repeats.items():
                whole.update(column.encode() + samples.counts.tobytes())
            if run.raters is not None:
                whole.update(run.raters.values.astype(np.int64).tobytes())
    for ids in (corpus.documents, corpus.domains):
        whole.update(digest_lines(ids or ()))
    return whole.hexdigest()


def _contributions(block: Block, table: UnitTable) -> Floats:
    """Return what each unit contributes to the scores of the runs under a metric, shape (runs, units)."""
    totals, sizes = table.totals[block.columns], table.sizes[block.columns]
    scores = block.run_scores(totals)
    gradients = block.run_slopes(totals)
    known = np.isfinite(gradients).all(1)
    found = np.empty((scores.size, len(table.values)))
    for units in stretches(len(table.values)):
        part = table.values[units, block.columns] * table.scale[block.columns]
        shares = np.divide(np.abs(part), sizes, out=np.zeros(part.shape), where=sizes > 0.0)
        largest = shares.reshape(len(part), -1, block.width).max(2).T  # (runs, units)
        by_run = part.T.reshape(scores.size, block.width, -1)
        slopes = np.zeros(largest.shape)
        for column in range(block.width):
            slopes += by_run[:, column] * gradients[:, column, None]
        if not known.all():
            slopes[~known] = _differences(block, totals, part, largest)[~known]
        # What rounding alone can make of no contribution is none.
        noise = 1e-10 * largest * np.abs(scores)[:, None]
        found[:, units] = np.where(np.abs(slopes) <= noise, 0.0, slopes)
    return found


def _differences(block: Block, totals: Floats, part: Floats, largest: Floats) -> Floats:
    """Return the central differences of the scores of runs towards some units, shape (runs, units).

    From totals that keep their proportions: more of a unit is still what outputs can have, while more of one statistic
    alone may not be (a match without a word).
    """
    steps = np.divide(_STEP, largest, out=np.zeros(largest.shape), where=largest > 0.0)
    moved = np.repeat(steps, block.width, axis=0) * part.T
    with np.errstate(all="ignore"):
        ahead, behind = (block.run_scores(totals[:, None] + sign * moved) for sign in (1.0, -1.0))
        return np.where(largest > 0.0, (ahead - behind) / (2.0 * steps), 0.0)


def rounding_of(block: Block, run_scores: Floats, sizes: Floats, loss: Floats) -> Floats:
    """Return what rounding may change in the scores of systems: rounding the statistics, and scoring their sums.

    Parameters
    ----------
    block : Block
    run_scores : array (runs,)
    sizes : array (columns of the metric,)
        Sums of the statistics without their signs: what is lost is relative to these, and a score may be far below.
    loss : array (columns of the metric,)
        What rounding the statistics of segments may have done to the sums.
    """
    lost = np.divide(loss, sizes, out=np.zeros(sizes.size), where=sizes > 0.0)
    with np.errstate(all="ignore"):
        unsigned = np.abs(block.run_scores(sizes))
    largest = np.fmax(np.abs(run_scores), np.where(np.isfinite(unsigned), unsigned, 0.0))
    by_run = rounding(largest) + largest * lost.reshape(-1, block.width).max(1)
    return np.asarray(np.maximum.reduceat(by_run, np.cumsum((0, *block.run_counts))[:-1]))
