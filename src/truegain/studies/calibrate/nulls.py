"""Data of which the truth is known, made from the user's own: what tests are calibrated on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.experiment import Experiment, gain
from truegain.resampling.generator import resample_keys, swap_masks, uniforms
from truegain.resampling.units import Units
from truegain.statistics import SegmentStatistics, mean_of_runs

__all__ = ["DataMaker", "SplitRuns", "SwappedUnits", "retaken"]

# Streams of random numbers beside those of the tests, see resampling/design.py.
_SEEDS, _SWAPS, _CHOICES, _DEALS = 201, 202, 203, 204


class DataMaker(Protocol):
    """Makes one dataset after the other: two systems, of which the difference is known."""

    def __call__(self, repetition: int) -> Experiment:
        """The dataset of that number; always the same."""
        ...


@dataclass(frozen=True)
class SwappedUnits:
    """Two systems whose outputs are swapped at random, unit by unit, so that neither is better; or one by a given gain.

    Attributes
    ----------
    experiment : Experiment
        Two systems with as many runs each; its units are what the tests resample.
    swapped : Units
        What is swapped as a whole: documents where they are known, for segments of a document belong together.
    size : int, optional
        How many of these units a dataset has, drawn without replacement; by default all.
    tilt : float
        The probability with which the second system gets the better output of a unit.
    metric : int
        Better by which metric.
    """

    experiment: Experiment
    swapped: Units
    size: int | None = None
    tilt: float = 0.5
    metric: int = 0

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`DataMaker`."""
        seed = self.experiment.seed
        count = self.swapped.count
        if self.tilt == 0.5:
            moved = swap_masks(resample_keys(seed, _SWAPS, repetition, 1), count)[0].astype(bool)
        else:
            lucky = uniforms(resample_keys(seed, _SWAPS, repetition, 1), count)[0] < self.tilt
            moved = (self.contributions > 0.0) != lucky
        values = self.experiment.statistics.values
        rows = np.arange(len(values))
        if self.size is not None and self.size < count:
            places = uniforms(resample_keys(seed, _CHOICES, repetition, 1), count)[0]
            chosen = np.zeros(count, bool)
            chosen[np.argsort(places, kind="stable")[: self.size]] = True
            rows = np.flatnonzero(chosen[self.swapped.of_segment])
        made = values[rows]
        swap = np.flatnonzero(moved[self.swapped.of_segment[rows]])
        for block in self.experiment.statistics.blocks:
            old, new = (block.system_columns(s) for s in (0, 1))
            made[swap, old], made[swap, new] = made[swap, new], made[swap, old]
        return retaken(self.experiment, rows, made, _seed(seed, repetition))

    @cached_property
    def contributions(self) -> NDArray[np.float64]:
        """What each unit adds to the second system's gain: half of what its swap would change."""
        block = self.experiment.statistics.blocks[self.metric]
        values = self.swapped.sums(self.experiment.statistics.values)
        old, new = (values[:, block.system_columns(s)] for s in (0, 1))
        moved = (new - old).T
        before, after = old.sum(0)[:, None], new.sum(0)[:, None]

        def difference(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
            return gain(block.metric, *(mean_of_runs(block.run_scores(one)) for one in (first, second)))

        return np.asarray(difference(before, after) - difference(before + moved, after - moved)) / 2.0

    def with_gain(self, wanted: float) -> SwappedUnits:
        """The same with the second system better by that much on average.

        Each unit's better output goes to it with a probability above one half, the same for all units.
        """
        most = float(np.abs(self.contributions).sum())
        if not abs(wanted) < most:
            raise InputError(
                f"a gain of {wanted:g} cannot be made by exchanging outputs of these systems; less than {most:.3g} can",
                hint="ask for a smaller gain, or take systems that differ more",
            )
        return replace(self, tilt=0.5 + wanted / (2.0 * most))


@dataclass(frozen=True)
class SplitRuns:
    """Runs of one system dealt out to two, so that neither is better for new runs.

    Attributes
    ----------
    experiment : Experiment
        One system with several runs.
    runs : int
        How many runs each of the two gets.
    """

    experiment: Experiment
    runs: int

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`DataMaker`."""
        experiment = self.experiment
        total = len(experiment.corpus.systems[0].runs)
        places = uniforms(resample_keys(experiment.seed, _DEALS, repetition, 1), total)[0]
        dealt = np.argsort(places, kind="stable")[: 2 * self.runs]
        groups = {"first": dealt[: self.runs].tolist(), "second": dealt[self.runs :].tolist()}
        return replace(experiment.regrouped(groups), seed=_seed(experiment.seed, repetition))


def retaken(experiment: Experiment, rows: NDArray[np.intp], values: NDArray[np.float64], seed: int) -> Experiment:
    """The same experiment on some of the segments, with other statistics."""
    corpus = experiment.corpus
    if rows.size < corpus.segments:
        corpus = replace(
            corpus,
            segments=int(rows.size),
            documents=None if corpus.documents is None else tuple(corpus.documents[row] for row in rows.tolist()),
            domains=None if corpus.domains is None else tuple(corpus.domains[row] for row in rows.tolist()),
        )
        units = _retaken_units(experiment.units, rows, corpus.domains)
    else:
        units = experiment.units
    return replace(
        experiment,
        corpus=corpus,
        statistics=SegmentStatistics(values, experiment.statistics.blocks),
        units=units,
        seed=seed,
    )


def _retaken_units(units: Units, rows: NDArray[np.intp], domains: tuple[str, ...] | None) -> Units:
    if units.kind == "segment":
        kept = Units.segments(int(rows.size))
    elif units.mean_length is not None:
        order = np.argsort(np.argsort(units.of_segment[rows], kind="stable"), kind="stable")
        return replace(units, of_segment=order, count=int(rows.size), strata=(), names=None)
    else:
        numbers, of_segment = np.unique(units.of_segment[rows], return_inverse=True)
        kept = Units(units.kind, of_segment.astype(np.int64), int(numbers.size))
    if len(units.strata) > 1 and domains is not None:
        return kept.stratified(domains)
    return kept


def _seed(seed: int, repetition: int) -> int:
    return int(resample_keys(seed, _SEEDS, repetition, 1)[0])
