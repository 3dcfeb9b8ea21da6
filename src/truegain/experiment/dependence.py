"""Look for dependence between neighbouring segments, if documents are not known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truegain.executors.over import Workers, over
from truegain.experiment.observed import Observed
from truegain.inference.dependence import MOST_SEGMENTS, Dependence, Tested, find_dependences

_NUMBERS = 1 << 21  # contributions that are held at once


def dependence_of(
    experiment: Observed, compared: Sequence[tuple[int, ...]], *, seed: int, jobs: int = 1
) -> dict[Tested, Dependence]:
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
    strata = np.repeat(np.arange(len(units.strata)), units.strata)[:MOST_SEGMENTS] if len(units.strata) > 1 else None
    names = [system.name for system in corpus.systems]
    tests: dict[Tested, Dependence] = {}

    def tests_of(m: int, first: int, last: int) -> dict[Tested, Dependence]:
        contributions = {systems: experiment.contributions_to(m, *systems) for systems in compared[first:last]}
        known = {systems: values[:MOST_SEGMENTS] for systems, values in contributions.items() if values is not None}
        if not known:
            return {}
        key = experiment.statistics.blocks[m].key
        tested = [(key, *(names[s] for s in systems)) for systems in known]
        of_each = find_dependences(tested, np.stack([*known.values()]), strata=strata, seed=seed)
        return {which: test for which, test in zip(tested, of_each, strict=True) if test is not None}

    size = max(1, _NUMBERS // min(corpus.segments, MOST_SEGMENTS))
    for m in range(len(experiment.statistics.blocks)):
        for part in over(tests_of, m, 0, len(compared), Workers(jobs), size=size):
            tests.update(part)
    return tests
