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
from truegain.executors.processors import one_blas_thread
from truegain.inference.multiplicity import MAXT
from truegain.inference.pvalues import clopper_pearson
from truegain.readers.judgements import gather
from truegain.readers.system_scores import as_scores, metric_files
from truegain.studies.agree import AgreeResult
from truegain.version import __version__

__all__ = [
    "GAINS",
    "NULLS",
    "POWERS",
    "TESTS",
    "Dealt",
    "People",
    "Simulated",
    "main",
    "p_values",
    "people",
    "rejections",
]

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
_FAMILY = 6  # metrics

#: What p-values are of: a measure and a test; *swaps* are those of perm-sys without Student's t, and *any of 15* is the
#: smallest p-value of perm-sys for six metrics, adjusted.
TESTS: tuple[tuple[str, str], ...] = (
    *(("acc23", test) for test in ("perm-sys", "swaps", "documents", "perm-both", "pair-swaps")),
    *(("pearson", test) for test in ("perm-sys", "any of 15", "swaps", "documents")),
    *((measure, test) for measure in ("accuracy", "spa") for test in ("perm-sys", "swaps", "documents")),
)
#: Those whose power is shown.
POWERS: tuple[tuple[str, str], ...] = tuple(row for row in TESTS if row[1] in ("perm-sys", "swaps"))


@dataclass(frozen=True)
class People:
    """Scores of people, shape (systems, segments), of real metrics, and the document of each segment."""

    scores: Floats
    metrics: Floats
    documents: NDArray[np.int64]


@dataclass(frozen=True)
class Simulated:
    """Metrics that are people's standardised scores with noise, and a bias for each system.

    Attributes
    ----------
    bias : float
        Its standard deviation over systems.
    shared : bool
        Whether all metrics have the same: then none is better on these systems. Else none is on new systems.
    by_document : float
        The standard deviation of the logarithm of the noise's, over documents, for each metric its own: then none is
        better on new documents.
    second : float
        The noise of every second metric, as a multiple of the others'.
    """

    bias: float = 0.0
    shared: bool = True
    by_document: float = 0.0
    second: float = 1.0

    @property
    def name(self) -> str:
        """The heading of its column."""
        if self.second != 1.0:
            return f"noise {self.second:g}"
        if self.by_document:
            return "documents"
        return "none" if self.bias == 0.0 else f"{'same' if self.shared else 'own'} {self.bias:g}"

    def judged(self, own: People, number: int, metrics: int = 2) -> Judged:
        """Return a data set, by its number."""
        generator = np.random.default_rng([_SEED, number])
        noise = _NOISE * generator.standard_normal((metrics, *own.scores.shape))
        bias = self.bias * generator.standard_normal((metrics, len(own.scores), 1))
        spread = np.exp(self.by_document * generator.standard_normal((metrics, own.documents.max() + 1)))
        noise *= spread[:, None, own.documents]
        noise[1::2] *= self.second
        scores = standardised(own.scores, (0, 1)) + noise + (bias[:1] if self.shared else bias)
        return Judged.of(own.scores, scores, own.documents)


@dataclass(frozen=True)
class Dealt:
    """Real metrics, dealt out again for each document: none is better on new documents."""

    name: str = "dealt"
    shared: bool = True

    def judged(self, own: People, number: int, metrics: int = 2) -> Judged:
        """Return a data set, by its number."""
        generator = np.random.default_rng([_SEED, number])
        chosen = standardised(own.metrics[generator.permutation(len(own.metrics))[:metrics]], (1, 2))
        order = generator.random((len(chosen), own.documents.max() + 1)).argsort(axis=0)
        return Judged.of(own.scores, np.take_along_axis(chosen, order[:, None, own.documents], axis=0), own.documents)


Case = Simulated | Dealt

NULLS: tuple[Case, ...] = (
    *(Simulated(bias) for bias in (0.0, 0.15, 0.3)),
    *(Simulated(bias, shared=False) for bias in (0.15, 0.3)),
    Simulated(by_document=1.0),
    Dealt(),
)
GAINS: tuple[Case, ...] = tuple(Simulated(second=second) for second in (0.9, 0.8, 0.5))


def p_values(own: People, case: Case, number: int, tests: Sequence[tuple[str, str]], *, resamples: int) -> list[float]:
    """Return the p-values of tests on a data set, by its number."""
    judged = {metrics: case.judged(own, number, metrics) for metrics in (2, _FAMILY)}
    held: dict[tuple[str, int, int], Assessment] = {}
    found = []
    for measure, test in tests:
        swaps = resamples if test in ("perm-both", "pair-swaps") else _SYSTEM_SWAPS
        key = measure, _FAMILY if test == "any of 15" else 2, swaps
        if key not in held:
            held[key] = Assessment(measure, [judged[key[1]]], resamples=swaps, seed=number)
        assessment = held[key]
        if test == "any of 15":
            found.append(min(assessment.tested("perm-sys", MAXT)[1]))
        elif test == "swaps":
            found += assessment.swapped("perm-sys").p_values()
        else:
            found += assessment.tested(test, "none")[0]
    return found


def rejections(own: People, case: Case, numbers: Sequence[int], resamples: int) -> list[int]:
    """Count the data sets in which each of `TESTS`, or of `POWERS` for gains, tells the metrics apart."""
    tests = POWERS if case in GAINS else TESTS
    counts = np.zeros(len(tests), np.int64)
    with one_blas_thread():
        for number in numbers:
            counts += np.array(p_values(own, case, number, tests, resamples=resamples)) <= _LEVEL
    return [int(count) for count in counts]


def people(folder: Path, pair: str) -> People:
    """Read what people, and what metrics, gave the translations of a pair of languages."""
    scores = as_scores(folder / f"human-scores/{pair}.mqm.seg.score.gz", "human")
    files = metric_files([str(folder / f"metric-scores/{pair}")])
    metrics = {name: as_scores(path, name) for name, path in files.items()}
    found = gather(scores, metrics, str(folder / f"documents/{pair}.docs.gz"), keep_references=False)
    if found.documents is None:
        raise ValueError(f"{pair}: no documents")
    return People(found.human, found.scores, found.documents)


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate, hold the metrics of WMT23 against people, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.metric_tests", description="Tests between metrics.")
    parser.add_argument("--sets", type=int, default=300, help="data sets of a kind (default: 300)")
    parser.add_argument("--resamples", type=int, default=39, help="of perm-both and pair-swaps (default: 39)")
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


def _counts(own: People, sets: int, resamples: int, jobs: int) -> dict[Case, list[int]]:
    """Do all data sets; their numbers are their seeds, so the number of processes changes nothing."""
    start = time.perf_counter()
    blocks = [range(first, min(first + _BLOCK, sets)) for first in range(0, sets, _BLOCK)]
    found = {}
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("forkserver")) as pool:
        for case in (*NULLS, *GAINS):
            parts = pool.map(rejections, repeat(own), repeat(case), blocks, repeat(resamples))
            found[case] = [sum(part) for part in zip(*parts, strict=True)]
            print(f"{time.perf_counter() - start:6.0f} s  {case.name}: {found[case]}", flush=True)
    return found


def _agreed(folder: Path, pair: str) -> AgreeResult:
    return tg.agree(
        folder / f"human-scores/{pair}.mqm.seg.score.gz",
        folder / f"metric-scores/{pair}",
        documents=folder / f"documents/{pair}.docs.gz",
    )


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def size_table(counts: Mapping[Case, Sequence[int]], sets: int) -> list[list[str]]:
    """Return all rates in per cent, with their exact intervals."""
    rows = [["measure", "test", "case", "data sets", "rejected, %", "low", "high"]]
    for cases, tests in ((NULLS, TESTS), (GAINS, POWERS)):
        for place, test in enumerate(tests):
            for case in cases:
                rejected = counts[case][place]
                rates = (rejected / sets, *clopper_pearson(rejected, sets))
                rows.append([*test, case.name, str(sets), *(f"{100 * rate:.2f}" for rate in rates)])
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


def _shares(
    counts: Mapping[Case, Sequence[int]], cases: Sequence[Case], sets: int, tests: Sequence[str]
) -> list[float]:
    """Return what tests reject of cases by all measures, in per cent."""
    places = [place for place, (_, test) in enumerate(TESTS) if test in tests]
    return [100 * counts[case][place] / sets for place in places for case in cases]


def _range(counts: Mapping[Case, Sequence[int]], cases: Sequence[Case], sets: int, *tests: str) -> str:
    shares = _shares(counts, cases, sets, tests)
    return f"{min(shares):.1f}–{max(shares):.1f} %"


def _rate_table(
    counts: Mapping[Case, Sequence[int]], cases: Sequence[Case], tests: Sequence[tuple[str, str]], sets: int
) -> str:
    rates = [
        [*test, *(f"{100 * counts[case][place] / sets:.1f}" for case in cases)] for place, test in enumerate(tests)
    ]
    return columns(["measure", "test", *(case.name for case in cases)], rates)


def contradictions(result: AgreeResult) -> int:
    """Count the pairs of metrics whose p-value and interval disagree about zero."""
    return sum((one.p <= result.alpha) == (one.interval.low <= 0.0 <= one.interval.high) for one in result.pairs)


def _page(
    counts: Mapping[Case, Sequence[int]], own: People, results: Mapping[str, AgreeResult], sets: int, resamples: int
) -> str:
    low, high = (100 * end for end in clopper_pearson(round(_LEVEL * sets), sets))
    unbiased = [case for case in NULLS if case.shared]
    biased = [case for case in NULLS if not case.shared]
    by_document = NULLS[-2:]
    systems, segments = own.scores.shape
    spread = float(standardised(own.scores, (0, 1)).mean(axis=1).std())
    known = [spread / float(np.hypot(spread, bias)) for bias in (0.15, 0.3)]
    contradicting = sum(contradictions(result) for result in results.values())
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
{known[0]:.2f} and {known[1]:.2f} over systems with such biases. By *documents*, the s.d. of a metric's noise differs
from document to document (lognormal, s.d. 1 of the logarithm); *dealt* are two of the {len(own.metrics)} real metrics,
by a coin per document. In both, neither is better on new documents.

Rejections at 5 %, in per cent of {sets:,} data sets ({link(_SIZES)}); {resamples} swaps, of perm-sys
{_SYSTEM_SWAPS}. A true rate of 5 % is found between {low:.1f} and {high:.1f} % in 19 of 20 cells.

{_rate_table(counts, NULLS, TESTS, sets)}

- New systems on new documents: `perm-sys`, the default, {_range(counts, NULLS, sets, "perm-sys")}. *Swaps* (PERM-SYS
  alone, without Student's t) keep the documents, and reject up to
  {max(_shares(counts, by_document, sets, ["swaps"])):.1f} % if metrics differ by document. *Any of 15*: six metrics,
  with at least one significant difference after maxT: {_range(counts, NULLS, sets, "any of 15")}.
- These systems: `documents`, {_range(counts, unbiased, sets, "documents")} without own biases. `perm-both` is slower,
  and about these documents: {_range(counts, unbiased[:3], sets, "perm-both")}, but up to
  {max(_shares(counts, by_document, sets, ["perm-both"])):.1f} % if metrics differ by document. With own biases both
  reject {_range(counts, biased, sets, "documents", "perm-both")}: the differences are there on these systems, but not
  on others. Say which the claim is about.
- `pair-swaps` takes pairs that share systems and segments for independent: never less than
  {min(_shares(counts, NULLS, sets, ["pair-swaps"])):.1f} %. Do not use it.

## Power

The noise of the second metric has .9, .8 or .5 of the first's s.d., without biases. Rejections in per cent of {sets:,}
data sets:

{_rate_table(counts, GAINS, POWERS, sets)}

For new systems on new documents, measures of systems show little of such gains: compare metrics by those of
translations.

## Fifteen metrics

As `truegain agree` has them, in brackets the ranks consistent with the significant differences, for new systems on new
documents. Intervals, chance and thresholds: {link(_METRICS)}. P-values and intervals of differences contradict each
other in {contradicting} of {sum(len(result.pairs) for result in results.values()):,} pairs.

{tables}

Made by `python -m benchmarks.metric_tests` (truegain {__version__}).
"""


if __name__ == "__main__":
    main()
