"""``python -m benchmarks.poisson_errors``: what Poisson weights change, and whether tests by them keep their level.

Written to docs/studies/poisson-bootstrap.md.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks.data import ROOT
from benchmarks.machine import add_jobs
from benchmarks.pages import columns
from benchmarks.streaming import bleu_like, described
from truegain.inference.pvalues import bootstrap_test, clopper_pearson, small_sample_factor
from truegain.inference.results import Comparison
from truegain.metrics.bleu import BLEU
from truegain.resampling.generator import bootstrap_counts, resample_keys, swap_masks
from truegain.streaming.fold import Fold
from truegain.streaming.sums import Sums
from truegain.studies.compare.result import CompareResult
from truegain.studies.merge.study import merge
from truegain.version import __version__

__all__ = ["Agreement", "Level", "agreement", "expected_ratio", "level", "main"]

Floats = NDArray[np.float64]

_PAGE = ROOT / "docs" / "studies" / "poisson-bootstrap.md"
_SEED = 20_060_701
_SIZES = (30, 100, 1_000, 10_000)
_LEVEL_SIZES = (30, 100, 300, 1_000)
_GAIN = 1.3  # over the square root of the number of segments: p-values of all sizes


@dataclass(frozen=True)
class Agreement:
    """Poisson weights beside multinomial ones, and these beside others of their own kind.

    Attributes
    ----------
    ratio, ratio_error : float
        The mean ratio of standard errors of the difference, Poisson over multinomial, and its standard error.
    spread, yardstick : float
        How far p-values of the two kinds lie apart, and p-values of one kind with two seeds: root mean squares.
    verdicts, yardstick_verdicts : int
        In how many test sets the verdict at 5 % was another.
    swapped, swapped_yardstick : float
        The same of randomization, with bits by the unit and by the resample.
    """

    segments: int
    sets: int
    ratio: float
    ratio_error: float
    spread: float
    yardstick: float
    verdicts: int
    yardstick_verdicts: int
    swapped: float
    swapped_yardstick: float


@dataclass(frozen=True)
class Level:
    """How often true null hypotheses were rejected at 5 % and at 1 %, by test."""

    segments: int
    sets: int
    rejected: dict[str, tuple[int, int]]


def expected_ratio(segments: int) -> float:
    """Return what the ratio of standard errors of a mean is.

    A Poisson resample of m units is an ordinary one of m units, so the variance is that of the ordinary bootstrap times
    n E[1/m], m being Poisson(n) and not 0.
    """
    chances = [math.exp(m * math.log(segments) - segments - math.lgamma(m + 1)) for m in range(1, 4 * segments + 50)]
    mean = sum(chance / m for m, chance in enumerate(chances, 1)) / sum(chances)
    return math.sqrt(segments * mean)


def agreement(segments: int, *, sets: int, resamples: int, seed: int = _SEED) -> Agreement:
    """Compare the two kinds of weights on simulated test sets."""
    generator = np.random.default_rng([seed, segments])
    metric = BLEU()
    ratios, apart, beside, swapped, swapped_beside = [], [], [], [], []
    for number in range(sets):
        values = bleu_like(segments, generator, gain=_GAIN / math.sqrt(segments))
        fold = Fold(described(resamples, seed=number))
        fold.add(values, 0)
        sums = fold.sums(name="simulated", run_names=("base", "new"))
        by_test = _by_test(sums)
        totals = values.sum(0)
        delta, magnitude = by_test["ar"].delta, float(np.abs(_scores(metric, totals)).max())
        errors, p_values, p_swapped = [], [], []
        poisson = _differences(metric, sums.poisson.astype(np.float64))
        errors.append(float(poisson.std()))
        for other in (1, 2):
            counts = bootstrap_counts(resample_keys(number, 100 + other, 0, resamples), segments)
            drawn = _differences(metric, counts.astype(np.float64) @ values)
            errors.append(float(drawn.std()))
            factor = small_sample_factor(segments, segments)
            p_values.append(bootstrap_test(delta, drawn, magnitude=magnitude, factor=factor).p)
            masks = swap_masks(resample_keys(number, 200 + other, 0, resamples), segments).astype(np.float64)
            shift = masks @ (values[:, 10:] - values[:, :10])
            null = metric.score(totals[10:] - shift) - metric.score(totals[:10] + shift)
            p_swapped.append((np.count_nonzero(np.abs(null) >= abs(delta) - 1e-9 * magnitude) + 1) / (resamples + 1))
        ratios.append(errors[0] / errors[1])
        apart.append((by_test["poisson-bootstrap"].p, p_values[0]))
        beside.append((p_values[1], p_values[0]))
        swapped.append((by_test["ar"].p, p_swapped[0]))
        swapped_beside.append((p_swapped[1], p_swapped[0]))
    return Agreement(
        segments,
        sets,
        float(np.mean(ratios)),
        float(np.std(ratios) / math.sqrt(sets)),
        _root_mean_square(apart),
        _root_mean_square(beside),
        _others(apart),
        _others(beside),
        _root_mean_square(swapped),
        _root_mean_square(swapped_beside),
    )


def level(segments: int, *, sets: int, resamples: int, seed: int = _SEED) -> Level:
    """Test systems of which neither is better."""
    generator = np.random.default_rng([seed, segments, 1])
    found: dict[str, list[float]] = {"ar": [], "poisson-bootstrap": []}
    for number in range(sets):
        fold = Fold(described(resamples, seed=number))
        fold.add(bleu_like(segments, generator), 0)
        by_test = _by_test(fold.sums(name="simulated", run_names=("base", "new")))
        for test, p_values in found.items():
            p_values.append(by_test[test].p)
    counts = {
        test: (sum(p <= 0.05 for p in p_values), sum(p <= 0.01 for p in p_values)) for test, p_values in found.items()
    }
    return Level(segments, sets, counts)


def _by_test(sums: Sums) -> dict[str, Comparison]:
    result = merge(sums)
    assert isinstance(result, CompareResult)
    return {one.test: one for one in result}


def _scores(metric: BLEU, totals: Floats) -> Floats:
    return metric.score(totals.reshape(*totals.shape[:-1], 2, 10))


def _differences(metric: BLEU, totals: Floats) -> Floats:
    scores = _scores(metric, totals)
    return np.asarray(scores[..., 1] - scores[..., 0])


def _root_mean_square(pairs: Sequence[tuple[float, float]]) -> float:
    return float(np.sqrt(np.mean([(one - other) ** 2 for one, other in pairs])))


def _others(pairs: Sequence[tuple[float, float]]) -> int:
    return sum((one <= 0.05) != (other <= 0.05) for one, other in pairs)


def _one_thread(work: str, *arguments: int) -> Agreement | Level:
    segments, sets, resamples = arguments
    with threadpool_limits(limits=1):
        if work == "agreement":
            return agreement(segments, sets=sets, resamples=resamples)
        return level(segments, sets=sets, resamples=resamples)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run both studies and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.poisson_errors", description="Poisson weights.")
    parser.add_argument("--sets", type=int, default=200, help="test sets of a size (default: 200)")
    parser.add_argument("--resamples", type=int, default=2000, help="resamples a test set (default: 2000)")
    parser.add_argument("--null-sets", type=int, default=4000, help="with no difference, of a size (default: 4000)")
    parser.add_argument("--null-resamples", type=int, default=499)
    add_jobs(parser)
    parser.add_argument("--output", type=Path, default=_PAGE)
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    work = [("agreement", size, options.sets, options.resamples) for size in _SIZES]
    work += [("level", size, options.null_sets, options.null_resamples) for size in _LEVEL_SIZES]
    done: list[Agreement | Level] = []
    with ProcessPoolExecutor(options.jobs, mp_context=multiprocessing.get_context("forkserver")) as pool:
        for one in [pool.submit(_one_thread, *task) for task in work]:
            done.append(one.result())
            print(f"{time.perf_counter() - start:6.0f} s  {done[-1]}", flush=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(_page(done, options), encoding="utf-8")
    print(options.output)


def _page(done: Sequence[Agreement | Level], options: argparse.Namespace) -> str:
    agreements = [one for one in done if isinstance(one, Agreement)]
    levels = [one for one in done if isinstance(one, Level)]
    first = columns(
        ["segments", "SE ratio", "of a mean", "p, Poisson", "p, two seeds", "verdicts", "two seeds", "AR", "two seeds"],
        [
            [
                f"{one.segments:,}",
                f"{one.ratio:.4f} ± {one.ratio_error:.4f}",
                f"{expected_ratio(one.segments):.4f}",
                f"{one.spread:.4f}",
                f"{one.yardstick:.4f}",
                f"{one.verdicts}",
                f"{one.yardstick_verdicts}",
                f"{one.swapped:.4f}",
                f"{one.swapped_yardstick:.4f}",
            ]
            for one in agreements
        ],
    )
    second = columns(
        ["segments", "AR, 5 %", "AR, 1 %", "Poisson bootstrap, 5 %", "Poisson bootstrap, 1 %"],
        [
            [f"{one.segments:,}"]
            + [f"{100 * count / one.sets:.2f}" for test in ("ar", "poisson-bootstrap") for count in one.rejected[test]]
            for one in levels
        ],
    )
    ends = [
        [100 * end for end in clopper_pearson(round(alpha * options.null_sets), options.null_sets)]
        for alpha in (0.05, 0.01)
    ]
    return f"""# What do Poisson weights change?

`truegain stats` gives every segment a weight of its own in every resample, drawn from Poisson(1), where the bootstrap
draws as many segments as there are. Here both are computed on the same simulated test sets: two systems, BLEU's
statistics, a difference that is significant in some of the sets. {options.sets:,} test sets of a size,
{options.resamples:,} resamples each; truegain {__version__}. Remade by

```text
$ python -m benchmarks.poisson_errors
```

{first}

- **SE ratio**: the standard error of the difference in BLEU by Poisson weights over that by the ordinary bootstrap, a
  mean over test sets. *Of a mean*: what theory gives for a mean, √(n E[1/m]) with m Poisson(n), about 1 + 1/(2n): a
  Poisson resample of m segments is an ordinary resample of m segments.
- **p, Poisson**: how far the p-values of the two kinds of bootstrap lie apart, as a root mean square; **two seeds**:
  how far those of the ordinary bootstrap with one seed and another do. What Poisson weights add to the Monte-Carlo
  error is the difference of these two columns.
- **verdicts**: in how many test sets the answer at 5 % was another, and in how many with another seed alone.
- **AR**: the same of p by randomization, whose swaps are coins of the segment here and of the resample there: the two
  differ in nothing but the coins.

## Do the tests keep their level?

Two systems of which neither is better: how many of {options.null_sets:,} test sets of a size have p ≤ 5 % and p ≤ 1 %,
in per cent; {options.null_resamples} resamples. A true rate of 5 % is found between {ends[0][0]:.1f} and
{ends[0][1]:.1f} % in 19 of 20 cells, one of 1 % between {ends[1][0]:.2f} and {ends[1][1]:.2f} %.

{second}
"""


if __name__ == "__main__":
    main()
