"""``python -m benchmarks.metric_tests``: how often tests tell equally good metrics apart, and the metrics of WMT23.

Written to docs/studies/wmt23-metrics.md. People's scores are real; of two simulated metrics neither is better. The data
are not part of the project.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import truegain as tg
from benchmarks.csv_tables import link, write_tables
from benchmarks.data import REAL_DATA, ROOT
from benchmarks.machine import add_jobs
from benchmarks.pages import columns
from truegain.agreement.assessment import Assessment
from truegain.agreement.judged import Judged, standardised
from truegain.executors.threads import one_blas_thread
from truegain.inference.pvalues import clopper_pearson
from truegain.readers.judgements import gather
from truegain.readers.system_scores import as_scores
from truegain.studies.agree.result import AgreeResult
from truegain.version import __version__

__all__ = ["NULLS", "TESTS", "Null", "People", "main", "p_values", "people", "rejections", "size_table"]

Floats = NDArray[np.float64]

_PAGE = ROOT / "docs" / "studies" / "wmt23-metrics.md"
_SIZES, _METRICS = "wmt23-metrics-sizes", "wmt23-metrics"
_SEED = 20_231_206
_LEVEL = 0.05
_NOISE = 1.0  # in standard deviations of people's scores
_SYSTEM_SWAPS = 999
_SIMULATED_ON = "en-de"
_PAIRS = ("en-de", "zh-en")
_BLOCK = 10  # data sets that a process does at a time

#: What p-values are of: a measure and a test; *interval* is the interval for new systems.
TESTS: tuple[tuple[str, str], ...] = (
    *(("acc23", test) for test in ("perm-sys", "interval", "documents", "perm-both", "pair-swaps")),
    *((measure, test) for measure in ("accuracy", "spa", "pearson") for test in ("perm-sys", "interval", "documents")),
)


@dataclass(frozen=True)
class People:
    """Scores of people, shape (systems, segments), and the document of each segment."""

    scores: Floats
    documents: NDArray[np.int64]


@dataclass(frozen=True)
class Null:
    """Two metrics, neither of which is better: people's standardised scores with noise, and a bias for each system.

    Attributes
    ----------
    bias : float
        Its standard deviation over systems.
    shared : bool
        Whether both metrics have the same: then neither is better on these systems. Else neither is on new systems.
    """

    bias: float
    shared: bool = True

    @property
    def name(self) -> str:
        """The heading of its column."""
        return "none" if self.bias == 0.0 else f"{'same' if self.shared else 'own'} {self.bias:g}"

    def judged(self, own: People, number: int) -> Judged:
        """Return a data set, by its number."""
        generator = np.random.default_rng([_SEED, number])
        noise = generator.standard_normal((2, *own.scores.shape))
        bias = generator.standard_normal((2, len(own.scores), 1))
        metrics = standardised(own.scores, (0, 1)) + _NOISE * noise + self.bias * (bias[:1] if self.shared else bias)
        return Judged.of(own.scores, metrics, own.documents)


NULLS = (Null(0.0), Null(0.15), Null(0.3), Null(0.15, shared=False), Null(0.3, shared=False))


def p_values(judged: Judged, *, resamples: int, seed: int) -> list[float]:
    """Return the p-values of two metrics, in the order of `TESTS`."""
    held: dict[tuple[str, int], Assessment] = {}
    found = []
    for measure, test in TESTS:
        swaps = _SYSTEM_SWAPS if test == "perm-sys" else resamples
        if (measure, swaps) not in held:
            held[measure, swaps] = Assessment(measure, [judged], resamples=swaps, seed=seed)
        own = held[measure, swaps]
        if test in ("interval", "documents"):
            found += own.t_tests(new_systems=test == "interval")
        else:
            found += own.swapped(test).p_values()
    return found


def rejections(own: People, null: Null, numbers: Sequence[int], resamples: int) -> list[int]:
    """Count the data sets in which each of `TESTS` tells the metrics apart."""
    counts = np.zeros(len(TESTS), np.int64)
    with one_blas_thread():
        for number in numbers:
            found = p_values(null.judged(own, number), resamples=resamples, seed=number)
            counts += np.array(found) <= _LEVEL
    return [int(count) for count in counts]


def people(folder: Path, pair: str) -> People:
    """Read what people gave the translations of a pair of languages."""
    scores = as_scores(folder / f"human-scores/{pair}.mqm.seg.score.gz", "human")
    found = gather(scores, {"people": scores}, str(folder / f"documents/{pair}.docs.gz"), keep_references=False)
    if found.documents is None:
        raise ValueError(f"{pair}: no documents")
    return People(found.human, found.documents)


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate, hold the metrics of WMT23 against people, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.metric_tests", description="Tests between metrics.")
    parser.add_argument("--sets", type=int, default=400, help="data sets of a kind (default: 400)")
    parser.add_argument("--resamples", type=int, default=99, help="of perm-both and pair-swaps (default: 99)")
    add_jobs(parser)
    parser.add_argument("--folder", type=Path, default=REAL_DATA / "wmt23_mtme", help="WMT23 as mt-metrics-eval has it")
    parser.add_argument("--output", type=Path, default=_PAGE, help="the page (default: docs/studies/wmt23-metrics.md)")
    options = parser.parse_args(arguments)
    if not options.folder.is_dir():
        parser.error(f"there is no folder {options.folder}")
    own = people(options.folder, _SIMULATED_ON)
    counts = _counts(own, options.sets, options.resamples, options.jobs)
    results = {pair: _agreed(options.folder, pair) for pair in _PAIRS}
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(_page(counts, own, results, options.sets, options.resamples), encoding="utf-8")
    records = [{"pair": pair, **record} for pair, result in results.items() for record in result.to_records()]
    metrics = [list(records[0]), *([_cell(one) for one in record.values()] for record in records)]
    write_tables(options.output, {_SIZES: size_table(counts, options.sets), _METRICS: metrics})
    print(options.output)


def _counts(own: People, sets: int, resamples: int, jobs: int) -> dict[Null, list[int]]:
    """Do all data sets; their numbers are their seeds, so the number of processes changes nothing."""
    start = time.perf_counter()
    blocks = [range(first, min(first + _BLOCK, sets)) for first in range(0, sets, _BLOCK)]
    found = {}
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("forkserver")) as pool:
        for null in NULLS:
            parts = pool.map(rejections, repeat(own), repeat(null), blocks, repeat(resamples))
            found[null] = [sum(part) for part in zip(*parts, strict=True)]
            print(f"{time.perf_counter() - start:6.0f} s  {null.name}: {found[null]}", flush=True)
    return found


def _agreed(folder: Path, pair: str) -> AgreeResult:
    return tg.agree(
        folder / f"human-scores/{pair}.mqm.seg.score.gz",
        folder / f"metric-scores/{pair}",
        documents=folder / f"documents/{pair}.docs.gz",
    )


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def size_table(counts: Mapping[Null, Sequence[int]], sets: int) -> list[list[str]]:
    """Return all rates in per cent, with their exact intervals."""
    rows = [["measure", "test", "system bias", "data sets", "rejected, %", "low", "high"]]
    for place, test in enumerate(TESTS):
        for null, found in counts.items():
            rates = (found[place] / sets, *clopper_pearson(found[place], sets))
            rows.append([*test, null.name, str(sets), *(f"{100 * rate:.2f}" for rate in rates)])
    return rows


def _metric_table(result: AgreeResult) -> str:
    order = [one.metric for one in result.placed("spa")]
    rows = []
    for metric in order:
        held = [result[measure, metric] for measure in result.measures]
        ranks = [f"{one.best}" if one.best == one.worst else f"{one.best}–{one.worst}" for one in held]
        shown = (f"{one.value:.3f}".replace("0.", ".") + f"({rank})" for one, rank in zip(held, ranks, strict=True))
        rows.append([metric, *shown])
    return columns(["metric", *result.measures], rows)


def _shares(counts: Mapping[Null, Sequence[int]], sets: int, tests: Sequence[str]) -> list[float]:
    """Return what tests reject of all nulls and by all measures, in per cent."""
    return [
        100 * found[place] / sets for place, (_, test) in enumerate(TESTS) if test in tests for found in counts.values()
    ]


def _range(counts: Mapping[Null, Sequence[int]], sets: int, tests: Sequence[str]) -> str:
    shares = _shares(counts, sets, tests)
    return f"{min(shares):.1f}–{max(shares):.1f}"


def _mean(counts: Mapping[Null, Sequence[int]], sets: int, test: str) -> str:
    return f"{np.mean(_shares(counts, sets, [test])):.1f}"


def _page(
    counts: Mapping[Null, Sequence[int]], own: People, results: Mapping[str, AgreeResult], sets: int, resamples: int
) -> str:
    low, high = (100 * end for end in clopper_pearson(round(_LEVEL * sets), sets))
    rates = [
        [*test, *(f"{100 * found[place] / sets:.1f}" for found in counts.values())] for place, test in enumerate(TESTS)
    ]
    these = {null: found for null, found in counts.items() if null.shared}
    new = {null: found for null, found in counts.items() if not null.shared}
    systems, segments = own.scores.shape
    spread = float(standardised(own.scores, (0, 1)).mean(axis=1).std())
    known = [spread / float(np.hypot(spread, bias)) for bias in (0.15, 0.3)]
    tables = "\n\n".join(
        f"{pair}, {len(one.systems)} systems, {one.segments:,} segments of {one.n_units} documents:\n\n"
        f"{_metric_table(one)}"
        for pair, one in results.items()
    )
    return f"""# Metrics of WMT23, and what tests between metrics make of equal ones

Which test may say that one metric [agrees better with people](../agree.md) than another?

## Equally good metrics

People's scores are real: MQM of WMT23 {_SIMULATED_ON}, {systems} systems, {segments} segments of
{own.documents.max() + 1} documents. A metric is these, standardised, with noise of s.d. {_NOISE:g} and a bias per
system of s.d. 0, .15 or .3. If two metrics have the *same* bias, neither is better on these systems; if each has its
*own*, neither is better on new systems only. Metrics without other faults would correlate with people at
{known[0]:.2f} and {known[1]:.2f} over systems with such biases. Rejections at 5 %, in per cent of {sets:,} data sets
({link(_SIZES)}); {resamples} swaps, of perm-sys {_SYSTEM_SWAPS}. A true rate of
5 % is found between {low:.1f} and {high:.1f} % in 19 of 20 cells.

{columns(["measure", "test", *(null.name for null in counts)], rates)}

- New systems: `perm-sys`, the default, {_range(counts, sets, ["perm-sys"])} %, on average
  {_mean(counts, sets, "perm-sys")} %. *Interval* is the interval that is shown beside it:
  {_range(counts, sets, ["interval"])} %.
- These systems: `documents` or, slower, `perm-both`, {_range(these, sets, ["documents", "perm-both"])} % without own
  biases. With these, {_range(new, sets, ["documents", "perm-both"])} %: the differences are there on these systems,
  but not on others. Say which the claim is about.
- `pair-swaps` takes pairs that share systems and segments for independent: never less than
  {_range(counts, sets, ["pair-swaps"]).partition("–")[0]} %. Do not use it.

## Fifteen metrics

As `truegain agree` has them, in brackets the ranks that significant differences leave, for new systems. Intervals,
chance and thresholds: {link(_METRICS)}.

{tables}

Made by `python -m benchmarks.metric_tests` (truegain {__version__}).
"""


if __name__ == "__main__":
    main()
