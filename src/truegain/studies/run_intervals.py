"""Intervals of scores, and what their overlap says about a difference: it depends on what is drawn (Fu et al.)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import msgspec.structs
import numpy as np
from numpy.typing import NDArray

from truegain.cautions import size_note, units_signature
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, command
from truegain.experiment import Experiment, check_options, clip, gain, middle
from truegain.inference.distributions import normal_quantile
from truegain.inference.intervals import (
    Alpha,
    Ends,
    Interval,
    IntervalKind,
    Level,
    bootstrap_interval,
    normal_overlap,
    quantiles,
)
from truegain.inference.replicas import score_interval
from truegain.inference.results import MetricInfo, Metrics, Scores, SystemPair, TestName, TestSet, Unit, Units
from truegain.notes import Finding, Note, Tone
from truegain.procedures.base import Key, Pair, TestOutcome, Trial
from truegain.procedures.lookup import procedure
from truegain.procedures.randomization import swapped_differences
from truegain.procedures.rows import laid_end_to_end
from truegain.registry import TESTS
from truegain.report.model import Table
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.resampling.streams import Stream
from truegain.results import Result
from truegain.rows import MetricKey, NonNegative, Number, Proportion, Row, field
from truegain.settings.function import takes
from truegain.settings.groups import Progress
from truegain.settings.intervals import IntervalsOptions
from truegain.statistics import mean_of_runs
from truegain.studies.given import corpus_of
from truegain.studies.runs import GIVE_RUNS, gain_heading, units_of
from truegain.version import __version__
from truegain.view import digits_of, slots_of, stacked, table
from truegain.words import Sentence, describe_testset, heading_of, level_words, listing, p_words

DIFFER = Sentence(
    "{system} and {baseline} differ by {gain} {metric} for new runs on new {units} (crossed test, p {p})."
)
NOT_SHOWN = Sentence("{system} and {baseline} are not shown to differ in {metric} ({gain}; crossed test, p {p}).")
OVERLAP = Sentence("Their intervals overlap by {methods}.")
NO_OVERLAP = Sentence("Their intervals do not overlap by any method.")
DIFFER_MANY = Sentence(
    "{count} of {total} pairs differ in {metric} for new runs on new {units} (crossed test, p ≤ {alpha:g})."
)
OVERLAP_MANY = Sentence("Of these, intervals overlap all the same: {counts}.")
APART_MANY = Sentence("Of the others, intervals do not overlap: {counts}.")
S_DIFF = Sentence(
    "S_diff at p = {alpha:g}: {both} {metric} by both, {low} ({lowest}) to {high} ({highest}) by the others."
)
DRAWN = (
    "one-run: the test set is drawn, the median run of each scored; all-runs: the mean over runs; rows: outputs of all "
    "runs as if independent; runs: runs are drawn, on the same test set; both: test set and runs."
)
OVERLAP_NOTE = Sentence(
    "overlap: what two intervals share; systems may differ all the same, so go by p (bs: bootstrap, ar: randomization; "
    "not adjusted; bold: p ≤ {alpha:g}). S_diff: the difference at which p is {alpha:g}."
)
DECISIONS_NOTE = Sentence(
    "Numbers of {pairs} pairs. bs: bootstrap, ar: randomization. S_diff: the difference at which p is {alpha:g}, "
    "median and range; own: by the test itself."
)
UNEQUAL_RUNS = Sentence(
    "Fu et al.'s tests need as many runs of both systems: {left} of {pairs} pairs have no p by them, and bootstrap "
    "deviations in place of swaps"
)
FEW_RUNS = Sentence(
    "With {runs} runs, intervals by runs (Fu et al.) are too narrow: the standard deviation is {short:.0f} % too small"
)
SEGMENTS = Sentence("{tests} take segments as independent, though {unit}s are the unit")
ALIKE = Sentence("{test}, {count} of {total} pairs")
ENDING = Sentence("five methods, {resamples:,} resamples, seed {seed}")
PARAGRAPH = Sentence(
    "Intervals ({level}) and p-values (two-sided, not adjusted) are by five methods ({resamples:,} resamples, seed "
    "{seed}): over {units} with the median run of each system (Koehn 2004; Riezler and Maxwell 2005); with the "
    "mean over runs (Clark et al. 2011); over rows, the segments of all runs laid end to end, which are not "
    "independent (what Fu et al. take for Clark et al.'s method); over runs (Fu et al.); and over both (crossed test). "
    "Overlap is the area that both fitted normal curves share within the intervals, as a share of what either covers. "
    "S_diff over {units} is that of swaps, over runs half of Welch's interval, over both half of the crossed test's. "
    "Bootstraps of Riezler and Maxwell and of Fu et al. take absolute values before they centre, as published, which "
    "makes p too small (truegain {version})."
)

Floats = NDArray[np.float64]
Method = Literal["one-run", "all-runs", "rows", "runs", "both"]
#: What is drawn to make an interval, and the tests of a difference that draw the same: the bootstrap, then the
#: randomization; where both runs and segments vary there is one test.
METHODS: dict[Method, tuple[str, ...]] = {
    "one-run": ("riezler2005-bootstrap", "riezler2005-ar"),
    "all-runs": ("bootstrap", "clark2011"),
    "rows": ("fu-rows-bootstrap", "fu-rows-ar"),
    "runs": ("fu-bootstrap", "fu-ar"),
    "both": ("crossed",),
}
_JUDGE = "crossed"
_TEST_KINDS = ("bs", "ar", "crossed")
_NEXT_SYSTEM = 1 << 32  # draws of one system's runs are numbered apart from those of the next
_FEW_RUNS = 10
_PAIRS_SHOWN = 6  # on a screen, with all that each method says of them
_Drawn = Annotated[Method, field("What is drawn.", "drawn", "text")]


class ScoreInterval(Row):
    """Interval of a system's score by one method."""

    metric: MetricKey
    system: Annotated[str, field("The system.", show="text")]
    method: _Drawn
    score: Annotated[float, field("The mean over runs; of one-run the median run's.", show="score")]
    run: Annotated[str | None, field("The median run, of one-run; none otherwise.")]
    ci: Annotated[Ends, field("The ends of the interval.", "{level} CI", "interval score")]
    ci_level: Level
    ci_method: IntervalKind
    mean: Annotated[
        float,
        field(
            "The mean of the normal that the overlap is computed from: fitted to the resampled scores if there are any."
        ),
    ]
    sd: Annotated[NonNegative, field("The standard deviation of that normal.")]

    @property
    def interval(self) -> Interval:
        """The interval of the score."""
        return Interval.of(self.ci, self.ci_level, self.ci_method)


class TestP(Row):
    """A p-value by a test."""

    __test__ = False  # not a test class for pytest

    test: TestName
    p: Annotated[Proportion, field("Its p-value.", show="p")]


class TestSDiff(Row):
    """The size of gain at which the p of a test is alpha."""

    __test__ = False  # not a test class for pytest

    test: TestName
    s_diff_at_alpha: Annotated[NonNegative, field("The size of gain.")]


class PairFinding(SystemPair, rename={"p_by_test": "p", "gains_at_alpha": "s_diff_by_test"}):
    """Findings of one method on two systems."""

    delta: Annotated[
        float,
        field("The gain: of the mean over runs; of one-run the median runs'. Its size is S_diff.", "Δ", "gain"),
    ]
    method: _Drawn
    overlap: Annotated[Proportion, field("P_overlap of the two intervals, from 0 to 1 (Fu et al.).", show="percent")]
    p_by_test: Annotated[tuple[TestP, ...], field("p by test; without those that are not defined for the two.")]
    s_diff_at_alpha: Annotated[NonNegative, field("The size of gain at which p is alpha.", "S_diff", "score")]
    gains_at_alpha: Annotated[
        tuple[TestSDiff, ...], field("The size of gain at which a test's own p is alpha; of Fu et al.'s tests.")
    ]

    @property
    def p(self) -> dict[str, float]:
        """The p-values by test."""
        return {one.test: one.p for one in self.p_by_test}

    @property
    def s_diff_by_test(self) -> dict[str, float]:
        """The sizes of gain at which a test's own p is alpha, by test."""
        return {one.test: one.s_diff_at_alpha for one in self.gains_at_alpha}

    def decision(self, test: str, alpha: float) -> int:
        """Return 1 if the system is better, −1 if the baseline is, 0 if the test does not decide."""
        return int(np.sign(self.delta)) if self.p[test] <= alpha else 0


class SmallestGain(Row):
    """The size of gain at which p is alpha, over pairs."""

    low: Annotated[float, field("The smallest.")]
    median: Annotated[float, field("The median.", "own S_diff", "score")]
    high: Annotated[float, field("The largest.")]


class TestSummary(Row):
    """A test's decisions on all pairs that it is defined for."""

    __test__ = False  # not a test class for pytest

    test: Annotated[TestName, field("The test that was run.", show="text")]
    pairs: Annotated[Number, field("The number of pairs that it is defined for.")]
    significant: Annotated[Number, field("The number of pairs that it tells apart.", "differ")]
    as_crossed: Annotated[Number, field("The number of pairs on which the crossed test decides the same.")]
    s_diff_at_alpha: Annotated[
        SmallestGain | None,
        field(
            "The size of gain at which its own p is alpha, over pairs; of Fu et al.'s tests.",
            "own S_diff",
            "spread score",
        ),
    ] = None


class MethodSummary(Row):
    """One method on all pairs, under one metric."""

    metric: MetricKey
    method: _Drawn
    tests: Annotated[tuple[TestSummary, ...], field("The decisions of each of its tests.")]
    same: Annotated[
        Number | None,
        field(
            "The number of pairs on which bootstrap and randomization come to the same decision, of those that they "
            "are defined for; none if there is only one test.",
            "bs as ar",
        ),
    ]
    pairs: Annotated[Number, field("The number of all pairs.")]
    overlapping: Annotated[Number, field("The number of pairs whose intervals overlap.", "overlap")]
    overlapping_though_apart: Annotated[Number, field("The number of those that the crossed test tells apart.")]
    apart_though_undecided: Annotated[
        Number,
        field("The number of pairs whose intervals do not overlap, and that the crossed test does not tell apart."),
    ]
    s_diff_at_alpha: Annotated[
        SmallestGain, field("The size of gain at which p is alpha, over pairs.", "S_diff", "spread score")
    ]


class IntervalsResult(Result, tag="intervals", kw_only=True, rename={"scores": "systems", "measured": "pairs"}):
    """Intervals of scores by what is drawn, their overlap, and p-values against the size of the gain."""

    title = "Do the intervals overlap?"
    study: ClassVar[str] = "intervals"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    intervals: Annotated[tuple[ScoreInterval, ...], field("The interval of every score by every method.")]
    measured: Annotated[tuple[PairFinding, ...], field("Every two systems by every method.")]
    alpha: Alpha
    unit: Unit
    n_units: Units
    resamples: Annotated[Number, field("The number of resamples.")]
    summaries: Annotated[tuple[MethodSummary, ...], field("Every method under every metric.")] = ()

    def __post_init__(self) -> None:
        methods = ((metric.key, method) for metric in self.metrics for method in METHODS)
        self._derive(summaries=tuple(summarize(self.measured, *one, self.alpha) for one in methods))

    def interval(self, metric: str, system: str, method: Method) -> ScoreInterval:
        """Return the interval of a system's score by a method."""
        for row in self.intervals:
            if (row.metric, row.system, row.method) == (metric, system, method):
                return row
        raise KeyError((metric, system, method))

    def finding(self, metric: str, baseline: str, system: str, method: Method) -> PairFinding:
        """Return what a method says on two systems, in the order in which they were given."""
        for row in self.measured:
            if (row.metric, row.baseline, row.system, row.method) == (metric, baseline, system, method):
                return row
        raise KeyError((metric, baseline, system, method))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, methods = super().used()
        return metrics, [*methods, "intervals"]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each pair and metric."""
        records = []
        for by_method in by_pair(self.measured):
            first = by_method["both"]
            record: dict[str, Any] = {
                "metric": first.metric,
                "baseline": first.baseline,
                "system": first.system,
                "delta": first.delta,
                "delta_one_run": by_method["one-run"].delta,
            }
            for method, one in by_method.items():
                name = method.replace("-", "_")
                record[f"overlap_{name}"] = one.overlap
                record.update({f"p_{test}": one.p.get(test) for test in METHODS[method]})
                record[f"s_diff_at_alpha_{name}"] = one.s_diff_at_alpha
            records.append(record)
        return records

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield intervals, what each method says of each pair, and its decisions on all pairs."""
        yield stacked([_interval_table(self, metric, decimals) for metric in self.metrics])
        pairs = stacked([one for metric in self.metrics for one in _pair_tables(self, metric, decimals)])
        count = self.summaries[0].pairs
        yield pairs if count <= _PAIRS_SHOWN else replace(pairs, kind="further")
        if count > 1:
            yield stacked([_decision_table(self, metric, decimals) for metric in self.metrics])


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
    corpus = corpus_of(options)
    check_options(options)
    _check_systems(corpus)
    experiment = Experiment.of(corpus, options)
    if experiment.units.count < 2:
        raise InputError(
            "there is only one segment: it says nothing of others", hint=(command("score"), " gives the scores")
        )
    pairs = tuple(Pair(a, b) for a, b in itertools.combinations(range(len(corpus.systems)), 2))
    trial = Trial(replace(experiment, progress=None), pairs, alpha=options.alpha, resamples=options.resamples)
    metrics = range(len(experiment.statistics.blocks))
    single = [replace(trial, experiment=_median_runs(trial.experiment, m)) for m in metrics]
    found = _outcomes(trial, single, options.progress)
    made = _score_intervals(trial, single)
    scores = experiment.system_results(None, 1.0 - options.alpha, "percentile")
    runs = [len(system.runs) for system in corpus.systems]
    result = IntervalsResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        scores=scores,
        intervals=tuple(made.values()),
        measured=_measured(trial, single, found, made),
        alpha=options.alpha,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        resamples=options.resamples,
        about=describe_testset(experiment.testset(), scores),
        notes=(
            size_note(corpus, experiment.units, runs=runs),
            *experiment.notes,
            *_notes(trial),
            *_outcome_notes(trial, found),
        ),
        ending=ENDING(resamples=options.resamples, seed=options.seed),
        methods=PARAGRAPH(
            level=level_words(options.alpha),
            resamples=options.resamples,
            seed=options.seed,
            units=units_of(experiment),
            version=__version__,
        ),
        signature=(
            f"intervals:{'+'.join(METHODS)}|{units_signature(experiment.units)}|alpha:{options.alpha:g}"
            f"|R:{options.resamples}|seed:{options.seed}|version:{__version__}"
        ),
    )
    return msgspec.structs.replace(result, findings=tuple(_sentences(result, units_of(experiment))))


def _measured(
    trial: Trial,
    single: Sequence[Trial],
    found: Mapping[str, Mapping[Key, TestOutcome]],
    made: Mapping[tuple[int, int, Method], ScoreInterval],
) -> tuple[PairFinding, ...]:
    """Return what every method says of every pair."""
    experiment = trial.experiment
    names = [system.name for system in experiment.corpus.systems]
    at_alpha = _at_alpha(trial, single, found, made)
    rows = []
    for (m, pair), method in itertools.product(trial.keys, METHODS):
        outcomes = {test: found[test][m, pair] for test in METHODS[method] if (m, pair) in found[test]}
        rows.append(
            PairFinding(
                metric=experiment.statistics.blocks[m].key,
                baseline=names[pair.baseline],
                system=names[pair.system],
                method=method,
                delta=_delta(trial, single[m], made, (m, pair), method),
                overlap=_overlap(made[m, pair.baseline, method], made[m, pair.system, method]),
                p_by_test=tuple(TestP(test, outcome.p_value.p) for test, outcome in outcomes.items()),
                s_diff_at_alpha=at_alpha[method][m, pair],
                gains_at_alpha=tuple(
                    TestSDiff(test, outcome.critical)
                    for test, outcome in outcomes.items()
                    if outcome.critical is not None
                ),
            )
        )
    return tuple(rows)


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
        raise InputError(f"there is only one system, {corpus.systems[0].name!r}; differences need two", hint=GIVE_RUNS)
    for system in corpus.systems:
        if len(system.runs) < 2:
            raise InputError(
                f"intervals over runs need several runs of each system, and {system.name!r} has only one",
                hint=("give more: ", Setting("systems", {system.name: f"runs/{system.name}.*.txt"})),
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


def _outcomes(trial: Trial, single: Sequence[Trial], progress: Progress | None) -> dict[str, dict[Key, TestOutcome]]:
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


def _score_intervals(trial: Trial, single: Sequence[Trial]) -> dict[tuple[int, int, Method], ScoreInterval]:
    """Return the interval of every system's score by every method, metric by metric."""
    experiment, level = trial.experiment, 1.0 - trial.alpha
    drawn = run_resamples(experiment, trial.resamples)
    found: dict[tuple[int, int, Method], ScoreInterval] = {}
    for m, block in enumerate(experiment.statistics.blocks):
        one = single[m].experiment
        for s, system in enumerate(experiment.corpus.systems):
            score = float(experiment.scores[m, s])
            laid = laid_end_to_end(experiment, m, (s,))
            resampled: dict[Method, tuple[float, Floats, float]] = {
                "one-run": (float(one.scores[m, s]), one.bootstrap(trial.resamples)[m, s], one.factor(level)),
                "all-runs": (score, experiment.bootstrap(trial.resamples)[m, s], experiment.factor(level)),
                "runs": (score, drawn[m, s], 1.0),  # as published
                "rows": (float(laid.scores[0, 0]), laid.bootstrap(trial.resamples)[0, 0], 1.0),
            }
            made: dict[Method, tuple[float, Interval, float, float]] = {}
            for method, (center, values, factor) in resampled.items():
                interval = bootstrap_interval(center, values, level=level, factor=factor)
                made[method] = center, interval, float(values.mean()), float(values.std())
            units = experiment.effective_units
            interval, deviation = score_interval(experiment.runs_of(m, s), effective_units=units, level=level)
            made["both"] = score, interval, score, deviation
            for method, (center, interval, mean, sd) in made.items():
                found[m, s, method] = ScoreInterval(
                    metric=block.key,
                    system=system.name,
                    method=method,
                    score=center,
                    run=one.corpus.systems[s].runs[0].name if method == "one-run" else None,
                    **clip(interval, experiment.limits(m, s)).fields,
                    mean=mean,
                    sd=sd,
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
    """Say what few units, few runs and different numbers of runs do to the methods."""
    experiment = trial.experiment
    few = experiment.few_units_note()
    notes = [] if few is None else [few]
    left = len(trial.pairs) - len(_equal(trial))
    if left:
        notes.append(Note("unequal-runs", UNEQUAL_RUNS(left=left, pairs=len(trial.pairs))))
    fewest = min(len(system.runs) for system in experiment.corpus.systems)
    if fewest < _FEW_RUNS:
        short = 100 * (1 - math.sqrt((fewest - 1) / fewest))
        notes.append(Note("few-runs", FEW_RUNS(runs=fewest, short=short)))
    if experiment.units.kind != "segment":
        tests = [test for tests in METHODS.values() for test in tests if TESTS[test].unit == "segment"]
        notes.append(Note("segments-as-units", SEGMENTS(tests=", ".join(tests), unit=experiment.units.noun)))
    return notes


def _outcome_notes(trial: Trial, found: Mapping[str, Mapping[Key, TestOutcome]]) -> Iterator[Note]:
    """Yield what tests remark on single pairs; the same of several pairs once."""
    names = [system.name for system in trial.experiment.corpus.systems]
    for test, by_key in found.items():
        kinds: dict[str, dict[Key, Note]] = {}
        for key, outcome in by_key.items():
            for note in outcome.remarks:
                kinds.setdefault(note.kind, {})[key] = note
        for notes in kinds.values():
            ((m, pair), first), *others = notes.items()
            if others:
                scope = ALIKE(test=test, count=len(notes), total=len(by_key))
                yield msgspec.structs.replace(first, text=first.summary or first.text).about(scope)
            else:
                label = trial.metric((m, pair)).label
                yield first.about(f"{names[pair.system]} and {names[pair.baseline]}, {label}, {test}")


def summarize(findings: Sequence[PairFinding], metric: str, method: Method, alpha: float) -> MethodSummary:
    """Count decisions and overlaps over the pairs.

    Two decisions are the same if they favour the same system, or neither favours one: the median runs of two systems
    may differ the other way round than the means of all runs.
    """
    mine = [one for one in findings if (one.metric, one.method) == (metric, method)]
    judged = {
        (one.baseline, one.system): one.decision(_JUDGE, alpha)
        for one in findings
        if (one.metric, one.method) == (metric, "both")
    }
    tests = []
    for test in METHODS[method]:
        decided = [(one.decision(test, alpha), judged[one.baseline, one.system]) for one in mine if test in one.p]
        significant = sum(own != 0 for own, _ in decided)
        same_as_crossed = sum(own == other for own, other in decided)
        sizes = [one.s_diff_by_test[test] for one in mine if test in one.s_diff_by_test]
        tests.append(TestSummary(test, len(decided), significant, same_as_crossed, _smallest(sizes) if sizes else None))
    same = None
    if len(tests) > 1:
        both = [[one.decision(test, alpha) for test in METHODS[method]] for one in mine if len(one.p) == len(tests)]
        same = sum(first == second for first, second in both)
    overlaps = [(one.overlap > 0.0, judged[one.baseline, one.system] != 0) for one in mine]
    return MethodSummary(
        metric=metric,
        method=method,
        tests=tuple(tests),
        same=same,
        pairs=len(mine),
        overlapping=sum(overlapping for overlapping, _ in overlaps),
        overlapping_though_apart=sum(overlapping and apart for overlapping, apart in overlaps),
        apart_though_undecided=sum(not overlapping and not apart for overlapping, apart in overlaps),
        s_diff_at_alpha=_smallest([one.s_diff_at_alpha for one in mine]),
    )


def _smallest(sizes: Sequence[float]) -> SmallestGain:
    return SmallestGain(*quantiles(np.array(sizes), (0.0, 0.5, 1.0)))


def by_pair(findings: Sequence[PairFinding]) -> list[dict[Method, PairFinding]]:
    """Return the findings of each pair and metric together, by method."""
    pairs: dict[tuple[str, str, str], dict[Method, PairFinding]] = {}
    for one in findings:
        pairs.setdefault((one.metric, one.baseline, one.system), {})[one.method] = one
    return list(pairs.values())


def _sentences(result: IntervalsResult, units: str) -> Iterator[Finding]:
    """Yield, for each metric, whether pairs differ, by which methods their intervals overlap, and S_diff."""
    for metric in result.metrics:
        summaries = [one for one in result.summaries if one.metric == metric.key]
        pairs = _one_pair if summaries[0].pairs == 1 else _many_pairs
        yield pairs(result, metric, summaries, units)
        digits = digits_of(result, metric)
        sizes = {one.method: one.s_diff_at_alpha.median for one in summaries}
        both = sizes.pop("both")
        lowest, *_, highest = sorted(sizes, key=lambda method: sizes[method])
        text = S_DIFF(
            metric=metric.label,
            alpha=result.alpha,
            both=digits.score(both),
            low=digits.score(sizes[lowest]),
            lowest=lowest,
            high=digits.score(sizes[highest]),
            highest=highest,
        )
        yield Finding(text)


def _one_pair(result: IntervalsResult, metric: MetricInfo, summaries: Sequence[MethodSummary], units: str) -> Finding:
    rows = [row for row in result.measured if row.metric == metric.key]
    judged = rows[-1]
    differ = judged.decision(_JUDGE, result.alpha) != 0
    verdict = (DIFFER if differ else NOT_SHOWN)(
        system=judged.system,
        baseline=judged.baseline,
        metric=metric.label,
        units=units,
        gain=digits_of(result, metric).gain(judged.delta),
        p=p_words(judged.p[_JUDGE]),
    )
    methods = [one.method for one in summaries if one.overlapping]
    overlap = OVERLAP(methods=listing(methods)) if methods else NO_OVERLAP
    return Finding(f"{verdict} {overlap}", "plain" if differ else "undecided")


def _many_pairs(result: IntervalsResult, metric: MetricInfo, summaries: Sequence[MethodSummary], units: str) -> Finding:
    judge = summaries[-1].tests[0]
    texts = [
        DIFFER_MANY(count=judge.significant, total=judge.pairs, metric=metric.label, units=units, alpha=result.alpha)
    ]
    if overlap := [f"{count} by {one.method}" for one in summaries if (count := one.overlapping_though_apart)]:
        texts.append(OVERLAP_MANY(counts=listing(overlap)))
    if apart := [f"{count} by {one.method}" for one in summaries if (count := one.apart_though_undecided)]:
        texts.append(APART_MANY(counts=listing(apart)))
    return Finding(" ".join(texts))


def _interval_table(result: IntervalsResult, metric: MetricInfo, decimals: int | None) -> Table:
    """Return the intervals of all systems, method by method, so that those to compare stand together."""
    mine = [row for row in result.intervals if row.metric == metric.key]
    return table(
        [row for method in METHODS for row in mine if row.method == method],
        "system method score ci",
        digits_of(result, metric, decimals),
        headings={"system": heading_of(metric)},
        caption="{level} intervals of scores by what is drawn",
        notes=(DRAWN,),
        slots=slots_of(result, metric),
    )


def _pair_tables(result: IntervalsResult, metric: MetricInfo, decimals: int | None) -> Iterator[Table]:
    """Yield what each method says of a pair, the largest gain first."""
    pairs = [by_method for by_method in by_pair(result.measured) if by_method["both"].metric == metric.key]
    pairs.sort(key=lambda by_method: -abs(by_method["both"].delta))
    for by_method in pairs:
        rows = [{"": row} | _tests_of(row) for row in by_method.values()]
        first = by_method["both"]
        yield table(
            rows,
            "method delta overlap bs.p ar.p crossed.p s_diff_at_alpha",
            digits_of(result, metric, decimals),
            headings={
                "method": f"{metric.label}: {first.system} − {first.baseline}",
                "delta": gain_heading(result.metrics),
                **{f"{kind}.p": f"p {kind}" for kind in _TEST_KINDS},
            },
            caption="Overlap of the intervals, and p-values, by what is drawn",
            notes=(OVERLAP_NOTE(alpha=result.alpha),),
            tones={f"{kind}.p": partial(_p_tone, kind, result.alpha) for kind in _TEST_KINDS},
        )


def _kinds(method: Method) -> tuple[str, ...]:
    """Return what the tests of a method are: bootstrap and randomization, or the crossed test."""
    return (_JUDGE,) if method == "both" else ("bs", "ar")


def _tests_of(row: PairFinding) -> dict[str, TestP | None]:
    """Return the tests of a method by what they are."""
    known = {one.test: one for one in row.p_by_test}
    kinds = dict(zip(METHODS[row.method], _kinds(row.method), strict=True))
    return dict.fromkeys(_TEST_KINDS) | {kind: known.get(test) for test, kind in kinds.items()}


def _p_tone(kind: str, alpha: float, row: Mapping[str, Any]) -> Tone:
    return "strong" if row[kind] is not None and row[kind].p <= alpha else "plain"


def _decision_table(result: IntervalsResult, metric: MetricInfo, decimals: int | None) -> Table:
    """Return the decisions of each test on all pairs."""
    rows: list[Mapping[str, Row | None]] = []
    for summary in result.summaries:
        if summary.metric == metric.key:
            for number, (test, kind) in enumerate(zip(summary.tests, _kinds(summary.method), strict=True)):
                named = msgspec.structs.replace(test, test=kind)
                rows.append({"": None if number else summary, "test": named, "own": test.s_diff_at_alpha})
    total = result.summaries[0].pairs
    unequal = any(test.pairs < total for summary in result.summaries for test in summary.tests)
    return table(
        rows,
        f"method test.test {'test.pairs' if unequal else ''} test.significant test.as_crossed same overlapping "
        "s_diff_at_alpha own.median",
        digits_of(result, metric, decimals),
        headings={"method": f"{metric.label}: drawn"},
        caption="Decisions by method, and the difference at which p is {alpha:g}",
        notes=(DECISIONS_NOTE(pairs=total, alpha=result.alpha),),
        slots={"alpha": result.alpha},
    )
