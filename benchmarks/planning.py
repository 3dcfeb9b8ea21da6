"""``python -m benchmarks.planning``: planned power against how often tests reject, written to docs/studies/planning.md.

Segment scores of two systems with a correlation, runs as crossed effects, and BLEU of simulated texts on documents
drawn from many: what the plan says, and the share of repetitions in which the product's own tests are significant.
"""

from __future__ import annotations

import argparse
import itertools
import math
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.csv_tables import link, write_tables
from benchmarks.data import ROOT
from benchmarks.machine import add_jobs
from benchmarks.pages import columns
from benchmarks.runs import CrossedEffects
from benchmarks.simulation import SystemSpec, simulate
from truegain.corpus import Corpus, Run, System
from truegain.engines.engine import Engine
from truegain.experiment import Experiment
from truegain.inference.power import Plan, plan_of
from truegain.metrics.segment_scores import SegmentScores
from truegain.procedures.base import Pair, Trial
from truegain.readers.memory import corpus_from_memory
from truegain.resampling.units import Units
from truegain.statistics import Block, SegmentStatistics
from truegain.studies.calibrate import measure
from truegain.studies.nulls import DataMaker
from truegain.studies.plan import plan
from truegain.version import __version__

__all__ = [
    "BOUND",
    "Cell",
    "CorrelatedScores",
    "Outcome",
    "RedrawnUnits",
    "correlated_cells",
    "crossed_cells",
    "main",
    "measured",
    "population",
    "redrawn_cells",
    "run",
]

Floats = NDArray[np.float64]

#: How far the plan may be off, Monte-Carlo error apart.
BOUND = 0.03
_PAGE = ROOT / "docs" / "studies" / "planning.md"
_SEED = 20_120_712
_LEVEL = 0.05
_SD = 12.0
_PAIR = Pair(0, 1)
_SIZES = (30, 100, 400)
_CORRELATIONS = (0.0, 0.5, 0.9)
_STRENGTHS = (1.0, 2.0, 3.0)  # gains, in standard errors at a correlation of ½
_RUN_SIZES = (50, 200)
_RUNS = (2, 3, 5)
_RUN_SDS = (0.5, 1.0)
_RUN_GAINS = (2.0, 4.0)
_DOCUMENTS = (15, 30, 60, 120)
_POPULATION = 4_000
_PILOTS = 200
_PILOT = 60


@dataclass(frozen=True)
class CorrelatedScores:
    """Normal segment scores of two systems: a deviation, a correlation, and a gain of the second."""

    segments: int
    gain: float
    correlation: float
    sd: float = _SD
    seed: int = _SEED

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`truegain.studies.nulls.DataMaker`."""
        own_seed = [self.seed, self.segments, round(100 * self.gain), round(100 * self.correlation), repetition]
        rng = np.random.default_rng(own_seed)
        first, own = rng.standard_normal((2, self.segments))
        second = self.correlation * first + math.sqrt(1.0 - self.correlation**2) * own
        ones = np.ones(self.segments)
        values = np.stack([self.sd * first, ones, self.sd * second + self.gain, ones], 1)
        systems = tuple(System(name, (Run(name),)) for name in ("first", "second"))
        return Experiment(
            corpus=Corpus("scores", self.segments, (), systems),
            statistics=SegmentStatistics(values, (Block("scores", SegmentScores(), 0, (1, 1)),)),
            units=Units.segments(self.segments),
            engine=Engine(),
            seed=int(rng.integers(2**63)),
            notes=(),
        )


@dataclass(frozen=True)
class RedrawnUnits:
    """Test sets of some units, drawn with replacement from many."""

    experiment: Experiment
    count: int
    seed: int = _SEED

    @cached_property
    def _members(self) -> list[NDArray[np.intp]]:
        units = self.experiment.units
        return np.split(np.argsort(units.of_segment, kind="stable"), np.cumsum(units.sizes)[:-1])

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`truegain.studies.nulls.DataMaker`."""
        rng = np.random.default_rng([self.seed, self.count, repetition])
        chosen = rng.integers(self.experiment.units.count, size=self.count)
        rows = np.concatenate([self._members[unit] for unit in chosen.tolist()])
        of_segment = np.repeat(np.arange(self.count), self.experiment.units.sizes[chosen])
        return replace(
            self.experiment,
            corpus=replace(self.experiment.corpus, segments=int(rows.size), documents=None),
            statistics=SegmentStatistics(self.experiment.statistics.values[rows], self.experiment.statistics.blocks),
            units=Units(self.experiment.units.kind, of_segment, self.count),
            seed=int(rng.integers(2**63)),
        )


@dataclass(frozen=True)
class Cell:
    """What is planned, data to hold it against, and the tests to be made on these."""

    part: str
    name: tuple[str, ...]
    planned: float
    make: DataMaker
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """A cell and the share of repetitions in which each test was significant."""

    cell: Cell
    found: tuple[float, ...]
    repetitions: int

    def off(self) -> list[float]:
        """How far the plan is off beyond two Monte-Carlo standard errors, test by test."""
        planned = self.cell.planned
        error = 2.0 * math.sqrt(max(planned * (1.0 - planned), 1e-4) / self.repetitions)
        return [max(abs(planned - found) - error, 0.0) for found in self.found]


def correlated_cells(
    sizes: Sequence[int] = _SIZES,
    correlations: Sequence[float] = _CORRELATIONS,
    strengths: Sequence[float] = _STRENGTHS,
    tests: tuple[str, ...] = ("t", "ar", "bootstrap"),
) -> Iterator[Cell]:
    """One run of each: the plan from assumptions."""
    for n, strength, correlation in itertools.product(sizes, strengths, correlations):
        gain = round(strength * _SD / math.sqrt(n), 2)
        planned = plan(sd=_SD, correlation=correlation, gain=gain, segment_counts=[n])
        name = (f"{n:,}", f"{gain:.2f}", f"{correlation:g}")
        make = CorrelatedScores(n, gain, correlation)
        yield Cell("correlated", name, planned.predicted[0].powers[0], make, tests)


def crossed_cells(
    sizes: Sequence[int] = _RUN_SIZES,
    runs: Sequence[int] = _RUNS,
    run_sds: Sequence[float] = _RUN_SDS,
    gains: Sequence[float] = _RUN_GAINS,
) -> Iterator[Cell]:
    """Several runs: half of the variance over segments is that of segment × run; it is 1 with three runs of each."""
    inner = 0.5 / (2.0 / 3.0)
    for number, (n, count, run_sd, gain) in enumerate(itertools.product(sizes, runs, run_sds, gains)):
        plan = Plan(0.5, (run_sd**2, run_sd**2), (inner, inner), n)
        over_units = 0.5 + 2.0 * inner / count
        # CrossedEffects has a standard error of 1 over segments whatever the runs: everything is put in these.
        scale = math.sqrt(over_units)
        make = CrossedEffects(
            (count, count), run_sd / scale, 1.0 - 0.5 / over_units, gain=gain / scale, segments=n, seed=_SEED + number
        )
        name = (f"{n:,}", f"{count}", f"{run_sd:g}", f"{gain:g}")
        yield Cell("crossed", name, plan.power(gain, (count, count)), make, ("crossed",))


def population(segments: int = _POPULATION, *, gap: float = 0.018) -> Experiment:
    """Return simulated systems on many documents."""
    made = simulate(
        segments=segments,
        systems=[SystemSpec(name="base", quality=0.7), SystemSpec(name="new", quality=0.7 + gap)],
        seed=7,
    )
    corpus = corpus_from_memory(
        list(made.references[0]),
        {name: list(runs[0]) for name, runs in made.systems.items()},
        documents=list(made.documents),
    )
    return Experiment.prepare(corpus, ["bleu"], unit="document", seed=1, jobs=1, cache=None, engine=None, progress=None)


def _plan_of(experiment: Experiment) -> Plan:
    return plan_of(experiment.runs_of(0, 0), experiment.runs_of(0, 1), experiment.effective_units)


def _gain_of(experiment: Experiment) -> float:
    return Trial(experiment, (_PAIR,)).delta((0, _PAIR))


def redrawn_cells(whole: Experiment, documents: Sequence[int] = _DOCUMENTS) -> Iterator[Cell]:
    """BLEU on documents drawn from all: the plan from all of them as the pilot, for the gain on all of them."""
    plan, gain = _plan_of(whole), _gain_of(whole)
    share = plan.units / whole.units.count
    for count in documents:
        planned = plan.power(gain, (1, 1), units=count * share)
        yield Cell("redrawn", (f"{count}",), planned, RedrawnUnits(whole, count), ("ar", "bootstrap"))


def from_pilots(whole: Experiment, count: int, pilots: int) -> Floats:
    """Return the power planned from small pilots of their own, for the true gain on ``count`` documents."""
    gain = _gain_of(whole)
    draw = RedrawnUnits(whole, _PILOT, seed=_SEED + 1)
    plans = [_plan_of(draw(number)) for number in range(pilots)]
    return np.array([plan.power(gain, (1, 1), units=count * plan.units / _PILOT) for plan in plans])


def measured(cell: Cell, *, repetitions: int, resamples: int) -> Outcome:
    """How often the tests of a cell are significant."""
    p = measure(cell.make, cell.tests, repetitions=repetitions, resamples=resamples)[:, 0]
    return Outcome(cell, tuple((p <= _LEVEL).mean(1).tolist()), repetitions)


def run(cells: Sequence[Cell], *, repetitions: int, resamples: int, jobs: int) -> list[Outcome]:
    """All cells, in processes; the result does not depend on how many."""
    work = partial(measured, repetitions=repetitions, resamples=resamples)
    if jobs == 1:
        return [work(cell) for cell in cells]
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        return list(pool.map(work, cells))


_FILES = {"correlated": "planning-segments", "crossed": "planning-runs"}
_CORRELATED_TESTS = ("t", "ar", "bootstrap")
_HEAD = """\
# Plans against simulations

Does `truegain plan` say beforehand how often a test will be significant? Written by `python -m benchmarks.planning`
(truegain {version}, seed {seed}): {repetitions:,} repetitions per cell, {resamples} resamples per test, two-sided at
5 %; the Monte-Carlo standard error of a share of ½ is {error:.1f} points. All numbers are per cent.
"""
_CORRELATED = """\
## Segment scores, one run of each

Normal scores with a standard deviation of {sd:g}; the plan is `truegain plan --sd {sd:g} --correlation R --gain GAIN
--segments N`, with correlations of 0, 0.5 and 0.9 and gains with a power of 10 to 100 %. The largest distance of a
test's rejections from the plan, in points (all plans: {whole}):"""
_CROSSED = """\
## Several runs

Crossed effects of segments, runs (sd of 0.5 or 1 standard errors over segments), and segment × run, half of the
variance over segments; 2, 3 or 5 runs. The test is `crossed`, for new runs on new segments. The largest distance from
the plan (all plans: {whole}):"""
_REDRAWN = """\
## BLEU on documents

Two simulated systems on {documents:,} documents ({segments:,} segments), {gain:.2f} BLEU apart. Test sets are drawn
from the documents with replacement. Planned: with all documents as the pilot. From pilots: the median and the middle
90 % of the power planned from {pilots} pilots of {pilot} documents; that is what not knowing the variance costs."""


def summary(outcomes: Sequence[Outcome]) -> str:
    """How far plans are off, in a sentence."""
    apart = [abs(one.cell.planned - found) for one in outcomes for found in one.found]
    beyond = [off for one in outcomes for off in one.off()]
    missed = sum(off > BOUND for off in beyond)
    return (
        f"In {len(apart)} comparisons of a plan with a test, the two are {100 * np.mean(apart):.1f} points apart on "
        f"average\nand {100 * max(apart):.1f} at most; beyond two Monte-Carlo standard errors, at most "
        f"{100 * max(beyond):.1f}.\n"
        f"More than {100 * BOUND:g} points beyond: {missed or 'none'}."
    )


def _rows(outcomes: Sequence[Outcome], part: str) -> list[list[str]]:
    return [
        [*one.cell.name, f"{100 * one.cell.planned:.1f}", *(f"{100 * found:.1f}" for found in one.found)]
        for one in outcomes
        if one.cell.part == part
    ]


def tables(outcomes: Sequence[Outcome]) -> dict[str, list[list[str]]]:
    """Return plans and tests, row by row, for the files beside the page."""
    return {
        "correlated": [
            ["segments", "gain", "correlation", "planned", *_CORRELATED_TESTS],
            *_rows(outcomes, "correlated"),
        ],
        "crossed": [["segments", "runs", "run sd", "gain", "planned", "crossed"], *_rows(outcomes, "crossed")],
    }


def apart_table(measured: list[list[str]]) -> str:
    """Return how far the shares of each test are from the plan at most, by the number of segments."""
    headings, *rows = measured
    planned = headings.index("planned")
    cells = []
    for segments in dict.fromkeys(row[0] for row in rows):
        mine = [[float(cell) for cell in row[planned:]] for row in rows if row[0] == segments]
        most = [max(abs(row[i] - row[0]) for row in mine) for i in range(1, len(mine[0]))]
        cells.append([segments, str(len(mine)), *(f"{one:.1f}" for one in most)])
    return columns(["segments", "plans", *headings[planned + 1 :]], cells)


def page(outcomes: Sequence[Outcome], whole: Experiment, resamples: int, pilots: int) -> str:
    """Return the whole page."""
    repetitions = outcomes[0].repetitions
    measured = tables(outcomes)
    redrawn = []
    for row in _rows(outcomes, "redrawn"):
        low, middle, high = np.quantile(from_pilots(whole, int(row[0]), pilots), (0.05, 0.5, 0.95))
        redrawn.append([*row, f"{100 * middle:.0f} ({100 * low:.0f} – {100 * high:.0f})"])
    parts = [
        _HEAD.format(
            version=__version__,
            seed=_SEED,
            repetitions=repetitions,
            resamples=resamples,
            error=50 / math.sqrt(repetitions),
        ).strip(),
        summary(outcomes),
        _CORRELATED.format(sd=_SD, whole=link(_FILES["correlated"])),
        apart_table(measured["correlated"]),
        _CROSSED.format(whole=link(_FILES["crossed"])),
        apart_table(measured["crossed"]),
        _REDRAWN.format(
            documents=whole.units.count,
            segments=whole.corpus.segments,
            gain=_gain_of(whole),
            pilots=pilots,
            pilot=_PILOT,
        ),
        columns(["documents", "planned", "ar", "bootstrap", "from pilots"], redrawn),
    ]
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the study and write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.planning", description="Hold plans against simulations."
    )
    parser.add_argument("--repetitions", type=int, default=1000, help="a cell (default: 1000)")
    parser.add_argument("--resamples", type=int, default=399, help="resamples a test (default: 399)")
    parser.add_argument("--pilots", type=int, default=_PILOTS, help=f"(default: {_PILOTS})")
    add_jobs(parser)
    parser.add_argument("--output", type=Path, default=_PAGE, help=f"the page (default: {_PAGE.relative_to(ROOT)})")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    whole = population()
    cells = [*correlated_cells(), *crossed_cells(), *redrawn_cells(whole)]
    outcomes = run(cells, repetitions=options.repetitions, resamples=options.resamples, jobs=options.jobs)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(page(outcomes, whole, options.resamples, options.pilots), encoding="utf-8")
    write_tables(options.output, {_FILES[part]: rows for part, rows in tables(outcomes).items()})
    print(f"{summary(outcomes)}\nwrote {options.output} after {time.perf_counter() - start:.0f} seconds")


if __name__ == "__main__":
    main()
