"""Can I trust this test on my data? Its measured size under true null hypotheses, and its power under a known gain."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import msgspec.structs
import numpy as np
from numpy.typing import NDArray

from truegain.cautions import check_blocks, size_note, units_signature
from truegain.corpus import Corpus
from truegain.engines.engine import Engine
from truegain.errors import InputError, one_of
from truegain.executors.over import HERE, Workers, over
from truegain.executors.pools import can_run_in_processes, processes
from truegain.experiment import Experiment, check_count, check_options
from truegain.inference.intervals import quantiles
from truegain.inference.pvalues import Alternative, clopper_pearson
from truegain.inference.results import Metrics, TestName, TestSet, Unit
from truegain.notes import Finding, Note, Tone
from truegain.procedures.base import Pair, Trial
from truegain.procedures.lookup import procedure
from truegain.registry import TESTS
from truegain.report.model import Cell, Column, Table
from truegain.results import Result, no_entry
from truegain.rows import Count, MetricKey, Number, Proportion, Row, field, record
from truegain.settings.calibrate import CalibrateOptions
from truegain.settings.function import takes
from truegain.settings.groups import Progress
from truegain.studies.given import corpus_of
from truegain.studies.nulls import DataMaker, Nulls, SwappedUnits, exchanged_notes, nulls_of, with_gain
from truegain.version import __version__
from truegain.view import stacked
from truegain.words import Sentence, as_given, label_of, listing, signed, whole

KEPT = Sentence("The level is kept by {tests}: at 5 %, a rate above {most:g} % is excluded.")
KEPT_BY_CONSTRUCTION = Sentence(
    "By construction the level is kept by {tests}: these datasets are made by the same swaps."
)
NO_EXCESS = Sentence(
    "No excess is found for {tests}, but up to {most:.1f} % at 5 % is not excluded; {needed:,} datasets would tell."
)
TOO_RARELY = Sentence("True null hypotheses are rejected less often than at 5 % by {tests}, which costs only power.")
TOO_OFTEN = Sentence("True null hypotheses are rejected too often by {tests}.")
TOO_OFTEN_FOR_NEW_RUNS = Sentence("Differences are found too often to be read as about new runs by {tests}.")
POWER = Sentence("A gain of {gain} {metric} is found at 5 % in {shares} of datasets.")
RATES = Sentence("Rejections in % of {datasets}, with 95 % intervals.")
REACHED = Sentence("The mean gain of these datasets is {reached} {metric}.")
ABOUT = Sentence("{testset}  {systems} · {how} · {datasets}")
ENDING = Sentence("{datasets}, {resamples:,} resamples, seed {seed}")
METHODS = Sentence(
    "Rejections were counted for {tests} on {datasets} made from {systems}: {how} ({resamples:,} resamples, seed "
    "{seed}, truegain {version})."
)
OTHER_TEST = Sentence("the {test} took its place")

#: The levels at which rejections are counted.
LEVELS = (0.01, 0.05, 0.10)
#: A test keeps its level if a rate above this many times the level is excluded.
TOLERATED = 1.5
_QUANTILES = 101
_STEP = 100  # datasets: how finely the number needed is told

#: Tests whose null is that outputs can be swapped.
_SWAPPING = ("ar", "exact", "riezler2005-ar", "clark2011")

Verdict = Literal["keeps its level", "no excess found", "too often", "too rarely"]


def keeps_level(test: str, unit: str, null_unit: str) -> bool:
    """Return whether a test swaps what the nulls swap, and so keeps its level on them by construction.

    Parameters
    ----------
    test : str
    unit : str
        What tests resample whose unit can be chosen.
    null_unit : str
        What was swapped as a whole to make the nulls.
    """
    return test in _SWAPPING and (unit if TESTS[test].unit == "as chosen" else "segment") == null_unit


class Rate(Row, rename={"interval": "ci"}):
    """Rejections by a test at a level."""

    level: Annotated[float, field("The level.")]
    rejections: Annotated[Number, field("The number of rejections.")]
    repetitions: Annotated[Number, field("The number of datasets.")]
    rate: Annotated[Proportion, field("The share of rejections.")] = 0.0
    interval: Annotated[tuple[Proportion, Proportion], field("The 95 % Clopper–Pearson interval of the rate.")] = (
        0.0,
        1.0,
    )

    def __post_init__(self) -> None:
        self._derive(
            rate=self.rejections / self.repetitions, interval=clopper_pearson(self.rejections, self.repetitions)
        )

    @property
    def verdict(self) -> Verdict:
        """Verdict of the interval: a rate above the level, below it, not materially above it, or none of these."""
        low, high = self.interval
        if low > self.level:
            return "too often"
        if high < self.level:
            return "too rarely"
        return "keeps its level" if high <= TOLERATED * self.level else "no excess found"

    @property
    def needed(self) -> int:
        """Return the number of datasets, in hundreds, at which this rate, and a rate at the level, would settle it.

        That is some thousands at most: no rate lies both near the level and near what is tolerated.
        """
        count = self.repetitions
        while True:
            count += _STEP - count % _STEP
            found = (Rate(self.level, round(rate * count), count).verdict for rate in (self.rate, self.level))
            if "no excess found" not in found:
                return count


def _rates(p: tuple[float, ...]) -> tuple[Rate, ...]:
    return tuple(Rate(level, sum(one <= level for one in p), len(p)) for level in LEVELS)


_Rates = Annotated[tuple[Rate, ...], field("Rejections at the levels 0.01, 0.05 and 0.1.")]
_PValues = Annotated[tuple[Proportion, ...], field("The p-value on each dataset.", min_length=1)]


class Measured(Row):
    """P-values of a test on datasets without a difference."""

    metric: MetricKey
    test: TestName
    p: _PValues
    rates: _Rates = ()
    verdict: Annotated[Verdict, field("The verdict on the level, by the rate at 5 %.")] = "no excess found"
    needed: Annotated[
        int | None, field("The number of datasets that would settle whether the level is kept; none if these did.")
    ] = None
    quantiles: Annotated[
        tuple[Proportion, ...],
        field("Quantiles 0, .01, …, 1 of the p-values, for a plot against those of a uniform variable."),
    ] = ()

    def __post_init__(self) -> None:
        self._derive(rates=_rates(self.p))
        # At the other levels only what is beyond a 99.9 % interval counts: three looks would else be wrong too often.
        beyond = (clopper_pearson(rate.rejections, rate.repetitions, 0.999)[0] > rate.level for rate in self.rates)
        verdict = "too often" if any(beyond) else self.size.verdict
        levels = tuple(np.linspace(0.0, 1.0, _QUANTILES).tolist())
        self._derive(
            verdict=verdict,
            needed=self.size.needed if verdict == "no excess found" else None,
            quantiles=tuple(quantiles(np.array(self.p), levels)),
        )

    @property
    def size(self) -> Rate:
        """Rejections at 5 %."""
        return self.rates[1]


class Power(Row):
    """P-values of a test on datasets with a known gain."""

    metric: MetricKey
    test: TestName
    gain: Annotated[float, field("The gain asked for.")]
    reached: Annotated[float, field("The mean gain of the datasets.")]
    p: _PValues
    rates: _Rates = ()

    def __post_init__(self) -> None:
        self._derive(rates=_rates(self.p))


_PAIR = (Pair(0, 1),)
_OF_UNITS, _OF_RUNS = ("ar", "bootstrap"), ("crossed", "run-permutation", "welch")
_PART = 25  # repetitions done at once by a worker
_REACHED = 200  # datasets whose gain is averaged
_WORTH_PROCESSES = 100  # repetitions, below which starting processes takes longer than it saves
_COLUMNS = "metric test gain level rejections repetitions rate low=ci_low high=ci_high"


class CalibrationResult(Result, tag="calibrate", kw_only=True):
    """Rates at which tests reject on data without a difference, and with a known one.

    ``result["bleu", "ar"]`` is what was measured of a test under a metric.
    """

    title = "Can the test be trusted?"
    study: ClassVar[str] = "calibrate"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    systems: Annotated[tuple[str, ...], field("The systems.", min_length=1)]
    how: Annotated[str, field("How datasets without a difference were made.")]
    measured: Annotated[tuple[Measured, ...], field("What was measured of each test under each metric.", min_length=1)]
    power: Annotated[tuple[Power, ...], field("The same with a known gain; empty if no gain was asked for.")]
    null_unit: Annotated[
        str,
        field('What was swapped as a whole to make datasets, or "run": what was dealt out.'),
    ]
    n_null_units: Annotated[Count, field("The number of these that the data have.")]
    null_block_length: Annotated[
        Count | None, field("The number of segments of a block; none if blocks were not swapped.")
    ]
    unit: Annotated[Unit, field("What tests resample whose unit can be chosen.")]
    n_units: Annotated[Number, field("The number of units in one dataset.")]
    repetitions: Annotated[Number, field("The number of datasets.")]
    resamples: Annotated[Number, field("The number of resamples of each test.")]
    alternative: Annotated[Literal["two-sided", "greater", "less"], field("The alternative hypothesis.")]
    about_new_runs: Annotated[bool, field("Whether the null hypothesis is about new runs.")] = False

    def __post_init__(self) -> None:
        self._derive(about_new_runs=self.null_unit == "run")

    def __getitem__(self, key: tuple[str, str]) -> Measured:
        for one in self.measured:
            if (one.metric, one.test) == key:
                return one
        raise no_entry(key, self._keys())

    def _keys(self) -> list[tuple[str, ...]]:
        return [(one.metric, one.test) for one in self.measured]

    def __iter__(self) -> Iterator[Measured]:
        return iter(self.measured)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each metric, test and level."""
        measured: list[Measured | Power] = [*self.measured, *self.power]
        return [record(_COLUMNS, rate, one, {"gain": 0.0}) for one in measured for rate in one.rates]

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield rates without a difference, and with a known gain."""
        places = 1 if decimals is None else decimals
        note = RATES(datasets=whole(self.repetitions, "dataset"))
        sizes, powers = [], []
        for metric in self.metrics:
            measured = [row for row in self.measured if row.metric == metric.key]
            sizes.append(_rates_table(measured, f"{metric.label}, no difference", note, places))
            if power := [row for row in self.power if row.metric == metric.key]:
                heading = f"{metric.label}, gain of {as_given(power[0].gain)}"
                reached = REACHED(reached=signed(power[0].reached, 3), metric=metric.label)
                powers.append(_rates_table(power, heading, reached, places))
        yield stacked(sizes)
        if powers:
            yield stacked(powers)


@takes(CalibrateOptions)
def calibrate(options: CalibrateOptions) -> CalibrationResult:
    """Measure how often tests find a difference in data without one, made of the given data.

    With two systems of as many runs each, their outputs are swapped at random: neither is better then. What depends on
    each other is swapped as a whole, so that tests with too small a unit are found out. With one system of four runs or
    more, its runs are dealt out to two: neither is better for new runs then.
    """
    corpus = corpus_of(options)
    tests = _tests_of(options, corpus)
    experiment = Experiment.of(corpus, options)
    # Data sets are small and many: they go where the engine has its workers, and each is tested there in one thread.
    workers = experiment.engine.workers
    experiment = replace(experiment, engine=Engine(), progress=None)
    if options.unit == "block":
        experiment = experiment.in_blocks([(0, 1)] if len(corpus.systems) > 1 else [])
    nulls = nulls_of(experiment, size=options.size, runs=options.runs, null_unit=options.null_unit)
    gaining = [] if options.gain is None else with_gain(nulls, options.gain)
    p, power = _tested(nulls, gaining, tests, workers, options)
    keys = [block.key for block in experiment.statistics.blocks]
    first = [make(0) for make in nulls.makers]
    systems = tuple(system.name for system in corpus.systems)
    datasets = whole(options.repetitions, "dataset")
    result = CalibrationResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        systems=systems,
        how=nulls.how,
        null_unit=nulls.unit,
        n_null_units=nulls.n_units,
        null_block_length=nulls.block_length,
        measured=tuple(
            Measured(keys[m], name, tuple(p[t, m].tolist()))
            for m, (t, name) in itertools.product(range(len(keys)), enumerate(tests))
        ),
        power=power,
        unit=first[0].units.kind,
        n_units=first[0].units.count,
        repetitions=options.repetitions,
        resamples=options.resamples,
        alternative=options.alternative,
        about=ABOUT(testset=experiment.testset().name, systems=listing(systems), how=nulls.how, datasets=datasets),
        notes=(*_notes(experiment, nulls, gaining, options), *_replaced(first, tests, options)),
        ending=ENDING(datasets=datasets, resamples=options.resamples, seed=options.seed),
        methods=METHODS(
            tests=listing([label_of(test) for test in tests]),
            datasets=datasets,
            systems=listing(systems),
            how=nulls.how,
            resamples=options.resamples,
            seed=options.seed,
            version=__version__,
        )
        + nulls.levelled,
        signature=(
            f"{nulls.signature}|tests:{'+'.join(tests)}"
            f"|{units_signature(first[0].units)}|alternative:{options.alternative}|repetitions:{options.repetitions}"
            f"|R:{options.resamples}|seed:{options.seed}|version:{__version__}"
        ),
    )
    return msgspec.structs.replace(result, findings=tuple(findings_of(result)))


#: Returns p-values of tests on datasets that are made one by one, given what is told of progress.
Measuring = Callable[..., NDArray[np.float64]]


def _tested(
    nulls: Nulls, gaining: Sequence[SwappedUnits], tests: Sequence[str], workers: Workers, options: CalibrateOptions
) -> tuple[NDArray[np.float64], tuple[Power, ...]]:
    """Return p-values without a difference, shape (tests, metrics, datasets), and what is found with a gain."""
    with _worth_their_start([*nulls.makers, *gaining], options.repetitions, workers) as chosen:
        measuring: Measuring = partial(
            measure,
            tests=tests,
            repetitions=options.repetitions,
            resamples=options.resamples,
            alternative=options.alternative,
            workers=chosen,
        )
        reporter = _reporter(options.progress, "nulls", options.repetitions * len(nulls.makers))
        p = np.concatenate([measuring(make, progress=reporter) for make in nulls.makers], axis=1)
        return p, _power(gaining, tests, measuring, options)


def _tests_of(options: CalibrateOptions, corpus: Corpus) -> tuple[str, ...]:
    """Return the tests that are asked for, if all options can be."""
    test = options.test
    if test is None:
        test = _OF_RUNS if len(corpus.systems) == 1 else _OF_UNITS
    tests = (test,) if isinstance(test, str) else tuple(dict.fromkeys(test))
    check_options(options)
    for name in tests:
        if name not in TESTS:
            raise one_of("test", name, list(TESTS))
    if not tests:
        raise InputError("there is no test to calibrate", hint=f"choose among {', '.join(TESTS)}")
    check_count("repetitions", options.repetitions)
    drawn = options.unit == "block" or "stationary-bootstrap" in tests
    check_blocks(unit=options.unit, block_length=options.block_length, drawn=drawn)
    return tests


def measure(
    make: DataMaker,
    tests: Sequence[str],
    *,
    repetitions: int,
    resamples: int,
    alternative: Alternative = "two-sided",
    workers: Workers = HERE,
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.float64]:
    """Return p-values of tests on datasets 0 to ``repetitions``, shape (tests, metrics, repetitions)."""
    trials = _Trials(make, tuple(tests), resamples, alternative)
    found = []
    for p in over(_p_values, trials, 0, repetitions, workers, size=_PART):
        found.append(p)
        if progress is not None:
            progress(p.shape[-1])
    return np.concatenate(found, axis=-1)


class _Trials(NamedTuple):
    """What makes data sets, and how each is tested."""

    make: DataMaker
    tests: tuple[str, ...]
    resamples: int
    alternative: Alternative


def _p_values(trials: _Trials, first: int, end: int) -> NDArray[np.float64]:
    """Return p-values of tests on some of the data sets, shape (tests, metrics, data sets)."""
    found = []
    for repetition in range(first, end):
        experiment = trials.make(repetition)
        trial = Trial(experiment, _PAIR, trials.alternative, resamples=trials.resamples)
        findings = [procedure(name)(trial) for name in trials.tests]
        count = len(experiment.statistics.blocks)
        found.append([[one[m, _PAIR[0]].p_value.p for m in range(count)] for one in findings])
    return np.moveaxis(np.array(found), 0, -1)


@contextmanager
def _worth_their_start(makers: Sequence[DataMaker], repetitions: int, workers: Workers) -> Iterator[Workers]:
    """Give processes for threads, if they are worth their start: tests of small data sets are Python's own work."""
    if not workers.shares_memory:
        yield workers
    elif workers.jobs == 1 or repetitions < _WORTH_PROCESSES or not can_run_in_processes(makers):
        yield HERE
    else:
        with processes(workers.jobs) as others:
            yield others


def _notes(
    experiment: Experiment, nulls: Nulls, gaining: Sequence[SwappedUnits], options: CalibrateOptions
) -> Iterator[Note]:
    """Yield what the datasets are made of, and what they cannot show."""
    corpus = experiment.corpus
    yield size_note(corpus, experiment.units, runs=[len(system.runs) for system in corpus.systems])
    yield from nulls.notes
    if options.gain is not None:
        yield from exchanged_notes(gaining, options.gain)
    yield from experiment.notes
    yield from nulls.makers[0](0).unit_notes


def _replaced(first: Sequence[Experiment], tests: Sequence[str], options: CalibrateOptions) -> Iterator[Note]:
    """Note tests that gave way to another: exact randomization to random swaps, the bootstrap to that of blocks."""
    for experiment, name in itertools.product(first, tests):
        trial = Trial(experiment, _PAIR, options.alternative, resamples=options.resamples)
        for (m, _), outcome in procedure(name)(trial).items():
            if outcome.test != name:
                label = experiment.statistics.blocks[m].metric.label
                other = Note("other-test", OTHER_TEST(test=TESTS[outcome.test].label))
                why = next((note for note in outcome.notes if note.kind == "random-swaps"), other)
                yield why.about(f"{name} of {label}")


def _power(
    makers: Sequence[SwappedUnits], tests: Sequence[str], measuring: Measuring, options: CalibrateOptions
) -> tuple[Power, ...]:
    """Test datasets with a gain, metric by metric."""
    repetitions = options.repetitions
    powers: list[Power] = []
    for maker in makers:
        block = maker.experiment.statistics.blocks[0]
        p = measuring(maker, progress=_reporter(options.progress, f"gains of {block.metric.label}", repetitions))
        reached = float(np.mean([_gain_of(maker(number)) for number in range(min(repetitions, _REACHED))]))
        for t, name in enumerate(tests):
            powers.append(Power(block.key, name, options.gain or 0.0, reached, tuple(p[t, 0].tolist())))
    return tuple(powers)


def _reporter(progress: Progress | None, stage: str, total: int) -> Callable[[int], None] | None:
    return None if progress is None else lambda done: progress(stage, done, total)


def _gain_of(experiment: Experiment) -> float:
    return Trial(experiment, _PAIR).delta((0, _PAIR[0]))


def findings_of(result: CalibrationResult) -> Iterator[Finding]:
    """Yield which tests keep their level, in a sentence for each outcome, and with which power."""
    labels = {metric.key: metric.label for metric in result.metrics}
    exact = [row for row in result.measured if keeps_level(row.test, result.unit, result.null_unit)]
    by_verdict: dict[Verdict, list[Measured]] = {}
    for row in result.measured:
        if row not in exact:
            by_verdict.setdefault(row.verdict, []).append(row)

    def names(rows: Sequence[Measured]) -> str:
        several = len(labels) > 1
        return listing([f"{row.test} ({labels[row.metric]})" if several else row.test for row in rows])

    if rows := by_verdict.get("keeps its level"):
        yield Finding(KEPT(tests=names(rows), most=100 * LEVELS[1] * TOLERATED), "good")
    if exact:
        tests = listing(list(dict.fromkeys(row.test for row in exact)))
        yield Finding(KEPT_BY_CONSTRUCTION(tests=tests), "good")
    if rows := by_verdict.get("no excess found"):
        most = max(100 * row.size.interval[1] for row in rows)
        needed = max(row.needed or 0 for row in rows)
        yield Finding(NO_EXCESS(tests=names(rows), most=most, needed=needed), "undecided")
    if rows := by_verdict.get("too rarely"):
        yield Finding(TOO_RARELY(tests=names(rows)))
    if rows := by_verdict.get("too often"):
        sentence = TOO_OFTEN_FOR_NEW_RUNS if result.about_new_runs else TOO_OFTEN
        yield Finding(sentence(tests=names(rows)), "bad")
    for metric in result.metrics:
        if powers := [row for row in result.power if row.metric == metric.key]:
            shares = listing([f"{100 * row.rates[1].rate:.1f} % ({row.test})" for row in powers])
            yield Finding(POWER(gain=as_given(powers[0].gain), metric=metric.label, shares=shares))


def _rates_table(rows: Sequence[Measured] | Sequence[Power], heading: str, note: str, places: int) -> Table:
    """Return the rejections of each test at each level; too many are bad."""
    columns = (Column(heading, "left"), *(Column(f"at {100 * level:g} %") for level in LEVELS))
    cells = tuple((Cell(row.test), *(_rate_cell(rate, row, places) for rate in row.rates)) for row in rows)
    return Table(columns, cells, heading, (note,))


def _rate_cell(rate: Rate, row: Measured | Power, places: int) -> Cell:
    low, high = (f"{100 * end:.{places}f}" for end in rate.interval)
    tone: Tone = "bad" if isinstance(row, Measured) and rate.verdict == "too often" else "plain"
    return Cell(f"{100 * rate.rate:.{places}f}", tone, rate.rate, spread=f"({low} – {high})")
