"""``python -m benchmarks.edges``: coverage, power and size where scores are near the ends of their range.

Written to docs/edges.md by :mod:`benchmarks.edges_page`. Items are enumerated or drawn here; every interval and p-value
is the product's own.
"""

from __future__ import annotations

import argparse
import itertools
import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

import truegain
from benchmarks.csv_tables import write_tables
from benchmarks.data import REAL_DATA, ROOT
from benchmarks.edges_data import POPULATIONS, SEED, Bounded, mqm_scores, prepared, right_by_unit
from benchmarks.edges_page import CLUSTER, ITEMS, LEVELS, SHARES, TESTS, Agreement, Cell, Study, page, table
from benchmarks.machine import add_jobs
from truegain.experiment.outcomes import gain_of_items
from truegain.inference.distributions import normal_quantile, student_quantile
from truegain.inference.proportions import PairedShares, Share, Worth
from truegain.inference.pvalues import small_sample_factor
from truegain.procedures.base import Pair, Trial
from truegain.procedures.proportions import TANGO

__all__ = ["drawn_agreement", "main", "real_agreements"]

Floats = NDArray[np.float64]

PAGE = ROOT / "docs" / "edges.md"
ALPHA = 0.05
CORRELATIONS = (0.0, 0.5, 0.8)  # of two systems' items
GAPS = (0.0, 0.05, 0.1)
SAMPLED_ITEMS = (20, 50, 100, 200)
SAMPLED = ((0.5, 0.5), (0.9, 0.9), (0.95, 0.95), (0.98, 0.98), (1.0, 1.0), (0.98, 0.9), (1.0, 0.9))
_SLACK = 1e-12
_BATCH = 200  # systems, or pairs of systems, of one experiment


# Enumerated: independent items


def enumerated_score(share: float, items: int) -> Cell:
    """Sum over all numbers of right items; beside it the percentile interval of the bootstrap, by exact quantiles."""
    right = np.arange(items + 1)
    observed = right / items
    drawn = np.array([stats.binom.ppf(tail, items, observed) / items for tail in (ALPHA / 2.0, 1.0 - ALPHA / 2.0)])
    drawn[:, [0, items]] = observed[[0, items]]
    factor = small_sample_factor(items, items)
    chances = stats.binom.pmf(right, items, share)
    low, high = _wilson(items)
    covered, beside = (
        float(chances[(least - _SLACK <= share) & (share <= most + _SLACK)].sum())
        for least, most in ((low, high), np.clip(observed + factor * (drawn - observed), 0.0, 1.0))
    )
    empty = float(chances[(high <= low) | (low < 0.0) | (high > 1.0)].sum())
    return Cell("score", share, items, "", covered, beside, empty)


def _wilson(items: int) -> Floats:
    """Return the ends of the intervals of all numbers of right items, shape (2, items + 1)."""
    intervals = [Share(right / items, Worth(items, math.inf)).interval(ALPHA) for right in range(items + 1)]
    return np.array([[interval.low, interval.high] for interval in intervals]).T


def deepest_dip(items: int) -> tuple[float, float]:
    """Return the lowest coverage of a score over all shares from one half on, and n (1 − share) there."""
    low, high = _wilson(items)[:, :, None]
    wrong = np.concatenate([np.linspace(0.001, 3.0, 3_000), np.linspace(3.0, items / 2.0, 500)])
    shares = 1.0 - wrong / items
    chances = stats.binom.pmf(np.arange(items + 1)[:, None], items, shares)
    covered = (chances * ((low <= shares) & (shares <= high))).sum(0)
    worst = int(covered.argmin())
    return float(covered[worst]), float(wrong[worst])


def won_and_lost(old: float, new: float, correlation: float) -> tuple[float, float]:
    """Return the probabilities that an item is won and that it is lost, of scores of 0 and 1 that are correlated."""
    both = old * new + correlation * math.sqrt(old * (1.0 - old) * new * (1.0 - new))
    both = min(both, old, new)
    return new - both, old - both


def enumerated_gain(share: float, items: int, correlation: float, gap: float) -> Cell:
    """Sum over all wins and losses; beside it, if the systems are equal, the gains that ``ar`` keeps."""
    won, lost = won_and_lost(share - gap, share, correlation)
    critical = normal_quantile(1.0 - ALPHA / 2.0)
    covered = beside = empty = 0.0
    for wins, losses, chance in _tables(items, won, lost):
        shares = PairedShares(wins / items, losses / items, Worth(items, math.inf))
        covered += chance * (abs(shares.z(won - lost)) < critical)
        beside += chance * (_sign_flip(min(wins, losses), wins + losses) > ALPHA)
        if wins + losses in (0, items):
            interval = shares.interval(ALPHA)
            empty += chance * (interval.high <= interval.low)
    detail = f"correlation {correlation:g}, gap {gap:g}"
    return Cell("difference", share, items, detail, covered, beside if gap == 0.0 else math.nan, empty)


def _tables(items: int, won: float, lost: float) -> Iterator[tuple[int, int, float]]:
    """Yield wins, losses and their probability, but for those of next to none."""
    for wins in _likely(items, won):
        first = float(stats.binom.pmf(wins, items, won))
        losses = np.array([number for number in _likely(items, lost) if number <= items - wins])
        chances = first * stats.binom.pmf(losses, items - wins, min(lost / (1.0 - won), 1.0) if won < 1.0 else 0.0)
        yield from zip(itertools.repeat(wins), losses.tolist(), chances.tolist())


def _likely(items: int, chance: float) -> range:
    least, most = stats.binom.ppf([1e-12, 1.0 - 1e-12], items, chance)
    return range(max(int(least) - 1, 0), min(int(most) + 1, items) + 1)


def _sign_flip(fewer: int, differing: int) -> float:
    """Return the p that ``ar`` comes to with ever more resamples: twice the binomial tail."""
    return min(1.0, 2.0 * float(special.bdtr(fewer, differing, 0.5)))


def _p(test: str, wins: int, differing: int) -> float:
    if differing == 0:
        return 1.0
    if test == "tango":
        return PairedShares(wins / differing, 1.0 - wins / differing, Worth(differing, math.inf)).p(0.0)
    fewer = min(wins, differing - wins)
    tie = float(stats.binom.pmf(fewer, differing, 0.5)) if test == "mid-p" else 0.0
    return _sign_flip(fewer, differing) - tie


def _rejected(test: str, most: int, levels: Sequence[float], won: float = 0.5) -> Floats:
    """Return the probability of p ≤ level for every number of differing items, each of which is won or lost."""
    found = np.zeros((len(levels), most + 1))
    for differing in range(most + 1):
        chances = stats.binom.pmf(np.arange(differing + 1), differing, won)
        p = np.array([_p(test, wins, differing) for wins in range(differing + 1)])
        found[:, differing] = [chances[p <= level].sum() for level in levels]
    return found


def power(test: str, items: int) -> float:
    """Return the probability of p ≤ .05 for .98 against .90, correlated by .2."""
    won, lost = won_and_lost(0.90, 0.98, 0.2)
    differing = stats.binom.pmf(np.arange(items + 1), items, won + lost)
    return float(differing @ _rejected(test, items, [ALPHA], won / (won + lost))[0])


def size(test: str, sizes: Sequence[int] = range(10, 201)) -> dict[tuple[str, float], tuple[float, str]]:
    """Return the largest share of true nulls that is rejected at each level, and where."""
    rejected = _rejected(test, max(sizes), LEVELS)
    largest = {(test, level): (0.0, "") for level in LEVELS}
    for share, correlation in itertools.product((0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99), CORRELATIONS):
        differing = 2.0 * won_and_lost(share, share, correlation)[0]
        for items in sizes:
            rates = rejected[:, : items + 1] @ stats.binom.pmf(np.arange(items + 1), items, differing)
            for level, rate in zip(LEVELS, rates.tolist(), strict=True):
                place = f"n = {items}, p = {share:g}, correlation {correlation:g}"
                largest[test, level] = max(largest[test, level], (rate, place))
    return largest


def largest_size(least: int) -> tuple[float, int, float]:
    """Return the largest size of ``tango`` at 5 % whatever share of items differs, from so many items to 200."""
    rejected = _rejected("tango", 200, [ALPHA])[0]
    differing = np.linspace(0.005, 1.0, 200)
    found = []
    for items in range(least, 201):
        sizes = rejected[: items + 1] @ stats.binom.pmf(np.arange(items + 1)[:, None], items, differing)
        found.append((float(sizes.max()), items, float(differing[sizes.argmax()])))
    return max(found)


# Drawn: clusters, samples, scores of more values


def drawn_cells(old: float, new: float, icc: float, items: int, sampled: bool, draws: int) -> list[Cell]:
    """Draw clusters of items, or samples of items: the old system's score, and the difference; beside them Student's t.

    The items of a cluster are right together more often than by chance, and one in three has both systems' luck.
    """
    units = items if sampled else items // CLUSTER
    batches = math.ceil(draws / _BATCH)
    generator = np.random.default_rng([SEED, *(round(1_000 * share) for share in (old, new, icc)), items, sampled])
    draw = right_by_unit((old, new), icc, (_BATCH, units))
    truth = [float(side.mean()) for side in draw()]
    critical = student_quantile(1.0 - ALPHA / 2.0, units - 1.0)
    held = np.zeros((2, 3))
    for _ in range(batches):
        chances = draw(generator)
        luck = generator.random((2, _BATCH, units, CLUSTER))
        if not sampled:
            luck[1] = np.where(generator.random(luck[1].shape) < 0.3, luck[0], luck[1])
        right = np.stack([one < side[..., None] for one, side in zip(luck, chances, strict=True)]).astype(np.float64)
        scores = right.reshape(2 * _BATCH, items, CLUSTER if sampled else 1)
        experiment = prepared(scores, 1 if sampled else CLUSTER)
        sums = right.mean(-1)
        for place, (values, true) in enumerate(((sums[0], truth[0]), (sums[1] - sums[0], truth[1] - truth[0]))):
            error = values.std(1, ddof=1) / math.sqrt(units)
            held[place, 1] += (np.abs(values.mean(1) - true) <= critical * error + _SLACK).sum()
        for result in experiment.of_systems(*range(_BATCH)).system_results(19, 1.0 - ALPHA, "auto"):
            assert result.interval is not None
            held[0, [0, 2]] += _held(result.interval.low, result.interval.high, truth[0])
        for i in range(_BATCH):
            shares = gain_of_items(experiment, 0, i, _BATCH + i)
            assert isinstance(shares, PairedShares)
            held[1, 0] += abs(shares.z(truth[1] - truth[0])) < critical
            if shares.wins + shares.losses in (0.0, 1.0):
                interval = shares.interval(ALPHA)
                held[1, 2] += interval.high <= interval.low
    kind = "samples" if sampled else "clusters"
    detail = f"ICC {icc:g}, gap {old - new:.2g}"
    difference, score = (
        Cell(f"{what}, {kind}", old, items, detail, *(held[place] / (batches * _BATCH)).tolist())
        for place, what in ((1, "difference"), (0, "score"))
    )
    return [score, difference] if old == new else [difference]


def _held(low: float, high: float, truth: float) -> tuple[bool, bool]:
    """Return whether an interval holds the truth, and whether it has no width or leaves the range."""
    return low - _SLACK <= truth <= high + _SLACK, high <= low or low < 0.0 or high > 1.0


def bounded_cells(name: str, items: int, draws: int) -> list[Cell]:
    """Draw scores of more than two values, whose range is known; beside truegain's intervals those of Student's t."""
    generator = np.random.default_rng([SEED, list(POPULATIONS).index(name), items])
    first, second = POPULATIONS[name]
    batches = math.ceil(draws / _BATCH)
    held = np.zeros(3)
    critical = student_quantile(1.0 - ALPHA / 2.0, items - 1.0)
    for _ in range(batches):
        if isinstance(first, float) or isinstance(second, float):
            scores = generator.beta(first, second, (_BATCH, items))
            truth = float(np.sum(first) / np.sum([first, second]))
        else:
            scores, truth = generator.choice(first, (_BATCH, items), p=second), float(first @ second)
        error = scores.std(1, ddof=1) / math.sqrt(items)
        held[1] += (np.abs(scores.mean(1) - truth) <= critical * error + _SLACK).sum()
        for result in prepared(scores[..., None], metric=Bounded()).system_results(999, 1.0 - ALPHA, "auto"):
            assert result.interval is not None
            held[[0, 2]] += _held(result.interval.low, result.interval.high, truth)
    return [Cell("bounded", math.nan, items, name, *(held / (batches * _BATCH)).tolist())]


# p and interval


def drawn_agreement(pairs: int) -> Agreement:
    """Test pairs with scores of 0 and 1, of many sizes, in clusters or not, at many levels, against zero and others."""
    generator = np.random.default_rng([SEED, 7])
    found = 0
    for number in range(pairs // 10):
        items = int(generator.integers(5, 301))
        cluster = int(generator.integers(2, 7)) if number % 2 and items >= 15 else 1
        share = generator.choice([0.5, 0.8, 0.95, 0.99])
        chances = np.repeat(generator.beta(2.0 * share, 2.0 * (1.0 - share), items), cluster)[:items]
        luck = generator.random((11, items))
        copied = generator.random((11, items)) < generator.choice([0.0, 0.5, 0.9])
        scores = (np.where(copied, luck[0], luck) < chances).astype(np.float64)
        trial = Trial(
            prepared(scores[..., None], cluster),
            tuple(Pair(0, other) for other in range(1, 11)),
            alpha=float(generator.choice([0.01, 0.02, 0.05, 0.1])),
            null_gain=float(generator.choice([0.0, -0.02, 0.05, 0.2])),
            inverted=True,
        )
        for outcome in TANGO(trial).values():
            assert outcome.interval is not None
            found += (outcome.p_value.p <= trial.alpha) == (
                outcome.interval.low <= trial.null_gain <= outcome.interval.high
            )
    return Agreement("drawn", pairs // 10 * 10, found)


def real_agreements() -> Iterator[Agreement]:
    """Compare all pairs of systems of WMT23 by the share of segments whose MQM score is not below a threshold."""
    for languages in ("en-de", "zh-en"):
        scores, documents = mqm_scores(languages)
        pairs = contradictions = 0
        for threshold, known in itertools.product((-10.0, -5.0, -1.0, 0.0), (None, documents)):
            result = truegain.compare(
                None,
                {system: (own >= threshold).astype(np.float64) for system, own in scores.items()},
                metrics=["scores"],
                documents=known,
                family="all",
                resamples=99,
                cache=None,
            )
            pairs += len(result.comparisons)
            contradictions += sum(
                (one.p <= ALPHA) == (one.interval.low <= 0.0 <= one.interval.high) for one in result.comparisons
            )
        yield Agreement(f"WMT23 {languages}", pairs, contradictions)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.edges", description="Scores near 0 and 1.")
    parser.add_argument("--draws", type=int, default=2_000, help="samples of a kind (default: 2000)")
    parser.add_argument("--pairs", type=int, default=10_000, help="pairs, for p and interval (default: 10000)")
    add_jobs(parser)
    parser.add_argument("--output", type=Path, default=PAGE, help="the page (default: docs/edges.md)")
    options = parser.parse_args(arguments)
    if not REAL_DATA.is_dir():
        parser.error(f"needs the real ratings in {REAL_DATA}, which are not there")
    start = time.perf_counter()
    drawn = partial(drawn_cells, draws=options.draws)
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("forkserver")) as processes:
        waiting = [
            *(processes.submit(drawn, *case) for case in _clusters()),
            *(processes.submit(drawn, *case) for case in _samples()),
            *(processes.submit(bounded_cells, name, n, options.draws) for name in POPULATIONS for n in SAMPLED_ITEMS),
        ]
        cells = [enumerated_score(share, items) for share in SHARES for items in ITEMS]
        for share, items in itertools.product(SHARES, ITEMS):
            cells += [enumerated_gain(share, items, correlation, 0.0) for correlation in CORRELATIONS]
            cells.append(enumerated_gain(share, items, 0.2, 0.05))
        for result in waiting:
            cells += result.result()
            print(f"{time.perf_counter() - start:6.0f} s  {cells[-1]}", flush=True)
    study = Study(
        cells,
        dips={items: deepest_dip(items) for items in ITEMS},
        powers={(test, items): power(test, items) for test in TESTS for items in (50, 100)},
        sizes={key: found for test in TESTS for key, found in size(test).items()},
        largest={least: largest_size(least) for least in (4, 10, 30)},
        agreements=[drawn_agreement(options.pairs), *real_agreements()],
        draws=options.draws,
        minutes=(time.perf_counter() - start) / 60.0,
    )
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(page(study), encoding="utf-8")
    write_tables(options.output, {"edges": table(cells)})
    print(options.output)


def _clusters() -> Iterator[tuple[float, float, float, int, bool]]:
    for gap, share, items in itertools.product(GAPS, SHARES, ITEMS):
        yield share, share - gap, 0.3, items, False


def _samples() -> Iterator[tuple[float, float, float, int, bool]]:
    for icc, (old, new), items in itertools.product((0.3, 0.7), SAMPLED, SAMPLED_ITEMS):
        yield old, new, icc, items, True


if __name__ == "__main__":
    main()
