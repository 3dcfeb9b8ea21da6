"""All swaps of a pair, if they can be counted: exact p-values, and the gains that these keep."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from truegain.experiment import gain
from truegain.inference.exact import exact_p, swap_distribution
from truegain.inference.intervals import Interval
from truegain.inference.inversion import exact_interval, swapped_reach
from truegain.inference.pvalues import PValue, tolerance
from truegain.procedures.base import Key, Trial
from truegain.statistics import mean_of_runs

_CELLS = 2**23  # half a gigabyte at most
_WORK = 2e9  # additions: a few seconds
_WORK_OF_ENDS = 5e8  # for the interval besides


def with_p(interval: Interval, p: float, delta: float, alpha: float) -> Interval:
    """Return drawn ends on the side of zero on which p has them: they have a Monte-Carlo error, and p has none."""
    if p > alpha:
        return replace(interval, low=min(interval.low, 0.0), high=max(interval.high, 0.0))
    outside = math.nextafter(0.0, math.copysign(math.inf, delta))
    if delta > 0.0:
        return replace(interval, low=max(interval.low, outside))
    return replace(interval, high=min(interval.high, outside))


@dataclass(frozen=True)
class AllSwaps:
    """All swaps of a pair under a metric.

    Attributes
    ----------
    old, new : arrays (units, columns)
        The statistics of both sides, those merged of which the score needs only the sum.
    """

    trial: Trial
    key: Key
    old: NDArray[np.float64]
    new: NDArray[np.float64]

    @classmethod
    def of(cls, trial: Trial, key: Key) -> AllSwaps:
        """Return the swaps of the units of the experiment."""
        m, pair = key
        block = trial.experiment.statistics.blocks[m]
        table = trial.experiment.table_of(block, (pair.baseline, pair.system))
        old, new = (
            _merged(side, block.width, getattr(block.metric, "merged", None))
            for side in np.hsplit(table.values * table.scale, 2)
        )
        return cls(trial, key, old, new)

    def p_value(self) -> PValue | None:
        """Return the exact p-value, or None if there are too many swaps."""
        distribution = swap_distribution(self.new - self.old, cells=_CELLS, work=_WORK)
        if distribution is None:
            return None
        p = exact_p(
            distribution,
            self._gains(distribution.sums),
            self.trial.delta(self.key),
            alternative=self.trial.alternative,
            magnitude=self.trial.magnitude(self.key),
        )
        return PValue(p)

    def interval(self) -> Interval | None:
        """Return the interval of the gains that the test keeps; None if there are too many swaps with their weights.

        What a swap says of other gains than zero depends on the weight of what is swapped, also of units that do not
        differ, so that there are more of them to count than for the p-value.
        """
        trial, (m, pair) = self.trial, self.key
        weights = trial.experiment.units.sums(trial.experiment.weights(m, pair.baseline, pair.system)[:, None])
        if weights.min() < 0.0 or not weights.any():
            return None
        distribution = swap_distribution(np.hstack([self.new - self.old, weights]), cells=_CELLS, work=_WORK_OF_ENDS)
        if distribution is None:
            return None
        reach = swapped_reach(
            trial.delta(self.key),
            self._gains(distribution.sums[:-1]),
            distribution.sums[-1] / weights.sum(),
            alternative=trial.alternative,
            slack=tolerance(trial.magnitude(self.key)),
        )
        return exact_interval(reach, distribution.probability, trial.alpha)

    def _gains(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the gains after swaps that add these sums to one side and take them from the other."""
        m, pair = self.key
        block = self.trial.experiment.statistics.blocks[m]

        def score(totals: NDArray[np.float64]) -> NDArray[np.float64]:
            by_run = totals.reshape(block.run_counts[pair.system], -1, totals.shape[-1])
            return mean_of_runs(block.metric.score(np.moveaxis(by_run, 1, -1)), block.samples_of(pair.system))

        return gain(block.metric, score(self.old.sum(0)[:, None] + sums), score(self.new.sum(0)[:, None] - sums))


def _merged(values: NDArray[np.float64], width: int, groups: tuple[tuple[int, ...], ...] | None) -> NDArray[np.float64]:
    """Sum statistics that the score only knows the sum of, so that fewer of them differ."""
    if groups is None:
        return values
    runs = values.reshape(len(values), -1, width)
    return np.stack([runs[:, :, list(group)].sum(-1) for group in groups], axis=-1).reshape(len(values), -1)
