"""Published tests that deal out the outputs of a segment again among the systems' runs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from truegain.engines.work import Dealing
from truegain.experiment import Experiment, check_defined, gain
from truegain.inference.claims import Claim
from truegain.inference.published import strict_randomization
from truegain.inference.pvalues import randomization_test, tolerance
from truegain.metrics.base import Metric
from truegain.procedures.base import (
    Key,
    Pair,
    TestOutcome,
    Trial,
    check_null_gain,
    check_two_sided,
    tie_caveats,
)
from truegain.procedures.randomization import check_swappable, differing_notes, swapped_differences
from truegain.resampling.units import Units
from truegain.statistics import Block, SegmentStatistics, mean_of_runs

__all__ = ["CLARK", "MULTEVAL", "Clark", "MultEval"]


@dataclass(frozen=True)
class Clark:
    """Clark et al.: pool the outputs of a segment and partition them again, within the segment, over all runs."""

    name: str = "clark2011"

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        check_null_gain(self.name, trial.null_gain)
        check_two_sided(self.name, trial.alternative)
        experiment = trial.experiment.on_segments
        trial = replace(trial, experiment=experiment)
        single = [pair for pair in trial.pairs if not trial.several_runs(pair)]
        dealt = swapped_differences(experiment, single, trial.resamples)  # of two outputs, to deal out is to swap
        for pair in trial.pairs:
            if pair not in single:
                for m, block in enumerate(experiment.statistics.blocks):
                    dealt[m, pair] = _dealt_differences(experiment, block, pair, trial.resamples)
        found = {}
        for key in trial.keys:
            m, pair = key
            delta = trial.delta(key)
            notes = differing_notes(experiment, m, pair, "two-sided", trial.alpha) if pair in single else ()
            found[key] = TestOutcome(
                test=self.name,
                p_value=randomization_test(delta, dealt[key], magnitude=trial.magnitude(key)),
                unit="segment",
                n_units=experiment.units.count,
                alternative="two-sided",
                claim=Claim(trial.held_runs(pair)),
                direction=delta,
                notes=notes,
            )
        return found


def _dealt_differences(experiment: Experiment, block: Block, pair: Pair, resamples: int) -> NDArray[np.float64]:
    table = experiment.table_of(block, (pair.baseline, pair.system))
    values = table.values.reshape(len(table.values), -1, block.width).astype(np.int64)
    scale = table.scale.reshape(-1, block.width)
    reduce = _DealtGain(block.metric, scale, block.run_counts[pair.baseline])
    reporter = experiment.reporter("dealing out", resamples)
    differences = experiment.engine.deal(Dealing(experiment.seed, values, reduce), resamples, reporter)[0]
    check_defined(differences[None], block)
    return np.asarray(differences)


@dataclass(frozen=True)
class _DealtGain:
    """Gain of the later runs over the first ones, from sums (resamples, runs, k) to shape (1, resamples)."""

    metric: Metric
    scale: NDArray[np.float64]
    old_runs: int

    def __call__(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        scores = self.metric.score(sums * self.scale).T
        return gain(self.metric, mean_of_runs(scores[: self.old_runs]), mean_of_runs(scores[self.old_runs :]))[None]


@dataclass(frozen=True)
class MultEval:
    """MultEval's test: all runs laid end to end and scored as one text, rows swapped one by one, a strict greater."""

    name: str = "multeval-ar"

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        check_null_gain(self.name, trial.null_gain)
        check_two_sided(self.name, trial.alternative)
        check_swappable(trial.experiment.on_segments, trial.pairs)
        found = {}
        for key in trial.keys:
            m, pair = key
            laid = Trial(_end_to_end(trial.experiment, m, pair), (Pair(0, 1),))
            only = (0, Pair(0, 1))
            delta = laid.delta(only)
            swapped = swapped_differences(laid.experiment, laid.pairs, trial.resamples)
            slack = tolerance(laid.magnitude(only))
            p_value, with_ties = (strict_randomization(delta, swapped[only], one) for one in (slack, -slack))
            found[key] = TestOutcome(
                test=self.name,
                p_value=p_value,
                unit="segment",
                n_units=laid.experiment.units.count,
                alternative="two-sided",
                claim=Claim(trial.held_runs(pair)),
                direction=delta,
                caveats=tie_caveats(p_value.p, with_ties.p, trial.alpha),
            )
        return found


def _end_to_end(experiment: Experiment, m: int, pair: Pair) -> Experiment:
    """Return two systems with the segments of all their runs one after the other, as if each had one long run."""
    block = experiment.statistics.blocks[m]
    segments = len(experiment.statistics.values)
    sides = [
        experiment.statistics.values[:, block.system_columns(s)]
        .reshape(segments, -1, block.width)
        .transpose(1, 0, 2)
        .reshape(-1, block.width)
        for s in (pair.baseline, pair.system)
    ]
    systems = experiment.corpus.systems
    corpus = replace(
        experiment.corpus,
        segments=len(sides[0]),
        documents=None,
        domains=None,
        systems=tuple(replace(systems[s], runs=systems[s].runs[:1]) for s in (pair.baseline, pair.system)),
    )
    return replace(
        experiment,
        corpus=corpus,
        statistics=SegmentStatistics(np.concatenate(sides, axis=1), (Block(block.key, block.metric, 0, (1, 1)),)),
        units=Units.segments(len(sides[0])),
    )


CLARK = Clark()
MULTEVAL = MultEval()
