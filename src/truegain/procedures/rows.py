"""Published tests whose unit is a row: the output of one run for one segment, as if rows were independent.

The runs of a system are laid end to end and scored as one text. Rows of one segment are not independent, so with m runs
a row counts for about m times what it is worth: intervals are about √m narrower than those of one run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.experiment import Experiment, gain
from truegain.inference.claims import Claim
from truegain.inference.published import critical_difference, fu_bootstrap, strict_randomization
from truegain.inference.pvalues import PValue, tolerance
from truegain.procedures.base import (
    Key,
    Pair,
    TestOutcome,
    Trial,
    check_no_samples,
    check_null_gain,
    check_two_sided,
    tie_caveats,
)
from truegain.procedures.randomization import check_swappable, swapped_differences
from truegain.resampling.units import Units
from truegain.statistics import Block, SegmentStatistics


@dataclass(frozen=True)
class RowTest:
    """A test that swaps rows one by one, or draws them with replacement; what is equal does not count."""

    name: str
    scheme: Literal["swap", "bootstrap"]

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        check_null_gain(self.name, trial.null_gain)
        check_no_samples(self.name, trial)
        check_two_sided(self.name, trial.alternative)
        check_swappable(trial.experiment.on_segments, trial.pairs)
        return {key: self._outcome(trial, key) for key in trial.keys}

    def _outcome(self, trial: Trial, key: Key) -> TestOutcome:
        m, pair = key
        laid = Trial(laid_end_to_end(trial.experiment, m, (pair.baseline, pair.system)), (Pair(0, 1),))
        only = (0, Pair(0, 1))
        delta, slack = laid.delta(only), tolerance(laid.magnitude(only))
        rule: Callable[[float, NDArray[np.float64], float], PValue]
        if self.scheme == "swap":
            rule, resampled = (
                strict_randomization,
                swapped_differences(laid.experiment, laid.pairs, trial.resamples)[only],
            )
        else:
            rule = fu_bootstrap
            scores = laid.experiment.bootstrap(trial.resamples)[0]
            resampled = gain(laid.metric(only), scores[0], scores[1])
        p_value, with_ties = (rule(delta, resampled, one) for one in (slack, -slack))
        return TestOutcome(
            test=self.name,
            p_value=p_value,
            unit="segment",
            n_units=laid.experiment.units.count,
            alternative="two-sided",
            claim=Claim(trial.held_runs(pair), None if self.scheme == "swap" else "segment"),
            direction=delta,
            caveats=tie_caveats(p_value.p, with_ties.p, trial.alpha),
            critical=critical_difference(resampled, trial.alpha, folded=self.scheme == "bootstrap"),
        )


def laid_end_to_end(experiment: Experiment, m: int, systems: Sequence[int]) -> Experiment:
    """Return systems under one metric with the segments of all their runs one after the other, as one long run each.

    Parameters
    ----------
    experiment : Experiment
    m : int
        The metric.
    systems : sequence of int
        With the same number of runs each.
    """
    block = experiment.statistics.blocks[m]
    segments = len(experiment.statistics.values)
    sides = [
        experiment.statistics.values[:, block.system_columns(s)]
        .reshape(segments, -1, block.width)
        .transpose(1, 0, 2)
        .reshape(-1, block.width)
        for s in systems
    ]
    given = experiment.corpus.systems
    corpus = replace(
        experiment.corpus,
        segments=len(sides[0]),
        documents=None,
        domains=None,
        systems=tuple(replace(given[s], runs=given[s].runs[:1]) for s in systems),
    )
    return replace(
        experiment,
        corpus=corpus,
        statistics=SegmentStatistics(
            np.concatenate(sides, axis=1), (Block(block.key, block.metric, 0, (1,) * len(sides)),)
        ),
        units=Units.segments(len(sides[0])),
    )


MULTEVAL = RowTest("multeval-ar", "swap")
FU_ROWS_AR = RowTest("fu-rows-ar", "swap")
FU_ROWS_BOOTSTRAP = RowTest("fu-rows-bootstrap", "bootstrap")
