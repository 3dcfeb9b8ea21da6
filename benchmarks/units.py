"""``python -m benchmarks.units``: what the unit of a test costs on real systems, and what makes nulls show it.

Written to docs/studies/calibration-of-units.md, of the 20 systems of newstest2011, which are not part of the project.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.csv_tables import link, ranges, write_tables
from benchmarks.data import REAL_DATA, ROOT
from benchmarks.machine import add_jobs
from benchmarks.runs import table
from truegain.corpus import Corpus, Run, System
from truegain.experiment import Experiment
from truegain.inference.pvalues import clopper_pearson
from truegain.resampling.units import Units
from truegain.studies.calibrate import CalibrationResult, calibrate
from truegain.studies.nulls import SwappedUnits, levelled
from truegain.version import __version__

__all__ = ["COLUMNS", "Bin", "Pair", "levelling", "main", "measure_pair"]

_PAGE = ROOT / "docs" / "studies" / "calibration-of-units.md"
_DATA = REAL_DATA / "wmt11_deen"
_SEED = 20_110_730
_BLOCK = 40
_TABLE = "calibration-of-units"
_EDGES = (0, 2, 4, 8, 12, 20, np.inf)  # of gains, in standard errors of segments
#: What is measured of a pair: the nulls, whether the documents are given, and the unit and the name of the test.
COLUMNS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("`ar`, segments; nulls of segments", {"null_unit": "segment", "unit": "segment", "test": "ar"}),
    ("`ar`, segments", {"unit": "segment", "test": "ar"}),
    ("`ar`, documents", {"unit": "document", "test": "ar"}),
    ("blocks by rule", {"unit": "segment", "test": "stationary-bootstrap"}),
    (f"blocks of {_BLOCK}", {"unit": "block", "block_length": float(_BLOCK), "test": "bootstrap"}),
    ("`ar`, segments; nulls of blocks", {"null_unit": "block", "unit": "segment", "test": "ar"}),
)


@dataclass(frozen=True)
class Pair:
    """Two systems: how often tests reject nulls made of them, by :data:`COLUMNS`.

    Attributes
    ----------
    ratio : float
        The standard error of the difference by documents over that by segments.
    """

    names: tuple[str, str]
    gain: float
    ratio: float
    rejections: tuple[int, ...]


@dataclass(frozen=True)
class Bin:
    """Pairs whose gain is so large: how much of the ratio nulls of documents show, levelled and not."""

    low: float
    high: float
    pairs: int
    ratio: float
    plain: tuple[float, float, float]
    level: tuple[float, float, float]


def _lines(path: Path) -> tuple[str, ...]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return tuple(line.rstrip("\n") for line in file)


def newstest2011(systems: int | None = None) -> Corpus:
    """Return the test set with its documents and some of its systems, or all."""
    paths = sorted((_DATA / "systems").iterdir(), key=lambda path: int(path.name.split(".")[0].removeprefix("system")))
    made = [System(name, (Run(name, _lines(path)),)) for path in paths[:systems] for name in [path.name.split(".")[0]]]
    documents = [line.split("\t")[0] for line in _lines(_DATA / "docs.tsv.gz")]
    return Corpus.build(made, [_lines(_DATA / "ref.en.gz")], documents=documents, name="newstest2011")


def prepared(corpus: Corpus) -> Experiment:
    """Score all systems."""
    return Experiment.prepare(
        corpus, ["bleu"], unit="segment", seed=_SEED, jobs=1, cache=None, engine=None, progress=None
    )


def neighbours(experiment: Experiment) -> list[tuple[int, int]]:
    """Return pairs of systems that stand next to each other in the ranking, each system in one."""
    order = np.argsort(-experiment.scores[0], kind="stable").tolist()
    return list(zip(order[1::2], order[::2], strict=False))


def _by_documents(values: NDArray[np.float64], documents: Units) -> float:
    """Return the root of the sum of squares of documents over that of segments."""
    sums = np.bincount(documents.of_segment, weights=values, minlength=documents.count)
    return float(np.sqrt((sums**2).sum() / (values**2).sum()))


def measure_pair(experiment: Experiment, pair: tuple[int, int], *, datasets: int, resamples: int, jobs: int) -> Pair:
    """Calibrate the tests of :data:`COLUMNS` on two of the systems."""
    corpus = experiment.corpus
    assert corpus.documents is not None
    two = experiment.regrouped({corpus.systems[s].name: [s] for s in pair})
    options: dict[str, Any] = {"repetitions": datasets, "resamples": resamples, "jobs": jobs}
    options["seed"] = _SEED + len(corpus.systems) * pair[0] + pair[1]  # the swaps of one pair say nothing of another's
    found: list[CalibrationResult] = [
        calibrate(two.corpus, metrics=["bleu"], **options, **column) for _, column in COLUMNS
    ]
    first, second = (system.name for system in two.corpus.systems)
    contributions = two.contributions_to(0, 0, 1)
    assert contributions is not None
    return Pair(
        (first, second),
        float(two.scores[0, 1] - two.scores[0, 0]),
        _by_documents(contributions, Units.documents(corpus.documents)),
        tuple(one.measured[0].size.rejections for one in found),
    )


def levelling(experiment: Experiment) -> list[Bin]:
    """Hold the standard error of nulls of documents against that of the data, for all pairs of systems."""
    assert experiment.corpus.documents is not None
    documents, segments = Units.documents(experiment.corpus.documents), Units.segments(experiment.corpus.segments)
    rows = []
    for first, second in itertools.combinations(range(len(experiment.corpus.systems)), 2):
        two = experiment.regrouped({"first": [first], "second": [second]})
        own = two.contributions_to(0, 0, 1)
        assert own is not None
        ratio = _by_documents(own, documents)
        gain = abs(float(two.scores[0, 1] - two.scores[0, 0])) / float(np.sqrt((own**2).sum()))
        made = [
            _by_documents(SwappedUnits(one, segments).contributions, documents) / ratio
            for one in (two, levelled(two).experiment)
        ]
        rows.append((gain, ratio, *made))
    values = np.array(rows)
    bins = []
    for low, high in itertools.pairwise(_EDGES):
        inside = values[(values[:, 0] >= low) & (values[:, 0] < high)]
        if len(inside):
            spans = [tuple(np.quantile(inside[:, place], [0.05, 0.5, 0.95]).tolist()) for place in (2, 3)]
            bins.append(Bin(low, high, len(inside), float(np.median(inside[:, 1])), *spans))
    return bins


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.units", description="Calibration by the unit.")
    parser.add_argument("--datasets", type=int, default=300, help="of a pair (default: 300)")
    parser.add_argument("--resamples", type=int, default=499, help="resamples of a test (default: 499)")
    add_jobs(parser)
    parser.add_argument("--output", type=Path, default=_PAGE, help="the page")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    experiment = prepared(newstest2011())
    bins = levelling(experiment)
    pairs = []
    for pair in neighbours(experiment):
        pairs.append(
            measure_pair(experiment, pair, datasets=options.datasets, resamples=options.resamples, jobs=options.jobs)
        )
        print(f"{time.perf_counter() - start:6.0f} s  {pairs[-1]}", flush=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(page(pairs, bins, options.datasets, options.resamples), encoding="utf-8")
    write_tables(options.output, {_TABLE: pairs_table(pairs, options.datasets)})
    print(options.output)


def pairs_table(pairs: Sequence[Pair], datasets: int) -> list[list[str]]:
    """Return the rates of every pair, with headings."""
    rows = [["systems", "Δ", "SE ratio", *(name.replace("`", "") for name, _ in COLUMNS)]]
    for pair in pairs:
        rates = [f"{100 * one / datasets:.1f}" for one in pair.rejections]
        rows.append([" and ".join(pair.names), f"{pair.gain:.2f}", f"{pair.ratio:.2f}", *rates])
    return rows


def page(pairs: Sequence[Pair], bins: Sequence[Bin], datasets: int, resamples: int) -> str:
    """Return the page."""
    every = pairs_table(pairs, datasets)
    rows = [["each", *row] for row in ranges(every, [], every[0][1:])]
    total = datasets * len(pairs)
    together = [sum(column) for column in zip(*(pair.rejections for pair in pairs), strict=True)]
    ends = [clopper_pearson(one, total) for one in together]
    means = [
        f"**{100 * one / total:.1f}** ({100 * low:.1f}–{100 * high:.1f})"
        for one, (low, high) in zip(together, ends, strict=True)
    ]
    rows.append(["all", "", f"{np.mean([pair.ratio for pair in pairs]):.2f}", *means])
    headings = ["systems", "Δ", "SE ratio", *(name for name, _ in COLUMNS)]
    likeness = [
        [
            f"{one.low:g} to {one.high:g}" if np.isfinite(one.high) else f"above {one.low:g}",
            str(one.pairs),
            f"{one.ratio:.2f}",
            *(f"{middle:.2f} ({low:.2f}–{high:.2f})" for low, middle, high in (one.plain, one.level)),
        ]
        for one in bins
    ]
    return f"""# What does the wrong unit cost on real systems?

Segments of a document are alike. A test that takes them for independent rejects more true null hypotheses than its
level, and `truegain calibrate` shows it if its nulls keep documents whole:

```text
$ truegain calibrate --ref ref.en.gz --docs docs.txt --unit segment --test ar system12.en.gz system5.en.gz
$ truegain calibrate --ref ref.en.gz --docs docs.txt --unit document --test ar system12.en.gz system5.en.gz
```

Rejections at 5 %, in per cent, for newstest2011, German to English: 3,003 segments, 110 documents, BLEU; {len(pairs)}
pairs of systems that stand next to each other in the ranking of 20, {datasets} datasets without a difference of each,
{resamples} resamples in every test. *SE ratio*: the standard error of Δ by documents over that by segments. Nulls swap
whole documents, except in the first column (single segments) and in the last (blocks of {_BLOCK} segments, as if
documents were not known). *Blocks*: the [stationary bootstrap](../methods/stationary-bootstrap.md), with a mean length
by the rule of Politis and White, or of {_BLOCK} segments. Every pair:
{link(_TABLE)}.

{table(headings, rows, 1)}

- Nulls of segments certify `ar` on segments, by construction. Nulls of documents show what it does.
- `ar` on documents keeps its level, by construction too; dependence between documents is not covered.
- Blocks of {_BLOCK} as nulls show about as much, if the files are in the order of the text. So `calibrate` takes them
  if documents are not known and neighbours are correlated.
- If documents are not known, take the stationary bootstrap with `--unit block --block-length {_BLOCK}`. Blocks by the
  rule are shorter and mend less. Documents do better than either.

## Nulls without the gain

If one system is better, segments that are swapped as a whole share that gain, and look alike even if they are
independent. So outputs of single segments are swapped before, those that differ least, until neither system is better.
Below are all pairs of the 20 systems, by their gain in standard errors of segments: the SE ratio in the data (median),
and the share of it that datasets made of them have (median, and nine pairs of ten).

{table(["gain", "pairs", "SE ratio", "swapped only", "levelled, then swapped"], likeness, 1)}

Swaps alone make too much of documents if one system is clearly better. Levelled before, nulls have nearly what the data
have, and rather less than more.

Made by `python -m benchmarks.units` (truegain {__version__}).
"""


if __name__ == "__main__":
    main()
