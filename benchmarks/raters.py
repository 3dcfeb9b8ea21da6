"""``python -m benchmarks.raters``: the test of raters on true nulls, written to docs/studies/calibration-of-raters.md.

Documents are rated by one rater, by two or by all; raters differ in severity, and in what they think of the difference.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.csv_tables import Table, link, ranges, write_tables
from benchmarks.data import ROOT
from benchmarks.machine import add_jobs
from benchmarks.pages import columns
from truegain.inference.classical import t_test
from truegain.inference.pvalues import clopper_pearson
from truegain.inference.raters import Ratings, raters_test, two_way
from truegain.version import __version__

__all__ = ["Design", "Drawn", "main"]

PAGE = ROOT / "docs" / "studies" / "calibration-of-raters.md"
_TABLE = "raters-sizes"
_SEED = 20_110_101
_LEVEL = 0.05
#: The bound that is wanted of the size.
BOUND = 0.065
_SEGMENTS = 3  # of a document
_SEVERITY = 0.4  # standard deviation of its logarithm
_NOISE = 0.7  # of one rating of a document, in standard deviations of a document's difference
_UNEVEN = 2.0  # the parameter of the Dirichlet distribution by which some raters do more than others
_GAINS = {30: 0.6, 100: 0.4}
_DESIGNS = ("one, balanced", "one, uneven", "two, balanced", "two, uneven", "all")
_RATERS = (3, 5, 8, 20)
_VIEWS = (0.0, 0.15, 0.4)
TESTS = ("raters", "documents", "rater means")

Floats = NDArray[np.float64]
#: The ratings of both systems, and the document of each segment.
Drawn = tuple[Ratings, Ratings, NDArray[np.int64]]


@dataclass(frozen=True)
class Design:
    """Ratings of two systems by some raters.

    Attributes
    ----------
    each : str
        How many raters a document has, and whether raters do as much as each other.
    view : float
        How far raters' opinions of the difference lie apart: standard deviation, in those of a document's difference.
    gain : float
        Of the second system, in the same measure: 0 under the null.
    """

    each: str
    raters: int
    documents: int
    view: float
    gain: float = 0.0

    def draw(self, rng: np.random.Generator) -> Drawn:
        """Return ratings."""
        who = self._assigned(rng)
        count = who.shape[1]
        severity = np.exp(_SEVERITY * rng.standard_normal(self.raters))
        view = self.view * rng.standard_normal(self.raters)
        shape = (self.documents, count, _SEGMENTS)
        document = rng.standard_normal((self.documents, 1))
        difference = document + view[who] + self.gain
        noise = _NOISE * np.sqrt(_SEGMENTS / 2.0) * rng.standard_normal((2, *shape))
        quality = rng.standard_normal((self.documents, 1, _SEGMENTS))
        strict = severity[who][:, :, None]
        old, new = strict * (quality + noise[0]), strict * (quality + difference[:, :, None] + noise[1])
        segments = np.arange(self.documents * _SEGMENTS).reshape(self.documents, 1, _SEGMENTS)
        places = [np.broadcast_to(one, shape).ravel() for one in (segments, who[:, :, None])]
        return Ratings(old.ravel(), *places), Ratings(new.ravel(), *places), np.arange(segments.size) // _SEGMENTS

    def _assigned(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the raters of each document."""
        if self.each == "all":
            return np.tile(np.arange(self.raters), (self.documents, 1))
        number = 1 if self.each.startswith("one") else 2
        if self.each == "one, balanced":
            turns = [rng.permutation(self.raters) for _ in range(-(-self.documents // self.raters))]
            return np.concatenate(turns)[: self.documents, None]
        even = self.each.endswith("balanced")
        shares = np.ones(self.raters) if even else rng.dirichlet(np.full(self.raters, _UNEVEN))
        keys = np.log(shares) + rng.gumbel(size=(self.documents, self.raters))
        return np.argsort(-keys, axis=1)[:, :number]


def p_values(design: Design, repetition: int) -> Floats:
    """Return the p-values of TESTS on one dataset."""
    seed = [_SEED, _DESIGNS.index(design.each), design.raters, design.documents, round(100 * design.view)]
    rng = np.random.default_rng([*seed, round(100 * design.gain), repetition])
    old, new, documents = design.draw(rng)
    while np.unique(old.raters).size < 2:  # uneven shares may leave one of few raters alone
        old, new, documents = design.draw(rng)
    gain = float(new.weights @ new.scores - old.weights @ old.scores)
    gains = new.scores - old.scores
    by_document, by_rater = (
        np.bincount(places, gains)[used] / np.bincount(places)[used]
        for places in (documents[old.segments], old.raters)
        for used in (np.unique(places),)
    )
    return np.array([raters_test(gain, two_way(old, new, documents)).p, t_test(by_document).p, t_test(by_rater).p])


def rejections(design: Design, repetitions: int) -> Floats:
    """Return how often each of TESTS rejects at 5 %."""
    return np.asarray(sum((p_values(design, place) <= _LEVEL).astype(float) for place in range(repetitions)))


def designs() -> Iterator[Design]:
    """Yield all that is measured."""
    for each, raters, documents, view in itertools.product(_DESIGNS, _RATERS, _GAINS, _VIEWS):
        yield Design(each, raters, documents, view)


def size_rows(found: dict[Design, Floats], powers: dict[Design, Floats], sets: int, powered: int) -> Table:
    """Yield rates in per cent, a row per design."""
    sizes, power = ([f"{what}: {test}" for test in tests] for what, tests in (("size", TESTS), ("power", TESTS[::2])))
    yield ("raters per document", "raters", "documents", "view", *sizes, *power, "met")
    for design, counts in found.items():
        gained = powers[design]
        bound = clopper_pearson(int(counts[0]), sets)[0] <= BOUND
        keeps = clopper_pearson(int(counts[2]), sets)[0] <= _LEVEL  # else its power is no measure
        enough = not keeps or gained[0] >= 0.9 * gained[2]
        yield (
            *(design.each, str(design.raters), str(design.documents), f"{design.view:g}"),
            *(f"{100 * count / sets:.1f}" for count in counts),
            *(f"{100 * gained[place] / powered:.1f}" for place in (0, 2)),
            "yes" if bound and enough else "size" if not bound else "power",
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page and its table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.raters", description="Measure the test of raters.")
    parser.add_argument("--sets", type=int, default=2000, help="true nulls of a kind (default: 2000)")
    add_jobs(parser)
    parser.add_argument("--output", type=Path, default=PAGE, help="the page (default: in docs/studies)")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    nulls = list(designs())
    gained = [Design(one.each, one.raters, one.documents, one.view, _GAINS[one.documents]) for one in nulls]
    powered = max(1, options.sets // 2)
    with ProcessPoolExecutor(options.jobs) as pool:
        sizes = list(pool.map(rejections, nulls, itertools.repeat(options.sets)))
        powers = list(pool.map(rejections, gained, itertools.repeat(powered)))
    found, power = dict(zip(nulls, sizes, strict=True)), dict(zip(nulls, powers, strict=True))
    rows = [list(row) for row in size_rows(found, power, options.sets, powered)]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(page(rows, options.sets, options.jobs, time.perf_counter() - start), encoding="utf-8")
    write_tables(options.output, {_TABLE: rows})
    print(options.output)


def page(rows: Sequence[Sequence[str]], sets: int, jobs: int, seconds: float) -> str:
    """Return the whole page."""
    summary = ranges(rows, rows[0][:1], rows[0][4:-1])
    unmet = [row for row in rows[1:] if row[-1] != "yes"]
    said = "; ".join(
        f"{row[0]}, {row[1]} raters, {row[2]} documents, view {row[3]} ({row[-1]} {row[7]} beside {row[8]} %)"
        if row[-1] == "power"
        else f"{row[0]}, {row[1]} raters, {row[2]} documents, view {row[3]} (size {row[4]} %)"
        for row in unmet
    )
    return _PAGE.format(
        version=__version__,
        seed=_SEED,
        sets=f"{sets:,}",
        jobs=jobs,
        minutes=f"{seconds / 60.0:.0f}",
        table=columns([rows[0][0], *rows[0][4:-1]], summary),
        cells=len(rows) - 1,
        unmet=f"{len(rows) - 1 - len(unmet)} do{f'; not {said}' if unmet else ''}",
        data=link(_TABLE),
    )


_PAGE = """\
# Calibration of the test of raters

How often does [`raters`](../methods/raters.md) reject true nulls, for new raters of new documents?
`python -m benchmarks.raters` wrote this page (truegain {version}, seed {seed}, {sets} datasets of each kind, {minutes}
minutes with {jobs} processes). Do not edit it.

3 to 20 raters, 30 or 100 documents of three segments, each rated by one rater, by two or by all; *uneven*: some raters
do far more than others. Raters differ in severity (e^N(0, 0.4)), and in their view of the difference, by a standard
deviation of 0, 0.15 or 0.4 of a document's. Lowest and highest rejections at 5 %, in per cent; `documents` and
`rater means` are paired t-tests of these means; power is for a gain of 0.6 or 0.4 standard deviations.

{table}

Wanted: a size of at most 6.5 %, within its Monte-Carlo error, and 90 % of the power of `rater means` where that keeps
its level. Of {cells} kinds, {unmet}. Each kind: {data}.

- `documents` holds raters fixed, and rejects far too often if their views differ.
- `rater means` keeps its level if each document has one rater. Else raters share documents, and it rejects too often.
- `raters` takes both as samples. With as many degrees of freedom as raters less one, whatever their part in the
  variance, it would have next to no power with few raters.
"""

if __name__ == "__main__":
    main()
