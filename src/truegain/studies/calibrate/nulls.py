"""Data of which the truth is known, made from the user's own: what tests are calibrated on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.experiment import Experiment, gain
from truegain.resampling.generator import resample_keys, swap_masks, uniforms
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units
from truegain.statistics import Block, SegmentStatistics, check_defined, mean_of_runs

# Streams of random numbers beside those of the tests, see resampling/design.py.

_RELATIVE = 1e-9  # of the largest: below it, contributions that differ are as large


class DataMaker(Protocol):
    """Makes one dataset after the other: two systems, of which the difference is known."""

    def __call__(self, repetition: int) -> Experiment:
        """Return the dataset of that number; always the same."""
        ...


@dataclass(frozen=True)
class SwappedUnits:
    """Two systems whose outputs are swapped at random, unit by unit, so that neither is better; or one by a given gain.

    Attributes
    ----------
    experiment : Experiment
        Two systems with as many runs each; its units are what the tests resample.
    swapped : Units
        What is swapped as a whole: documents if they are known, for segments of a document belong together.
    size : int, optional
        How many of these units a dataset has, drawn without replacement; by default all.
    tilt : float
        The probability with which the second system gets the better output of a unit, by the first metric.
    """

    experiment: Experiment
    swapped: Units
    size: int | None = None
    tilt: float = 0.5

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`DataMaker`."""
        seed = self.experiment.seed
        count = self.swapped.count
        if self.tilt == 0.5:
            moved = swap_masks(resample_keys(seed, Stream.NULL_SWAPS, repetition, 1), count)[0].astype(bool)
        else:
            lucky = uniforms(resample_keys(seed, Stream.NULL_SWAPS, repetition, 1), count)[0] < self.tilt
            moved = (self.contributions > 0.0) != lucky
        values = self.experiment.statistics.values
        rows = np.arange(len(values))
        if self.size is not None and self.size < count:
            places = uniforms(resample_keys(seed, Stream.NULL_CHOICES, repetition, 1), count)[0]
            chosen = np.zeros(count, bool)
            chosen[np.argsort(places, kind="stable")[: self.size]] = True
            rows = np.flatnonzero(chosen[self.swapped.of_segment])
        made = values[rows]
        _swap(made, self.experiment.statistics.blocks, np.flatnonzero(moved[self.swapped.of_segment[rows]]))
        return retaken(self.experiment, rows, made, _seed(seed, repetition))

    @cached_property
    def contributions(self) -> NDArray[np.float64]:
        """Contribution of each unit to the second system's gain."""
        block = self.experiment.statistics.blocks[0]
        values = self.swapped.sums(self.experiment.statistics.values)
        return _contributions(block, *(values[:, block.system_columns(s)] for s in (0, 1)))

    def with_gain(self, wanted: float) -> SwappedUnits:
        """Return the same with the second system better by that much on average.

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
        places = uniforms(resample_keys(experiment.seed, Stream.NULL_DEALS, repetition, 1), total)[0]
        dealt = np.argsort(places, kind="stable")[: 2 * self.runs]
        groups = {"first": dealt[: self.runs].tolist(), "second": dealt[self.runs :].tolist()}
        return replace(experiment.regrouped(groups), seed=_seed(experiment.seed, repetition))


@dataclass(frozen=True)
class Levelled:
    """Two systems of which neither is better, made of two of which one is.

    Attributes
    ----------
    experiment : Experiment
    swapped : int
        The number of segments whose outputs were swapped.
    gain : float
        The mean contribution of a segment to the gain that was, over their root mean square: from 0 to 1.
    """

    experiment: Experiment
    swapped: int
    gain: float


def levelled(experiment: Experiment) -> Levelled:
    """Swap outputs of single segments until neither system is better.

    Swapped as a whole, the segments of a document share the gain of one system over the other, which makes them similar
    even if they are independent. This takes the gain away and leaves nearly all of their other similarity: the segments
    whose outputs differ least, in favour of the better system, are swapped. The larger the gain, the more is lost.

    Parameters
    ----------
    experiment : Experiment
        Two systems under one metric. If its units are drawn within strata, the systems are levelled in each of them.
    """
    statistics, units = experiment.statistics, experiment.units
    (block,) = statistics.blocks
    old, new = (statistics.values[:, block.system_columns(s)] for s in (0, 1))
    ties = uniforms(resample_keys(experiment.seed, Stream.NULL_TIES, 0, 1), len(old))[0]
    stratum = np.repeat(np.arange(len(units.strata)), units.strata)[units.of_segment]
    within = [np.flatnonzero(stratum == number) for number in range(len(units.strata))]
    rows = np.concatenate([one[_least(block, old[one], new[one], ties[one])] for one in within])
    values = statistics.values.copy()
    _swap(values, statistics.blocks, rows)
    contributions = _contributions(block, old, new)
    spread = float(np.sqrt((contributions**2).mean()))
    gained = abs(float(contributions.mean())) / spread if spread else 0.0
    return Levelled(replace(experiment, statistics=replace(statistics, values=values)), int(rows.size), gained)


def _least(
    block: Block, old: NDArray[np.float64], new: NDArray[np.float64], ties: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Return which segments to swap so that the difference is as near to zero as can be, those that differ least."""
    before = _differences(block, old.sum(0, keepdims=True), new.sum(0, keepdims=True))
    ranks = _rounded(np.sign(before) * _contributions(block, old, new))
    order = np.lexsort((ties, ranks))
    order = order[ranks[order] > 0.0]
    if not order.size:
        return order
    moved = np.cumsum((new - old)[order], axis=0)
    after = _differences(block, old.sum(0) + moved, new.sum(0) - moved)
    return order[: int(_rounded(np.abs(np.concatenate([before, after]))).argmin())]


def _contributions(block: Block, old: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what each row adds to the second system's gain: half of what its swap would change."""
    moved = new - old
    before, after = old.sum(0, keepdims=True), new.sum(0, keepdims=True)
    return (_differences(block, before, after) - _differences(block, before + moved, after - moved)) / 2.0


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put values on a grid: what is chosen by them must not depend on their last bits."""
    return np.asarray(np.rint(values / (_RELATIVE * np.abs(values).max(initial=1e-290))))


def _swap(values: NDArray[np.float64], blocks: Sequence[Block], rows: NDArray[np.intp]) -> None:
    """Swap the two systems' statistics of some segments, in place."""
    for block in blocks:
        old, new = (block.system_columns(s) for s in (0, 1))
        values[rows, old], values[rows, new] = values[rows, new], values[rows, old]


def _differences(block: Block, old: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the gain of the second system, from totals of shape (cases, columns of a system)."""
    scores = np.stack([mean_of_runs(block.run_scores(one.T)) for one in (old, new)])
    check_defined(scores, block)
    return gain(block.metric, *scores)


def retaken(experiment: Experiment, rows: NDArray[np.intp], values: NDArray[np.float64], seed: int) -> Experiment:
    """Return the same experiment on some of the segments, with other statistics."""
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
    return int(resample_keys(seed, Stream.NULL_SEEDS, repetition, 1)[0])
