"""``python -m benchmarks.training_samples``: the crossed test with training samples, written to docs/studies.

Runs nested in training samples are simulated: true nulls, and a true gain beside Welch's t-test of the sample means.
The systems of the pool that were trained on samples of their own show the same on real data.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.csv_tables import link, ranges, write_tables
from benchmarks.data import REAL_DATA, ROOT
from benchmarks.machine import add_jobs
from benchmarks.pages import columns
from benchmarks.runs import BOUND, LABELS, Floats, pool_experiment, rate_text, verdict
from truegain.corpus import Corpus, Run, System, sample_numbers
from truegain.engines.engine import Engine
from truegain.experiment import Experiment
from truegain.metrics.segment_scores import SegmentScores
from truegain.procedures.base import Pair, TestOutcome, Trial
from truegain.procedures.lookup import procedure
from truegain.resampling.units import Units
from truegain.statistics import Block, SegmentStatistics
from truegain.studies.calibrate import measure
from truegain.version import __version__

__all__ = ["Cell", "NestedEffects", "Outcome", "cells", "main", "run"]

_PAGE = ROOT / "docs" / "studies" / "calibration-of-training-data.md"
_POOL = REAL_DATA / "nmt_pool"
_TEST_SETS = ("test2016", "coco2017")
_SIZES = {"bk29": "29,000", "bk14": "14,500", "bk7": "7,250"}
_SEED = 20_120_712
_LEVEL = 0.05
_SEGMENTS = 100
_RUN_SD = 0.5
_SAMPLES, _RUNS = (3, 5), (1, 2, 4)
_SAMPLE_SDS = (1.0, 2.0)
_RATIOS = (1.0, 4.0)
_CORRELATIONS = (0.0, 0.7)
_GAIN = 4.0


@dataclass(frozen=True)
class NestedEffects:
    """Segment scores of two systems as sums of normal effects, runs nested in training samples.

    The effects are those of segment, segment × system, sample, segment × sample, run, and segment × run. The standard
    error of the difference of the systems over segments is 1; a half of its variance is segment × system, a quarter
    segment × sample, and a quarter segment × run.

    Attributes
    ----------
    samples, runs : int
        Training samples of each system, and runs of each sample.
    sample_sd : float
        The standard deviation of sample effects of the first system, in standard errors over segments.
    ratio : float
        The variance of sample effects of the second system over that of the first.
    correlation : float or None
        Of the effects of a sample in both systems; None if each system has samples of its own.
    gain : float
        Of the second system: 0 under the null.
    named_apart : bool
        Whether samples have other names in both systems, so that nothing knows that they are matched.
    """

    samples: int
    runs: int
    sample_sd: float
    ratio: float = 1.0
    correlation: float | None = None
    gain: float = 0.0
    named_apart: bool = False
    seed: int = _SEED

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`truegain.studies.nulls.DataMaker`."""
        rng = np.random.default_rng([self.seed, repetition])
        n, k, m = _SEGMENTS, self.samples, self.runs
        shared = self.correlation or 0.0

        def effects(*shape: int) -> Floats:
            """Return effects of samples in both systems, correlated as asked for; shape (2, samples, …)."""
            own = np.sqrt(1.0 - shared) * rng.standard_normal((2, *shape))
            return np.asarray(own + np.sqrt(shared) * rng.standard_normal(shape))

        system = rng.normal(0.0, 5.0, n) + np.sqrt(n / 4.0) * rng.standard_normal((2, n))
        system[1] += self.gain
        of_sample = np.sqrt(n * k / 8.0) * effects(k, n)
        of_sample += self.sample_sd * np.sqrt([1.0, self.ratio])[:, None, None] * effects(k)[..., None]
        of_run = np.sqrt(n * k * m / 8.0) * rng.standard_normal((2, k, m, n))
        of_run += _RUN_SD * rng.standard_normal((2, k, m, 1))
        scores = (system[:, None, None] + of_sample[:, :, None] + of_run).reshape(2 * k * m, n).T
        systems = tuple(
            System(name, tuple(Run(f"{name}.{i}", sample=f"{prefix}{i // m}") for i in range(k * m)))
            for name, prefix in (("first", ""), ("second", "" if self._matched else "other "))
        )
        values = np.stack([scores, np.ones_like(scores)], -1).reshape(n, -1)
        block = Block("scores", SegmentScores(), 0, (k * m, k * m), sample_numbers(systems))
        return Experiment(
            corpus=Corpus("null", n, (), systems),
            statistics=SegmentStatistics(values, (block,)),
            units=Units.segments(n),
            engine=Engine(),
            seed=int(rng.integers(2**63)),
            notes=(),
        )

    @property
    def _matched(self) -> bool:
        return self.correlation is not None and not self.named_apart


@dataclass(frozen=True)
class Cell:
    """One row: a design, and how often it is drawn."""

    make: NestedEffects
    repetitions: int
    resamples: int


@dataclass(frozen=True)
class Outcome:
    """Rejections at 5 % of the null and of the gain, by test: the count, and of how many."""

    make: NestedEffects
    null: dict[str, tuple[int, int]]
    gain: dict[str, tuple[int, int]]
    seconds: float

    @property
    def first_columns(self) -> list[str]:
        """The design in words."""
        make = self.make
        correlation = "own" if make.correlation is None else f"matched, {make.correlation:g}"
        return [correlation, f"{make.samples} × {make.runs}", f"{make.sample_sd:g}", f"{make.ratio:g} : 1"]


def cells(repetitions: int, resamples: int) -> list[Cell]:
    """Return all designs."""
    own = itertools.product((None,), _SAMPLES, _RUNS, _SAMPLE_SDS, _RATIOS)
    matched = itertools.product(_CORRELATIONS, _SAMPLES, _RUNS, _SAMPLE_SDS[-1:], _RATIOS)
    return [
        Cell(NestedEffects(k, m, sd, ratio, correlation, seed=_SEED + number), repetitions, resamples)
        for number, (correlation, k, m, sd, ratio) in enumerate([*own, *matched])
    ]


def run(several: Sequence[Cell], jobs: int = 1) -> Iterator[Outcome]:
    """Measure every cell; the result does not depend on the number of processes."""
    if jobs == 1:
        yield from map(_measured, several)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as processes:
        yield from processes.map(_measured, several)


def _measured(cell: Cell) -> Outcome:
    start = time.perf_counter()
    null = _rejections(cell.make, cell.repetitions, cell.resamples)
    gain = _rejections(replace(cell.make, gain=_GAIN), max(1, cell.repetitions // 5), cell.resamples)
    return Outcome(cell.make, null, gain, time.perf_counter() - start)


def _rejections(make: NestedEffects, repetitions: int, resamples: int) -> dict[str, tuple[int, int]]:
    """Return the rejections of the crossed test and of Welch's; of matched samples, as if they were not, too."""
    p: dict[str, Floats] = {}
    if make.correlation is None:
        p["crossed"], p["welch"] = measure(make, ["crossed", "welch"], repetitions=repetitions, resamples=resamples)[
            :, 0
        ]
    else:
        apart, fewer = replace(make, named_apart=True), max(1, repetitions // 2)
        (p["crossed"],) = measure(make, ["crossed"], repetitions=repetitions, resamples=resamples)[:, 0]
        p["apart"], p["welch"] = measure(apart, ["crossed", "welch"], repetitions=fewer, resamples=resamples)[:, 0]
    return {test: (int(np.count_nonzero(found <= _LEVEL)), found.size) for test, found in p.items()}


# The systems of the pool, each run trained on a sample of its own.


def sampled_systems(test_set: str, size: str) -> Experiment:
    """Return the word and the subword system of one size, all runs with the names of their training samples."""
    made = pool_experiment(test_set, [f"word-{size}", f"bpe-{size}"])
    systems = tuple(
        replace(one, runs=tuple(replace(run, sample=f"{one.name}.{i}") for i, run in enumerate(one.runs)))
        for one in made.corpus.systems
    )
    known = replace(made, corpus=replace(made.corpus, systems=systems))
    half = len(systems[0].runs)
    return known.regrouped({systems[0].name: range(half), systems[1].name: range(half, 2 * half)})


def tested(experiment: Experiment, test: str, resamples: int) -> list[TestOutcome]:
    """Return what a test says of the two systems, metric by metric."""
    pair = Pair(0, 1)
    found = procedure(test)(Trial(experiment, (pair,), resamples=resamples))
    return [found[m, pair] for m in range(len(experiment.statistics.blocks))]


def real_tables(resamples: int) -> tuple[list[list[str]], str]:
    """Return the gains of subwords over words by size, and what happens to groups of one system's samples."""
    gains, nulls = [], dict.fromkeys(("crossed", "ar"), 0)
    splits = [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]
    number = 0
    for test_set, (size, lines) in itertools.product(_TEST_SETS, _SIZES.items()):
        experiment = sampled_systems(test_set, size)
        by_test = {test: tested(experiment, test, resamples) for test in ("crossed", "ar", "run-permutation")}
        for m, label in enumerate(LABELS):
            crossed = by_test["crossed"][m]
            assert crossed.interval is not None
            spreads = " / ".join(f"{np.sqrt(experiment.replicas_of(m, s).variance):.2f}" for s in (0, 1))
            sign = -1.0 if experiment.statistics.blocks[m].metric.higher_is_better is False else 1.0
            delta = sign * (experiment.scores[m, 1] - experiment.scores[m, 0])
            interval = f"{crossed.interval.low:.2f} to {crossed.interval.high:.2f}"
            ps = [f"{by_test[test][m].p_value.p:.4f}" for test in by_test]
            gains.append([label, test_set, lines, f"{delta:.2f}", interval, spreads, *ps])
        for (first, second), system in itertools.product(splits, (0, 1)):
            runs = [[4 * system + i for i in half] for half in (first, second)]
            null = experiment.regrouped({"first": runs[0], "second": runs[1]})
            for test in nulls:
                nulls[test] += sum(one.p_value.p <= _LEVEL for one in tested(null, test, resamples))
            number += len(LABELS)
    headings = ["metric", "test set", "pairs", "gain", "95 % interval", "sd of samples, word / bpe"]
    said = "; ".join(f"`{test}` {count} ({100 * count / number:.1f} %)" for test, count in nulls.items())
    return [[*headings, "crossed", "ar", "run-permutation"], *gains], f"Of {number} such nulls reject: {said}."


# The page.


def size_rows(outcomes: Sequence[Outcome]) -> Iterator[list[str]]:
    """Rates of rejection of true nulls."""
    for one in outcomes:
        rates = [rate_text(one.null.get(test)) for test in ("crossed", "apart", "welch")]
        yield [*one.first_columns, *rates, verdict(one.null["crossed"])]


def power_rows(outcomes: Sequence[Outcome]) -> Iterator[list[str]]:
    """Rates of rejection under the gain; of Welch's test only if it keeps the bound."""
    for one in outcomes:
        keeps = one.null["welch"][0] / one.null["welch"][1] <= BOUND
        count, number = one.null["welch"]
        welch = rate_text(one.gain["welch"]) if keeps else f"no: rejects {100 * count / number:.1f} % of nulls"
        yield [*one.first_columns, rate_text(one.gain["crossed"]), rate_text(one.gain.get("apart")), welch]


def bounds_text(outcomes: Sequence[Outcome]) -> str:
    """Return which bounds are met, in plain words."""
    rates = [count / number for count, number in (one.null["crossed"] for one in outcomes)]
    met = [verdict(one.null["crossed"]) for one in outcomes]
    beyond = f", in {met.count('within error')} more within Monte-Carlo error" if "within error" in met else ""
    return (
        f"`crossed` rejects {100 * min(rates):.1f}–{100 * max(rates):.1f} % of true nulls: at most {100 * BOUND:g} % "
        f"in {met.count('yes')} of {len(met)} cells{beyond}; above it in {met.count('**no**')}."
    )


_DESIGN = ["samples", "samples × runs", "sample sd", "variances"]
_TESTED = ["crossed", "crossed, as if independent", "welch of sample means"]
_NULLS, _POWERS, _GAINS = (f"calibration-of-training-data-{name}" for name in ("nulls", "power", "gains"))


def page(said: str, measured: Mapping[str, list[list[str]]], real: str | None, repetitions: int, resamples: int) -> str:
    """Return the page, given what it says of bounds and of real nulls, and its tables."""
    parts = [
        _HEAD.format(version=__version__, seed=_SEED, resamples=resamples, bound=100 * BOUND),
        said,
        "## True nulls",
        _SIMULATED_WORDS.format(segments=_SEGMENTS, repetitions=f"{repetitions:,}", run_sd=_RUN_SD, whole=link(_NULLS)),
        columns(["samples", *_TESTED], ranges(measured[_NULLS], ["samples"], _TESTED)),
        "## Power",
        _POWER_WORDS.format(
            gain=_GAIN, repetitions=f"{max(1, repetitions // 5):,}", bound=100 * BOUND, whole=link(_POWERS)
        ),
        columns(["samples", "sample sd", *_TESTED], ranges(measured[_POWERS], ["samples", "sample sd"], _TESTED)),
        "## Real systems",
    ]
    if real is None:
        parts.append("Left out: TRUEGAIN_DATA has no nmt_pool.")
    else:
        headings, *rows = measured[_GAINS]
        shown = [row[1:] for row in rows if row[0] == LABELS[0]]
        words = _REAL_WORDS.format(metric=LABELS[0], whole=link(_GAINS))
        parts += [words, columns(headings[1:], shown), f"{_NULL_WORDS} {real}"]
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the study and write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.training_samples", description="Measure the crossed test with training samples."
    )
    parser.add_argument("--repetitions", type=int, default=1000, help="of simulated nulls (default: 1000)")
    parser.add_argument("--resamples", type=int, default=299, help="resamples a test (default: 299)")
    add_jobs(parser)
    parser.add_argument("--output", type=Path, default=_PAGE, help=f"the page (default: {_PAGE.relative_to(ROOT)})")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    outcomes = []
    for outcome in run(cells(options.repetitions, options.resamples), options.jobs):
        outcomes.append(outcome)
        spent = f"{time.perf_counter() - start:6.0f} s ({outcome.seconds:.0f} s)"
        print(f"{spent}  {', '.join(outcome.first_columns)}: {rate_text(outcome.null['crossed'])}", flush=True)
    measured = {
        _NULLS: [[*_DESIGN, *_TESTED, "bound met"], *size_rows(outcomes)],
        _POWERS: [[*_DESIGN, *_TESTED], *power_rows(outcomes)],
    }
    real = None
    if _POOL.is_dir():
        measured[_GAINS], real = real_tables(9_999)
    write_tables(options.output, measured)
    text = page(bounds_text(outcomes), measured, real, options.repetitions, options.resamples)
    options.output.write_text(text, encoding="utf-8")
    print(f"\n{bounds_text(outcomes)}\n\n{options.output}")


_HEAD = """\
# Calibration of the crossed test with training samples

Two systems, each trained on several samples of training data ([training data](../training-data.md)), do not differ:
how often does `crossed` say that they do, for new training data, new runs and new segments? Entries are rates of
rejection at the 5 % level in per cent, the lowest and the highest of a group of cells; the bound of `crossed` is
{bound:g} %, beyond which only Monte-Carlo error may take it.

Written by `python -m benchmarks.training_samples`, with the tables in `data/`: truegain {version}, seed {seed},
{resamples} resamples per test. Do not edit it: run the command again."""

_SIMULATED_WORDS = """\
Scores of {segments} segments are sums of normal effects of segment, segment × system, sample, segment × sample, run
and segment × run, drawn in each of {repetitions} repetitions. The standard deviation of run effects is {run_sd:g}
standard errors of the difference over segments, that of sample effects 1 or 2, with equal variances in both systems
or 4 : 1. Samples are the systems' own, or the same in both (matched), with that correlation of what a sample does to
either.

Matched samples are tested by differences within samples; "as if independent" gives them other names in either system.
`welch` compares the means of samples and holds the segments fixed: read as if it were about new segments, it rejects
too often. All cells, with intervals: {whole}."""

_POWER_WORDS = """\
The same with a gain of {gain:g} standard errors over segments, in {repetitions} repetitions; of `welch` only cells in
which it rejects at most {bound:g} % of true nulls. All cells: {whole}."""

_REAL_WORDS = """\
Small Transformers, German to English, with words and with subwords, trained on sets drawn with replacement from
29,000 pairs: four sets per system and size, one run per set. `crossed` is about new training sets, runs and segments,
`ar` about these eight runs on new segments, `run-permutation` about new training sets and runs on this test set (4 +
4 samples have no p below 0.0286). {metric}; the other metrics: {whole}."""

_NULL_WORDS = """\
As true nulls, the four samples of each system are divided into two and two, in all three ways, on both test sets and
under the three metrics: few cases, which share segments and runs."""


if __name__ == "__main__":
    main()
