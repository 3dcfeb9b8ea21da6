"""Look for dependence between neighbouring segments, if documents are not known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.experiment.observed import Observed
from truegain.inference.dependence import Dependence, find_dependence
from truegain.statistics import mean_of_runs

__all__ = ["contributions_to", "dependence_of"]

_MOST = 10  # differences tested at once, evenly chosen among all: further ones say nearly the same


def dependence_of(experiment: Observed, pairs: Sequence[tuple[int, int]], *, seed: int) -> Dependence | None:
    """Test whether neighbouring segments contribute alike to the differences of pairs, or to scores.

    Parameters
    ----------
    experiment : Observed
    pairs : sequence of pairs of int
        The baseline and the system of each difference; without pairs, the scores of all systems are looked at.
    seed : int

    Returns
    -------
    Dependence or None
        None if segments are not the unit, if documents are known (they say more), or if there is too little to tell.
    """
    units = experiment.units
    if units.kind != "segment" or experiment.corpus.documents is not None:
        return None
    asked: list[tuple[int | None, int]] = [*pairs] or [(None, s) for s in range(len(experiment.corpus.systems))]
    keys = [(m, *pair) for m in range(len(experiment.statistics.blocks)) for pair in asked]
    if len(keys) > _MOST:
        keys = [keys[place] for place in np.linspace(0, len(keys) - 1, _MOST).astype(int)]
    strata = np.repeat(np.arange(len(units.strata)), units.strata) if len(units.strata) > 1 else None
    contributions = np.stack([contributions_to(experiment, *key) for key in keys])
    return find_dependence(
        contributions,
        max(_differing(experiment, *key) for key in keys),
        strata=strata,
        seed=seed,
    )


def contributions_to(experiment: Observed, m: int, baseline: int | None, system: int) -> NDArray[np.float64]:
    """Return what each unit contributes to a difference, or without a baseline to a score: the jackknife's values."""
    sides = [_left_out(experiment, m, one) for one in (baseline, system) if one is not None]
    left_out = sides[-1] - sides[0] if len(sides) == 2 else sides[0]
    return np.asarray(left_out.mean() - left_out)


def _left_out(experiment: Observed, m: int, system: int) -> NDArray[np.float64]:
    block, table = experiment.statistics.blocks[m], experiment.table
    columns = block.system_columns(system)
    values = table.values[:, columns]
    return mean_of_runs(block.run_scores(((values.sum(0) - values) * table.scale[columns]).T))


def _differing(experiment: Observed, m: int, baseline: int | None, system: int) -> int:
    """Count the segments on which two systems differ; all of them if there is no baseline."""
    block, values = experiment.statistics.blocks[m], experiment.table.values
    new = values[:, block.system_columns(system)]
    if baseline is None:
        return len(new)
    old = values[:, block.system_columns(baseline)]
    if old.shape != new.shape:  # means over other numbers of runs differ nearly everywhere
        return len(new)
    return int((old != new).any(1).sum())
