"""Merge of the sums of all shards: scores, gains and p-values without a segment at hand."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from truegain.errors import InputError, Setting, one_of
from truegain.experiment import check_defined, check_options, clip_difference, gain, limits_of
from truegain.inference.claims import Claim, held_runs
from truegain.inference.intervals import bootstrap_interval, of_bootstrap
from truegain.inference.inversion import Swapped, drawn_reach, inverted, swapped_reach
from truegain.inference.multiplicity import adjust
from truegain.inference.pvalues import (
    PValue,
    bootstrap_test,
    few_differing_notes,
    magnitude_of,
    randomization_test,
    tolerance,
)
from truegain.inference.results import Comparison, TestSet
from truegain.inputs import FileRole, InputFile, Inputs
from truegain.notes import Note
from truegain.settings.function import takes
from truegain.settings.merge import MergeOptions
from truegain.statistics import Block, mean_of_runs
from truegain.streaming.sums import Sums
from truegain.streaming.sums_file import add_up, read_sums
from truegain.studies.compare.caveats import interval_notes
from truegain.studies.compare.decision import judged
from truegain.studies.compare.result import CompareResult
from truegain.studies.merge.held import Held, standard_error
from truegain.studies.merge.notes import merge_notes, with_disagreements
from truegain.studies.null_gain import null_words
from truegain.studies.score.result import ScoreResult
from truegain.version import __version__

_TESTS = ("ar", "poisson-bootstrap")

#: A file that ``truegain stats`` wrote, or sums that were not written.
Shard = str | os.PathLike[str] | Sums


def merged_sums(shards: Shard | Iterable[Shard]) -> Sums:
    """Add the sums of shards, in any order; one shard at a time is held.

    Raises
    ------
    InputError
        If they do not fit together, or a file is damaged.
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
def merge(options: MergeOptions) -> CompareResult | ScoreResult:
    """Add up the sums of shards, in any order, and test each system against the baseline.

    The result is that of :func:`truegain.compare`, by approximate randomization and by the Poisson bootstrap; of one
    system, that of :func:`truegain.score`.
    """
    alpha, interval, adjustment = options.alpha, options.interval, options.adjust
    check_options(options)
    held = Held.of(merged_sums(options.shards), options.metrics)
    sums, described = held.sums, held.sums.description
    baseline = options.baseline
    if baseline is not None and baseline not in described.systems:
        raise one_of("the baseline", baseline, list(described.systems))
    unit, resamples, seed = described.unit, described.resamples, described.seed
    testset = TestSet(
        name=sums.name,
        segments=sums.segments,
        references=described.references,
        documents=sums.units if unit == "document" else None,
        domains=None,
        fingerprint=f"{sums.fingerprint:016x}",
        inputs=_inputs(sums),
    )
    drawn = f"R:{resamples}|seed:{seed}|version:{__version__}"
    if len(described.systems) == 1:
        return ScoreResult(
            testset=testset,
            metrics=held.infos(),
            scores=held.scores(alpha, of_bootstrap(interval)),
            alpha=alpha,
            unit=unit,
            n_units=sums.units,
            resamples=resamples,
            seed=seed,
            signature=f"merge|ci:{of_bootstrap(interval)}|unit:{unit}|{drawn}",
            notes=tuple(merge_notes(held, alpha)),
            weights="poisson",
            standard_errors=options.standard_errors,
        )
    first = described.systems.index(baseline) if baseline is not None else 0
    others = [s for s in range(len(described.systems)) if s != first]
    unpaired = [described.systems[s] for s in others if held.runs[s] != held.runs[first]]
    tests = _tests(options.test, described.systems[first], unpaired)
    comparisons: list[Comparison] = []
    deciding: list[Comparison] = []
    for m in range(len(held.blocks)):
        found = [_compared(held, m, first, s, options) for s in others]
        primary, other = (_decided([one[test] for one in found if test in one], held, m, options) for test in tests)
        comparisons += with_disagreements(primary, other, alpha)
        deciding += primary
    return CompareResult(
        testset=testset,
        metrics=held.infos(),
        scores=held.scores(alpha, of_bootstrap(interval)),
        comparisons=tuple(comparisons),
        baseline=described.systems[first],
        alpha=alpha,
        unit=unit,
        n_units=sums.units,
        resamples=resamples,
        signature=(
            f"merge|test:{'+'.join(dict.fromkeys(one.test for one in comparisons))}|unit:{unit}|alternative:two-sided"
            f"|alpha:{alpha:g}|family:baseline|adjust:{adjustment}|ci:{interval}|{drawn}"
        ),
        notes=(
            *interval_notes(deciding, f"{sums.units:,} {unit}s", weights="poisson"),
            *merge_notes(held, alpha, others=len(others), unpaired=unpaired, adjustment=adjustment),
        ),
        weights="poisson",
        standard_errors=options.standard_errors,
    )


def _tests(asked: str, baseline: str, unpaired: list[str]) -> list[str]:
    """Return both tests, the one that decides first."""
    if asked == "ar" and unpaired:
        raise InputError(
            f"approximate randomization needs equal numbers of runs; those of {unpaired[0]!r} and {baseline!r} differ",
            hint=("use ", Setting("test", "poisson-bootstrap")),
        )
    chosen = ("poisson-bootstrap" if unpaired else "ar") if asked == "auto" else asked
    return sorted(_TESTS, key=lambda test: test != chosen)


def _inputs(sums: Sums) -> Inputs:
    """Return what the sums know of the files that they were made of: those of the first shard, with all rows."""
    described = sums.description
    role: FileRole = "outputs" if described.references else "scores"
    systems = [name for name, count in zip(described.systems, described.runs, strict=True) for _ in range(count)]
    files = [InputFile(run, role, sums.segments, system) for system, run in zip(systems, sums.run_names, strict=True)]
    return Inputs(tuple(files), documents="the shards" if described.unit == "document" else None)


def _compared(held: Held, m: int, baseline: int, system: int, options: MergeOptions) -> dict[str, Comparison]:
    """Compare a system with the baseline by each test that they allow, before anything is adjusted or decided."""
    block, described = held.blocks[m], held.sums.description
    old, new = held.observed[m, [baseline, system]]
    delta = float(gain(block.metric, old, new))
    magnitude = magnitude_of(delta, float(held.rounding[m, [baseline, system]].max()))
    gains = gain(block.metric, held.resampled[m, baseline], held.resampled[m, system])
    level = 1.0 - options.alpha
    factor = held.factor(level)
    found = {"poisson-bootstrap": bootstrap_test(delta, gains, magnitude=magnitude, factor=factor)}
    drawn = bootstrap_interval(delta, gains, level=level, method=of_bootstrap(options.interval), factor=factor)
    slack = tolerance(magnitude)
    reach = {"poisson-bootstrap": drawn_reach(delta, factor * (gains - delta), slack=slack)}
    swapped = _swapped(held, block, baseline, system)
    if swapped is not None:
        check_defined(swapped.differences[None], block)
        found["ar"] = randomization_test(delta, swapped.differences, magnitude=magnitude)
        if swapped.shares is not None:
            reach["ar"] = swapped_reach(delta, swapped.differences, swapped.shares, slack=slack)
    runs = held_runs(several=max(held.runs[baseline], held.runs[system]) > 1, known=max(held.runs) > 1)
    claim = Claim(runs, "document" if described.unit == "document" else "segment")

    def compared(test: str, p_value: PValue) -> Comparison:
        names = described.systems[baseline], described.systems[system]
        own = inverted(reach[test], options.alpha) if options.interval == "test" and test in reach else drawn
        return Comparison(
            metric=block.key,
            baseline=names[0],
            system=names[1],
            delta=delta,
            interval=clip_difference(own, limits_of(block.metric)),
            p_value=p_value,
            p_adjusted=p_value.p,
            adjust=options.adjust,
            test=test,
            asked=test,
            unit=described.unit,
            n_units=held.sums.units,
            seed=described.seed,
            alternative="two-sided",
            null=null_words(test, baseline=names[0], system=names[1], unit=described.unit, alternative="two-sided"),
            claim=claim,
            significant=False,
            better=None,
            notes=_differing_notes(held, m, baseline, system, options.alpha) if test == "ar" else (),
            standard_error=standard_error(gains),
        )

    return {test: compared(test, p_value) for test, p_value in found.items()}


def _differing_notes(held: Held, m: int, baseline: int, system: int, alpha: float) -> tuple[Note, ...]:
    """Say so if the two differ on few segments, or on none."""
    a, b = sorted((baseline, system))
    return few_differing_notes(int(held.sums.differing[m, a, b]), held.sums.segments, "segment", "two-sided", alpha)


def _swapped(held: Held, block: Block, baseline: int, system: int) -> Swapped | None:
    """Return gains after random swaps, and the shares swapped of what the metric divides by, which the sums hold.

    None if runs cannot be paired.
    """
    if held.runs[baseline] != held.runs[system]:
        return None
    old, new = block.system_columns(baseline), block.system_columns(system)
    shift = held.swaps[new] - held.swaps[old]
    before = mean_of_runs(block.run_scores(held.totals[old, None] + shift))
    after = mean_of_runs(block.run_scores(held.totals[new, None] - shift))
    shares = None
    if (denominator := getattr(block.metric, "denominator", None)) is not None:
        runs = np.concatenate([np.arange(one.start, one.stop, block.width) for one in (old, new)])
        columns = np.add.outer(runs, np.array(denominator)).ravel()
        total = held.totals[columns].sum()
        shares = held.swaps[columns].sum(0) / total if total > 0.0 else None
        if shares is not None and not ((shares >= 0.0) & (shares <= 1.0)).all():
            shares = None
    return Swapped(gain(block.metric, before, after), shares)


def _decided(family: list[Comparison], held: Held, m: int, options: MergeOptions) -> list[Comparison]:
    """Adjust the comparisons by one test under a metric for their number, and decide."""
    if not family:
        return []
    adjusted = adjust([one.p for one in family], options.adjust)
    directed = held.blocks[m].metric.higher_is_better is not None
    more = "make the shards with more resamples to decide"
    return [
        judged(replace(one, p_adjusted=p), options.alpha, directed=directed, more=more)
        for one, p in zip(family, adjusted, strict=True)
    ]
