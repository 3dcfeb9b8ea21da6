"""Can I trust this test on my data? Its measured size under true null hypotheses, and its power under a known gain."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache
from truegain.corpus import Corpus
from truegain.engines.base import Engine
from truegain.engines.blas import BlasEngine
from truegain.errors import InputError, one_of
from truegain.executors.base import Executor
from truegain.executors.threads import Threads
from truegain.experiment import Experiment, Progress, StrataChoice, UnitChoice, check_count, check_options
from truegain.inference.pvalues import Alternative
from truegain.metrics.base import Metric
from truegain.procedures.base import Pair, Trial
from truegain.procedures.lookup import procedure
from truegain.registry import TESTS
from truegain.resampling.units import Units
from truegain.statistics import SegmentStatistics
from truegain.studies.calibrate.nulls import DataMaker, SplitRuns, SwappedUnits
from truegain.studies.calibrate.result import CalibrationResult, Measured, Power
from truegain.studies.checks import check_blocks, units_signature
from truegain.version import __version__

__all__ = ["calibrate", "measure"]

_PAIR = (Pair(0, 1),)
_OF_UNITS, _OF_RUNS = ("ar", "bootstrap"), ("crossed", "run-permutation", "welch")
_PART = 25  # repetitions done at once by a process
_WORTH_PROCESSES = 100  # repetitions, below which starting processes takes longer than it saves


def calibrate(
    corpus: Corpus,
    *,
    metrics: Sequence[str | Metric] | Mapping[str, Metric] = ("bleu",),
    test: str | Sequence[str] | None = None,
    gain: float | None = None,
    size: int | None = None,
    runs: int | None = None,
    unit: UnitChoice = "auto",
    swap: Literal["auto", "segment", "document"] = "auto",
    strata: StrataChoice = "auto",
    block_length: float | None = None,
    alternative: Alternative = "two-sided",
    repetitions: int = 1_000,
    resamples: int = 1_000,
    seed: int = 12345,
    jobs: int = 1,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
    progress: Progress | None = None,
) -> CalibrationResult:
    """Make datasets without a difference out of the user's own, and see how often tests find one.

    See :func:`truegain.calibrate` for the parameters.
    """
    if test is None:
        test = _OF_RUNS if len(corpus.systems) == 1 else _OF_UNITS
    tests = (test,) if isinstance(test, str) else tuple(dict.fromkeys(test))
    check_options(alpha=0.05, resamples=resamples, seed=seed, interval="percentile", jobs=jobs)
    for name in tests:
        if name not in TESTS:
            raise one_of("test", name, list(TESTS))
    if not tests:
        raise InputError("there is no test to calibrate", hint=f"choose among {', '.join(TESTS)}")
    check_count("repetitions", repetitions)
    drawn = unit == "block" or "stationary-bootstrap" in tests
    check_blocks(unit=unit, block_length=block_length, drawn=drawn)
    experiment = Experiment.prepare(
        corpus,
        metrics,
        unit=unit,
        strata=strata,
        block_length=block_length,
        seed=seed,
        jobs=jobs,
        cache=cache,
        engine=engine,
        progress=progress,
    )
    # Data sets are small and many: they go where the engine has its workers, and each is tested there in one thread.
    workers = None if experiment.engine.executor.shares_memory else experiment.engine.executor
    experiment = replace(experiment, engine=BlasEngine(), progress=None)
    if unit == "block":
        experiment = experiment.in_blocks([(0, 1)] if len(corpus.systems) > 1 else [])
    nulls = _nulls(experiment, size, runs, swap)
    with_gain = [] if gain is None else _with_gain(nulls, gain)
    reporter = None if progress is None else lambda done: progress("nulls", done, repetitions)
    p = measure(
        nulls,
        tests,
        repetitions=repetitions,
        resamples=resamples,
        alternative=alternative,
        jobs=jobs,
        executor=workers,
        progress=reporter,
    )
    keys = [block.key for block in experiment.statistics.blocks]
    measured = tuple(
        Measured(keys[m], name, tuple(p[t, m].tolist()))
        for m, (t, name) in itertools.product(range(len(keys)), enumerate(tests))
    )
    power = (
        ()
        if gain is None
        else _power(
            with_gain,
            gain,
            tests,
            repetitions=repetitions,
            resamples=resamples,
            alternative=alternative,
            jobs=jobs,
            executor=workers,
            progress=progress,
        )
    )
    first = nulls(0)
    return CalibrationResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        systems=tuple(system.name for system in corpus.systems),
        how=_how(nulls),
        measured=measured,
        power=power,
        unit=first.units.kind,
        n_units=first.units.count,
        repetitions=repetitions,
        resamples=resamples,
        alternative=alternative,
        signature=(
            f"nulls:{'runs' if isinstance(nulls, SplitRuns) else 'swap'}|tests:{'+'.join(tests)}"
            f"|{units_signature(first.units)}|alternative:{alternative}|repetitions:{repetitions}|R:{resamples}"
            f"|seed:{seed}|version:{__version__}"
        ),
        notes=(*experiment.notes, *first.unit_notes, *_replaced(first, tests, resamples, alternative)),
        about_new_runs=isinstance(nulls, SplitRuns),
    )


def measure(
    make: DataMaker,
    tests: Sequence[str],
    *,
    repetitions: int,
    resamples: int,
    alternative: Alternative = "two-sided",
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.float64]:
    """P-values of tests on datasets 0 to ``repetitions``, shape (tests, metrics, repetitions).

    The result does not depend on where it is done: here, in processes, or by the executor that is given.
    """
    parts = [range(first, min(first + _PART, repetitions)) for first in range(0, repetitions, _PART)]
    executor = executor or _somewhere(make, repetitions, jobs)
    found = []
    for part, p in zip(parts, executor.map(_Measuring(make, tuple(tests), resamples, alternative), parts), strict=True):
        found.append(p)
        if progress is not None:
            progress(len(part))
    return np.concatenate(found, axis=-1)


def _somewhere(make: DataMaker, repetitions: int, jobs: int) -> Executor:
    """Processes, where they are worth their start: tests of small data sets are mostly Python's own work."""
    if jobs == 1 or repetitions < _WORTH_PROCESSES or not _can_travel(make):
        return Threads()
    from truegain.executors.processes import processes

    return processes(jobs)


def _can_travel(make: DataMaker) -> bool:
    """Whether other processes can be given it: a metric made of functions typed in a notebook cannot."""
    try:
        pickle.dumps(make)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


@dataclass(frozen=True)
class _Measuring:
    """P-values of tests on some of the data sets, shape (tests, metrics, data sets)."""

    make: DataMaker
    tests: tuple[str, ...]
    resamples: int
    alternative: Alternative

    def __call__(self, part: range) -> NDArray[np.float64]:
        found = []
        for repetition in part:
            experiment = self.make(repetition)
            trial = Trial(experiment, _PAIR, self.alternative, resamples=self.resamples)
            findings = [procedure(name)(trial) for name in self.tests]
            count = len(experiment.statistics.blocks)
            found.append([[one[m, _PAIR[0]].p_value.p for m in range(count)] for one in findings])
        return np.moveaxis(np.array(found), 0, -1)


def _replaced(experiment: Experiment, tests: Sequence[str], resamples: int, alternative: Alternative) -> list[str]:
    """Say where a test gave way to another: exact randomization to random swaps, the bootstrap to that of blocks."""
    notes = []
    for name in tests:
        for (m, _), finding in procedure(name)(Trial(experiment, _PAIR, alternative, resamples=resamples)).items():
            if finding.test != name:
                label = experiment.statistics.blocks[m].metric.label
                why = finding.notes[0] if finding.notes else f"the {TESTS[finding.test].label} took its place"
                notes.append(f"{name} of {label}: {why}")
    return notes


def _nulls(
    experiment: Experiment, size: int | None, runs: int | None, swap: Literal["auto", "segment", "document"]
) -> SwappedUnits | SplitRuns:
    systems = experiment.corpus.systems
    if len(systems) == 1:
        return _split(experiment, size, runs)
    if len(systems) != 2:
        raise InputError(
            f"calibration takes two systems, or one with several runs; got {len(systems)} systems",
            hint="give two whose outputs can be swapped",
        )
    if runs is not None:
        raise InputError("--runs is for one system, whose runs are dealt out to two")
    counts = [len(system.runs) for system in systems]
    if counts[0] != counts[1]:
        raise InputError(
            f"outputs are swapped run by run, and {systems[0].name!r} has {counts[0]} runs where "
            f"{systems[1].name!r} has {counts[1]}",
            hint="give both the same number of runs",
        )
    if swap not in ("auto", "segment", "document"):
        raise one_of("swap", swap, ["auto", "segment", "document"])
    documents = experiment.corpus.documents
    if swap == "document" and documents is None:
        raise InputError("documents cannot be swapped: it is not known which there are", hint="give them: --docs FILE")
    segments = Units.segments(experiment.corpus.segments)
    swapped = segments if swap == "segment" or documents is None else Units.documents(documents)
    if swap == "auto" and experiment.units.kind in ("domain", "testset"):
        swapped = experiment.units
    if size is not None and not 2 <= size <= swapped.count:
        raise InputError(
            f"the size of a dataset must be from 2 to the {swapped.count:,} {swapped.noun}s there are; got {size}"
        )
    nulls = SwappedUnits(experiment, swapped, size)
    if not nulls.contributions.any():
        label = experiment.statistics.blocks[0].metric.label
        raise InputError(
            f"{systems[0].name!r} and {systems[1].name!r} are the same to {label}",
            hint="swapping makes nothing new of them; give two systems that differ",
        )
    return nulls


def _split(experiment: Experiment, size: int | None, runs: int | None) -> SplitRuns:
    system = experiment.corpus.systems[0]
    total = len(system.runs)
    if total < 4:
        raise InputError(
            f"the runs of one system are dealt out to two, which takes four or more; {system.name!r} has {total}",
            hint="give more runs, NAME='runs/*.txt', or two systems whose outputs can be swapped",
        )
    if size is not None:
        raise InputError("--size is for two systems, whose outputs are swapped")
    wanted = total // 2 if runs is None else runs
    if not 1 <= wanted <= total // 2:
        raise InputError(f"each of the two can get 1 to {total // 2} of the {total} runs; got {wanted}")
    return SplitRuns(experiment, wanted)


def _how(nulls: SwappedUnits | SplitRuns) -> str:
    if isinstance(nulls, SplitRuns):
        return f"runs dealt out at random, {nulls.runs} to each"
    count = nulls.swapped.count
    drawn = "" if nulls.size is None or nulls.size == count else f"{nulls.size:,} of "
    return f"outputs swapped at random, {nulls.swapped.noun} by {nulls.swapped.noun}, on {drawn}{count:,}"


def _with_gain(nulls: SwappedUnits | SplitRuns, gain: float) -> list[SwappedUnits]:
    """Metric by metric: a gain of so many points is another thing to each."""
    if isinstance(nulls, SplitRuns):
        raise InputError("a gain cannot be given to runs of one system", hint="leave out --gain, or give two systems")
    makers = []
    for block in nulls.experiment.statistics.blocks:
        values = nulls.experiment.statistics.values[:, block.columns]
        alone = SegmentStatistics(values, (replace(block, start=0),))
        maker = replace(nulls, experiment=replace(nulls.experiment, statistics=alone), metric=0)
        makers.append(maker.with_gain(gain))
    return makers


def _power(
    makers: Sequence[SwappedUnits],
    gain: float,
    tests: Sequence[str],
    *,
    repetitions: int,
    resamples: int,
    alternative: Alternative,
    jobs: int,
    executor: Executor | None,
    progress: Progress | None,
) -> tuple[Power, ...]:
    found: list[Power] = []
    for maker in makers:
        block = maker.experiment.statistics.blocks[0]
        stage = f"gains of {block.metric.label}"
        reporter = None if progress is None else _reporter(progress, stage, repetitions)
        p = measure(
            maker,
            tests,
            repetitions=repetitions,
            resamples=resamples,
            alternative=alternative,
            jobs=jobs,
            executor=executor,
            progress=reporter,
        )
        reached = float(np.mean([_gain_of(maker(repetition)) for repetition in range(min(repetitions, 200))]))
        found.extend(Power(block.key, name, gain, reached, tuple(p[t, 0].tolist())) for t, name in enumerate(tests))
    return tuple(found)


def _reporter(progress: Progress, stage: str, total: int) -> Callable[[int], None]:
    return lambda done: progress(stage, done, total)


def _gain_of(experiment: Experiment) -> float:
    return Trial(experiment, _PAIR).delta((0, _PAIR[0]))
