"""``python -m benchmarks.dependence``: false alarms, power and ratio of the test for dependence between segments.

Written to docs/studies/dependence.md.
"""

from __future__ import annotations

import argparse
import itertools
import math
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks.csv_tables import link, ranges, write_tables
from benchmarks.data import REAL_DATA, ROOT
from benchmarks.dependence_files import Shares, prepared, real_files, shares_of
from benchmarks.machine import add_jobs
from benchmarks.pages import columns
from truegain.corpus import Corpus
from truegain.experiment.dependence import dependence_of
from truegain.inference.dependence import LEVEL, Dependence, find_dependence
from truegain.inference.pvalues import clopper_pearson
from truegain.inference.variance import jackknife
from truegain.readers.corpora import read_corpus
from truegain.version import __version__

__all__ = ["SHAPES", "Cell", "RealPairs", "cell", "contributions", "main", "real_pairs"]

_PAGE = ROOT / "docs" / "studies" / "dependence.md"
_TABLE = "dependence"
_SEED = 20_261_116
_SIZES = (100, 300, 1_000, 3_000)
#: Independent contributions, whose sizes may differ by document.
SHAPES = ("normal", "lognormal", "70 % zero", "97 % zero", "scales by document")
_RATIOS = (1.3, 1.5, 2.0)
_DOCUMENTS = (8, 27)
_METRICS = ("bleu",)
_GAIN = ("score", "base", "new")


@dataclass(frozen=True)
class Cell:
    """Outcomes on simulated test sets of one kind.

    Attributes
    ----------
    kind : str
        The shape of independent contributions, or the number of segments in a document.
    truth : float
        The true ratio of standard errors.
    tested, found : int
        Test sets that had enough segments that differ, and those in which dependence was found.
    ratios : tuple of float
        The ratio estimated, at the median over all test sets, and over those in which dependence was found.
    """

    kind: str
    segments: int
    truth: float
    tested: int
    found: int
    ratios: tuple[float, float]


@dataclass(frozen=True)
class RealPairs:
    """All pairs of newstest2011, each alone, documents removed; ``apart`` is estimated ratio over the documents'."""

    metric: str
    pairs: int
    found: int
    documents: float
    apart: tuple[float, float, float]
    near: int


def contributions(kind: str, segments: int, truth: float, generator: np.random.Generator) -> NDArray[np.float64]:
    """Draw contributions: of a shape, or in documents that make standard errors ``truth`` times as large."""
    normal = generator.standard_normal(segments)
    if kind == "normal":
        return normal
    if kind == "lognormal":
        return np.exp(normal)
    if kind.endswith("zero"):
        share = float(kind.split(" ", 1)[0]) / 100.0
        return np.where(generator.random(segments) < share, 0.0, normal)
    documents = 27 if kind == "scales by document" else int(kind)
    own = np.repeat(generator.standard_normal(-(-segments // documents)), documents)[:segments]
    if kind == "scales by document":
        return np.asarray(np.exp(own) * normal)
    shared = (truth**2 - 1.0) / (documents - 1.0)
    return np.asarray(math.sqrt(shared) * own + math.sqrt(1.0 - shared) * normal)


def cell(kind: str, segments: int, truth: float, sets: int) -> Cell:
    """Test simulated test sets of one kind."""
    generator = np.random.default_rng([_SEED, segments, round(100 * truth), *kind.encode()])
    done: list[Dependence] = []
    with threadpool_limits(limits=1):
        for number in range(sets):
            drawn = contributions(kind, segments, truth, generator)
            one = find_dependence(_GAIN, drawn, seed=number)
            done += [] if one is None else [one]
    found = [one.ratio for one in done if one.found]
    ratios = [float(np.median(part)) if part else math.nan for part in ([one.ratio for one in done], found)]
    return Cell(kind, segments, truth, len(done), len(found), (ratios[0], ratios[1]))


def real_pairs(metric: str) -> RealPairs | None:
    """Test every pair of 20 systems of newstest2011; None if the data are not beside the project."""
    folder = REAL_DATA / "wmt11_deen"
    if not folder.is_dir():
        return None
    systems = sorted(str(path) for path in (folder / "systems").glob("*.gz"))
    known = read_corpus(systems, [str(folder / "ref.en.gz")], documents=str(folder / "docs.tsv.gz"))
    by_document, by_segment = (prepared(corpus, [metric]) for corpus in (known, replace(known, documents=None)))
    found, truths, ratios = 0, [], []
    for pair in itertools.combinations(range(len(systems)), 2):
        (one,) = dependence_of(by_segment, [pair], seed=12345).values()
        parts = [side.contributions_to(0, *pair) for side in (by_document, by_segment)]
        variances = [jackknife(part) for part in parts if part is not None]
        truths.append(math.sqrt(variances[0] / variances[1]))
        ratios.append(one.ratio)
        found += one.found
    apart = np.array(ratios) / np.array(truths)
    low, middle, high = np.quantile(apart, [0.05, 0.5, 0.95]).tolist()
    near = int((np.abs(apart - 1.0) <= 0.3).sum())
    return RealPairs(metric, len(ratios), found, float(np.median(truths)), (low, middle, high), near)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the simulations and the real pairs, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dependence", description="The check for dependence.")
    parser.add_argument("--sets", type=int, default=4000, help="independent test sets per cell (default: 4000)")
    parser.add_argument("--dependent-sets", type=int, default=200, help="dependent ones per cell (default: 200)")
    parser.add_argument("--shuffles", type=int, default=5, help="of the rows of every real file (default: 5)")
    add_jobs(parser)
    parser.add_argument("--output", type=Path, default=_PAGE)
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    tasks = [(kind, size, 1.0, options.sets) for kind in SHAPES for size in _SIZES]
    tasks += [
        (str(documents), size, truth, options.dependent_sets)
        for documents in _DOCUMENTS
        for size in _SIZES[1:]
        for truth in _RATIOS
    ]
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("forkserver")) as pool:
        submitted = [pool.submit(cell, *task) for task in tasks]
        real = [pool.submit(real_pairs, metric) for metric in _METRICS]
        by_set: dict[str, list[tuple[Corpus, list[str]]]] = defaultdict(list)
        for name, corpus, metrics in real_files():
            by_set[name].append((corpus, metrics))
        shuffled = [pool.submit(shares_of, name, files, options.shuffles) for name, files in by_set.items()]
        cells = []
        for one in submitted:
            cells.append(one.result())
            print(f"{time.perf_counter() - start:6.0f} s  {cells[-1]}", flush=True)
        pairs = [found for one in real if (found := one.result()) is not None]
        shares = [one.result() for one in shuffled]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(_page(cells, pairs, shares, options), encoding="utf-8")
    write_tables(options.output, {_TABLE: power_table(cells)})
    print(options.output)


def _percent(part: int, whole: int, decimals: int) -> str:
    return "–" if whole == 0 else f"{100 * part / whole:.{decimals}f}"


def power_table(cells: Sequence[Cell]) -> list[list[str]]:
    """Return the cells with dependence, with headings."""
    rows = [["segments per document", "segments", "true ratio", "found, %", "ratio, all", "ratio, if found"]]
    for one in cells:
        if one.truth > 1.0:
            ratios = ["–" if math.isnan(ratio) else f"{ratio:.2f}" for ratio in one.ratios]
            rows.append([one.kind, f"{one.segments:,}", f"{one.truth:g}", _percent(one.found, one.tested, 0), *ratios])
    return rows


def _shares_table(shares: Sequence[Shares]) -> str:
    """Return the shares of every test set, and over all."""
    rows = []
    for one in shares:
        files, pairs = one.files * one.shuffles, one.pairs * one.shuffles
        rows.append(
            [
                one.name,
                f"{one.segments:,}",
                f"{one.files}",
                f"{one.pairs:,}",
                _percent(one.found, one.pairs, 0),
                _percent(one.false_pairs, pairs, 2),
                _percent(one.false_baselines, files, 1),
                _percent(one.false_files, files, 1),
            ]
        )
    sums = [sum(getattr(one, name) for one in shares) for name in ("files", "pairs", "found")]
    alarms = [sum(getattr(one, f"false_{name}") for one in shares) for name in ("pairs", "baselines", "files")]
    drawn = [sum(one.shuffles * getattr(one, name) for one in shares) for name in ("pairs", "files", "files")]
    false = [
        _percent(part, whole, 2 - (place > 0)) for place, (part, whole) in enumerate(zip(alarms, drawn, strict=True))
    ]
    rows.append(["all", "", f"{sums[0]}", f"{sums[1]:,}", _percent(sums[2], sums[1], 0), *false])
    headings = ["test set", "segments", "files", "pairs", "found, %", "shuffled, %", "a baseline's, %", "any pair, %"]
    return columns(headings, rows)


def _page(
    cells: Sequence[Cell], pairs: Sequence[RealPairs], shares: Sequence[Shares], options: argparse.Namespace
) -> str:
    by_kind = {(one.kind, one.segments, one.truth): one for one in cells}
    sizes = sorted({one.segments for one in cells})
    alarms = columns(
        ["contributions", *(f"{size:,}" for size in sizes)],
        [
            [kind, *(_percent(one.found, one.tested, 3) for size in sizes if (one := by_kind[kind, size, 1.0]))]
            for kind in SHAPES
        ],
    )
    every = power_table(cells)
    power = columns(every[0][1:], ranges(every, every[0][1:3], every[0][3:]))
    real = columns(
        ["metric", "pairs", "found", "documents' ratio", "ratio over the documents'", "within 30 %"],
        [
            [
                one.metric,
                f"{one.pairs}",
                f"{one.found} ({_percent(one.found, one.pairs, 0)} %)",
                f"{one.documents:.2f}",
                f"{one.apart[1]:.2f} ({one.apart[0]:.2f} – {one.apart[2]:.2f})",
                f"{one.near} ({_percent(one.near, one.pairs, 0)} %)",
            ]
            for one in pairs
        ],
    )
    independent = [one for one in cells if one.truth == 1.0]
    found, tested = [one.found for one in independent], [one.tested for one in independent]
    low, high = (100 * end for end in clopper_pearson(round(LEVEL * options.sets), options.sets))
    return f"""# Dependence between segments without document IDs

If segments are resampled one by one, truegain tests of each gain, under each metric, whether neighbouring segments
contribute alike to it ([how](../statistics.md#units)). `python -m benchmarks.dependence` (truegain {__version__})
measures the test.

## False alarms

Independent contributions, {options.sets:,} test sets per cell, level 0.1 %: rejections in per cent by number of
segments. A true rate of 0.1 % is found between {low:.3f} and {high:.3f} % in 19 of 20 cells. Test sets with fewer than
20 segments that differ are not tested (–: none was). Over all cells together:
{_percent(sum(found), sum(tested), 3)} % of {sum(tested):,}.

{alarms}

"Scales by document": each document of 27 segments has a standard deviation of its own, lognormal. Such contributions
are uncorrelated; tests that do not normalise by the products themselves reject them.

## Power, and the ratio of standard errors

Documents of equal size, {options.dependent_sets:,} test sets per cell. The true ratio is the standard error with
documents over that with independent segments. The ratio that truegain reports is biased down: read it as
"at least about". With fewer than 1,000 segments the warning gives no number. Ranges are over documents of
{" and ".join(map(str, _DOCUMENTS))} segments; every cell: {link(_TABLE)}.

{power}

## Real systems

The 190 pairs of 20 systems of newstest2011 (3,003 segments), each tested alone, without its 110 documents. The
documents' ratio is what they show (median); the last columns hold the estimate against it, with the 5 % and 95 %
quantiles.

{real}

## Real files

All test sets with several systems that lie beside the project, without their documents: a file has all systems under
one metric. *Found*: pairs that show dependence, rows in their order. The rest is with the rows shuffled,
{options.shuffles} times: pairs that show dependence, and files that would get the note, with a baseline (the first
system) or if all pairs are compared.

{_shares_table(shares)}

Files that are not in the order of the text show nothing: the test takes neighbours in the file to be neighbours in
the text.
"""


if __name__ == "__main__":
    main()
