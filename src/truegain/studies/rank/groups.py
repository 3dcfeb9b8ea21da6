"""Rankings within groups of segments, and whether leads differ between groups more than chance."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from truegain.corpus import Corpus
from truegain.experiment import Experiment, gain
from truegain.inference.multiplicity import adjust
from truegain.settings.rank import RankOptions
from truegain.studies.group_tests import GainByGroup, Group, differences_between, groups_alone
from truegain.studies.rank.parts import LeadByGroup, RankedGroup, RankedGroups
from truegain.studies.rank.result import RankResult

Rank = Callable[[Corpus, RankOptions, Experiment], RankResult]


def groups_of(corpus: Corpus, options: RankOptions, rank: Rank) -> RankedGroups:
    """Rank the systems within every group as if it were alone, with the same seed, and test whether leads differ."""
    by = str(options.by)
    parts = groups_alone(corpus, options, by, options.unit)
    return RankedGroups(by, tuple(_ranked(part, options, rank) for part in parts), tuple(_leads(parts, options)))


def _ranked(part: Group[RankOptions], options: RankOptions, rank: Rank) -> RankedGroup:
    found = rank(part.corpus, part.options, part.experiment) if part.tested else None
    scores = part.experiment.system_results(None, 1.0 - options.alpha, options.interval)
    return RankedGroup(
        group=part.name,
        segments=part.corpus.segments,
        unit=part.units.noun,
        n_units=part.units.count,
        scores=scores if found is None else found.scores,
        ranking=() if found is None else found.ranking,
        pairs=() if found is None else found.pairs,
    )


def _leads(parts: list[Group[RankOptions]], options: RankOptions) -> list[LeadByGroup]:
    """Test the lead of every system over the mean of all; of two systems they are the same, and the second's counts."""
    experiments = [part.experiment for part in parts]
    names = [system.name for system in parts[0].corpus.systems]
    blocks = experiments[0].statistics.blocks
    keys = list(itertools.product(range(len(blocks)), range(1 if len(names) == 2 else 0, len(names))))
    gains = []
    for m, s in keys:
        metric = blocks[m].metric
        deltas = [float(gain(metric, one.scores[m].mean(), one.scores[m][s])) for one in experiments]
        own = [one.contributions[m] for one in experiments]
        gains.append(GainByGroup(deltas, [gain(metric, one.mean(0), one[s]) for one in own]))
    differences = differences_between(experiments, gains, options.seed, options.resamples)
    found = []
    for m, block in enumerate(blocks):
        mine = [
            (names[s], one) for (other, s), one in zip(keys, differences, strict=True) if other == m and one is not None
        ]
        adjusted = adjust([one.p_value.p for _, one in mine], "holm") if mine else []
        for (name, one), p in zip(mine, adjusted, strict=True):
            groups = tuple(parts[g].name for g in one.groups)
            found.append(
                LeadByGroup(metric=block.key, system=name, groups=groups, q=one.q, p_adjusted=p, **one.p_value.fields)
            )
    return found
