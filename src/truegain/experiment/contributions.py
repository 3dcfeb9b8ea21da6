"""Contributions of segments to the difference between two systems.

Approximate randomization asks what the gain would be, were the two outputs of some segments swapped. Asked of one
segment, or of any group of them, the same swap gives its contribution: c = (Δ − Δ after the swap) / 2. If a
metric is a mean over segments the contributions add up to Δ. Else they do so as nearly as the score is linear
between the two sums of statistics; the contribution of all segments together is always Δ itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.errors import InputError
from truegain.experiment.prepared import Experiment
from truegain.experiment.variability import median_runs
from truegain.inference.pvalues import rounding
from truegain.inference.results import Variability
from truegain.metrics.base import Metric, gain
from truegain.statistics import Block

Floats = NDArray[np.float64]
#: A system, and the number of a run within it, from 0.
RunNumber = tuple[int, int]

_ROWS = 1 << 16  # segments that are swapped at once


@dataclass(frozen=True)
class TwoRuns:
    """Two runs under one metric, as swaps of their outputs need them.

    Attributes
    ----------
    metric : Metric
    baseline, system : array of float64, shape (segments, k)
        The statistics of the segments.
    totals : array of float64, shape (2, k)
        Their sums.
    """

    metric: Metric
    baseline: Floats
    system: Floats
    totals: Floats

    @classmethod
    def of(cls, experiment: Experiment, m: int, baseline: RunNumber, system: RunNumber) -> TwoRuns:
        """Return two runs of an experiment under its metric ``m``."""
        block = experiment.statistics.blocks[m]
        columns = [_columns(block, *one) for one in (baseline, system)]
        values, table = experiment.statistics.values, experiment.table
        old, new = (values[:, one] for one in columns)
        # As the observed scores have them, to the last bit.
        sums = [table.values[:, one].sum(0) * table.scale[one] for one in columns]
        return cls(block.metric, old, new, np.stack(sums))

    @cached_property
    def scores(self) -> tuple[float, float]:
        """Of the baseline's run and the system's."""
        old, new = np.asarray(self.metric.score(self.totals)).tolist()
        return old, new

    @cached_property
    def delta(self) -> float:
        """Gain: positive if the system is better, whatever the metric's direction."""
        return float(self.gain(*self.scores))

    @cached_property
    def slack(self) -> float:
        """Size below which a gain or a contribution is only rounding."""
        return float(rounding(np.array(self.scores)).max())

    def gain(self, old: Floats | float, new: Floats | float) -> Floats:
        """Return the difference of scores, positive if the new one is better, or higher if neither way is better."""
        return gain(self.metric, np.asarray(old), np.asarray(new))

    def share(self, contribution: float) -> float | None:
        """Return the share of the gain; None if there is no gain."""
        return None if abs(self.delta) <= self.slack else contribution / self.delta + 0.0  # never −0

    @cached_property
    def contributions(self) -> Floats:
        """Of every segment, shape (segments,)."""
        return self._contributions(len(self.baseline), lambda a, b: (self.baseline[a:b], self.system[a:b]))

    def of_groups(self, groups: NDArray[np.intp], count: int) -> Floats:
        """Return the contribution of every group, shape (count,); ``groups`` has the group's number of each segment."""
        old, new = self.sums(groups, count)
        return self._contributions(count, lambda a, b: (old[a:b], new[a:b]))

    def together(self, segments: Sequence[int] | NDArray[np.intp]) -> float:
        """Return the contribution of some segments, swapped all at once."""
        rows = np.asarray(segments, np.intp)
        old, new = (side[rows].sum(0)[None] for side in (self.baseline, self.system))
        return float(self._contributions(1, lambda a, b: (old, new))[0])

    def sums(self, groups: NDArray[np.intp], count: int) -> tuple[Floats, Floats]:
        """Return the statistics of every group, of both runs, shape (count, k) each."""

        def summed(side: Floats) -> Floats:
            columns = [np.bincount(groups, weights=column, minlength=count) for column in side.T]
            return np.stack(columns, axis=-1)

        return summed(self.baseline), summed(self.system)

    def scores_of_groups(self, groups: NDArray[np.intp], count: int) -> tuple[Floats, Floats]:
        """Return the scores on every group alone, of both runs; not finite if the metric has none."""
        old, new = self.sums(groups, count)
        with np.errstate(all="ignore"):
            return np.asarray(self.metric.score(old)), np.asarray(self.metric.score(new))

    def scores_of_segments(self, segments: Sequence[int] | NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return the scores of single segments, of both runs; not finite if the metric has none."""
        metric: Metric = getattr(self.metric, "for_segments", self.metric)
        rows = np.asarray(segments, np.intp)
        with np.errstate(all="ignore"):
            return np.asarray(metric.score(self.baseline[rows])), np.asarray(metric.score(self.system[rows]))

    def most(self, count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the segments with the greatest contributions and with the least, at most ``count`` each.

        Ties are in order of number. Segments that contribute nothing are in neither.
        """
        # On a grid, so that what differs by rounding alone is a tie.
        ranks = self.contributions if self.slack == 0.0 else np.rint(self.contributions / self.slack)
        return _greatest(ranks, count), _greatest(-ranks, count)

    def _contributions(self, count: int, rows: Callable[[int, int], tuple[Floats, Floats]]) -> Floats:
        found = np.empty(count)
        for first in range(0, count, _ROWS):
            last = min(first + _ROWS, count)
            old, new = rows(first, last)
            moved = new - old
            with np.errstate(all="ignore"):
                swapped = self.gain(
                    np.asarray(self.metric.score(self.totals[0] + moved)),
                    np.asarray(self.metric.score(self.totals[1] - moved)),
                )
            found[first:last] = (self.delta - swapped) / 2.0
        if not np.isfinite(found).all():
            raise InputError(
                f"{self.metric.label} is not defined where the outputs of {np.count_nonzero(~np.isfinite(found)):,} "
                f"of {count:,} segments or groups of segments are swapped",
                hint="the metric's score must be a finite number for any sum of statistics",
            )
        found[np.abs(found) <= self.slack] = 0.0
        return found


def _columns(block: Block, system: int, run: int) -> slice:
    first = block.system_columns(system).start + block.width * run
    return slice(first, first + block.width)


def _greatest(ranks: Floats, count: int) -> NDArray[np.intp]:
    """Return the places of the greatest ranks above zero, the greatest first, the first of several as great first."""
    places = np.flatnonzero(ranks > 0.0)
    if places.size > count > 0:
        edge = np.partition(ranks[places], places.size - count)[places.size - count]
        places = places[ranks[places] >= edge]
    return places[np.argsort(-ranks[places], kind="stable")][:count]


def changed_pairs(
    experiment: Experiment, pairs: Sequence[tuple[int, int]], *, count: int, variability: Sequence[Variability] = ()
) -> tuple[ChangedPair, ...]:
    """Return the segments that changed most between the median runs of two systems, for every metric and pair.

    Parameters
    ----------
    pairs : sequence of two systems
        By number: the one compared with, and the one compared.
    count : int
        How many to list that favour the system, and how many that favour the baseline.
    variability : sequence of Variability
        For the median runs, if they are known already, from a development set; else those on the test set.
    """
    medians = _named(experiment, variability) if variability else median_runs(experiment)
    found = []
    for m in range(len(experiment.statistics.blocks)):
        for baseline, system in pairs:
            runs = (baseline, medians[m][baseline]), (system, medians[m][system])
            found.append(changed_pair(experiment, m, *runs, TwoRuns.of(experiment, m, *runs), count))
    return tuple(found)


def _named(experiment: Experiment, variability: Sequence[Variability]) -> list[list[int]]:
    named = {(one.metric, one.system): one.median_run for one in variability}
    return [
        [[run.name for run in system.runs].index(named[block.key, system.name]) for system in experiment.corpus.systems]
        for block in experiment.statistics.blocks
    ]


def changed_pair(
    experiment: Experiment, m: int, baseline: RunNumber, system: RunNumber, two: TwoRuns, count: int
) -> ChangedPair:
    """Return the segments that changed most between two runs under one metric, which ``two`` holds."""
    up, down = two.most(count)
    systems = experiment.corpus.systems
    names = [systems[s].runs[run].name for s, run in (baseline, system)]
    return ChangedPair(
        metric=experiment.statistics.blocks[m].key,
        baseline=systems[baseline[0]].name,
        system=systems[system[0]].name,
        baseline_run=names[0],
        system_run=names[1],
        delta=two.delta,
        statistic_names=tuple(two.metric.statistic_names),
        up=most_changed(experiment, baseline, system, two, up),
        down=most_changed(experiment, baseline, system, two, down),
        explained_up=two.together(up) if up.size else 0.0,
        explained_down=two.together(down) if down.size else 0.0,
        up_count=int(np.count_nonzero(two.contributions > 0.0)),
        down_count=int(np.count_nonzero(two.contributions < 0.0)),
    )


def most_changed(
    experiment: Experiment, baseline: RunNumber, system: RunNumber, two: TwoRuns, segments: NDArray[np.intp]
) -> tuple[ChangedSegment, ...]:
    """Return some segments with all that is known of them, in the order given."""
    corpus = experiment.corpus
    outputs = [corpus.systems[s].runs[run].outputs for s, run in (baseline, system)]
    references = corpus.references if any(side is not None for side in outputs) else ()
    old_scores, new_scores = (side.tolist() for side in two.scores_of_segments(segments))
    statistics = two.baseline[segments].tolist(), two.system[segments].tolist()
    return tuple(
        ChangedSegment(
            number=i + 1,
            document=None if corpus.documents is None else corpus.documents[i],
            baseline_score=_finite(old),
            system_score=_finite(new),
            contribution=contribution,
            share=two.share(contribution),
            baseline_statistics=tuple(old_statistics),
            system_statistics=tuple(new_statistics),
            references=tuple(line for side in references if (line := side[i]) is not None),
            baseline_output=None if outputs[0] is None else outputs[0][i],
            system_output=None if outputs[1] is None else outputs[1][i],
            id=None if corpus.ids is None or corpus.ids[i] == str(i + 1) else corpus.ids[i],
        )
        for i, old, new, contribution, old_statistics, new_statistics in zip(
            segments.tolist(), old_scores, new_scores, two.contributions[segments].tolist(), *statistics, strict=True
        )
    )


def _finite(score: float) -> float | None:
    return score if math.isfinite(score) else None
