"""Published tests that deal out the outputs of a segment again among the systems' runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from truegain.engines.engine import Dealing
from truegain.experiment import Experiment, check_defined, gain
from truegain.inference.claims import Claim
from truegain.inference.pvalues import randomization_test
from truegain.metrics.base import Metric
from truegain.procedures.base import Key, Pair, TestOutcome, Trial, check_no_samples, check_null_gain, check_two_sided
from truegain.procedures.randomization import differing_notes, swapped_differences
from truegain.statistics import Block, mean_of_runs


@dataclass(frozen=True)
class Clark:
    """Clark et al.: pool the outputs of a segment and partition them again, within the segment, over all runs."""

    name: str = "clark2011"

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        check_null_gain(self.name, trial.null_gain)
        check_no_samples(self.name, trial)
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
    reduce = partial(_dealt_gain, block.metric, scale, block.run_counts[pair.baseline])
    reporter = experiment.reporter("dealing out", resamples)
    differences = experiment.engine.deal(Dealing(experiment.seed, values, reduce), resamples, reporter)[0]
    check_defined(differences[None], block)
    return np.asarray(differences)


def _dealt_gain(
    metric: Metric, scale: NDArray[np.float64], old_runs: int, sums: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the gain of the later runs over the first ones, shape (1, resamples), from sums (resamples, runs, k)."""
    scores = metric.score(sums * scale).T
    return gain(metric, mean_of_runs(scores[:old_runs]), mean_of_runs(scores[old_runs:]))[None]


CLARK = Clark()
