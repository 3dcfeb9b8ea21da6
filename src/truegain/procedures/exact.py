"""Randomization with every possible swap, if these can be counted."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from truegain.experiment import gain
from truegain.inference.claims import Claim
from truegain.inference.exact import exact_p, swap_distribution
from truegain.inference.pvalues import PValue
from truegain.notes import Note
from truegain.procedures.base import Key, TestOutcome, Trial, check_null_gain
from truegain.procedures.randomization import AR, check_swappable, differing_notes
from truegain.statistics import mean_of_runs

__all__ = ["EXACT", "Exact"]

_CELLS = 2**23  # half a gigabyte at most
_WORK = 2e9  # additions: a few seconds


@dataclass(frozen=True)
class Exact:
    """Randomization test without Monte-Carlo error: see :mod:`truegain.inference.exact`.

    All swaps are enumerated if few units differ; counted in a table if one or two statistics differ, and their
    differences lie on a grid; else drawn at random (``ar``), which is said.
    """

    name: str = "exact"

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        check_null_gain(self.name, trial.null_gain)
        experiment = trial.experiment
        check_swappable(experiment, trial.pairs)
        found = {key: self._p_value(trial, key) for key in trial.keys}
        beyond = tuple(dict.fromkeys(pair for (_, pair), p_value in found.items() if p_value is None))
        drawn = AR(replace(trial, pairs=beyond)) if beyond else {}
        findings = {}
        for key, p_value in found.items():
            if p_value is None:
                note = Note("random-swaps", "the swaps are too many to be counted, so they were drawn at random")
                findings[key] = replace(drawn[key], notes=(note, *drawn[key].notes))
                continue
            m, pair = key
            findings[key] = TestOutcome(
                test=self.name,
                p_value=p_value,
                unit=experiment.units.noun,
                n_units=experiment.units.count,
                alternative=trial.alternative,
                claim=Claim(trial.held_runs(pair), experiment.units.noun),
                direction=trial.delta(key),
                notes=differing_notes(experiment, m, pair, trial.alternative, trial.alpha),
            )
        return findings

    def _p_value(self, trial: Trial, key: Key) -> PValue | None:
        """Return the exact p-value, or None if there are too many swaps."""
        experiment = trial.experiment
        m, pair = key
        block = experiment.statistics.blocks[m]
        table = experiment.table_of(block, (pair.baseline, pair.system))
        old, new = (
            _merged(side, block.width, getattr(block.metric, "merged", None))
            for side in np.hsplit(table.values * table.scale, 2)
        )
        distribution = swap_distribution(new - old, cells=_CELLS, work=_WORK)
        if distribution is None:
            return None
        runs = block.run_counts[pair.system]

        def score(totals: NDArray[np.float64]) -> NDArray[np.float64]:
            by_run = totals.reshape(runs, -1, totals.shape[-1])
            return mean_of_runs(block.metric.score(np.moveaxis(by_run, 1, -1)), block.samples_of(pair.system))

        values = gain(
            block.metric,
            score(old.sum(0)[:, None] + distribution.sums),
            score(new.sum(0)[:, None] - distribution.sums),
        )
        p = exact_p(
            distribution,
            values,
            trial.delta(key),
            alternative=trial.alternative,
            magnitude=trial.magnitude(key),
        )
        return PValue(p)


def _merged(values: NDArray[np.float64], width: int, groups: tuple[tuple[int, ...], ...] | None) -> NDArray[np.float64]:
    """Sum statistics that the score only knows the sum of, so that fewer of them differ."""
    if groups is None:
        return values
    runs = values.reshape(len(values), -1, width)
    return np.stack([runs[:, :, list(group)].sum(-1) for group in groups], axis=-1).reshape(len(values), -1)


EXACT = Exact()
