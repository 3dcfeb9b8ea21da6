"""``python -m benchmarks.runs``: tests of several runs on true nulls, written to docs/studies/calibration-of-runs.md.

Nulls come from a pool of real runs, where it lies beside the project (two groups of runs of one system), and from
simulated crossed random effects; power comes from two systems of the pool that do differ.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import multiprocessing
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.csv_tables import link, ranges, write_tables
from benchmarks.data import REAL_DATA, ROOT
from benchmarks.machine import add_jobs
from benchmarks.pages import columns
from truegain.corpus import Corpus, Run, System
from truegain.engines.engine import Engine
from truegain.experiment import Experiment
from truegain.inference.pvalues import clopper_pearson
from truegain.metrics.segment_scores import SegmentScores
from truegain.resampling.units import Units
from truegain.statistics import Block, SegmentStatistics
from truegain.studies.calibrate import measure
from truegain.studies.nulls import DataMaker, SplitRuns
from truegain.version import __version__

__all__ = ["BOUND", "Cell", "CrossedEffects", "DrawnRuns", "Outcome", "main", "pool_experiment", "run"]

Floats = NDArray[np.float64]

METRICS = ("bleu:tokenize=none", "chrf", "ter")
LABELS = ("BLEU", "chrF", "TER")
#: What is bounded: the crossed test, at 5 %.
BOUND = 0.065

_PAGE = ROOT / "docs" / "studies" / "calibration-of-runs.md"
_POOL = REAL_DATA / "nmt_pool"
_TEST_SETS = ("test2016", "coco2017")
_SYSTEMS = ("bpe-full", "word-full")
_SEED = 20_110_619
_LEVEL = 0.05
_CHEAP = ("crossed", "ar", "bootstrap", "welch", "run-permutation", "fu-bootstrap", "fu-ar")
_ROWS = ("fu-rows-bootstrap", "fu-rows-ar")
_TESTS = (*_CHEAP, "clark2011")
_EQUAL_RUNS = ("ar", "fu-bootstrap", "fu-ar")  # defined only where both systems have as many runs
_POOL_COUNTS = (2, 3, 5, 10)
_POWER_COUNTS = (1, 2, 3, 5)
_ROW_COUNTS = (2, 3, 5, 10)
_COUNTS = ((2, 2), (3, 3), (5, 5), (2, 5), (2, 10), (3, 10))
_RUN_SDS = (0.0, 0.5, 1.0, 2.0)
_RESIDUALS = (0.5, 1.0)
_SEGMENTS = 100
_SPREAD = 4.0
_UNEVEN = ("crossed", "bootstrap")
_UNEVEN_COUNTS = (2, 3, 5)
_UNEVEN_POWER = (3, (0.0, 0.5, 1.0), 3.0)  # runs of the one system, run sds, and the gain in segment standard errors
_UNEVEN_SYSTEMS = ("bpe-full", "word-full", "bpe-r1", "bpe-top", "bpe-odd", "bpe-even")


@dataclass(frozen=True)
class CrossedEffects:
    """Segment scores of two systems as sums of normal effects: segment, segment × system, run, and segment × run.

    Scores are means over segments. With the runs as they are, the standard error of the difference of the systems over
    segments is 1.

    Attributes
    ----------
    counts : (int, int)
        Runs of either system.
    run_sd : float
        The standard deviation of run effects, in segment standard errors.
    residual : float
        The share of segment × run in the variance over segments; the rest is segment × system.
    gain : float
        Of the second system, over all runs and segments: 0 under the null.
    spread : float
        How many times as much the runs of the second system vary.
    """

    counts: tuple[int, int]
    run_sd: float
    residual: float
    gain: float = 0.0
    segments: int = _SEGMENTS
    spread: float = 1.0
    seed: int = _SEED

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`truegain.studies.nulls.DataMaker`."""
        rng = np.random.default_rng([self.seed, repetition])
        n = self.segments
        own = (n * (1.0 - self.residual) / 2.0) ** 0.5
        inner = (n * self.residual / (1.0 / self.counts[0] + 1.0 / self.counts[1])) ** 0.5
        difficulty = rng.normal(0.0, 5.0, n)
        columns = []
        for count, shift, spread in zip(self.counts, (0.0, self.gain), (1.0, self.spread), strict=True):
            system = difficulty + own * rng.standard_normal(n) + shift
            for effect in self.run_sd * spread * rng.standard_normal(count):
                columns += [system + effect + inner * rng.standard_normal(n), np.ones(n)]
        systems = tuple(
            System(name, tuple(Run(f"{name}.{i}") for i in range(count)))
            for name, count in zip(("first", "second"), self.counts, strict=True)
        )
        return Experiment(
            corpus=Corpus("null", n, (), systems),
            statistics=SegmentStatistics(np.stack(columns, 1), (Block("scores", SegmentScores(), 0, self.counts),)),
            units=Units.segments(n),
            engine=Engine(),
            seed=int(rng.integers(2**63)),
            notes=(),
        )


@dataclass(frozen=True)
class DrawnRuns:
    """Runs of two systems drawn from a pool without replacement, on segments drawn with replacement."""

    experiment: Experiment
    runs: int
    seed: int = _SEED

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`truegain.studies.nulls.DataMaker`."""
        rng = np.random.default_rng([self.seed, repetition])
        groups = {}
        first = 0
        for system in self.experiment.corpus.systems:
            groups[system.name] = (first + rng.permutation(len(system.runs))[: self.runs]).tolist()
            first += len(system.runs)
        drawn = self.experiment.regrouped(groups)
        values = drawn.statistics.values
        rows = rng.integers(len(values), size=len(values))
        statistics = SegmentStatistics(values[rows], drawn.statistics.blocks)
        return replace(drawn, statistics=statistics, seed=int(rng.integers(2**63)))


@dataclass(frozen=True)
class UnevenRuns:
    """Several runs of a system of the pool against one run of another, or of the same, on the whole test set.

    Attributes
    ----------
    experiment : Experiment
    pairs : tuple of (str, str)
        The system of the several runs, and that of the one; taken in turn.
    several : int
    """

    experiment: Experiment
    pairs: tuple[tuple[str, str], ...]
    several: int
    seed: int = _SEED

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`truegain.studies.nulls.DataMaker`."""
        rng = np.random.default_rng([self.seed, repetition])
        places: dict[str, list[int]] = {}
        first = 0
        for system in self.experiment.corpus.systems:
            places[system.name] = (first + rng.permutation(len(system.runs))).tolist()
            first += len(system.runs)
        old, new = self.pairs[repetition % len(self.pairs)]
        groups = {"first": places[old][: self.several], "second": places[new][-1:]}
        return replace(self.experiment.regrouped(groups), seed=int(rng.integers(2**63)))


def pool_experiment(test_set: str, systems: Sequence[str]) -> Experiment:
    """All runs of systems of the pool, scored."""
    folder = _POOL / test_set
    found = [
        System(name, tuple(Run(path.name, _read(path)) for path in sorted(folder.glob(f"{name}.*.en.gz"))))
        for name in systems
    ]
    corpus = Corpus.build(found, [_read(folder / "ref.en.gz")], name=test_set)
    prepared = Experiment.prepare(
        corpus, METRICS, unit="segment", seed=_SEED, jobs=1, cache=None, engine=None, progress=None
    )
    # Texts are scored, and not sent to other processes.
    bare = tuple(replace(s, runs=tuple(replace(run, outputs=None) for run in s.runs)) for s in corpus.systems)
    return replace(prepared, corpus=replace(corpus, systems=bare, references=()))


def _read(path: Path) -> tuple[str, ...]:
    return tuple(gzip.decompress(path.read_bytes()).decode().removesuffix("\n").split("\n"))


@dataclass(frozen=True)
class Cell:
    """What is measured together.

    Attributes
    ----------
    part : "pool", "simulated", "unequal" or "power"
    name : tuple of str
        The first columns of its row, but for the metric.
    tests : dict of str to int
        Repetitions of each test.
    """

    part: str
    name: tuple[str, ...]
    make: DataMaker
    tests: dict[str, int]
    resamples: int


@dataclass(frozen=True)
class Outcome:
    """P-values of a cell, by test and metric, and the mean gain of each metric."""

    part: str
    name: tuple[str, ...]
    p: dict[str, Floats]
    gains: tuple[float, ...]
    seconds: float

    def rejections(self, test: str, metric: int) -> tuple[int, int]:
        """At 5 %, and of how many."""
        p = self.p[test][metric]
        return int(np.count_nonzero(p <= _LEVEL)), p.size


def run(cells: Sequence[Cell], jobs: int = 1) -> Iterator[Outcome]:
    """Measure every cell; the result does not depend on the number of processes."""
    if jobs == 1:
        yield from map(_measured, cells)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as processes:
        yield from processes.map(_measured, cells)


def _measured(cell: Cell) -> Outcome:
    start = time.perf_counter()
    p: dict[str, Floats] = {}
    by_number = sorted(cell.tests, key=lambda test: cell.tests[test])
    for repetitions, group in itertools.groupby(by_number, key=lambda test: cell.tests[test]):
        tests = list(group)
        found = measure(cell.make, tests, repetitions=repetitions, resamples=cell.resamples)
        p.update(zip(tests, found, strict=True))
    signs = np.array([-1.0 if b.metric.higher_is_better is False else 1.0 for b in cell.make(0).statistics.blocks])
    scores = [cell.make(repetition).scores for repetition in range(min(100, *cell.tests.values()))]
    gains = np.mean([signs * (one[:, 1] - one[:, 0]) for one in scores], axis=0)
    return Outcome(cell.part, cell.name, p, tuple(gains.tolist()), time.perf_counter() - start)


def simulated_cells(repetitions: int, resamples: int) -> list[Cell]:
    """Crossed random effects without a difference."""
    found = []
    designs = itertools.product(_RESIDUALS, _RUN_SDS, _COUNTS)
    for number, (residual, run_sd, counts) in enumerate(designs):
        tests = _tests(counts, repetitions, max(1, repetitions // 5))
        name = (f"{residual:g}", f"{run_sd:g}", f"{counts[0]} + {counts[1]}")
        make = CrossedEffects(counts, run_sd, residual, seed=_SEED + number)
        found.append(Cell("simulated", name, make, tests, resamples))
    return found


def unequal_cells(repetitions: int, resamples: int) -> list[Cell]:
    """Return scenarios in which the runs of one system vary far more than those of the other."""
    return [
        Cell(
            "unequal",
            (f"{count} + {count}",),
            CrossedEffects((count, count), 1.0, 0.5, spread=_SPREAD, seed=_SEED + 100 + count),
            dict.fromkeys(_CHEAP, repetitions),
            resamples,
        )
        for count in (2, 3, 5)
    ]


def pool_cells(draws: int, resamples: int) -> list[Cell]:
    """Return groups of runs of one system; none if there is no pool."""
    if not _POOL.is_dir():
        return []
    found = []
    for system, test_set in itertools.product(_SYSTEMS, _TEST_SETS):
        experiment = pool_experiment(test_set, [system])
        for count in reversed(_POOL_COUNTS):  # the longest first, so that no process waits for them at the end
            tests = _tests((count, count), draws, max(1, draws // 5))
            name = (system, test_set, f"{count} + {count}")
            found.append(Cell("pool", name, SplitRuns(experiment, count), tests, resamples))
    return found


def power_cells(draws: int, resamples: int) -> list[Cell]:
    """Two systems of the pool that differ."""
    if not _POOL.is_dir():
        return []
    found = []
    for test_set in _TEST_SETS:
        experiment = pool_experiment(test_set, ["word-full", "bpe-full"])
        for count in _POWER_COUNTS:
            tests = dict.fromkeys(("ar",) if count == 1 else ("crossed", "ar"), draws)
            found.append(
                Cell("power", (test_set, f"{count} + {count}"), DrawnRuns(experiment, count), tests, resamples)
            )
    return found


def rows_cells(draws: int, repetitions: int, resamples: int) -> list[Cell]:
    """Return nulls for the tests that take rows (segment × run) for independent, with their own tests alone."""
    found = []
    for system in _SYSTEMS if _POOL.is_dir() else ():
        experiment = pool_experiment(_TEST_SETS[0], [system])
        for count in _POOL_COUNTS:
            name = (system, _TEST_SETS[0], f"{count} + {count}")
            tests = dict.fromkeys(_ROWS, draws)
            found.append(Cell("rows of the pool", name, SplitRuns(experiment, count), tests, resamples))
    for number, (run_sd, count) in enumerate(itertools.product(_RUN_SDS, _ROW_COUNTS)):
        make = CrossedEffects((count, count), run_sd, _RESIDUALS[0], seed=_SEED + 200 + number)
        runs = f"{count} + {count}"
        found.append(Cell("simulated rows", (f"{run_sd:g}", runs), make, dict.fromkeys(_ROWS, repetitions), resamples))
    return found


def uneven_cells(draws: int, repetitions: int, resamples: int) -> list[Cell]:
    """Several runs of one system against one of the other: true nulls and, with a gain, power."""
    found = []
    if _POOL.is_dir():
        experiment = pool_experiment(_TEST_SETS[0], _UNEVEN_SYSTEMS)
        same = tuple((system, system) for system in _UNEVEN_SYSTEMS)
        for pairs, name in ((same, "the same"), ((("word-full", "bpe-full"),), "word-full, bpe-full")):
            for count in _UNEVEN_COUNTS:
                make = UnevenRuns(experiment, pairs, count)
                tests = dict.fromkeys(_UNEVEN, draws)
                found.append(Cell("uneven runs of the pool", (name, f"{count} + 1"), make, tests, resamples))
    designs = [(count, sd, 0.0) for count, sd in itertools.product(_UNEVEN_COUNTS, _RUN_SDS)]
    designs += [(_UNEVEN_POWER[0], sd, _UNEVEN_POWER[2]) for sd in _UNEVEN_POWER[1]]
    for number, (residual, (count, sd, gain)) in enumerate(itertools.product(_RESIDUALS, designs)):
        effects = CrossedEffects((count, 1), sd, residual, gain=gain, seed=_SEED + 300 + number)
        name_of_cell = (f"{gain:g}", f"{residual:g}", f"{sd:g}", f"{count} + 1")
        found.append(
            Cell("simulated uneven runs", name_of_cell, effects, dict.fromkeys(_UNEVEN, repetitions), resamples)
        )
    return found


def _tests(counts: tuple[int, int], many: int, few: int) -> dict[str, int]:
    """Repetitions of every test that is defined on so many runs: fewer of those that take long."""
    tests = dict.fromkeys(_CHEAP, many) | {"clark2011": few}
    if counts[0] != counts[1]:
        tests = {name: number for name, number in tests.items() if name not in _EQUAL_RUNS}
    if min(counts) >= 10:
        tests["run-permutation"] = few
    return tests


# The page.


def rate_text(found: tuple[int, int] | None, digits: int = 1) -> str:
    """Return a rate in per cent with its 95 % interval."""
    if found is None:
        return ""
    low, high = clopper_pearson(*found)
    return f"{100 * found[0] / found[1]:.{digits}f} ({100 * low:.{digits}f}–{100 * high:.{digits}f})"


def verdict(found: tuple[int, int]) -> str:
    """Whether the crossed test keeps its bound; where it does not, whether Monte-Carlo error may be the reason."""
    if found[0] / found[1] <= BOUND:
        return "yes"
    return "within error" if clopper_pearson(*found)[0] <= BOUND else "**no**"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], left: int) -> str:
    """Return a Markdown table; the first columns are words."""
    aligned = [*["---"] * left, *["--:"] * (len(headings) - left)]
    return (
        "\n".join(f"| {' | '.join(row)} |" for row in (headings, aligned, *rows))
        .replace("| --- ", "|---")
        .replace("| --: ", "|--:")
    )


def size_rows(outcomes: Sequence[Outcome], labels: Sequence[str]) -> Iterator[list[str]]:
    """Rates of all tests, metric by metric, and whether the crossed test keeps its bound."""
    for metric, label in enumerate(labels):
        for outcome in outcomes:
            rates = [rate_text(outcome.rejections(test, metric) if test in outcome.p else None) for test in _TESTS]
            first = [label, *outcome.name] if len(labels) > 1 else [*outcome.name]
            yield [*first, *rates, verdict(outcome.rejections("crossed", metric))]


def range_table(parts: dict[str, list[Outcome]]) -> str:
    """Return the smallest and the largest rate of each test."""
    rows = []
    for test in _TESTS:
        row = [test]
        for outcomes in parts.values():
            rates = [
                count / number
                for outcome in outcomes
                if test in outcome.p
                for count, number in [outcome.rejections(test, metric) for metric in range(len(outcome.p[test]))]
            ]
            row.append(f"{100 * min(rates):.1f}–{100 * max(rates):.1f}" if rates else "")
        rows.append(row)
    return columns(["test", *parts], rows)


def bounds_text(outcomes: Sequence[Outcome]) -> str:
    """Return the bounds that are not met, in plain words."""
    said = []
    checked = 0
    for outcome in outcomes:
        for metric in range(len(outcome.p["crossed"])):
            found = outcome.rejections("crossed", metric)
            checked += 1
            if (met := verdict(found)) != "yes":
                where = (
                    f"{LABELS[metric]}, {', '.join(outcome.name)}"
                    if outcome.part == "pool"
                    else "simulated, residual {}, run sd {}, runs {}".format(*outcome.name)
                )
                within = " (within Monte-Carlo error)" if met == "within error" else ""
                said.append(f"- {where}: {rate_text(found, 2)} %{within}")
    if not said:
        return f"`crossed` rejects at most {100 * BOUND:g} % in all {checked} cells."
    return (
        f"`crossed` rejects at most {100 * BOUND:g} % in {checked - len(said)} of {checked} cells; the others:\n\n"
        + ("\n".join(said))
    )


def unequal_rows(outcomes: Sequence[Outcome]) -> Iterator[list[str]]:
    """Rates of all tests, without a bound."""
    for outcome in outcomes:
        yield [*outcome.name, *(rate_text(outcome.rejections(test, 0)) for test in _CHEAP)]


def power_rows(outcomes: Sequence[Outcome]) -> Iterator[list[str]]:
    """Rates of rejection under a true gain."""
    for metric, label in enumerate(LABELS):
        for outcome in outcomes:
            rates = [
                rate_text(outcome.rejections(test, metric) if test in outcome.p else None) for test in ("crossed", "ar")
            ]
            yield [label, *outcome.name, f"{outcome.gains[metric]:.2f}", *rates]


def tables(outcomes: Sequence[Outcome]) -> dict[str, list[list[str]]]:
    """Return all that was measured, part by part, for the files beside the page."""
    parts = {part: [one for one in outcomes if one.part == part] for part in _FILES}
    pool = sorted(parts["pool"], key=lambda one: (one.name[:2], int(one.name[2].partition(" ")[0])))
    drawn = ["metric", "system", "test set", "runs"]
    return {
        "pool": [[*drawn, *_TESTS, "bound met"], *size_rows(pool, LABELS)],
        "simulated": [["residual", "run sd", "runs", *_TESTS, "bound met"], *size_rows(parts["simulated"], ("score",))],
        "unequal": [["runs", *_CHEAP], *unequal_rows(parts["unequal"])],
        "power": [["metric", "test set", "runs", "mean gain", "crossed", "ar"], *power_rows(parts["power"])],
        "rows of the pool": [[*drawn, *_ROWS], *_row_rates(parts["rows of the pool"], LABELS)],
        "simulated rows": [["run sd", "runs", *_ROWS], *_row_rates(parts["simulated rows"], ("",))],
        "uneven runs of the pool": [
            ["metric", "systems", "runs", "mean gain", *_UNEVEN],
            *_uneven_rates(parts["uneven runs of the pool"]),
        ],
        "simulated uneven runs": [
            ["gain", "residual", "run sd", "runs", *_UNEVEN],
            *_row_rates(parts["simulated uneven runs"], ("",), _UNEVEN),
        ],
    }


def _row_rates(outcomes: Sequence[Outcome], labels: Sequence[str], tests: Sequence[str] = _ROWS) -> Iterator[list[str]]:
    for metric, label in enumerate(labels):
        for one in outcomes:
            rates = [rate_text(one.rejections(test, metric)) for test in tests]
            yield [*([label] if label else []), *one.name, *rates]


def _uneven_rates(outcomes: Sequence[Outcome]) -> Iterator[list[str]]:
    for metric, label in enumerate(LABELS):
        for one in outcomes:
            rates = [rate_text(one.rejections(test, metric)) for test in _UNEVEN]
            yield [label, *one.name, f"{one.gains[metric]:.2f}", *rates]


def range_of(measured: list[list[str]], by: Sequence[str], tests: Sequence[str]) -> str:
    """Return the smallest and the largest rates of a part, or that it was left out."""
    return columns([*by, *tests], ranges(measured, by, tests)) if len(measured) > 1 else _ABSENT


def page(outcomes: Sequence[Outcome], draws: int, repetitions: int, resamples: int) -> str:
    """Return the page but for the section on rows."""
    pool, simulated = ([one for one in outcomes if one.part == part] for part in ("pool", "simulated"))
    head = _HEAD.format(version=__version__, seed=_SEED, resamples=resamples, bound=100 * BOUND)
    said = f"{head}\n\n{bounds_text([*pool, *simulated])}"
    short = range_table({"runs of real systems": pool, "simulated": simulated})
    return text(said, short, tables(outcomes), draws, repetitions)


def text(said: str, short: str, measured: Mapping[str, list[list[str]]], draws: int, repetitions: int) -> str:
    """Return the page, given what it says first, its summary and its tables."""
    parts = [
        said,
        "## In short",
        "Over all cells:",
        short,
        "## Runs of real systems",
        _POOL_WORDS.format(draws=draws, fewer=max(1, draws // 5), whole=link(_FILES["pool"])),
        range_of(measured["pool"], ["runs"], _TESTS),
        "## Simulated runs",
        _SIMULATED_WORDS.format(
            segments=_SEGMENTS,
            repetitions=f"{repetitions:,}",
            fewer=f"{max(1, repetitions // 5):,}",
            whole=link(_FILES["simulated"]),
        ),
        range_of(measured["simulated"], ["run sd"], _TESTS),
        _UNEQUAL_WORDS.format(spread=_SPREAD),
        range_of(measured["unequal"], ["runs"], _CHEAP),
        "## Power",
        _POWER_WORDS.format(draws=draws, whole=link(_FILES["power"])),
        range_of(measured["power"], ["metric", "runs"], ["mean gain", "crossed"]),
    ]
    return "\n\n".join(parts) + "\n"


def rows_section(measured: Mapping[str, list[list[str]]], draws: int, repetitions: int, resamples: int) -> str:
    """Return the section on tests that take rows for independent."""
    files = [link(_FILES[part]) for part in ("rows of the pool", "simulated rows")]
    parts = [
        _ROWS_HEADING,
        _ROWS_WORDS.format(
            draws=draws, repetitions=repetitions, resamples=resamples, residual=_RESIDUALS[0], files=" and ".join(files)
        ),
        range_of(measured["rows of the pool"], ["runs"], _ROWS),
        range_of(measured["simulated rows"], ["runs"], _ROWS),
    ]
    return "\n\n".join(parts) + "\n"


def uneven_section(measured: Mapping[str, list[list[str]]], draws: int, repetitions: int, resamples: int) -> str:
    """Return the section on several runs against one."""
    pool, simulated = measured["uneven runs of the pool"], measured["simulated uneven runs"]
    nulls, gains = (
        [simulated[0], *(row for row in simulated[1:] if (row[0] == "0") is null)] for null in (True, False)
    )
    count, _, gain = _UNEVEN_POWER
    parts = [
        _UNEVEN_HEADING,
        _UNEVEN_POOL_WORDS.format(draws=f"{draws:,}", whole=link(_FILES["uneven runs of the pool"])),
        columns(pool[0][1:], [row[1:] for row in pool[1:] if row[0] == LABELS[0]]) if len(pool) > 1 else _ABSENT,
        _UNEVEN_SIMULATED_WORDS.format(
            repetitions=f"{repetitions:,}", resamples=resamples, whole=link(_FILES["simulated uneven runs"])
        ),
        range_of(nulls, ["run sd", "runs"], ["crossed"]),
        f"Power of {count} + 1 runs at a gain of {gain:g}:",
        range_of(gains, ["run sd", "runs"], ["crossed"]),
    ]
    return "\n\n".join(parts) + "\n"


def with_section(page: str, section: str) -> str:
    """Return the page with a section in place of the one of that heading, or at its end."""
    heading = section.partition("\n")[0]
    before, _, after = f"{page}\n".partition(f"\n{heading}\n")
    _, mark, rest = after.partition("\n## ")
    return "\n".join(part.strip("\n") + "\n" for part in (before, section, f"{mark}{rest}") if part.strip())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the study and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.runs", description="Measure tests of several runs.")
    parser.add_argument("--draws", type=int, default=500, help="of runs from the pool (default: 500)")
    parser.add_argument("--repetitions", type=int, default=2000, help="of simulated nulls (default: 2000)")
    parser.add_argument("--resamples", type=int, default=299, help="resamples a test (default: 299)")
    add_jobs(parser)
    parser.add_argument("--output", type=Path, default=_PAGE, help=f"the page (default: {_PAGE.relative_to(ROOT)})")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--rows", action="store_true", help="only the section on rows taken for independent")
    only.add_argument("--uneven", action="store_true", help="only the section on several runs against one")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    few, fewer = max(1, options.draws // 5), max(1, options.repetitions // 5)
    cells = []
    if not options.uneven:
        cells += rows_cells(few, fewer, options.resamples)
    if not options.rows:
        cells += uneven_cells(_OF_ONE * options.draws, options.repetitions, options.resamples)
    if not (options.rows or options.uneven):
        cells += pool_cells(options.draws, options.resamples)
        cells += power_cells(options.draws, options.resamples)
        cells += simulated_cells(options.repetitions, options.resamples)
        cells += unequal_cells(options.repetitions, options.resamples)
    outcomes = []
    for outcome in run(cells, options.jobs):
        outcomes.append(outcome)
        spent = f"{time.perf_counter() - start:6.0f} s ({outcome.seconds:.0f} s)"
        print(f"{spent}  {outcome.part}, {', '.join(outcome.name)}", flush=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    if options.rows or options.uneven:
        written = options.output.read_text(encoding="utf-8")
    else:
        written = page(outcomes, options.draws, options.repetitions, options.resamples)
    measured = tables(outcomes)
    if not options.uneven:
        written = with_section(written, rows_section(measured, few, fewer, options.resamples))
    if not options.rows:
        section = uneven_section(measured, _OF_ONE * options.draws, options.repetitions, options.resamples)
        written = with_section(written, section)
    write_tables(options.output, {_FILES[part]: rows for part, rows in measured.items() if len(rows) > 1})
    options.output.write_text(written, encoding="utf-8")
    if options.rows or options.uneven:
        print(options.output)
        return
    bounded = [one for one in outcomes if one.part in ("pool", "simulated")]
    print(f"\n{bounds_text(bounded)}\n\n{options.output}")


#: The file of each part.
_FILES = {
    part: f"calibration-of-runs-{part.replace(' of the', '').replace(' ', '-')}"
    for part in (
        *("pool", "simulated", "unequal", "power", "rows of the pool", "simulated rows"),
        *("uneven runs of the pool", "simulated uneven runs"),
    )
}
_ABSENT = "Left out: TRUEGAIN_DATA has no nmt_pool."
_OF_ONE = 2  # draws of several runs against one, for each of other draws: a test set is not drawn, and they are quick
_UNEVEN_HEADING = "## Several runs against one"
_UNEVEN_POOL_WORDS = """\
If one system has a single run, `crossed` takes its runs to vary as much as the other's. In {draws} draws from the pool
(test2016, as it is), several runs of a system meet one other run: of the same system (six in turn; any difference is
false), or of a better one. `bootstrap` holds the runs fixed. BLEU; chrF and TER too: {whole}."""
_UNEVEN_SIMULATED_WORDS = """\
Simulated as above, {repetitions} repetitions of {resamples} resamples, both residuals: {whole}."""
_ROWS_HEADING = "## Rows taken for independent"
_ROWS_WORDS = """\
`fu-rows-bootstrap` and `fu-rows-ar` draw or swap rows, segment × run, as if they were independent: the method that Fu
et al. call Clark et al.'s. `python -m benchmarks.runs --rows` writes this section: {draws} draws of runs of real
systems as above (first table), and {repetitions} simulated repetitions with a residual of {residual} (second table),
{resamples} resamples each. All rates: {files}."""

_HEAD = """\
# Calibration of tests of several runs

Two systems with several runs each do not differ: how often does a test say that they do? At the 5 % level it should in
5 % of cases. Use `crossed`: it alone is about new runs on new segments. `ar` and `bootstrap` hold the runs fixed;
`welch`, `run-permutation`, `fu-bootstrap` and `fu-ar` hold the test set fixed; `clark2011` holds both fixed. Their
rates show what happens if their p-values are read as if they were about new runs and segments.

Entries are rates of rejection at the 5 % level in per cent, the lowest and the highest of a group of cells. The bound
of `crossed` is {bound:g} %, beyond which only Monte-Carlo error may take it. With 2 + 2 and 3 + 3 runs the smallest p
of `run-permutation` is 1/3 and 1/10: it cannot reject. `crossed` needs these runs to differ as well, so it may reject
in fewer than 5 % of cases.

Written by `python -m benchmarks.runs` (truegain {version}, seed {seed}, {resamples} resamples per test); do not edit
it."""

_POOL_WORDS = """\
Two small Transformers, German to English, with 20 runs each that differ in the random seed alone. In each of {draws}
draws, two groups of runs of one system are compared as if they were two systems (`clark2011`, and `run-permutation` of
10 + 10 runs: {fewer} draws). Draws share runs and segments: a rate is that of this pool on this test set. All cells
(BLEU, chrF and TER, two test sets), with intervals: {whole}."""

_SIMULATED_WORDS = """\
Scores of {segments} segments are sums of normal effects of segment, segment × system, run, and segment × run, drawn
again in each of {repetitions} repetitions ({fewer} for `clark2011`). The run sd is that of the run effects, in
standard errors of the difference over segments. `ar`, `fu-bootstrap` and `fu-ar` need equal numbers of runs. All
cells (residuals of 0.5 and 1, six designs of 2 + 2 to 3 + 10 runs), with intervals: {whole}."""

_UNEQUAL_WORDS = """\
If the runs of one system vary {spread:g} times as much as those of the other (run sd 1 and {spread:g}, residual 0.5),
two of each are too few for `crossed`, and three nearly so. A note says so if the runs show it; there is no bound
here."""

_POWER_WORDS = """\
`word-full` against `bpe-full`, which is better: in each of {draws} draws, runs of each are drawn without replacement,
and segments with replacement. With one run of each nothing can be said about new runs. Both test sets, and `ar`:
{whole}."""


if __name__ == "__main__":
    main()
