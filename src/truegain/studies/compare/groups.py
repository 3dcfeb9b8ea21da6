"""Comparison within groups of segments, and whether groups differ more than chance."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus
from truegain.engines.work import Resampling
from truegain.experiment import Experiment, gain
from truegain.inference.heterogeneity import LEAST_UNITS, apart, exchanged, joint_columns, own_columns, together
from truegain.inference.multiplicity import MAXT, adjust
from truegain.inference.pvalues import PValue
from truegain.procedures.base import Pair
from truegain.resampling.design import Design
from truegain.resampling.generator import resample_keys
from truegain.resampling.units import Units, UnitTable
from truegain.settings.compare import CompareOptions
from truegain.studies.compare.decision import judged
from truegain.studies.compare.group_parts import GainInGroup, Groups, Heterogeneity
from truegain.studies.compare.result import CompareResult
from truegain.studies.grouping import group_rows, unit_within

__all__ = ["groups_of"]

Floats = NDArray[np.float64]
Compare = Callable[[Corpus, CompareOptions, Experiment], CompareResult]

_SEEDS = 402  # a stream of random numbers, for the seeds of groups
_AT_ONCE = 32  # gains that share their resamples


@dataclass(frozen=True)
class _Part:
    """A group: its segments alone, scored."""

    name: str
    experiment: Experiment

    @property
    def units(self) -> Units:
        return self.experiment.units

    @property
    def tested(self) -> bool:
        return self.units.count >= LEAST_UNITS


def groups_of(corpus: Corpus, options: CompareOptions, pairs: Sequence[Pair], compare: Compare) -> Groups:
    """Compare the systems within every group, by the first test, and test whether groups differ.

    Every group is compared as if it were alone, with the same seed, by ``compare``.
    """
    by = str(options.by)
    first = options.test if isinstance(options.test, str) else options.test[0]
    changes = {"by": None, "adjust": "none", "changed_segments": 0, "development": None, "progress": None}
    changes |= {"systems": None, "documents": None, "domains": None, "training_samples": None, "test": first}
    changes |= {"standard_errors": False, "unit": unit_within(by, options.unit)}
    parts, found = [], []
    for name, rows in group_rows(corpus, by).items():
        own = options.changed(references=corpus.of_segments(rows), **changes)
        experiment = Experiment.of(own.references, own, check_dependence=False)
        parts.append(_Part(name, experiment))
        found.append(compare(own.references, own, experiment) if parts[-1].tested else None)
    gains: list[list[GainInGroup]] = []
    keys = list(itertools.product(range(len(parts[0].experiment.statistics.blocks)), pairs))
    for m, pair in keys:
        block = parts[0].experiment.statistics.blocks[m]
        names = [corpus.systems[s].name for s in (pair.baseline, pair.system)]
        mine = [_gain(part, m, pair, block.key, names, one) for part, one in zip(parts, found, strict=True)]
        gains.append(_adjusted(mine, options, directed=block.metric.higher_is_better is not None))
    tests = _heterogeneity(parts, keys, gains, options)
    return Groups(by, tuple(itertools.chain.from_iterable(gains)), tuple(tests))


def _gain(part: _Part, m: int, pair: Pair, key: str, names: Sequence[str], result: CompareResult | None) -> GainInGroup:
    scores = part.experiment.scores[m]
    metric = part.experiment.statistics.blocks[m].metric
    delta = float(gain(metric, scores[pair.baseline], scores[pair.system]))
    comparison = None
    if result is not None:  # what a page draws of single comparisons is not kept of groups
        comparison = replace(result.pair(key, *names), under_null=None, effect=None, overlap=None)
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


@dataclass(frozen=True)
class _Sums:
    """Keep the sums of each resample as they are."""

    def __call__(self, totals: Floats) -> Floats:
        return totals


def _drawn(experiment: Experiment, columns: Sequence[Floats], seed: int, resamples: int) -> list[Floats]:
    """Return the sums of columns over the units of the same bootstrap resamples, shape (columns, resamples) each."""
    units = Units.segments(len(columns[0]))
    table = UnitTable.build(np.concatenate(columns, axis=1), units)
    work = Resampling(Design(units, "bootstrap", seed), table, _Sums())
    return np.split(np.asarray(experiment.engine.resample(work, resamples, None)), len(columns))


def _heterogeneity(
    parts: Sequence[_Part],
    keys: Sequence[tuple[int, Pair]],
    gains: Sequence[Sequence[GainInGroup]],
    options: CompareOptions,
) -> list[Heterogeneity]:
    """Test each metric and pair of ``keys`` whose gain varies in two groups or more; they share their resamples."""
    found: dict[int, Heterogeneity] = {}
    alike: dict[tuple[int, ...], list[int]] = {}
    values = [_contributions(parts, m, pair) for m, pair in keys]
    for place, own in enumerate(values):
        if len(own) > 1:
            alike.setdefault(tuple(own), []).append(place)
    resamples = 10_000 if options.resamples == "auto" else options.resamples
    for kept, places in alike.items():
        tested = [parts[g] for g in kept]
        for first in range(0, len(places), _AT_ONCE):
            some = places[first : first + _AT_ONCE]
            joined = [np.stack([values[place][g] for place in some], axis=1) for g in kept]
            deltas = np.array([[gains[place][g].delta for place in some] for g in kept])
            for place, (q, p_value) in zip(some, _tested(tested, deltas, joined, options.seed, resamples), strict=True):
                one = gains[place][0]
                names = tuple(part.name for part in tested)
                found[place] = Heterogeneity(one.metric, one.baseline, one.system, names, q, p_value)
    return [found[place] for place in sorted(found)]


def _contributions(parts: Sequence[_Part], m: int, pair: Pair) -> dict[int, Floats]:
    """Return what units contribute to the gain in each group that is large enough and in which it varies."""
    found = {}
    for g, part in enumerate(parts):
        own, metric = part.experiment.contributions[m], part.experiment.statistics.blocks[m].metric
        values = gain(metric, own[pair.baseline], own[pair.system])
        if part.tested and np.isfinite(values).all() and np.ptp(values) > 0.0:
            found[g] = values
    return found


def _tested(
    parts: Sequence[_Part], deltas: Floats, contributions: Sequence[Floats], seed: int, resamples: int
) -> list[tuple[float, PValue]]:
    """Return Q and its p-value of each gain, from deltas (groups, gains) and contributions (units, gains) by group."""
    engine, count = parts[0].experiment, deltas.shape[1]
    seeds = resample_keys(seed, _SEEDS, 0, len(parts)).tolist()
    shared = [_shared(parts, [own[:, k] for own in contributions]) for k in range(count)]
    columns = [joint_columns(one) for one in shared if one is not None]
    if columns:
        drawn = _drawn(engine, columns, seeds[0], resamples)
        return [together(deltas[:, k], columns[k], drawn[k]) for k in range(count)]
    by_group = [[own_columns(own[:, k]) for k in range(count)] for own in contributions]
    sums = [_drawn(engine, own, one, resamples) for own, one in zip(by_group, seeds, strict=True)]
    bootstrap = [apart(deltas[:, k], [own[k] for own in by_group], [own[k] for own in sums]) for k in range(count)]
    permuted = exchanged(deltas, contributions, seed, resamples)
    return [(q, max(p, other, key=lambda one: one.p)) for (q, p), other in zip(bootstrap, permuted, strict=True)]


def _shared(parts: Sequence[_Part], contributions: Sequence[Floats]) -> Floats | None:
    """Return what each document contributes to each group's gain, if documents cut across groups; else None."""
    if any(part.units.kind != "document" or part.units.names is None for part in parts):
        return None
    places: dict[str, int] = {}
    for part in parts:
        for name in part.units.names or ():
            places.setdefault(name, len(places))
    if len(places) == sum(part.units.count for part in parts):
        return None
    found = np.zeros((len(places), len(parts)))
    for g, (part, own) in enumerate(zip(parts, contributions, strict=True)):
        found[[places[name] for name in part.units.names or ()], g] = own
    return found
