"""Published tests whose unit is the run: every run's score on the whole test set is one observation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting
from truegain.experiment import gain
from truegain.inference.claims import Claim
from truegain.inference.published import critical_difference, fu_bootstrap, strict_randomization
from truegain.inference.pvalues import PValue, tolerance
from truegain.procedures.base import (
    Key,
    TestOutcome,
    Trial,
    check_no_samples,
    check_null_gain,
    check_two_sided,
    tie_caveats,
)
from truegain.resampling.generator import bootstrap_counts, resample_keys, swap_masks
from truegain.resampling.streams import Stream
from truegain.statistics import mean_of_runs

# Streams of random numbers beside those of segments and documents, see resampling/design.py.


Rule = Callable[[float, NDArray[np.float64], float], PValue]


@dataclass(frozen=True)
class RunTest:
    """Fu et al.'s tests: draw the runs of each system with replacement, or swap them pair by pair."""

    name: str
    scheme: Literal["bootstrap", "swap"]

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        check_null_gain(self.name, trial.null_gain)
        check_no_samples(self.name, trial)
        check_two_sided(self.name, trial.alternative)
        self._check_runs(trial)
        return {key: self._finding(trial, key) for key in trial.keys}

    def _check_runs(self, trial: Trial) -> None:
        systems = trial.experiment.corpus.systems
        for pair in trial.pairs:
            old, new = systems[pair.baseline], systems[pair.system]
            counts = len(old.runs), len(new.runs)
            if min(counts) < 2:
                alone = old if counts[0] < 2 else new
                raise InputError(
                    f"{self.name} has the run as its unit, and {alone.name!r} has only one",
                    hint=(
                        "give several runs, ",
                        Setting("systems", {"NAME": "runs/*.txt"}),
                        ", or use ",
                        Setting("test", "ar"),
                        " for one run of each",
                    ),
                )
            if counts[0] != counts[1]:
                raise InputError(
                    f"{self.name} needs as many runs of each system; {old.name!r} has {counts[0]} and "
                    f"{new.name!r} {counts[1]}"
                )

    def _finding(self, trial: Trial, key: Key) -> TestOutcome:
        m, pair = key
        block = trial.experiment.statistics.blocks[m]
        scores = trial.experiment.run_scores[m]
        edges = np.cumsum((0, *block.run_counts))
        old, new = (scores[edges[s] : edges[s + 1]] for s in (pair.baseline, pair.system))
        delta, slack = trial.delta(key), tolerance(trial.magnitude(key))
        if self.scheme == "bootstrap":
            draws = (
                bootstrap_counts(self._keys(trial, stream), len(old)).astype(np.float64)
                for stream in (Stream.RUNS_OF_FIRST, Stream.RUNS_OF_SECOND)
            )
            before, after = (_weighted_mean(weights, side) for weights, side in zip(draws, (old, new), strict=True))
            rule: Rule = fu_bootstrap
            left = np.zeros(trial.resamples)
        else:
            swapped = swap_masks(self._keys(trial, Stream.RUN_SWAPS), len(old)).astype(bool)
            before = mean_of_runs(np.where(swapped, new, old).T)
            after = mean_of_runs(np.where(swapped, old, new).T)
            rule = strict_randomization
            left = delta * (1.0 - 2.0 * swapped.mean(1))  # of the observed difference, after so many swaps
        resampled = gain(block.metric, before, after)
        p_value, with_ties = (rule(delta, resampled, one) for one in (slack, -slack))
        return TestOutcome(
            test=self.name,
            p_value=p_value,
            unit="run",
            n_units=2 * len(old),
            alternative="two-sided",
            claim=Claim("new runs"),
            direction=delta,
            caveats=tie_caveats(p_value.p, with_ties.p, trial.alpha),
            critical=critical_difference(resampled - left, trial.alpha, folded=self.scheme == "bootstrap"),
        )

    def _keys(self, trial: Trial, stream: Stream) -> NDArray[np.uint64]:
        return resample_keys(trial.experiment.seed, stream, 0, trial.resamples)


def _weighted_mean(weights: NDArray[np.float64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average drawn runs, added up in order."""
    return mean_of_runs(weights.T * scores[:, None])


FU_BOOTSTRAP = RunTest("fu-bootstrap", "bootstrap")
FU_AR = RunTest("fu-ar", "swap")
