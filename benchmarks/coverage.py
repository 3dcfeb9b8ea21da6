"""``python -m benchmarks.coverage``: how often intervals of Δ hold the true gain, and whether they agree with p.

Written to docs/studies/coverage.md.
"""

from __future__ import annotations

import argparse
import itertools
import math
import textwrap
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import truegain
from benchmarks.calibration.pools import assembled
from benchmarks.csv_tables import link, ranges, write_tables
from benchmarks.data import REAL_DATA, ROOT
from benchmarks.machine import add_jobs
from benchmarks.pages import columns
from truegain.corpus import Corpus
from truegain.inference.intervals import Interval, IntervalMethod, bootstrap_interval
from truegain.inference.inversion import Inversion, drawn_reach, swapped_reach
from truegain.inference.pvalues import clopper_pearson, small_sample_factor
from truegain.inference.results import Comparison
from truegain.metrics.base import Metric
from truegain.metrics.bleu import BLEU
from truegain.metrics.chrf import CHRF
from truegain.procedures.base import Pair, Trial
from truegain.procedures.bootstrap import BOOTSTRAP
from truegain.procedures.randomization import AR
from truegain.readers.corpora import read_corpus
from truegain.studies.compare import CompareResult
from truegain.version import __version__

__all__ = [
    "SHAPES",
    "Agreement",
    "Cell",
    "disagreements",
    "main",
    "means_cell",
    "real_corpora",
    "real_pairs",
    "simulated_pairs",
]

Floats = NDArray[np.float64]

_PAGE = ROOT / "docs" / "studies" / "coverage.md"
_SEED = 20_261_120
_ALPHA = 0.05
_SIZES = (30, 100, 500, 3_000)
_DOCUMENTS = (30, 100, 500)
_LARGEST = 40  # segments of a document
_BATCH = 50  # datasets that share their swaps and draws
_METHODS = ("ar", "bootstrap", "percentile")
#: Differences of segments, with a standard deviation of 1 or nearly.
SHAPES = ("normal", "exponential", "lognormal", "70 % zero", "0/1 answers")
_GAINS = (0.0, 0.5)
_RUNS = 4
_DRAWN = ("bpe-full.00", "bpe-full.01", "word-full.00", "bpe-odd.00")
_SETS = ("test2016", "val", "coco2017")


@dataclass(frozen=True)
class Cell:
    """Datasets of one kind: how many intervals held the true gain, and how wide they were, by method."""

    kind: str
    truth: float
    units: int
    datasets: int
    held: dict[str, int]
    widths: dict[str, float]


@dataclass(frozen=True)
class Agreement:
    """Comparisons, and those in which p ≤ alpha and the unadjusted interval disagree about zero."""

    what: str
    tests: str
    comparisons: int
    apart: int


def drawn_differences(kind: str, gain: float, shape: tuple[int, int], generator: np.random.Generator) -> Floats:
    """Draw differences of segments whose mean is the gain."""
    if kind == "normal":
        return gain + generator.standard_normal(shape)
    if kind == "exponential":
        return gain + generator.standard_exponential(shape) - 1.0
    if kind == "lognormal":
        spread = math.sqrt((math.e - 1.0) * math.e)
        return gain + (np.exp(generator.standard_normal(shape)) - math.exp(0.5)) / spread
    if kind == "70 % zero":
        moved = generator.random(shape) < 0.3
        return np.where(moved, gain / 0.3 + generator.standard_normal(shape) / math.sqrt(0.3), 0.0)
    place = generator.random(shape)  # both right or both wrong on six segments of ten
    return np.where(place < 0.4 * (0.5 + gain), 1.0, np.where(place < 0.4, -1.0, 0.0))


def true_gain(kind: str, gain: float) -> float:
    """Return the mean of what is drawn."""
    return 0.8 * gain if kind == "0/1 answers" else gain


def means_cell(kind: str, gain: float, units: int, datasets: int, resamples: int, *, documents: bool = False) -> Cell:
    """Measure the mean of segments; or, of ``documents`` of unequal size, with whole documents as units."""
    number = SHAPES.index(kind)
    generator = np.random.default_rng([_SEED, number, round(100 * gain), units, documents])
    truth = true_gain(kind, gain)
    found: list[dict[str, Interval]] = []
    for first in range(0, datasets, _BATCH):
        count = min(_BATCH, datasets - first)
        if documents:
            sizes = generator.integers(1, _LARGEST + 1, units)
            own = generator.standard_normal((units, count)) * math.sqrt(0.3) * sizes[:, None]
            inside = drawn_differences(kind, gain, (int(sizes.sum()), count), generator)
            sums = own + math.sqrt(0.7) * (
                np.add.reduceat(inside, np.r_[0, np.cumsum(sizes)[:-1]]) - truth * sizes[:, None]
            )
            sums += truth * sizes[:, None]
        else:
            sizes = np.ones(units, np.int64)
            sums = drawn_differences(kind, gain, (units, count), generator)
        total = int(sizes.sum())
        masks = generator.random((resamples, units)) < 0.5
        counts = generator.multinomial(units, np.full(units, 1.0 / units), resamples).astype(np.float64)
        swapped = masks.astype(np.float64) @ sums
        shares = masks @ sizes / total
        drawn = (counts @ sums) / (counts @ sizes)[:, None]
        factor = small_sample_factor(units, float(total**2 / (sizes**2).sum()))
        for i in range(count):
            delta = float(sums[:, i].sum() / total)
            found.append(
                {
                    "ar": _kept(resamples, delta, delta - 2.0 * swapped[:, i] / total, shares),
                    "bootstrap": _kept(resamples, delta, factor * (drawn[:, i] - delta)),
                    "percentile": bootstrap_interval(delta, drawn[:, i], factor=factor),
                }
            )
    return _cell("documents" if documents else kind, truth, units, found)


def _kept(resamples: int, delta: float, values: Floats, shares: Floats | None = None) -> Interval:
    kept = Inversion(_ALPHA, resamples)
    slack = 1e-9 * abs(delta)
    kept.add(
        drawn_reach(delta, values, slack=slack)
        if shares is None
        else swapped_reach(delta, values, np.asarray(shares), slack=slack)
    )
    interval = kept.interval()
    assert interval is not None
    return interval


def _cell(kind: str, truth: float, units: int, found: Sequence[dict[str, Interval]]) -> Cell:
    held = {name: sum(one[name].low <= truth <= one[name].high for one in found) for name in _METHODS}
    widths = {name: float(np.median([one[name].high - one[name].low for one in found])) for name in _METHODS}
    return Cell(kind, truth, units, len(found), held, widths)


def pool_cells(units: int, datasets: int, resamples: int) -> list[Cell]:
    """Measure BLEU and chrF of segments drawn with replacement from a pool of real outputs, whose gain is the truth."""
    folder = REAL_DATA / "nmt_pool" / "test2016"
    corpus = read_corpus([str(folder / f"{name}.en.gz") for name in _DRAWN], [str(folder / "ref.en.gz")])
    reference, outputs = corpus.references[0], [system.runs[0].outputs for system in corpus.systems]
    metrics: dict[str, Metric] = {"bleu": BLEU(tokenize="none"), "chrf": CHRF()}
    pool = {
        key: [np.asarray(metric.statistics(one, [reference]), np.float64) for one in outputs]
        for key, metric in metrics.items()
    }
    cells = []
    for other in (1, 2, 3):
        generator = np.random.default_rng([_SEED, 99, other, units])
        found: dict[str, list[dict[str, Interval]]] = {key: [] for key in metrics}
        truth = {
            key: float(metrics[key].score(one[0].sum(0)) - metrics[key].score(one[other].sum(0)))
            for key, one in pool.items()
        }
        for _ in range(datasets):
            rows = generator.integers(0, len(reference), units)
            columns = {
                key: (metrics[key], np.stack([one[other][rows], one[0][rows]], axis=1)) for key, one in pool.items()
            }
            experiment = assembled(columns, seed=int(generator.integers(2**63)))
            pair = Pair(0, 1)
            trial = Trial(experiment, (pair,), resamples=resamples, inverted=True)
            swapped, drawn = AR(trial), BOOTSTRAP(trial)
            scores = experiment.bootstrap(resamples)
            for m, key in enumerate(metrics):
                own = [one[m, pair].interval for one in (swapped, drawn)]
                assert own[0] is not None
                assert own[1] is not None
                gains = scores[m, 1] - scores[m, 0]
                percentile = bootstrap_interval(trial.delta((m, pair)), gains, factor=experiment.factor(0.95))
                found[key].append({"ar": own[0], "bootstrap": own[1], "percentile": percentile})
        cells += [_cell(metrics[key].label, truth[key], units, intervals) for key, intervals in found.items()]
    return cells


def simulated_pairs(count: int, resamples: int, interval: IntervalMethod = "test") -> Agreement:
    """Compare simulated scores, of many shapes, sizes and gains, by ``ar`` as ``compare`` does."""
    generator = np.random.default_rng([_SEED, 7])
    apart = 0
    for number in range(count):
        units = int(generator.choice((8, 20, 50, 200, 1_000)))
        kind = SHAPES[number % len(SHAPES)]
        gains = drawn_differences(kind, float(generator.normal()) * 0.1, (units, 1), generator)[:, 0]
        base = generator.normal(size=units).round(2)
        result = truegain.compare(
            None,
            {"base": base, "new": base + gains.round(2)},
            metrics=["scores"],
            resamples=resamples,
            seed=number,
            interval=interval,
            changed_segments=0,
        )
        apart += disagreements(result, _ALPHA)
    return Agreement("simulated scores", "ar", count, apart)


def disagreements(result: CompareResult, alpha: float) -> int:
    """Count the comparisons whose p and interval disagree about zero, of those that are to have the test's interval."""
    return sum((one.p <= alpha) == (one.interval.low <= 0.0 <= one.interval.high) for one in _inverted(result))


def _inverted(result: CompareResult) -> list[Comparison]:
    return [one for one in result.comparisons if one.test != "run-permutation"]


def real_corpora() -> Iterator[tuple[str, Corpus, str]]:
    """Yield every real test set with all its systems, one run of each, or several; and the settings of BLEU."""
    for name, reference, systems, pattern, tokenize in (
        ("newstest2011 de-en", "wmt11_deen/ref.en.gz", "wmt11_deen/systems", "*.gz", "13a"),
        ("WMT17 en-de", "sacrebleu_wmt17_ende/ref0.de.gz", "sacrebleu_wmt17_ende/systems", "*.gz", "13a"),
        *((f"pool, {one}", f"nmt_pool/{one}/ref.en.gz", f"nmt_pool/{one}", "*.00.en.gz", "none") for one in _SETS),
    ):
        files = sorted((REAL_DATA / systems).glob(pattern))
        yield name, read_corpus([str(path) for path in files], [str(REAL_DATA / reference)]), tokenize
    for one in _SETS:
        folder = REAL_DATA / "nmt_pool" / one
        kinds = sorted({path.name.split(".")[0] for path in folder.glob("*-*.en.gz")})
        runs = [f"{kind}={','.join(map(str, sorted(folder.glob(f'{kind}.*.en.gz'))[:_RUNS]))}" for kind in kinds]
        yield f"pool, {one}, {_RUNS} runs", read_corpus(runs, [str(folder / "ref.en.gz")]), "none"


def real_pairs(resamples: int) -> Iterator[Agreement]:
    """Compare all pairs of systems of the real test sets."""
    for name, corpus, tokenize in real_corpora():
        result = truegain.compare(
            corpus,
            metrics=[f"bleu:tokenize={tokenize}", "chrf"],
            family="all",
            resamples=resamples,
            changed_segments=0,
        )
        tests = ", ".join(dict.fromkeys(one.test for one in _inverted(result)))
        count = len(_inverted(result))
        yield Agreement(name, tests, count, disagreements(result, _ALPHA))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description="Measure coverage.")
    parser.add_argument("--datasets", type=int, default=2_000, help="simulated datasets of a kind (default: 2000)")
    parser.add_argument("--drawn", type=int, default=500, help="datasets drawn from real outputs (default: 500)")
    parser.add_argument("--resamples", type=int, default=999, help="resamples of a test (default: 999)")
    add_jobs(parser)
    parser.add_argument("--output", type=Path, default=_PAGE, help="the page (default: docs/studies/coverage.md)")
    options = parser.parse_args(arguments)
    if not REAL_DATA.is_dir():
        parser.error(f"needs the real system outputs in {REAL_DATA}, which are not there")
    start = time.perf_counter()

    def say(cell: Cell) -> Cell:
        print(f"{time.perf_counter() - start:6.0f} s  {_row(cell)}", flush=True)
        return cell

    drawn, resamples = options.datasets, options.resamples
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("forkserver")) as processes:
        pool = [processes.submit(pool_cells, units, options.drawn, resamples) for units in _SIZES]
        segments = [
            processes.submit(means_cell, kind, gain, units, drawn, resamples)
            for kind, gain, units in itertools.product(SHAPES, _GAINS, _SIZES)
        ]
        whole = [
            processes.submit(means_cell, kind, 0.5, units, drawn, resamples, documents=True)
            for kind, units in itertools.product(("normal", "lognormal"), _DOCUMENTS)
        ]
        means, documents = ([say(one.result()) for one in waiting] for waiting in (segments, whole))
        real = [say(cell) for one in pool for cell in one.result()]
    agreements = [simulated_pairs(2_000, resamples), *real_pairs(10_000)]
    for one in agreements:
        print(one, flush=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(
        page(means, documents, real, agreements, resamples, (time.perf_counter() - start) / 60.0), encoding="utf-8"
    )
    write_tables(options.output, {"coverage": cells_table([*means, *documents, *real])})


def _row(cell: Cell) -> list[str]:
    shares = [f"{100 * cell.held[name] / cell.datasets:.1f}" for name in _METHODS]
    width = cell.widths["ar"] / cell.widths["percentile"]
    return [cell.kind, f"{cell.truth:.2f}", f"{cell.units:,}", *shares, f"{width:.2f}"]


def cells_table(cells: Sequence[Cell]) -> list[list[str]]:
    """Return all cells with their headings."""
    return [["data", "true gain", "units", *_METHODS, "width"], *(_row(cell) for cell in cells)]


def _by_units(cells: Sequence[Cell]) -> list[list[str]]:
    """Return the ranges of coverage by ``ar``: a row per kind of data, a column per number of units."""
    found = {(kind, units): share for kind, units, share in ranges(cells_table(cells), ["data", "units"], ["ar"])}
    kinds = dict.fromkeys(cell.kind for cell in cells)
    return [[kind, *(found.get((kind, f"{units:,}"), "") for units in _SIZES)] for kind in kinds]


def _outside(cells: Sequence[Cell]) -> str:
    """Name the cells of 100 units and more whose coverage by ``ar`` is outside 93 to 97 %, beyond Monte-Carlo error."""
    beyond = []
    for cell in cells:
        low, high = clopper_pearson(cell.held["ar"], cell.datasets)
        if cell.units >= 100 and (high < 0.93 or low > 0.97):
            beyond.append(f"{cell.kind}, gain {cell.truth:.2f}, {cell.units:,} units")
    return "; ".join(beyond) or "none"


def page(
    means: Sequence[Cell],
    documents: Sequence[Cell],
    real: Sequence[Cell],
    agreements: Sequence[Agreement],
    resamples: int,
    minutes: float,
) -> str:
    """Return the page."""
    cells = [*means, *documents, *real]
    error = 100 * math.sqrt(0.05 * 0.95 / means[0].datasets), 100 * math.sqrt(0.05 * 0.95 / real[0].datasets)
    parts = [
        _HEAD.format(
            version=__version__,
            seed=_SEED,
            resamples=f"{resamples:,}",
            minutes=f"{minutes:.0f}",
            many=f"{means[0].datasets:,}",
            few=f"{real[0].datasets:,}",
            error=error,
            cells=link("coverage"),
        ),
        columns(["data", *_METHODS, "width"], ranges(cells_table(cells), ["data"], [*_METHODS, "width"])),
        "By `ar`, by the number of units:",
        columns(["data", *(f"{units:,}" for units in _SIZES)], _by_units(cells)),
        f"{_OUTSIDE} {_outside(cells)}.",
        _DATA.format(largest=_LARGEST),
        "## P and interval",
        textwrap.fill(
            _AGREE.format(
                runs=_RUNS,
                comparisons=f"{sum(one.comparisons for one in agreements):,}",
                apart=sum(one.apart for one in agreements),
                sets="; ".join(f"{one.what} ({one.comparisons:,})" for one in agreements),
            ),
            119,
        ),
    ]
    return "\n\n".join(parts) + "\n"


_HEAD = """\
# Coverage: how often intervals of Δ hold the true gain

A 95 % interval should hold the true gain in 95 % of all test sets. Below are the lowest and highest coverage, in per
cent, over true gains and numbers of units; every figure is in {cells}.

- `ar`, `bootstrap`: the gains that the test does not reject (`--interval test`, the default).
- `percentile`: the percentile interval of the bootstrap (`--interval percentile`).
- width: the median width of the interval of `ar`, over that of `percentile`.

Written by `python -m benchmarks.coverage` (truegain {version}, seed {seed}, {resamples} resamples per test, {minutes}
minutes); do not edit it. Simulated figures are of {many} test sets (standard error {error[0]:.1f} points), those of
BLEU and chrF of {few} ({error[1]:.1f} points)."""

_OUTSIDE = "From 100 units on, coverage by `ar` outside 93 to 97 %, beyond Monte-Carlo error:"

_DATA = """\
- The first five rows are means of segment scores. Differences have a standard deviation of 1 (0/1 answers: both right
  or both wrong on 60 %) and a mean of 0 or 0.5 (0/1 answers: 0.4). At 30 units skewed differences cover less.
- *documents*: 1 to {largest} segments each, every size as likely, that share a part. Documents are the units.
- *BLEU*, *chrF2*: segments drawn with replacement from the 1,000 of test2016 of a pool of small neural systems, whose
  gain on all of them is the truth: bpe-full.00 against another run of it, word-full and bpe-odd."""

_AGREE = """\
P and the unadjusted interval disagree if p ≤ .05 beside an interval with 0 in it, or p > .05 beside one without. They
do in {apart} of {comparisons} comparisons, by `ar` and, with {runs} runs per system, by `crossed`: {sets}; all pairs of
systems, by BLEU and chrF."""


if __name__ == "__main__":
    main()
