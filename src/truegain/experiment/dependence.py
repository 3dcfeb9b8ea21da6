"""Look for dependence between neighbouring segments, if documents are not known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truegain.experiment.observed import Observed
from truegain.inference.dependence import Dependence, Tested, find_dependence


def dependence_of(experiment: Observed, compared: Sequence[tuple[int, ...]], *, seed: int) -> dict[Tested, Dependence]:
    """Test whether neighbouring segments contribute similarly to differences of two systems, or to scores of one.

    Every difference is tested under every metric for itself, whatever other systems there are. There are no tests of
    those with too little to tell, or without a derivative; none at all if segments are not resampled one by one, or if
    documents of several segments are known: they say more.
    """
    units, corpus = experiment.units, experiment.corpus
    if units.kind not in ("segment", "document") or units.count < corpus.segments:
        return {}
    if corpus.documents is not None and len(set(corpus.documents)) < corpus.segments:
        return {}
    strata = np.repeat(np.arange(len(units.strata)), units.strata) if len(units.strata) > 1 else None
    tests: dict[Tested, Dependence] = {}
    for m, block in enumerate(experiment.statistics.blocks):
        for systems in compared:
            contributions = experiment.contributions_to(m, *systems)
            tested = (block.key, *(corpus.systems[s].name for s in systems))
            if contributions is not None and (one := find_dependence(tested, contributions, strata=strata, seed=seed)):
                tests[tested] = one
    return tests
