"""``python -m benchmarks.ranking_errors``: how often a ranking tells equal systems apart, and what that costs.

Written to docs/studies/ranking-errors.md. Ten systems whose scores on a unit have something in common; all are equal,
or five are better than five. A study errs if any two equal systems are told apart.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks.csv_tables import link, ranges, write_tables
from benchmarks.data import ROOT
from benchmarks.machine import add_jobs
from benchmarks.pages import columns
from truegain.inference.all_pairs import AllPairs
from truegain.inference.multiplicity import holm
from truegain.inference.pvalues import clopper_pearson, degrees_of_freedom, small_sample_factor
from truegain.version import __version__

__all__ = ["SHAPES", "Cell", "Outcome", "cells", "main", "run"]

Floats = NDArray[np.float64]

_PAGE = ROOT / "docs" / "studies" / "ranking-errors.md"
_SEED = 20_110_623
_ERRORS, _COSTS = "ranking-errors", "ranking-errors-shown"
_LEVEL = 0.05
_SYSTEMS = 10
_UNITS = (30, 100, 300)
_CORRELATION = 0.5
_STEP = 0.3  # what the better five are better by, in standard deviations of a difference at 100 units
SHAPES = ("normal", "skewed", "near copies")


@dataclass(frozen=True)
class Cell:
    """One kind of study."""

    units: int
    shape: str
    better: int

    def scores(self, generator: np.random.Generator) -> Floats:
        """Of every system on every unit."""
        groups = _SYSTEMS if self.shape != "near copies" else 3
        draw = generator.standard_normal if self.shape != "skewed" else lambda size: generator.gamma(2.0, size=size) - 2
        common, own = draw(self.units), draw((groups, self.units))
        values = np.sqrt(_CORRELATION) * common + np.sqrt(1.0 - _CORRELATION) * own
        if self.shape == "near copies":  # of one system there are five, of another four, and one of the third
            values = np.repeat(values, [5, 4, 1], axis=0)
            values = values + 0.05 * generator.standard_normal(values.shape)
        return np.asarray(values + self.gains[:, None])

    @property
    def gains(self) -> Floats:
        """What systems are better by, the more units there are the less."""
        return np.where(np.arange(_SYSTEMS) < self.better, _STEP * np.sqrt(100 / self.units), 0.0)


@dataclass(frozen=True)
class Outcome:
    """How many of the studies erred, and how many true differences were shown, by each adjustment."""

    cell: Cell
    studies: int
    wrong: dict[str, int]
    shown: dict[str, int]
    differences: int


def cells() -> list[Cell]:
    """Return the grid."""
    return [Cell(units, shape, better) for shape in SHAPES for better in (0, 5) for units in _UNITS]


def run(cell: Cell, *, studies: int, resamples: int, seed: int = _SEED) -> Outcome:
    """Do the studies of a cell."""
    with threadpool_limits(limits=1):
        return _run(cell, studies, resamples, seed)


def _run(cell: Cell, studies: int, resamples: int, seed: int) -> Outcome:
    generator = np.random.default_rng([seed, cell.units, SHAPES.index(cell.shape), cell.better])
    firsts, seconds = np.triu_indices(_SYSTEMS, 1)
    equal = cell.gains[firsts] == cell.gains[seconds]
    wrong = dict.fromkeys(("plain", "holm", "maxt, one factor", "maxt"), 0)
    shown = dict.fromkeys(wrong, 0)
    for _ in range(studies):
        scores = cell.scores(generator)
        drawn = generator.integers(0, cell.units, (resamples, cell.units)) + cell.units * np.arange(resamples)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=resamples * cell.units).reshape(resamples, cell.units)
        pairs = AllPairs(
            scores.mean(1),
            scores @ weights.T.astype(np.float64) / cell.units,
            factor=small_sample_factor(cell.units, cell.units),
            freedom=degrees_of_freedom(cell.units),
        )
        counts = pairs.count()
        plain = (counts.exceedances + 1) / (resamples + 1)
        found = {
            "plain": plain,
            "holm": np.array(holm(plain.tolist())),
            "maxt, one factor": replace(pairs, freedom=None).max_t(),
            "maxt": pairs.adjusted(counts),
        }
        for name, p in found.items():
            told = p <= _LEVEL
            wrong[name] += bool(told[equal].any())
            shown[name] += int(np.count_nonzero(told & ~equal))
    return Outcome(cell, studies, wrong, shown, studies * int(np.count_nonzero(~equal)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the studies and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ranking_errors", description="Errors of a ranking.")
    parser.add_argument("--studies", type=int, default=2_000, help="of a kind (default: 2000)")
    parser.add_argument("--resamples", type=int, default=999, help="resamples a study (default: 999)")
    add_jobs(parser)
    parser.add_argument("--output", type=Path, default=_PAGE, help="the page (default: docs/studies/ranking-errors.md)")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    outcomes = []
    with ProcessPoolExecutor(options.jobs, mp_context=multiprocessing.get_context("forkserver")) as pool:
        waiting = [pool.submit(run, cell, studies=options.studies, resamples=options.resamples) for cell in cells()]
        for one in waiting:
            outcomes.append(one.result())
            print(f"{time.perf_counter() - start:6.0f} s  {outcomes[-1].cell}", flush=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    made = tables(outcomes)
    options.output.write_text(_page(made, options.studies, options.resamples), encoding="utf-8")
    write_tables(options.output, made)
    print(options.output)


def tables(outcomes: Sequence[Outcome]) -> dict[str, list[list[str]]]:
    """Return the errors and the shown differences of all cells, with headings."""
    adjusted = ["no adjustment", "Holm"]
    return {
        _ERRORS: [
            ["scores", "better", "units", *adjusted, "maxT, one factor", "maxT"],
            *map(_error_row, outcomes),
        ],
        _COSTS: [
            ["scores", "units", *adjusted, "maxT"],
            *(_power_row(one) for one in outcomes if one.cell.better),
        ],
    }


def _page(made: Mapping[str, list[list[str]]], studies: int, resamples: int) -> str:
    low, high = (100 * end for end in clopper_pearson(round(_LEVEL * studies), studies))
    errors, costs = made[_ERRORS], made[_COSTS]
    ((one_factor, kept),) = ranges(errors, [], ["maxT, one factor", "maxT"])
    summary = ranges(errors, ["scores", "better"], errors[0][3:])
    shown = ranges(costs, ["scores"], costs[0][2:])
    return f"""# How often does a ranking tell equal systems apart?

Ten systems, 45 pairs, at a level of 5 %: the share of studies in which *any* two equal systems are told apart (the
family-wise error rate), lowest and highest over 30, 100 and 300 units. Scores on a unit are correlated at
{_CORRELATION:g}; *skewed*: of a gamma distribution; *near copies*: five that hardly differ, four, and one. *Better*:
the number of better systems. {studies:,} studies per cell ({link(_ERRORS)}), {resamples:,} resamples each. A true
rate of 5 % is found between {low:.1f} and {high:.1f} % in 19 of 20 cells.

{columns(["scores", "better", *errors[0][3:]], summary)}

"maxT" is what `truegain rank` does: {kept} %. "One factor" has the small-sample factor of a single comparison:
{one_factor} %. The largest of 45 differences is judged further out, where the tails of few units are longer still; so
each difference is held against the normal quantile of its own Student tail.

## What the adjustment costs

The share of the 25 true differences that is shown ({link(_COSTS)}). Near copies make nearly the same three comparisons
again and again, which maxT sees and Holm's method does not.

{columns(["scores", *costs[0][2:]], shown)}

Made by `python -m benchmarks.ranking_errors` (truegain {__version__}).
"""


def _error_row(one: Outcome) -> list[str]:
    rates = [f"{100 * one.wrong[name] / one.studies:.1f}" for name in ("plain", "holm", "maxt, one factor", "maxt")]
    return [one.cell.shape, str(one.cell.better or "none"), f"{one.cell.units:,}", *rates]


def _power_row(one: Outcome) -> list[str]:
    rates = [f"{100 * one.shown[name] / one.differences:.1f}" for name in ("plain", "holm", "maxt")]
    return [one.cell.shape, f"{one.cell.units:,}", *rates]


if __name__ == "__main__":
    main()
