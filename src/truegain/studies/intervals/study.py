"""Intervals of scores, and what their overlap says about a difference: it depends on what is drawn."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, command
from truegain.experiment import (
    Experiment,
    check_options,
    clip,
    gain,
    middle,
)
from truegain.inference.distributions import normal_quantile, student_quantile
from truegain.inference.intervals import Interval, bootstrap_interval, normal_overlap, quantiles
from truegain.inference.replicas import SystemRuns
from truegain.notes import Note
from truegain.procedures.base import Key, Pair, TestOutcome, Trial
from truegain.procedures.lookup import procedure
from truegain.procedures.randomization import swapped_differences
from truegain.procedures.rows import laid_end_to_end
from truegain.registry import TESTS
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.resampling.streams import Stream
from truegain.settings.function import takes
from truegain.settings.groups import Progress
from truegain.settings.intervals import IntervalsOptions
from truegain.statistics import mean_of_runs
from truegain.studies.checks import units_signature
from truegain.studies.given import corpus_of
from truegain.studies.intervals.findings import METHODS, Method, PairFinding, ScoreInterval, TestP, TestSDiff
from truegain.studies.intervals.result import IntervalsResult
from truegain.version import __version__

Floats = NDArray[np.float64]

_NEXT_SYSTEM = 1 << 32  # draws of one system's runs are numbered apart from those of the next
_FEW_RUNS = 10


@takes(IntervalsOptions)
def intervals(options: IntervalsOptions) -> IntervalsResult:
    """Compare intervals of systems with several runs, their overlap, p-values and the size of the gain (Fu et al.).

    Five methods: segments with one run of each system, the one in the middle (Koehn 2004; Riezler and Maxwell 2005);
    segments with the mean over runs; rows, segment by run, as if they were independent (what Fu et al. take for Clark
    et al.'s method); runs, the test set being what it is (Fu et al.); and both. For
    every two systems each has the overlap of the two intervals, p-values by bootstrap and by randomization (the crossed
    test if both are drawn), and the gain at which p is alpha.

    There are two systems or more with several runs each. Fu et al.'s tests need as many of both; other pairs go
    without. Published tests have segments as their units, whatever ``unit`` is.
    """
    alpha, resamples, seed = options.alpha, options.resamples, options.seed
    corpus = corpus_of(options)
    check_options(options)
    _check_systems(corpus)
    experiment = Experiment.of(corpus, options)
    if experiment.units.count < 2:
        raise InputError(
            "there is only one segment: it says nothing of others", hint=(command("score"), " gives the scores")
        )
    pairs = tuple(Pair(a, b) for a, b in itertools.combinations(range(len(corpus.systems)), 2))
    trial = Trial(replace(experiment, progress=None), pairs, alpha=alpha, resamples=resamples)
    blocks = experiment.statistics.blocks
    single = [replace(trial, experiment=_median_runs(trial.experiment, m)) for m in range(len(blocks))]
    found = _findings(trial, single, options.progress)
    made = _score_intervals(trial, single)
    at_alpha = _at_alpha(trial, single, found, made)
    return IntervalsResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        scores=experiment.system_results(None, 1.0 - alpha, "percentile"),
        intervals=tuple(made.values()),
        findings=tuple(
            PairFinding(
                metric=blocks[m].key,
                baseline=corpus.systems[pair.baseline].name,
                system=corpus.systems[pair.system].name,
                method=method,
                delta=_delta(trial, single[m], made, (m, pair), method),
                overlap=_overlap(made[m, pair.baseline, method], made[m, pair.system, method]),
                p_by_test=tuple(
                    TestP(test, found[test][m, pair].p_value.p) for test in METHODS[method] if (m, pair) in found[test]
                ),
                s_diff_at_alpha=at_alpha[method][m, pair],
                gains_at_alpha=tuple(
                    TestSDiff(test, outcome.critical)
                    for test in METHODS[method]
                    if (outcome := found[test].get((m, pair))) is not None and outcome.critical is not None
                ),
            )
            for m, pair in trial.keys
            for method in METHODS
        ),
        alpha=alpha,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        resamples=resamples,
        signature=(
            f"intervals:{'+'.join(METHODS)}|{units_signature(experiment.units)}|alpha:{alpha:g}|R:{resamples}|seed:{seed}"
            f"|version:{__version__}"
        ),
        notes=(*experiment.notes, *_notes(trial), *_findings_notes(trial, found)),
    )


def _delta(
    trial: Trial, single: Trial, made: Mapping[tuple[int, int, Method], ScoreInterval], key: Key, method: Method
) -> float:
    """Return the gain of the scores that a method has."""
    if method != "rows":
        return (single if method == "one-run" else trial).delta(key)
    m, pair = key
    old, new = (np.array(made[m, s, method].score) for s in (pair.baseline, pair.system))
    return float(gain(trial.metric(key), old, new))


def _check_systems(corpus: Corpus) -> None:
    if len(corpus.systems) < 2:
        raise InputError(
            f"there is only one system, {corpus.systems[0].name!r}; differences need two",
            hint=(
                "give the runs of each: ",
                Setting("systems", {"base": "runs/base.*.txt", "new": "runs/new.*.txt"}),
            ),
        )
    for system in corpus.systems:
        if len(system.runs) < 2:
            raise InputError(
                f"intervals over runs need several runs of each system, and {system.name!r} has only one",
                hint=(
                    "give more: ",
                    Setting("systems", {system.name: f"runs/{system.name}.*.txt"}),
                    "; ",
                    command("score"),
                    " takes one run",
                ),
            )


def _median_runs(experiment: Experiment, m: int) -> Experiment:
    """Return every system with one run alone: the one whose score under a metric is in the middle."""
    edges = np.cumsum((0, *experiment.statistics.blocks[m].run_counts)).tolist()
    groups = {}
    for system, (first, last) in zip(experiment.corpus.systems, itertools.pairwise(edges), strict=True):
        scores = experiment.run_scores[m][first:last]
        groups[system.name] = [first + middle(scores)]
    return experiment.regrouped(groups)


def _equal(trial: Trial) -> tuple[Pair, ...]:
    """Return the pairs whose runs can be swapped."""
    counts = [len(system.runs) for system in trial.experiment.corpus.systems]
    return tuple(pair for pair in trial.pairs if counts[pair.baseline] == counts[pair.system])


def _findings(trial: Trial, single: Sequence[Trial], progress: Progress | None) -> dict[str, dict[Key, TestOutcome]]:
    """Run every test on what it is made for; pairs for which it is not defined have none."""
    jobs: list[tuple[str, Trial]] = [(test, one) for one in single for test in METHODS["one-run"]]
    jobs += [("clark2011", replace(trial, pairs=(pair,))) for pair in trial.pairs]  # what takes longest, one by one
    jobs += [(test, trial) for test in ("bootstrap", "crossed", "welch")]
    jobs += [(test, replace(trial, pairs=_equal(trial))) for test in (*METHODS["rows"], *METHODS["runs"])]
    found: dict[str, dict[Key, TestOutcome]] = {test: {} for test, _ in jobs}
    for test, given in jobs:
        for key, finding in procedure(test)(given).items() if given.pairs else ():
            # The run in the middle is another one for every metric.
            if test not in METHODS["one-run"] or given is single[key[0]]:
                found[test][key] = finding
        if progress is not None:
            progress("comparing", 1, len(jobs))
    return found


def run_resamples(experiment: Experiment, resamples: int) -> Floats:
    """Score systems whose runs are drawn with replacement, shape (metrics, systems, resamples): Fu et al., table 3.

    The test set stays as it is. Systems are drawn for independently of each other; metrics share their draws.
    """
    edges = np.cumsum((0, *experiment.statistics.blocks[0].run_counts)).tolist()
    found = np.empty((len(experiment.run_scores), len(edges) - 1, resamples))
    for s, (first, last) in enumerate(itertools.pairwise(edges)):
        keys = resample_keys(experiment.seed, Stream.INTERVAL_RUNS, s * _NEXT_SYSTEM, resamples)
        counts = bootstrap_counts(keys, last - first).astype(np.float64).T
        for m, scores in enumerate(experiment.run_scores):
            found[m, s] = mean_of_runs(counts * scores[first:last, None])
    return found


def score_interval(runs: SystemRuns, *, effective_units: float, level: float = 0.95) -> tuple[Interval, float]:
    """Return the interval of a system's mean score for new runs on new segments, and its standard error.

    As :func:`truegain.inference.replicas.crossed_test` has it, for one system: what runs have in common varies over
    segments, and s²/m is what the mean over runs varies by; Student's t, degrees of freedom after Satterthwaite (1946).

    Parameters
    ----------
    runs : SystemRuns
        Two or more.
    effective_units : float
        The number of equal units that would vary as much, less the strata beyond the first.
    level : float
    """
    over_units = max(effective_units - 1.0, 0.5)
    parts = [(runs.segment_variance, over_units), (runs.variance / runs.count, runs.count - 1.0)]
    variance = sum(part for part, _ in parts)
    freedom = over_units
    if variance > 0.0:
        freedom = variance**2 / sum(part**2 / own for part, own in parts)
    else:  # runs score the same and have nothing in common: what segments do to the mean is left, as in that test
        variance = runs.selection_variance
    deviation = math.sqrt(variance)
    reach = student_quantile(1.0 - (1.0 - level) / 2.0, freedom) * deviation
    score = float(mean_of_runs(runs.scores))
    return Interval(score - reach, score + reach, level, "t"), deviation


def _score_intervals(trial: Trial, single: Sequence[Trial]) -> dict[tuple[int, int, Method], ScoreInterval]:
    """Return the interval of every system's score by every method, metric by metric."""
    experiment, level = trial.experiment, 1.0 - trial.alpha
    systems = experiment.corpus.systems
    drawn = run_resamples(experiment, trial.resamples)
    found: dict[tuple[int, int, Method], ScoreInterval] = {}
    for m, block in enumerate(experiment.statistics.blocks):
        one = single[m].experiment
        for s, system in enumerate(systems):
            limits = experiment.limits(m, s)
            median_run = one.corpus.systems[s].runs[0].name
            ways: dict[Method, tuple[float, Floats, float]] = {
                "one-run": (float(one.scores[m, s]), one.bootstrap(trial.resamples)[m, s], one.factor(level)),
                "all-runs": (
                    float(experiment.scores[m, s]),
                    experiment.bootstrap(trial.resamples)[m, s],
                    experiment.factor(level),
                ),
                "runs": (float(experiment.scores[m, s]), drawn[m, s], 1.0),  # as published
            }
            laid = laid_end_to_end(experiment, m, (s,))
            ways["rows"] = (float(laid.scores[0, 0]), laid.bootstrap(trial.resamples)[0, 0], 1.0)
            for method, (score, resampled, factor) in ways.items():
                interval = bootstrap_interval(score, resampled, level=level, factor=factor)
                found[m, s, method] = ScoreInterval(
                    metric=block.key,
                    system=system.name,
                    method=method,
                    score=score,
                    run=median_run if method == "one-run" else None,
                    **clip(interval, limits).fields,
                    mean=float(resampled.mean()),
                    sd=float(resampled.std()),
                )
            score = float(experiment.scores[m, s])
            interval, deviation = score_interval(
                experiment.runs_of(m, s),
                effective_units=experiment.effective_units,
                level=level,
            )
            found[m, s, "both"] = ScoreInterval(
                metric=block.key,
                system=system.name,
                method="both",
                score=score,
                run=None,
                **clip(interval, limits).fields,
                mean=score,
                sd=deviation,
            )
    return found


def _overlap(first: ScoreInterval, second: ScoreInterval) -> float:
    return normal_overlap((first.mean, first.sd), (second.mean, second.sd), level=first.interval.level)


def _at_alpha(
    trial: Trial,
    single: Sequence[Trial],
    found: Mapping[str, Mapping[Key, TestOutcome]],
    made: Mapping[tuple[int, int, Method], ScoreInterval],
) -> dict[Method, dict[Key, float]]:
    """Return the size of gain at which p is alpha.

    Over segments the quantile of gains after random swaps, one swap of a unit for all runs; of the bootstrap's
    deviations if the two systems differ in their numbers of runs. Over rows that of the test that swaps them; of
    different numbers of rows that of independent ones. Over runs half the width of Welch's interval, over both half
    that of the crossed one.
    """
    resamples = trial.resamples

    def beyond(null: Floats) -> float:
        return quantiles(np.abs(null), (1.0 - trial.alpha,))[0]

    def rows(key: Key) -> float:
        m, pair = key
        outcome = found["fu-rows-ar"].get(key)
        if outcome is not None and outcome.critical is not None:
            return outcome.critical
        spread = math.hypot(made[m, pair.baseline, "rows"].sd, made[m, pair.system, "rows"].sd)
        return normal_quantile(1.0 - trial.alpha / 2.0) * spread

    swapped = swapped_differences(trial.experiment, _equal(trial), resamples)
    deviations = {key: one.distribution for key, one in found["bootstrap"].items() if one.distribution is not None}
    alone: dict[Key, float] = {}
    for m, one in enumerate(single):
        nulls = swapped_differences(one.experiment, trial.pairs, resamples)
        alone.update({(m, pair): beyond(nulls[m, pair]) for pair in trial.pairs})
    return {
        "one-run": alone,
        "all-runs": {key: beyond(swapped.get(key, deviations[key])) for key in trial.keys},
        "rows": {key: rows(key) for key in trial.keys},
        "runs": {key: _half_width(one) for key, one in found["welch"].items()},
        "both": {key: _half_width(one) for key, one in found["crossed"].items()},
    }


def _half_width(finding: TestOutcome) -> float:
    assert finding.interval is not None  # of tests that have one
    return (finding.interval.high - finding.interval.low) / 2.0


def _notes(trial: Trial) -> list[Note]:
    experiment = trial.experiment
    systems = experiment.corpus.systems
    notes = []
    few = experiment.few_units_note()
    if few is not None:
        notes.append(few)
    left = len(trial.pairs) - len(_equal(trial))
    if left:
        text = (
            f"Fu et al.'s tests need as many runs of both systems: {left} of {len(trial.pairs)} pairs have no p by "
            "them, and bootstrap deviations in place of swaps"
        )
        notes.append(Note("unequal-runs", text))
    fewest = min(len(system.runs) for system in systems)
    if fewest < _FEW_RUNS:
        short = 100 * (1 - math.sqrt((fewest - 1) / fewest))
        text = (
            f"Intervals by runs are Fu et al.'s, and too narrow with few runs: with {fewest} the standard deviation is "
            f"{short:.0f} % too small, and the tails are a normal's"
        )
        notes.append(Note("few-runs", text))
    if experiment.units.kind != "segment":
        single = [test for tests in METHODS.values() for test in tests if TESTS[test].unit == "segment"]
        text = f"{', '.join(single)} take segments as independent, though {experiment.units.noun}s are the unit"
        notes.append(Note("segments-as-units", text))
    return notes


def _findings_notes(trial: Trial, found: Mapping[str, Mapping[Key, TestOutcome]]) -> list[Note]:
    """Return what tests remark on single pairs."""
    names = [system.name for system in trial.experiment.corpus.systems]
    return [
        note.about(f"{names[pair.system]} and {names[pair.baseline]}, {trial.metric((m, pair)).label}, {test}")
        for test, by_key in found.items()
        for (m, pair), finding in by_key.items()
        for note in finding.remarks
    ]
