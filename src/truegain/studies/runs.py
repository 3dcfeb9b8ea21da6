"""Runs: what other runs of two systems would have said, and how many it takes to show a gain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from msgspec import structs

from truegain import cautions
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting
from truegain.experiment import Experiment, check_count, check_options, middle, variability, with_development
from truegain.inference.intervals import Alpha, quantiles
from truegain.inference.power import plan_of, runs_needed
from truegain.inference.results import Metrics, Scores, TestName, TestSet, Unit, Units, Variability
from truegain.notes import Finding
from truegain.procedures.base import Pair, Trial
from truegain.procedures.lookup import procedure
from truegain.registry import TESTS
from truegain.report.model import Passages, Table
from truegain.resampling.generator import resample_keys, uniforms
from truegain.resampling.streams import Stream
from truegain.results import Result
from truegain.rows import MetricKey, Number, Proportion, Row, Show, field, record
from truegain.settings.function import takes
from truegain.settings.plan import check_power
from truegain.settings.replicate import ReplicateOptions
from truegain.studies.advice import advice, check_gain, variability_tables
from truegain.studies.given import corpus_of, development_of
from truegain.studies.rank_groups import sign_of
from truegain.version import __version__
from truegain.view import digits_of
from truegain.words import Sentence, describe_testset, gain_heading, label_of, listing, share_text, whole

SHOWN = Sentence(
    "With {runs} of each, {share} of draws show the gain of {system} over {baseline} in {metric}, and {other} the "
    "contrary ({row.test})."
)
NEEDED = Sentence("With {power} power, {needed.runs} runs of each show {gain} {metric} for new runs on new {units}.")
NOT_SHOWN = Sentence(
    "No number of runs shows {gain} {metric} for new runs on new {units} with {power} power: a thousand of each have "
    "{limit}. More {units} would help."
)
DRAWN = (
    "Medians, and the middle 95 % of {result.repetitions:,} draws. Shown: p ≤ {result.alpha:g} in favour of the system "
    "that is better over all runs."
)
PICKED = "Single runs of the system against those of the baseline; high: the best by this metric."
ENDING = Sentence("{tests}, {asked.repetitions:,} draws, {asked.resamples:,} resamples, seed {asked.seed}")
METHODS = Sentence(
    "Runs of {baseline} and of {system} were drawn {how} replacement, {asked.repetitions:,} times for each number, and "
    "tested by {tests} ({asked.resamples:,} resamples, seed {asked.seed}; Clark et al. 2011, section 4). The number of "
    "runs needed is that of the crossed test, for new runs on new {units} (truegain {version})."
)
GIVE_RUNS = ("give them all: ", Setting("systems", {"base": "runs/base.*.txt", "new": "runs/new.*.txt"}))

_PAIR = Pair(0, 1)
_ENDS = (0.025, 0.5, 0.975)
_COLUMNS = "metric test runs=count delta_low delta_median delta_high p_low p_median p_high shown other_way"

Choice = Literal["high", "median", "low"]


class Spread(Row):
    """The middle 95 % of values, and their median."""

    low: Annotated[float, field("The 2.5th percentile.")]
    median: Annotated[float, field("The median.")]
    high: Annotated[float, field("The 97.5th percentile.")]


class Picked(Row):
    """One run of each system, chosen by its score."""

    metric: MetricKey
    new: Annotated[Choice, field("The run of the system.", show="text")]
    old: Annotated[Choice, field("The run of the baseline.", "against", "text")]
    delta: Annotated[float, field("The gain between the two.", "{result.gain_heading}", "gain")]
    p: Annotated[Proportion, field("Its p-value.", "p ar", "p")]


class Drawn(Row):
    """Runs drawn at random, and what a test says of them."""

    metric: MetricKey
    test: Annotated[TestName, field("The test that was run.", show="text")]
    count: Annotated[Number, field("The number of runs of each system in a draw.", "runs drawn")]
    delta: Annotated[Spread, field("The gain, over draws.", "{result.gain_heading}", "spread gain")]
    p: Annotated[Spread, field("The p-value, over draws.", "p", "spread p")]
    shown: Annotated[Proportion, field("The share of draws in which the gain is significant.", show="percent")]
    other_way: Annotated[Proportion, field("The share of draws in which its contrary is significant.")]


class Needed(Row):
    """The number of runs of each system that shows a gain."""

    metric: MetricKey
    gain: Annotated[float, field("The gain to show.")]
    power: Annotated[float, field("The power asked for.")]
    runs: Annotated[Number | None, field("The number of runs of each; none if none is enough on as many units.")]
    limit: Annotated[float, field("The power with a thousand runs of each.")]
    observed: Annotated[float, field("The gain of all runs.")]


class RunsResult(Result, kw_only=True, rename={"scores": "systems"}):
    """What studies of runs have in common."""

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    alpha: Alpha
    resamples: Annotated[Number, field("The number of resamples of each test.")]
    unit: Unit
    n_units: Units

    @property
    def gain_heading(self) -> str:
        """The heading of gains in tables."""
        return gain_heading(self.metrics)


class ReplicateResult(RunsResult, tag="replicate", kw_only=True):
    """Dependence of the conclusion on the runs."""

    title = "How much do runs vary?"
    study: ClassVar[str] = "replicate"
    layout: ClassVar[tuple[Show, ...]] = (
        Show("drawn", "test count delta p shown", "Gains of runs drawn at random", (DRAWN,), stacked=True),
        Show("picked", "new old delta p", "Gains of single runs", (PICKED,), stacked=True),
    )

    variability: Annotated[tuple[Variability, ...], field("How scores vary over runs and test sets.")]
    picked: Annotated[tuple[Picked, ...], field("Single runs chosen by their scores.")]
    drawn: Annotated[tuple[Drawn, ...], field("Runs drawn at random, for each metric, test and number of runs.")]
    needed: Annotated[tuple[Needed, ...], field("The number of runs that shows a gain, metric by metric.")]
    repetitions: Annotated[Number, field("The number of draws of runs.")]
    replacement: Annotated[bool, field("Whether runs are drawn with replacement.")]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each metric, test and number of runs."""
        return [record(_COLUMNS, row) for row in self.drawn]

    def tables(self, decimals: int | None) -> Iterator[Table | Passages]:
        """Yield drawn runs, picked runs (Clark et al., table 2), and how scores vary."""
        yield from super().tables(decimals)
        yield from variability_tables(self, decimals)


@takes(ReplicateOptions)
def replicate(options: ReplicateOptions) -> ReplicateResult:
    """See how the conclusion depends on the runs, and how many are needed (Clark et al. 2011, section 4).

    Runs are drawn from a pool of many, again and again, and tested: of two systems with several runs each.
    """
    tests = (options.test,) if isinstance(options.test, str) else tuple(dict.fromkeys(options.test))
    check_options(options)
    for name in tests:
        procedure(name)  # refuses names that no test has
    check_count("repetitions", options.repetitions)
    check_power(options.power, options.alpha)
    check_gain(options.gain)
    corpus, development = with_development(corpus_of(options), development_of(options))
    if len(corpus.systems) != 2:
        raise InputError(f"a study of runs takes two systems; got {len(corpus.systems)}", hint=GIVE_RUNS)
    check_several_runs(corpus)
    experiment = replace(Experiment.of(corpus, options), progress=None)
    counts = _counts_of(options, min(len(each.runs) for each in corpus.systems))
    varies = variability(experiment, options.resamples, development)
    trial = Trial(experiment, (_PAIR,), alpha=options.alpha, resamples=options.resamples)
    needed = tuple(_needed(trial, options))
    units = units_of(experiment)
    slots = {
        "baseline": corpus.systems[0].name,
        "system": corpus.systems[1].name,
        "tests": listing([label_of(test) for test in tests]),
        "how": {True: "with", False: "without"}[options.replacement],
        "asked": options,
        "units": units,
        "version": __version__,
    }
    result = ReplicateResult(
        **shared_fields(trial, development),
        variability=varies,
        picked=tuple(_picked(trial)),
        drawn=tuple(_drawn(trial, tests, counts, options)),
        needed=needed,
        repetitions=options.repetitions,
        replacement=options.replacement,
        notes=(
            cautions.size_note(corpus, experiment.units, runs=[len(each.runs) for each in corpus.systems]),
            *experiment.notes,
            *advice(varies, {row.metric: row.gain for row in needed}, experiment.metric_infos()),
        ),
        ending=ENDING(tests=listing(tests), asked=options),
        methods=METHODS(**slots),
        signature=(
            f"tests:{'+'.join(tests)}|{cautions.units_signature(experiment.units)}|repetitions:{options.repetitions}"
            f"|replacement:{'yes' if options.replacement else 'no'}|R:{options.resamples}|seed:{options.seed}"
            f"|version:{__version__}"
        ),
    )
    return structs.replace(result, findings=tuple(_findings(result, units)))


def shared_fields(trial: Trial, development: Corpus | None = None) -> dict[str, Any]:
    """Return the fields that results of studies of runs have in common."""
    experiment = trial.experiment
    testset = experiment.testset(development)
    scores = experiment.system_results(None, 1.0 - trial.alpha, "percentile")
    return {
        "testset": testset,
        "metrics": experiment.metric_infos(),
        "scores": scores,
        "alpha": trial.alpha,
        "resamples": trial.resamples,
        "unit": experiment.units.kind,
        "n_units": experiment.units.count,
        "about": describe_testset(testset, scores),
    }


def check_several_runs(corpus: Corpus) -> None:
    """Refuse a system with a single run."""
    for system in corpus.systems:
        if len(system.runs) < 2:
            raise InputError(f"{system.name!r} has only one run; several of each system are needed", hint=GIVE_RUNS)


def _counts_of(options: ReplicateOptions, smallest: int) -> list[int]:
    """Return the numbers of runs to draw; without replacement, those that the smaller pool has."""
    counts = sorted({count for count in options.counts if count <= smallest or options.replacement})
    if not counts or counts[0] < 1:
        given = ", ".join(map(str, options.counts)) or "none"
        raise InputError(f"counts of runs must be from 1 to {smallest}; got {given}")
    return counts


def _findings(result: ReplicateResult, units: str) -> Iterator[Finding]:
    """Yield, for each metric, what the fewest runs drawn show, and how many runs show the gain."""
    names = list(dict.fromkeys(score.name for score in result.scores))
    for metric, needed in zip(result.metrics, result.needed, strict=True):
        baseline, system = names if needed.observed >= 0.0 else names[::-1]
        slots: dict[str, Any] = {"metric": metric.label, "baseline": baseline, "system": system, "units": units}
        for row in [row for row in result.drawn if row.metric == metric.key][:1]:
            shares = {"share": share_text(row.shown), "other": share_text(row.other_way)}
            yield Finding(SHOWN(row=row, runs=whole(row.count, "run"), **shares, **slots))
        slots |= {"power": share_text(needed.power), "limit": share_text(needed.limit), "needed": needed}
        slots["gain"] = digits_of(result, metric).gain(needed.gain)
        if needed.runs is None:
            yield Finding(NOT_SHOWN(**slots), "undecided")
        else:
            yield Finding(NEEDED(**slots))


def _picked(trial: Trial) -> Iterator[Picked]:
    """Pick one run of each with an intention: at best, in the middle, at worst (Clark et al., table 2)."""
    experiment = trial.experiment
    baseline, system = experiment.corpus.systems
    first = len(baseline.runs)
    ways: dict[Choice, Choice] = {"high": "low", "median": "median", "low": "high"}
    for m, block in enumerate(experiment.statistics.blocks):
        scores = sign_of(block.metric) * experiment.run_scores[m]
        olds, news = (
            {"low": int(part.argmin()), "median": middle(part), "high": int(part.argmax())}
            for part in (scores[:first], scores[first:])
        )
        for new, old in ways.items():
            runs = {baseline.name: [olds[old]], system.name: [first + news[new]]}
            single = replace(trial, experiment=experiment.regrouped(runs))
            p = procedure("ar")(single)[m, _PAIR].p_value.p
            yield Picked(block.key, new, old, single.delta((m, _PAIR)), p)


def _drawn(trial: Trial, tests: Sequence[str], counts: Sequence[int], options: ReplicateOptions) -> Iterator[Drawn]:
    """Draw every number of runs again and again, and test the draws; one run of each claims nothing of new ones."""
    blocks, repetitions = trial.experiment.statistics.blocks, options.repetitions
    for place, count in enumerate(counts):
        possible = [test for test in tests if count > 1 or (test != "crossed" and TESTS[test].unit != "run")]
        p = np.empty((len(possible), len(blocks), repetitions))
        deltas = np.empty((len(blocks), repetitions))
        for repetition in range(repetitions):
            number = place * repetitions + repetition
            of_runs = _of_drawn_runs(trial.experiment, count, number, replacement=options.replacement)
            draw = replace(trial, experiment=of_runs)
            for m in range(len(blocks)):
                deltas[m, repetition] = draw.delta((m, _PAIR))
            for t, test in enumerate(possible):
                for (m, _), outcome in procedure(test)(draw).items():
                    p[t, m, repetition] = outcome.p_value.p
            if options.progress is not None:
                options.progress("drawing runs", 1, len(counts) * repetitions)
        for m, block in enumerate(blocks):
            gains = Spread(*quantiles(deltas[m], _ENDS))
            side = deltas[m] if trial.delta((m, _PAIR)) >= 0.0 else -deltas[m]
            for t, test in enumerate(possible):
                significant, spread = p[t, m] <= trial.alpha, Spread(*quantiles(p[t, m], _ENDS))
                shares = (float(np.mean(significant & favoured)) for favoured in (side > 0.0, side < 0.0))
                yield Drawn(block.key, test, count, gains, spread, *shares)


def _of_drawn_runs(experiment: Experiment, count: int, number: int, *, replacement: bool) -> Experiment:
    """Return the experiment with runs drawn from those of both systems, which are numbered over both."""
    pool = [len(system.runs) for system in experiment.corpus.systems]
    values = uniforms(resample_keys(experiment.seed, Stream.REPLICATED_RUNS, number, 1), max(sum(pool), 2 * count))[0]
    runs = {}
    for s, (system, first, size) in enumerate(zip(experiment.corpus.systems, (0, pool[0]), pool, strict=True)):
        if replacement:
            places = (values[s * count : (s + 1) * count] * size).astype(int)
        else:
            places = np.argsort(values[first : first + size], kind="stable")[:count]
        runs[system.name] = (first + places).tolist()
    return experiment.regrouped(runs)


def _needed(trial: Trial, options: ReplicateOptions) -> Iterator[Needed]:
    """Yield how many runs show the gain."""
    experiment = trial.experiment
    for m, block in enumerate(experiment.statistics.blocks):
        plan = plan_of(experiment.runs_of(m, 0), experiment.runs_of(m, 1), experiment.effective_units)
        observed = trial.delta((m, _PAIR))
        gain = abs(observed if options.gain is None else options.gain)
        runs = runs_needed(plan, gain, power=options.power, alpha=trial.alpha)
        limit = plan.power(gain, (1000, 1000), alpha=trial.alpha)  # more of each add nothing to the power
        yield Needed(block.key, gain, options.power, runs, limit, observed)


def units_of(experiment: Experiment) -> str:
    """Return what the test set is drawn from: segments, documents, or what items without texts are called."""
    return f"{experiment.unit_noun}s"
