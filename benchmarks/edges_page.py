"""The page of :mod:`benchmarks.edges`: what was measured, held against what was wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from benchmarks.csv_tables import link
from benchmarks.pages import columns
from truegain.version import __version__

__all__ = ["CLUSTER", "ITEMS", "LEVELS", "SHARES", "TESTS", "Agreement", "Cell", "Study", "page", "table"]

SHARES = (0.5, 0.9, 0.95, 0.98, 0.99, 1.0)
ITEMS = (20, 50, 100, 200, 1_000)
CLUSTER = 5  # items of a cluster, or samples of an item
TESTS = ("tango", "ar", "mid-p")
LEVELS = (0.05, 0.01, 0.001)

# What is measured, the cells (kind, part of the detail), the lowest coverage that is wanted, and the mean.
_TARGETS = (
    ("score, independent items", "score", "", 0.9, (0.945, 0.975)),
    ("score, clusters of 5", "score, clusters", "", 0.9, (0.945, 0.975)),
    ("score, 5 samples per item", "score, samples", "", 0.925, None),
    ("score of more values", "bounded", "", 0.9, None),
    ("difference, independent, gap 0", "difference", "gap 0,", 0.925, (0.945, 0.975)),
    ("difference, independent, gap .05", "difference", "gap 0.05,", 0.925, (0.945, 0.975)),
    ("difference, clusters, gap 0", "difference, clusters", "gap 0,", 0.925, (0.945, 0.985)),
    ("difference, clusters, gap .05", "difference, clusters", "gap 0.05,", 0.925, (0.945, 0.985)),
    ("difference, clusters, gap .1", "difference, clusters", "gap 0.1,", 0.925, (0.945, 0.985)),
    ("difference, 5 samples per item", "difference, samples", "", 0.925, None),
)
_ENUMERATED = ("score", "difference")


class Cell(NamedTuple):
    """Coverage of intervals for one kind of data: truegain's, and those beside them."""

    kind: str
    share: float
    items: int
    detail: str
    coverage: float
    beside: float  # not a number if there is nothing beside them
    empty: float = 0.0  # share of intervals that have no width, or leave the range


class Agreement(NamedTuple):
    """Pairs of systems, and those in which p and the interval contradict each other."""

    what: str
    pairs: int
    contradictions: int


@dataclass(frozen=True)
class Study:
    """All that the page shows.

    Attributes
    ----------
    dips : dict
        By the number of items: the lowest coverage of a score over all p, and n (1 − p) there.
    powers, sizes : dict
        By the test, and the number of items or the level.
    largest : dict
        By the least number of items: the largest size of ``tango``, with how many items, and which share differs.
    """

    cells: Sequence[Cell]
    dips: dict[int, tuple[float, float]]
    powers: dict[tuple[str, int], float]
    sizes: dict[tuple[str, float], tuple[float, str]]
    largest: dict[int, tuple[float, int, float]]
    agreements: Sequence[Agreement]
    draws: int
    minutes: float

    def of(self, kind: str, detail: str = "") -> list[Cell]:
        """Return the cells of a kind, with a part of their detail."""
        return [cell for cell in self.cells if cell.kind == kind and detail in f"{cell.detail},"]


def table(cells: Sequence[Cell]) -> list[list[str]]:
    """Return all cells, with headings, in per cent."""
    return [
        ["data", "p", "items", "detail", "coverage", "beside", "without width"],
        *(
            [cell.kind, _share(cell.share), str(cell.items), cell.detail]
            + [_percent(rate, 2) for rate in (cell.coverage, cell.beside, cell.empty)]
            for cell in cells
        ),
    ]


def _share(share: float) -> str:
    return "" if np.isnan(share) else f"{share:g}"


def _percent(rate: float, decimals: int = 1) -> str:
    return "" if np.isnan(rate) else f"{100.0 * rate:.{decimals}f}"


def _target_rows(study: Study) -> list[list[str]]:
    rows = []
    for what, kind, detail, least, mean in _TARGETS:
        cells = study.of(kind, detail)
        covered = np.array([cell.coverage for cell in cells])
        error = 0.0 if kind in _ENUMERATED else 2.0 * (least * (1.0 - least) / study.draws) ** 0.5
        met = covered.min() >= least - error and not any(cell.empty for cell in cells)
        if mean is not None:
            met &= mean[0] <= covered.mean() <= mean[1]
        wanted = f"≥ {_percent(least)}" + ("" if mean is None else f", {_percent(mean[0])}–{_percent(mean[1])}")
        beside = np.array([cell.beside for cell in cells])
        others = "" if np.isnan(beside).any() else f"{_percent(beside.min())}, {_percent(float(beside.mean()))}"
        found = f"{_percent(covered.min())}, {_percent(float(covered.mean()))}"
        rows.append([what, str(len(cells)), found, wanted, "yes" if met else "NO", others])
    return rows


def _grid(cells: Sequence[Cell]) -> str:
    """Return coverage by share and items: truegain's, and what is beside it."""
    found = {(cell.share, cell.items): cell for cell in cells}
    return columns(
        ["p", *(f"n = {items:,}" for items in ITEMS)],
        [[f"{share:g}", *(_pair(found[share, items]) for items in ITEMS)] for share in SHARES],
    )


def _pair(cell: Cell) -> str:
    return f"{_percent(cell.coverage)} | {_percent(cell.beside)}"


def _bounded(study: Study) -> str:
    cells = study.of("bounded")
    sizes = list(dict.fromkeys(cell.items for cell in cells))
    found = {(cell.detail, cell.items): cell for cell in cells}
    return columns(
        ["scores", *(f"n = {items:,}" for items in sizes)],
        [[name, *(_pair(found[name, items]) for items in sizes)] for name in dict.fromkeys(c.detail for c in cells)],
    )


def page(study: Study) -> str:
    """Return the page."""
    tests = [
        [
            test,
            *(f"{study.powers[test, items]:.3f}" for items in (50, 100)),
            *(f"{100.0 * study.sizes[test, level][0]:.3g}" for level in LEVELS),
        ]
        for test in TESTS
    ]
    headings = ["test", "power, n = 50", "n = 100", *(f"size at {100.0 * level:g} %" for level in LEVELS)]
    dips = [[f"{n:,}", _percent(rate), f"1 − {wrong:.2f}/n"] for n, (rate, wrong) in study.dips.items()]
    rate, place = study.sizes["tango", LEVELS[0]]
    real = [one for one in study.agreements if one.what != "drawn"]
    drawn = next(one for one in study.agreements if one.what == "drawn")
    return _PAGE.format(
        version=__version__,
        minutes=f"{study.minutes:.0f}",
        draws=f"{study.draws:,}",
        error=f"{100.0 * (0.05 * 0.95 / study.draws) ** 0.5:.1f}",
        cluster=CLUSTER,
        table=link("edges"),
        targets=columns(
            ["data", "cells", "lowest, mean", "wanted", "met", "beside: lowest, mean"], _target_rows(study)
        ),
        scores=_grid(study.of("score")),
        dips=columns(["n", "lowest", "at p"], dips),
        clusters=_grid(study.of("score, clusters")),
        tests=columns(headings, tests),
        rate=_percent(rate, 2),
        place=place,
        largest=", ".join(
            f"{_percent(worst)} % from {least} items on (n = {items})"
            for least, (worst, items, _) in study.largest.items()
        ),
        bounded=_bounded(study),
        drawn=f"{drawn.contradictions} of {drawn.pairs:,}",
        real=f"{sum(one.contradictions for one in real)} of {sum(one.pairs for one in real):,}",
    )


_PAGE = """\
# Scores near 0 and 1: coverage, power, size

Right or wrong, nearly always right: few items vary, and an interval or test that measures how much they vary promises
too much. truegain takes the variance that the null hypothesis implies: [Wilson's interval](methods/tango.md) for a
score, [Tango's test](methods/tango.md) and its interval for a difference. Clusters (documents) and samples of an item
count for as many independent items as they are worth.

`python -m benchmarks.edges` wrote this page (truegain {version}, {minutes} minutes); do not edit it. Independent
items are enumerated, the others drawn: {draws} samples per cell (standard error of 95 %: {error} points).

Coverage of 95 % intervals, in per cent; p = .5, .9, .95, .98, .99, 1 and n = 20, 50, 100, 200, 1,000 items (scores of
more values: 8 populations). A target is met if the lowest and the mean coverage are as wanted, up to two standard
errors for what is drawn, and no interval lacks width or leaves the range. Every cell: {table}.

{targets}

*Beside*: the bootstrap's percentile interval (score, independent), the gains that `ar` keeps (difference, independent,
gap 0: with few differing items it rejects next to nothing), Student's t over clusters or items (all others).

## One score

Independent items: truegain | percentile interval of the bootstrap, which truegain 0.2 showed.

{scores}

Wilson's interval dips between these shares, whatever n. Lowest coverage over all p from .5 on:

{dips}

There the interval of a sample with one wrong item just ends below p, so only samples without one hold it, five of six.
Just below that p it is above 98 %: the mean over p is what Wilson's interval keeps.

Clusters of {cluster} items with an intraclass correlation of .3: truegain | Student's t over clusters.

{clusters}

With fewer than five clusters that vary, their correlation is taken to be .5, in part or wholly, and a note says so.

## A difference

*Gap*: the true difference. Independent items of both systems are correlated by 0, .5 and .8 (gap 0) or by .2. In
clusters, three items in ten have the same luck for both systems, and half of the clusters are as easy for both. With p
near 1 most samples show no difference at all, so any interval of positive width holds zero: hence the high means.
Samples: {cluster} of each item, ICC .3 and .7.

Power for .98 against .90, correlated by .2, and the largest size, in per cent, over n = 10 … 200, p = .5 … .99 and
correlations of 0, .5 and .8. `ar`: all sign flips, what it comes to with ever more resamples; mid-p: McNemar's.

{tests}

The largest size of `tango`, {rate} %, is at {place}. Adjusted for many comparisons
(Holm), the smaller levels count. Whatever share of the items differs, also if nearly all do, it is at most
{largest}.

## Scores of more values

Marks of a judge from 1 to 10, or a score from 0 to 1, whose range the metric states: truegain | Student's t.

{bounded}

Where fewer than five items, or 5 %, are off the commonest value, truegain takes the rest of the range into account;
else the interval is the bootstrap's.

## P and interval

p ≤ alpha exactly if the interval excludes the null hypothesis: contradictions in {drawn} drawn pairs (5 to 300 items,
in clusters or not; alpha .01 to .1; gains of 0 and others) and in {real} pairs of systems of WMT23 (en-de, zh-en:
MQM scores cut at four thresholds; with and without documents).
"""
