"""Intervals of scores, and what their overlap says about a difference: it depends on what is drawn (Fu et al.)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from truegain import cautions
from truegain.errors import InputError
from truegain.experiment import Experiment, check_options, clip, gain, middle
from truegain.inference.distributions import normal_quantile
from truegain.inference.intervals import (
    Ends,
    Interval,
    IntervalKind,
    Level,
    bootstrap_interval,
    normal_overlap,
    quantiles,
)
from truegain.inference.replicas import score_interval
from truegain.inference.results import MetricInfo, SystemPair, TestName
from truegain.notes import Finding, Note
from truegain.procedures.base import Key, Pair, TestOutcome, Trial
from truegain.procedures.lookup import procedure
from truegain.procedures.randomization import swapped_differences
from truegain.procedures.rows import laid_end_to_end
from truegain.report.model import Passages, Table
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.resampling.streams import Stream
from truegain.rows import MetricKey, NonNegative, Number, Proportion, Row, Show, field, record
from truegain.settings.function import takes
from truegain.settings.groups import Progress
from truegain.settings.intervals import IntervalsOptions
from truegain.statistics import mean_of_runs
from truegain.studies.given import corpus_of
from truegain.studies.runs import GIVE_RUNS, RunsResult, Spread, check_several_runs, shared_fields, units_of
from truegain.studies.tested import notes_of_pairs
from truegain.version import __version__
from truegain.view import digits_of, slots_of, stacked, table
from truegain.words import Sentence, level_words, listing, p_words

DIFFER = Sentence(
    "{row.system} and {row.baseline} differ by {gain} {metric.label} for new runs on new {units} (crossed test, p {p})."
)
NOT_SHOWN = Sentence(
    "{row.system} and {row.baseline} are not shown to differ in {metric.label} ({gain}; crossed test, p {p})."
)
OVERLAP = Sentence("Their intervals overlap by {methods}.")
DIFFER_MANY = Sentence(
    "{judge.significant} of {judge.pairs} pairs differ in {metric.label} for new runs on new {units} (crossed test, "
    "p ≤ {alpha:g})."
)
OVERLAP_MANY = Sentence("Of these, intervals overlap all the same: {counts}.")
APART_MANY = Sentence("Of the others, intervals do not overlap: {counts}.")
DRAWN = (
    "one-run: the test set is drawn, the median run of each scored; all-runs: the mean over runs; rows: outputs of all "
    "runs as if independent; runs: runs are drawn, on the same test set; both: test set and runs."
)
OVERLAP_NOTE = (
    "overlap: what two intervals share; systems may differ all the same, so go by p (of the bootstrap, of both the "
    "crossed test; ar: randomization; not adjusted). S_diff: the difference at which p is {result.alpha:g}."
)
SUMMARIES = "Decisions by method, and the difference at which p is {result.alpha:g}"
SUMMARY_NOTE = "Numbers of pairs. bs as ar: the bootstrap decides as randomization does. S_diff: median and range."
UNEQUAL_RUNS = Sentence("{left} of {pairs} pairs have different numbers of runs, and no p by Fu et al.'s tests")
FEW_RUNS = Sentence(
    "With {runs} runs, intervals by runs are too narrow: the standard deviation is {short:.0f} % too small"
)
ENDING = Sentence("five methods, {asked.resamples:,} resamples, seed {asked.seed}")
PARAGRAPH = Sentence(
    "Intervals ({level}) and p-values (two-sided, not adjusted) are by five methods ({asked.resamples:,} resamples, "
    "seed {asked.seed}): over {units} with the median run of each system (Koehn 2004; Riezler and Maxwell 2005); with "
    "the mean over runs (Clark et al. 2011); over rows, the segments of all runs laid end to end, which are not "
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
_TESTS = [test for tests in METHODS.values() for test in tests]
_NEXT_SYSTEM = 1 << 32  # draws of one system's runs are numbered apart from those of the next
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
    mean: Annotated[float, field("The mean of the normal of the overlap: fitted to resampled scores if there are any.")]
    sd: Annotated[NonNegative, field("The standard deviation of that normal.")]

    @property
    def interval(self) -> Interval:
        """The interval of the score."""
        return Interval.of(self.ci, self.ci_level, self.ci_method)


class PByTest(Row):
    """A p-value by a test."""

    test: TestName
    p: Annotated[Proportion, field("Its p-value.", show="p")]


class SDiffByTest(Row):
    """The size of gain at which the p of a test is alpha."""

    test: TestName
    s_diff_at_alpha: Annotated[NonNegative, field("The size of gain.")]


class PairFinding(SystemPair, rename={"p_by_test": "p"}):
    """Findings of one method on two systems."""

    delta: Annotated[float, field("The gain; of one-run that of median runs.", "{result.gain_heading}", "gain")]
    method: _Drawn
    overlap: Annotated[Proportion, field("P_overlap of the two intervals, from 0 to 1 (Fu et al.).", show="percent")]
    p_by_test: Annotated[tuple[PByTest, ...], field("p by test; without those that are not defined for the two.")]
    s_diff_at_alpha: Annotated[NonNegative, field("The size of gain at which p is alpha.", "S_diff", "score")]
    s_diff_by_test: Annotated[tuple[SDiffByTest, ...], field("The same by a test's own p; of Fu et al.'s tests.")]

    @property
    def p(self) -> dict[str, float]:
        """The p-values by test."""
        return {row.test: row.p for row in self.p_by_test}

    def decision(self, test: str, alpha: float) -> int:
        """Return 1 if the system is better, −1 if the baseline is, 0 if the test does not decide."""
        return int(np.sign(self.delta)) if self.p[test] <= alpha else 0


class Decisions(Row):
    """A test's decisions on all pairs that it is defined for."""

    test: TestName
    pairs: Annotated[Number, field("The number of pairs that it is defined for.")]
    significant: Annotated[Number, field("The number of pairs that it tells apart.")]
    as_crossed: Annotated[Number, field("The number of pairs on which the crossed test decides the same.")]
    s_diff_at_alpha: Annotated[Spread | None, field("S_diff by its own p, over pairs; of Fu et al.'s tests.")] = None


class MethodSummary(Row):
    """One method on all pairs, under one metric."""

    metric: MetricKey
    method: _Drawn
    tests: Annotated[tuple[Decisions, ...], field("The decisions of each of its tests.")]
    same: Annotated[Number | None, field("Pairs on which bootstrap and randomization decide the same.", "bs as ar")]
    pairs: Annotated[Number, field("The number of all pairs.")]
    overlapping: Annotated[Number, field("The number of pairs whose intervals overlap.", "overlap")]
    overlapping_though_apart: Annotated[Number, field("The number of those that the crossed test tells apart.")]
    apart_though_undecided: Annotated[Number, field("Pairs apart by intervals, and not by the crossed test.")]
    s_diff_at_alpha: Annotated[Spread, field("The gain at which p is alpha, over pairs.", "S_diff", "spread score")]


class IntervalsResult(RunsResult, tag="intervals", kw_only=True, rename={"measured": "pairs"}):
    """Intervals of scores by what is drawn, their overlap, and p-values against the size of the gain."""

    title = "Do the intervals overlap?"
    study: ClassVar[str] = "intervals"
    layout: ClassVar[tuple[Show, ...]] = (
        Show(
            "by_method",
            "system method score ci",
            "{level} intervals of scores by what is drawn",
            (DRAWN,),
            stacked=True,
        ),
        Show("summaries", "method pairs same overlapping s_diff_at_alpha", SUMMARIES, (SUMMARY_NOTE,), stacked=True),
    )

    intervals: Annotated[tuple[ScoreInterval, ...], field("The interval of every score by every method.")]
    measured: Annotated[tuple[PairFinding, ...], field("Every two systems by every method.")]
    summaries: Annotated[tuple[MethodSummary, ...], field("Every method under every metric.")]

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, methods = super().used()
        return metrics, [*methods, "intervals"]

    @property
    def by_method(self) -> list[ScoreInterval]:
        """The intervals of all systems, method by method, so that those to compare stand together."""
        return sorted(self.intervals, key=lambda row: [*METHODS].index(row.method))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each pair and metric."""
        records = []
        for by_method in by_pair(self.measured):
            figures = record("metric baseline system delta", by_method["both"])
            figures["delta_one_run"] = by_method["one-run"].delta
            for method, row in by_method.items():
                name = method.replace("-", "_")
                figures[f"overlap_{name}"] = row.overlap
                figures |= {f"p_{test}": row.p.get(test) for test in METHODS[method]}
                figures[f"s_diff_at_alpha_{name}"] = row.s_diff_at_alpha
            records.append(figures)
        return records

    def tables(self, decimals: int | None) -> Iterator[Table | Passages]:
        """Yield intervals, what each method says of each pair, and in how many it agrees with itself."""
        of_scores, of_methods = super().tables(decimals)
        yield of_scores
        pairs = stacked([pair for metric in self.metrics for pair in _pair_tables(self, metric, decimals)])
        count = self.summaries[0].pairs
        yield pairs if count <= _PAIRS_SHOWN else replace(pairs, kind="further")
        if count > 1:
            yield of_methods


@takes(IntervalsOptions)
def intervals(options: IntervalsOptions) -> IntervalsResult:
    """Compare intervals of systems with several runs, their overlap, p-values and the size of the gain (Fu et al.).

    Five methods: segments with one run of each system, the one in the middle (Koehn 2004; Riezler and Maxwell 2005);
    segments with the mean over runs; rows, segment by run, as if they were independent (what Fu et al. take for Clark
    et al.'s method); runs, the test set being what it is (Fu et al.); and both, by the crossed test. Fu et al.'s tests
    need as many runs of both systems; other pairs go without. Published tests have segments as their units, whatever
    ``unit`` is.
    """
    corpus = corpus_of(options)
    check_options(options)
    if len(corpus.systems) < 2:
        raise InputError(f"there is only one system, {corpus.systems[0].name!r}; differences need two", hint=GIVE_RUNS)
    check_several_runs(corpus)
    experiment = replace(Experiment.of(corpus, options), progress=None)
    cautions.check_several_units(experiment)
    pairs = tuple(itertools.starmap(Pair, itertools.combinations(range(len(corpus.systems)), 2)))
    trial = Trial(experiment, pairs, alpha=options.alpha, resamples=options.resamples)
    blocks, units = experiment.statistics.blocks, units_of(experiment)
    single = [replace(trial, experiment=_median_runs(experiment, m)) for m in range(len(blocks))]
    outcomes = _outcomes(trial, single, options.progress)
    made = _score_intervals(trial, single)
    measured = tuple(_measured(trial, single, outcomes, made))
    of_metrics = itertools.product([block.key for block in blocks], METHODS)
    result = IntervalsResult(
        **shared_fields(trial),
        intervals=tuple(made.values()),
        measured=measured,
        summaries=tuple(summarize(measured, metric, method, options.alpha) for metric, method in of_metrics),
        notes=tuple(_notes(trial, outcomes)),
        ending=ENDING(asked=options),
        methods=PARAGRAPH(level=level_words(options.alpha), asked=options, units=units, version=__version__),
        signature=(
            f"intervals:{'+'.join(METHODS)}|{cautions.units_signature(experiment.units)}|alpha:{options.alpha:g}"
            f"|R:{options.resamples}|seed:{options.seed}|version:{__version__}"
        ),
    )
    return structs.replace(result, findings=tuple(_finding(result, metric, units) for metric in result.metrics))


def _median_runs(experiment: Experiment, m: int) -> Experiment:
    """Return every system with one run alone: the one whose score under a metric is in the middle."""
    groups, first = {}, 0
    for system in experiment.corpus.systems:
        last = first + len(system.runs)
        groups[system.name] = [first + middle(experiment.run_scores[m][first:last])]
        first = last
    return experiment.regrouped(groups)


def _equal(trial: Trial) -> tuple[Pair, ...]:
    """Return the pairs whose runs can be swapped."""
    counts = [len(system.runs) for system in trial.experiment.corpus.systems]
    return tuple(pair for pair in trial.pairs if counts[pair.baseline] == counts[pair.system])


def _outcomes(trial: Trial, single: Sequence[Trial], progress: Progress | None) -> dict[str, dict[Key, TestOutcome]]:
    """Run every test on what it is made for; pairs for which it is not defined have none."""
    jobs: list[tuple[str, Trial]] = [(test, of_metric) for of_metric in single for test in METHODS["one-run"]]
    jobs += [("clark2011", replace(trial, pairs=(pair,))) for pair in trial.pairs]  # what takes longest, one by one
    jobs += [(test, trial) for test in ("bootstrap", "crossed", "welch")]
    if equal := _equal(trial):
        jobs += [(test, replace(trial, pairs=equal)) for test in (*METHODS["rows"], *METHODS["runs"])]
    outcomes: dict[str, dict[Key, TestOutcome]] = {test: {} for test in (*_TESTS, "welch")}
    for test, given in jobs:
        for key, outcome in procedure(test)(given).items():
            # The run in the middle is another one for every metric.
            if test not in METHODS["one-run"] or given is single[key[0]]:
                outcomes[test][key] = outcome
        if progress is not None:
            progress("comparing", 1, len(jobs))
    return outcomes


def run_resamples(experiment: Experiment, resamples: int) -> Floats:
    """Score systems whose runs are drawn with replacement, shape (metrics, systems, resamples): Fu et al., table 3.

    The test set stays as it is. Systems are drawn for independently of each other; metrics share their draws.
    """
    edges = np.cumsum((0, *experiment.statistics.blocks[0].run_counts)).tolist()
    resampled = np.empty((len(experiment.run_scores), len(edges) - 1, resamples))
    for s, (first, last) in enumerate(itertools.pairwise(edges)):
        keys = resample_keys(experiment.seed, Stream.INTERVAL_RUNS, s * _NEXT_SYSTEM, resamples)
        counts = bootstrap_counts(keys, last - first).astype(np.float64).T
        for m, scores in enumerate(experiment.run_scores):
            resampled[m, s] = mean_of_runs(counts * scores[first:last, None])
    return resampled


Made = Mapping[tuple[int, int, Method], ScoreInterval]


def _score_intervals(trial: Trial, single: Sequence[Trial]) -> Made:
    """Return the interval of every system's score by every method, metric by metric."""
    experiment, level, resamples = trial.experiment, 1.0 - trial.alpha, trial.resamples
    of_runs = run_resamples(experiment, resamples)
    intervals: dict[tuple[int, int, Method], ScoreInterval] = {}
    for m, s in itertools.product(range(len(single)), range(len(experiment.corpus.systems))):
        one_run, rows = single[m].experiment, laid_end_to_end(experiment, m, (s,))
        score = float(experiment.scores[m, s])
        resampled: dict[Method, tuple[float, Floats, float]] = {
            "one-run": (one_run.scores[m, s], one_run.bootstrap(resamples)[m, s], one_run.factor(level)),
            "all-runs": (score, experiment.bootstrap(resamples)[m, s], experiment.factor(level)),
            "runs": (score, of_runs[m, s], 1.0),  # as published
            "rows": (rows.scores[0, 0], rows.bootstrap(resamples)[0, 0], 1.0),
        }
        made: dict[Method, tuple[float, Interval, float, float]] = {}
        for method, (center, values, factor) in resampled.items():
            interval = bootstrap_interval(float(center), values, level=level, factor=factor)
            made[method] = float(center), interval, float(values.mean()), float(values.std())
        runs = experiment.runs_of(m, s)
        interval, deviation = score_interval(runs, effective_units=experiment.effective_units, level=level)
        made["both"] = score, interval, score, deviation

        metric, system = experiment.statistics.blocks[m].key, experiment.corpus.systems[s].name
        names = {"one-run": one_run.corpus.systems[s].runs[0].name}
        for method, (center, interval, mean, sd) in made.items():
            ends = clip(interval, experiment.limits(m, s)).fields
            row = ScoreInterval(metric, system, method, center, names.get(method), **ends, mean=mean, sd=sd)
            intervals[m, s, method] = row
    return intervals


def _measured(
    trial: Trial, single: Sequence[Trial], outcomes: Mapping[str, Mapping[Key, TestOutcome]], made: Made
) -> Iterator[PairFinding]:
    """Yield what every method says of every pair; without swaps, S_diff is of the bootstrap or of independent rows."""
    swapped = swapped_differences(trial.experiment, _equal(trial), trial.resamples)
    of_medians = [swapped_differences(alone.experiment, trial.pairs, trial.resamples) for alone in single]

    def beyond(null: Floats | None) -> float:
        assert null is not None  # of tests that draw
        return quantiles(np.abs(null), (1.0 - trial.alpha,))[0]

    def half_width(interval: Interval | None) -> float:
        assert interval is not None  # of tests that have one
        return (interval.high - interval.low) / 2.0

    for key in trial.keys:
        m, pair = key
        spread = math.hypot(*(made[m, s, "rows"].sd for s in pair)) * normal_quantile(1.0 - trial.alpha / 2.0)
        rows = outcomes["fu-rows-ar"].get(key)
        at_alpha: dict[Method, float] = {
            "one-run": beyond(of_medians[m][key]),
            "all-runs": beyond(swapped.get(key, outcomes["bootstrap"][key].distribution)),
            "rows": spread if rows is None or rows.critical is None else rows.critical,
            "runs": half_width(outcomes["welch"][key].interval),
            "both": half_width(outcomes["crossed"][key].interval),
        }
        for method, tests in METHODS.items():
            old, new = (made[m, s, method] for s in pair)
            mine = {test: outcomes[test][key] for test in tests if key in outcomes[test]}
            sizes = {test: outcome.critical for test, outcome in mine.items() if outcome.critical is not None}
            yield PairFinding(
                metric=old.metric,
                baseline=old.system,
                system=new.system,
                method=method,
                delta=float(gain(trial.metric(key), np.array(old.score), np.array(new.score))),
                overlap=normal_overlap((old.mean, old.sd), (new.mean, new.sd), level=old.ci_level),
                p_by_test=tuple(PByTest(test, outcome.p_value.p) for test, outcome in mine.items()),
                s_diff_at_alpha=at_alpha[method],
                s_diff_by_test=tuple(itertools.starmap(SDiffByTest, sizes.items())),
            )


def _notes(trial: Trial, outcomes: Mapping[str, Mapping[Key, TestOutcome]]) -> Iterator[Note]:
    """Say what the answer rests on, and what few units, few runs and different numbers of runs do to the methods."""
    experiment = trial.experiment
    runs = [len(system.runs) for system in experiment.corpus.systems]
    yield cautions.size_note(experiment.corpus, experiment.units, runs=runs)
    yield from experiment.notes
    if (few := experiment.few_units_note()) is not None:
        yield few
    if left := len(trial.pairs) - len(_equal(trial)):
        yield Note("unequal-runs", UNEQUAL_RUNS(left=left, pairs=len(trial.pairs)))
    if min(runs) < 10:
        short = 100 * (1 - math.sqrt((min(runs) - 1) / min(runs)))
        yield Note("few-runs", FEW_RUNS(runs=min(runs), short=short))
    yield from cautions.segment_notes(experiment, _TESTS)
    for test, by_key in outcomes.items():
        yield from (note.about(test) for note in notes_of_pairs([*by_key.values()]))


def summarize(findings: Sequence[PairFinding], metric: str, method: Method, alpha: float) -> MethodSummary:
    """Count decisions and overlaps over the pairs.

    Two decisions are the same if they favour the same system, or neither favours one: the median runs of two systems
    may differ the other way round than the means of all runs.
    """
    rows = [
        (by_method[method], by_method["both"].decision("crossed", alpha))
        for by_method in by_pair(findings)
        if by_method["both"].metric == metric
    ]
    tests = []
    for test in METHODS[method]:
        decided = [(row.decision(test, alpha), judge) for row, judge in rows if test in row.p]
        sizes = [size.s_diff_at_alpha for row, _ in rows for size in row.s_diff_by_test if size.test == test]
        significant = sum(decision != 0 for decision, _ in decided)
        as_crossed = sum(decision == judge for decision, judge in decided)
        tests.append(Decisions(test, len(decided), significant, as_crossed, _over_pairs(sizes) if sizes else None))
    same = None
    if method != "both":
        both = [[row.decision(test, alpha) for test in METHODS[method]] for row, _ in rows if len(row.p) == 2]
        same = sum(first == second for first, second in both)
    overlaps = [(row.overlap > 0.0, judge != 0) for row, judge in rows]
    return MethodSummary(
        metric=metric,
        method=method,
        tests=tuple(tests),
        same=same,
        pairs=len(rows),
        overlapping=sum(overlap for overlap, _ in overlaps),
        overlapping_though_apart=overlaps.count((True, True)),
        apart_though_undecided=overlaps.count((False, False)),
        s_diff_at_alpha=_over_pairs([row.s_diff_at_alpha for row, _ in rows]),
    )


def _over_pairs(sizes: Sequence[float]) -> Spread:
    return Spread(*quantiles(np.array(sizes), (0.0, 0.5, 1.0)))


def by_pair(findings: Sequence[PairFinding]) -> list[dict[Method, PairFinding]]:
    """Return the findings of each pair and metric together, by method."""
    pairs: dict[tuple[str, str, str], dict[Method, PairFinding]] = {}
    for row in findings:
        pairs.setdefault((row.metric, row.baseline, row.system), {})[row.method] = row
    return list(pairs.values())


def _finding(result: IntervalsResult, metric: MetricInfo, units: str) -> Finding:
    """Say whether pairs differ, and by which methods their intervals overlap."""
    summaries = [summary for summary in result.summaries if summary.metric == metric.key]
    slots = {"metric": metric, "units": units, "alpha": result.alpha}
    judge = summaries[-1].tests[0]
    if judge.pairs == 1:
        row = next(row for row in result.measured if (row.metric, row.method) == (metric.key, "both"))
        slots |= {"row": row, "gain": digits_of(result, metric).gain(row.delta), "p": p_words(row.p["crossed"])}
        methods = [str(summary.method) for summary in summaries if summary.overlapping]
        overlap = OVERLAP(methods=listing(methods or ["none of the methods"]))
        if judge.significant:
            return Finding(f"{DIFFER(**slots)} {overlap}")
        return Finding(f"{NOT_SHOWN(**slots)} {overlap}", "undecided")
    texts = [DIFFER_MANY(judge=judge, **slots)]
    for sentence, name in ((OVERLAP_MANY, "overlapping_though_apart"), (APART_MANY, "apart_though_undecided")):
        counts = [f"{count} by {summary.method}" for summary in summaries if (count := getattr(summary, name))]
        if counts:
            texts.append(sentence(counts=listing(counts)))
    return Finding(" ".join(texts))


def _pair_tables(result: IntervalsResult, metric: MetricInfo, decimals: int | None) -> Iterator[Table]:
    """Yield what each method says of a pair, the largest gain first."""
    pairs = [by_method for by_method in by_pair(result.measured) if by_method["both"].metric == metric.key]
    for by_method in sorted(pairs, key=lambda by_method: -abs(by_method["both"].delta)):
        rows: list[dict[str, Row | None]] = []
        for method, row in by_method.items():
            p = {known.test: known for known in row.p_by_test}
            rows.append({"": row} | {f"p{place}": p.get(test) for place, test in enumerate(METHODS[method])})
        judged = by_method["both"]
        yield table(
            rows,
            "method delta overlap p0.p p1.p s_diff_at_alpha",
            digits_of(result, metric, decimals),
            headings={"method": f"{metric.label}: {judged.system} − {judged.baseline}", "p1.p": "p ar"},
            caption="Overlap of the intervals, and p-values, by what is drawn",
            notes=(OVERLAP_NOTE,),
            slots=slots_of(result, metric),
        )
