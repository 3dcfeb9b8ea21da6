"""Look for dependence between neighbouring segments, if documents are not known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truegain.experiment.observed import Observed
from truegain.inference.dependence import MOST_SEGMENTS, Dependence, Tested, find_dependences
from truegain.scratch import stretches

_NUMBERS = 1 << 21  # contributions that are held at once


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
    names = [system.name for system in corpus.systems]
    tests: dict[Tested, Dependence] = {}
    for m, block in enumerate(experiment.statistics.blocks):
        for part in stretches(len(compared), max(1, _NUMBERS // min(corpus.segments, MOST_SEGMENTS))):
            found = {systems: experiment.contributions_to(m, *systems) for systems in compared[part]}
            known = {systems: own[:MOST_SEGMENTS] for systems, own in found.items() if own is not None}
            if known:
                tested = [(block.key, *(names[s] for s in systems)) for systems in known]
                first = None if strata is None else strata[:MOST_SEGMENTS]
                of_each = find_dependences(tested, np.stack([*known.values()]), strata=first, seed=seed)
                tests.update((key, one) for key, one in zip(tested, of_each, strict=True) if one is not None)
    return tests
