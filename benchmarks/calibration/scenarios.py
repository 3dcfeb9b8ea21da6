"""Which tests run on which data how often, and what they found."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.calibration import pools
from benchmarks.calibration.makers import (
    Neighbours,
    OneDifference,
    OneMetric,
    RaterNoise,
    RunNoise,
    Skewed,
    counted_exactly,
)
from truegain.executors.over import HERE, Workers
from truegain.experiment import Experiment
from truegain.procedures.base import Pair, Trial
from truegain.registry import TESTS
from truegain.studies.calibrate import Measured, Power, measure
from truegain.studies.nulls import DataMaker, SwappedUnits

__all__ = [
    "BLOCKS",
    "COMMON",
    "DEFAULTS",
    "RATER_TESTS",
    "RUN_TESTS",
    "TWO_VALUED",
    "Outcome",
    "Part",
    "Pools",
    "PowerScenario",
    "Scenario",
    "all_powers",
    "all_scenarios",
    "of_test",
    "one_difference",
    "run",
    "run_power",
]

#: The tests that bounds are held against.
DEFAULTS = ("ar", "bootstrap")
#: Tests of runs.
_ROWS = ("fu-rows-bootstrap", "fu-rows-ar")  # of segments and runs
RUN_TESTS = tuple(name for name, entry in TESTS.items() if entry.unit == "run" or name in ("crossed", *_ROWS))
#: Tests of ratings.
RATER_TESTS = ("raters",)
#: Tests of scores with two values.
TWO_VALUED = ("tango", "mcnemar")
#: Tests with blocks of segments: they take the longest.
BLOCKS = tuple(name for name, entry in TESTS.items() if entry.unit == "block")
#: Tests that can be run on segments whatever the metric.
COMMON = tuple(name for name in TESTS if name not in (*RUN_TESTS, *RATER_TESTS, *BLOCKS, *TWO_VALUED, "exact"))
_OTHERS = tuple(name for name in COMMON if name not in DEFAULTS)

_SIZES = (30, 200, 1000)
_RUNS = (3, 5, 10, 20)
_RATERS = (3, 5, 10, 20)
_NEIGHBOURS = 400
_MANY = 1000
_POWERED = 200
_POWER_SHARE = 0.2
_ONE_OF = 1000
_SEEDS = 40
_GAINS = (1.0, 2.0, 3.0)
_GAINS_OF_RIGHTS = (0.04, 0.08, 0.12)


@dataclass(frozen=True)
class Part:
    """Tests that are run together.

    Attributes
    ----------
    share : float
        Of the repetitions: less where tests take long, and figures need not be so precise.
    key : str, optional
        The one metric that the tests are run on; by default all.
    """

    tests: tuple[str, ...]
    share: float = 1.0
    key: str | None = None


@dataclass(frozen=True)
class Scenario:
    """A way to make datasets without a difference, and the tests to run on them.

    Attributes
    ----------
    group : str
        The section of the page.
    label : str
        What a table calls it.
    units : int
        Of one dataset: segments, documents or runs.
    """

    group: str
    label: str
    units: int
    make: DataMaker
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Outcome:
    """P-values of every test of a scenario, by metric and test."""

    group: str
    label: str
    units: int
    measured: Mapping[tuple[str, str], Measured]

    @property
    def metrics(self) -> tuple[str, ...]:
        """Keys of metrics."""
        return tuple(dict.fromkeys(key for key, _ in self.measured))

    def get(self, metric: str, test: str) -> Measured | None:
        """Return what was measured of a test, if anything."""
        return self.measured.get((metric, test))


@dataclass(frozen=True)
class Pools:
    """All that datasets are drawn from."""

    simulated: Experiment
    tied: Experiment
    documents: Experiment
    heavy: Experiment
    binary: Experiment
    real: Mapping[str, Experiment]

    @classmethod
    def build(
        cls, simulated: Experiment, real: Mapping[str, Experiment], *, documents: int = 2_000, segments: int = 20_000
    ) -> Pools:
        """Make the others from the simulated systems, or draw them."""
        return cls(
            simulated,
            pools.tied(simulated),
            pools.in_documents(simulated, documents),
            pools.heavy_pool(segments),
            pools.binary_pool(segments),
            real,
        )


def all_scenarios(made: Pools) -> Iterator[Scenario]:
    """Yield what the page shows."""
    for size in _SIZES:
        yield _swapped("segments", made.simulated, size, Part(COMMON), *_slower(size, "wer"))
    for size in _SIZES:
        yield _swapped("ties", made.tied, size, Part(COMMON, 0.5), *_slower(size, "wer"))
    for size in _SIZES:
        yield _swapped("documents", made.documents, size, *_document_parts(size))
    for size in _SIZES:
        yield _swapped("heavy", made.heavy, size, Part(COMMON, 0.5), *_slower(size, "mean"))
    for size in _SIZES:
        yield _swapped("binary", made.binary, size, Part((*COMMON, *TWO_VALUED), 0.5), *_slower(size, "mean"))
    for size in _SIZES:
        parts = (Part(COMMON, 0.5), *_slower(size, "mean"))
        yield Scenario("skewed", f"{size:,}", size, Skewed(size), parts)
    parts = (Part(COMMON, 0.5), *_slower(_NEIGHBOURS, "mean"))
    yield Scenario("neighbours", f"{_NEIGHBOURS:,}", _NEIGHBOURS, Neighbours(_NEIGHBOURS), parts)
    for runs in _RUNS:
        yield Scenario("runs", f"{runs}", runs, RunNoise(runs), (Part(RUN_TESTS),))
    for raters in _RATERS:
        yield Scenario("raters", f"{raters}", raters, RaterNoise(raters), (Part(RATER_TESTS),))
    for name, pool in made.real.items():
        parts = (Part(DEFAULTS, 0.75), Part((*_OTHERS, *BLOCKS), 0.15))
        yield _swapped("real", pool, pool.corpus.segments, *parts, label=name)


def of_test(scenario: Scenario, test: str) -> Scenario:
    """Return a scenario that runs one test only, on the same datasets; without parts if it does not run the test."""
    parts = tuple(replace(part, tests=(test,)) for part in scenario.parts if test in part.tests)
    return replace(scenario, parts=parts)


def _slower(segments: int, countable: str) -> tuple[Part, ...]:
    """Return tests that take longer, ever more so with more segments, and a metric whose swaps can be counted."""
    share = 0.5 if segments < _MANY else 0.25
    return Part(BLOCKS, share), Part(("exact",), share, countable)


def _document_parts(documents: int) -> tuple[Part, ...]:
    """Return the tests on documents; tests that ignore documents see some twenty segments to each."""
    if documents >= _MANY:
        return Part(DEFAULTS, 0.5), Part(("exact",), 0.15, "wer")
    return Part(DEFAULTS), Part(("exact",), 0.25, "wer"), Part((*_OTHERS, *BLOCKS), 0.25 if documents < 200 else 0.15)


def _swapped(group: str, pool: Experiment, size: int, *parts: Part, label: str | None = None) -> Scenario:
    name = label or f"{size:,}"
    own = replace(pool, seed=_seed(group, name))
    return Scenario(group, name, size, SwappedUnits(own, own.units, min(size, own.units.count)), parts)


def _seed(*names: str) -> int:
    """Random numbers of its own for every scenario: else all would share their swaps."""
    return (pools.SEED << 32) + zlib.crc32(" ".join(names).encode())


def run(scenario: Scenario, *, repetitions: int, resamples: int, workers: Workers = HERE) -> Outcome:
    """Run the tests; ``exact`` counts only where it was exact."""
    found: dict[tuple[str, str], Measured] = {}
    for part in scenario.parts:
        make = scenario.make if part.key is None else OneMetric(scenario.make, part.key)
        count = max(1, round(part.share * repetitions))
        tests = part.tests
        if "exact" in tests and not counted_exactly(make, count):
            tests = tuple(name for name in tests if name != "exact")
        if not tests:
            continue
        p = measure(make, tests, repetitions=count, resamples=resamples, workers=workers)
        keys = [block.key for block in make(0).statistics.blocks]
        for t, name in enumerate(tests):
            found.update({(key, name): Measured(key, name, tuple(p[t, m].tolist())) for m, key in enumerate(keys)})
    return Outcome(scenario.group, scenario.label, scenario.units, found)


@dataclass(frozen=True)
class PowerScenario:
    """A way to make datasets with a known gain in one metric.

    Attributes
    ----------
    name : str
        What the page calls the metric.
    """

    name: str
    gain: float
    make: SwappedUnits
    tests: tuple[str, ...]


def all_powers(made: Pools) -> Iterator[PowerScenario]:
    """Gains in every metric, and the tests whose level can be relied on."""
    for key in (block.key for block in made.simulated.statistics.blocks):
        alone = OneMetric(lambda _: made.simulated, key)(0)
        tests = _relied_on(*TWO_VALUED) if key == "wer" else _relied_on(*TWO_VALUED, "exact")
        for gain in _GAINS:
            yield PowerScenario(key, gain, _with_gain(alone, key, gain), tests)
    for gain in _GAINS_OF_RIGHTS:
        yield PowerScenario("right", gain, _with_gain(made.binary, "right", gain), _relied_on())


def _relied_on(*without: str) -> tuple[str, ...]:
    kinds = ("recommended", "classical")
    left_out = (*without, *RUN_TESTS, *RATER_TESTS)
    return tuple(name for name, entry in TESTS.items() if entry.kind in kinds and name not in left_out)


def _with_gain(pool: Experiment, name: str, gain: float) -> SwappedUnits:
    own = replace(pool, seed=_seed(name, f"{gain:g}"))
    return SwappedUnits(own, own.units, min(_POWERED, own.units.count)).with_gain(gain)


def run_power(scenario: PowerScenario, *, repetitions: int, resamples: int, workers: Workers = HERE) -> list[Power]:
    """Run the tests on datasets with a gain."""
    count = max(1, round(_POWER_SHARE * repetitions))
    p = measure(scenario.make, scenario.tests, repetitions=count, resamples=resamples, workers=workers)
    made = (Trial(scenario.make(repetition), (Pair(0, 1),)) for repetition in range(min(count, 500)))
    reached = float(np.mean([trial.delta((0, Pair(0, 1))) for trial in made]))
    return [
        Power(scenario.name, name, scenario.gain, reached, tuple(p[t, 0].tolist()))
        for t, name in enumerate(scenario.tests)
    ]


def one_difference(
    pool: Experiment, *, segments: int = _ONE_OF, resamples: int = 1000, seeds: int = _SEEDS, test: str | None = None
) -> Outcome:
    """P-values of two systems that differ on one segment only, seed by seed; of all tests, or of one."""
    make = OneDifference(pool, segments)
    keys = [block.key for block in pool.statistics.blocks]
    parts = [Part((*COMMON, *BLOCKS, "exact")), Part(TWO_VALUED, key="right")]
    alone = Scenario("one", f"{segments:,}", segments, make, tuple(parts))
    several = replace(make, runs=5)
    parts = [Part(RUN_TESTS, key=key) for key in (*keys, "right")]
    runs = Scenario("one", "5", segments, several, tuple(parts))
    first, second = (
        run(one if test is None else of_test(one, test), repetitions=seeds, resamples=resamples)
        for one in (alone, runs)
    )
    return replace(first, measured={**first.measured, **second.measured})
