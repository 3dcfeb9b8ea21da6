"""Tests that swap the systems' outputs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import exchangeable
from truegain.engines.engine import Resampling
from truegain.errors import InputError, Setting
from truegain.experiment import Experiment, check_defined, gain
from truegain.inference.claims import Claim
from truegain.inference.exact import ENUMERATED
from truegain.inference.intervals import Interval
from truegain.inference.inversion import Inversion, Swapped, swapped_reach
from truegain.inference.pvalues import PValue, exceeds, few_differing_notes, randomization_test, tolerance
from truegain.inference.results import Caveat
from truegain.notes import Note
from truegain.procedures.all_swaps import AllSwaps, with_p
from truegain.procedures.base import (
    Key,
    Pair,
    TestOutcome,
    Trial,
    check_null_gain,
    check_two_sided,
    count_until_sure,
    inversion_of,
    tie_caveats,
)
from truegain.procedures.skewness import skewness_caveats
from truegain.resampling.design import Design
from truegain.resampling.units import UnitTable
from truegain.statistics import Block, mean_of_runs


@dataclass(frozen=True)
class Randomization:
    """Approximate randomization.

    If there are no more swaps than resamples, all are counted instead, unless all pairs share the resamples.

    Attributes
    ----------
    literal : bool
        As published: segments are swapped, the test is two-sided, and swaps are always drawn.
    strict : bool
        Whether only larger differences count, not equal ones.
    """

    name: str
    literal: bool = True
    strict: bool = False

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        check_null_gain(self.name, trial.null_gain)
        if self.literal:
            check_two_sided(self.name, trial.alternative)
            trial = replace(trial, experiment=trial.experiment.on_segments)
        experiment = trial.experiment
        check_swappable(experiment, trial.pairs)
        nulls: Mapping[Key, NDArray[np.float64]] = {}
        kept = {key: inversion_of(trial) for key in trial.keys}
        if trial.stopping is None or self.literal:
            weighed = trial.inverted and not self.literal
            drawn = swapped(experiment, trial.pairs, trial.resamples, weighed=weighed, metrics=trial.metrics)
            nulls = {key: one.differences for key, one in drawn.items()}
            p_values = {key: self._p_value(trial, key, nulls[key]) for key in trial.keys}
            _take_in(trial, kept, drawn)
        else:
            p_values = count_until_sure(trial, trial.stopping, lambda *part: _exceedances(trial, kept, *part))
        return {
            key: self._finding(trial, key, p_value, nulls.get(key), kept[key].interval())
            for key, p_value in p_values.items()
        }

    def _p_value(self, trial: Trial, key: Key, null: NDArray[np.float64]) -> PValue:
        delta = trial.delta(key)
        if self.strict:
            from truegain.inference.published import strict_randomization

            return strict_randomization(delta, null, tolerance(trial.magnitude(key)))
        return randomization_test(delta, null, alternative=trial.alternative, magnitude=trial.magnitude(key))

    def _finding(
        self, trial: Trial, key: Key, p_value: PValue, null: NDArray[np.float64] | None, interval: Interval | None
    ) -> TestOutcome:
        units = trial.experiment.units
        differing = _differing(trial.experiment, *key)
        notes = few_differing_notes(differing, units.count, trial.experiment.unit_noun, trial.alternative, trial.alpha)
        drawn = self.literal or trial.joint or bool(trial.experiment.averaged)
        if not drawn and 0 < differing <= min(1 + math.log2(trial.resamples), ENUMERATED):  # reverses are as far out
            p_value, interval, note = _counted(trial, key, differing, interval)
            notes = (*notes, note)
        return TestOutcome(
            test=self.name,
            p_value=p_value,
            unit=units.noun,
            n_units=units.count,
            alternative=trial.alternative,
            claim=Claim(trial.held_runs(key[1]), units.noun),
            direction=trial.delta(key),
            notes=notes,
            caveats=self._caveats(trial, key, p_value, null),
            interval=interval,
            distribution=null,
        )

    def _caveats(self, trial: Trial, key: Key, p_value: PValue, null: NDArray[np.float64] | None) -> tuple[Caveat, ...]:
        if not self.literal:
            return skewness_caveats(trial, key)
        if not self.strict or null is None:
            return ()
        with_ties = randomization_test(trial.delta(key), null, magnitude=trial.magnitude(key))
        return tie_caveats(p_value.p, with_ties.p, trial.alpha)


AR = Randomization("ar", literal=False)
RIEZLER = Randomization("riezler2005-ar")
SACREBLEU = Randomization("sacrebleu-ar", strict=True)


def _counted(trial: Trial, key: Key, differing: int, interval: Interval | None) -> tuple[PValue, Interval | None, Note]:
    """Return p of all swaps and its interval, with the ends that were drawn if those cannot be counted."""
    swaps = AllSwaps.of(trial, key)
    p_value = swaps.p_value()
    assert p_value is not None  # swaps of so few units are enumerated
    text = f"all {2**differing:,} swaps of the {trial.experiment.unit_noun}s that differ were counted, so p is exact"
    if interval is not None:
        ends = swaps.interval()
        text += "" if ends else "; the ends of the interval are from random swaps"
        interval = ends or with_p(interval, p_value.p, trial.delta(key), trial.alpha)
    return p_value, interval, Note("all-swaps", text, summary="all swaps were counted, so p is exact")


def _exceedances(trial: Trial, kept: Mapping[Key, Inversion], first: int, count: int) -> dict[Key, NDArray[np.bool_]]:
    drawn = swapped(trial.experiment, trial.pairs, count, first=first, weighed=trial.inverted, metrics=trial.metrics)
    _take_in(trial, kept, drawn)
    return {
        key: exceeds(one.differences, trial.delta(key), alternative=trial.alternative, magnitude=trial.magnitude(key))
        for key, one in drawn.items()
    }


def _take_in(trial: Trial, kept: Mapping[Key, Inversion], drawn: Mapping[Key, Swapped]) -> None:
    """Add what swaps say of the gains that the test keeps, if units have weights."""
    for key, one in drawn.items():
        if one.shares is not None:
            slack = tolerance(trial.magnitude(key))
            kept[key].add(
                swapped_reach(trial.delta(key), one.differences, one.shares, alternative=trial.alternative, slack=slack)
            )


def check_swappable(experiment: Experiment, pairs: Sequence[Pair]) -> None:
    """Refuse pairs whose outputs cannot be swapped unit by unit, and run by run."""
    if experiment.units.kind == "block":
        raise InputError(
            "blocks of random length cannot be swapped: randomization needs segments or documents",
            hint=("use ", Setting("test", "bootstrap"), " or stationary-bootstrap, or another ", Setting("unit")),
        )
    systems = experiment.corpus.systems
    for pair in pairs:
        old, new = systems[pair.baseline], systems[pair.system]
        if len(old.runs) != len(new.runs):
            raise InputError(
                f"approximate randomization swaps runs in pairs, and {new.name!r} has {len(new.runs)} where "
                f"{old.name!r} has {len(old.runs)}",
                hint=("use ", Setting("test", "bootstrap"), ", or give both the same number of runs"),
            )
        if not exchangeable(old, new):
            raise InputError(
                "approximate randomization swaps runs in pairs, and the training samples of "
                f"{new.name!r} and {old.name!r} have other numbers of runs",
                hint=("use ", Setting("test", "bootstrap"), ", or give as many runs per training sample of both"),
            )


def differing_notes(experiment: Experiment, m: int, pair: Pair, alternative: str, alpha: float) -> tuple[Note, ...]:
    """Say that so few units differ that no swap can make the p-value small, if it is so."""
    units = experiment.units
    return few_differing_notes(_differing(experiment, m, pair), units.count, experiment.unit_noun, alternative, alpha)


def _differing(experiment: Experiment, m: int, pair: Pair) -> int:
    """Return the number of units on which two systems have other statistics."""
    block = experiment.statistics.blocks[m]
    values = experiment.statistics.values
    old, new = (values[:, block.system_columns(s)] for s in (pair.baseline, pair.system))
    return int(experiment.units.sums(new - old).any(1).sum())


def swapped_differences(
    experiment: Experiment, pairs: Sequence[Pair], resamples: int
) -> dict[Key, NDArray[np.float64]]:
    """Return gains after random swaps, see :func:`swapped`."""
    found = swapped(experiment, pairs, resamples, weighed=False)
    return {key: one.differences for key, one in found.items()}


def swapped(
    experiment: Experiment,
    pairs: Sequence[Pair],
    resamples: int,
    *,
    first: int = 0,
    weighed: bool = True,
    metrics: Sequence[int] = (),
) -> dict[Key, Swapped]:
    """Return gains after random swaps: one swap of a unit for all runs, pairs and metrics.

    Swapping the units of a set U adds Σ_U (x_B − x_A) to the totals of A and takes it from those of B. Differences are
    summed; or the columns, if there are more differences than columns (all pairs of many systems), or one is of
    two scales. Of one scale, the difference of two sums is the sum of the differences, to the last bit. The weights of
    the units are summed as well, if ``weighed``.
    """
    if not pairs:
        return {}
    if experiment.averaged:  # of the gains on each test set, swapped for itself
        parts = [
            swapped(member, pairs, resamples, first=first, weighed=weighed, metrics=metrics)
            for member in experiment.averaged
        ]
        return {key: _mean([part[key] for part in parts]) for key in parts[0]}
    table = experiment.table
    totals = table.totals
    jobs: list[tuple[Key, Block, NDArray[np.intp], NDArray[np.intp]]] = []
    for m in metrics or range(len(experiment.statistics.blocks)):
        block = experiment.statistics.blocks[m]
        for pair in pairs:
            sides = (np.r_[block.system_columns(s)] for s in (pair.baseline, pair.system))
            jobs.append(((m, pair), block, *sides))
    old_columns, new_columns = (np.concatenate([job[side] for job in jobs]) for side in (2, 3))
    needed, places = np.unique(np.concatenate([old_columns, new_columns]), return_inverse=True)
    by_column = needed.size < old_columns.size or not np.array_equal(table.scale[old_columns], table.scale[new_columns])
    summed = (
        UnitTable(table.values[:, needed], table.scale[needed])
        if by_column
        else table.differences(new_columns, old_columns)
    )
    weights = _Weights.of(experiment, [key for key, *_ in jobs] if weighed else [])
    reduce = partial(
        _swapped_gains,
        tuple(
            (block, totals[old], totals[new], block.samples_of(pair.baseline)) for (_, pair), block, old, new in jobs
        ),
        (places[: old_columns.size], places[old_columns.size :]) if by_column else None,
        weights.table.scale.size,
    )
    design = Design(experiment.units, "swap", experiment.seed)
    work = Resampling(design, summed.beside(weights.table), reduce)
    values = experiment.engine.resample(work, resamples, experiment.reporter("randomization", resamples), first=first)
    found = {}
    for (key, block, _, _), one in zip(jobs, values, strict=False):
        check_defined(one, block)
        found[key] = Swapped(one, weights.shares(key, values[len(jobs) :]))
    return found


def _mean(parts: Sequence[Swapped]) -> Swapped:
    """Average over test sets."""
    shares = [one.shares for one in parts if one.shares is not None]
    return Swapped(
        mean_of_runs(np.stack([one.differences for one in parts])),
        mean_of_runs(np.stack(shares)) if len(shares) == len(parts) else None,
    )


@dataclass(frozen=True)
class _Weights:
    """Weights of the units, by which gains are shared out: as many columns as differ.

    Attributes
    ----------
    table : UnitTable
    place : mapping of Key to int
        The column of each pair and metric; none if the weights do not share out anything: all are 0, or one is below.
    """

    table: UnitTable
    place: Mapping[Key, int]

    @classmethod
    def of(cls, experiment: Experiment, keys: Sequence[Key]) -> _Weights:
        known: dict[bytes, int] = {}
        columns: list[NDArray[np.float64]] = []
        place: dict[Key, int] = {}
        for key in keys:
            weights = experiment.weights(key[0], key[1].baseline, key[1].system)
            if weights.min() < 0.0 or not weights.any():
                continue
            place[key] = known.setdefault(weights.tobytes(), len(columns))
            if place[key] == len(columns):
                columns.append(weights)
        values = np.stack(columns, axis=1) if columns else np.empty((experiment.corpus.segments, 0))
        return cls(UnitTable.build(values, experiment.units), place)

    def shares(self, key: Key, sums: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Return the share of the weight in each sum: whole numbers are divided, so that all of it is exactly 1."""
        place = self.place.get(key)
        return None if place is None else sums[place] / self.table.totals[place]


#: A pair under a metric: the totals of both sides before the swap, and the training sample of each run of either.
_Sides = tuple[Block, NDArray[np.float64], NDArray[np.float64], tuple[int, ...]]


def _swapped_gains(
    pairs: Sequence[_Sides],
    places: tuple[NDArray[np.intp], NDArray[np.intp]] | None,
    weights: int,
    sums: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the gains after a swap, pair by pair, from sums over the units that are swapped.

    Parameters
    ----------
    pairs : sequence of (Block, array, array, tuple of int)
    places : pair of arrays, optional
        Where the sums of either side stand, column by column; by default there are sums of differences alone.
    weights : int
        The number of sums of weights, which come last and are kept as they are.
    sums : array (columns, resamples)
    """
    rows = []
    start = 0
    for block, old, new, samples in pairs:
        part = slice(start, start + old.size)
        start = part.stop
        if places is None:
            shift = sums[part]
        else:
            shift = sums[places[1][part]] - sums[places[0][part]]
        before = mean_of_runs(block.run_scores(old[:, None] + shift), samples)
        after = mean_of_runs(block.run_scores(new[:, None] - shift), samples)
        rows.append(gain(block.metric, before, after))
    return np.stack([*rows, *sums[len(sums) - weights :]])
