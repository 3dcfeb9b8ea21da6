"""Look for dependence between neighbouring segments, if documents are not known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truegain.experiment.observed import Observed
from truegain.inference.dependence import FEWEST_DIFFERING, FEWEST_SEGMENTS, Dependence, Tested, find_dependence


def dependence_of(experiment: Observed, compared: Sequence[tuple[int, ...]], *, seed: int) -> dict[Tested, Dependence]:
    """Test whether neighbouring segments contribute similarly to differences between systems, or to scores.

    Every difference is tested under every metric for itself, whatever other systems there are.

    Parameters
    ----------
    experiment : Observed
    compared : sequence of tuples of int
        The baseline and the system of each difference, or the one system of a score.
    seed : int

    Returns
    -------
    dict
        By metric and systems; without those of which there is too little to tell, or that have no derivative. Empty if
        segments are not resampled one by one, or if documents of several segments are known: they say more.
    """
    units, corpus = experiment.units, experiment.corpus
    if units.kind not in ("segment", "document") or not FEWEST_SEGMENTS <= units.count == corpus.segments:
        return {}
    if corpus.documents is not None and len(set(corpus.documents)) < corpus.segments:
        return {}
    strata = np.repeat(np.arange(len(units.strata)), units.strata) if len(units.strata) > 1 else None
    tests: dict[Tested, Dependence] = {}
    for m, block in enumerate(experiment.statistics.blocks):
        for systems in compared:
            if _differing(experiment, m, *systems) < FEWEST_DIFFERING:
                continue
            contributions = experiment.contributions_to(m, *systems)
            tested = (block.key, *(corpus.systems[s].name for s in systems))
            if contributions is not None and (one := find_dependence(tested, contributions, strata=strata, seed=seed)):
                tests[tested] = one
    return tests


def _differing(experiment: Observed, m: int, *systems: int) -> int:
    """Count the segments on which two systems differ; all of them if there is only one system."""
    block, values = experiment.statistics.blocks[m], experiment.statistics.values
    old, new = (values[:, block.system_columns(s)] for s in (systems[0], systems[-1]))
    if len(systems) == 1 or old.shape != new.shape:  # means over other numbers of runs differ nearly everywhere
        return len(new)
    return int((old != new).any(1).sum())
