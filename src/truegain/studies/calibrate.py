"""Can I trust this test on my data? Its measured size under true null hypotheses, and its power under a known gain."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import msgspec.structs
import numpy as np
from numpy.typing import NDArray

from truegain.cautions import check_blocks, size_note, units_signature
from truegain.corpus import Corpus
from truegain.engines.engine import Engine
from truegain.errors import InputError
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
from truegain.studies.given import corpus_of
from truegain.studies.nulls import DataMaker, Nulls, SwappedUnits, alone, exchanged_notes, nulls_of
from truegain.version import __version__
from truegain.view import stacked
from truegain.words import Sentence, as_given, label_of, listing, signed, whole

KEPT_BY_CONSTRUCTION = Sentence(
    "By construction the level is kept by {tests}: these datasets are made by the same swaps."
)
KEPT = Sentence("The level is kept by {tests}: at 5 %, a rate above {most:.1f} % is excluded.")
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
    "{seed}, truegain {version}).{levelled}"
)
OTHER_TEST = Sentence("the {test} took its place")

#: The levels at which rejections are counted.
LEVELS = (0.01, 0.05, 0.10)
#: A test keeps its level if a rate above this many times the level is excluded.
TOLERATED = 1.5

#: Tests whose null is that outputs can be swapped.
_SWAPPING = ("ar", "exact", "riezler2005-ar", "clark2011")
_PAIR = Pair(0, 1)
_STEP = 100  # datasets: how finely the number needed is told
_PART = 25  # repetitions done at once by a worker
_REACHED = 200  # datasets whose gain is averaged
_WORTH_PROCESSES = 100  # repetitions, below which starting processes takes longer than it saves
_COLUMNS = "metric test gain level rejections repetitions rate low=ci_low high=ci_high"

Verdict = Literal["keeps its level", "no excess found", "too often", "too rarely"]
#: What is said of tests by their verdicts, in this order.
_ANSWERS: dict[Verdict, tuple[Sentence, Tone]] = {
    "keeps its level": (KEPT, "good"),
    "no excess found": (NO_EXCESS, "undecided"),
    "too rarely": (TOO_RARELY, "plain"),
    "too often": (TOO_OFTEN, "bad"),
}


class Rate(Row, rename={"interval": "ci"}):
    """Rejections by a test at a level."""

    level: Annotated[float, field("The level.")]
    rejections: Annotated[Number, field("The number of rejections.")]
    repetitions: Annotated[Number, field("The number of datasets.")]
    rate: Annotated[Proportion, field("The share of rejections.")] = 0.0
    interval: Annotated[tuple[Proportion, Proportion], field("Its 95 % Clopper–Pearson interval.")] = (0.0, 1.0)

    def __post_init__(self) -> None:
        rejections, repetitions = self.rejections, self.repetitions
        self._derive(rate=rejections / repetitions, interval=clopper_pearson(rejections, repetitions))

    @property
    def verdict(self) -> Verdict:
        """Whether the interval lies above the level, below it, not materially above it, or none of these."""
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
    return tuple(Rate(level, sum(value <= level for value in p), len(p)) for level in LEVELS)


_Rates = Annotated[tuple[Rate, ...], field("Rejections at the levels 0.01, 0.05 and 0.1.")]
_PValues = Annotated[tuple[Proportion, ...], field("The p-value on each dataset.", min_length=1)]


class Measured(Row):
    """P-values of a test on datasets without a difference."""

    metric: MetricKey
    test: TestName
    p: _PValues
    rates: _Rates = ()
    verdict: Annotated[Verdict, field("The verdict on the level, by the rate at 5 %.")] = "no excess found"
    needed: Annotated[int | None, field("How many datasets would settle it; none if these did.")] = None
    quantiles: Annotated[tuple[Proportion, ...], field("Quantiles 0, .01, …, 1 of the p-values, for a plot.")] = ()

    def __post_init__(self) -> None:
        self._derive(rates=_rates(self.p))
        size = self.size
        # At the other levels only what is beyond a 99.9 % interval counts: three looks would else be wrong too often.
        beyond = (clopper_pearson(rate.rejections, rate.repetitions, 0.999)[0] > rate.level for rate in self.rates)
        verdict = "too often" if any(beyond) else size.verdict
        needed = size.needed if verdict == "no excess found" else None
        in_hundredths = quantiles(np.array(self.p), tuple(np.linspace(0.0, 1.0, 101).tolist()))
        self._derive(verdict=verdict, needed=needed, quantiles=tuple(in_hundredths))

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
    null_unit: Annotated[str, field('What was swapped as a whole to make datasets, or "run": what was dealt out.')]
    n_null_units: Annotated[Count, field("The number of these that the data have.")]
    null_block_length: Annotated[Count | None, field("The segments of a block; none if blocks were not swapped.")]
    unit: Annotated[Unit, field("What tests resample whose unit can be chosen.")]
    n_units: Annotated[Number, field("The number of units in one dataset.")]
    repetitions: Annotated[Number, field("The number of datasets.")]
    resamples: Annotated[Number, field("The number of resamples of each test.")]
    alternative: Annotated[Literal["two-sided", "greater", "less"], field("The alternative hypothesis.")]
    about_new_runs: Annotated[bool, field("Whether the null hypothesis is about new runs.")]

    def __getitem__(self, key: tuple[str, str]) -> Measured:
        for row in self.measured:
            if (row.metric, row.test) == key:
                return row
        raise no_entry(key, self._keys())

    def _keys(self) -> list[tuple[str, ...]]:
        return [(row.metric, row.test) for row in self.measured]

    def __iter__(self) -> Iterator[Measured]:
        return iter(self.measured)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each metric, test and level."""
        rows: list[Measured | Power] = [*self.measured, *self.power]
        return [record(_COLUMNS, rate, row, {"gain": 0.0}) for row in rows for rate in row.rates]

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


def _rates_table(rows: Sequence[Measured] | Sequence[Power], heading: str, note: str, places: int) -> Table:
    """Return the rejections of each test at each level."""
    columns = (Column(heading, "left"), *(Column(f"at {100 * level:g} %") for level in LEVELS))
    cells = []
    for row in rows:
        cells.append([Cell(row.test)])
        for rate in row.rates:
            middle, low, high = (f"{100 * share:.{places}f}" for share in (rate.rate, *rate.interval))
            cells[-1].append(Cell(middle, value=rate.rate, spread=f"({low} – {high})"))
    return Table(columns, tuple(map(tuple, cells)), heading, (note,))


@takes(CalibrateOptions)
def calibrate(options: CalibrateOptions) -> CalibrationResult:
    """Measure how often tests find a difference in data without one, made of the given data.

    With two systems of as many runs each, their outputs are swapped at random: neither is better then. What depends on
    each other is swapped as a whole, so that tests with too small a unit are found out. With one system of four runs or
    more, its runs are dealt out to two: neither is better for new runs then.
    """
    corpus = corpus_of(options)
    tests = _tests_of(options, corpus)
    scored = Experiment.of(corpus, options)
    # Data sets are small and many: they go where the engine has its workers, and each is tested there in one thread.
    experiment = replace(scored, engine=Engine(), progress=None)
    if options.unit == "block":
        experiment = experiment.in_blocks([(0, 1)] if len(corpus.systems) > 1 else [])
    nulls = nulls_of(experiment, options)
    gaining = list(_gaining(nulls, options.gain))
    asked: dict[str, Any] = {name: getattr(options, name) for name in ("repetitions", "resamples", "alternative")}
    with _worth_their_start([*nulls.makers, *gaining], options.repetitions, scored.engine.workers) as workers:
        measuring: Callable[..., NDArray[np.float64]] = partial(measure, tests=tests, workers=workers, **asked)
        progress = scored.reporter("nulls", options.repetitions * len(nulls.makers))
        p = np.concatenate([measuring(maker, progress=progress) for maker in nulls.makers], axis=1)
        progress = scored.reporter("gains", options.repetitions * len(gaining))
        power = [row for maker in gaining for row in _power(maker, tests, measuring(maker, progress=progress), options)]
    first = [maker(0) for maker in nulls.makers]
    units = first[0].units
    systems = tuple(system.name for system in corpus.systems)
    datasets = whole(options.repetitions, "dataset")
    slots = asked | nulls.made | {"systems": listing(systems), "datasets": datasets, "seed": options.seed}
    tested = listing([label_of(test) for test in tests])
    null = f"{nulls.made['null_unit']}|null-length:{nulls.made['null_block_length'] or '-'}"
    of_tests = itertools.product(enumerate(experiment.statistics.blocks), enumerate(tests))
    result = CalibrationResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        systems=systems,
        measured=tuple(Measured(block.key, name, tuple(p[t, m].tolist())) for (m, block), (t, name) in of_tests),
        power=tuple(power),
        unit=units.kind,
        n_units=units.count,
        about_new_runs=len(systems) == 1,
        about=ABOUT(testset=corpus.name, **slots),
        notes=tuple(_notes(experiment, nulls, gaining, first, tests, options)),
        ending=ENDING(**slots),
        methods=METHODS(tests=tested, version=__version__, levelled=nulls.levelled, **slots),
        signature=(
            f"calibrate|null-unit:{null}|tests:{'+'.join(tests)}|{units_signature(units)}"
            f"|alternative:{options.alternative}|repetitions:{options.repetitions}|R:{options.resamples}"
            f"|seed:{options.seed}|version:{__version__}"
        ),
        **asked,
        **nulls.made,
    )
    return msgspec.structs.replace(result, findings=tuple(findings_of(result)))


def _tests_of(options: CalibrateOptions, corpus: Corpus) -> tuple[str, ...]:
    """Return the tests that are asked for, if all options can be."""
    check_options(options)
    check_count("repetitions", options.repetitions)
    tests = options.test
    if tests is None:
        tests = ("ar", "bootstrap") if len(corpus.systems) > 1 else ("crossed", "run-permutation", "welch")
    if isinstance(tests, str):
        tests = (tests,)
    for name in tests:
        procedure(name)  # refuses names that no test has
    if not tests:
        raise InputError("there is no test to calibrate", hint=f"choose among {', '.join(TESTS)}")
    drawn = options.unit == "block" or "stationary-bootstrap" in tests
    check_blocks(unit=options.unit, block_length=options.block_length, drawn=drawn)
    return tuple(dict.fromkeys(tests))


def _gaining(nulls: Nulls, gain: float | None) -> Iterator[SwappedUnits]:
    """Yield makers of datasets with a gain, one per metric: the same gain means something else to each."""
    for maker in nulls.makers:
        if gain is not None and isinstance(maker, SwappedUnits):
            for m in range(len(maker.experiment.statistics.blocks)):
                yield replace(maker, experiment=alone(maker.experiment, m)).with_gain(gain)


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
    parts = []
    task = partial(_p_values, tests, resamples, alternative)
    for p in over(task, make, 0, repetitions, workers, size=_PART):
        parts.append(p)
        if progress is not None:
            progress(p.shape[-1])
    return np.concatenate(parts, axis=-1)


def _p_values(
    tests: Sequence[str], resamples: int, alternative: Alternative, make: DataMaker, first: int, end: int
) -> NDArray[np.float64]:
    """Return p-values of tests on some of the datasets, shape (tests, metrics, datasets)."""
    p = []
    for repetition in range(first, end):
        trial = Trial(make(repetition), (_PAIR,), alternative, resamples=resamples)
        outcomes = [procedure(name)(trial) for name in tests]
        p.append([[outcome[key].p_value.p for key in trial.keys] for outcome in outcomes])
    return np.moveaxis(np.array(p), 0, -1)


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


def _power(maker: SwappedUnits, tests: Sequence[str], p: NDArray[np.float64], options: CalibrateOptions) -> list[Power]:
    """Return what tests find of a known gain, from their p-values, shape (tests, 1, datasets)."""
    datasets = [maker(number) for number in range(min(options.repetitions, _REACHED))]
    reached = float(np.mean([Trial(experiment, (_PAIR,)).delta((0, _PAIR)) for experiment in datasets]))
    key, asked = maker.experiment.statistics.blocks[0].key, options.gain or 0.0
    return [Power(key, name, asked, reached, tuple(p[t, 0].tolist())) for t, name in enumerate(tests)]


def _notes(
    experiment: Experiment,
    nulls: Nulls,
    gaining: Sequence[SwappedUnits],
    first: Sequence[Experiment],
    tests: Sequence[str],
    options: CalibrateOptions,
) -> Iterator[Note]:
    """Yield what the datasets are made of, what they cannot show, and which tests gave way to others."""
    runs = [len(system.runs) for system in experiment.corpus.systems]
    yield size_note(experiment.corpus, experiment.units, runs=runs)
    yield from nulls.notes
    for maker in gaining:
        yield from exchanged_notes(maker, options.gain or 0.0)
    yield from experiment.notes
    yield from first[0].unit_notes
    for dataset, name in itertools.product(first, tests):
        trial = Trial(dataset, (_PAIR,), options.alternative, resamples=options.resamples)
        for (m, _), outcome in procedure(name)(trial).items():
            if outcome.test != name:
                label = dataset.statistics.blocks[m].metric.label
                yield Note("other-test", OTHER_TEST(test=TESTS[outcome.test].label), scope=f"{name} of {label}")


def findings_of(result: CalibrationResult) -> Iterator[Finding]:
    """Yield which tests keep their level, in a sentence for each outcome, and with which power."""
    labels = {metric.key: metric.label for metric in result.metrics}
    exact = []  # tests that swap what the nulls swap
    for row in result.measured:
        swapped = {"as chosen": result.unit}.get(TESTS[row.test].unit, "segment")
        if row.test in _SWAPPING and swapped == result.null_unit:
            exact.append(row)
    if exact:
        yield Finding(KEPT_BY_CONSTRUCTION(tests=listing(list(dict.fromkeys(row.test for row in exact)))), "good")
    for verdict, (sentence, tone) in _ANSWERS.items():
        rows = [row for row in result.measured if row.verdict == verdict and row not in exact]
        if rows:
            said = TOO_OFTEN_FOR_NEW_RUNS if sentence == TOO_OFTEN and result.about_new_runs else sentence
            names = [row.test if len(labels) == 1 else f"{row.test} ({labels[row.metric]})" for row in rows]
            most = max(100 * row.size.interval[1] for row in rows)
            needed = max(row.needed or 0 for row in rows)
            yield Finding(said(tests=listing(names), most=most, needed=needed), tone)
    for metric in result.metrics:
        powers = [row for row in result.power if row.metric == metric.key]
        if powers:
            shares = listing([f"{100 * row.rates[1].rate:.1f} % ({row.test})" for row in powers])
            yield Finding(POWER(gain=as_given(powers[0].gain), metric=metric.label, shares=shares))
