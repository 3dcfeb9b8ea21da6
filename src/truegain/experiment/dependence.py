"""Look for dependence between neighbouring segments, if documents are not known."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.experiment.observed import Observed
from truegain.inference.dependence import FEWEST_DIFFERING, FEWEST_SEGMENTS, Dependence, find_dependence
from truegain.statistics import mean_of_runs

_MOST = 10  # differences tested at once, evenly chosen among all: further ones say nearly the same


def dependence_of(
    experiment: Observed, pairs: Sequence[tuple[int, int]] | None = None, *, seed: int
) -> Dependence | None:
    """Test whether neighbouring segments contribute similarly to the differences between systems.

    All metrics are tested together.

    Parameters
    ----------
    experiment : Observed
    pairs : sequence of pairs of int, optional
        The baseline and the system of each difference; by default all pairs, or the score of the only system.
    seed : int

    Returns
    -------
    Dependence or None
        None if segments are not resampled one by one, if documents of several segments are known (they say more), if
        there are too few segments to tell, or if the metrics have no score without one of the segments.
    """
    units, corpus = experiment.units, experiment.corpus
    if units.kind not in ("segment", "document") or units.count < corpus.segments:
        return None
    if corpus.documents is not None and len(set(corpus.documents)) < corpus.segments:
        return None
    if pairs is None:
        pairs = list(itertools.combinations(range(len(experiment.corpus.systems)), 2))
    asked: list[tuple[int | None, int]] = [*pairs] or [(None, 0)]
    keys = [(m, *pair) for m in range(len(experiment.statistics.blocks)) for pair in asked]
    if len(keys) > _MOST:
        keys = [keys[place] for place in np.linspace(0, len(keys) - 1, _MOST).astype(int)]
    strata = np.repeat(np.arange(len(units.strata)), units.strata) if len(units.strata) > 1 else None
    differing = max(_differing(experiment, *key) for key in keys)
    if units.count < FEWEST_SEGMENTS or differing < FEWEST_DIFFERING:
        return None
    with np.errstate(all="ignore"):  # a metric may have no score without one of the segments
        contributions = np.stack([contributions_to(experiment, *key) for key in keys])
    defined = contributions[np.isfinite(contributions).all(1)]
    return find_dependence(defined, strata=strata, seed=seed) if len(defined) else None


def contributions_to(experiment: Observed, m: int, baseline: int | None, system: int) -> NDArray[np.float64]:
    """Return what each unit contributes to a difference, or without a baseline to a score: the jackknife's values."""
    sides = [_left_out(experiment, m, one) for one in (baseline, system) if one is not None]
    left_out = sides[-1] - sides[0] if len(sides) == 2 else sides[0]
    return np.asarray(left_out.mean() - left_out)


def _left_out(experiment: Observed, m: int, system: int) -> NDArray[np.float64]:
    block, table = experiment.statistics.blocks[m], experiment.table
    columns = block.system_columns(system)
    values = table.values[:, columns]
    scores = block.run_scores(((values.sum(0) - values) * table.scale[columns]).T)
    return mean_of_runs(scores, block.samples_of(system))


def _differing(experiment: Observed, m: int, baseline: int | None, system: int) -> int:
    """Count the segments on which two systems differ; all of them if there is no baseline."""
    block, values = experiment.statistics.blocks[m], experiment.statistics.values
    new = values[:, block.system_columns(system)]
    if baseline is None:
        return len(new)
    old = values[:, block.system_columns(baseline)]
    if old.shape != new.shape:  # means over other numbers of runs differ nearly everywhere
        return len(new)
    return int((old != new).any(1).sum())
