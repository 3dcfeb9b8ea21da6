"""Look for dependence between neighbouring segments, if documents are not known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truegain.experiment.observed import Observed
from truegain.inference.dependence import FEWEST_DIFFERING, FEWEST_SEGMENTS, Dependence, Tested, find_dependence

_PIECE = 256  # segments that are looked at before it is known whether two systems differ


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
            if not _differ(experiment, m, *systems):
                continue
            contributions = experiment.contributions_to(m, *systems)
            tested = (block.key, *(corpus.systems[s].name for s in systems))
            if contributions is not None and (one := find_dependence(tested, contributions, strata=strata, seed=seed)):
                tests[tested] = one
    return tests


def _differ(experiment: Observed, m: int, *systems: int) -> bool:
    """Return whether two systems differ on enough segments; true if there is only one."""
    block, values = experiment.statistics.blocks[m], experiment.statistics.values
    old, new = (values[:, block.system_columns(s)] for s in (systems[0], systems[-1]))
    if len(systems) == 1 or old.shape != new.shape:  # means over other numbers of runs differ nearly everywhere
        return True
    differing = 0
    for first in range(0, len(new), _PIECE):
        differing += int((old[first : first + _PIECE] != new[first : first + _PIECE]).any(1).sum())
        if differing >= FEWEST_DIFFERING:
            return True
    return False
