"""Datasets of which the truth is known and which are not made by swapping: drawn anew each time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from benchmarks.calibration.pools import SEED, Floats, assembled, contributions, mean_score
from benchmarks.raters import Design
from truegain.corpus import Run, System
from truegain.experiment import Experiment
from truegain.inference.raters import Ratings
from truegain.metrics.segment_scores import SegmentScores
from truegain.procedures.base import Pair, Trial
from truegain.procedures.lookup import procedure
from truegain.repeats import Repeats
from truegain.statistics import SegmentStatistics
from truegain.studies.nulls import DataMaker

__all__ = ["Neighbours", "OneDifference", "OneMetric", "RaterNoise", "RunNoise", "Skewed", "counted_exactly"]

MEAN_ERRORS = 4  # of the skewed scores
AUTOCORRELATION = 0.5
RUN_SEGMENTS = 100
RATED_DOCUMENTS = 100
VIEW = 0.15  # how far raters' opinions lie apart

_WARM_UP = 50  # values, after which the first of a series is forgotten
_STEPS = 10.0  # whole numbers to a standard deviation
_SKEWED, _NEIGHBOURS, _RUNS, _ONE, _RATERS = range(11, 16)  # streams of random numbers
_CHECKED = 20  # datasets


@dataclass(frozen=True)
class OneMetric:
    """The datasets of another maker, with one metric only: for tests that are not defined for all of them."""

    make: DataMaker
    key: str

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`truegain.studies.nulls.DataMaker`."""
        made = self.make(repetition)
        block = next(block for block in made.statistics.blocks if block.key == self.key)
        alone = SegmentStatistics(made.statistics.values[:, block.columns], (replace(block, start=0),))
        return replace(made, statistics=alone)


@dataclass(frozen=True)
class Skewed:
    """Differences of mean zero that are not symmetric: geometric variables less their mean."""

    segments: int

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`truegain.studies.nulls.DataMaker`."""
        rng = np.random.default_rng([SEED, _SKEWED, self.segments, repetition])
        first = np.rint(_STEPS * rng.standard_normal(self.segments))
        gains = rng.geometric(1.0 / (1.0 + MEAN_ERRORS), self.segments) - 1.0 - MEAN_ERRORS
        return _of_scores(np.stack([first, first + gains], axis=1), rng)


@dataclass(frozen=True)
class Neighbours:
    """Differences of mean zero that depend on those before them: a first-order autoregression."""

    segments: int

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`truegain.studies.nulls.DataMaker`."""
        rng = np.random.default_rng([SEED, _NEIGHBOURS, self.segments, repetition])
        gains = []
        value = 0.0
        for shock in rng.standard_normal(_WARM_UP + self.segments).tolist():
            value = AUTOCORRELATION * value + shock
            gains.append(value)
        first = np.rint(_STEPS * rng.standard_normal(self.segments))
        return _of_scores(np.stack([first, first + np.rint(_STEPS * np.array(gains[_WARM_UP:]))], axis=1), rng)


@dataclass(frozen=True)
class RunNoise:
    """Several runs of two equal systems: no run is of either kind more than of the other.

    The scores of a segment have a part that all runs share, one of the run, and one of their own; over all segments,
    the run's part varies as much as the others.
    """

    runs: int

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`truegain.studies.nulls.DataMaker`."""
        rng = np.random.default_rng([SEED, _RUNS, self.runs, repetition])
        shared = rng.standard_normal((RUN_SEGMENTS, 1))
        own = rng.standard_normal((RUN_SEGMENTS, 2 * self.runs))
        noise = rng.standard_normal(2 * self.runs) / RUN_SEGMENTS**0.5
        return _of_scores(shared + own + noise, rng)


@dataclass(frozen=True)
class RaterNoise:
    """Documents of two equal systems, each rated by two of several people, who differ; see :mod:`benchmarks.raters`."""

    raters: int

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`truegain.studies.nulls.DataMaker`."""
        rng = np.random.default_rng([SEED, _RATERS, self.raters, repetition])
        *systems, documents = Design("two, balanced", self.raters, RATED_DOCUMENTS, VIEW).draw(rng)
        runs = [_rated(ratings, documents.size) for ratings in systems]
        scores = np.stack([run.scores["score"] for run in runs], axis=1)
        made = assembled({"mean": mean_score(scores)}, documents=[str(one) for one in documents])
        named = tuple(System(run.name, (run,)) for run in runs)
        return replace(made, corpus=replace(made.corpus, systems=named))


def _rated(ratings: Ratings, segments: int) -> Run:
    order = np.argsort(ratings.segments, kind="stable")
    counts = np.bincount(ratings.segments, minlength=segments)
    items = [str(one) for one in range(segments)]
    samples, raters = (Repeats(one[order], counts, items) for one in (ratings.scores, ratings.raters))
    return Run("system", None, {"score": samples.sums() / counts}, repeats={"score": samples}, raters=raters)


def _of_scores(scores: Floats, rng: np.random.Generator) -> Experiment:
    return assembled({"mean": mean_score(scores)}, seed=int(rng.integers(2**63)))


@dataclass(frozen=True)
class OneDifference:
    """Two systems that differ on one segment, in one run; only the seed changes."""

    pool: Experiment
    segments: int
    runs: int = 1

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`truegain.studies.nulls.DataMaker`."""
        return replace(self._experiment, seed=repetition)

    @cached_property
    def _experiment(self) -> Experiment:
        rows = np.random.default_rng([SEED, _ONE]).choice(self.pool.corpus.segments, self.segments, replace=False)
        differing = int(np.flatnonzero(contributions(self.pool)[rows])[0])
        columns = {}
        for block in self.pool.statistics.blocks:
            old, new = (self.pool.statistics.values[rows, block.system_columns(s)] for s in (0, 1))
            values = np.repeat(old[:, None], 2 * self.runs, axis=1)
            values[differing, -1] = new[differing]
            columns[block.key] = (block.metric, values)
        right = np.zeros((self.segments, 2 * self.runs, 2))
        right[..., 1] = 1.0
        right[differing, -1, 0] = 1.0
        return assembled({**columns, "right": (SegmentScores(), right)})


def counted_exactly(make: DataMaker, repetitions: int) -> bool:
    """Whether ``exact`` is exact on the first datasets, and does not draw swaps at random."""
    for repetition in range(min(repetitions, _CHECKED)):
        findings = procedure("exact")(Trial(make(repetition), (Pair(0, 1),), resamples=1))
        if any(finding.test != "exact" for finding in findings.values()):
            return False
    return True
