"""Can I trust this test on my data? Its measured size under true null hypotheses, and its power under a known gain."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from truegain.engines.engine import Engine
from truegain.errors import InputError, one_of
from truegain.executors.over import HERE, Workers, over
from truegain.executors.pools import can_run_in_processes, processes
from truegain.experiment import Experiment, check_count, check_options
from truegain.inference.pvalues import Alternative
from truegain.notes import Note
from truegain.procedures.base import Pair, Trial
from truegain.procedures.lookup import procedure
from truegain.registry import TESTS
from truegain.settings.calibrate import CalibrateOptions
from truegain.settings.function import takes
from truegain.settings.groups import Progress
from truegain.studies.calibrate.making import exchanged_notes, nulls_of, with_gain
from truegain.studies.calibrate.nulls import DataMaker, SwappedUnits
from truegain.studies.calibrate.result import CalibrationResult, Measured, Power
from truegain.studies.checks import check_blocks, units_signature
from truegain.studies.given import corpus_of
from truegain.version import __version__

_PAIR = (Pair(0, 1),)
_OF_UNITS, _OF_RUNS = ("ar", "bootstrap"), ("crossed", "run-permutation", "welch")
_PART = 25  # repetitions done at once by a worker
_WORTH_PROCESSES = 100  # repetitions, below which starting processes takes longer than it saves


@takes(CalibrateOptions)
def calibrate(options: CalibrateOptions) -> CalibrationResult:
    """Measure how often tests find a difference in data without one, made of the given data.

    With two systems of as many runs each, their outputs are swapped at random: neither is better then. What depends on
    each other is swapped as a whole, so that tests with too small a unit are found out. With one system of four runs or
    more, its runs are dealt out to two: neither is better for new runs then.
    """
    gain, repetitions, resamples, alternative = (
        options.gain,
        options.repetitions,
        options.resamples,
        options.alternative,
    )
    corpus, progress = corpus_of(options), options.progress
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
    check_count("repetitions", repetitions)
    drawn = options.unit == "block" or "stationary-bootstrap" in tests
    check_blocks(unit=options.unit, block_length=options.block_length, drawn=drawn)
    experiment = Experiment.of(corpus, options)
    # Data sets are small and many: they go where the engine has its workers, and each is tested there in one thread.
    workers = experiment.engine.workers
    experiment = replace(experiment, engine=Engine(), progress=None)
    if options.unit == "block":
        experiment = experiment.in_blocks([(0, 1)] if len(corpus.systems) > 1 else [])
    nulls = nulls_of(experiment, tests, size=options.size, runs=options.runs, null_unit=options.null_unit)
    gaining = [] if gain is None else with_gain(nulls, gain)
    total = repetitions * len(nulls.makers)
    reporter = None if progress is None else lambda done: progress("nulls", done, total)
    with _worth_their_start([*nulls.makers, *gaining], repetitions, workers) as chosen:
        measuring: Callable[..., NDArray[np.float64]] = partial(
            measure, repetitions=repetitions, resamples=resamples, alternative=alternative, workers=chosen
        )
        p = np.concatenate([measuring(make, tests, progress=reporter) for make in nulls.makers], axis=1)
        power = () if gain is None else _power(gaining, gain, tests, measuring, progress, repetitions)
    keys = [block.key for block in experiment.statistics.blocks]
    measured = tuple(
        Measured(keys[m], name, tuple(p[t, m].tolist()))
        for m, (t, name) in itertools.product(range(len(keys)), enumerate(tests))
    )
    first = [make(0) for make in nulls.makers]
    return CalibrationResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        systems=tuple(system.name for system in corpus.systems),
        how=nulls.how,
        null_unit=nulls.unit,
        n_null_units=nulls.n_units,
        null_block_length=nulls.block_length,
        measured=measured,
        power=power,
        unit=first[0].units.kind,
        n_units=first[0].units.count,
        repetitions=repetitions,
        resamples=resamples,
        alternative=alternative,
        signature=(
            f"{nulls.signature}|tests:{'+'.join(tests)}"
            f"|{units_signature(first[0].units)}|alternative:{alternative}|repetitions:{repetitions}|R:{resamples}"
            f"|seed:{options.seed}|version:{__version__}"
        ),
        notes=(
            *nulls.notes,
            *([] if gain is None else exchanged_notes(gaining, gain)),
            *experiment.notes,
            *first[0].unit_notes,
            *(said for made in first for said in _replaced(made, tests, resamples, alternative)),
        ),
    )


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


def _replaced(experiment: Experiment, tests: Sequence[str], resamples: int, alternative: Alternative) -> list[Note]:
    """Note tests that gave way to another: exact randomization to random swaps, the bootstrap to that of blocks."""
    notes = []
    for name in tests:
        for (m, _), finding in procedure(name)(Trial(experiment, _PAIR, alternative, resamples=resamples)).items():
            if finding.test != name:
                label = experiment.statistics.blocks[m].metric.label
                other = Note("other-test", f"the {TESTS[finding.test].label} took its place")
                why = next((note for note in finding.notes if note.kind == "random-swaps"), other)
                notes.append(why.about(f"{name} of {label}"))
    return notes


def _power(
    makers: Sequence[SwappedUnits],
    gain: float,
    tests: Sequence[str],
    measuring: Callable[..., NDArray[np.float64]],
    progress: Progress | None,
    repetitions: int,
) -> tuple[Power, ...]:
    found: list[Power] = []
    for maker in makers:
        block = maker.experiment.statistics.blocks[0]
        stage = f"gains of {block.metric.label}"
        reporter = None if progress is None else _reporter(progress, stage, repetitions)
        p = measuring(maker, tests, progress=reporter)
        reached = float(np.mean([_gain_of(maker(repetition)) for repetition in range(min(repetitions, 200))]))
        found.extend(Power(block.key, name, gain, reached, tuple(p[t, 0].tolist())) for t, name in enumerate(tests))
    return tuple(found)


def _reporter(progress: Progress, stage: str, total: int) -> Callable[[int], None]:
    return lambda done: progress(stage, done, total)


def _gain_of(experiment: Experiment) -> float:
    return Trial(experiment, _PAIR).delta((0, _PAIR[0]))
