"""Is a system better than the baseline?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache
from truegain.corpus import Corpus
from truegain.engines.base import Engine
from truegain.errors import InputError, one_of
from truegain.experiment import Experiment, Progress, UnitChoice, check_defined, check_options
from truegain.inference.intervals import IntervalMethod, bootstrap_interval
from truegain.inference.multiplicity import ADJUSTMENTS, adjust
from truegain.inference.pvalues import Alternative, bootstrap_test, randomization_test
from truegain.inference.results import Comparison
from truegain.inference.variance import design_effect
from truegain.metrics.base import Metric
from truegain.registry import TESTS
from truegain.resampling.design import Design
from truegain.resampling.units import Units
from truegain.statistics import Block, mean_of_runs
from truegain.studies.compared import CompareResult
from truegain.version import __version__

__all__ = ["TestChoice", "compare"]

TestChoice = Literal["auto", "ar", "bootstrap"]

_NULLS = {
    "ar": "the outputs of {system} and {baseline} are exchangeable, {unit} by {unit}",
    "bootstrap": "the difference between {system} and {baseline} over all {unit}s like these is zero",
}


def compare(
    corpus: Corpus,
    *,
    metrics: Sequence[str | Metric] | Mapping[str, Metric] = ("bleu",),
    baseline: str | None = None,
    test: TestChoice | Sequence[TestChoice] = "auto",
    unit: UnitChoice = "auto",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 12345,
    interval: IntervalMethod = "percentile",
    adjustment: str = "holm",
    jobs: int = 1,
    cache: Cache | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> CompareResult:
    """Compare every system with the baseline, under every metric.

    P-values come from approximate randomization or from the paired bootstrap, intervals from the paired bootstrap, both
    over documents where they are known, else over segments. With several runs of a system its score is the mean over
    runs; the runs are held fixed, so the claim is about these runs on new segments.

    Parameters
    ----------
    corpus : Corpus
    metrics : sequence of str or Metric
    baseline : str, optional
        The system to compare with; by default the first.
    test : "auto", "ar" or "bootstrap"
        ``auto`` is ``ar``, or the bootstrap where two systems differ in their number of runs. Of several, the verdict
        goes by the first, and the others stand beside it.
    unit : "auto", "segment" or "document"
    alternative : "two-sided", "greater" or "less"
        ``greater``: the system is better than the baseline.
    alpha : float
        The level of the tests, and one minus that of the intervals.
    resamples, seed : int
    interval : "percentile", "basic", "bca" or "normal"
    adjustment : str
        For the number of systems compared, metric by metric: none, bonferroni, holm, hochberg, bh or by.
    jobs : int
        Threads. The result does not depend on it.
    """
    check_options(alpha=alpha, resamples=resamples, seed=seed, interval=interval, jobs=jobs)
    if alternative not in ("two-sided", "greater", "less"):
        raise one_of("alternative", alternative, ["two-sided", "greater", "less"])
    choices: tuple[TestChoice, ...] = (test,) if isinstance(test, str) else tuple(test)
    for choice in choices:
        if choice != "auto" and choice not in TESTS:
            raise one_of("test", choice, ["auto", *TESTS])
    if not choices:
        raise InputError("there is no test to compare with", hint=f"choose among {', '.join(('auto', *TESTS))}")
    if adjustment not in ADJUSTMENTS:
        raise one_of("adjustment", adjustment, list(ADJUSTMENTS))
    base = _baseline_index(corpus, baseline)
    experiment = Experiment.prepare(
        corpus, metrics, unit=unit, seed=seed, jobs=jobs, cache=cache, engine=engine, progress=progress
    )
    if experiment.units.count < 2:
        raise InputError(
            "there is only one segment: no test can tell a difference from chance on it",
            hint="truegain score gives the scores",
        )
    families = list(dict.fromkeys(_pairs(experiment, base, choice) for choice in choices))
    pairs = list(dict.fromkeys(pair for family in families for pair in family))
    resampled = experiment.bootstrap(resamples)
    swapped = _swapped_differences(experiment, [pair for pair in pairs if pair.test == "ar"], resamples)
    comparisons: list[Comparison] = []
    for m, family_pairs in itertools.product(range(len(experiment.statistics.blocks)), families):
        family = [
            _compare_pair(
                experiment,
                m,
                pair,
                resampled,
                swapped[m, pair.system] if pair.test == "ar" else None,
                alternative=alternative,
                level=1.0 - alpha,
                method=interval,
            )
            for pair in family_pairs
        ]
        directed = experiment.statistics.blocks[m].metric.higher_is_better is not None
        comparisons.extend(_adjusted(family, adjustment, alpha, directed))
    chosen = "+".join(dict.fromkeys(pair.test for pair in pairs))
    return CompareResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        scores=experiment.system_results(resampled, 1.0 - alpha, interval),
        comparisons=tuple(comparisons),
        baseline=corpus.systems[base].name,
        alpha=alpha,
        signature=(
            f"test:{chosen}|unit:{experiment.units.kind}|alternative:{alternative}|adjust:{adjustment}|ci:{interval}"
            f"|R:{resamples}|seed:{seed}|version:{__version__}"
        ),
        notes=(*experiment.notes, *_study_notes(experiment, families[0], choices, adjustment, alpha, resamples)),
    )


@dataclass(frozen=True)
class _Pair:
    """A system to compare with the baseline, and by which test."""

    baseline: int
    system: int
    test: Literal["ar", "bootstrap"]


def _baseline_index(corpus: Corpus, baseline: str | None) -> int:
    names = [system.name for system in corpus.systems]
    if len(names) < 2:
        raise InputError(
            f"there is only one system, {names[0]!r}; a comparison needs two",
            hint="give the baseline first, then the others; truegain score gives the score of one",
        )
    if baseline is None:
        return 0
    if baseline not in names:
        raise one_of("the baseline", baseline, names)
    return names.index(baseline)


def _pairs(experiment: Experiment, base: int, test: TestChoice) -> tuple[_Pair, ...]:
    pairs = []
    systems = experiment.corpus.systems
    copies = [note for note in experiment.corpus.notes if "copies are not replicas" in note]
    for s, system in enumerate(systems):
        if s == base:
            continue
        paired = len(system.runs) == len(systems[base].runs)
        if test == "ar" and not paired:
            raise InputError(
                f"approximate randomization swaps runs in pairs, and {system.name!r} has {len(system.runs)} where "
                f"{systems[base].name!r} has {len(systems[base].runs)}",
                hint="; ".join(["use --test bootstrap, or give both the same number of runs", *copies]),
            )
        pairs.append(_Pair(base, s, "bootstrap" if test == "bootstrap" or not paired else "ar"))
    return tuple(pairs)


def _swapped_differences(
    experiment: Experiment, pairs: Sequence[_Pair], resamples: int
) -> dict[tuple[int, int], NDArray[np.float64]]:
    """Differences after random swaps, by (metric, system): one swap of a unit for all runs, systems and metrics.

    Swapping the units of a set U adds Σ_U (x_B − x_A) to the totals of A and takes it from those of B.
    """
    if not pairs:
        return {}
    table = experiment.table
    totals = table.totals
    blocks = experiment.statistics.blocks
    jobs: list[tuple[Block, NDArray[np.intp], NDArray[np.intp]]] = []
    for block in blocks:
        for pair in pairs:
            first, second = (np.r_[block.system_columns(s)] for s in (pair.baseline, pair.system))
            jobs.append((block, first, second))
    differences = table.differences(
        np.concatenate([second for _, _, second in jobs]), np.concatenate([first for _, first, _ in jobs])
    )

    def reduce(moved: NDArray[np.float64]) -> NDArray[np.float64]:
        rows = []
        start = 0
        for block, first, second in jobs:
            shift = moved[start : start + first.size]
            start += first.size
            old = mean_of_runs(block.run_scores(totals[first][:, None] + shift))
            new = mean_of_runs(block.run_scores(totals[second][:, None] - shift))
            rows.append(_gain(block.metric, old, new))
        return np.stack(rows)

    design = Design(experiment.units, "swap", experiment.seed)
    values = experiment.engine.resample(
        design, differences, resamples, reduce, experiment.reporter("randomization", resamples)
    )
    for (block, _, _), one in zip(jobs, values, strict=True):
        check_defined(one, block)
    keys = [(m, pair.system) for m in range(len(blocks)) for pair in pairs]
    return dict(zip(keys, values, strict=True))


def _gain(metric: Metric, old: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float64]:
    """The difference of scores, positive where the new is better, or higher where neither is better."""
    return old - new if metric.higher_is_better is False else new - old


def _compare_pair(
    experiment: Experiment,
    m: int,
    pair: _Pair,
    resampled: NDArray[np.float64],
    swapped: NDArray[np.float64] | None,
    *,
    alternative: Alternative,
    level: float,
    method: IntervalMethod,
) -> Comparison:
    block = experiment.statistics.blocks[m]
    systems = experiment.corpus.systems
    baseline, system = systems[pair.baseline], systems[pair.system]
    old, new = experiment.scores[m, pair.baseline], experiment.scores[m, pair.system]
    delta = float(_gain(block.metric, old, new))
    gains = _gain(block.metric, resampled[m, pair.baseline], resampled[m, pair.system])
    magnitude = max(abs(float(old)), abs(float(new)))
    if swapped is not None:
        p_value = randomization_test(delta, swapped, alternative=alternative, magnitude=magnitude)
    else:
        p_value = bootstrap_test(
            delta, gains, alternative=alternative, magnitude=magnitude, factor=experiment.factor(0.95)
        )
    several = max(len(baseline.runs), len(system.runs)) > 1
    unit = experiment.units.kind
    return Comparison(
        metric=block.key,
        baseline=baseline.name,
        system=system.name,
        delta=delta,
        interval=bootstrap_interval(
            delta,
            gains,
            level=level,
            method=method,
            factor=experiment.factor(level),
            left_out=_left_out_gains(experiment, m, pair) if method == "bca" else None,
        ),
        p_value=p_value,
        p_adjusted=p_value.p,
        adjustment="none",
        test=pair.test,
        unit=unit,
        n_units=experiment.units.count,
        seed=experiment.seed,
        alternative=alternative,
        null=_NULLS[pair.test].format(system=system.name, baseline=baseline.name, unit=unit),
        claim=f"{'these runs' if several else 'this run'}, new {unit}s",
        better=None,
        design_effect=_design_effect(experiment, block, pair),
        notes=tuple(_pair_notes(experiment, block, pair, alternative, 1.0 - level)),
    )


def _left_out_gains(experiment: Experiment, m: int, pair: _Pair) -> NDArray[np.float64]:
    left = experiment.left_out[m]
    return _gain(experiment.statistics.blocks[m].metric, left[pair.baseline], left[pair.system])


def _design_effect(experiment: Experiment, block: Block, pair: _Pair) -> float | None:
    """How much larger the variance of the difference is with documents as units; None where they are not known."""
    ids = experiment.corpus.documents
    documents = None if ids is None else Units.documents(ids)
    if documents is None or documents.count < 2:
        return None
    columns = [np.r_[block.system_columns(s)] for s in (pair.baseline, pair.system)]
    values = experiment.statistics.values[:, np.concatenate(columns)]
    edge = columns[0].size

    def difference(totals: NDArray[np.float64]) -> NDArray[np.float64]:
        new, old = (mean_of_runs(block.run_scores(part)) for part in (totals[edge:], totals[:edge]))
        return np.asarray(new - old)[None]

    effect = float(design_effect(values, documents.sums(values), difference)[0])
    return effect if math.isfinite(effect) else None


def _pair_notes(experiment: Experiment, block: Block, pair: _Pair, alternative: Alternative, alpha: float) -> list[str]:
    notes = []
    columns = [block.system_columns(s) for s in (pair.baseline, pair.system)]
    if pair.test == "ar":
        table = experiment.table.values
        differing = int((table[:, columns[0]] != table[:, columns[1]]).any(1).sum())
        unit, count = experiment.units.kind, experiment.units.count
        sides = 2 if alternative == "two-sided" else 1
        smallest = min(1.0, sides * 2.0**-differing)
        if differing == 0:
            notes.append(f"the two have the same statistics on every {unit}")
        elif smallest > alpha:
            notes.append(
                f"only {differing} of {count:,} {unit}s differ, so no exact p of randomization is below {smallest:.3g}"
            )
    return notes


def _adjusted(family: list[Comparison], adjustment: str, alpha: float, directed: bool) -> list[Comparison]:
    """Adjust over the family, and decide, where one way is the better one."""
    adjusted = adjust([one.p for one in family], adjustment)
    decided = []
    for one, p in zip(family, adjusted, strict=True):
        # The Monte-Carlo interval of the adjusted value, the other p-values being what they are.
        low, high = (min(1.0, end * p / one.p) for end in one.p_mc)
        notes = one.notes
        if low <= alpha <= high and one.delta != 0:
            what = "p" if p == one.p else "the adjusted p"
            said = f"the Monte-Carlo error of {what} ({low:.4f} to {high:.4f}) straddles {alpha:g}"
            notes = (*notes, f"{said}; use more --resamples to decide")
        better = (one.delta > 0) if directed and p <= alpha and one.delta != 0 else None
        decided.append(replace(one, adjustment=adjustment, p_adjusted=p, better=better, notes=notes))
    return decided


def _study_notes(
    experiment: Experiment,
    pairs: Sequence[_Pair],
    tests: Sequence[TestChoice],
    adjustment: str,
    alpha: float,
    resamples: int,
) -> list[str]:
    notes = []
    few = experiment.few_units_note()
    if few is not None:
        notes.append(few)
    if "auto" in tests and any(pair.test == "bootstrap" for pair in pairs):
        notes.append("The bootstrap was chosen where the numbers of runs differ: runs cannot be swapped in pairs there")
    if adjust([1 / (resamples + 1)] + [1.0] * (len(pairs) - 1), adjustment)[0] > alpha:
        notes.append(
            f"With {resamples:,} resamples no p of {len(pairs)} comparisons can be below {alpha:g} after adjustment; "
            "use more --resamples"
        )
    return notes
