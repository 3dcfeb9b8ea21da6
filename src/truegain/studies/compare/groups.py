"""Comparison within groups of segments, and whether groups differ more than chance."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from truegain.corpus import Corpus
from truegain.experiment import Experiment, gain
from truegain.inference.multiplicity import MAXT, adjust
from truegain.procedures.base import Pair
from truegain.settings.compare import CompareOptions
from truegain.studies.compare.decision import judged
from truegain.studies.compare.group_parts import GainInGroup, Groups, Heterogeneity
from truegain.studies.compare.result import CompareResult
from truegain.studies.group_tests import GainByGroup, Group, differences_between, groups_alone

Compare = Callable[[Corpus, CompareOptions, Experiment], CompareResult]


def groups_of(corpus: Corpus, options: CompareOptions, pairs: Sequence[Pair], compare: Compare) -> Groups:
    """Compare the systems within every group, by the first test, and test whether groups differ.

    Every group is compared as if it were alone, with the same seed, by ``compare``.
    """
    by = str(options.by)
    first = options.test if isinstance(options.test, str) else options.test[0]
    alone = options.changed(adjust="none", changed_segments=0, test=first, standard_errors=False)
    parts = groups_alone(corpus, alone, by, options.unit)
    found = [compare(part.corpus, part.options, part.experiment) if part.tested else None for part in parts]
    gains: list[list[GainInGroup]] = []
    tested: list[GainByGroup] = []
    for m, pair in itertools.product(range(len(parts[0].experiment.statistics.blocks)), pairs):
        block = parts[0].experiment.statistics.blocks[m]
        names = [corpus.systems[s].name for s in (pair.baseline, pair.system)]
        mine = [_gain(part, m, pair, block.key, names, one) for part, one in zip(parts, found, strict=True)]
        gains.append(_adjusted(mine, options, directed=block.metric.higher_is_better is not None))
        own = [part.experiment.contributions[m] for part in parts]
        contributions = [gain(block.metric, one[pair.baseline], one[pair.system]) for one in own]
        tested.append(GainByGroup([one.delta for one in mine], contributions))
    resamples = 10_000 if options.resamples == "auto" else options.resamples
    differences = differences_between([part.experiment for part in parts], tested, options.seed, resamples)
    heterogeneity = [
        Heterogeneity(
            metric=own[0].metric,
            baseline=own[0].baseline,
            system=own[0].system,
            groups=tuple(parts[g].name for g in one.groups),
            q=one.q,
            **one.p_value.fields,
        )
        for own, one in zip(gains, differences, strict=True)
        if one is not None
    ]
    return Groups(by, tuple(itertools.chain.from_iterable(gains)), tuple(heterogeneity))


def _gain(
    part: Group[CompareOptions], m: int, pair: Pair, key: str, names: Sequence[str], result: CompareResult | None
) -> GainInGroup:
    scores = part.experiment.scores[m]
    metric = part.experiment.statistics.blocks[m].metric
    delta = float(gain(metric, scores[pair.baseline], scores[pair.system]))
    comparison = None
    if result is not None:  # what a page draws of single comparisons is not kept of groups
        comparison = replace(result.pair(key, *names), effect=None, overlap=None)
    unit, segments = part.units.noun, part.experiment.corpus.segments
    return GainInGroup(
        metric=key,
        baseline=names[0],
        system=names[1],
        delta=delta,
        group=part.name,
        segments=segments,
        unit=unit,
        n_units=part.units.count,
        comparison=comparison,
    )


def _adjusted(gains: Sequence[GainInGroup], options: CompareOptions, *, directed: bool) -> list[GainInGroup]:
    """Adjust the p-values of the groups for their number, and decide."""
    method = "holm" if options.adjust == MAXT else options.adjust  # groups share no resamples
    tested = [one.comparison for one in gains if one.comparison is not None]
    adjusted = iter(adjust([one.p for one in tested], method) if tested else [])
    made = []
    for one in gains:
        own = one.comparison
        if own is not None:
            favours = own.significant or own.p > options.alpha
            own = replace(own, adjust=method, p_adjusted=next(adjusted))
            own = judged(
                own,
                options.alpha,
                null_gain=options.null_gain,
                favours=favours,
                directed=directed,
                more="use more resamples to decide",
            )
        made.append(replace(one, comparison=own))
    return made
