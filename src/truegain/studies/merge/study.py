"""What do the sums of all shards say? Scores, gains and p-values without a segment at hand."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting, one_of
from truegain.experiment import check_defined, check_options, clip_difference, gain, limits_of
from truegain.inference.claims import Claim
from truegain.inference.intervals import Interval, IntervalMethod, bootstrap_interval
from truegain.inference.multiplicity import adjust
from truegain.inference.pvalues import PValue, bootstrap_test, magnitude_of, randomization_test
from truegain.inference.results import TestSet
from truegain.inputs import FileRole, InputFile, Inputs
from truegain.settings.function import takes
from truegain.settings.merge import MergeOptions
from truegain.statistics import Block, mean_of_runs
from truegain.streaming.sums import Sums
from truegain.streaming.sums_file import add_up, read_sums
from truegain.studies.merge.held import Held
from truegain.studies.merge.notes import merge_notes
from truegain.studies.merge.parts import MergedPair
from truegain.studies.merge.result import MergeResult
from truegain.version import __version__

__all__ = ["Shard", "merge", "merged_sums"]

#: A file that ``truegain stats`` wrote, or sums that were not written.
Shard = str | os.PathLike[str] | Sums


def merged_sums(shards: Shard | Iterable[Shard]) -> Sums:
    """Add the sums of shards, in any order; one shard at a time is held.

    Raises
    ------
    InputError
        Where they do not fit together, or a file is damaged.
    """

    def read() -> Iterator[tuple[str, Sums]]:
        given = [shards] if isinstance(shards, str | os.PathLike | Sums) else shards
        for number, shard in enumerate(given, 1):
            yield (
                (f"shard {number}", shard)
                if isinstance(shard, Sums)
                else (os.fspath(shard), read_sums(os.fspath(shard)))
            )

    return add_up(read())


@takes(MergeOptions)
def merge(options: MergeOptions) -> MergeResult:
    """Add up the sums of shards, in any order, and test each system against the baseline."""
    alpha, interval, adjustment = options.alpha, options.interval, options.adjustment
    baseline, test = options.baseline, options.test
    check_options(options)
    held = Held.of(merged_sums(options.shards), options.metrics)
    described = held.sums.description
    if baseline is not None and baseline not in described.systems:
        raise one_of("the baseline", baseline, list(described.systems))
    first = described.systems.index(baseline) if baseline is not None else 0
    others = [s for s in range(len(described.systems)) if s != first]
    unpaired = [described.systems[s] for s in others if held.runs[s] != held.runs[first]]
    if test == "ar" and unpaired:
        raise InputError(
            f"approximate randomization swaps runs in pairs, and {unpaired[0]!r} has not as many as "
            f"{described.systems[first]!r}",
            hint=("use ", Setting("test", "poisson-bootstrap")),
        )
    chosen = ("poisson-bootstrap" if unpaired else "ar") if test == "auto" else test
    pairs: list[MergedPair] = []
    for m in range(len(held.blocks)):
        pairs += _adjusted([_pair(held, m, first, s, alpha, interval) for s in others], chosen, adjustment, alpha)
    unit, sums = described.unit, held.sums
    return MergeResult(
        testset=TestSet(
            name=sums.name,
            segments=sums.segments,
            references=described.references,
            documents=sums.units if unit == "document" else None,
            domains=None,
            fingerprint=f"{sums.fingerprint:016x}",
            inputs=_inputs(sums),
        ),
        metrics=held.infos(),
        scores=held.scores(alpha, interval),
        pairs=tuple(pairs),
        baseline=described.systems[first] if others else None,
        test=chosen,
        adjustment=adjustment,
        claim=Claim(
            "these runs" if max(held.runs) > 1 else "this run", "document" if unit == "document" else "segment"
        ),
        alpha=alpha,
        unit=unit,
        n_units=sums.units,
        resamples=described.resamples,
        seed=described.seed,
        signature=(
            f"merge{f'|test:{chosen}' if others else ''}|unit:{unit}|alpha:{alpha:g}"
            f"{f'|adjust:{adjustment}' if others else ''}|ci:{interval}|R:{described.resamples}"
            f"|seed:{described.seed}|version:{__version__}"
        ),
        notes=tuple(merge_notes(held, pairs, unpaired, chosen, adjustment, alpha)),
    )


def _inputs(sums: Sums) -> Inputs:
    """Return what the sums know of the files that they were made of: those of the first shard, with all rows."""
    described = sums.description
    role: FileRole = "outputs" if described.references else "scores"
    systems = [name for name, count in zip(described.systems, described.runs, strict=True) for _ in range(count)]
    files = [InputFile(run, role, sums.segments, system) for system, run in zip(systems, sums.run_names, strict=True)]
    return Inputs(tuple(files), documents="the shards" if described.unit == "document" else None)


def _pair(held: Held, m: int, baseline: int, system: int, alpha: float, method: IntervalMethod) -> MergedPair:
    """A system and the baseline, before anything is adjusted or decided."""
    block = held.blocks[m]
    names = held.sums.description.systems
    old, new = held.observed[m, [baseline, system]]
    delta = float(gain(block.metric, old, new))
    magnitude = magnitude_of(delta, float(held.rounding[m, [baseline, system]].max()))
    gains = gain(block.metric, held.resampled[m, baseline], held.resampled[m, system])
    bootstrap = bootstrap_test(delta, gains, magnitude=magnitude, factor=held.factor(0.95))
    interval: Interval = bootstrap_interval(
        delta, gains, level=1.0 - alpha, method=method, factor=held.factor(1.0 - alpha)
    )
    swapped = _swapped(held, block, baseline, system)
    ar: PValue | None = None
    if swapped is not None:
        check_defined(swapped[None], block)
        ar = randomization_test(delta, swapped, magnitude=magnitude)
    given = held.sums.description.runs  # with copies, of which the sums count differences as well
    pairable = [held.runs[one] == given[one] for one in (baseline, system)] == [True, True] and (
        given[baseline] == given[system]
    )
    a, b = sorted((baseline, system))
    return MergedPair(
        metric=block.key,
        baseline=names[baseline],
        system=names[system],
        delta=delta,
        interval=clip_difference(interval, limits_of(block.metric)),
        p_ar=None if ar is None else ar.p,
        p_ar_adjusted=None,
        exceedances_ar=None if ar is None else ar.exceedances,
        p_bootstrap=bootstrap.p,
        p_bootstrap_adjusted=1.0,
        exceedances_bootstrap=bootstrap.exceedances,
        significant=False,
        better=None if block.metric.higher_is_better is None else delta > 0.0,
        differing=int(held.sums.differing[m, a, b]) if pairable else None,
    )


def _swapped(held: Held, block: Block, baseline: int, system: int) -> NDArray[np.float64] | None:
    """Gains after random swaps; None where runs cannot be paired."""
    if held.runs[baseline] != held.runs[system]:
        return None
    old, new = block.system_columns(baseline), block.system_columns(system)
    shift = held.swaps[new] - held.swaps[old]
    before = mean_of_runs(block.run_scores(held.totals[old, None] + shift))
    after = mean_of_runs(block.run_scores(held.totals[new, None] - shift))
    return gain(block.metric, before, after)


def _adjusted(family: list[MergedPair], test: str, adjustment: str, alpha: float) -> list[MergedPair]:
    """The comparisons under a metric, adjusted for their number and decided."""
    if not family:
        return []
    bootstrap = adjust([one.p_bootstrap for one in family], adjustment)
    swapped = [one.p_ar for one in family if one.p_ar is not None]
    ar = iter(adjust(swapped, adjustment) if swapped else [])
    found = []
    for one, p in zip(family, bootstrap, strict=True):
        made = replace(one, p_bootstrap_adjusted=p, p_ar_adjusted=None if one.p_ar is None else next(ar))
        deciding = made.p_adjusted(test)
        significant = deciding is not None and deciding <= alpha and made.delta != 0.0
        found.append(replace(made, significant=significant, better=made.better if significant else None))
    return found
